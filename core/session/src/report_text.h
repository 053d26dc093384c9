// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the report spells text and numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::session {

/// Text from a store as HTML text or attribute value.
std::string escaped(std::string_view text);
/// A value by a printf format of one double.
std::string number(double value, const char* format);
/// Seconds in µs, ms or s with four digits; `n/a` when there are none.
std::string duration(std::optional<double> seconds);
/// Milliseconds since 1970 as a UTC minute; `n/a` for 0.
std::string timeText(std::int64_t timeMs);

} // namespace tilewright::session
