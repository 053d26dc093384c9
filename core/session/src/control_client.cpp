// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/control_socket.h>

#include "local_socket.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/hash.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::session {

namespace {

std::filesystem::path socketFolder() {
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    struct stat info {};
    if (runtime && *runtime && stat(runtime, &info) == 0 && S_ISDIR(info.st_mode) &&
        info.st_uid == geteuid())
        return std::filesystem::path(runtime) / "tilewright";
    return base::concat("/tmp/tilewright-", geteuid());
}

base::Diagnostic unreachable(const std::filesystem::path& socket, std::string_view why) {
    return {"session-unreachable", base::concat(socket.string(), ": ", why)};
}

base::Result<LineSocket> open(const std::filesystem::path& socket) {
    auto connected = LineSocket::connect(socket);
    if (!connected)
        return base::Unexpected(unreachable(socket, "no engine listens there"));
    if (!connected->peerIsMe())
        return base::Unexpected(unreachable(socket, "the engine belongs to another user"));
    return std::move(*connected);
}

} // namespace

std::filesystem::path controlSocketPath(const std::filesystem::path& workDir) {
    struct stat info {};
    std::uint64_t id = 0;
    if (stat(workDir.c_str(), &info) == 0)
        id = base::hashCombine(static_cast<std::uint64_t>(info.st_dev),
                               static_cast<std::uint64_t>(info.st_ino));
    static const char* const digits = "0123456789abcdef";
    std::string name(16, '0');
    for (std::size_t i = 0; i < 16; ++i)
        name[15 - i] = digits[(id >> (4 * i)) & 15];
    return socketFolder() / (name + ".sock");
}

std::vector<std::filesystem::path> listControlSockets() {
    std::vector<std::filesystem::path> sockets;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(socketFolder(), error))
        if (entry.path().extension() == ".sock")
            sockets.push_back(entry.path());
    std::sort(sockets.begin(), sockets.end());
    return sockets;
}

base::Result<json::Value> askEngine(const std::filesystem::path& socket,
                                    const json::Value& request) {
    return askEngine(socket, request, std::chrono::seconds(10));
}

base::Result<json::Value> askEngine(const std::filesystem::path& socket, const json::Value& request,
                                    std::chrono::milliseconds patience) {
    auto connected = open(socket);
    if (!connected)
        return base::Unexpected(connected.error());
    if (!connected->writeLine(json::dump(request)))
        return base::Unexpected(unreachable(socket, "the engine does not take the request"));
    const auto answer = connected->readLine(patience);
    if (!answer)
        return base::Unexpected(unreachable(socket, "the engine gives no answer"));
    return json::parse(*answer);
}

base::Result<void, base::Diagnostic>
followEngine(const std::filesystem::path& socket, std::int64_t from,
             const std::function<bool(const json::Value& event)>& onEvent) {
    return followEngine(socket, from, onEvent, [] { return true; });
}

base::Result<void, base::Diagnostic>
followEngine(const std::filesystem::path& socket, std::int64_t from,
             const std::function<bool(const json::Value& event)>& onEvent,
             const std::function<bool()>& onIdle) {
    auto connected = open(socket);
    if (!connected)
        return base::Unexpected(connected.error());
    json::Object request;
    request.set("command", "events");
    request.set("from", from);
    if (!connected->writeLine(json::dump(json::Value(std::move(request)))))
        return base::Unexpected(unreachable(socket, "the engine does not take the request"));
    while (true) {
        if (const auto line = connected->readLine(std::chrono::milliseconds(200))) {
            if (!onEvent(json::parse(*line)))
                return {};
            continue;
        }
        char probe = 0;
        const ssize_t there = recv(connected->descriptor(), &probe, 1, MSG_PEEK | MSG_DONTWAIT);
        const bool alive = there > 0 || (there < 0 && (errno == EAGAIN || errno == EINTR));
        if (!alive || !onIdle())
            return {};
    }
}

} // namespace tilewright::session
