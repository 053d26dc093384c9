// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

namespace tilewright::session {

/// What watchers want done with the store that the engine owns: asked in their connection's thread,
/// carried out in the tuning thread, which alone may write.
class RequestQueue {
public:
    /// A short one may be done between two trials, a long one only between rounds.
    enum class Length : std::uint8_t { Short, Long };
    using Worker = std::function<json::Value(const json::Value& request)>;

    /// Called in the asking thread after a request was queued: the tuning thread may sleep.
    std::function<void()> onQueued;

    /// Waits until it was carried out; the answer of the worker, or a refusal when the run ends.
    json::Value submit(Length length, const json::Value& request, const std::stop_token& stop);
    /// Carries out what waits, in the tuning thread. UserErrors become refusals.
    void serve(bool betweenRounds, const Worker& worker);
    /// Refuses what waits and everything from now on.
    void close();

private:
    struct Job {
        Length length = Length::Short;
        json::Value request;
        json::Value answer;
        bool done = false;
    };
    std::shared_ptr<Job> take(bool betweenRounds);
    void finish(const std::shared_ptr<Job>& job, json::Value answer);

    std::mutex mutex_; ///< guards the rest
    std::condition_variable_any changed_;
    std::deque<std::shared_ptr<Job>> waiting_;
    bool closed_ = false;
};

/// `{"ok": false, "error": message}`.
json::Value refusal(std::string_view message, std::string_view kind = {});

} // namespace tilewright::session
