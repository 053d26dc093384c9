// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record.h>
#include <tilewright/database/record_query.h>
#include <tilewright/database/session_rows.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

class Connection;

/// What a work directory holds, in numbers.
struct StoreCounts {
    std::int64_t records = 0;
    std::int64_t workloads = 0;
    std::int64_t tasks = 0;
    std::int64_t sessions = 0;
    std::int64_t deleted = 0;
    std::array<std::int64_t, kRecordStatusCount> byStatus{};
};

/// Best result of a task, for tables.
struct TaskSummary {
    Task task;
    std::int64_t ok = 0;
    std::int64_t failed = 0;
    std::int64_t trials = 0;             ///< records with a trial number
    std::optional<RecordId> best;        ///< ok, fully measured, not deleted
    std::optional<double> bestMedian;    ///< seconds
    std::optional<double> defaultMedian; ///< of the default schedule (ok, no trial number)
};

/// Marks that people put on records.
struct RecordMarks {
    std::vector<std::string> tags;
    std::string note;
    bool starred = false;
    bool deleted = false;
};

/// A reader of a work directory: many at once, beside the writer, never changing anything. An older
/// schema is read as it is; a read-only directory too. Sees each commit from the next call on.
/// Owned by one thread. Errors are UserError naming the file.
class StoreReader {
public:
    /// Small stores (up to `fullCheckBytes`) are checked page by page first, so that damage is
    /// reported instead of a part of the records being taken for all of them.
    explicit StoreReader(const std::filesystem::path& workDir,
                         std::int64_t fullCheckBytes = 64 << 20);
    /// Reads through a writer's connection, inside its transaction if one is open.
    explicit StoreReader(Connection& connection);
    StoreReader(StoreReader&&) noexcept;
    StoreReader& operator=(StoreReader&&) noexcept;
    ~StoreReader();

    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] int schemaVersion() const;

    [[nodiscard]] StoreCounts counts() const;
    /// Throws UserError (kind `filter`) for a filter that does not parse.
    [[nodiscard]] RecordPage records(const RecordQuery& query = {}) const;
    /// Only the ids, in order; a million in a fraction of a second.
    [[nodiscard]] std::vector<std::int64_t> recordIds(const RecordQuery& query) const;
    [[nodiscard]] std::int64_t countRecords(const RecordQuery& query) const;
    /// Hands over each record in turn without keeping them all; stops when `visit` returns false.
    void forEachRecord(const RecordQuery& query,
                       const std::function<bool(const TuningRecord&)>& visit,
                       std::vector<DamagedRow>* damaged = nullptr) const;
    /// With trace and samples.
    [[nodiscard]] std::optional<TuningRecord> record(RecordId id) const;
    /// Best fully measured ok record of a workload for a target (JSON; empty = any), by median.
    [[nodiscard]] std::optional<TuningRecord> bestRecord(WorkloadId workload,
                                                         std::string_view target) const;
    [[nodiscard]] RecordMarks marks(RecordId id) const;

    [[nodiscard]] std::vector<Workload> workloads() const;
    [[nodiscard]] std::optional<Workload> workload(WorkloadId id) const;
    [[nodiscard]] std::vector<Workload> workloadsWithHash(std::uint64_t hash) const;
    [[nodiscard]] std::vector<Task> tasks() const;
    [[nodiscard]] std::vector<TaskSummary> taskSummaries() const;
    [[nodiscard]] std::vector<Session> sessions() const;
    [[nodiscard]] std::vector<Round> rounds(SessionId session) const;
    [[nodiscard]] std::vector<TaskEvent> taskEvents(SessionId session) const;
    [[nodiscard]] std::vector<Profile> profiles() const;
    [[nodiscard]] std::optional<ModelBlob> latestModel(SessionId session, TaskId task,
                                                       std::string_view kind) const;
    [[nodiscard]] std::optional<std::string> state(SessionId session, std::string_view name) const;
    [[nodiscard]] std::optional<Heartbeat> heartbeat() const;
    /// `interrupted` when a session says running or paused but no engine is alive, else its state.
    [[nodiscard]] std::string effectiveState(const Session& session) const;
    /// Name → record of pinned baselines.
    [[nodiscard]] std::vector<std::pair<std::string, RecordId>> pins() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::database
