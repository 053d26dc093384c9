// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <chrono>
#include <filesystem>
#include <optional>

namespace tilewright::session {

/// Lets the engine that owns a work directory carry out a request; nothing when no engine answers
/// there, so that the caller may take the lock itself. Throws UserError when the engine refuses
/// (its kind and text) or gives no answer within `patience`.
std::optional<json::Value> askOwner(const std::filesystem::path& workDir,
                                    const json::Value& request, std::chrono::milliseconds patience);

} // namespace tilewright::session
