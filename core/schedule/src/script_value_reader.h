// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/value.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright::schedule {

/// Reads the values of a schedule script: names, numbers, strings, lists, tuples, dictionaries,
/// lambdas. Throws base::ParseError (kind `schedule-script`) with the place.
class ScriptReader {
public:
    ScriptReader(std::string_view text, std::string_view fileName)
        : text_(text), fileName_(fileName) {}

    /// Skips blanks and comments; inside parentheses also line breaks.
    void skipBlanks(bool lines);
    [[nodiscard]] bool atEnd() const { return at_ >= text_.size(); }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    /// Takes the character when it is next (after blanks).
    bool take(char c, bool lines);
    void expect(char c, bool lines);
    /// A name, empty when none is next.
    std::string_view takeName();
    void skipLine();

    [[nodiscard]] std::size_t position() const { return at_; }
    [[noreturn]] void refuse(const std::string& message, std::size_t at) const;
    [[noreturn]] void refuse(const std::string& message) const { refuse(message, at_); }

    Value readValue();
    /// Arguments up to the closing parenthesis: name (empty = by position) and value.
    struct Argument {
        std::string name;
        Value value;
        std::size_t place = 0;
    };
    std::vector<Argument> readArguments();

    void define(std::string name, Rv rv) { names_[std::move(name)] = rv; }

private:
    Value readPart();
    Value readNumber();
    Value readString();
    Value readSequence(char close);
    Value readDict();
    Value readLambda(std::size_t start);
    Value readNamed(std::string_view name, std::size_t start);

    std::string_view text_;
    std::string fileName_;
    std::size_t at_ = 0;
    int depth_ = 0;     ///< of values inside values
    int dictDepth_ = 0; ///< inside dictionaries TVM prints strings without quotes
    std::unordered_map<std::string, Rv> names_;
};

} // namespace tilewright::schedule
