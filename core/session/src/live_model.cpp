// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/live_model.h>

#include "event_reading.h"
#include "live_state.h"

#include <algorithm>
#include <iterator>

namespace tilewright::session {

namespace {

constexpr std::size_t kKeptEvents = 1000;
constexpr std::size_t kKeptReasons = 500;

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

TrialPoint pointOf(const json::Value& event) {
    TrialPoint point;
    point.record = integerIn(event, "id").value_or(0);
    point.trial = integerIn(event, "trial").value_or(0);
    point.round = static_cast<int>(integerIn(event, "round").value_or(-1));
    point.seconds = numberIn(event, "median_us").value_or(0) * 1e-6;
    point.status = database::recordStatusFromName(textIn(event, "status"))
                       .value_or(database::RecordStatus::Run);
    const std::string origin = textIn(event, "origin");
    point.origin = origin == "default"    ? database::RecordOrigin::Default
                   : origin == "manual"   ? database::RecordOrigin::Manual
                   : origin == "imported" ? database::RecordOrigin::Imported
                   : point.trial > 0      ? database::RecordOrigin::Trial
                                          : database::RecordOrigin::Default;
    point.full = flagIn(event, "full").value_or(true);
    if (const auto predicted = numberIn(event, "predicted")) {
        point.predicted = *predicted;
        point.hasPrediction = true;
    }
    return point;
}

} // namespace

LiveModel::LiveModel(std::string workDir) : state_(std::make_unique<State>()) {
    state_->meta.workDir = std::move(workDir);
}
LiveModel::LiveModel(LiveModel&&) noexcept = default;
LiveModel& LiveModel::operator=(LiveModel&&) noexcept = default;
LiveModel::~LiveModel() = default;

void LiveModel::consume(const json::Value& event) {
    state_->consume(event);
}

void LiveModel::engineLost() {
    const std::string& state = state_->meta.state;
    if (state != "running" && state != "paused" && state != "queued")
        return;
    state_->setSessionState("interrupted");
    ++state_->revision;
}

void LiveModel::setRoof(RoofSeconds roof) {
    state_->roof = std::move(roof);
    ++state_->revision;
}

const std::string& LiveModel::state() const {
    return state_->meta.state;
}

std::int64_t LiveModel::revision() const {
    return state_->revision;
}

void LiveModel::State::consume(const json::Value& event) {
    const std::string kind = textIn(event, "event");
    // The past (a replay of what is known) must not move the clock or the phase.
    const bool fresh = integerIn(event, "time").value_or(INT64_MAX) >= meta.lastMs;
    if (kind == "session")
        onSession(event);
    else
        advance(event);
    if (kind == "task")
        onTask(event);
    else if (kind == "round")
        onRound(event);
    else if (kind == "record")
        onRecord(event);
    else if (kind == "prediction")
        pendingPredictions[integerIn(event, "id").value_or(0)] =
            numberIn(event, "score").value_or(0);
    else if (kind == "order")
        onOrder(event);
    else if (kind == "phase" && fresh)
        meta.phase = textIn(event, "phase");
    else if (kind == "error" && fresh) {
        meta.error = textIn(event, "message");
        note("error", {}, meta.error);
    } else if (kind == "device" && fresh)
        note("device", {}, textIn(event, "name") + ": " + textIn(event, "state"));
    else if (kind == "metadata")
        note("metadata");
    ++revision;
}

void LiveModel::State::advance(const json::Value& event) {
    std::int64_t now = integerIn(event, "time").value_or(0);
    if (now == 0 && meta.startedMs > 0)
        now = meta.startedMs + static_cast<std::int64_t>(numberIn(event, "t").value_or(0) * 1e3);
    if (now <= meta.lastMs)
        return;
    if (working && meta.lastMs > 0)
        meta.elapsed += static_cast<double>(now - meta.lastMs) * 1e-3;
    meta.lastMs = now;
}

void LiveModel::State::note(std::string kind, std::string task, std::string detail,
                            std::int64_t record) {
    LiveEvent entry;
    entry.time = meta.elapsed;
    entry.timeMs = meta.lastMs;
    entry.kind = std::move(kind);
    entry.task = std::move(task);
    entry.detail = std::move(detail);
    entry.record = record;
    if (meta.events.size() >= kKeptEvents)
        meta.events.erase(meta.events.begin());
    meta.events.push_back(std::move(entry));
}

int LiveModel::State::taskIndex(const std::string& name) {
    const auto [it, isNew] = taskByName.try_emplace(name, static_cast<int>(tasks.size()));
    if (isNew)
        tasks.emplace_back().row.name = name;
    return it->second;
}

void LiveModel::State::planTasks(const json::Array& list) {
    for (const json::Value& item : list) {
        LiveTaskData& task = tasks[static_cast<std::size_t>(taskIndex(textIn(item, "name")))];
        task.row.weight = numberIn(item, "weight").value_or(task.row.weight);
        task.row.flop = numberIn(item, "flop").value_or(task.row.flop);
        task.row.bytes = numberIn(item, "bytes").value_or(task.row.bytes);
        task.row.id = integerIn(item, "id").value_or(task.row.id);
        task.changed = true;
    }
}

void LiveModel::State::onSession(const json::Value& event) {
    const auto runMs = integerIn(event, "run_ms");
    if (runMs) {
        const auto known = std::find(runs.begin(), runs.end(), *runMs);
        run = static_cast<int>(std::distance(runs.begin(), known));
        if (known == runs.end()) {
            runs.push_back(*runMs);
            meta.error.clear();
        }
    }
    const auto keep = [&](std::string& to, std::string_view key) {
        if (event.find(key))
            to = textIn(event, key);
    };
    keep(meta.name, "name");
    keep(meta.input, "input");
    keep(meta.target, "target");
    keep(meta.environment, "environment");
    keep(meta.options, "options");
    meta.session = integerIn(event, "session").value_or(meta.session);
    meta.budget = integerIn(event, "budget").value_or(meta.budget);
    meta.seed = integerIn(event, "seed").value_or(meta.seed);
    if (meta.startedMs == 0)
        meta.startedMs = integerIn(event, "started_ms").value_or(runMs.value_or(0));
    if (const json::Value* list = event.find("tasks"); list && list->isArray())
        planTasks(list->asArray());
    const auto time = integerIn(event, "time");
    if (time && *time < meta.lastMs)
        return; // a replay: the state is known better
    advance(event);
    if (meta.lastMs == 0)
        meta.lastMs = meta.startedMs;
    if (event.find("asked"))
        meta.asked = textIn(event, "asked");
    else if (event.find("state"))
        setSessionState(textIn(event, "state"));
}

void LiveModel::State::setSessionState(const std::string& state) {
    working = state == "running";
    meta.asked.clear();
    if (!working) {
        meta.phase.clear();
        meta.currentTask = -1;
        for (LiveTaskData& task : tasks)
            if (task.row.state == LiveTaskState::Running)
                task.row.state = LiveTaskState::Idle;
    }
    if (meta.state == state)
        return;
    meta.state = state;
    note("session", {}, state);
}

void LiveModel::State::makeCurrent(int task) {
    for (LiveTaskData& other : tasks)
        if (other.row.state == LiveTaskState::Running)
            other.row.state = LiveTaskState::Idle;
    LiveTask& row = tasks[static_cast<std::size_t>(task)].row;
    if (working || meta.state.empty())
        row.state = LiveTaskState::Running;
    if (row.ordered == "boost")
        row.ordered.clear();
    meta.currentTask = task;
}

void LiveModel::State::onTask(const json::Value& event) {
    const int index = taskIndex(textIn(event, "task"));
    LiveTask& row = tasks[static_cast<std::size_t>(index)].row;
    row.weight = numberIn(event, "weight").value_or(row.weight);
    row.flop = numberIn(event, "flop").value_or(row.flop);
    if (textIn(event, "state") == "started") {
        if (integerIn(event, "time").value_or(meta.lastMs) < meta.lastMs)
            return;
        makeCurrent(index);
        note("task-started", row.name);
        return;
    }
    row.reason = textIn(event, "reason");
    row.state = row.reason == "skipped" ? LiveTaskState::Skipped : LiveTaskState::Ended;
    row.ordered.clear();
    if (meta.currentTask == index)
        meta.currentTask = -1;
    note("task-ended", row.name, row.reason);
}

void LiveModel::State::onOrder(const json::Value& event) {
    LiveTask& row = tasks[static_cast<std::size_t>(taskIndex(textIn(event, "task")))].row;
    const std::string order = textIn(event, "order");
    if (flagIn(event, "asked").value_or(false)) {
        row.ordered = order; // carried out between rounds
        return;
    }
    row.ordered.clear();
    if (order == "freeze")
        row.state = LiveTaskState::Frozen;
    else if (order == "skip")
        row.state = LiveTaskState::Skipped;
    else if (order == "boost")
        row.ordered = order;
    else if (row.state == LiveTaskState::Frozen || row.state == LiveTaskState::Skipped)
        row.state = LiveTaskState::Idle;
    note("order", row.name, order);
}

int LiveModel::State::roundOf(int task, int round) const {
    const auto it = roundIndex.find({run, {task, round}});
    return it == roundIndex.end() ? -1 : static_cast<int>(it->second);
}

void LiveModel::State::onRound(const json::Value& event) {
    const int task = taskIndex(textIn(event, "task"));
    if (textIn(event, "state") == "started")
        roundStarted(task, event);
    else
        roundEnded(task, event);
}

void LiveModel::State::roundStarted(int task, const json::Value& event) {
    const int round = static_cast<int>(integerIn(event, "round").value_or(0));
    if (roundOf(task, round) >= 0)
        return;
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    RoundMark mark;
    mark.task = task;
    mark.round = round;
    mark.start = meta.elapsed;
    mark.firstTrial = data.row.trials + 1;
    mark.firstOrder = meta.trials + 1;
    mark.boosted = data.row.ordered == "boost";
    roundIndex[{run, {task, round}}] = meta.rounds.size();
    meta.rounds.push_back(mark);
    ++data.rounds;
    makeCurrent(task);
}

void LiveModel::State::roundEnded(int task, const json::Value& event) {
    const int round = static_cast<int>(integerIn(event, "round").value_or(0));
    if (roundOf(task, round) < 0)
        roundStarted(task, event);
    RoundMark& mark = meta.rounds[static_cast<std::size_t>(roundOf(task, round))];
    if (mark.end > 0)
        return;
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    mark.end = std::max(meta.elapsed, 1e-9);
    mark.trials = static_cast<int>(integerIn(event, "trials").value_or(0));
    data.row.id = integerIn(event, "task_id").value_or(data.row.id);
    const json::Value* info = event.find("info");
    if (info && info->isObject()) {
        meta.phases.search += data.searchSeconds.take(numberIn(*info, "search_s").value_or(0));
        meta.phases.train += numberIn(*info, "train_s").value_or(0);
        const double measured = numberIn(*info, "measure_s").value_or(0);
        const double both = data.buildSeconds + data.runSeconds;
        const double built = both > 0 ? data.buildSeconds / both : 0;
        meta.phases.build += measured * built;
        meta.phases.run += measured * (1 - built);
        data.candidates.take(integerIn(*info, "candidates").value_or(0));
        const json::Value* rejections = info->find("rejections");
        if (rejections && rejections->isObject())
            for (const json::Member& member : rejections->asObject())
                if (member.value.isInteger())
                    data.rejections[member.key].take(member.value.asInt());
    }
    data.buildSeconds = 0;
    data.runSeconds = 0;
}

void LiveModel::State::onRecord(const json::Value& event) {
    TrialPoint point = pointOf(event);
    if (const auto pending = pendingPredictions.find(point.record);
        pending != pendingPredictions.end()) {
        point.predicted = pending->second;
        point.hasPrediction = true;
        pendingPredictions.erase(pending);
    }
    const auto known = records.find(point.record);
    if (known != records.end()) {
        const auto [task, index] = known->second;
        updateRecord(task, tasks[static_cast<std::size_t>(task)].points[index], point, event);
        return;
    }
    const int task = taskIndex(textIn(event, "task"));
    addRecord(task, point, event);
}

void LiveModel::State::addRecord(int task, TrialPoint point, const json::Value& event) {
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    data.row.id = integerIn(event, "task_id").value_or(data.row.id);
    point.time = meta.elapsed;
    point.timeMs = integerIn(event, "time").value_or(meta.lastMs);
    if (point.origin == database::RecordOrigin::Trial) {
        ++data.row.trials;
        point.order = ++meta.trials;
        trialTimes.push_back(meta.elapsed);
        data.buildSeconds += numberIn(event, "build_s").value_or(0);
        data.runSeconds += numberIn(event, "run_s").value_or(0);
        DeviceActivity& device = devices[textIn(event, "device")];
        ++device.trials;
        device.lastMs = point.timeMs;
        device.lost += point.status == database::RecordStatus::DeviceLost ? 1 : 0;
        if (!point.ok())
            noteFailure(point, event);
    }
    if (point.origin == database::RecordOrigin::Default) {
        data.row.defaultRecord = point.record;
        if (point.ok()) {
            data.row.defaultSeconds = point.seconds;
            data.row.defaultLow = numberIn(event, "lo_us").value_or(point.seconds * 1e6) * 1e-6;
            data.row.defaultHigh = numberIn(event, "hi_us").value_or(point.seconds * 1e6) * 1e-6;
        }
    }
    records[point.record] = {task, data.points.size()};
    data.points.push_back(point);
    data.changed = true;
    considerBest(task, point, event);
}

void LiveModel::State::noteFailure(const TrialPoint& point, const json::Value& event) {
    LiveTaskData& data = tasks[static_cast<std::size_t>(records.contains(point.record)
                                                            ? records[point.record].first
                                                            : taskIndex(textIn(event, "task")))];
    ++data.row.failed;
    ++meta.failed;
    const std::string kind(database::toString(point.status));
    ++data.row.failedByKind[kind];
    const std::pair key(kind, firstLine(textIn(event, "error")));
    if (failures.size() < kKeptReasons || failures.contains(key)) {
        FailureCount& count = failures[key];
        ++count.count;
        if (count.record == 0)
            count.record = point.record;
    }
    if (point.status == database::RecordStatus::WrongResult)
        note("wrong-result", data.row.name, firstLine(textIn(event, "error")), point.record);
    else if (point.status == database::RecordStatus::DeviceLost)
        note("device-lost", data.row.name, textIn(event, "device"), point.record);
}

void LiveModel::State::considerBest(int task, const TrialPoint& point, const json::Value& event) {
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    LiveTask& row = data.row;
    if (!point.ok() || !point.full)
        return;
    if (point.origin == database::RecordOrigin::Trial)
        row.untuned = false;
    if (row.bestSeconds && point.seconds >= *row.bestSeconds)
        return;
    if (row.bestSeconds && point.order > 0) {
        note("improved", row.name, {}, point.record);
        meta.events.back().before = *row.bestSeconds;
        meta.events.back().after = point.seconds;
    }
    row.bestSeconds = point.seconds;
    row.lowSeconds = numberIn(event, "lo_us").value_or(point.seconds * 1e6) * 1e-6;
    row.highSeconds = numberIn(event, "hi_us").value_or(point.seconds * 1e6) * 1e-6;
    row.samples = integerIn(event, "n").value_or(0);
    row.bestRecord = point.record;
    data.best.push_back(
        {point.time, point.trial, meta.trials, point.round, point.seconds, point.record});
}

void LiveModel::State::updateRecord(int task, TrialPoint& point, const TrialPoint& fresh,
                                    const json::Value& event) {
    const bool same = point.status == fresh.status && point.full == fresh.full &&
                      std::abs(point.seconds - fresh.seconds) <= 1e-12;
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    if (same)
        return;
    const bool failsNow = point.ok() && !fresh.ok();
    point.seconds = fresh.seconds;
    point.status = fresh.status;
    point.full = fresh.full;
    if (failsNow && point.origin == database::RecordOrigin::Trial)
        noteFailure(point, event);
    data.changed = true;
    if (point.origin == database::RecordOrigin::Default) {
        const auto inSeconds = [&](std::string_view key) {
            const auto us = numberIn(event, key);
            return us ? std::optional(*us * 1e-6) : std::nullopt;
        };
        data.row.defaultSeconds = inSeconds("median_us");
        data.row.defaultLow = inSeconds("lo_us");
        data.row.defaultHigh = inSeconds("hi_us");
    }
    const std::int64_t before = data.row.bestRecord;
    const std::int64_t record = point.record;
    recomputeBest(task);
    if (data.row.bestRecord == record) {
        data.row.lowSeconds = numberIn(event, "lo_us").value_or(fresh.seconds * 1e6) * 1e-6;
        data.row.highSeconds = numberIn(event, "hi_us").value_or(fresh.seconds * 1e6) * 1e-6;
        data.row.samples = integerIn(event, "n").value_or(0);
    } else if (data.row.bestRecord != before) {
        data.row.lowSeconds.reset(); // not told with the record that leads now
        data.row.highSeconds.reset();
        data.row.samples = 0;
    }
}

void LiveModel::State::recomputeBest(int task) {
    LiveTaskData& data = tasks[static_cast<std::size_t>(task)];
    data.best.clear();
    data.row.bestSeconds.reset();
    data.row.bestRecord = 0;
    std::int64_t order = 0;
    for (const TrialPoint& point : data.points) {
        order = std::max(order, point.order);
        if (!point.ok() || !point.full ||
            (data.row.bestSeconds && point.seconds >= *data.row.bestSeconds))
            continue;
        data.row.bestSeconds = point.seconds;
        data.row.bestRecord = point.record;
        data.best.push_back(
            {point.time, point.trial, order, point.round, point.seconds, point.record});
    }
}

} // namespace tilewright::session
