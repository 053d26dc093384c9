// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/parent_watch.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace tilewright::runtime {

namespace {

constexpr unsigned kGraceSeconds = 1;

void watch(int fd) {
    // Only the hang-up is asked for: POLLHUP for pipes, POLLRDHUP for sockets.
    pollfd entry{fd, POLLRDHUP, 0};
    while (true) {
        const int ready = ::poll(&entry, 1, -1);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready < 0)
            return;
        if (entry.revents != 0)
            break;
    }
    ::sleep(kGraceSeconds);
    ::_exit(0);
}

} // namespace

int claimStandardOutput() {
    const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::signal(SIGPIPE, SIG_IGN);
    return out;
}

void endWithParent(int inFd) {
    // Detached on purpose: it sleeps in poll for the whole life of the process and owns nothing.
    std::thread(watch, inFd).detach();
}

} // namespace tilewright::runtime
