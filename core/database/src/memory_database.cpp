// SPDX-License-Identifier: Apache-2.0
#include "memory_database.h"

#include "row_text.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/hash.h>

#include <algorithm>

namespace tilewright::database {

void requireCount(int k) {
    if (k < 0)
        throw base::UserError("top-k", base::concat("top-k takes 0 or more, asked for was ", k));
}

std::vector<TuningRecord> bestValid(std::vector<TuningRecord> records, int k) {
    std::erase_if(records, [](const TuningRecord& record) { return !isValidRecord(record); });
    std::stable_sort(
        records.begin(), records.end(), [](const TuningRecord& a, const TuningRecord& b) {
            return rankSeconds(a.measurement.seconds) < rankSeconds(b.measurement.seconds);
        });
    if (records.size() > static_cast<std::size_t>(k))
        records.resize(static_cast<std::size_t>(k));
    return records;
}

std::uint64_t MemoryDatabase::hashOf(std::string_view module) const {
    return codec_.hash ? codec_.hash(module) : base::hashBytes(module);
}

const Workload* MemoryDatabase::findWorkload(std::string_view module) const {
    const std::uint64_t hash = hashOf(module);
    for (const Workload& workload : workloads_)
        if (workload.hash == hash && !workload.module.empty() &&
            (workload.module == module || (codec_.equal && codec_.equal(workload.module, module))))
            return &workload;
    return nullptr;
}

bool MemoryDatabase::sameWorkload(WorkloadId a, WorkloadId b) const {
    if (a == b)
        return true;
    const Workload& left = workloads_[static_cast<std::size_t>(a.value)];
    const Workload& right = workloads_[static_cast<std::size_t>(b.value)];
    if (left.hash != right.hash)
        return false;
    if (left.module.empty() || right.module.empty())
        return left.module.empty() && right.module.empty() && left.tvmLine == right.tvmLine;
    return left.module == right.module || (codec_.equal && codec_.equal(left.module, right.module));
}

Workload MemoryDatabase::addWorkload(std::string_view module, std::string_view name,
                                     std::string_view tvmLine) {
    const std::uint64_t hash = module.empty() ? base::hashBytes(tvmLine) : hashOf(module);
    workloads_.push_back({WorkloadId(static_cast<std::int64_t>(workloads_.size())), hash,
                          std::string(name), std::string(module), std::string(tvmLine)});
    return workloads_.back();
}

bool MemoryDatabase::hasWorkload(std::string_view module) {
    return findWorkload(module) != nullptr;
}

Workload MemoryDatabase::commitWorkload(std::string_view module, std::string_view name) {
    const Workload* found = findWorkload(module);
    return found ? *found : addWorkload(module, name, {});
}

RecordId MemoryDatabase::commitTuningRecord(const TuningRecord& record) {
    TW_CHECK(record.workload.valid() &&
             static_cast<std::size_t>(record.workload.value) < workloads_.size())
        << "a record whose workload is not of this database";
    const Workload& workload = workloads_[static_cast<std::size_t>(record.workload.value)];
    records_.push_back(record);
    records_.back().id = RecordId(static_cast<std::int64_t>(records_.size()));
    records_.back().workloadHash = workload.hash;
    records_.back().workloadName = workload.name;
    return records_.back().id;
}

std::vector<TuningRecord> MemoryDatabase::getTopK(WorkloadId workload, int k) {
    requireCount(k);
    std::vector<TuningRecord> own;
    if (k > 0)
        for (const TuningRecord& record : records_)
            if (sameWorkload(record.workload, workload))
                own.push_back(record);
    return bestValid(std::move(own), k);
}

std::optional<TuningRecord> MemoryDatabase::queryTuningRecord(std::string_view module,
                                                              std::string_view target,
                                                              std::string_view) {
    const Workload* workload = findWorkload(module);
    if (!workload)
        return std::nullopt;
    std::vector<TuningRecord> own;
    const std::string key = target.empty() ? std::string() : targetKey(target);
    for (const TuningRecord& record : records_)
        if (sameWorkload(record.workload, workload->id) &&
            (key.empty() || targetKey(record.target) == key))
            own.push_back(record);
    own = bestValid(std::move(own), 1);
    return own.empty() ? std::nullopt : std::optional(std::move(own.front()));
}

std::unique_ptr<Database> makeMemoryDatabase(ModuleCodec codec) {
    return std::make_unique<MemoryDatabase>(std::move(codec));
}

} // namespace tilewright::database
