// SPDX-License-Identifier: Apache-2.0
#include "filter_fields.h"
#include "search_pattern.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/filter_syntax.h>
#include <tilewright/database/record.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace tilewright::database {
namespace {

using enum FieldType;

constexpr FieldEntry kFields[] = {
    {"id", RecordField::Id, Integer, "number of the record"},
    {"task", RecordField::Task, Text, "name of the task"},
    {"op", RecordField::Op, Text, "an operator in the task's name"},
    {"workload", RecordField::Workload, Text, "name of the workload"},
    {"hash", RecordField::Hash, Text, "hash of the workload"},
    {"target", RecordField::Target, Text, "the target's text"},
    {"status", RecordField::Status, Status, "ok, build, run-timeout, ...; failed = not ok"},
    {"origin", RecordField::Origin, Origin, "trial, default, imported, manual"},
    {"error", RecordField::Error, Text, "message of a failure"},
    {"median_us", RecordField::Median, Seconds, "median latency"},
    {"median", RecordField::Median, Seconds, "median latency"},
    {"latency", RecordField::Median, Seconds, "median latency"},
    {"lat", RecordField::Median, Seconds, "median latency"},
    {"lo_us", RecordField::Low, Seconds, "lower end of the median's interval"},
    {"hi_us", RecordField::High, Seconds, "upper end of the median's interval"},
    {"n", RecordField::Samples, Integer, "number of samples"},
    {"gflops", RecordField::Gflops, Number, "rate at the median, in GFLOPS"},
    {"full", RecordField::Full, Switch, "measured with the full number and repeat"},
    {"trial", RecordField::Trial, Integer, "number of the trial"},
    {"round", RecordField::Round, Integer, "round of the task"},
    {"session", RecordField::Session, Integer, "number of the session"},
    {"age", RecordField::Time, Age, "time since it was committed"},
    {"time", RecordField::Time, Integer, "ms since 1970"},
    {"device", RecordField::Device, Text, "name of the device"},
    {"predicted", RecordField::Predicted, Number, "the cost model's score"},
    {"build", RecordField::Build, Seconds, "time to build"},
    {"verified", RecordField::Verified, Switch, "compared with the reference"},
    {"tag", RecordField::Tag, Text, "one of its tags; best: the best of its task"},
    {"note", RecordField::Note, Text, "its note"},
    {"starred", RecordField::Starred, Switch, "has a star"},
    {"pinned", RecordField::Pinned, Switch, "is a baseline"},
    {"deleted", RecordField::Deleted, Switch, "was deleted (left out unless asked for)"},
    {"trace", RecordField::Trace, Text, "the trace's JSON"},
    {"best", RecordField::Best, Integer, "the best so many of each task"},
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

const FieldEntry* findField(std::string_view name) {
    const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                     [&](const FieldEntry& field) { return field.name == name; });
    return found == std::end(kFields) ? nullptr : found;
}

std::string fieldNames() {
    std::vector<std::string> names;
    for (const FieldEntry& field : kFields)
        names.emplace_back(field.name);
    return base::join(names, ", ");
}

std::string escapedPattern(std::string_view word) {
    std::string pattern;
    for (const char c : word) {
        if (std::string_view(".*+?|()[]^$\\").find(c) != std::string_view::npos)
            pattern.push_back('\\');
        pattern.push_back(c);
    }
    return pattern;
}

/// The values of a term; throws FilterProblem at the value's place.
class ValueReader {
public:
    ValueReader(std::size_t offset, std::size_t length, std::int64_t now)
        : offset_(offset), length_(length), now_(now) {}

    FilterTerm read(const FieldEntry& field, std::string_view op, const std::string& text) const {
        FilterTerm term;
        term.field = field.field;
        term.op = opOf(op);
        switch (field.type) {
        case Text:
            readText(field, term, text);
            break;
        case Status:
        case Origin:
            readWords(field, term, text);
            break;
        default:
            readNumbers(field, term, text);
        }
        return term;
    }

