// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <cstdint>
#include <string>

namespace tilewright::json {

/// How a value is written. Doubles are the shortest text that reads back the same (`2.0` keeps its
/// point, so that it stays a double); NaN and infinities become null; bytes that are not UTF-8
/// become U+FFFD. Except for `Tvm`, whose output is byte for byte that of MetaSchedule's files.
enum class Style : std::uint8_t {
    Compact, ///< `{"a":[1,2]}`
    Spaced,  ///< `{"a": [1, 2]}`, as Python writes it
    Pretty,  ///< indented by two blanks
    Tvm,     ///< compact, keys sorted, doubles with 20 digits (`1.0` becomes `1`), `\xHH` escapes
};

std::string dump(const Value& value, Style style = Style::Compact);
void dumpTo(std::string& out, const Value& value, Style style = Style::Compact);
/// A string in quotes, escaped.
void dumpString(std::string& out, std::string_view text, Style style = Style::Compact);

} // namespace tilewright::json
