// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.h"

#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace tilewright::cli {

StopSignals::StopSignals(std::function<void(int)> onSignal) : onSignal_(std::move(onSignal)) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangUp {};
    sigaction(SIGHUP, nullptr, &hangUp);
    if (hangUp.sa_handler != SIG_IGN) // nohup: goes on without its terminal
        sigaddset(&set, SIGHUP);
    // Whoever reads the events may go away; the run goes on.
    std::signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    watcher_ = std::jthread([this](const std::stop_token& stop) {
        int count = 0;
        while (!stop.stop_requested()) {
            pollfd entry{descriptor_, POLLIN, 0};
            if (poll(&entry, 1, 100) <= 0)
                continue;
            signalfd_siginfo info{};
            if (read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
                last_ = static_cast<int>(info.ssi_signo);
                onSignal_(++count);
            }
        }
    });
}

StopSignals::~StopSignals() {
    watcher_.request_stop();
    watcher_.join();
    close(descriptor_);
}

} // namespace tilewright::cli