    [[noreturn]] void fail(std::string message) const {
        throw FilterProblem{offset_, length_, std::move(message)};
    }

private:
    static FilterOp opOf(std::string_view op) {
        return op == "~"    ? FilterOp::Search
               : op == "!=" ? FilterOp::NotEqual
               : op == "<"  ? FilterOp::Less
               : op == "<=" ? FilterOp::LessEqual
               : op == ">"  ? FilterOp::Greater
               : op == ">=" ? FilterOp::GreaterEqual
                            : FilterOp::Equal;
    }
    static bool isEquality(FilterOp op) {
        return op == FilterOp::Equal || op == FilterOp::NotEqual;
    }

    void readText(const FieldEntry& field, FilterTerm& term, const std::string& text) const {
        if (term.op == FilterOp::Search) {
            if (const auto pattern = SearchPattern::compile(text); !pattern)
                fail(pattern.error().message);
            term.texts = {text};
        } else if (isEquality(term.op)) {
            term.texts = splitAt(lowered(text), ',');
            if (field.field == RecordField::Op)
                for (std::string& part : term.texts)
                    part = "*" + part + "*";
        } else {
            fail(base::concat("the field '", field.name,
                              "' is a text; it takes ':', '=', '!=' and '~'"));
        }
    }

    void readWords(const FieldEntry& field, FilterTerm& term, const std::string& text) const {
        if (!isEquality(term.op))
            fail(base::concat("the field '", field.name, "' takes '=' and '!='"));
        for (const std::string& word : splitAt(lowered(text), ',')) {
            if (field.type == Status && word == "failed")
                for (int code = 1; code < kRecordStatusCount; ++code)
                    term.numbers.push_back(code);
            else
                term.numbers.push_back(wordValue(field, word));
        }
    }

    int wordValue(const FieldEntry& field, const std::string& word) const {
        std::vector<std::string> accepted;
        const int count = field.type == Status ? kRecordStatusCount : 4;
        for (int i = 0; i < count; ++i) {
            const std::string_view name = field.type == Status
                                              ? toString(static_cast<RecordStatus>(i))
                                              : toString(static_cast<RecordOrigin>(i));
            if (name == word)
                return i;
            accepted.emplace_back(name);
        }
        fail(base::concat("the ", field.name, " '", word, "' is not known; ",
                          "accepted: ", base::join(accepted, ", ")));
    }

    void readNumbers(const FieldEntry& field, FilterTerm& term, const std::string& text) const {
        if (term.op == FilterOp::Search)
            fail(base::concat("the field '", field.name, "' is a number; '~' searches texts"));
        const bool several = isEquality(term.op);
        for (const std::string& part : several ? splitAt(text, ',') : std::vector{text})
            term.numbers.push_back(number(field.type, part));
        if (field.type != Age)
            return;
        // Older means committed earlier.
        switch (term.op) {
        case FilterOp::Less:
            term.op = FilterOp::Greater;
            break;
        case FilterOp::LessEqual:
            term.op = FilterOp::GreaterEqual;
            break;
        case FilterOp::Greater:
            term.op = FilterOp::Less;
            break;
        case FilterOp::GreaterEqual:
            term.op = FilterOp::LessEqual;
            break;
        default:
            break;
        }
    }

