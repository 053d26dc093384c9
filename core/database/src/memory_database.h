// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/database.h>

#include <vector>

namespace tilewright::database {

/// Workloads and records in lists; the base of the JSON kind, which only adds files.
class MemoryDatabase : public Database {
public:
    explicit MemoryDatabase(ModuleCodec codec) : codec_(std::move(codec)) {}

    [[nodiscard]] std::string_view kind() const override { return "memory"; }
    bool hasWorkload(std::string_view module) override;
    Workload commitWorkload(std::string_view module, std::string_view name) override;
    RecordId commitTuningRecord(const TuningRecord& record) override;
    std::vector<TuningRecord> getTopK(WorkloadId workload, int k) override;
    std::vector<TuningRecord> getAllTuningRecords() override { return records_; }
    std::vector<Workload> getAllWorkloads() override { return workloads_; }
    std::size_t size() override { return records_.size(); }
    std::optional<TuningRecord> queryTuningRecord(std::string_view module, std::string_view target,
                                                  std::string_view workloadName) override;

protected:
    /// Adds without looking for an equal one.
    Workload addWorkload(std::string_view module, std::string_view name, std::string_view tvmLine);
    [[nodiscard]] const Workload* findWorkload(std::string_view module) const;
    [[nodiscard]] const ModuleCodec& codec() const { return codec_; }

private:
    [[nodiscard]] std::uint64_t hashOf(std::string_view module) const;
    /// Whether two stored workloads are the same one (a file may hold duplicates).
    [[nodiscard]] bool sameWorkload(WorkloadId a, WorkloadId b) const;

    ModuleCodec codec_;
    std::vector<Workload> workloads_; ///< place = id
    std::vector<TuningRecord> records_;
};

/// Sorts valid records by mean run_secs, ties as they come, and keeps the first k.
std::vector<TuningRecord> bestValid(std::vector<TuningRecord> records, int k);
/// Throws UserError when k is negative.
void requireCount(int k);

} // namespace tilewright::database
