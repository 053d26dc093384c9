// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

#include <tilewright/base/concat.h>
#include <tilewright/json/line_reader.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tilewright::json {
namespace {

struct SyntaxError {
    std::size_t offset;
    std::string message;
};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

int hexDigit(char c) {
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

class Reader {
public:
    Reader(std::string_view text, std::size_t offset, const ParseOptions& options)
        : text_(text), pos_(offset), depthLeft_(options.maxDepth), maxDepth_(options.maxDepth),
          lenient_(options.dialect == Dialect::Tvm) {}

    Value value() {
        skipBlanks();
        switch (peek()) {
        case '{':
            return object();
        case '[':
            return array();
        case '"':
            return Value(string());
        case 't':
            return word("true", Value(true));
        case 'f':
            return word("false", Value(false));
        case 'n':
            return word("null", Value());
        case 'N':
            if (lenient_)
                return word("NaN", Value(std::numeric_limits<double>::quiet_NaN()));
            break;
        case 'I':
            if (lenient_)
                return word("Infinity", Value(std::numeric_limits<double>::infinity()));
            break;
        default:
            if (peek() == '-' || isDigit(peek()))
                return number();
        }
        fail("a value");
    }

    void skipBlanks() {
        while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\t' ||
                                       text_[pos_] == '\n' || text_[pos_] == '\r'))
            ++pos_;
    }

    void skipByteOrderMark() {
        if (lenient_ && text_.substr(pos_).starts_with("\xEF\xBB\xBF"))
            pos_ += 3;
    }

    [[nodiscard]] std::size_t position() const { return pos_; }
    [[nodiscard]] bool atEnd() const { return pos_ >= text_.size(); }

    [[noreturn]] void fail(std::string_view expected) const {
        std::string found = "the end of the text";
        if (!atEnd()) {
            const auto c = static_cast<unsigned char>(text_[pos_]);
            found = c >= 0x20 && c < 0x7f ? base::concat("'", text_[pos_], "'")
                                          : base::concat("the byte ", static_cast<int>(c));
        }
        throw SyntaxError{pos_, base::concat("expected ", expected, ", found ", found)};
    }

private:
    [[nodiscard]] char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

    void enter() {
        if (--depthLeft_ < 0)
            throw SyntaxError{pos_, base::concat("nested deeper than ", maxDepth_, " levels")};
        ++pos_;
    }

    void leave() {
        ++depthLeft_;
        ++pos_;
    }

    Value word(std::string_view literal, Value meaning) {
        if (text_.substr(pos_, literal.size()) != literal)
            fail(base::concat("'", literal, "'"));
        pos_ += literal.size();
        return meaning;
    }

    /// After an item: true when another follows, false at the closing bracket.
    bool more(char close) {
        skipBlanks();
        if (peek() == close)
            return false;
        if (peek() != ',')
            fail(base::concat("',' or '", close, "'"));
        ++pos_;
        skipBlanks();
        return !(lenient_ && peek() == close);
    }

    Value array() {
        enter();
        Array items;
        skipBlanks();
        if (peek() != ']') {
            do {
                items.push_back(value());
            } while (more(']'));
        }
        leave();
        return Value(std::move(items));
    }

    Value object() {
        enter();
        Object members;
        skipBlanks();
        if (peek() != '}') {
            do {
                skipBlanks();
                if (peek() != '"')
                    fail("a key in double quotes");
                std::string key = string();
                skipBlanks();
                if (peek() != ':')
                    fail("':'");
                ++pos_;
                members.append(std::move(key), value());
            } while (more('}'));
        }
        leave();
        return Value(std::move(members));
    }

    Value number() {
        const std::size_t begin = pos_;
        bool whole = true;
        if (peek() == '-')
            ++pos_;
        if (lenient_ && peek() == 'I') {
            word("Infinity", Value());
            return Value(-std::numeric_limits<double>::infinity());
        }
        if (!isDigit(peek()))
            fail("a digit");
        const std::size_t digits = pos_;
        skipDigits();
        if (!lenient_ && text_[digits] == '0' && pos_ > digits + 1) {
            pos_ = digits + 1;
            fail("a number without leading zeros");
        }
        if (peek() == '.') {
            whole = false;
            ++pos_;
            if (!lenient_ && !isDigit(peek()))
                fail("a digit");
            skipDigits();
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            ++pos_;
            if (peek() == '+' || peek() == '-')
                ++pos_;
            if (!isDigit(peek()))
                fail("a digit");
            skipDigits();
        }
        return convert(text_.substr(begin, pos_ - begin), whole);
    }

    void skipDigits() {
        while (isDigit(peek()))
            ++pos_;
    }

