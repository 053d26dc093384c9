// SPDX-License-Identifier: Apache-2.0
#include <tilewright/json/scan.h>

namespace tilewright::json {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class Scanner {
public:
    Scanner(std::string_view text, std::size_t offset, int depth)
        : text_(text), pos_(offset), depth_(depth) {}

    bool value() {
        pos_ = skipBlanks(text_, pos_);
        switch (peek()) {
        case '[':
            return list(']', false);
        case '{':
            return list('}', true);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    [[nodiscard]] std::size_t position() const { return pos_; }

private:
    [[nodiscard]] char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

    bool word(std::string_view literal) {
        if (text_.substr(pos_, literal.size()) != literal)
            return false;
        pos_ += literal.size();
        return true;
    }

    bool list(char close, bool keyed) {
        if (--depth_ < 0)
            return false;
        pos_ = skipBlanks(text_, pos_ + 1);
        if (peek() != close) {
            while (true) {
                if (keyed && !key())
                    return false;
                if (!value())
                    return false;
                pos_ = skipBlanks(text_, pos_);
                if (peek() == close)
                    break;
                if (peek() != ',')
                    return false;
                pos_ = skipBlanks(text_, pos_ + 1);
            }
        }
        ++pos_;
        ++depth_;
        return true;
    }

    bool key() {
        if (peek() != '"' || !string())
            return false;
        pos_ = skipBlanks(text_, pos_);
        if (peek() != ':')
            return false;
        ++pos_;
        return true;
    }

    bool string() {
        for (++pos_; pos_ < text_.size(); ++pos_) {
            const char c = text_[pos_];
            if (c == '"') {
                ++pos_;
                return true;
            }
            if (static_cast<unsigned char>(c) < 0x20)
                return false;
            if (c == '\\' && !escape())
                return false;
        }
        return false;
    }

    /// Stands at the backslash; ends at the escape's last character.
    bool escape() {
        ++pos_;
        const char c = peek();
        if (c == 'u') {
            for (int i = 0; i < 4; ++i) {
                ++pos_;
                const char h = peek();
                if (!isDigit(h) && !(h >= 'a' && h <= 'f') && !(h >= 'A' && h <= 'F'))
                    return false;
            }
            return true;
        }
        return c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    }

    bool digits() {
        if (!isDigit(peek()))
            return false;
        while (isDigit(peek()))
            ++pos_;
        return true;
    }

    bool number() {
        if (peek() == '-')
            ++pos_;
        if (peek() == '0')
            ++pos_;
        else if (!digits())
            return false;
        if (peek() == '.') {
            ++pos_;
            if (!digits())
                return false;
        }
        if (peek() == 'e' || peek() == 'E') {
            ++pos_;
            if (peek() == '+' || peek() == '-')
                ++pos_;
            return digits();
        }
        return !isDigit(peek());
    }

    std::string_view text_;
    std::size_t pos_;
    int depth_;
};

} // namespace

std::size_t skipBlanks(std::string_view text, std::size_t offset) {
    while (offset < text.size() && (text[offset] == ' ' || text[offset] == '\t' ||
                                    text[offset] == '\n' || text[offset] == '\r'))
        ++offset;
    return offset;
}

std::optional<std::size_t> scanValue(std::string_view text, std::size_t offset, int maxDepth) {
    Scanner scanner(text, offset, maxDepth);
    if (!scanner.value())
        return std::nullopt;
    return scanner.position();
}

} // namespace tilewright::json
