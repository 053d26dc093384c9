// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// How a check of the environment came out. Only Fail stands in the way of tuning.
enum class CheckState : std::uint8_t { Ok, Note, Warn, Fail };
/// `ok`, `note`, `warn`, `fail`.
std::string_view toString(CheckState state);

struct EnvironmentCheck {
    std::string name; ///< `cpu`, `runner`, `governor`, …
    CheckState state = CheckState::Ok;
    std::string found;
    std::string advice; ///< what to do; empty when there is nothing to do
};

/// Looks at this machine: CPU, caches, cores, frequency governor, load, performance counters,
/// builder and runner (both are started), writing a database to `directory` (the temporary one when
/// empty), disk space, emulators, cached peaks. Takes about a second; changes nothing that stays.
std::vector<EnvironmentCheck> examineEnvironment(const std::filesystem::path& directory = {});

/// Where `peaks` keeps what it measured: `$XDG_CACHE_HOME/tilewright/peaks.json`.
std::filesystem::path peaksCacheFile();

json::Value toJson(const std::vector<EnvironmentCheck>& checks);

} // namespace tilewright::session
