// SPDX-License-Identifier: Apache-2.0
#include "local_socket.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <utility>

namespace tilewright::session {

namespace {

constexpr std::size_t kMaxLine = 16U << 20;

sockaddr_un addressOf(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = path.string();
    if (text.size() >= sizeof address.sun_path)
        throw base::UserError("session-socket",
                              base::concat(text, ": a socket's path has at most ",
                                           sizeof address.sun_path - 1, " bytes"));
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    return address;
}

bool waitFor(int descriptor, short events, std::chrono::milliseconds timeout) {
    pollfd entry{descriptor, events, 0};
    int result = 0;
    do
        result = poll(&entry, 1, static_cast<int>(timeout.count()));
    while (result < 0 && errno == EINTR);
    return result > 0;
}

} // namespace

LineSocket::LineSocket(LineSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), buffer_(std::move(other.buffer_)) {}

LineSocket::~LineSocket() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

std::optional<LineSocket> LineSocket::connect(const std::filesystem::path& path) {
    const sockaddr_un address = addressOf(path);
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return std::nullopt;
    LineSocket connected(descriptor);
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return std::nullopt;
    return connected;
}

std::optional<std::string> LineSocket::readLine(std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        const std::size_t end = buffer_.find('\n');
        if (end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() < 0 || buffer_.size() > kMaxLine || !waitFor(descriptor_, POLLIN, left))
            return std::nullopt;
        char chunk[4096];
        const ssize_t count = read(descriptor_, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::nullopt;
        buffer_.append(chunk, static_cast<std::size_t>(count));
    }
}

bool LineSocket::writeLine(std::string_view line) {
    std::string text(line);
    text.push_back('\n');
    std::size_t done = 0;
    while (done < text.size()) {
        // A watcher that does not read is dropped: the run must not wait for it.
        if (!waitFor(descriptor_, POLLOUT, std::chrono::seconds(1)))
            return false;
        const ssize_t count =
            send(descriptor_, text.data() + done, text.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0)
            return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

bool LineSocket::peerIsMe() const {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    return getsockopt(descriptor_, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 &&
           credentials.uid == geteuid();
}

ListeningSocket::ListeningSocket(std::filesystem::path path) : path_(std::move(path)) {
    const auto refuse = [&](const char* what) -> base::UserError {
        return base::UserError("session-socket",
                               base::concat(path_.string(), ": ", what, ": ", strerror(errno)));
    };
    const std::filesystem::path folder = path_.parent_path();
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        throw refuse("the socket's folder cannot be made");
    struct stat info {};
    if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & 077) != 0)
        throw base::UserError("session-socket",
                              base::concat(folder.string(),
                                           ": the socket's folder must belong to its user alone "
                                           "(mode 0700)"));
    const sockaddr_un address = addressOf(path_);
    descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor_ < 0)
        throw refuse("no socket can be made");
    // The directory's lock is held, so whoever listened here is dead.
    unlink(path_.c_str());
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(descriptor_, 16) != 0) {
        const base::UserError error = refuse("the socket cannot be opened");
        close(descriptor_);
        throw error;
    }
}

ListeningSocket::~ListeningSocket() {
    unlink(path_.c_str());
    close(descriptor_);
}

std::optional<LineSocket> ListeningSocket::accept(std::chrono::milliseconds timeout) {
    if (!waitFor(descriptor_, POLLIN, timeout))
        return std::nullopt;
    const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0)
        return std::nullopt;
    LineSocket connected(descriptor);
    if (!connected.peerIsMe())
        return std::nullopt;
    return connected;
}

} // namespace tilewright::session
