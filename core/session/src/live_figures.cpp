// SPDX-License-Identifier: Apache-2.0
// What a snapshot works out from the events that were taken in.
#include "live_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::session {

namespace {

constexpr std::int64_t kRecentTrials = 100;
constexpr std::size_t kTopTasks = 8;

/// The cost that a task had when the session was at its `order`-th trial.
std::optional<double> costAt(const LiveTaskData& task, std::int64_t order) {
    const auto after = std::upper_bound(
        task.best.begin(), task.best.end(), order,
        [](std::int64_t value, const BestPoint& point) { return value < point.order; });
    if (after != task.best.begin())
        return std::prev(after)->seconds;
    if (task.row.defaultSeconds)
        return task.row.defaultSeconds;
    return task.best.empty() ? std::nullopt : std::optional(task.best.front().seconds);
}

/// The n-th smallest share of a sorted list.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

/// Whether a reason of the search's rejections is an instruction's (else a postprocessor's).
bool isApplyReason(const std::string& reason) {
    return reason.find(" at ") != std::string::npos;
}

} // namespace

std::string_view toString(LiveTaskState state) {
    constexpr std::string_view words[] = {"waiting", "running", "idle",
                                          "frozen",  "skipped", "ended"};
    return words[static_cast<std::size_t>(state)];
}

std::optional<double> LiveTask::speedUp() const {
    if (!defaultSeconds || !bestSeconds || *bestSeconds <= 0)
        return std::nullopt;
    return *defaultSeconds / *bestSeconds;
}

std::optional<double> LiveSnapshot::speedUp() const {
    if (!defaultTotal || !bestTotal || *bestTotal <= 0)
        return std::nullopt;
    return *defaultTotal / *bestTotal;
}

const LiveTask* LiveSnapshot::task(std::int64_t id) const {
    const auto it =
        std::find_if(tasks.begin(), tasks.end(), [&](const LiveTask& t) { return t.id == id; });
    return id > 0 && it != tasks.end() ? &*it : nullptr;
}

std::optional<double> costNow(const LiveTask& task) {
    return task.bestSeconds ? task.bestSeconds : task.defaultSeconds;
}

LiveSnapshotPtr LiveModel::snapshot() {
    State& state = *state_;
    if (state.last && state.lastRevision == state.revision)
        return state.last;
    auto out = std::make_shared<LiveSnapshot>(state.meta);
    state.fillTasks(*out);
    state.fillTotals(*out);
    state.fillGains(*out);
    state.fillSpeed(*out);
    state.fillFunnel(*out);
    state.fillPredictions(*out);
    for (const auto& [name, device] : state.devices) {
        out->devices.push_back(device);
        out->devices.back().name = name;
    }
    state.last = std::move(out);
    state.lastRevision = state.revision;
    return state.last;
}

void LiveModel::State::fillTasks(LiveSnapshot& out) {
    for (LiveTaskData& task : tasks) {
        if (task.changed || !task.row.points) {
            task.row.points = std::make_shared<const std::vector<TrialPoint>>(task.points);
            task.row.best = std::make_shared<const std::vector<BestPoint>>(task.best);
            task.changed = false;
        }
        LiveTask row = task.row;
        const double roofSeconds = roof ? roof(row.flop, row.bytes) : 0;
        if (roofSeconds > 0) {
            row.roofSeconds = roofSeconds;
            if (const auto cost = costNow(row))
                row.headroom = row.weight * std::max(0.0, *cost - roofSeconds);
        }
        out.tasks.push_back(std::move(row));
    }
}