    static Value convert(std::string_view digits, bool whole) {
        const char* first = digits.data();
        const char* last = first + digits.size();
        if (whole) {
            std::int64_t integer = 0;
            if (std::from_chars(first, last, integer).ec == std::errc())
                return Value(integer);
            std::uint64_t large = 0;
            if (*first != '-' && std::from_chars(first, last, large).ec == std::errc())
                return Value(large);
        }
        double real = 0;
        if (std::from_chars(first, last, real).ec == std::errc::result_out_of_range) {
            // Too large becomes infinite, too small zero, as every other reader does.
            const std::size_t exponent = digits.find_first_of("eE");
            const bool small = exponent != std::string_view::npos && exponent + 1 < digits.size() &&
                               digits[exponent + 1] == '-';
            real = small ? 0.0 : std::numeric_limits<double>::infinity();
            if (*first == '-')
                real = -real;
        }
        return Value(real);
    }

    std::string string() {
        const std::size_t quote = pos_++;
        std::string out;
        bool ascii = true;
        while (true) {
            const std::size_t begin = pos_;
            while (pos_ < text_.size() && text_[pos_] != '"' && text_[pos_] != '\\' &&
                   static_cast<unsigned char>(text_[pos_]) >= 0x20) {
                ascii = ascii && static_cast<unsigned char>(text_[pos_]) < 0x80;
                ++pos_;
            }
            out.append(text_, begin, pos_ - begin);
            if (atEnd())
                fail("the closing '\"' of a string");
            const char c = text_[pos_];
            if (c == '"')
                break;
            if (c == '\\')
                escape(out);
            else if (lenient_)
                out.push_back(text_[pos_++]);
            else
                fail("no control character in a string");
        }
        ++pos_;
        if (!ascii && !lenient_ && !isUtf8(std::string_view(text_).substr(quote, pos_ - quote)))
            throw SyntaxError{quote, "the string is not valid UTF-8"};
        return out;
    }

    void escape(std::string& out) {
        static constexpr std::string_view kNames = "\"\\/bfnrt";
        static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        ++pos_;
        const char c = peek();
        if (const auto at = kNames.find(c); c != '\0' && at != std::string_view::npos) {
            out.push_back(kMeanings[at]);
            ++pos_;
        } else if (c == 'u') {
            ++pos_;
            appendUtf8(out, unicodeEscape());
        } else if (c == 'x' && lenient_) {
            ++pos_;
            out.push_back(static_cast<char>(hex(2)));
        } else {
            fail("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
        }
    }

    unsigned hex(int count) {
        unsigned code = 0;
        for (int i = 0; i < count; ++i) {
            const int digit = hexDigit(peek());
            if (digit < 0)
                fail("a hexadecimal digit");
            code = code * 16 + static_cast<unsigned>(digit);
            ++pos_;
        }
        return code;
    }

    /// The code point of `\uXXXX`, of a surrogate pair when one stands there; U+FFFD for half of
    /// one.
    unsigned unicodeEscape() {
        const unsigned code = hex(4);
        if (code < 0xD800 || code > 0xDFFF)
            return code;
        if (code < 0xDC00 && text_.substr(pos_, 2) == "\\u") {
            const std::size_t before = pos_;
            pos_ += 2;
            const unsigned low = hex(4);
            if (low >= 0xDC00 && low <= 0xDFFF)
                return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            pos_ = before;
        }
        return 0xFFFD;
    }

    std::string_view text_;
    std::size_t pos_;
    int depthLeft_;
    int maxDepth_;
    bool lenient_;
};

base::Diagnostic located(std::string_view text, const SyntaxError& error,
                         const ParseOptions& options) {
    const std::string_view before = text.substr(0, std::min(error.offset, text.size()));
    const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t lastBreak = before.rfind('\n');
    const std::size_t column =
        before.size() - (lastBreak == std::string_view::npos ? 0 : lastBreak + 1) + 1;
    base::TextLocation place{options.fileName, options.firstLine + lines, static_cast<int>(column)};
    return base::Diagnostic("json-syntax", error.message, {std::move(place)});
}

} // namespace

base::Result<Value> tryParsePrefix(std::string_view text, std::size_t& offset,
                                   const ParseOptions& options) {
    try {
        Reader reader(text, offset, options);
        if (offset == 0)
            reader.skipByteOrderMark();
        Value value = reader.value();
        reader.skipBlanks();
        offset = reader.position();
        return value;
    } catch (const SyntaxError& error) {
        return base::Unexpected(located(text, error, options));
    }
}

base::Result<Value> tryParse(std::string_view text, const ParseOptions& options) {
    std::size_t offset = 0;
    auto value = tryParsePrefix(text, offset, options);
    if (value && offset < text.size())
        return base::Unexpected(
            located(text, {offset, "expected nothing after the value, found more text"}, options));
    return value;
}

Value parse(std::string_view text, const ParseOptions& options) {
    auto value = tryParse(text, options);
    if (!value)
        throw base::ParseError(value.error());
    return std::move(value).value();
}

Value parse(std::string_view text, std::string fileName, int firstLine) {
    ParseOptions options;
    options.fileName = std::move(fileName);
    options.firstLine = firstLine;
    return parse(text, options);
}

Value parseFile(const std::filesystem::path& file, Dialect dialect) {
    ParseOptions options;
    options.dialect = dialect;
    options.fileName = file.string();
    return parse(readTextFile(file), options);
}

} // namespace tilewright::json
