// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilewright::json {

/// Length in bytes of the valid UTF-8 sequence at the front of `text`, 0 when there is none.
inline int utf8Length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead < 0xF0) {
        if (!follows(1) || !follows(2))
            return 0;
        const bool overlong = lead == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (lead >= 0xF0 && lead < 0xF5) {
        if (!follows(1) || !follows(2) || !follows(3))
            return 0;
        const bool overlong = lead == 0xF0 && byte(1) < 0x90;
        const bool large = lead == 0xF4 && byte(1) >= 0x90;
        return overlong || large ? 0 : 4;
    }
    return 0;
}

inline bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const int length = utf8Length(text);
        if (length == 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(length));
    }
    return true;
}

inline void appendUtf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out.push_back(static_cast<char>(code));
    } else if (code < 0x800) {
        out.push_back(static_cast<char>(0xC0 | (code >> 6)));
        out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        out.push_back(static_cast<char>(0xE0 | (code >> 12)));
        out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
        out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    } else {
        out.push_back(static_cast<char>(0xF0 | (code >> 18)));
        out.push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3F)));
        out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
        out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    }
}

} // namespace tilewright::json
