// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace tilewright::session {

/// The newest events of a run, for whoever attaches later. Thread-safe.
class EventLog {
public:
    /// Numbers and stores an event; returns it with `v`, `seq`, `t` (seconds since the
    /// start) and `time` (milliseconds since 1970) filled in.
    json::Value append(json::Object event);
    /// The first event with a sequence number of at least `from`; waits up to `patience` for it.
    std::optional<std::pair<std::int64_t, std::string>> next(std::int64_t from,
                                                             std::chrono::milliseconds patience);

private:
    static constexpr std::size_t kKept = 20000;
    std::mutex mutex_; ///< guards the three below
    std::condition_variable added_;
    std::deque<std::string> lines_;
    std::int64_t firstSeq_ = 1;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace tilewright::session
