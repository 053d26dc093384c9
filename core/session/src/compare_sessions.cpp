// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/compare_sessions.h>

#include <tilewright/base/concat.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/task_text.h>
#include <tilewright/session/trace_diff.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::session {

namespace {

using database::StoreReader;
using database::TuningRecord;

constexpr std::string_view kTheEnvironment[] = {"cpu", "cpu_name", "cores", "llvm", "governor"};

/// An operator of one side with its record.
struct Entry {
    database::Task task;
    std::uint64_t hash = 0;
    std::string signature;
    std::optional<TuningRecord> record;
    bool taken = false;
};

struct Side {
    std::vector<Entry> entries;
    std::optional<database::Session> session;
    SideFacts facts;
};

std::optional<TuningRecord> recordOf(const StoreReader& reader, const database::Task& task,
                                     const CompareSide& side) {
    database::RecordQuery query;
    query.task = task.id;
    query.topK = 1;
    if (side.defaults)
        query.filter = "origin:default";
    else if (side.session >= 0)
        query.session = database::SessionId(side.session);
    const database::RecordPage page = reader.records(query);
    if (page.records.empty())
        return std::nullopt;
    return reader.record(page.records.front().id);
}

Side readSide(const CompareSide& wanted) {
    const StoreReader reader(wanted.workDir);
    Side side;
    for (database::Session& session : reader.sessions())
        if (wanted.session < 0 || session.id.value == wanted.session)
            side.session = std::move(session);
    if (side.session) {
        side.facts.target = side.session->target;
        side.facts.startedMs = side.session->startedMs;
    }
    side.facts.label = wanted.defaults       ? "default schedules"
                       : wanted.session >= 0 ? base::concat("session ", wanted.session)
                                             : std::string("best of all sessions");
    if (!wanted.defaults) {
        database::RecordQuery trials;
        trials.filter = "trial>0";
        if (wanted.session >= 0)
            trials.session = database::SessionId(wanted.session);
        side.facts.trials = reader.countRecords(trials);
    }
    std::map<std::int64_t, database::Workload> workloads;
    for (database::Workload& workload : reader.workloads())
        workloads[workload.id.value] = std::move(workload);
    for (database::Task& task : reader.tasks()) {
        Entry entry;
        const database::Workload& workload = workloads[task.workload.value];
        entry.hash = workload.hash;
        entry.record = recordOf(reader, task, wanted);
        entry.signature = workload.module;
        entry.task = std::move(task);
        side.entries.push_back(std::move(entry));
    }
    return side;
}

/// What a task computes: operators, shape, type. Made from the module's text when it is needed.
std::string signatureOf(const Entry& entry) {
    if (entry.signature.empty())
        return {};
    try {
        const std::string tag = opTag(entry.task.name);
        const TaskShape shape = taskShape(ir::parseModule(entry.signature, entry.task.name), tag);
        return shape.shape.empty() ? std::string()
                                   : base::concat(tag, '|', shape.shape, '|', shape.dtype);
    } catch (const base::UserError&) {
        return {};
    }
}

Entry* findByHash(std::vector<Entry>& candidates, const Entry& wanted) {
    Entry* found = nullptr;
    int best = 0;
    for (Entry& other : candidates) {
        if (other.taken || other.hash != wanted.hash)
            continue;
        const int score = 1 + 2 * (other.task.name == wanted.task.name) +
                          (other.task.target == wanted.task.target);
        if (score > best) {
            best = score;
            found = &other;
        }
    }
    return found;
}

Entry* findBySignature(std::vector<Entry>& candidates, const Entry& wanted) {
    const std::string signature = signatureOf(wanted);
    if (signature.empty())
        return nullptr;
    for (Entry& other : candidates)
        if (!other.taken && signatureOf(other) == signature)
            return &other;
    return nullptr;
}

schedule::Trace traceOf(const TuningRecord& record) {
    return schedule::Trace::fromJson(json::parse(record.trace, {.dialect = json::Dialect::Tvm}));
}

void compareTraces(OperatorComparison& row, const Entry& left, const Entry& right) {
    try {
        const TraceDiff diff = diffTraces(traceOf(*left.record), traceOf(*right.record));
        row.decisions = diff.decisions;
        row.sameStructure = diff.sameSketch;
    } catch (const base::UserError&) {
        row.decisions.reset(); // a trace of another program that this build cannot read
    }
}

std::string missingReason(const Entry* entry, const SideFacts& facts) {
    return entry ? base::concat("no result in ", facts.label)
                 : base::concat("not there in ", facts.label);
}

OperatorComparison compareEntries(const Entry* left, const Entry* right, MatchKind match,
                                  const Side& leftSide, const Side& rightSide,
                                  const SessionCompareOptions& options,
                                  const std::string& environmentReason) {
    OperatorComparison row;
    const Entry& named = left ? *left : *right;
    row.name = named.task.name;
    row.weight = named.task.weight;
    row.match = match;
    const auto fill = [&](const Entry* entry, std::int64_t& task, std::int64_t& record,
                          std::int64_t& samples, std::optional<double>& seconds) {
        if (!entry)
            return;
        task = entry->task.id.value;
        if (!entry->record)
            return;
        record = entry->record->id.value;
        samples = static_cast<std::int64_t>(entry->record->measurement.seconds.size());
        seconds = statisticOf(entry->record->measurement.seconds, options.statistic);
    };
    fill(left, row.leftTask, row.leftRecord, row.leftSamples, row.left);
    fill(right, row.rightTask, row.rightRecord, row.rightSamples, row.right);
    if (!row.left || !row.right) {
        row.judgement.verdict = row.left    ? Verdict::OnlyLeft
                                : row.right ? Verdict::OnlyRight
                                            : Verdict::None;
        row.reason = !row.right ? missingReason(right, rightSide.facts)
                                : missingReason(left, leftSide.facts);
        return row;
    }
    row.judgement =
        judgeSamples(left->record->measurement.seconds, right->record->measurement.seconds,
                     options.threshold, options.statistic);
    compareTraces(row, *left, *right);
    if (!environmentReason.empty())
        row.reason = environmentReason;
    else if (left->record->target != right->record->target)
        row.reason = "the targets differ";
    if (!row.reason.empty())
        row.judgement.verdict = Verdict::NotComparable;
    else
        row.weightedDelta = row.weight * (*row.right - *row.left);
    return row;
}

std::vector<SettingDifference> settingsOf(const Side& left, const Side& right) {
    if (!left.session || !right.session)
        return {};
    std::vector<SettingDifference> settings = compareSettings(
        left.session->environment, right.session->environment,
        std::vector<std::string_view>(std::begin(kTheEnvironment), std::end(kTheEnvironment)));
    const auto add = [&](std::string name, std::string a, std::string b, bool matters) {
        const bool differs = a != b;
        settings.push_back(
            {std::move(name), std::move(a), std::move(b), differs, differs && matters});
    };
    add("target", left.session->target, right.session->target, false);
    add("input", left.session->input, right.session->input, false);
    add("seed", std::to_string(left.session->seed), std::to_string(right.session->seed), false);
    add("trials", std::to_string(left.facts.trials), std::to_string(right.facts.trials), false);
    for (SettingDifference& setting :
         compareSettings(left.session->options, right.session->options, {}))
        settings.push_back(std::move(setting));
    return settings;
}

double halfInterval(const OperatorComparison& row) {
    return (row.judgement.high - row.judgement.low) / 2;
}

} // namespace

