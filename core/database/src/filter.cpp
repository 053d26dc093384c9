// SPDX-License-Identifier: Apache-2.0
#include "filter_fields.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/record_query.h>

#include <algorithm>
#include <cmath>

namespace tilewright::database {
namespace {

/// How a field is asked for in SQL: its column inside `wrap`, in which `%` stands for the
/// comparison.
struct SqlColumn {
    std::string_view column;
    std::string_view wrap = "%";
};

constexpr std::string_view kByTask = "r.task IN (SELECT id FROM tasks WHERE %)";
constexpr std::string_view kByTarget = "r.target IN (SELECT id FROM targets WHERE %)";
constexpr std::string_view kByTag = "r.id IN (SELECT record FROM tags WHERE %)";
constexpr std::string_view kByNote = "r.id IN (SELECT record FROM notes WHERE %)";
constexpr std::string_view kByWorkload = "r.workload IN (SELECT id FROM workloads WHERE %)";
constexpr std::string_view kByTrace =
    "EXISTS (SELECT 1 FROM traces t WHERE t.record = r.id AND (%))";
/// The best of each task: people tag it in their minds.
constexpr std::string_view kIsBest =
    "r.id IN (SELECT id FROM (SELECT b.id AS id, row_number() OVER (PARTITION BY coalesce(b.task, "
    "-b.workload), b.target ORDER BY b.median_s, b.id) AS place FROM records b WHERE b.status = 0 "
    "AND b.complete = 1 AND b.median_s IS NOT NULL AND b.id NOT IN (SELECT record FROM "
    "deletions)) WHERE place = 1)";

SqlColumn sqlColumn(RecordField field) {
    switch (field) {
    case RecordField::Id:
        return {"r.id"};
    case RecordField::Task:
    case RecordField::Op:
        return {"name", kByTask};
    case RecordField::Workload:
        return {"name", kByWorkload};
    case RecordField::Hash:
        return {"printf('%llu', hash)", kByWorkload};
    case RecordField::Target:
        return {"text", kByTarget};
    case RecordField::Status:
        return {"r.status"};
    case RecordField::Origin:
        return {"r.origin"};
    case RecordField::Error:
        return {"r.message"};
    case RecordField::Median:
        return {"r.median_s"};
    case RecordField::Low:
        return {"r.low_s"};
    case RecordField::High:
        return {"r.high_s"};
    case RecordField::Samples:
        return {"r.n"};
    case RecordField::Gflops:
        return {"((SELECT k.flop FROM tasks k WHERE k.id = r.task) / r.median_s / 1e9)"};
    case RecordField::Full:
        return {"r.complete"};
    case RecordField::Trial:
        return {"r.trial"};
    case RecordField::Round:
        return {"r.round"};
    case RecordField::Session:
        return {"r.session"};
    case RecordField::Time:
        return {"r.time_ms"};
    case RecordField::Device:
        return {"r.device"};
    case RecordField::Predicted:
        return {"r.predicted"};
    case RecordField::Build:
        return {"r.build_s"};
    case RecordField::Verified:
        return {"coalesce(r.verified, 0)"};
    case RecordField::Tag:
        return {"tag", kByTag};
    case RecordField::Note:
        return {"note", kByNote};
    case RecordField::Starred:
        return {"(r.id IN (SELECT record FROM stars))"};
    case RecordField::Pinned:
        return {"(r.id IN (SELECT record FROM pins))"};
    case RecordField::Deleted:
        return {"(r.id IN (SELECT record FROM deletions))"};
    case RecordField::Trace:
        return {"t.json", kByTrace};
    case RecordField::Best:
        break;
    }
    return {};
}

bool isInteger(RecordField field) {
    for (const FieldEntry& entry : fieldEntries())
        if (entry.field == field)
            return entry.type != FieldType::Number && entry.type != FieldType::Seconds;
    return false;
}

std::string_view sqlOp(FilterOp op) {
    switch (op) {
    case FilterOp::NotEqual:
        return "<>";
    case FilterOp::Less:
        return "<";
    case FilterOp::LessEqual:
        return "<=";
    case FilterOp::Greater:
        return ">";
    case FilterOp::GreaterEqual:
        return ">=";
    default:
        return "=";
    }
}

/// Writes a parsed filter as a condition with parameters.
class SqlWriter {
public:
    explicit SqlWriter(CompiledFilter& result) : result_(result) {}

