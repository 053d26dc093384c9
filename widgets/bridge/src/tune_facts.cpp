// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/tune_facts.h>

#include <tilewright/database/store_reader.h>
#include <tilewright/session/history_events.h>

namespace tilewright::ui {

namespace {

enum Tag { BaselineTag, FilterTag, CurveTag };

BaselineTimes timesOf(const Baseline& baseline) {
    BaselineTimes times;
    times.label = baseline.label;
    const std::filesystem::path dir = baseline.workDir.toStdString();
    if (baseline.record >= 0) {
        const database::StoreReader reader(dir);
        const auto record = reader.record(database::RecordId(baseline.record));
        if (record && record->measurement.median)
            times.tasks[QString::fromStdString(record->taskName)] = *record->measurement.median;
        return times;
    }
    session::LiveModel model = session::loadLiveModel(
        dir, baseline.session < 0 ? database::SessionId() : database::SessionId(baseline.session));
    const session::LiveSnapshotPtr snapshot = model.snapshot();
    for (const session::LiveTask& task : snapshot->tasks)
        if (const auto cost = task.bestSeconds ? task.bestSeconds : task.defaultSeconds)
            times.tasks[QString::fromStdString(task.name)] = *cost;
    times.total = snapshot->bestTotal.value_or(0);
    return times;
}

} // namespace

TuneFacts::TuneFacts(QObject* parent) : AsyncSource(parent) {}

void TuneFacts::readBaselines(const QVector<Baseline>& baselines) {
    request<QVector<BaselineTimes>>(
        BaselineTag,
        [baselines] {
            QVector<BaselineTimes> times;
            for (const Baseline& baseline : baselines) {
                try {
                    times.append(timesOf(baseline));
                } catch (const std::exception&) {
                    // A baseline whose file is gone: the others still stand.
                }
            }
            return times;
        },
        [this](const QVector<BaselineTimes>& times) { emit baselinesRead(times); });
}

void TuneFacts::applyFilter(const QString& workDir, const QString& filter) {
    if (filter.trimmed().isEmpty() || workDir.isEmpty()) {
        forget(FilterTag);
        emit filtered({});
        return;
    }
    request<FilteredRecords>(
        FilterTag,
        [workDir, filter] {
            FilteredRecords outcome;
            outcome.filter = filter;
            const database::StoreReader reader(workDir.toStdString());
            database::RecordQuery query;
            query.filter = filter.toStdString();
            for (const std::int64_t id : reader.recordIds(query))
                outcome.records.insert(id);
            return outcome;
        },
        [this](const FilteredRecords& outcome) { emit filtered(outcome); },
        [this, filter](const QString& message) {
            emit filtered({filter, {}, message});
        });
}

void TuneFacts::makeCurve(LiveSnapshotPtr snapshot, int task, session::CurveX x,
                          session::CurveY y) {
    using CurvePtr = std::shared_ptr<const session::LiveCurve>;
    request<CurvePtr>(
        CurveTag,
        [snapshot, task, x, y] {
            return std::make_shared<const session::LiveCurve>(
                session::curveOf(*snapshot, task, x, y));
        },
        [this, task](const CurvePtr& curve) { emit curveReady(curve, task); });
}

} // namespace tilewright::ui