std::string_view toString(MatchKind match) {
    switch (match) {
    case MatchKind::None:
        return "—";
    case MatchKind::Hash:
        return "hash";
    case MatchKind::Signature:
        return "signature";
    }
    return "—";
}

void summarize(SessionComparison& comparison, std::size_t steps) {
    double varianceOfRatio = 0;
    for (const OperatorComparison& row : comparison.operators) {
        switch (row.judgement.verdict) {
        case Verdict::Faster:
            ++comparison.faster;
            break;
        case Verdict::Slower:
            ++comparison.slower;
            break;
        case Verdict::Same:
            ++comparison.same;
            break;
        default:
            ++comparison.notComparable;
        }
        if (!row.weightedDelta)
            continue;
        ++comparison.comparable;
        comparison.left.total += row.weight * *row.left;
        comparison.right.total += row.weight * *row.right;
        varianceOfRatio += std::pow(row.weight * *row.left * halfInterval(row), 2);
    }
    if (comparison.left.total > 0) {
        const double half = std::sqrt(varianceOfRatio) / comparison.left.total;
        Judgement& total = comparison.total;
        total.ratio = comparison.right.total / comparison.left.total;
        total.low = total.ratio - half;
        total.high = total.ratio + half;
        total.verdict = total.low <= 1 && total.high >= 1 ? Verdict::Same
                        : total.ratio < 1                 ? Verdict::Faster
                                                          : Verdict::Slower;
        for (OperatorComparison& row : comparison.operators) {
            if (!row.weightedDelta)
                continue;
            row.leftShare = row.weight * *row.left / comparison.left.total;
            row.rightShare = row.weight * *row.right / comparison.right.total;
        }
    }
    std::stable_sort(comparison.operators.begin(), comparison.operators.end(),
                     [](const OperatorComparison& a, const OperatorComparison& b) {
                         if (a.weightedDelta.has_value() != b.weightedDelta.has_value())
                             return a.weightedDelta.has_value();
                         return a.weightedDelta &&
                                std::abs(*a.weightedDelta) > std::abs(*b.weightedDelta);
                     });
    WaterfallStep rest{"", 0, 0};
    for (const OperatorComparison& row : comparison.operators) {
        if (!row.weightedDelta)
            continue;
        if (comparison.steps.size() < steps && row.judgement.verdict != Verdict::Same) {
            comparison.steps.push_back({row.name, *row.weightedDelta, 1});
        } else {
            rest.seconds += *row.weightedDelta;
            ++rest.operators;
        }
    }
    if (rest.operators > 0)
        comparison.steps.push_back(rest);
}

