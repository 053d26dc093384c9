// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

#include <tilewright/json/dump.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tilewright::json {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

template <class T> void appendNumber(std::string& out, T number) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
    out.append(buffer, end.ptr);
}

void appendDouble(std::string& out, double number, Style style) {
    if (style == Style::Tvm) {
        char buffer[64];
        const int length = std::snprintf(buffer, sizeof buffer, "%.20g", number);
        out.append(buffer, static_cast<std::size_t>(length));
        return;
    }
    if (!std::isfinite(number)) {
        out += "null";
        return;
    }
    const std::size_t begin = out.size();
    appendNumber(out, number);
    if (out.find_first_of(".e", begin) == std::string::npos)
        out += ".0";
}

void appendTvmString(std::string& out, std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            if (byte >= 0x20 && byte < 0x7F) {
                out.push_back(c);
            } else {
                out += "\\x";
                out.push_back(kHex[byte >> 4]);
                out.push_back(kHex[byte & 15]);
            }
        }
    }
}

void appendControl(std::string& out, unsigned char byte) {
    switch (byte) {
    case '\b':
        out += "\\b";
        return;
    case '\f':
        out += "\\f";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        out += "\\u00";
        out.push_back(kHex[byte >> 4]);
        out.push_back(kHex[byte & 15]);
    }
}

void appendUtf8String(std::string& out, std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t begin = i;
        while (i < text.size() && static_cast<unsigned char>(text[i]) >= 0x20 && text[i] != '"' &&
               text[i] != '\\' && static_cast<unsigned char>(text[i]) < 0x7F)
            ++i;
        out.append(text, begin, i - begin);
        if (i == text.size())
            break;
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '"' || byte == '\\') {
            out.push_back('\\');
            out.push_back(text[i++]);
        } else if (byte < 0x20) {
            appendControl(out, byte);
            ++i;
        } else if (const int length = utf8Length(text.substr(i)); length > 0) {
            out.append(text, i, static_cast<std::size_t>(length));
            i += static_cast<std::size_t>(length);
        } else {
            out += "\xEF\xBF\xBD";
            ++i;
        }
    }
}

class Writer {
public:
    Writer(std::string& out, Style style) : out_(out), style_(style) {}

    void write(const Value& value) {
        switch (value.kind()) {
        case Kind::Null:
            out_ += "null";
            break;
        case Kind::Bool:
            out_ += value.asBool() ? "true" : "false";
            break;
        case Kind::Int:
            appendNumber(out_, value.asInt());
            break;
        case Kind::Uint:
            appendNumber(out_, value.asUint());
            break;
        case Kind::Double:
            appendDouble(out_, value.asDouble(), style_);
            break;
        case Kind::String:
            dumpString(out_, value.asString(), style_);
            break;
        case Kind::Array:
            writeArray(value.asArray());
            break;
        case Kind::Object:
            writeObject(value.asObject());
            break;
        }
    }

private:
    void writeArray(const Array& items) {
        out_.push_back('[');
        ++depth_;
        bool first = true;
        for (const Value& item : items) {
            separate(first);
            write(item);
        }
        close(']', items.empty());
    }

    void writeObject(const Object& object) {
        out_.push_back('{');
        ++depth_;
        bool first = true;
        if (style_ == Style::Tvm) {
            std::vector<const Member*> sorted;
            for (const Member& member : object)
                sorted.push_back(&member);
            std::stable_sort(sorted.begin(), sorted.end(),
                             [](const Member* a, const Member* b) { return a->key < b->key; });
            for (const Member* member : sorted)
                writeMember(*member, first);
        } else {
            for (const Member& member : object)
                writeMember(member, first);
        }
        close('}', object.empty());
    }

    void writeMember(const Member& member, bool& first) {
        separate(first);
        dumpString(out_, member.key, style_);
        out_ += style_ == Style::Spaced || style_ == Style::Pretty ? ": " : ":";
        write(member.value);
    }

    void separate(bool& first) {
        if (!first)
            out_ += style_ == Style::Spaced ? ", " : ",";
        first = false;
        if (style_ == Style::Pretty)
            breakLine();
    }

    void close(char bracket, bool empty) {
        --depth_;
        if (style_ == Style::Pretty && !empty)
            breakLine();
        out_.push_back(bracket);
    }

    void breakLine() {
        out_.push_back('\n');
        out_.append(2 * static_cast<std::size_t>(depth_), ' ');
    }

    std::string& out_;
    Style style_;
    int depth_ = 0;
};

} // namespace

void dumpString(std::string& out, std::string_view text, Style style) {
    out.push_back('"');
    if (style == Style::Tvm)
        appendTvmString(out, text);
    else
        appendUtf8String(out, text);
    out.push_back('"');
}

void dumpTo(std::string& out, const Value& value, Style style) {
    Writer(out, style).write(value);
}

std::string dump(const Value& value, Style style) {
    std::string out;
    dumpTo(out, value, style);
    return out;
}

} // namespace tilewright::json
