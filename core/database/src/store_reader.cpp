// SPDX-License-Identifier: Apache-2.0
#include "open_store.h"
#include "record_rows.h"
#include "row_text.h"
#include "store_error.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/work_dir.h>

namespace tilewright::database {

struct StoreReader::State {
    std::unique_ptr<Connection> owned;
    Connection* connection = nullptr;
    int version = 0;

    Statement& sql(std::string_view text) const { return connection->cached(text); }
};

namespace {

Workload workloadFrom(Statement& row, const std::filesystem::path& file) {
    if (row.integer(5) != 1)
        throw base::UserError("database-corrupt",
                              "the workload is damaged: its check sum does not fit",
                              {base::DatabaseLocation{file.string(), "workloads", row.integer(0)}});
    return {WorkloadId(row.integer(0)), static_cast<std::uint64_t>(row.integer(1)), row.string(2),
            row.string(3), row.string(4)};
}

Task taskFrom(Statement& row) {
    Task task;
    task.id = TaskId(row.integer(0));
    task.name = row.string(1);
    task.workload = WorkloadId(row.integer(2));
    task.target = row.string(3);
    task.weight = row.real(4);
    task.flop = row.real(5);
    task.bytes = row.real(6);
    task.info = row.string(7);
    return task;
}

constexpr std::string_view kWorkloadColumns =
    "SELECT id, hash, name, module, tvm_line, sum = tw_sum(id, hash, name, module, tvm_line) FROM "
    "workloads ";
constexpr std::string_view kTaskColumns =
    "SELECT k.id, k.name, k.workload, coalesce(g.json, ''), k.weight, k.flop, k.bytes, k.info FROM "
    "tasks k LEFT JOIN targets g ON g.id = k.target ";

} // namespace

StoreReader::StoreReader(const std::filesystem::path& workDir, std::int64_t fullCheckBytes)
    : state_(std::make_unique<State>()) {
    state_->owned = openStoreForReading(storeFile(workDir));
    state_->connection = state_->owned.get();
    requireSoundPages(*state_->connection, fullCheckBytes);
    state_->version = static_cast<int>(state_->connection->scalar("PRAGMA user_version"));
}

StoreReader::StoreReader(Connection& connection) : state_(std::make_unique<State>()) {
    state_->connection = &connection;
    state_->version = static_cast<int>(connection.scalar("PRAGMA user_version"));
}

StoreReader::StoreReader(StoreReader&&) noexcept = default;
StoreReader& StoreReader::operator=(StoreReader&&) noexcept = default;
StoreReader::~StoreReader() = default;

const std::filesystem::path& StoreReader::file() const {
    return state_->connection->file();
}
int StoreReader::schemaVersion() const {
    return state_->version;
}

StoreCounts StoreReader::counts() const {
    Connection& c = *state_->connection;
    StoreCounts counts;
    counts.records = c.scalar("SELECT count(*) FROM records");
    counts.workloads = c.scalar("SELECT count(*) FROM workloads");
    counts.tasks = c.scalar("SELECT count(*) FROM tasks");
    counts.sessions = c.scalar("SELECT count(*) FROM sessions");
    counts.deleted = c.scalar("SELECT count(*) FROM deletions");
    // The partial index of failures makes this fast however many records are ok.
    auto& failed = state_->sql("SELECT status, count(*) FROM records WHERE status <> 0 GROUP BY "
                               "status");
    std::int64_t rest = counts.records;
    while (failed.step()) {
        const std::int64_t status = failed.integer(0);
        if (status > 0 && status < kRecordStatusCount) {
            counts.byStatus[static_cast<std::size_t>(status)] = failed.integer(1);
            rest -= failed.integer(1);
        }
    }
    failed.reset();
    counts.byStatus[0] = rest;
    return counts;
}

RecordPage StoreReader::records(const RecordQuery& query) const {
    RecordPage page;
    RecordRows(*state_->connection, query)
        .visit(
            [&](TuningRecord& record) {
                page.records.push_back(std::move(record));
                return true;
            },
            &page.damaged);
    return page;
}

void StoreReader::forEachRecord(const RecordQuery& query,
                                const std::function<bool(const TuningRecord&)>& visit,
                                std::vector<DamagedRow>* damaged) const {
    RecordRows(*state_->connection, query)
        .visit([&](TuningRecord& record) { return visit(record); }, damaged);
}

std::vector<std::int64_t> StoreReader::recordIds(const RecordQuery& query) const {
    const RecordSql sql = recordSql(query, true);
    Statement rows(*state_->connection, "SELECT r.id" + sql.from);
    for (std::size_t i = 0; i < sql.parameters.size(); ++i)
        rows.bindValue(static_cast<int>(i) + 1, sql.parameters[i]);
    std::vector<std::int64_t> ids;
    while (rows.step())
        ids.push_back(rows.integer(0));
    return ids;
}

std::int64_t StoreReader::countRecords(const RecordQuery& query) const {
    const RecordSql sql = recordSql(query, false);
    Statement rows(*state_->connection, "SELECT count(*)" + sql.from);
    for (std::size_t i = 0; i < sql.parameters.size(); ++i)
        rows.bindValue(static_cast<int>(i) + 1, sql.parameters[i]);
    return rows.step() ? rows.integer(0) : 0;
}

std::optional<TuningRecord> StoreReader::record(RecordId id) const {
    RecordQuery query;
    query.filter = base::concat("id=", id.value);
    query.includeDeleted = true;
    query.withTrace = true;
    query.withSamples = true;
    RecordPage page = records(query);
    if (!page.damaged.empty())
        throw base::UserError("database-corrupt", page.damaged.front().reason,
                              {base::DatabaseLocation{file().string(), "records", id.value}});
    if (page.records.empty())
        return std::nullopt;
    return std::move(page.records.front());
}

std::optional<TuningRecord> StoreReader::bestRecord(WorkloadId workload,
                                                    std::string_view target) const {
    auto& best = state_->sql(
        "SELECT r.id FROM records r WHERE r.workload = ?1 AND r.status = 0 AND r.complete = 1 AND "
        "r.rank_s IS NOT NULL AND r.median_s IS NOT NULL AND (?2 = '' OR r.target IN (SELECT id "
        "FROM targets WHERE key = ?2)) AND r.id NOT IN (SELECT record FROM deletions) ORDER BY "
        "r.median_s, r.id LIMIT 1");
    best.bind(1, workload.value).bind(2, target.empty() ? std::string() : targetKey(target));
    const std::int64_t id = best.step() ? best.integer(0) : -1;
    best.reset();
    return id < 0 ? std::nullopt : record(RecordId(id));
}

RecordMarks StoreReader::marks(RecordId id) const {
    RecordMarks marks;
    auto& tags = state_->sql("SELECT tag FROM tags WHERE record = ?1 ORDER BY tag");
    tags.bind(1, id.value);
    while (tags.step())
        marks.tags.push_back(tags.string(0));
    tags.reset();
    auto& rest = state_->sql("SELECT coalesce((SELECT note FROM notes WHERE record = ?1), ''), "
                             "?1 IN (SELECT record FROM stars), ?1 IN (SELECT record FROM "
                             "deletions)");
    rest.bind(1, id.value);
    if (rest.step()) {
        marks.note = rest.string(0);
        marks.starred = rest.integer(1) != 0;
        marks.deleted = rest.integer(2) != 0;
    }
    rest.reset();
    return marks;
}

std::vector<Workload> StoreReader::workloads() const {
    std::vector<Workload> result;
    Statement rows(*state_->connection, base::concat(kWorkloadColumns, "ORDER BY id"));
    while (rows.step())
        result.push_back(workloadFrom(rows, file()));
    return result;
}

std::optional<Workload> StoreReader::workload(WorkloadId id) const {
    Statement row(*state_->connection, base::concat(kWorkloadColumns, "WHERE id = ?1"));
    row.bind(1, id.value);
    if (!row.step())
        return std::nullopt;
    return workloadFrom(row, file());
}

std::vector<Workload> StoreReader::workloadsWithHash(std::uint64_t hash) const {
    std::vector<Workload> result;
    Statement rows(*state_->connection,
                   base::concat(kWorkloadColumns, "WHERE hash = ?1 ORDER BY id"));
    rows.bind(1, static_cast<std::int64_t>(hash));
    while (rows.step())
        result.push_back(workloadFrom(rows, file()));
    return result;
}

std::vector<Task> StoreReader::tasks() const {
    std::vector<Task> result;
    Statement rows(*state_->connection, base::concat(kTaskColumns, "ORDER BY k.id"));
    while (rows.step())
        result.push_back(taskFrom(rows));
    return result;
}

std::vector<TaskSummary> StoreReader::taskSummaries() const {
    std::vector<TaskSummary> result;
    for (Task& task : tasks()) {
        TaskSummary summary;
        auto& counts = state_->sql("SELECT sum(status = 0), sum(status <> 0), count(trial) FROM "
                                   "records WHERE task = ?1");
        counts.bind(1, task.id.value);
        if (counts.step()) {
            summary.ok = counts.integer(0);
            summary.failed = counts.integer(1);
            summary.trials = counts.integer(2);
        }
        counts.reset();
        auto& best = state_->sql("SELECT id, median_s FROM records WHERE task = ?1 AND status = 0 "
                                 "AND complete = 1 AND median_s IS NOT NULL AND id NOT IN (SELECT "
                                 "record FROM deletions) ORDER BY median_s LIMIT 1");
        best.bind(1, task.id.value);
        if (best.step()) {
            summary.best = RecordId(best.integer(0));
            summary.bestMedian = best.real(1);
        }
        best.reset();
        auto& standard = state_->sql("SELECT median_s FROM records WHERE task = ?1 AND status = 0 "
                                     "AND origin = 1 ORDER BY id DESC LIMIT 1");
        standard.bind(1, task.id.value);
        if (standard.step())
            summary.defaultMedian = standard.optionalReal(0);
        standard.reset();
        summary.task = std::move(task);
        result.push_back(std::move(summary));
    }
    return result;
}

std::vector<Session> StoreReader::sessions() const {
    std::vector<Session> result;
    auto& rows = state_->sql(
        "SELECT s.id, s.name, s.input, s.target, s.options, s.state, s.result, coalesce(e.json, "
        "''), s.started_ms, s.ended_ms, s.budget, s.seed FROM sessions s LEFT JOIN environments e "
        "ON e.id = s.environment ORDER BY s.id");
    while (rows.step()) {
        Session session;
        session.id = SessionId(rows.integer(0));
        session.name = rows.string(1);
        session.input = rows.string(2);
        session.target = rows.string(3);
        session.options = rows.string(4);
        session.state = rows.string(5);
        session.result = rows.string(6);
        session.environment = rows.string(7);
        session.startedMs = rows.integer(8);
        session.endedMs = rows.integer(9);
        session.budget = rows.integer(10);
        session.seed = rows.integer(11);
        result.push_back(std::move(session));
    }
    rows.reset();
    return result;
}

std::vector<Round> StoreReader::rounds(SessionId session) const {
    std::vector<Round> result;
    auto& rows = state_->sql("SELECT task, round, time_ms, trials, info FROM rounds WHERE session "
                             "= ?1 ORDER BY id");
    rows.bind(1, session.value);
    while (rows.step())
        result.push_back({session, rows.isNull(0) ? TaskId() : TaskId(rows.integer(0)),
                          static_cast<int>(rows.integer(1)), rows.integer(2),
                          static_cast<int>(rows.integer(3)), rows.string(4)});
    rows.reset();
    return result;
}

std::vector<TaskEvent> StoreReader::taskEvents(SessionId session) const {
    std::vector<TaskEvent> result;
    auto& rows = state_->sql("SELECT task, time_ms, kind, info FROM task_events WHERE session = "
                             "?1 ORDER BY id");
    rows.bind(1, session.value);
    while (rows.step())
        result.push_back({session, rows.isNull(0) ? TaskId() : TaskId(rows.integer(0)),
                          rows.integer(1), rows.string(2), rows.string(3)});
    rows.reset();
    return result;
}

std::vector<Profile> StoreReader::profiles() const {
    std::vector<Profile> result;
    auto& rows = state_->sql("SELECT session, name, time_ms, info FROM profiles ORDER BY id");
    while (rows.step())
        result.push_back({rows.isNull(0) ? SessionId() : SessionId(rows.integer(0)), rows.string(1),
                          rows.integer(2), rows.string(3)});
    rows.reset();
    return result;
}

std::optional<ModelBlob> StoreReader::latestModel(SessionId session, TaskId task,
                                                  std::string_view kind) const {
    auto& row = state_->sql("SELECT time_ms, data, info FROM models WHERE session = ?1 AND kind = "
                            "?2 AND task IS ?3 ORDER BY id DESC LIMIT 1");
    row.bind(1, session.value).bind(2, kind).bindId(3, task.value);
    std::optional<ModelBlob> result;
    if (row.step())
        result = ModelBlob{
            session,      task, std::string(kind), row.integer(0), std::string(row.blob(1)),
            row.string(2)};
    row.reset();
    return result;
}

std::optional<std::string> StoreReader::state(SessionId session, std::string_view name) const {
    auto& row = state_->sql("SELECT value FROM states WHERE session = ?1 AND name = ?2");
    row.bind(1, session.value).bind(2, name);
    std::optional<std::string> result;
    if (row.step())
        result = std::string(row.blob(0));
    row.reset();
    return result;
}

std::optional<Heartbeat> StoreReader::heartbeat() const {
    auto& row = state_->sql("SELECT pid, boot_id, host, socket, state, session, time_ms FROM "
                            "heartbeat WHERE id = 1");
    std::optional<Heartbeat> result;
    if (row.step()) {
        result = Heartbeat{static_cast<int>(row.integer(0)),
                           row.string(1),
                           row.string(2),
                           row.string(3),
                           row.string(4),
                           SessionId(),
                           row.integer(6)};
        if (!row.isNull(5))
            result->session = SessionId(row.integer(5));
    }
    row.reset();
    return result;
}

std::string StoreReader::effectiveState(const Session& session) const {
    if (session.state != "running" && session.state != "paused" && session.state != "stopping" &&
        session.state != "queued")
        return session.state;
    const auto alive = heartbeat();
    const bool engine = alive && isAlive(*alive) &&
                        DirectoryLock::owner(file().parent_path()).has_value() &&
                        (!alive->session.valid() || alive->session == session.id);
    return engine ? session.state : "interrupted";
}

std::vector<std::pair<std::string, RecordId>> StoreReader::pins() const {
    std::vector<std::pair<std::string, RecordId>> result;
    auto& rows = state_->sql("SELECT name, record FROM pins ORDER BY name");
    while (rows.step())
        result.emplace_back(rows.string(0), RecordId(rows.integer(1)));
    rows.reset();
    return result;
}

} // namespace tilewright::database
