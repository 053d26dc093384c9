// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/module_codec.h>
#include <tilewright/database/record.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

/// MetaSchedule's database: workloads, their records, the best of them. A kind that cannot answer
/// a call (a union's commit) throws UserError (kind `database-kind`).
/// Not thread-safe: owned by one thread, or guarded by its owner.
class Database {
public:
    virtual ~Database() = default;
    /// `sqlite`, `json`, `memory`, `union`, `ordered-union`, `schedule-fn`, or a plug-in's.
    [[nodiscard]] virtual std::string_view kind() const = 0;

    [[nodiscard]] virtual bool hasWorkload(std::string_view module) = 0;
    /// Stores the module unless an equal one is stored; returns what is stored.
    virtual Workload commitWorkload(std::string_view module, std::string_view name = {}) = 0;
    /// Appends; `record.workload` must come from this database. Returns once it is kept for good.
    virtual RecordId commitTuningRecord(const TuningRecord& record) = 0;
    /// At most k valid records of the workload, mean run_secs ascending, ties in order of commit.
    /// Throws UserError when k is negative.
    [[nodiscard]] virtual std::vector<TuningRecord> getTopK(WorkloadId workload, int k) = 0;
    /// Every record, failed ones too; mean run_secs ascending in the kinds that keep them sorted
    /// (json), else in order of commit.
    [[nodiscard]] virtual std::vector<TuningRecord> getAllTuningRecords() = 0;
    [[nodiscard]] virtual std::vector<Workload> getAllWorkloads() = 0;
    [[nodiscard]] virtual std::size_t size() = 0;
    /// The best valid record of an equal module. With a target (JSON) only records made for
    /// exactly that target count; without, any.
    [[nodiscard]] virtual std::optional<TuningRecord>
    queryTuningRecord(std::string_view module, std::string_view target,
                      std::string_view workloadName) = 0;
    /// Copies the best valid record of each workload to another database.
    virtual void dumpPruned(Database& destination);
};

/// What a kind is made from.
struct DatabaseOptions {
    std::filesystem::path workDir;
    ModuleCodec codec;
    std::vector<std::shared_ptr<Database>> members; ///< of a union, in order
    bool readOnly = false;
};

/// Kinds by name; a plain value, so that a plug-in's additions stay with the process's own copy.
class DatabaseRegistry {
public:
    using Factory = std::function<std::unique_ptr<Database>(const DatabaseOptions&)>;
    /// With the kinds of this module; `schedule-fn` is added by the module that can schedule.
    DatabaseRegistry();
    void add(std::string kind, Factory factory);
    /// Throws UserError (kind `database-kind`) naming the accepted kinds.
    [[nodiscard]] std::unique_ptr<Database> create(std::string_view kind,
                                                   const DatabaseOptions& options) const;
    [[nodiscard]] std::vector<std::string> kinds() const;

private:
    std::map<std::string, Factory, std::less<>> factories_;
};

/// A database that keeps everything in memory.
std::unique_ptr<Database> makeMemoryDatabase(ModuleCodec codec = {});
/// TVM's pair of JSON files in a folder, read whole at the start, appended to on commit. Lines that
/// cannot be read are left alone in the file and skipped (see TvmImportReport for naming them).
std::unique_ptr<Database> openJsonDatabase(const std::filesystem::path& workDir, ModuleCodec codec);
/// `tuning.twdb` of a work directory; takes the engine's lock unless readOnly.
std::unique_ptr<Database> openSqliteDatabase(const std::filesystem::path& workDir,
                                             ModuleCodec codec, bool readOnly = false);
/// The best answer of its members / the answer of the first member that has one.
std::unique_ptr<Database> makeUnionDatabase(std::vector<std::shared_ptr<Database>> members);
std::unique_ptr<Database> makeOrderedUnionDatabase(std::vector<std::shared_ptr<Database>> members);

/// Base of `schedule-fn`: answers queries from a function instead of stored records. The function
/// gets module, target and workload name and returns the trace (JSON), or nothing.
using ScheduleFunction = std::function<std::optional<std::string>(
    std::string_view module, std::string_view target, std::string_view workloadName)>;
std::unique_ptr<Database> makeScheduleFnDatabase(ScheduleFunction function);

} // namespace tilewright::database
