// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/compare.h>

#include <tilewright/measure/statistics.h>
#include <tilewright/session/record_json.h>

#include <algorithm>
#include <map>

namespace tilewright::session {

namespace {

/// A task with its best record, ready to be matched.
struct Side {
    database::TaskSummary summary;
    std::uint64_t hash = 0;
    std::optional<database::TuningRecord> best;
    bool taken = false;
};

std::vector<Side> readSide(const database::StoreReader& reader) {
    std::map<std::int64_t, std::uint64_t> hashes;
    for (const database::Workload& workload : reader.workloads())
        hashes[workload.id.value] = workload.hash;
    std::vector<Side> sides;
    for (database::TaskSummary& summary : reader.taskSummaries()) {
        Side side;
        side.hash = hashes[summary.task.workload.value];
        if (summary.best)
            side.best = reader.record(*summary.best);
        side.summary = std::move(summary);
        sides.push_back(std::move(side));
    }
    return sides;
}

/// The counterpart: same module and name and target, else same module and name, else same module.
Side* counterpart(std::vector<Side>& candidates, const Side& side) {
    Side* found = nullptr;
    int best = 0;
    for (Side& other : candidates) {
        if (other.taken || other.hash != side.hash)
            continue;
        const int score = 1 + 2 * (other.summary.task.name == side.summary.task.name) +
                          (other.summary.task.target == side.summary.task.target);
        if (score > best) {
            best = score;
            found = &other;
        }
    }
    return found;
}

void judge(TaskComparison& task) {
    if (!task.left || !task.right) {
        task.verdict = task.left    ? CompareVerdict::OnlyLeft
                       : task.right ? CompareVerdict::OnlyRight
                                    : CompareVerdict::None;
        return;
    }
    const std::vector<double>& left = task.left->measurement.seconds;
    const std::vector<double>& right = task.right->measurement.seconds;
    const measure::Comparison compared = measure::compareSamples(right, left);
    task.ratio = *task.right->measurement.median / *task.left->measurement.median;
    task.low = compared.low;
    task.high = compared.high;
    int verdict = compared.verdict;
    if (left.size() < 2 || right.size() < 2) {
        task.assumedNoise = true;
        task.low = task.ratio / (1 + kAssumedNoise);
        task.high = task.ratio * (1 + kAssumedNoise);
        verdict = task.high < 1 ? -1 : task.low > 1 ? 1 : 0;
    }
    task.verdict = verdict < 0   ? CompareVerdict::Faster
                   : verdict > 0 ? CompareVerdict::Slower
                                 : CompareVerdict::Same;
}

json::Value recordJson(const std::optional<database::TuningRecord>& record) {
    if (!record)
        return {};
    json::Object object;
    object.set("id", record->id.value);
    object.set("median_us", microseconds(record->measurement.median));
    object.set("lo_us", microseconds(record->measurement.low));
    object.set("hi_us", microseconds(record->measurement.high));
    object.set("n", record->measurement.seconds.size());
    return json::Value(std::move(object));
}

} // namespace

std::string_view toString(CompareVerdict verdict) {
    switch (verdict) {
    case CompareVerdict::Faster:
        return "faster";
    case CompareVerdict::Slower:
        return "slower";
    case CompareVerdict::Same:
        return "same";
    case CompareVerdict::OnlyLeft:
        return "only-baseline";
    case CompareVerdict::OnlyRight:
        return "only-candidate";
    case CompareVerdict::None:
        return "none";
    }
    return "none";
}

std::vector<const TaskComparison*> StoreComparison::slowerBy(double share) const {
    std::vector<const TaskComparison*> slower;
    for (const TaskComparison& task : tasks)
        if (task.verdict == CompareVerdict::Slower && task.ratio > 1 + share)
            slower.push_back(&task);
    return slower;
}

StoreComparison compareStores(const database::StoreReader& baseline,
                              const database::StoreReader& candidate) {
    const std::vector<Side> left = readSide(baseline);
    std::vector<Side> right = readSide(candidate);
    StoreComparison comparison;
    const auto add = [&](const Side* leftSide, const Side* rightSide) {
        TaskComparison task;
        const Side& named = leftSide ? *leftSide : *rightSide;
        task.name = named.summary.task.name;
        task.weight = named.summary.task.weight;
        if (leftSide)
            task.left = leftSide->best;
        if (rightSide)
            task.right = rightSide->best;
        judge(task);
        if (task.left && task.right) {
            comparison.leftTotal += task.weight * *task.left->measurement.median;
            comparison.rightTotal += task.weight * *task.right->measurement.median;
        }
        comparison.tasks.push_back(std::move(task));
    };
    for (const Side& side : left) {
        Side* other = counterpart(right, side);
        if (other)
            other->taken = true;
        add(&side, other);
    }
    for (const Side& side : right)
        if (!side.taken)
            add(nullptr, &side);
    return comparison;
}

json::Value toJson(const StoreComparison& comparison) {
    json::Array tasks;
    for (const TaskComparison& task : comparison.tasks) {
        const bool both = task.left && task.right;
        json::Object row;
        row.set("name", task.name);
        row.set("weight", task.weight);
        row.set("verdict", toString(task.verdict));
        row.set("ratio", both ? json::Value(task.ratio) : json::Value());
        row.set("ratio_lo", both ? json::Value(task.low) : json::Value());
        row.set("ratio_hi", both ? json::Value(task.high) : json::Value());
        row.set("assumed_noise", task.assumedNoise);
        row.set("baseline", recordJson(task.left));
        row.set("candidate", recordJson(task.right));
        tasks.emplace_back(std::move(row));
    }
    json::Object total;
    const bool any = comparison.leftTotal > 0;
    total.set("baseline_us", any ? json::Value(comparison.leftTotal * 1e6) : json::Value());
    total.set("candidate_us", any ? json::Value(comparison.rightTotal * 1e6) : json::Value());
    total.set("ratio",
              any ? json::Value(comparison.rightTotal / comparison.leftTotal) : json::Value());
    json::Object object;
    object.set("schema", "tilewright/compare/1");
    object.set("tasks", std::move(tasks));
    object.set("total", std::move(total));
    return json::Value(std::move(object));
}

} // namespace tilewright::session
