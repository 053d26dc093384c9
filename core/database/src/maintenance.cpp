// SPDX-License-Identifier: Apache-2.0
#include "open_store.h"
#include "row_text.h"
#include "store_error.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/maintenance.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/json/scan.h>

#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace tilewright::database {
namespace fs = std::filesystem;
namespace {

struct SummedTable {
    std::string_view name;
    std::string_view columns;
    std::string_view key;
};

constexpr SummedTable kSummed[] = {
    {"targets", "id, key, json, text", "id"},
    {"arg_infos", "id, json", "id"},
    {"workloads", "id, hash, name, module, tvm_line", "id"},
    {"tasks", "id, name, workload, target, weight, flop, bytes, info", "id"},
    {"records",
     "id, workload, task, target, args, status, message, median_s, low_s, high_s, rank_s, n, "
     "complete, trial, round, session, time_ms, device, predicted, build_s, run_s, verified, "
     "origin",
     "id"},
    {"traces", "record, json", "record"},
    {"samples", "record, seconds, other_cpu", "record"},
};

constexpr std::size_t kMaxProblems = 1000;

void checkSums(Connection& connection, std::vector<StoreProblem>& problems) {
    for (const SummedTable& table : kSummed) {
        Statement rows(connection, base::concat("SELECT ", table.key, " FROM ", table.name,
                                                " WHERE sum IS NOT tw_sum(", table.columns, ")"));
        while (rows.step() && problems.size() < kMaxProblems)
            problems.push_back(
                {std::string(table.name), rows.integer(0), "the row's check sum does not fit"});
    }
}

void checkTexts(Connection& connection, std::vector<StoreProblem>& problems) {
    Statement rows(connection, "SELECT record, json FROM traces");
    while (rows.step() && problems.size() < kMaxProblems)
        if (!json::scanValue(rows.text(1), 0))
            problems.push_back({"traces", rows.integer(0), "the trace is no JSON"});
    Statement missing(connection, "SELECT id FROM records WHERE id NOT IN (SELECT record FROM "
                                  "traces)");
    while (missing.step() && problems.size() < kMaxProblems)
        problems.push_back({"records", missing.integer(0), "the record has no trace"});
}

void checkForeignKeys(Connection& connection, std::vector<StoreProblem>& problems) {
    Statement rows(connection, "PRAGMA foreign_key_check");
    while (rows.step() && problems.size() < kMaxProblems)
        problems.push_back({rows.string(0), rows.integer(1),
                            base::concat("refers to a missing row of ", rows.string(2))});
}

void requireAbsent(const fs::path& file) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(file, ignored)))
        refuseStore("file-exists", file, "the file is there already and is not overwritten");
}

/// Copies what a record refers to, once each.
class Merger {
public:
    Merger(const StoreReader& source, StoreWriter& destination)
        : source_(source), destination_(destination) {}

    MergeReport run() {
        StoreWriter::Transaction transaction(destination_);
        for (const Workload& workload : source_.workloads())
            takeWorkload(workload);
        for (const Task& task : source_.tasks()) {
            Task copy = task;
            copy.workload = workloads_.at(task.workload.value);
            tasks_[task.id.value] = destination_.commitTask(copy);
        }
        RecordQuery query;
        query.withTrace = true;
        query.withSamples = true;
        std::vector<DamagedRow> damaged;
        source_.forEachRecord(
            query,
            [&](const TuningRecord& record) {
                takeRecord(record);
                return true;
            },
            &damaged);
        report_.damaged = static_cast<std::int64_t>(damaged.size());
        transaction.commit();
        return report_;
    }

private:
    std::int64_t countWorkloads() {
        return destination_.connection().scalar("SELECT count(*) FROM workloads");
    }

    void takeWorkload(const Workload& workload) {
        const std::int64_t before = countWorkloads();
        const Workload kept =
            workload.tvmLine.empty()
                ? destination_.commitWorkload(workload.module, workload.name)
                : destination_.commitTvmWorkload(workload.tvmLine, workload.module, workload.name);
        workloads_[workload.id.value] = kept.id;
        report_.workloads += countWorkloads() - before;
    }

    bool isThere(const TuningRecord& record) {
        Statement& find = destination_.connection().cached(
            "SELECT 1 FROM records r JOIN traces t ON t.record = r.id LEFT JOIN samples s ON "
            "s.record = r.id WHERE r.workload = ?1 AND r.status = ?2 AND r.median_s IS ?3 AND "
            "t.json = ?4 AND coalesce(s.seconds, x'') = ?5 AND r.target IS (SELECT id FROM targets "
            "WHERE json = ?6)");
        find.bind(1, record.workload.value)
            .bind(2, static_cast<int>(record.status))
            .bind(3, record.measurement.median)
            .bind(4, record.trace)
            .bindBlob(5, packDoubles(record.measurement.seconds))
            .bind(6, record.target);
        const bool found = find.step();
        find.reset();
        return found;
    }

