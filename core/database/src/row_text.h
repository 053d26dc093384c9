// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::database {

/// Doubles as little-endian bytes and back; a tail that is no whole double is dropped.
std::string packDoubles(const std::vector<double>& numbers);
std::vector<double> unpackDoubles(std::string_view bytes);

/// The database's key of a target given as JSON; the text itself when it is no target.
std::string targetKey(std::string_view targetJson);
/// A target's text for people.
std::string targetText(std::string_view targetJson);

/// Now, in ms since 1970 UTC.
std::int64_t nowMs();

} // namespace tilewright::database