void LiveModel::State::fillTotals(LiveSnapshot& out) const {
    double defaults = 0;
    double best = 0;
    double variance = 0;
    bool any = false;
    for (const LiveTask& task : out.tasks) {
        out.untunedTasks += task.untuned ? 1 : 0;
        const auto cost = costNow(task);
        if (!cost) {
            ++out.missingTasks;
            continue;
        }
        any = true;
        best += task.weight * *cost;
        defaults += task.weight * task.defaultSeconds.value_or(*cost);
        const auto low = task.bestSeconds ? task.lowSeconds : task.defaultLow;
        const auto high = task.bestSeconds ? task.highSeconds : task.defaultHigh;
        if (low && high)
            variance += std::pow(task.weight * (*high - *low) / 2, 2);
    }
    if (!any)
        return;
    out.defaultTotal = defaults;
    out.bestTotal = best;
    out.bestTotalError = std::sqrt(variance);
    for (LiveTask& task : out.tasks)
        if (const auto cost = costNow(task); cost && best > 0)
            task.share = task.weight * *cost / best;
    out.total = stackTotals(tasks, meta.elapsed);
}

void LiveModel::State::fillGains(LiveSnapshot& out) const {
    const std::int64_t since = meta.trials - kRecentTrials;
    double before = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (const auto cost = costAt(tasks[i], since))
            before += tasks[i].row.weight * *cost;
        LiveTask& row = out.tasks[i];
        const auto& points = tasks[i].points;
        if (row.trials < kRecentTrials || !row.bestSeconds)
            continue;
        const std::int64_t from = row.trials - kRecentTrials;
        const auto first = std::find_if(points.begin(), points.end(),
                                        [&](const TrialPoint& p) { return p.trial > from; });
        if (first == points.end())
            continue;
        if (const auto cost = costAt(tasks[i], first->order - 1); cost && *cost > 0)
            row.recentGain = 1 - *row.bestSeconds / *cost;
    }
    if (since >= 0 && before > 0 && out.bestTotal)
        out.recentGain = 1 - *out.bestTotal / before;
}

void LiveModel::State::fillSpeed(LiveSnapshot& out) const {
    const double known = out.phases.search + out.phases.build + out.phases.run + out.phases.train;
    out.phases.other = std::max(0.0, meta.elapsed - known);
    const std::size_t count = trialTimes.size();
    const bool going = meta.state == "running" || meta.state == "paused";
    const std::size_t from = going && count > 64 ? count - 64 : 0;
    if (count > from) {
        const double start = from == 0 ? 0.0 : trialTimes[from - 1];
        const double span = meta.elapsed - start;
        if (span > 0)
            out.trialsPerMinute = static_cast<double>(count - from) * 60 / span;
    }
    constexpr std::size_t window = 8;
    constexpr std::size_t least = 16;
    constexpr std::size_t looked = 128;
    const std::int64_t left = meta.budget - meta.trials;
    if (!going || count < least || left <= 0)
        return;
    std::vector<double> samples;
    const std::size_t first = std::max(window, count > looked ? count - looked : 0);
    double average = 0;
    constexpr double newest = 0.05;
    for (std::size_t i = first; i < count; ++i) {
        samples.push_back((trialTimes[i] - trialTimes[i - window]) / window);
        average =
            samples.size() == 1 ? samples.back() : average + newest * (samples.back() - average);
    }
    std::sort(samples.begin(), samples.end());
    const auto trials = static_cast<double>(left);
    TimeLeft rest;
    rest.seconds = average * trials;
    rest.low = std::min(average, quantile(samples, 0.25)) * trials;
    rest.high = std::max(average, quantile(samples, 0.75)) * trials;
    out.timeLeft = rest;
}