    std::string write(const FilterNode& node) {
        switch (node.kind) {
        case FilterNode::Kind::Not:
            return base::concat("(NOT coalesce(", write(node.parts.front()), ", 0))");
        case FilterNode::Kind::Term:
            return node.term.texts.empty() ? numbers(node.term) : texts(node.term);
        default:
            break;
        }
        std::string sql;
        for (const FilterNode& part : node.parts) {
            if (!sql.empty())
                sql += node.kind == FilterNode::Kind::All ? " AND " : " OR ";
            sql += write(part);
        }
        return sql.empty() ? "1" : "(" + sql + ")";
    }

private:
    std::string parameter(SqlValue value) {
        result_.parameters.push_back(std::move(value));
        return "?";
    }

    std::string numbers(const FilterTerm& term) {
        const SqlColumn column = sqlColumn(term.field);
        std::vector<std::string> bounds;
        for (const double number : term.numbers) {
            if (isInteger(term.field))
                bounds.push_back(parameter(static_cast<std::int64_t>(number)));
            else
                bounds.push_back(parameter(number));
        }
        if (bounds.size() == 1)
            return base::concat("(", column.column, " ", sqlOp(term.op), " ", bounds[0], ")");
        return base::concat("(", column.column,
                            term.op == FilterOp::NotEqual ? " NOT IN (" : " IN (",
                            base::join(bounds, ", "), "))");
    }

    std::string texts(const FilterTerm& term) {
        const SqlColumn column = sqlColumn(term.field);
        std::string inner;
        bool best = false;
        for (const std::string& text : term.texts) {
            best = best || (term.field == RecordField::Tag && text == "best");
            if (!inner.empty())
                inner += " OR ";
            if (term.op == FilterOp::Search)
                inner += base::concat("tw_regex(", parameter(text), ", ", column.column, ")");
            else
                inner += base::concat("lower(", column.column, ") GLOB ", parameter(globOf(text)));
        }
        std::string sql(column.wrap);
        sql.replace(sql.find('%'), 1, inner);
        if (best)
            sql = base::concat("(", sql, " OR ", kIsBest, ")");
        return term.op == FilterOp::NotEqual ? base::concat("(NOT coalesce((", sql, "), 0))")
                                             : "(" + sql + ")";
    }

    /// SQLite's GLOB gives '[' a meaning that we do not offer.
    static std::string globOf(std::string_view text) {
        std::string glob;
        for (const char c : text)
            glob += c == '[' ? std::string("[[]") : std::string(1, c);
        return glob;
    }

    CompiledFilter& result_;
};

} // namespace

base::Result<CompiledFilter> compileFilter(std::string_view filter, std::int64_t nowMs) {
    const auto parsed = parseFilter(filter, nowMs);
    if (!parsed)
        return base::Unexpected(base::Diagnostic(
            "filter", parsed.error().message,
            {base::TextLocation{"filter", 1, static_cast<int>(parsed.error().offset) + 1}}));
    CompiledFilter result;
    result.mentionsDeleted = parsed->mentionsDeleted;
    result.best = parsed->best;
    if (parsed->root.kind == FilterNode::Kind::Term || !parsed->root.parts.empty())
        result.condition = SqlWriter(result).write(parsed->root);
    return result;
}

std::vector<FilterField> filterFields() {
    std::vector<FilterField> fields;
    for (const FieldEntry& entry : fieldEntries())
        fields.push_back({entry.name, entry.meaning});
    return fields;
}

} // namespace tilewright::database
