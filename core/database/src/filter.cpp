// SPDX-License-Identifier: Apache-2.0
#include "search_pattern.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/record_query.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilewright::database {
namespace {

enum class FieldType : std::uint8_t { Integer, Number, Seconds, Age, Text, Status, Origin, Switch };

/// How a field is asked for in SQL. For Text, `sql` holds the column inside `wrap`, in which `%`
/// stands for the comparison.
struct Field {
    std::string_view name;
    FieldType type;
    std::string_view column;
    std::string_view wrap;
    std::string_view meaning;
};

constexpr std::string_view kByTask = "r.task IN (SELECT id FROM tasks WHERE %)";
constexpr std::string_view kByTarget = "r.target IN (SELECT id FROM targets WHERE %)";
constexpr std::string_view kByTag = "r.id IN (SELECT record FROM tags WHERE %)";
constexpr std::string_view kByNote = "r.id IN (SELECT record FROM notes WHERE %)";
constexpr std::string_view kByWorkload = "r.workload IN (SELECT id FROM workloads WHERE %)";
constexpr std::string_view kByTrace =
    "EXISTS (SELECT 1 FROM traces t WHERE t.record = r.id AND (%))";

constexpr Field kFields[] = {
    {"id", FieldType::Integer, "r.id", "", "number of the record"},
    {"task", FieldType::Text, "name", kByTask, "name of the task"},
    {"workload", FieldType::Text, "name", kByWorkload, "name of the workload"},
    {"hash", FieldType::Text, "printf('%llu', hash)", kByWorkload, "hash of the workload"},
    {"target", FieldType::Text, "text", kByTarget, "the target's text"},
    {"status", FieldType::Status, "r.status", "", "ok, build, run-timeout, ...; failed = not ok"},
    {"origin", FieldType::Origin, "r.origin", "", "trial, default, imported, manual"},
    {"error", FieldType::Text, "r.message", "%", "message of a failure"},
    {"median_us", FieldType::Seconds, "r.median_s", "", "median latency"},
    {"median", FieldType::Seconds, "r.median_s", "", "median latency"},
    {"latency", FieldType::Seconds, "r.median_s", "", "median latency"},
    {"lat", FieldType::Seconds, "r.median_s", "", "median latency"},
    {"lo_us", FieldType::Seconds, "r.low_s", "", "lower end of the median's interval"},
    {"hi_us", FieldType::Seconds, "r.high_s", "", "upper end of the median's interval"},
    {"n", FieldType::Integer, "r.n", "", "number of samples"},
    {"full", FieldType::Switch, "r.complete", "", "measured with the full number and repeat"},
    {"trial", FieldType::Integer, "r.trial", "", "number of the trial"},
    {"round", FieldType::Integer, "r.round", "", "round of the task"},
    {"session", FieldType::Integer, "r.session", "", "number of the session"},
    {"age", FieldType::Age, "r.time_ms", "", "time since it was committed"},
    {"time", FieldType::Integer, "r.time_ms", "", "ms since 1970"},
    {"device", FieldType::Text, "r.device", "%", "name of the device"},
    {"predicted", FieldType::Number, "r.predicted", "", "the cost model's score"},
    {"build", FieldType::Seconds, "r.build_s", "", "time to build"},
    {"verified", FieldType::Switch, "coalesce(r.verified, 0)", "", "compared with the reference"},
    {"tag", FieldType::Text, "tag", kByTag, "one of its tags"},
    {"note", FieldType::Text, "note", kByNote, "its note"},
    {"starred", FieldType::Switch, "(r.id IN (SELECT record FROM stars))", "", "has a star"},
    {"pinned", FieldType::Switch, "(r.id IN (SELECT record FROM pins))", "", "is a baseline"},
    {"deleted", FieldType::Switch, "(r.id IN (SELECT record FROM deletions))", "",
     "was deleted (left out unless asked for)"},
    {"trace", FieldType::Text, "t.json", kByTrace, "the trace's JSON"},
};

struct FilterError {
    std::size_t at;
    std::string message;
};

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
    std::string result;
    for (const char c : text)
        result.push_back(lower(c));
    return result;
}

