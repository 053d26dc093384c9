// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilewright::base {

namespace detail {

inline void appendPiece(std::string& out, std::string_view piece) {
    out.append(piece);
}
inline void appendPiece(std::string& out, const std::string& piece) {
    out.append(piece);
}
inline void appendPiece(std::string& out, const char* piece) {
    out.append(piece);
}
inline void appendPiece(std::string& out, char piece) {
    out.push_back(piece);
}
inline void appendPiece(std::string& out, bool piece) {
    out.append(piece ? "true" : "false");
}
template <class T>
requires(std::is_arithmetic_v<T>) void appendPiece(std::string& out, T number) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
    out.append(buffer, end.ptr);
}

} // namespace detail

/// Joins text and numbers: `concat("extent=", 4)`. Floats print in their shortest exact form.
template <class... Pieces> std::string concat(const Pieces&... pieces) {
    std::string out;
    (detail::appendPiece(out, pieces), ...);
    return out;
}

/// Joins a range of strings (or anything concat takes) with a separator.
template <class Range> std::string join(const Range& range, std::string_view separator) {
    std::string out;
    bool first = true;
    for (const auto& item : range) {
        if (!first)
            out.append(separator);
        first = false;
        detail::appendPiece(out, item);
    }
    return out;
}

} // namespace tilewright::base
