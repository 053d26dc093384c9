// SPDX-License-Identifier: Apache-2.0
#include "open_store.h"
#include "row_text.h"
#include "store_error.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/base/hash.h>
#include <tilewright/database/store_writer.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tilewright::database {
namespace {

std::filesystem::path preparedDir(const std::filesystem::path& workDir) {
    std::error_code error;
    std::filesystem::create_directories(workDir, error);
    if (error)
        refuseStore("not-writable", workDir,
                    base::concat("the work directory cannot be made: ", error.message()));
    const std::filesystem::path dir = std::filesystem::absolute(workDir).lexically_normal();
    requireLocalFileSystem(dir);
    return dir;
}

std::int64_t signedHash(std::uint64_t hash) {
    return static_cast<std::int64_t>(hash);
}

} // namespace

struct StoreWriter::State {
    State(const std::filesystem::path& dir, ModuleCodec moduleCodec)
        : workDir(preparedDir(dir)), lock(workDir), codec(std::move(moduleCodec)),
          connection(openStoreForWriting(workDir / kStoreFileName)) {}

    std::filesystem::path workDir;
    DirectoryLock lock;
    ModuleCodec codec;
    std::unique_ptr<Connection> connection;
    /// Ids of texts met before. Cleared when a transaction is rolled back.
    std::unordered_map<std::string, std::int64_t> targets;
    std::unordered_map<std::string, std::int64_t> argInfos;
    std::int64_t nextRecord = 0;

    Statement& sql(std::string_view text) { return connection->cached(text); }

    void forget() {
        targets.clear();
        argInfos.clear();
        nextRecord = 0;
    }

    void takeEquality() {
        auto& find = sql("SELECT value FROM settings WHERE name = 'module_equality'");
        if (find.step()) {
            const std::string stored = find.string(0);
            find.reset();
            if (stored != codec.equality)
                refuseStore("database-equality", connection->file(),
                            base::concat("this database compares modules by '", stored,
                                         "', asked for was '", codec.equality,
                                         "'; use --module-equality ", stored));
            return;
        }
        sql("INSERT INTO settings(name, value) VALUES('module_equality', ?1)")
            .bind(1, codec.equality)
            .run();
    }

    std::uint64_t hashOf(std::string_view module) const {
        return codec.hash ? codec.hash(module) : base::hashBytes(module);
    }

    bool equal(std::string_view a, std::string_view b) const {
        return a == b || (codec.equal && !a.empty() && !b.empty() && codec.equal(a, b));
    }

    std::optional<Workload> findWorkload(std::uint64_t hash, std::string_view module,
                                         std::string_view tvmLine) {
        auto& find = sql("SELECT id, name, module, tvm_line FROM workloads WHERE hash = ?1 "
                         "ORDER BY id");
        find.bind(1, signedHash(hash));
        std::optional<Workload> result;
        while (!result && find.step()) {
            const bool same = module.empty() ? find.text(2).empty() && find.text(3) == tvmLine
                                             : equal(find.text(2), module);
            if (same)
                result = Workload{WorkloadId(find.integer(0)), hash, find.string(1), find.string(2),
                                  find.string(3)};
        }
        find.reset();
        return result;
    }

    Workload commitWorkload(std::uint64_t hash, std::string_view module, std::string_view name,
                            std::string_view tvmLine) {
        if (auto found = findWorkload(hash, module, tvmLine))
            return *found;
        Workload added{WorkloadId(connection->scalar("SELECT coalesce(max(id), 0) + 1 FROM "
                                                     "workloads")),
                       hash, std::string(name), std::string(module), std::string(tvmLine)};
        sql("INSERT INTO workloads(id, hash, name, module, tvm_line, sum) VALUES(?1, ?2, ?3, ?4, "
            "?5, tw_sum(?1, ?2, ?3, ?4, ?5))")
            .bind(1, added.id.value)
            .bind(2, signedHash(hash))
            .bind(3, added.name)
            .bind(4, added.module)
            .bind(5, added.tvmLine)
            .run();
        return added;
    }

    std::int64_t targetId(const std::string& json) {
        if (json.empty())
            return -1;
        if (const auto known = targets.find(json); known != targets.end())
            return known->second;
        std::int64_t id = findId("SELECT id FROM targets WHERE json = ?1", json);
        if (id < 0) {
            id = connection->scalar("SELECT coalesce(max(id), 0) + 1 FROM targets");
            sql("INSERT INTO targets(id, key, json, text, sum) VALUES(?1, ?2, ?3, ?4, "
                "tw_sum(?1, ?2, ?3, ?4))")
                .bind(1, id)
                .bind(2, targetKey(json))
                .bind(3, json)
                .bind(4, targetText(json))
                .run();
        }
        return targets[json] = id;
    }

