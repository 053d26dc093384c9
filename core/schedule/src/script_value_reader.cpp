// SPDX-License-Identifier: Apache-2.0
#include "script_value_reader.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/parser.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilewright::schedule {

namespace {

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isNamePart(char c) {
    return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c));
}

} // namespace

void ScriptReader::refuse(const std::string& message, std::size_t at) const {
    int line = 1;
    int column = 1;
    for (std::size_t i = 0; i < std::min(at, text_.size()); ++i) {
        ++column;
        if (text_[i] == '\n') {
            ++line;
            column = 1;
        }
    }
    throw base::ParseError("schedule-script", message,
                           {base::TextLocation{fileName_, line, column}});
}

void ScriptReader::skipBlanks(bool lines) {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
            ++at_;
        } else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
            at_ += 2;
        } else if (c == '#') {
            while (at_ < text_.size() && text_[at_] != '\n')
                ++at_;
        } else {
            return;
        }
    }
}

bool ScriptReader::take(char c, bool lines) {
    skipBlanks(lines);
    if (peek() != c || atEnd())
        return false;
    ++at_;
    return true;
}

void ScriptReader::expect(char c, bool lines) {
    if (!take(c, lines))
        refuse(atEnd() ? base::concat("`", c, "` is expected, found the end")
                       : base::concat("`", c, "` is expected, found `", peek(), "`"));
}

std::string_view ScriptReader::takeName() {
    if (!isNameStart(peek()))
        return {};
    const std::size_t start = at_;
    while (at_ < text_.size() && isNamePart(text_[at_]))
        ++at_;
    return text_.substr(start, at_ - start);
}

void ScriptReader::skipLine() {
    while (at_ < text_.size() && text_[at_] != '\n')
        ++at_;
}

Value ScriptReader::readValue() {
    constexpr int kDeepest = 200;
    if (depth_ >= kDeepest)
        refuse("nested too deep");
    ++depth_;
    Value value = readPart();
    --depth_;
    return value;
}

Value ScriptReader::readPart() {
    skipBlanks(true);
    const char c = peek();
    if (c == '"' || c == '\'')
        return readString();
    if (c == '[')
        return ++at_, readSequence(']');
    if (c == '(')
        return ++at_, readSequence(')');
    if (c == '{')
        return ++at_, readDict();
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.')
        return readNumber();
    const std::size_t start = at_;
    const std::string_view name = takeName();
    if (name.empty())
        refuse("a value is expected");
    if (name == "lambda")
        return readLambda(start);
    return readNamed(name, start);
}

Value ScriptReader::readNumber() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.' ||
            ((text_[at_] == '-' || text_[at_] == '+') &&
             (at_ == start || text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
        ++at_;
    std::string_view digits = text_.substr(start, at_ - start);
    if (!digits.empty() && digits.front() == '+')
        digits.remove_prefix(1);
    const char* end = digits.data() + digits.size();
    std::int64_t whole = 0;
    if (const auto r = std::from_chars(digits.data(), end, whole);
        r.ec == std::errc() && r.ptr == end)
        return whole;
    double real = 0;
    if (const auto r = std::from_chars(digits.data(), end, real);
        r.ec == std::errc() && r.ptr == end)
        return real;
    refuse(base::concat("`", digits, "` is no number"), start);
}

Value ScriptReader::readString() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    std::string result;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
            ++at_;
            const char c = text_[at_];
            result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        } else {
            result += text_[at_];
        }
        ++at_;
    }
    if (peek() != quote)
        refuse("a string is not closed", start);
    ++at_;
    return result;
}

Value ScriptReader::readSequence(char close) {
    Value::List items;
    while (!take(close, true)) {
        items.push_back(readValue());
        if (!take(',', true)) {
            expect(close, true);
            break;
        }
    }
    return Value(std::move(items));
}

Value ScriptReader::readDict() {
    Value::Dict items;
    ++dictDepth_;
    while (!take('}', true)) {
        const std::size_t start = at_;
        const Value key = readValue();
        if (!key.asString())
            refuse("the keys of a dictionary must be strings", start);
        expect(':', true);
        items.emplace_back(*key.asString(), readValue());
        if (!take(',', true)) {
            expect('}', true);
            break;
        }
    }
    --dictDepth_;
    std::sort(items.begin(), items.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return Value(std::move(items));
}

namespace {

/// `[(a, b), (c, d)]` of a range map as the tuple `(a, b, c, d)`.
std::string flattenedRanges(std::string_view body) {
    std::string result = "(";
    int depth = 0;
    for (const char c : body.substr(1, body.size() - 2)) {
        if (c == '(' || c == '[')
            if (depth++ == 0)
                continue;
        if (c == ')' || c == ']')
            if (--depth == 0)
                continue;
        result += c;
    }
    return result + ",)";
}

} // namespace

Value ScriptReader::readLambda(std::size_t start) {
    while (at_ < text_.size() && text_[at_] != ':')
        ++at_;
    const std::size_t colon = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}'))
            break;
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    }
    std::string text(text_.substr(start, at_ - start));
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    const std::size_t body = text.find_first_not_of(" \t\n", colon - start + 1);
    if (body != std::string::npos && text[body] == '[' && text.find('(', body) == body + 1)
        text = text.substr(0, body) + flattenedRanges(std::string_view(text).substr(body));
    try {
        return ir::parseIndexMap(text, fileName_);
    } catch (const base::UserError& error) {
        refuse(base::concat("not an index map: ", error.diagnostic().message), start);
    }
}

Value ScriptReader::readNamed(std::string_view name, std::size_t start) {
    if (name == "True")
        return true;
    if (name == "False")
        return false;
    if (name == "None")
        return {};
    if (const auto found = names_.find(std::string(name)); found != names_.end())
        return found->second;
    // `tvm.tirx.IndexMap.from_func(lambda …, inverse_index_map=lambda …)`
    std::string_view last = name;
    if (dictDepth_ > 0 && peek() != '.')
        return std::string(name);
    while (take('.', false))
        last = takeName();
    if (last != "from_func")
        refuse(base::concat("the variable ", name, " is not known"), start);
    expect('(', false);
    const auto arguments = readArguments();
    if (arguments.empty() || !arguments[0].value.asIndexMap())
        refuse("from_func takes a lambda", start);
    ir::IndexMap map = *arguments[0].value.asIndexMap();
    for (const Argument& argument : arguments)
        if (argument.name == "inverse_index_map" && argument.value.asIndexMap())
            map.inverse = std::make_shared<const ir::IndexMap>(*argument.value.asIndexMap());
    return map;
}

std::vector<ScriptReader::Argument> ScriptReader::readArguments() {
    std::vector<Argument> arguments;
    while (!take(')', true)) {
        skipBlanks(true);
        Argument argument;
        argument.place = at_;
        const std::size_t start = at_;
        const std::string_view name = takeName();
        skipBlanks(true);
        if (!name.empty() && peek() == '=' && text_.substr(at_, 2) != "==") {
            ++at_;
            argument.name = std::string(name);
        } else {
            at_ = start;
        }
        argument.value = readValue();
        arguments.push_back(std::move(argument));
        if (!take(',', true)) {
            expect(')', true);
            break;
        }
    }
    return arguments;
}

} // namespace tilewright::schedule
