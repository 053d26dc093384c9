// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/search/search_strategy.h>
#include <tilewright/search/task_scheduler.h>
#include <tilewright/search/tune.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tilewright::search {

/// A task on its way through the loop. Owned by the tuning thread.
struct TaskState {
    const TuneTask* task = nullptr;
    TuneContext context;
    database::WorkloadId workload;
    database::TaskId id;
    std::uint64_t key = 0; ///< structural hash of the module
    TaskProgress progress;
    std::unique_ptr<SearchStrategy> strategy; ///< null until the first round
    ReferenceCheck reference;
    std::int64_t trials = 0; ///< committed, of every session
    std::int64_t maxTrials = 0;
    std::optional<database::Measurement> defaultMeasurement;
    bool defaultTried = false;        ///< there is a record of the default schedule, good or bad
    database::RecordId defaultRecord; ///< its record, when it is ok
    std::optional<database::TuningRecord> best; ///< ok and fully measured
    std::map<std::string, std::int64_t> failed;
    std::string endReason; ///< not empty = ended
    bool frozen = false;

    [[nodiscard]] double bestSeconds() const {
        return best && best->measurement.median ? *best->measurement.median : 0;
    }
};

/// What goes to the builder and runner for a scheduled module: layout rewrites are taken out (they
/// happen at compile time), and the numeric check gets the rewritten weights.
struct PreparedModule {
    measure::BuilderInput build;
    std::vector<measure::ArgInfo> args;
    std::vector<lower::LayoutRewrite> rewrites;
};
base::Result<PreparedModule> prepareModule(const ir::Module& scheduled,
                                           const target::Target& target);

/// The task's check for a module whose weights have another layout; null when there is no check.
std::shared_ptr<const measure::NumericCheck>
checkFor(const ReferenceCheck& reference, const ir::Module& module, const PreparedModule& prepared);

/// A record of a result, ready to commit.
database::TuningRecord makeRecord(const TaskState& state, const TuneSetup& setup,
                                  const schedule::Trace& trace, const PreparedModule& prepared,
                                  const measure::BatchResult& result);

} // namespace tilewright::search
