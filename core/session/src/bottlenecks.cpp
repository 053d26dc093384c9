// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/bottlenecks.h>

#include "advice_rules.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/doctor.h>
#include <tilewright/session/task_text.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tilewright::session {

namespace {

target::Target storedTarget(const std::string& text) {
    try {
        return target::Target::fromJson(json::parse(text, {.dialect = json::Dialect::Tvm}));
    } catch (const base::UserError&) {
        return target::hostTarget(); // imported stores need not have one
    }
}

/// The times of one task's records.
struct TaskTimes {
    std::optional<database::TuningRecord> best;
    std::optional<double> defaultSeconds;
    std::vector<double> curve;
    std::int64_t trials = 0;
    std::int64_t failed = 0;
};

class ReportReader {
public:
    ReportReader(const std::filesystem::path& workDir, const BottleneckOptions& options)
        : options_(options), reader_(workDir) {
        report_->workDir = workDir;
        report_->session = options.session;
        report_->statistic = options.statistic;
    }

    std::shared_ptr<const BottleneckReport> run() {
        readTasks();
        filterTasks();
        readTimes();
        readPeaksOfTarget();
        makeRows();
        rankOperators(*report_);
        if (options_.advice)
            report_->advice = adviceFor(*report_, reader_, target_);
        return report_;
    }

private:
    /// The tasks of one target: sums over several would mean nothing.
    void readTasks() {
        std::vector<database::Task> all = reader_.tasks();
        if (all.empty())
            return;
        const std::string wanted = wantedTarget(all);
        for (database::Task& task : all)
            if (task.target == wanted)
                tasks_.push_back(std::move(task));
        target_ = storedTarget(wanted);
        report_->target = target_.toText();
    }

    void filterTasks() {
        report_->tasksTotal = static_cast<std::int64_t>(tasks_.size());
        if (options_.filter.empty())
            return;
        const auto misses = [this](const database::Task& task) {
            database::RecordQuery query;
            query.filter = options_.filter;
            query.task = task.id;
            return reader_.countRecords(query) == 0;
        };
        try {
            std::erase_if(tasks_, misses);
        } catch (const base::UserError&) {
            // Half-typed: whoever types it is told where it is wrong; nothing is hidden by it.
        }
    }

    [[nodiscard]] std::string wantedTarget(const std::vector<database::Task>& all) const {
        std::string given = options_.target;
        if (given.empty()) {
            for (const database::Session& session : reader_.sessions())
                if (options_.session < 0 || session.id.value == options_.session)
                    given = session.target;
        }
        if (!given.empty()) {
            try {
                target::Target target = target::parseTarget(given);
                if (!target.numCores())
                    target = target.with("num-cores", json::Value(1));
                for (const database::Task& task : all)
                    if (storedTarget(task.target) == target)
                        return task.target;
            } catch (const base::UserError&) {
                // A session of another build; the newest task's target is the next best.
            }
        }
        return all.back().target;
    }

    [[nodiscard]] std::optional<double> secondsOf(const database::TuningRecord& record) const {
        if (options_.statistic == Statistic::Median && record.measurement.median)
            return record.measurement.median;
        return statisticOf(record.measurement.seconds, options_.statistic);
    }

    void readTimes() {
        database::RecordQuery query;
        // Medians are columns of the store; samples of a million records are not.
        query.withSamples = options_.statistic != Statistic::Median;
        if (options_.session >= 0)
            query.session = database::SessionId(options_.session);
        reader_.forEachRecord(query, [&](const database::TuningRecord& record) {
            addRecord(times_[record.task.value], record);
            return true;
        });
    }

    void addRecord(TaskTimes& times, const database::TuningRecord& record) {
        if (record.trial)
            ++times.trials;
        if (record.status != database::RecordStatus::Ok) {
            times.failed += record.trial ? 1 : 0;
            return;
        }
        const auto seconds = secondsOf(record);
        if (!seconds)
            return;
        if (record.origin == database::RecordOrigin::Default)
            times.defaultSeconds = seconds;
        // A short screening says too little to be anybody's best.
        if (record.measurement.full &&
            (!times.best || *seconds < secondsOf(*times.best).value_or(1e30)))
            times.best = record;
        if (record.trial && times.best)
            times.curve.push_back(*secondsOf(*times.best));
    }

