// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/ir/module.h>
#include <tilewright/target/target.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// How a task is compiled: by a record of a work directory, or by the default schedule.
struct ChosenSchedule {
    ir::Module module;     ///< scheduled
    target::Target target; ///< to compile it for
    std::optional<database::RecordId> record;
    std::optional<double> seconds; ///< the record's median of one call
    std::string reason;            ///< why it is the default schedule; empty with a record
    [[nodiscard]] bool tuned() const { return record.has_value(); }
};

/// The default schedule of a module at the target's vector width.
ir::Module defaultScheduleFor(const ir::Module& module, const target::Target& target);

/// Chooses among what a work directory holds. Owned by one thread.
class ScheduleChooser {
public:
    /// An empty path, or a folder without a store: everything gets the default schedule. Throws
    /// UserError: `database-missing` when there is no such folder, those of reading a store.
    explicit ScheduleChooser(const std::filesystem::path& workDir);

    /// The quickest record of an equal module for exactly this target that can be replayed.
    [[nodiscard]] ChosenSchedule choose(const ir::Module& module,
                                        const target::Target& target) const;
    /// The same for the first of several targets that has one, then for any target of this
    /// machine's architecture; the default schedule is for the first target.
    [[nodiscard]] ChosenSchedule chooseFor(const ir::Module& module,
                                           const std::vector<target::Target>& targets) const;

private:
    [[nodiscard]] std::vector<database::WorkloadId> workloadsOf(const ir::Module& module) const;
    bool replay(const ir::Module& module, const database::TuningRecord& record,
                ChosenSchedule& chosen) const;
    bool findExact(const ir::Module& module, const target::Target& target,
                   ChosenSchedule& chosen) const;

    std::optional<database::StoreReader> reader_;
};

} // namespace tilewright::session
