// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/model_source.h>
#include <tilewright/ui/panel.h>

class QActionGroup;
class QLineEdit;
class QToolButton;

namespace tilewright::ui {

class TaskGraphView;

/// The task graph with its overlay switch and its search.
class GraphPanel : public Panel {
    Q_OBJECT

public:
    enum Overlay { Share, Latency, Roof, SpeedUp };

    /// `source` places the boxes; outlives the panel.
    GraphPanel(ModelSource* source, QWidget* parent);

    /// What the source holds now.
    void setOverview(const ModelOverviewPtr& overview);
    void selectTask(int task);
    void setOverlay(Overlay overlay);
    [[nodiscard]] Overlay overlay() const { return overlay_; }
    [[nodiscard]] TaskGraphView* graph() const { return graph_; }

public slots:
    void startSearch();

signals:
    /// -1 = a box that is no task, or none.
    void taskSelected(int task);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void showTexts();
    void searchEdited(const QString& text);

    ModelSource* source_;
    ModelOverviewPtr overview_;
    TaskGraphView* graph_;
    QLineEdit* search_;
    QToolButton* overlayButton_;
    QToolButton* expand_;
    QToolButton* fit_;
    QActionGroup* overlays_;
    Overlay overlay_ = Share;
};

} // namespace tilewright::ui
