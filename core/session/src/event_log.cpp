// SPDX-License-Identifier: Apache-2.0
#include "event_log.h"

#include <tilewright/json/dump.h>

#include <algorithm>

namespace tilewright::session {

json::Value EventLog::append(json::Object event) {
    json::Value value;
    {
        const std::lock_guard lock(mutex_);
        event.set("v", 1);
        event.set("seq", firstSeq_ + static_cast<std::int64_t>(lines_.size()));
        event.set("t",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
        event.set("time", std::chrono::duration_cast<std::chrono::milliseconds>(
                              std::chrono::system_clock::now().time_since_epoch())
                              .count());
        value = json::Value(std::move(event));
        lines_.push_back(json::dump(value));
        if (lines_.size() > kKept) {
            lines_.pop_front();
            ++firstSeq_;
        }
    }
    added_.notify_all();
    return value;
}

std::optional<std::pair<std::int64_t, std::string>>
EventLog::next(std::int64_t from, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    const auto past = [&] { return firstSeq_ + static_cast<std::int64_t>(lines_.size()); };
    if (!added_.wait_for(lock, patience, [&] { return from < past(); }))
        return std::nullopt;
    const std::int64_t seq = std::max(from, firstSeq_);
    return std::pair(seq, lines_[static_cast<std::size_t>(seq - firstSeq_)]);
}

} // namespace tilewright::session
