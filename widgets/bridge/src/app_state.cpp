// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/app_state.h>

#include <utility>

namespace tilewright::ui {

AppState::AppState(QObject* parent) : QObject(parent) {}

void AppState::setWorkDir(const QString& workDir) {
    if (workDir == workDir_)
        return;
    workDir_ = workDir;
    past_.clear();
    future_.clear();
    const Place before = std::exchange(place_, Place());
    emit workDirChanged(workDir_);
    if (before.session != place_.session)
        emit sessionChanged(place_.session);
    if (before.task != place_.task)
        emit taskChanged(place_.task);
    if (before.records != place_.records)
        emit recordsChanged(place_.records);
    emit historyChanged();
}

void AppState::setModelPath(const QString& modelPath) {
    if (modelPath == modelPath_)
        return;
    modelPath_ = modelPath;
    emit modelChanged(modelPath_);
}

void AppState::setTarget(const QString& target) {
    if (target == target_)
        return;
    target_ = target;
    emit targetChanged(target_);
}

void AppState::remember() {
    constexpr qsizetype kept = 100;
    past_.append(place_);
    if (past_.size() > kept)
        past_.removeFirst();
    future_.clear();
}

void AppState::setSession(qint64 session) {
    if (session == place_.session)
        return;
    remember();
    place_.session = session;
    emit sessionChanged(session);
    emit historyChanged();
}

void AppState::setTask(qint64 task) {
    if (task == place_.task)
        return;
    remember();
    place_.task = task;
    emit taskChanged(task);
    emit historyChanged();
}

void AppState::setRecords(const QVector<qint64>& records) {
    if (records == place_.records)
        return;
    remember();
    place_.records = records;
    emit recordsChanged(records);
    emit historyChanged();
}

void AppState::setBaselines(const QVector<Baseline>& baselines) {
    if (baselines == baselines_)
        return;
    baselines_ = baselines;
    emit baselinesChanged();
}

void AppState::setFilter(const QString& filter) {
    if (filter == filter_)
        return;
    filter_ = filter;
    emit filterChanged(filter_);
}

void AppState::setStatistic(Statistic statistic) {
    if (statistic == statistic_)
        return;
    statistic_ = statistic;
    emit statisticChanged(statistic_);
}

void AppState::goTo(const Place& place) {
    const Place before = std::exchange(place_, place);
    if (before.session != place.session)
        emit sessionChanged(place.session);
    if (before.task != place.task)
        emit taskChanged(place.task);
    if (before.records != place.records)
        emit recordsChanged(place.records);
    emit historyChanged();
}

void AppState::back() {
    if (past_.isEmpty())
        return;
    future_.append(place_);
    const Place place = past_.takeLast();
    goTo(place);
}

void AppState::forward() {
    if (future_.isEmpty())
        return;
    past_.append(place_);
    const Place place = future_.takeLast();
    goTo(place);
}

} // namespace tilewright::ui