    std::int64_t argInfoId(const std::string& json) {
        if (json.empty())
            return -1;
        if (const auto known = argInfos.find(json); known != argInfos.end())
            return known->second;
        std::int64_t id = findId("SELECT id FROM arg_infos WHERE json = ?1", json);
        if (id < 0) {
            id = connection->scalar("SELECT coalesce(max(id), 0) + 1 FROM arg_infos");
            sql("INSERT INTO arg_infos(id, json, sum) VALUES(?1, ?2, tw_sum(?1, ?2))")
                .bind(1, id)
                .bind(2, json)
                .run();
        }
        return argInfos[json] = id;
    }

    std::int64_t findId(std::string_view query, std::string_view text) {
        auto& find = sql(query);
        find.bind(1, text);
        const std::int64_t id = find.step() ? find.integer(0) : -1;
        find.reset();
        return id;
    }

    std::int64_t newRecordId() {
        if (nextRecord == 0)
            nextRecord = std::max(connection->scalar("SELECT max(id) FROM records"),
                                  connection->scalar("SELECT seq FROM sqlite_sequence WHERE "
                                                     "name = 'records'")) +
                         1;
        return nextRecord++;
    }

    void bindMeasurement(Statement& insert, const TuningRecord& record) {
        const bool failed = record.status != RecordStatus::Ok;
        const Measurement& m = record.measurement;
        const auto finite = [&](const std::optional<double>& value) {
            return failed || !value || !std::isfinite(*value) ? std::optional<double>() : value;
        };
        insert.bind(8, finite(m.median)).bind(9, finite(m.low)).bind(10, finite(m.high));
        insert.bind(11, isValidRecord(record) ? std::optional(rankSeconds(m.seconds))
                                              : std::optional<double>());
        insert.bind(12, static_cast<std::int64_t>(m.seconds.size())).bind(13, m.full);
    }

    RecordId insertRecord(const TuningRecord& record) {
        TW_CHECK(record.workload.valid()) << "a record without its workload";
        const std::int64_t target = targetId(record.target);
        const std::int64_t args = argInfoId(record.argsInfo);
        const std::int64_t id = newRecordId();
        auto& insert = sql(
            "INSERT INTO records(id, workload, task, target, args, status, message, median_s, "
            "low_s, high_s, rank_s, n, complete, trial, round, session, time_ms, device, "
            "predicted, build_s, run_s, verified, origin, sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
            "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
            "tw_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
            "?18, ?19, ?20, ?21, ?22, ?23))");
        insert.bind(1, id)
            .bind(2, record.workload.value)
            .bindId(3, record.task.value)
            .bindId(4, target)
            .bindId(5, args)
            .bind(6, static_cast<int>(record.status))
            .bindTextOrNull(7, record.message);
        bindMeasurement(insert, record);
        insert.bind(14, record.trial)
            .bind(15, record.round)
            .bindId(16, record.session.value)
            .bind(17, record.timeMs != 0 ? record.timeMs : nowMs())
            .bindTextOrNull(18, record.device)
            .bind(19, record.predicted)
            .bind(20, record.buildSeconds)
            .bind(21, record.runSeconds)
            .bind(22, record.verified)
            .bind(23, static_cast<int>(record.origin))
            .run();
        sql("INSERT INTO traces(record, json, sum) VALUES(?1, ?2, tw_sum(?1, ?2))")
            .bind(1, id)
            .bind(2, record.trace)
            .run();
        insertSamples(id, record.measurement);
        return RecordId(id);
    }

    void insertSamples(std::int64_t id, const Measurement& measurement) {
        if (!measurement.present && measurement.seconds.empty())
            return;
        sql("INSERT OR REPLACE INTO samples(record, seconds, other_cpu, sum) VALUES(?1, ?2, ?3, "
            "tw_sum(?1, ?2, ?3))")
            .bind(1, id)
            .bindBlob(2, packDoubles(measurement.seconds))
            .bindBlob(3, packDoubles(measurement.otherCpu))
            .run();
    }

    std::int64_t environmentId(const std::string& json) {
        if (json.empty())
            return -1;
        sql("INSERT OR IGNORE INTO environments(json) VALUES(?1)").bind(1, json).run();
        return findId("SELECT id FROM environments WHERE json = ?1", json);
    }
};

StoreWriter::StoreWriter(const std::filesystem::path& workDir, ModuleCodec codec,
                         Durability durability)
    : state_(std::make_unique<State>(workDir, std::move(codec))) {
    state_->connection->execute(durability == Durability::Full ? "PRAGMA synchronous=FULL"
                                                               : "PRAGMA synchronous=NORMAL");
    state_->takeEquality();
}

