// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/module_codec.h>
#include <tilewright/database/record.h>
#include <tilewright/database/session_rows.h>
#include <tilewright/database/work_dir.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

class Connection;

/// How sure a commit is: `Full` survives power loss, `Normal` survives any crash of processes.
enum class Durability : std::uint8_t { Full, Normal };

/// The one writer of a work directory. Makes the store when it is missing, migrates an older one
/// (after a copy `tuning.twdb.v<N>.bak`), refuses anything else without touching it.
/// Every function that changes something is a transaction of its own unless a Transaction is open.
/// Owned by one thread. Errors are UserError naming the file: `database-…`, `disk-full`.
class StoreWriter {
public:
    /// Makes the directory when it is missing, takes its lock, opens the store.
    explicit StoreWriter(const std::filesystem::path& workDir, ModuleCodec codec = {},
                         Durability durability = Durability::Full);
    StoreWriter(StoreWriter&&) noexcept;
    StoreWriter& operator=(StoreWriter&&) noexcept;
    ~StoreWriter();

    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] const std::filesystem::path& workDir() const;
    [[nodiscard]] const ModuleCodec& codec() const;

    /// Several changes that are kept together or not at all. Rolled back unless committed.
    class Transaction {
    public:
        explicit Transaction(StoreWriter& writer);
        Transaction(const Transaction&) = delete;
        ~Transaction();
        void commit();

    private:
        StoreWriter& writer_;
        bool open_ = true;
    };

    /// Stores the module unless an equal one is stored; returns what is stored.
    Workload commitWorkload(std::string_view module, std::string_view name = {});
    /// As commitWorkload for a module that came from TVM. `module` may be empty when it could not
    /// be read; then equal lines are the same workload.
    Workload commitTvmWorkload(std::string_view tvmLine, std::string_view module,
                               std::string_view name = {});
    /// Stores or updates (weight, flop, bytes, info) the task of that name, workload and target.
    TaskId commitTask(const Task& task);
    /// Commits the records together; returns their ids in order. Nothing reported before the
    /// return may be lost, so events are sent after it.
    std::vector<RecordId> commitRecords(std::span<const TuningRecord> records);
    RecordId commitRecord(const TuningRecord& record);
    /// Replaces the measurement (and verified, message, status) of a record, as re-measuring does.
    void updateMeasurement(const TuningRecord& record);

    SessionId beginSession(const Session& session);
    /// Overwrites state, result, endedMs, budget and options of session.id.
    void updateSession(const Session& session);
    void commitRound(const Round& round);
    void commitTaskEvent(const TaskEvent& event);
    void commitModel(const ModelBlob& model);
    void commitProfile(const Profile& profile);
    /// A named value that resume reads back (random state, population): replaces the former one.
    void saveState(SessionId session, std::string_view name, std::string_view value);
    void writeHeartbeat(const Heartbeat& heartbeat);

    /// The connection, for the metadata editor and maintenance of this module.
    [[nodiscard]] Connection& connection();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::database
