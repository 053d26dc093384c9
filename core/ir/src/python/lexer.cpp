// SPDX-License-Identifier: Apache-2.0
#include "lexer.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::ir::python {

namespace {

constexpr std::size_t kMaxIndents = 500;

bool isNameStart(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameChar(char c) {
    return isNameStart(c) || isDigit(c);
}
int hexValue(char c) {
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void appendUtf8(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out.push_back(static_cast<char>(code));
    } else if (code < 0x800) {
        out.push_back(static_cast<char>(0xc0 | code >> 6));
        out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        out.push_back(static_cast<char>(0xe0 | code >> 12));
        out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
        out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
    } else {
        out.push_back(static_cast<char>(0xf0 | (code >> 18 & 7)));
        out.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
        out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
        out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
    }
}

/// Length in bytes of the UTF-8 sequence at `at`, 0 when there is none. Overlong forms, which no
/// editor writes, are let through.
std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80)
            return 0;
    return length;
}

} // namespace

Lexer::Lexer(std::string_view text, std::string_view fileName) : text_(text), fileName_(fileName) {
    if (text_.starts_with("\xef\xbb\xbf"))
        text_.remove_prefix(3);
    requireUtf8();
}

void Lexer::requireUtf8() const {
    Position position = position_;
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t length = utf8Length(text_, at);
        if (length == 0)
            fail(position,
                 base::concat("byte ", static_cast<int>(static_cast<unsigned char>(text_[at])),
                              " is no UTF-8 text; a TVMScript module is expected"));
        if (text_[at] == '\n') {
            ++position.line;
            position.column = 1;
        } else {
            position.column += static_cast<int>(length);
        }
        at += length;
    }
}

void Lexer::fail(Position position, std::string message) const {
    throw base::ParseError(
        "tvmscript-syntax", std::move(message),
        {base::TextLocation{std::string(fileName_), position.line, position.column}});
}

Token Lexer::make(TokenKind kind, Position position, std::string_view text) const {
    Token token;
    token.kind = kind;
    token.position = position;
    token.text = text;
    return token;
}

void Lexer::advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
        if (text_[at_] == '\n') {
            ++position_.line;
            position_.column = 1;
        } else {
            ++position_.column;
        }
    }
}

/// Skips blanks, comments, line continuations and, inside brackets, line breaks.
/// Returns false at a line break that counts.
bool Lexer::skipBlanks() {
    while (at_ < text_.size()) {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            advance(1);
        } else if (c == '#') {
            while (at_ < text_.size() && peek() != '\n')
                advance(1);
        } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            advance(peek(1) == '\n' ? 2 : 3);
        } else if (c == '\n') {
            if (brackets_ == 0)
                return false;
            advance(1);
        } else {
            return true;
        }
    }
    return true;
}

Token Lexer::lineStart() {
    // Measures the indentation of the next line that holds anything.
    for (;;) {
        int width = 0;
        for (char c = peek(); c == ' ' || c == '\t' || c == '\f'; c = peek()) {
            width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
            advance(1);
        }
        const bool counts = skipBlanks();
        if (at_ >= text_.size())
            width = 0;
        else if (!counts) {
            advance(1);
            continue;
        }
        atLineStart_ = false;
        if (width > indents_.back()) {
            if (indents_.size() >= kMaxIndents)
                fail(position(), "blocks are nested too deep");
            indents_.push_back(width);
            return make(TokenKind::Indent, position());
        }
        while (width < indents_.back()) {
            indents_.pop_back();
            ++pendingDedents_;
        }
        if (width != indents_.back())
            fail(position(), "the indentation fits no outer block");
        return next();
    }
}

Token Lexer::next() {
    if (pendingDedents_ > 0) {
        --pendingDedents_;
        return make(TokenKind::Dedent, position());
    }
    if (atLineStart_)
        return lineStart();
    if (!skipBlanks() || at_ >= text_.size()) {
        const Position here = position();
        if (at_ < text_.size() || lineHasToken_) {
            advance(1);
            atLineStart_ = true;
            const bool had = lineHasToken_;
            lineHasToken_ = false;
            return had ? make(TokenKind::Newline, here) : lineStart();
        }
        if (brackets_ > 0)
            fail(here, "the text ends inside brackets");
        return make(TokenKind::End, here);
    }
    lineHasToken_ = true;
    const char c = peek();
    if (isNameStart(c))
        return name();
    if (isDigit(c) || (c == '.' && isDigit(peek(1))))
        return numeral();
    if (c == '"' || c == '\'')
        return quoted(false, position());
    return punctuation();
}

Token Lexer::name() {
    const Position start = position();
    std::size_t length = 1;
    while (isNameChar(peek(length)))
        ++length;
    const std::string_view word = text_.substr(at_, length);
    const char after = peek(length);
    if ((after == '"' || after == '\'') && length <= 2) {
        const bool isRaw = word == "r" || word == "R";
        const bool isPlain = word == "u" || word == "U" || word == "b" || word == "B";
        if (!isRaw && !isPlain)
            fail(start, base::concat("strings with the prefix ", word, " are not supported"));
        advance(length);
        return quoted(isRaw, start);
    }
    advance(length);
    return make(TokenKind::Name, start, word);
}