void LiveModel::State::fillFunnel(LiveSnapshot& out) const {
    std::int64_t candidates = 0;
    std::int64_t notApplied = 0;
    std::int64_t notProcessed = 0;
    std::map<std::string, std::int64_t> rejected;
    for (const LiveTaskData& task : tasks) {
        candidates += task.candidates.sum();
        for (const auto& [reason, sum] : task.rejections) {
            (isApplyReason(reason) ? notApplied : notProcessed) += sum.sum();
            rejected[reason] += sum.sum();
        }
    }
    const auto failed = [&](std::initializer_list<database::RecordStatus> kinds) {
        std::int64_t sum = 0;
        for (const LiveTaskData& task : tasks)
            for (const auto kind : kinds)
                if (const auto it =
                        task.row.failedByKind.find(std::string(database::toString(kind)));
                    it != task.row.failedByKind.end())
                    sum += it->second;
        return sum;
    };
    using enum database::RecordStatus;
    auto& stages = out.funnel.stages;
    const auto lose = [&](std::string_view name, std::int64_t lost) {
        stages.push_back({std::string(name), stages.back().count - lost, lost});
    };
    if (candidates > 0) {
        stages.push_back({"sampled", candidates + notApplied + notProcessed, 0});
        lose("applied", notApplied);
        lose("postproc", notProcessed);
    }
    stages.push_back({"chosen", meta.trials, 0});
    lose("built", failed({Apply, Postproc, Build, BuildTimeout}));
    lose("ran", failed({Run, RunCrash, RunOom, RunTimeout, DeviceLost, Cancelled}));
    lose("correct", failed({WrongResult}));
    for (const auto& [key, count] : failures)
        out.funnel.reasons.push_back({key.first, key.second, count.count, count.record});
    for (const auto& [reason, count] : rejected)
        if (count > 0)
            out.funnel.reasons.push_back(
                {isApplyReason(reason) ? "apply" : "postproc", reason, count, 0});
    // Failed measurements first: they cost time, rejections are how a search works.
    std::stable_sort(out.funnel.reasons.begin(), out.funnel.reasons.end(),
                     [](const FailureReason& a, const FailureReason& b) {
                         if ((a.record != 0) != (b.record != 0))
                             return a.record != 0;
                         return a.count > b.count;
                     });
}

void LiveModel::State::fillPredictions(LiveSnapshot& out) const {
    constexpr std::size_t most = 5000;
    constexpr std::size_t latest = 128;
    std::vector<std::pair<std::int64_t, PredictedPair>> found;
    std::map<std::pair<int, int>, int> newestRound; // task, round → the session's round
    for (std::size_t i = 0; i < meta.rounds.size(); ++i)
        newestRound[{meta.rounds[i].task, meta.rounds[i].round}] = static_cast<int>(i);
    std::map<int, std::pair<std::vector<double>, std::vector<double>>> byRound;
    for (std::size_t t = 0; t < tasks.size(); ++t)
        for (const TrialPoint& point : tasks[t].points) {
            if (!point.ok() || !point.hasPrediction || !tasks[t].row.bestSeconds)
                continue;
            PredictedPair pair;
            pair.record = point.record;
            pair.task = static_cast<int>(t);
            const auto round = newestRound.find({pair.task, point.round});
            pair.round = round == newestRound.end() ? 0 : round->second;
            pair.predicted = point.predicted;
            pair.measured = *tasks[t].row.bestSeconds / point.seconds;
            byRound[pair.round].first.push_back(pair.predicted);
            byRound[pair.round].second.push_back(pair.measured);
            found.emplace_back(point.order, pair);
        }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    if (found.size() > most)
        found.erase(found.begin(), found.end() - most);
    std::vector<PredictedPair> pairs;
    for (const auto& [order, pair] : found)
        pairs.push_back(pair);
    for (const auto& [round, lists] : byRound) {
        const int task = round < static_cast<int>(meta.rounds.size())
                             ? meta.rounds[static_cast<std::size_t>(round)].task
                             : -1;
        out.quality.push_back({round, task, predictionQuality(lists.first, lists.second)});
    }
    if (!pairs.empty()) {
        std::vector<double> predicted;
        std::vector<double> measured;
        for (std::size_t i = pairs.size() > latest ? pairs.size() - latest : 0; i < pairs.size();
             ++i) {
            predicted.push_back(pairs[i].predicted);
            measured.push_back(pairs[i].measured);
        }
        out.lastQuality = predictionQuality(predicted, measured);
    }
    out.predictions = std::make_shared<const std::vector<PredictedPair>>(std::move(pairs));
}

} // namespace tilewright::session
