// SPDX-License-Identifier: Apache-2.0
#include "record_rows.h"

#include "row_text.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::database {
namespace {

constexpr std::string_view kColumns =
    "r.id, r.workload, r.task, r.target, r.args, r.status, r.message, r.median_s, r.low_s, "
    "r.high_s, r.rank_s, r.n, r.complete, r.trial, r.round, r.session, r.time_ms, r.device, "
    "r.predicted, r.build_s, r.run_s, r.verified, r.origin";
constexpr int kSumColumn = 23;
constexpr int kTraceColumn = 24; // json, whether its sum fits

/// An index gives the order where that is possible: the id is its last part by itself.
std::string orderBy(RecordOrder order, bool descending) {
    const std::string_view way = descending ? " DESC" : "";
    const auto by = [&](std::string_view column) {
        return base::concat(" ORDER BY ", column, way, " NULLS LAST, r.id", way);
    };
    switch (order) {
    case RecordOrder::Id:
        return base::concat(" ORDER BY r.id", way);
    case RecordOrder::Median:
        return by("r.median_s");
    case RecordOrder::Rank:
        return base::concat(" ORDER BY r.rank_s", way, ", r.id", way);
    case RecordOrder::Trial:
        return by("r.trial");
    case RecordOrder::Time:
        return by("r.time_ms");
    case RecordOrder::Task:
        return by("(SELECT name FROM tasks WHERE id = r.task)");
    case RecordOrder::Status:
        return by("r.status");
    case RecordOrder::Predicted:
        return by("r.predicted");
    }
    return {};
}

} // namespace

RecordSql recordSql(const RecordQuery& query, bool ordered) {
    auto filter = compileFilter(query.filter, nowMs());
    if (!filter)
        throw base::UserError(filter.error());
    RecordSql sql;
    std::vector<std::string> conditions;
    if (!filter->condition.empty())
        conditions.push_back(filter->condition);
    sql.parameters = std::move(filter->parameters);
    const auto equals = [&](std::string_view column, std::int64_t id) {
        conditions.push_back(base::concat(column, " = ?"));
        sql.parameters.emplace_back(id);
    };
    if (query.workload)
        equals("r.workload", query.workload->value);
    if (query.task)
        equals("r.task", query.task->value);
    if (query.session)
        equals("r.session", query.session->value);
    if (!query.includeDeleted && !filter->mentionsDeleted)
        conditions.emplace_back("r.id NOT IN (SELECT record FROM deletions)");
    if (query.validOnly)
        conditions.emplace_back("r.rank_s IS NOT NULL");
    const std::int64_t topK = query.topK > 0 ? query.topK : filter->best;
    if (topK > 0)
        conditions.emplace_back("r.status = 0 AND r.complete = 1 AND r.median_s IS NOT NULL");
    std::string where;
    for (const std::string& condition : conditions)
        where += base::concat(where.empty() ? " WHERE " : " AND ", condition);
    sql.joinsTrace = query.withTrace;
    sql.joinsSamples = query.withSamples;
    if (topK > 0) {
        sql.from = base::concat(
            " FROM records r WHERE r.id IN (SELECT id FROM (SELECT r.id AS id, row_number() OVER "
            "(PARTITION BY coalesce(r.task, -r.workload), r.target ORDER BY r.median_s, r.id) AS "
            "place FROM records r",
            where, ") WHERE place <= ", topK, ")");
    } else {
        sql.from = " FROM records r" + where;
    }
    if (ordered) {
        sql.from += orderBy(query.order, query.descending);
        if (query.limit >= 0 || query.offset > 0)
            sql.from += base::concat(" LIMIT ", query.limit < 0 ? -1 : query.limit, " OFFSET ",
                                     query.offset);
    }
    return sql;
}

RecordRows::RecordRows(Connection& connection, const RecordQuery& query)
    : connection_(connection), sql_(recordSql(query, true)) {}

const RecordRows::Shared& RecordRows::shared(std::map<std::int64_t, Shared>& cache,
                                             std::string_view sql, std::int64_t id) {
    const auto found = cache.find(id);
    if (found != cache.end())
        return found->second;
    Shared entry;
    Statement& row = connection_.cached(sql);
    row.bind(1, id);
    entry.sound = row.step() && row.integer(0) == 1;
    if (entry.sound) {
        entry.text = row.string(1);
        entry.name = row.string(2);
        entry.hash = static_cast<std::uint64_t>(row.integer(3));
    }
    row.reset();
    return cache.emplace(id, std::move(entry)).first->second;
}