SessionComparison compareSessions(const CompareSide& left, const CompareSide& right,
                                  const SessionCompareOptions& options) {
    Side leftSide = readSide(left);
    Side rightSide = readSide(right);
    SessionComparison comparison;
    comparison.settings = settingsOf(leftSide, rightSide);
    const std::string reason = incomparableReason(comparison.settings);
    const auto add = [&](const Entry* a, const Entry* b, MatchKind match) {
        comparison.operators.push_back(
            compareEntries(a, b, match, leftSide, rightSide, options, reason));
    };
    std::vector<Entry*> open;
    for (Entry& entry : leftSide.entries) {
        Entry* other = findByHash(rightSide.entries, entry);
        if (!other) {
            open.push_back(&entry);
            continue;
        }
        other->taken = true;
        add(&entry, other, MatchKind::Hash);
    }
    for (const Entry* entry : open) {
        Entry* other = findBySignature(rightSide.entries, *entry);
        if (other)
            other->taken = true;
        add(entry, other, other ? MatchKind::Signature : MatchKind::None);
    }
    for (const Entry& entry : rightSide.entries)
        if (!entry.taken)
            add(nullptr, &entry, MatchKind::None);
    comparison.left = leftSide.facts;
    comparison.right = rightSide.facts;
    // Uncertainty of the sums: of independent medians.
    const auto spread = [](const std::vector<Entry>& entries) {
        double sum = 0;
        for (const Entry& entry : entries)
            if (entry.record && entry.record->measurement.low && entry.record->measurement.high)
                sum += std::pow(
                    entry.task.weight *
                        (*entry.record->measurement.high - *entry.record->measurement.low) / 2,
                    2);
        return std::sqrt(sum);
    };
    comparison.left.plusMinus = spread(leftSide.entries);
    comparison.right.plusMinus = spread(rightSide.entries);
    summarize(comparison, options.steps);
    return comparison;
}

} // namespace tilewright::session
