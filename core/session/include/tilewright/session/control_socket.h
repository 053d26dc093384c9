// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/json/value.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// Where the engine of a work directory listens: `$XDG_RUNTIME_DIR/tilewright/<id>.sock`, else
/// `/tmp/tilewright-<uid>/<id>.sock` in a folder that only its owner may enter. The id is 16 hex
/// digits of the directory's device and inode, so the path stays short however deep the directory.
std::filesystem::path controlSocketPath(const std::filesystem::path& workDir);
/// Sockets of every engine of this user, alive or not.
std::vector<std::filesystem::path> listControlSockets();

/// Sends one request to an engine and returns its answer. Errors (kind `session-unreachable`):
/// nobody listens, the peer belongs to another user, no answer within 10 s.
base::Result<json::Value> askEngine(const std::filesystem::path& socket,
                                    const json::Value& request);
/// The same with another patience, for requests that the engine carries out when it has time.
base::Result<json::Value> askEngine(const std::filesystem::path& socket, const json::Value& request,
                                    std::chrono::milliseconds patience);
/// Streams events from sequence number `from` on; ends when `onEvent` returns false or the engine
/// ends.
base::Result<void, base::Diagnostic>
followEngine(const std::filesystem::path& socket, std::int64_t from,
             const std::function<bool(const json::Value& event)>& onEvent);
/// The same for watchers that have more to do: `onIdle` is called whenever nothing came for 200 ms
/// and ends the watch by returning false.
base::Result<void, base::Diagnostic>
followEngine(const std::filesystem::path& socket, std::int64_t from,
             const std::function<bool(const json::Value& event)>& onEvent,
             const std::function<bool()>& onIdle);

} // namespace tilewright::session