bool RecordRows::fill(Statement& row, TuningRecord& record, std::string& problem) {
    record.id = RecordId(row.integer(0));
    const auto status = row.integer(5);
    if (row.integer(kSumColumn) != 1 || status < 0 || status >= kRecordStatusCount) {
        problem = "the row's check sum does not fit";
        return false;
    }
    record.workload = WorkloadId(row.integer(1));
    record.status = static_cast<RecordStatus>(status);
    record.message = row.string(6);
    Measurement& m = record.measurement;
    m.median = row.optionalReal(7);
    m.low = row.optionalReal(8);
    m.high = row.optionalReal(9);
    m.full = row.integer(12) != 0;
    record.trial = row.optionalInteger(13);
    if (!row.isNull(14))
        record.round = static_cast<int>(row.integer(14));
    if (!row.isNull(15))
        record.session = SessionId(row.integer(15));
    record.timeMs = row.integer(16);
    record.device = row.string(17);
    record.predicted = row.optionalReal(18);
    record.buildSeconds = row.optionalReal(19);
    record.runSeconds = row.optionalReal(20);
    if (!row.isNull(21))
        record.verified = row.integer(21) != 0;
    record.origin = static_cast<RecordOrigin>(row.integer(22));

    const Shared& workload =
        shared(workloads_,
               "SELECT sum = tw_sum(id, hash, name, module, tvm_line), '', name, hash FROM "
               "workloads WHERE id = ?1",
               record.workload.value);
    record.workloadName = workload.name;
    record.workloadHash = workload.hash;
    bool sound = workload.sound;
    if (!row.isNull(2)) {
        record.task = TaskId(row.integer(2));
        const Shared& task = shared(tasks_,
                                    "SELECT sum = tw_sum(id, name, workload, target, weight, "
                                    "flop, bytes, info), '', name, 0 FROM tasks WHERE id = ?1",
                                    record.task.value);
        record.taskName = task.name;
        sound = sound && task.sound;
    }
    if (!row.isNull(3)) {
        const Shared& target = shared(targets_,
                                      "SELECT sum = tw_sum(id, key, json, text), json, '', 0 "
                                      "FROM targets WHERE id = ?1",
                                      row.integer(3));
        record.target = target.text;
        sound = sound && target.sound;
    }
    if (!row.isNull(4)) {
        const Shared& arguments = shared(arguments_,
                                         "SELECT sum = tw_sum(id, json), json, '', 0 FROM "
                                         "arg_infos WHERE id = ?1",
                                         row.integer(4));
        record.argsInfo = arguments.text;
        sound = sound && arguments.sound;
    }
    if (!sound)
        problem = "its workload, task, target or arguments are damaged";
    return sound;
}

void RecordRows::visit(const std::function<bool(TuningRecord&)>& take,
                       std::vector<DamagedRow>* damaged) {
    std::string columns = base::concat(kColumns, ", r.sum = tw_sum(", kColumns, ")");
    if (sql_.joinsTrace)
        columns += ", (SELECT json FROM traces t WHERE t.record = r.id), (SELECT t.sum = "
                   "tw_sum(t.record, t.json) FROM traces t WHERE t.record = r.id)";
    Statement rows(connection_, base::concat("SELECT ", columns, sql_.from));
    for (std::size_t i = 0; i < sql_.parameters.size(); ++i)
        rows.bindValue(static_cast<int>(i) + 1, sql_.parameters[i]);
    while (rows.step()) {
        TuningRecord record;
        std::string problem;
        bool sound = fill(rows, record, problem);
        if (sound && sql_.joinsTrace) {
            record.trace = rows.string(kTraceColumn);
            sound = rows.integer(kTraceColumn + 1) == 1;
            problem = "its trace is damaged";
        }
        const auto expected = static_cast<std::size_t>(rows.integer(11));
        if (sound && sql_.joinsSamples) {
            Statement& samples = connection_.cached(
                "SELECT seconds, other_cpu, sum = tw_sum(record, seconds, other_cpu) FROM samples "
                "WHERE record = ?1");
            samples.bind(1, record.id.value);
            if (samples.step()) {
                record.measurement.present = true;
                record.measurement.seconds = unpackDoubles(samples.blob(0));
                record.measurement.otherCpu = unpackDoubles(samples.blob(1));
                sound = samples.integer(2) == 1;
            }
            samples.reset();
            sound = sound && record.measurement.seconds.size() == expected;
            problem = "its samples are damaged";
        } else if (sound) {
            // How many there are is known without reading them.
            record.measurement.seconds.resize(expected);
        }
        if (!sound) {
            if (damaged)
                damaged->push_back({"records", record.id.value, problem});
            continue;
        }
        if (!take(record))
            return;
    }
}

} // namespace tilewright::database