Token Lexer::numeral() {
    const Position start = position();
    std::size_t length = 0;
    bool isFloat = false;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' || peek(1) == 'B' ||
                          peek(1) == 'o' || peek(1) == 'O')) {
        length = 2;
        while (hexValue(peek(length)) >= 0 || peek(length) == '_')
            ++length;
    } else {
        while (isDigit(peek(length)) || peek(length) == '_')
            ++length;
        if (peek(length) == '.') {
            isFloat = true;
            ++length;
            while (isDigit(peek(length)) || peek(length) == '_')
                ++length;
        }
        const char sign = peek(length + 1);
        if ((peek(length) == 'e' || peek(length) == 'E') &&
            (isDigit(sign) || ((sign == '+' || sign == '-') && isDigit(peek(length + 2))))) {
            isFloat = true;
            length += 2;
            while (isDigit(peek(length)))
                ++length;
        }
    }
    if (isNameChar(peek(length)))
        fail(start, "a number is followed by letters");
    const std::string_view text = text_.substr(at_, length);
    advance(length);
    return make(isFloat ? TokenKind::Float : TokenKind::Int, start, text);
}

void Lexer::appendEscape(std::string& out, Position start) {
    const char c = peek();
    advance(1);
    const auto hex = [&](int digits) {
        std::uint32_t code = 0;
        for (int i = 0; i < digits; ++i) {
            const int value = hexValue(peek());
            if (value < 0)
                fail(start, "the string holds a broken escape");
            code = code * 16 + static_cast<std::uint32_t>(value);
            advance(1);
        }
        return code;
    };
    switch (c) {
    case '\n':
        return;
    case 'n':
        out.push_back('\n');
        return;
    case 't':
        out.push_back('\t');
        return;
    case 'r':
        out.push_back('\r');
        return;
    case 'b':
        out.push_back('\b');
        return;
    case 'f':
        out.push_back('\f');
        return;
    case 'v':
        out.push_back('\v');
        return;
    case 'a':
        out.push_back('\a');
        return;
    case '\\':
    case '"':
    case '\'':
        out.push_back(c);
        return;
    case 'x':
        out.push_back(static_cast<char>(hex(2)));
        return;
    case 'u':
        return appendUtf8(out, hex(4));
    case 'U':
        return appendUtf8(out, std::min(hex(8), 0x10ffffU));
    default:
        if (c >= '0' && c <= '7') {
            int code = c - '0';
            for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i) {
                code = code * 8 + (peek() - '0');
                advance(1);
            }
            out.push_back(static_cast<char>(code));
            return;
        }
        out.push_back('\\');
        out.push_back(c);
    }
}

Token Lexer::quoted(bool isRaw, Position start) {
    const char quote = peek();
    const bool isTriple = peek(1) == quote && peek(2) == quote;
    const std::size_t begin = at_;
    advance(isTriple ? 3 : 1);
    std::string value;
    for (;;) {
        if (at_ >= text_.size())
            fail(start, "the string does not end");
        const char c = peek();
        if (c == quote && (!isTriple || (peek(1) == quote && peek(2) == quote))) {
            advance(isTriple ? 3 : 1);
            break;
        }
        if (c == '\n' && !isTriple)
            fail(start, "the string does not end on its line");
        if (c == '\\' && at_ + 1 < text_.size()) {
            advance(1);
            if (isRaw) {
                value.push_back('\\');
                value.push_back(peek());
                advance(1);
            } else {
                appendEscape(value, start);
            }
            continue;
        }
        value.push_back(c);
        advance(1);
    }
    Token token = make(TokenKind::String, start, text_.substr(begin, at_ - begin));
    token.string = std::move(value);
    return token;
}

Token Lexer::punctuation() {
    static constexpr std::string_view kOperators[] = {
        "**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", "//", "**", "<<",
        ">>",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ":=", "(",
        ")",   "[",   "]",   "{",   "}",   ",",  ":",  ".",  "+",  "-",  "*",  "/",
        "%",   "<",   ">",   "=",   "@",   "&",  "|",  "^",  "~",  ";"};
    const Position start = position();
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view op : kOperators) {
        if (!rest.starts_with(op))
            continue;
        const char c = op[0];
        if (c == '(' || c == '[' || c == '{')
            ++brackets_;
        else if ((c == ')' || c == ']' || c == '}') && brackets_ > 0)
            --brackets_;
        advance(op.size());
        return make(TokenKind::Operator, start, rest.substr(0, op.size()));
    }
    fail(start, base::concat("unexpected character '", std::string(1, rest[0]), "'"));
}

} // namespace tilewright::ir::python
