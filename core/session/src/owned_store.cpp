// SPDX-License-Identifier: Apache-2.0
#include "owned_store.h"

#include "event_reading.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/session/control_socket.h>

namespace tilewright::session {

std::optional<json::Value> askOwner(const std::filesystem::path& workDir,
                                    const json::Value& request,
                                    std::chrono::milliseconds patience) {
    const std::filesystem::path socket = controlSocketPath(workDir);
    json::Object status;
    status.set("command", "status");
    if (!askEngine(socket, json::Value(std::move(status))))
        return std::nullopt;
    const auto answer = askEngine(socket, request, patience);
    if (!answer)
        throw base::UserError(answer.error());
    if (!flagIn(*answer, "ok").value_or(false)) {
        if (flagIn(*answer, "ended").value_or(false))
            return std::nullopt; // it ends just now: the lock is soon free
        const std::string kind = textIn(*answer, "kind");
        throw base::UserError(kind.empty() ? "usage" : kind, textIn(*answer, "error"));
    }
    return *answer;
}

} // namespace tilewright::session
