// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/choose_schedule.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/structural.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>
#include <tilewright/space/default_schedule.h>

#include <algorithm>

namespace tilewright::session {

namespace {

constexpr int kRecordsTried = 8;

target::Target targetOf(const database::TuningRecord& record) {
    return target::Target::fromJson(json::parse(record.target, {.dialect = json::Dialect::Tvm}));
}

} // namespace

ir::Module defaultScheduleFor(const ir::Module& module, const target::Target& target) {
    const auto features = codegen::llvmCpuFeatures();
    const int bits = std::max(64, target::simdWidthBits(target, *features));
    return space::defaultSchedule(module, bits).module();
}

ScheduleChooser::ScheduleChooser(const std::filesystem::path& workDir) {
    if (workDir.empty())
        return;
    std::error_code error;
    const std::filesystem::path store = database::storeFile(workDir);
    if (std::filesystem::exists(store, error))
        reader_.emplace(workDir);
    else if (!std::filesystem::is_directory(workDir, error))
        throw base::UserError("database-missing",
                              base::concat(workDir.string(),
                                           ": there is no such work directory; "
                                           "an empty one means nothing is tuned"));
}

std::vector<database::WorkloadId> ScheduleChooser::workloadsOf(const ir::Module& module) const {
    std::vector<database::WorkloadId> ids;
    // A store keeps hashes of its own equality mode; the strictest that fits comes first.
    for (const ir::ModuleEquality mode :
         {ir::ModuleEquality::Structural, ir::ModuleEquality::IgnoreTensor,
          ir::ModuleEquality::AnchorBlock}) {
        for (const database::Workload& workload :
             reader_->workloadsWithHash(ir::hashModule(module, mode))) {
            if (workload.module.empty())
                continue;
            const ir::Module stored =
                ir::parseModule(workload.module, base::concat("workload ", workload.id.value));
            if (ir::equalModules(stored, module, mode) &&
                std::find(ids.begin(), ids.end(), workload.id) == ids.end())
                ids.push_back(workload.id);
        }
        if (!ids.empty())
            break;
    }
    return ids;
}

bool ScheduleChooser::replay(const ir::Module& module, const database::TuningRecord& record,
                             ChosenSchedule& chosen) const {
    try {
        const schedule::ApplyResult applied = schedule::applyTrace(
            module, schedule::Trace::fromJson(json::parse(
                        record.trace, {.dialect = json::Dialect::Tvm,
                                       .fileName = base::concat("record ", record.id.value)})));
        if (!applied.ok()) {
            chosen.reason = base::concat("record ", record.id.value, ": instruction ", applied.step,
                                         " was refused: ", applied.error->message);
            return false;
        }
        chosen.module = applied.module;
    } catch (const base::UserError& error) {
        chosen.reason = base::concat("record ", record.id.value, ": ", error.what());
        return false;
    }
    chosen.record = record.id;
    chosen.seconds = record.measurement.median;
    chosen.reason.clear();
    return true;
}

bool ScheduleChooser::findExact(const ir::Module& module, const target::Target& target,
                                ChosenSchedule& chosen) const {
    const std::string text = json::dump(target.toJson(), json::Style::Tvm);
    for (const database::WorkloadId workload : workloadsOf(module)) {
        const auto best = reader_->bestRecord(workload, text);
        if (!best)
            continue;
        chosen.target = target;
        if (replay(module, *best, chosen))
            return true;
        // A record that this build refuses does not hide the next best ones.
        database::RecordQuery query;
        query.workload = workload;
        query.topK = kRecordsTried;
        query.withTrace = true;
        for (const database::TuningRecord& record : reader_->records(query).records)
            if (record.id != best->id && !record.target.empty() && targetOf(record) == target &&
                replay(module, record, chosen))
                return true;
    }
    return false;
}

ChosenSchedule ScheduleChooser::choose(const ir::Module& module,
                                       const target::Target& target) const {
    ChosenSchedule chosen;
    chosen.target = target;
    chosen.reason = reader_ ? "no record of this module for this target" : "nothing is tuned";
    if (reader_ && findExact(module, target, chosen))
        return chosen;
    chosen.target = target;
    chosen.module = defaultScheduleFor(module, target);
    return chosen;
}

ChosenSchedule ScheduleChooser::chooseFor(const ir::Module& module,
                                          const std::vector<target::Target>& targets) const {
    ChosenSchedule chosen;
    if (reader_) {
        for (const target::Target& target : targets)
            if (findExact(module, target, chosen))
                return chosen;
        for (const database::WorkloadId workload : workloadsOf(module)) {
            const auto best = reader_->bestRecord(workload, {});
            if (!best || best->target.empty())
                continue;
            const target::Target target = targetOf(*best);
            if (!target.isCpu() || target.architecture() != targets.front().architecture())
                continue;
            chosen.target = target;
            if (replay(module, *best, chosen))
                return chosen;
        }
    }
    return choose(module, targets.front());
}

} // namespace tilewright::session