StoreWriter::StoreWriter(StoreWriter&&) noexcept = default;
StoreWriter& StoreWriter::operator=(StoreWriter&&) noexcept = default;
StoreWriter::~StoreWriter() = default;

const std::filesystem::path& StoreWriter::file() const {
    return state_->connection->file();
}
const std::filesystem::path& StoreWriter::workDir() const {
    return state_->workDir;
}
const ModuleCodec& StoreWriter::codec() const {
    return state_->codec;
}
Connection& StoreWriter::connection() {
    return *state_->connection;
}

StoreWriter::Transaction::Transaction(StoreWriter& writer) : writer_(writer) {
    writer_.connection().execute("BEGIN IMMEDIATE");
}

StoreWriter::Transaction::~Transaction() {
    if (!open_)
        return;
    try {
        if (writer_.connection().inTransaction())
            writer_.connection().execute("ROLLBACK");
    } catch (const std::exception&) {
        // The transaction ends with the connection anyway; a destructor must not throw.
    }
    writer_.state_->forget();
}

void StoreWriter::Transaction::commit() {
    writer_.connection().execute("COMMIT");
    open_ = false;
}

Workload StoreWriter::commitWorkload(std::string_view module, std::string_view name) {
    TransactionScope transaction(connection());
    Workload workload = state_->commitWorkload(state_->hashOf(module), module, name, {});
    transaction.commit();
    return workload;
}

Workload StoreWriter::commitTvmWorkload(std::string_view tvmLine, std::string_view module,
                                        std::string_view name) {
    TransactionScope transaction(connection());
    const std::uint64_t hash = module.empty() ? base::hashBytes(tvmLine) : state_->hashOf(module);
    Workload workload = state_->commitWorkload(hash, module, name, tvmLine);
    transaction.commit();
    return workload;
}

TaskId StoreWriter::commitTask(const Task& task) {
    TW_CHECK(task.workload.valid()) << "a task without its workload";
    TransactionScope transaction(connection());
    const std::int64_t target = state_->targetId(task.target);
    auto& find = state_->sql("SELECT id FROM tasks WHERE workload = ?1 AND name = ?2 AND target IS "
                             "?3");
    find.bind(1, task.workload.value).bind(2, task.name).bindId(3, target);
    std::int64_t id = find.step() ? find.integer(0) : -1;
    find.reset();
    if (id < 0)
        id = connection().scalar("SELECT coalesce(max(id), 0) + 1 FROM tasks");
    state_
        ->sql("INSERT INTO tasks(id, name, workload, target, weight, flop, bytes, info, sum) "
              "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, tw_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)) ON "
              "CONFLICT(id) DO UPDATE SET weight = excluded.weight, flop = excluded.flop, bytes = "
              "excluded.bytes, info = excluded.info, sum = excluded.sum")
        .bind(1, id)
        .bind(2, task.name)
        .bind(3, task.workload.value)
        .bindId(4, target)
        .bind(5, task.weight)
        .bind(6, task.flop)
        .bind(7, task.bytes)
        .bind(8, task.info)
        .run();
    transaction.commit();
    return TaskId(id);
}

std::vector<RecordId> StoreWriter::commitRecords(std::span<const TuningRecord> records) {
    std::vector<RecordId> ids;
    ids.reserve(records.size());
    try {
        TransactionScope transaction(connection());
        for (const TuningRecord& record : records)
            ids.push_back(state_->insertRecord(record));
        transaction.commit();
    } catch (...) {
        state_->forget();
        throw;
    }
    return ids;
}

RecordId StoreWriter::commitRecord(const TuningRecord& record) {
    return commitRecords(std::span(&record, 1)).front();
}

void StoreWriter::updateMeasurement(const TuningRecord& record) {
    TransactionScope transaction(connection());
    const std::int64_t id = record.id.value;
    auto& update =
        state_->sql("UPDATE records SET status = ?6, message = ?7, median_s = ?8, low_s = ?9, "
                    "high_s = ?10, rank_s = ?11, n = ?12, complete = ?13, verified = ?22 WHERE id "
                    "= ?1");
    update.bind(1, id)
        .bind(6, static_cast<int>(record.status))
        .bindTextOrNull(7, record.message)
        .bind(22, record.verified);
    TuningRecord withTrace = record;
    if (withTrace.trace.empty()) {
        auto& trace = state_->sql("SELECT json FROM traces WHERE record = ?1");
        trace.bind(1, id);
        if (trace.step())
            withTrace.trace = trace.string(0);
        trace.reset();
    }
    state_->bindMeasurement(update, withTrace);
    update.run();
    state_
        ->sql("UPDATE records SET sum = tw_sum(id, workload, task, target, args, status, message, "
              "median_s, low_s, high_s, rank_s, n, complete, trial, round, session, time_ms, "
              "device, predicted, build_s, run_s, verified, origin) WHERE id = ?1")
        .bind(1, id)
        .run();
    state_->insertSamples(id, record.measurement);
    transaction.commit();
}

