// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "token.h"

#include <string_view>
#include <vector>

namespace tilewright::ir::python {

/// Splits a Python text into tokens, one at a time, with Newline, Indent and Dedent as Python has
/// them. Throws base::ParseError.
class Lexer {
public:
    Lexer(std::string_view text, std::string_view fileName);
    Token next();
    [[noreturn]] void fail(Position position, std::string message) const;

private:
    Token lineStart();
    Token name();
    Token numeral();
    Token quoted(bool isRaw, Position position);
    Token punctuation();
    /// Refuses bytes that are no text, as Python does, before anything is read.
    void requireUtf8() const;
    void appendEscape(std::string& out, Position position);
    bool skipBlanks();
    void advance(std::size_t count);
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] Position position() const { return position_; }
    Token make(TokenKind kind, Position position, std::string_view text = {}) const;

    std::string_view text_;
    std::string_view fileName_;
    std::size_t at_ = 0;
    Position position_;
    std::vector<int> indents_{0};
    int pendingDedents_ = 0;
    int brackets_ = 0;
    bool atLineStart_ = true;
    bool lineHasToken_ = false;
};

} // namespace tilewright::ir::python