    void takeRecord(const TuningRecord& record) {
        TuningRecord copy = record;
        copy.workload = workloads_.at(record.workload.value);
        copy.task = record.task.valid() ? tasks_.at(record.task.value) : TaskId();
        copy.session = SessionId();
        copy.round.reset();
        // The destination's own budget counts its own trials only.
        copy.trial.reset();
        if (copy.origin == RecordOrigin::Trial)
            copy.origin = RecordOrigin::Imported;
        if (isThere(copy)) {
            ++report_.duplicates;
            return;
        }
        destination_.commitRecord(copy);
        ++report_.records;
    }

    const StoreReader& source_;
    StoreWriter& destination_;
    std::map<std::int64_t, WorkloadId> workloads_;
    std::map<std::int64_t, TaskId> tasks_;
    MergeReport report_;
};

} // namespace

std::vector<StoreProblem> checkStore(const fs::path& workDir) {
    const auto connection = openStoreForReading(storeFile(workDir));
    std::vector<StoreProblem> problems;
    try {
        for (std::string& message : pageProblems(*connection, false, 100))
            problems.push_back({"", 0, std::move(message)});
        checkForeignKeys(*connection, problems);
        checkSums(*connection, problems);
        checkTexts(*connection, problems);
    } catch (const base::UserError& error) {
        // A page so damaged that a query cannot go on; what was found before stands.
        problems.push_back({"", 0, error.diagnostic().message});
    }
    return problems;
}

void backupStore(const fs::path& workDir, const fs::path& destination) {
    requireAbsent(destination);
    const auto connection = openStoreForReading(storeFile(workDir));
    fs::path fresh = destination;
    fresh += base::concat(".new-", ::getpid());
    std::error_code ignored;
    fs::remove(fresh, ignored);
    try {
        Statement(*connection, "VACUUM INTO ?1").bind(1, fresh.string()).run();
        const int descriptor = ::open(fresh.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) {
            ::fsync(descriptor);
            ::close(descriptor);
        }
    } catch (...) {
        fs::remove(fresh, ignored);
        throw;
    }
    // link() fails when the name was taken meanwhile, rename() would replace it.
    const bool linked = ::link(fresh.c_str(), destination.c_str()) == 0;
    fs::remove(fresh, ignored);
    if (!linked)
        refuseStore("file-write", destination, "the backup cannot be given its name");
}

MergeReport mergeStore(const fs::path& source, StoreWriter& destination) {
    const StoreReader reader(source);
    std::error_code ignored;
    if (fs::equivalent(reader.file(), destination.file(), ignored))
        refuseStore("database-merge", destination.file(),
                    "a database cannot be merged into itself");
    return Merger(reader, destination).run();
}

std::int64_t pruneStore(StoreWriter& writer, const PruneOptions& options) {
    Connection& connection = writer.connection();
    TransactionScope transaction(connection);
    std::string doomed = "SELECT record FROM deletions";
    if (!options.dropDeletedOnly) {
        doomed += base::concat(
            " UNION SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY workload, target "
            "ORDER BY median_s, id) AS place FROM records WHERE status = 0 AND rank_s IS NOT NULL "
            "AND complete = 1 AND id NOT IN (SELECT record FROM deletions)) WHERE place > ",
            options.keepBest,
            " UNION SELECT id FROM records WHERE status = 0 AND origin <> 1 AND (complete = 0 OR "
            "rank_s IS NULL)");
        if (options.dropFailed)
            doomed += " UNION SELECT id FROM records WHERE status <> 0";
    }
    connection.execute(base::concat(
        "CREATE TEMP TABLE doomed AS SELECT record AS id FROM (", doomed,
        ") WHERE id NOT IN (SELECT record FROM stars UNION SELECT record FROM pins UNION SELECT "
        "record FROM tags UNION SELECT record FROM notes)"));
    const std::int64_t count = connection.scalar("SELECT count(*) FROM doomed");
    for (const char* table : {"deletions", "traces", "samples"})
        connection.execute(
            base::concat("DELETE FROM ", table, " WHERE record IN (SELECT id FROM doomed)"));
    connection.execute("DELETE FROM records WHERE id IN (SELECT id FROM doomed); DELETE FROM "
                       "undo_steps; DROP TABLE doomed");
    transaction.commit();
    connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    return count;
}

} // namespace tilewright::database