std::vector<std::string> splitAt(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

class FilterCompiler {
public:
    FilterCompiler(std::string_view text, std::int64_t now) : text_(text), now_(now) {}

    CompiledFilter run() {
        skip();
        if (pos_ < text_.size()) {
            result_.condition = disjunction(0);
            skip();
            if (pos_ < text_.size())
                throw FilterError{pos_, "a ')' without '('"};
        }
        return std::move(result_);
    }

private:
    void skip() {
        while (pos_ < text_.size() && isBlank(text_[pos_]))
            ++pos_;
    }

    bool takeWord(std::string_view word) {
        skip();
        if (text_.size() - pos_ < word.size() || lowered(text_.substr(pos_, word.size())) != word)
            return false;
        const std::size_t end = pos_ + word.size();
        if (end < text_.size() && !isBlank(text_[end]) && text_[end] != '(' && text_[end] != ')')
            return false;
        pos_ = end;
        return true;
    }

    bool atEnd() {
        skip();
        return pos_ >= text_.size() || text_[pos_] == ')';
    }

    std::string disjunction(int depth) {
        std::string sql = conjunction(depth);
        while (takeWord("or"))
            sql = base::concat("(", sql, " OR ", conjunction(depth), ")");
        return sql;
    }

    std::string conjunction(int depth) {
        std::string sql = negation(depth);
        while (true) {
            const bool word = takeWord("and");
            const std::size_t before = pos_;
            if (!word && (atEnd() || takeWord("or"))) {
                pos_ = before;
                return sql;
            }
            sql = base::concat("(", sql, " AND ", negation(depth), ")");
        }
    }

    std::string negation(int depth) {
        // Each level costs stack here and in SQLite, whose limit is 1000.
        if (depth > 100)
            throw FilterError{pos_, "more than 100 levels of parentheses and 'not'"};
        if (takeWord("not"))
            return base::concat("(NOT coalesce(", negation(depth + 1), ", 0))");
        skip();
        if (pos_ < text_.size() && text_[pos_] == '(') {
            const std::size_t open = pos_++;
            std::string sql = disjunction(depth + 1);
            skip();
            if (pos_ >= text_.size() || text_[pos_] != ')')
                throw FilterError{open, "a '(' without ')'"};
            ++pos_;
            return sql;
        }
        if (++terms_ > 200)
            throw FilterError{pos_, "more than 200 terms"};
        return term();
    }

    std::string term() {
        if (atEnd())
            throw FilterError{pos_, "a term is missing here, such as status=ok"};
        const std::size_t begin = pos_;
        if (text_[pos_] == '"')
            return compareText(*findField("task"), "~", escapedPattern(value()), begin);
        while (pos_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[pos_])) ||
                                       text_[pos_] == '_' || text_[pos_] == '-'))
            ++pos_;
        const std::string name = lowered(text_.substr(begin, pos_ - begin));
        const std::size_t nameEnd = pos_;
        skip();
        const std::string op = takeOperator();
        if (op.empty()) {
            pos_ = begin;
            return bareWord();
        }
        const Field* field = findField(name);
        if (!field)
            throw FilterError{begin,
                              base::concat("the field '", text_.substr(begin, nameEnd - begin),
                                           "' is not known; accepted: ", fieldNames())};
        if (field->name == "deleted")
            result_.mentionsDeleted = true;
        skip();
        const std::size_t valueAt = pos_;
        const std::string text = value();
        if (text.empty())
            throw FilterError{valueAt, base::concat("a value is missing after '", name, op, "'")};
        return compare(*field, op, text, valueAt);
    }

    std::string takeOperator() {
        for (const std::string_view op : {"<=", ">=", "!=", "==", "<", ">", "=", ":", "~"})
            if (text_.substr(pos_, op.size()) == op) {
                pos_ += op.size();
                return op == "==" ? "=" : std::string(op);
            }
        return {};
    }

    /// A word up to a blank or parenthesis, or text in double quotes.
    std::string value() {
        std::string word;
        if (pos_ < text_.size() && text_[pos_] == '"') {
            const std::size_t open = pos_++;
            while (pos_ < text_.size() && text_[pos_] != '"') {
                if (text_[pos_] == '\\' && pos_ + 1 < text_.size() &&
                    (text_[pos_ + 1] == '"' || text_[pos_ + 1] == '\\'))
                    ++pos_;
                word.push_back(text_[pos_++]);
            }
            if (pos_ >= text_.size())
                throw FilterError{open, "a '\"' that is never closed"};
            ++pos_;
            return word;
        }
        int depth = 0; // a pattern may have parentheses of its own
        while (pos_ < text_.size() && !isBlank(text_[pos_])) {
            depth += text_[pos_] == '(';
            if (text_[pos_] == ')' && --depth < 0)
                break;
            word.push_back(text_[pos_++]);
        }
        return word;
    }

    std::string bareWord() {
        const std::size_t at = pos_;
        const std::string word = value();
        if (word.empty())
            throw FilterError{at, base::concat("expected a term such as status=ok, found '",
                                               text_.substr(at, 1), "'")};
        if (word.find_first_of("<>=!~:") != std::string::npos)
            throw FilterError{at, base::concat("'", word, "' is no term such as status=ok")};
        const bool glob = word.find_first_of("*?") != std::string::npos;
        return glob ? compareText(*findField("task"), ":", word, at)
                    : compareText(*findField("task"), "~", escapedPattern(word), at);
    }

    static std::string escapedPattern(std::string_view word) {
        std::string pattern;
        for (const char c : word) {
            if (std::string_view(".*+?|()[]^$\\").find(c) != std::string_view::npos)
                pattern.push_back('\\');
            pattern.push_back(c);
        }
        return pattern;
    }

    static const Field* findField(std::string_view name) {
        const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                         [&](const Field& field) { return field.name == name; });
        return found == std::end(kFields) ? nullptr : found;
    }

    static std::string fieldNames() {
        std::vector<std::string> names;
        for (const Field& field : kFields)
            names.emplace_back(field.name);
        return base::join(names, ", ");
    }

    std::string parameter(SqlValue value) {
        result_.parameters.push_back(std::move(value));
        return "?";
    }

    std::string compare(const Field& field, const std::string& op, const std::string& text,
                        std::size_t at) {
        switch (field.type) {
        case FieldType::Text:
            return compareText(field, op, text, at);
        case FieldType::Status:
        case FieldType::Origin:
            return compareWord(field, op, text, at);
        default:
            break;
        }
        if (op == "~")
            throw FilterError{
                at, base::concat("the field '", field.name, "' is a number; '~' searches texts")};
        const std::string sqlOp = op == ":" || op == "=" ? "=" : op == "!=" ? "<>" : op;
        if (sqlOp != "=" && sqlOp != "<>")
            return compareNumber(field, sqlOp, text, at);
        std::string sql;
        for (const std::string& part : splitAt(text, ',')) {
            if (!sql.empty())
                sql += sqlOp == "=" ? " OR " : " AND ";
            sql += compareNumber(field, sqlOp, part, at);
        }
        return "(" + sql + ")";
    }

    std::string compareNumber(const Field& field, std::string sqlOp, const std::string& text,
                              std::size_t at) {
        SqlValue bound;
        switch (field.type) {
        case FieldType::Switch:
            bound = switchValue(text, at);
            break;
        case FieldType::Seconds:
            bound = duration(text,
                             {{"ns", 1e-9},
                              {"us", 1e-6},
                              {"\xC2\xB5s", 1e-6},
                              {"ms", 1e-3},
                              {"s", 1},
                              {"", 1e-6}},
                             at);
            break;
        case FieldType::Age: {
            const double seconds = duration(
                text, {{"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}},
                at);
            bound = now_ - static_cast<std::int64_t>(seconds * 1000);
            // Older means committed earlier.
            for (char& c : sqlOp)
                c = c == '<' ? '>' : c == '>' ? '<' : c;
            break;
        }
        case FieldType::Integer:
            bound = integer(text, at);
            break;
        default:
            bound = duration(text, {{"", 1}}, at);
        }
        return base::concat(field.column, " ", sqlOp, " ", parameter(std::move(bound)));
    }

    static std::int64_t switchValue(const std::string& text, std::size_t at) {
        const std::string word = lowered(text);
        if (word == "1" || word == "yes" || word == "true")
            return 1;
        if (word == "0" || word == "no" || word == "false")
            return 0;
        throw FilterError{at, base::concat("expected yes or no, found '", text, "'")};
    }

    static std::int64_t integer(const std::string& text, std::size_t at) {
        std::int64_t number = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        if (end.ec != std::errc() || end.ptr != text.data() + text.size())
            throw FilterError{at, base::concat("expected an integer, found '", text, "'")};
        return number;
    }

    static double duration(const std::string& text,
                           std::initializer_list<std::pair<std::string_view, double>> units,
                           std::size_t at) {
        double number = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, number);
        const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
        std::string accepted;
        for (const auto& [name, factor] : units) {
            if (read.ec == std::errc() && unit == name && std::isfinite(number))
                return number * factor;
            accepted += base::concat(accepted.empty() ? "" : ", ",
                                     name.empty() ? std::string_view("no unit") : name);
        }
        throw FilterError{at, base::concat("expected a number with one of the units ", accepted,
                                           "; found '", text, "'")};
    }

    std::string compareWord(const Field& field, const std::string& op, const std::string& text,
                            std::size_t at) {
        if (op != "=" && op != ":" && op != "!=")
            throw FilterError{at, base::concat("the field '", field.name, "' takes '=' and '!='")};
        std::string list;
        for (const std::string& word : splitAt(lowered(text), ',')) {
            if (!list.empty())
                list += ",";
            if (field.type == FieldType::Status && word == "failed") {
                list += "1,2,3,4,5,6,7,8,9,10,11";
                continue;
            }
            list += std::to_string(wordValue(field, word, at));
        }
        return base::concat(field.column, op == "!=" ? " NOT IN (" : " IN (", list, ")");
    }

    static int wordValue(const Field& field, const std::string& word, std::size_t at) {
        std::vector<std::string> accepted;
        const int count = field.type == FieldType::Status ? kRecordStatusCount : 4;
        for (int i = 0; i < count; ++i) {
            const std::string_view name = field.type == FieldType::Status
                                              ? toString(static_cast<RecordStatus>(i))
                                              : toString(static_cast<RecordOrigin>(i));
            if (name == word)
                return i;
            accepted.emplace_back(name);
        }
        throw FilterError{at, base::concat("the ", field.name, " '", word, "' is not known; ",
                                           "accepted: ", base::join(accepted, ", "))};
    }

    std::string compareText(const Field& field, const std::string& op, const std::string& text,
                            std::size_t at) {
        std::string inner;
        if (op == "~") {
            if (const auto pattern = SearchPattern::compile(text); !pattern)
                throw FilterError{at, pattern.error().message};
            inner = base::concat("tw_regex(", parameter(text), ", ", field.column, ")");
        } else if (op == ":" || op == "=" || op == "!=") {
            for (const std::string& part : splitAt(lowered(text), ',')) {
                if (!inner.empty())
                    inner += " OR ";
                inner += base::concat("lower(", field.column, ") GLOB ", parameter(globOf(part)));
            }
        } else {
            throw FilterError{at, base::concat("the field '", field.name,
                                               "' is a text; it takes ':', '=', '!=' and '~'")};
        }
        std::string sql(field.wrap);
        sql.replace(sql.find('%'), 1, inner);
        return op == "!=" ? base::concat("(NOT coalesce((", sql, "), 0))") : "(" + sql + ")";
    }

    /// SQLite's GLOB gives '[' a meaning that we do not offer.
    static std::string globOf(std::string_view text) {
        std::string glob;
        for (const char c : text)
            glob += c == '[' ? std::string("[[]") : std::string(1, c);
        return glob;
    }

    std::string_view text_;
    std::int64_t now_;
    std::size_t pos_ = 0;
    int terms_ = 0;
    CompiledFilter result_;
};

} // namespace

base::Result<CompiledFilter> compileFilter(std::string_view filter, std::int64_t nowMs) {
    try {
        return FilterCompiler(filter, nowMs).run();
    } catch (const FilterError& error) {
        return base::Unexpected(
            base::Diagnostic("filter", error.message,
                             {base::TextLocation{"filter", 1, static_cast<int>(error.at) + 1}}));
    }
}

std::vector<FilterField> filterFields() {
    std::vector<FilterField> fields;
    for (const Field& field : kFields)
        fields.push_back({field.name, field.meaning});
    return fields;
}

} // namespace tilewright::database
