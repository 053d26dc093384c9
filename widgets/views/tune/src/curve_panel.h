// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/tune_facts.h>

#include <QSet>

#include <memory>
#include <optional>

class QActionGroup;
class QSettings;
class QStackedWidget;
class QToolButton;

namespace tilewright::ui {

class CurvePlot;
struct CurveData;
class FailureView;

/// The tuning curve of the selected task, with the choice of its axes. When every trial failed it
/// shows why instead.
class CurvePanel : public Panel {
    Q_OBJECT

public:
    CurvePanel(TuneFacts* facts, QSettings* settings, QWidget* parent = nullptr);

    /// `task` is an index of the snapshot's tasks; -1 = none.
    void show(LiveSnapshotPtr snapshot, int task);
    void setBaselines(const QVector<BaselineTimes>& baselines);
    void setRecordFilter(const std::optional<QSet<qint64>>& records);
    [[nodiscard]] CurvePlot* plot() const { return plot_; }
    /// The task whose curve is drawn now, -1 = none.
    [[nodiscard]] int drawnTask() const { return drawn_; }

signals:
    void recordSelected(qint64 record);
    void recordActivated(qint64 record);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTools();
    void retranslate();
    void ask();
    void draw(const session::LiveCurve& curve);
    void addReferences(const session::LiveCurve& curve, CurveData& out) const;
    [[nodiscard]] QString tooltipOf(qint64 record) const;
    [[nodiscard]] const session::LiveTask* taskRow() const;

    TuneFacts* facts_;
    QSettings* settings_;
    QStackedWidget* pages_;
    CurvePlot* plot_;
    FailureView* failures_;
    QToolButton* xTool_;
    QToolButton* yTool_;
    QActionGroup* xChoice_;
    QActionGroup* yChoice_;
    session::CurveX x_ = session::CurveX::Trial;
    session::CurveY y_ = session::CurveY::Latency;
    LiveSnapshotPtr snapshot_;
    int task_ = -1;
    int drawn_ = -1;
    QVector<BaselineTimes> baselines_;
    std::optional<QSet<qint64>> records_;
    std::shared_ptr<const session::LiveCurve> curve_;
};

} // namespace tilewright::ui