    void readPeaksOfTarget() {
        const auto measured =
            readPeaks(options_.peaksFile.empty() ? peaksCacheFile() : options_.peaksFile, target_);
        if (measured)
            report_->peaks = *measured;
        else if (options_.theoretical)
            report_->peaks = theoreticalPeaks(target_);
    }

    void makeRows() {
        std::map<std::int64_t, database::Workload> workloads;
        for (database::Workload& workload : reader_.workloads())
            workloads[workload.id.value] = std::move(workload);
        for (const database::Task& task : tasks_) {
            OperatorRow& row = report_->rows.emplace_back();
            row.task = task.id.value;
            row.name = task.name;
            row.tag = opTag(task.name);
            row.weight = task.weight;
            row.flop = task.flop;
            row.bytes = task.bytes;
            fillShape(row, workloads[task.workload.value]);
            fillTimes(row, times_[task.id.value]);
        }
    }

    static void fillShape(OperatorRow& row, const database::Workload& workload) {
        if (workload.module.empty())
            return;
        try {
            const TaskShape shape =
                taskShape(ir::parseModule(workload.module, "workload"), row.tag);
            row.shape = shape.shape;
            row.dtype = shape.dtype;
        } catch (const base::UserError&) {
            // The row stands without its shape.
        }
    }

    void fillTimes(OperatorRow& row, TaskTimes& times) const {
        row.defaultSeconds = times.defaultSeconds;
        row.trials = times.trials;
        row.failed = times.failed;
        row.curve = std::move(times.curve);
        if (!times.best)
            return;
        const database::TuningRecord best = reader_.record(times.best->id).value_or(*times.best);
        row.record = best.id.value;
        row.bestSeconds = secondsOf(best);
        row.tuned = best.origin != database::RecordOrigin::Default;
        row.samples = static_cast<std::int64_t>(best.measurement.seconds.size());
        if (best.measurement.low && best.measurement.high)
            row.plusMinus = (*best.measurement.high - *best.measurement.low) / 2;
    }

