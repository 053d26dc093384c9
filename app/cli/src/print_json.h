// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// One line on standard output.
void printJson(const json::Value& value);
/// A text table: right-aligned columns but for the first, on standard output.
void printTable(const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows);
/// `12.3 us`, `4.56 ms`, `n/a` for null.
std::string durationText(const json::Value& microseconds);
/// `12.3 us - 12.9 us`; `n/a` below three samples, which have no interval.
std::string intervalText(const json::Value& low, const json::Value& high, std::int64_t samples);
/// A whole file. Throws UserError (kind `unreadable-file`) naming it.
std::string readWholeFile(const std::string& path);
/// Calls `use` with each line of a file that is not blank and its number, counted from 1.
/// Throws as readWholeFile.
void forEachLine(const std::string& path,
                 const std::function<void(std::string_view content, int line)>& use);

} // namespace tilewright::cli