SessionId StoreWriter::beginSession(const Session& session) {
    TransactionScope transaction(connection());
    const std::int64_t environment = state_->environmentId(session.environment);
    state_
        ->sql("INSERT INTO sessions(name, input, target, options, state, result, environment, "
              "started_ms, ended_ms, budget, seed) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
              "?11)")
        .bind(1, session.name)
        .bind(2, session.input)
        .bind(3, session.target)
        .bind(4, session.options)
        .bind(5, session.state)
        .bind(6, session.result)
        .bindId(7, environment)
        .bind(8, session.startedMs != 0 ? session.startedMs : nowMs())
        .bind(9, session.endedMs)
        .bind(10, session.budget)
        .bind(11, session.seed)
        .run();
    const SessionId id(connection().scalar("SELECT last_insert_rowid()"));
    transaction.commit();
    return id;
}

void StoreWriter::updateSession(const Session& session) {
    state_
        ->sql("UPDATE sessions SET state = ?2, result = ?3, ended_ms = ?4, budget = ?5, options = "
              "?6 WHERE id = ?1")
        .bind(1, session.id.value)
        .bind(2, session.state)
        .bind(3, session.result)
        .bind(4, session.endedMs)
        .bind(5, session.budget)
        .bind(6, session.options)
        .run();
}

void StoreWriter::commitRound(const Round& round) {
    state_
        ->sql("INSERT INTO rounds(session, task, round, time_ms, trials, info) VALUES(?1, ?2, ?3, "
              "?4, ?5, ?6)")
        .bind(1, round.session.value)
        .bindId(2, round.task.value)
        .bind(3, round.round)
        .bind(4, round.timeMs != 0 ? round.timeMs : nowMs())
        .bind(5, round.trials)
        .bind(6, round.info)
        .run();
}

void StoreWriter::commitTaskEvent(const TaskEvent& event) {
    state_
        ->sql("INSERT INTO task_events(session, task, time_ms, kind, info) VALUES(?1, ?2, ?3, ?4, "
              "?5)")
        .bind(1, event.session.value)
        .bindId(2, event.task.value)
        .bind(3, event.timeMs != 0 ? event.timeMs : nowMs())
        .bind(4, event.kind)
        .bind(5, event.info)
        .run();
}

void StoreWriter::commitModel(const ModelBlob& model) {
    TransactionScope transaction(connection());
    // Only the latest is of use, and models are large.
    state_->sql("DELETE FROM models WHERE session = ?1 AND kind = ?2 AND task IS ?3")
        .bind(1, model.session.value)
        .bind(2, model.kind)
        .bindId(3, model.task.value)
        .run();
    state_
        ->sql("INSERT INTO models(session, task, kind, time_ms, data, info) VALUES(?1, ?2, ?3, ?4, "
              "?5, ?6)")
        .bind(1, model.session.value)
        .bindId(2, model.task.value)
        .bind(3, model.kind)
        .bind(4, model.timeMs != 0 ? model.timeMs : nowMs())
        .bindBlob(5, model.data)
        .bind(6, model.info)
        .run();
    transaction.commit();
}

void StoreWriter::commitProfile(const Profile& profile) {
    state_->sql("INSERT INTO profiles(session, name, time_ms, info) VALUES(?1, ?2, ?3, ?4)")
        .bindId(1, profile.session.value)
        .bind(2, profile.name)
        .bind(3, profile.timeMs != 0 ? profile.timeMs : nowMs())
        .bind(4, profile.info)
        .run();
}

void StoreWriter::saveState(SessionId session, std::string_view name, std::string_view value) {
    state_->sql("INSERT OR REPLACE INTO states(session, name, value) VALUES(?1, ?2, ?3)")
        .bind(1, session.value)
        .bind(2, name)
        .bindBlob(3, value)
        .run();
}

void StoreWriter::writeHeartbeat(const Heartbeat& heartbeat) {
    state_
        ->sql("INSERT OR REPLACE INTO heartbeat(id, pid, boot_id, host, socket, state, session, "
              "time_ms) VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        .bind(1, heartbeat.pid)
        .bind(2, heartbeat.bootId)
        .bind(3, heartbeat.host)
        .bind(4, heartbeat.socket)
        .bind(5, heartbeat.state)
        .bindId(6, heartbeat.session.value)
        .bind(7, heartbeat.timeMs)
        .run();
}

} // namespace tilewright::database