    const BottleneckOptions& options_;
    database::StoreReader reader_;
    target::Target target_;
    std::vector<database::Task> tasks_;
    std::map<std::int64_t, TaskTimes> times_;
    std::shared_ptr<BottleneckReport> report_ = std::make_shared<BottleneckReport>();
};

std::string roofText(const ComputeRoof& roof) {
    return base::concat(roof.fused ? "multiply-add " : "multiply, add ", roof.vectorBits, " bits");
}

void findRoof(OperatorRow& row, const DevicePeaks& peaks) {
    if (row.bestSeconds && *row.bestSeconds > 0)
        row.byteRate = row.bytes / *row.bestSeconds;
    const MemoryRoof* memory = peaks.memoryRoof(row.bytes);
    if (!peaks.known() || !memory)
        return;
    const double computing = row.flop / peaks.bestFlopRate();
    const double reading = row.bytes / memory->byteRate;
    row.bound = reading > computing ? Bound::Memory : Bound::Compute;
    row.roofName = row.bound == Bound::Memory ? memory->level : roofText(peaks.compute.front());
    row.roofSeconds = std::max(computing, reading);
    if (!row.bestSeconds || *row.bestSeconds <= 0)
        return;
    row.roofShare = *row.roofSeconds / *row.bestSeconds;
    row.headroomSeconds = std::max(0.0, *row.bestSeconds - *row.roofSeconds) * row.weight;
}

/// Operators that count next to no arithmetic have no meaningful FLOP rate.
bool hasFlopRate(const OperatorRow& row) {
    return row.bound == Bound::Compute || (row.bound == Bound::Unknown && row.intensity() >= 1);
}

void addTotals(BottleneckReport& report) {
    OperatorTotals totals;
    double seconds = 0;
    double defaults = 0;
    double squares = 0;
    double roof = 0;
    double headroom = 0;
    bool anyRoof = false;
    for (const OperatorRow& row : report.rows) {
        totals.weight += row.weight;
        if (!row.totalSeconds) {
            ++totals.missing;
            continue;
        }
        totals.untuned += row.tuned ? 0 : 1;
        seconds += *row.totalSeconds;
        defaults += row.defaultSeconds.value_or(*row.bestSeconds) * row.weight;
        squares += std::pow(row.plusMinus.value_or(0) * row.weight, 2);
        anyRoof = anyRoof || row.roofSeconds.has_value();
        roof += row.roofSeconds.value_or(*row.bestSeconds) * row.weight;
        headroom += row.headroomSeconds.value_or(0);
    }
    if (seconds > 0) {
        totals.seconds = seconds;
        totals.defaultSeconds = defaults;
        totals.plusMinus = std::sqrt(squares);
        totals.speedup = defaults / seconds;
        if (anyRoof) {
            totals.headroomSeconds = headroom;
            totals.roofShare = roof / seconds;
        }
    }
    report.totals = totals;
}

void addShares(BottleneckReport& report) {
    std::vector<OperatorRow*> byTime;
    for (OperatorRow& row : report.rows)
        byTime.push_back(&row);
    std::stable_sort(byTime.begin(), byTime.end(), [](const auto* a, const auto* b) {
        return a->totalSeconds.value_or(-1) > b->totalSeconds.value_or(-1);
    });
    double sum = 0;
    for (OperatorRow* row : byTime) {
        row->share = report.totals.seconds && row->totalSeconds
                         ? *row->totalSeconds / *report.totals.seconds
                         : 0;
        sum += row->share;
        row->cumulative = sum;
    }
}

void addPoints(BottleneckReport& report) {
    report.points.clear();
    for (const OperatorRow& row : report.rows) {
        if (!row.bestSeconds || *row.bestSeconds <= 0 || row.flop <= 0 || row.bytes <= 0)
            continue;
        RooflinePoint point;
        point.task = row.task;
        point.intensity = row.intensity();
        point.flopRate = row.flop / *row.bestSeconds;
        if (row.defaultSeconds && *row.defaultSeconds > 0)
            point.defaultFlopRate = row.flop / *row.defaultSeconds;
        point.share = row.share;
        point.bound = row.bound;
        report.points.push_back(point);
    }
}

} // namespace

std::string_view toString(Bound bound) {
    switch (bound) {
    case Bound::Unknown:
        return "unknown";
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory";
    }
    return "";
}

void rankOperators(BottleneckReport& report) {
    for (OperatorRow& row : report.rows) {
        row.totalSeconds.reset();
        row.speedup.reset();
        row.flopRate.reset();
        if (row.bestSeconds)
            row.totalSeconds = *row.bestSeconds * row.weight;
        if (row.bestSeconds && row.defaultSeconds && *row.bestSeconds > 0)
            row.speedup = *row.defaultSeconds / *row.bestSeconds;
        findRoof(row, report.peaks);
        if (row.bestSeconds && *row.bestSeconds > 0 && hasFlopRate(row))
            row.flopRate = row.flop / *row.bestSeconds;
    }
    addTotals(report);
    addShares(report);
    std::stable_sort(
        report.rows.begin(), report.rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
            const double left = a.headroomSeconds.value_or(-1);
            const double right = b.headroomSeconds.value_or(-1);
            return left != right ? left > right
                                 : a.totalSeconds.value_or(-1) > b.totalSeconds.value_or(-1);
        });
    addPoints(report);
}

std::shared_ptr<const BottleneckReport> readBottlenecks(const std::filesystem::path& workDir,
                                                        const BottleneckOptions& options) {
    return ReportReader(workDir, options).run();
}

std::optional<double> secondsIfRoofShare(const BottleneckReport& report, std::int64_t task,
                                         double roofShare) {
    if (!report.totals.seconds || roofShare <= 0)
        return std::nullopt;
    for (const OperatorRow& row : report.rows)
        if (row.task == task && row.totalSeconds && row.roofSeconds)
            return *report.totals.seconds - *row.totalSeconds +
                   *row.roofSeconds / roofShare * row.weight;
    return std::nullopt;
}

} // namespace tilewright::session
