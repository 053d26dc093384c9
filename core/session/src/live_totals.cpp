// SPDX-License-Identifier: Apache-2.0
#include "live_state.h"

#include <algorithm>
#include <numeric>

namespace tilewright::session {

namespace {

/// What a task contributes from a time on.
struct Change {
    double time = 0;
    std::size_t task = 0;
    double seconds = 0; ///< weighted
    bool tuned = false; ///< no longer at its default
};

/// Of one task, in order of time.
void addChanges(std::vector<Change>& changes, const LiveTaskData& task, std::size_t index) {
    double firstTrial = -1;
    for (const TrialPoint& point : task.points)
        if (point.ok() && point.full && point.origin == database::RecordOrigin::Trial) {
            firstTrial = point.time;
            break;
        }
    const double weight = task.row.weight;
    bool started = false;
    for (const BestPoint& best : task.best) {
        if (firstTrial >= 0 && firstTrial <= best.time && !started) {
            // Tuned from its first good trial on, even if the default still leads.
            const double cost = task.row.defaultSeconds.value_or(best.seconds);
            changes.push_back({firstTrial, index, weight * cost, true});
            started = true;
        }
        if (best.trial > 0 || !task.row.defaultSeconds || started)
            changes.push_back({best.time, index, weight * best.seconds, started});
    }
    if (firstTrial >= 0 && !started && task.row.bestSeconds)
        changes.push_back({firstTrial, index, weight * *task.row.bestSeconds, true});
}

/// Weighted costs of the tasks at one moment.
struct Costs {
    std::vector<double> seconds;
    std::vector<bool> tuned;
};

void appendColumn(ModelTotal& out, double time, const Costs& costs,
                  const std::vector<std::size_t>& seriesOf) {
    std::vector<double> sums(out.series.size(), 0.0);
    double total = 0;
    for (std::size_t i = 0; i < costs.seconds.size(); ++i) {
        sums[costs.tuned[i] ? seriesOf[i] : sums.size() - 1] += costs.seconds[i];
        total += costs.seconds[i];
    }
    out.times.push_back(time);
    out.total.push_back(total);
    for (std::size_t s = 0; s < sums.size(); ++s)
        out.series[s].seconds.push_back(sums[s]);
}

} // namespace

ModelTotal stackTotals(const std::vector<LiveTaskData>& tasks, double elapsed,
                       std::size_t columns) {
    constexpr std::size_t top = 8;
    ModelTotal out;
    std::vector<std::size_t> order(tasks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto weighted = [&](std::size_t i) {
        return tasks[i].row.weight * costNow(tasks[i].row).value_or(0);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weighted(a) > weighted(b); });
    std::vector<std::size_t> seriesOf(tasks.size());
    const std::size_t named = order.size() > top + 1 ? top : order.size();
    for (std::size_t place = 0; place < order.size(); ++place) {
        seriesOf[order[place]] = std::min(place, named);
        if (place < named)
            out.series.push_back(
                {tasks[order[place]].row.name, static_cast<int>(order[place]), false, {}});
    }
    if (order.size() > named)
        out.series.push_back({"", -1, false, {}});
    out.series.push_back({"", -1, true, {}});

    Costs costs{std::vector<double>(tasks.size(), 0.0), std::vector<bool>(tasks.size(), false)};
    std::vector<Change> changes;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const LiveTask& row = tasks[i].row;
        // A default is what it is from the start, whenever it was measured.
        const double first = tasks[i].best.empty() ? 0.0 : tasks[i].best.front().seconds;
        costs.seconds[i] = row.weight * row.defaultSeconds.value_or(first);
        addChanges(changes, tasks[i], i);
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    const double least = elapsed / static_cast<double>(std::max<std::size_t>(columns, 1));
    appendColumn(out, 0, costs, seriesOf);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        costs.seconds[changes[i].task] = changes[i].seconds;
        costs.tuned[changes[i].task] = changes[i].tuned || costs.tuned[changes[i].task];
        const bool last = i + 1 == changes.size();
        if (last || changes[i + 1].time - out.times.back() >= least)
            appendColumn(out, changes[i].time, costs, seriesOf);
    }
    if (elapsed > out.times.back())
        appendColumn(out, elapsed, costs, seriesOf);
    return out;
}

} // namespace tilewright::session
