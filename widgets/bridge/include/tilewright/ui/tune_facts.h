// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/async_source.h>
#include <tilewright/ui/live_session.h>

#include <QHash>
#include <QSet>
#include <QVector>

#include <memory>

namespace tilewright::ui {

/// What a baseline reached, by the names of tasks. Seconds of one call.
struct BaselineTimes {
    QString label;
    QHash<QString, double> tasks;
    double total = 0; ///< of the model; 0 = not known (a single record)
};

/// Which records a filter leaves.
struct FilteredRecords {
    QString filter;
    QSet<qint64> records;
    QString problem; ///< why the filter cannot be used
};

/// What the Tune page needs beside the live snapshot.
class TuneFacts : public AsyncSource {
    Q_OBJECT

public:
    explicit TuneFacts(QObject* parent = nullptr);

    /// Answered by baselinesRead().
    void readBaselines(const QVector<Baseline>& baselines);
    /// Answered by filtered(); an empty filter at once, with no records.
    void applyFilter(const QString& workDir, const QString& filter);
    /// The curve of a task, worked out from a snapshot; answered by curveReady().
    void makeCurve(LiveSnapshotPtr snapshot, int task, session::CurveX x, session::CurveY y);

signals:
    void baselinesRead(const QVector<tilewright::ui::BaselineTimes>& baselines);
    void filtered(const tilewright::ui::FilteredRecords& outcome);
    void curveReady(std::shared_ptr<const tilewright::session::LiveCurve> curve, int task);
};

} // namespace tilewright::ui
