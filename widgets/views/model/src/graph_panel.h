// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/model_source.h>
#include <tilewright/ui/panel.h>

#include <QSet>
#include <QVector>

#include <optional>

class QActionGroup;
class QToolButton;

namespace tilewright::ui {

class GraphView;
struct GraphEdge;
struct GraphNode;

/// The task graph with its overlay switch and its search. Boxes open to the model's operators.
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
    /// Opens or closes the operators of the selected box.
    void toggleExpanded();

public slots:
    void startSearch();

signals:
    /// -1 = a box that is no task.
    void taskSelected(int task);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// The number an overlay shows of a task, and how it compares.
    struct Metric {
        QString text;
        std::optional<double> value;
    };
    [[nodiscard]] static Metric metricOf(const session::OverviewTask& task, Overlay overlay);
    void retranslate();
    void askForLayout();
    void toggle(qint64 node);
    void showGraph(bool keepView);
    [[nodiscard]] session::LayoutNode sizeOf(int node) const;
    [[nodiscard]] GraphNode boxOf(int node) const;
    [[nodiscard]] QVector<GraphNode> membersOf(int node, const GraphNode& box) const;
    [[nodiscard]] QVector<GraphEdge> edges() const;

    ModelSource* source_;
    ModelOverviewPtr overview_;
    GraphLayoutPtr layout_;
    std::vector<session::LayoutNode> sizes_; ///< of the boxes, as the layout was asked for
    QSet<int> expanded_;
    GraphView* graph_;
    QToolButton* overlayButton_;
    QToolButton* find_;
    QToolButton* expand_;
    QToolButton* fit_;
    QToolButton* export_;
    QActionGroup* overlays_;
    Overlay overlay_ = Share;
    double strongest_ = 0;
};

} // namespace tilewright::ui
