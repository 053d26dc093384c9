// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <functional>
#include <string_view>

namespace tilewright::session {

/// Calls `work` in a child process (a fork of this one) and returns what it returned, so that
/// generated code can crash without taking this process along. A UserError that `work` throws is
/// thrown again here; when the child ends otherwise, UserError `run-crash` says how, naming `what`.
/// This process must have no other threads that hold locks. The child dies with this process.
json::Value runIsolated(std::string_view what, const std::function<json::Value()>& work);

} // namespace tilewright::session
