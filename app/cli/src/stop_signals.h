// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace tilewright::cli {

/// Calls a function, in a thread of its own, at each SIGINT, SIGTERM and SIGHUP while it lives,
/// with how many came so far; SIGPIPE is ignored. Make it before other threads start: they inherit
/// the blocked signals.
class StopSignals {
public:
    explicit StopSignals(std::function<void(int count)> onSignal);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    /// The last signal's number, 0 when none came.
    [[nodiscard]] int last() const { return last_; }

private:
    std::function<void(int)> onSignal_;
    std::atomic<int> last_{0};
    int descriptor_ = -1;
    std::jthread watcher_;
};

} // namespace tilewright::cli
