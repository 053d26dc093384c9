// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/live_session.h>

#include <QSplitter>

class QSettings;

namespace tilewright::ui {

class FunnelPlot;
class Panel;
class ScatterPlot;
class StackPlot;

/// The small plots beside a tuning curve: the model's total by task, where candidates are lost, how
/// well the cost model ranks.
class SideColumn : public QSplitter {
    Q_OBJECT

public:
    explicit SideColumn(QSettings* settings, QWidget* parent = nullptr);
    void setSnapshot(LiveSnapshotPtr snapshot);

signals:
    void recordSelected(qint64 record);
    void recordActivated(qint64 record);

protected:
    void changeEvent(QEvent* event) override;

private:
    template <class Plot> Plot* addPlot(ui::Panel* panel, const QString& name);
    void retranslate();
    void showTotal();
    void showFunnel();
    void showModel();

    LiveSnapshotPtr snapshot_;
    ui::Panel* totalPanel_;
    ui::Panel* funnelPanel_;
    ui::Panel* modelPanel_;
    StackPlot* total_;
    FunnelPlot* funnel_;
    ScatterPlot* model_;
};

} // namespace tilewright::ui