    double number(FieldType type, const std::string& text) const {
        switch (type) {
        case Switch:
            return switchValue(text);
        case Seconds:
            return duration(text, {{"ns", 1e-9},
                                   {"us", 1e-6},
                                   {"\xC2\xB5s", 1e-6},
                                   {"ms", 1e-3},
                                   {"s", 1},
                                   {"", 1e-6}});
        case Age: {
            const double seconds = duration(
                text, {{"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}});
            return static_cast<double>(now_) - std::trunc(seconds * 1000);
        }
        case Integer:
            return integer(text);
        default:
            return duration(text, {{"", 1}});
        }
    }

    double switchValue(const std::string& text) const {
        const std::string word = lowered(text);
        if (word == "1" || word == "yes" || word == "true")
            return 1;
        if (word == "0" || word == "no" || word == "false")
            return 0;
        fail(base::concat("expected yes or no, found '", text, "'"));
    }

    double integer(const std::string& text) const {
        std::int64_t number = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        if (end.ec != std::errc() || end.ptr != text.data() + text.size())
            fail(base::concat("expected an integer, found '", text, "'"));
        return static_cast<double>(number);
    }

    double duration(const std::string& text,
                    std::initializer_list<std::pair<std::string_view, double>> units) const {
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
        fail(base::concat("expected a number with one of the units ", accepted, "; found '", text,
                          "'"));
    }

    std::size_t offset_;
    std::size_t length_;
    std::int64_t now_;
};

/// Recursive descent; throws FilterProblem.
class FilterParser {
public:
    FilterParser(std::string_view text, std::int64_t now) : text_(text), now_(now) {}

    ParsedFilter run() {
        skip();
        if (pos_ < text_.size()) {
            result_.root = disjunction(0);
            skip();
            if (pos_ < text_.size())
                throw FilterProblem{pos_, 1, "a ')' without '('"};
        }
        if (result_.best > 0 && result_.root.kind == FilterNode::Kind::Any)
            throw bestInside(bestAt_);
        return std::move(result_);
    }

private:
    static FilterProblem bestInside(std::size_t at) {
        return {at, 4,
                "'best' chooses among all that fit; it cannot stand inside 'or', 'not' or "
                "parentheses"};
    }

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

    static void add(FilterNode& node, FilterNode part) {
        node.length = part.offset + part.length - node.offset;
        node.parts.push_back(std::move(part));
    }

    FilterNode disjunction(int depth) {
        FilterNode node = conjunction(depth);
        bool open = false;
        while (takeWord("or")) {
            if (!open)
                node = wrap(FilterNode::Kind::Any, std::move(node));
            open = true;
            add(node, conjunction(depth));
        }
        return node;
    }

    static FilterNode wrap(FilterNode::Kind kind, FilterNode first) {
        FilterNode node;
        node.kind = kind;
        node.offset = first.offset;
        node.length = first.length;
        node.parts.push_back(std::move(first));
        return node;
    }

    FilterNode conjunction(int depth) {
        FilterNode node = negation(depth);
        bool open = false;
        while (true) {
            const bool word = takeWord("and");
            const std::size_t before = pos_;
            if (!word && (atEnd() || takeWord("or"))) {
                pos_ = before;
                return node;
            }
            if (!open)
                node = wrap(FilterNode::Kind::All, std::move(node));
            open = true;
            add(node, negation(depth));
        }
    }

    FilterNode negation(int depth) {
        // Each level costs stack here and in SQLite, whose limit is 1000.
        if (depth > 100)
            throw FilterProblem{pos_, 1, "more than 100 levels of parentheses and 'not'"};
        skip();
        const std::size_t begin = pos_;
        if (takeWord("not")) {
            FilterNode node = wrap(FilterNode::Kind::Not, negation(depth + 1));
            node.offset = begin;
            node.length = pos_ - begin;
            return node;
        }
        if (pos_ < text_.size() && text_[pos_] == '(') {
            const std::size_t open = pos_++;
            FilterNode node = disjunction(depth + 1);
            skip();
            if (pos_ >= text_.size() || text_[pos_] != ')')
                throw FilterProblem{open, 1, "a '(' without ')'"};
            ++pos_;
            node.offset = open;
            node.length = pos_ - open;
            return node;
        }
        if (++terms_ > 200)
            throw FilterProblem{pos_, 1, "more than 200 terms"};
        FilterNode node = term(depth);
        node.offset = begin;
        node.length = pos_ - begin;
        return node;
    }

    FilterNode term(int depth) {
        if (atEnd())
            throw FilterProblem{pos_, 0, "a term is missing here, such as status=ok"};
        const std::size_t begin = pos_;
        if (text_[pos_] == '"')
            return searchedTask(value(), begin);
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
        const FieldEntry* field = findField(name);
        if (!field)
            throw FilterProblem{begin, std::max<std::size_t>(nameEnd - begin, 1),
                                base::concat("the field '", text_.substr(begin, nameEnd - begin),
                                             "' is not known; accepted: ", fieldNames())};
        if (field->field == RecordField::Deleted)
            result_.mentionsDeleted = true;
        skip();
        const std::size_t valueAt = pos_;
        const std::string text = value();
        if (text.empty())
            throw FilterProblem{valueAt, 0,
                                base::concat("a value is missing after '", name, op, "'")};
        const ValueReader reader(valueAt, pos_ - valueAt, now_);
        FilterNode node = nodeOf(reader.read(*field, op, text));
        if (field->field == RecordField::Best)
            return keepBest(node.term, begin, depth, reader);
        return node;
    }

    FilterNode keepBest(const FilterTerm& term, std::size_t begin, int depth,
                        const ValueReader& reader) {
        if (depth > 0)
            throw bestInside(begin);
        if (term.op != FilterOp::Equal || term.numbers.size() != 1 || term.numbers[0] < 1)
            reader.fail("'best' takes one number above 0, such as best:5");
        result_.best = static_cast<std::int64_t>(term.numbers[0]);
        bestAt_ = begin;
        return {};
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
                throw FilterProblem{open, text_.size() - open, "a '\"' that is never closed"};
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

    FilterNode bareWord() {
        const std::size_t at = pos_;
        const std::string word = value();
        if (word.empty())
            throw FilterProblem{at, 1,
                                base::concat("expected a term such as status=ok, found '",
                                             text_.substr(at, 1), "'")};
        if (word.find_first_of("<>=!~:") != std::string::npos)
            throw FilterProblem{at, pos_ - at,
                                base::concat("'", word, "' is no term such as status=ok")};
        // `starred` alone is what `starred:yes` says.
        const FieldEntry* field = findField(lowered(word));
        if (field && field->type == Switch) {
            result_.mentionsDeleted |= field->field == RecordField::Deleted;
            FilterTerm term;
            term.field = field->field;
            term.numbers = {1};
            return nodeOf(std::move(term));
        }
        if (word.find_first_of("*?") == std::string::npos)
            return searchedTask(word, at);
        return nodeOf(ValueReader(at, pos_ - at, now_).read(*findField("task"), ":", word));
    }

    FilterNode searchedTask(const std::string& word, std::size_t at) const {
        return nodeOf(
            ValueReader(at, pos_ - at, now_).read(*findField("task"), "~", escapedPattern(word)));
    }

    static FilterNode nodeOf(FilterTerm term) {
        FilterNode node;
        node.kind = FilterNode::Kind::Term;
        node.term = std::move(term);
        return node;
    }

    std::string_view text_;
    std::int64_t now_;
    std::size_t pos_ = 0;
    std::size_t bestAt_ = 0;
    int terms_ = 0;
    ParsedFilter result_;
};

/// Words outside quotes and parentheses.
std::vector<FilterChip> wordsOf(std::string_view filter, const FilterProblem& problem) {
    std::vector<FilterChip> chips;
    std::size_t pos = 0;
    while (pos < filter.size()) {
        if (isBlank(filter[pos])) {
            ++pos;
            continue;
        }
        const std::size_t begin = pos;
        bool quoted = false;
        for (; pos < filter.size() && (quoted || !isBlank(filter[pos])); ++pos)
            quoted ^= filter[pos] == '"';
        const bool last = pos == filter.size();
        const bool wrong =
            problem.offset >= begin && (problem.offset < pos || (last && problem.offset <= pos));
        chips.push_back(
            {std::string(filter.substr(begin, pos - begin)), begin, pos - begin, !wrong});
    }
    return chips;
}

} // namespace

std::span<const FieldEntry> fieldEntries() {
    return kFields;
}

base::Result<ParsedFilter, FilterProblem> parseFilter(std::string_view filter, std::int64_t nowMs) {
    try {
        return FilterParser(filter, nowMs).run();
    } catch (const FilterProblem& problem) {
        return base::Unexpected(problem);
    }
}

struct TextMatcher::State {
    FilterOp op;
    std::vector<std::string> globs;
    SearchPattern pattern;
};

TextMatcher::TextMatcher(const FilterTerm& term) {
    auto state = std::make_shared<State>();
    state->op = term.op;
    if (term.op == FilterOp::Search) {
        if (auto pattern = SearchPattern::compile(term.texts.empty() ? "" : term.texts.front()))
            state->pattern = std::move(*pattern);
    } else {
        state->globs = term.texts;
    }
    state_ = std::move(state);
}

namespace {

/// `*` any text, `?` one character of UTF-8; the glob is in lower case already.
bool globFits(std::string_view glob, std::string_view text) {
    std::size_t g = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t mark = 0;
    const auto next = [&](std::size_t at) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
            ++at;
        return at;
    };
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            mark = t;
        } else if (g < glob.size() && glob[g] == '?') {
            ++g;
            t = next(t);
        } else if (g < glob.size() && glob[g] == lower(text[t])) {
            ++g;
            ++t;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*')
        ++g;
    return g == glob.size();
}

} // namespace

bool TextMatcher::fits(std::string_view text) const {
    if (state_->op == FilterOp::Search)
        return state_->pattern.matches(text);
    return std::any_of(state_->globs.begin(), state_->globs.end(),
                       [&](const std::string& glob) { return globFits(glob, text); });
}

bool TextMatcher::operator()(std::string_view text) const {
    return fits(text) != (state_->op == FilterOp::NotEqual);
}

bool TextMatcher::any(std::span<const std::string> texts) const {
    const bool found = std::any_of(texts.begin(), texts.end(),
                                   [&](const std::string& text) { return fits(text); });
    return found != (state_->op == FilterOp::NotEqual);
}

std::vector<FilterChip> filterChips(std::string_view filter) {
    const auto parsed = parseFilter(filter, 0);
    if (!parsed)
        return wordsOf(filter, parsed.error());
    std::vector<FilterChip> chips;
    const auto add = [&](const FilterNode& node) {
        chips.push_back(
            {std::string(filter.substr(node.offset, node.length)), node.offset, node.length, true});
    };
    const FilterNode& root = parsed->root;
    if (root.length == 0)
        return chips;
    // Parentheses around everything belong to one chip.
    const bool bare = root.kind == FilterNode::Kind::All && !root.parts.empty() &&
                      root.parts.front().offset == root.offset;
    if (bare)
        for (const FilterNode& part : root.parts)
            add(part);
    else
        add(root);
    return chips;
}

std::string joinFilterChips(std::span<const std::string> chips) {
    std::string filter;
    for (const std::string& chip : chips) {
        const auto parsed = parseFilter(chip, 0);
        const bool loose = chips.size() > 1 && parsed &&
                           parsed->root.kind == FilterNode::Kind::Any &&
                           parsed->root.parts.front().offset == parsed->root.offset;
        filter += base::concat(filter.empty() ? "" : " ", loose ? "(" : "", chip, loose ? ")" : "");
    }
    return filter;
}

std::string withoutFilterChip(std::string_view filter, std::size_t index) {
    std::vector<std::string> rest;
    const std::vector<FilterChip> chips = filterChips(filter);
    for (std::size_t i = 0; i < chips.size(); ++i)
        if (i != index)
            rest.push_back(chips[i].text);
    return joinFilterChips(rest);
}

} // namespace tilewright::database
