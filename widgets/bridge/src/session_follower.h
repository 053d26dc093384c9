// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/history_events.h>
#include <tilewright/session/live_model.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace tilewright::ui {

/// Follows one work directory in a thread of its own: what is stored, then what its engine tells,
/// and again when an engine appears later. Ends with its destruction, within about a fifth of a
/// second. Reports are made in its thread.
class SessionFollower {
public:
    struct Reports {
        /// At most four times a second; never null.
        std::function<void(session::LiveSnapshotPtr)> snapshot;
        std::function<void(bool alive)> engine;
        std::function<void(std::string why)> lost;
        /// The directory cannot be read; empty = it can again.
        std::function<void(std::string message)> unreadable;
        /// An engine that was started ended before it was seen at work: the end of its log, empty
        /// when it did its work.
        std::function<void(std::string message)> startFailed;
        std::function<void()> replayed;
    };

    SessionFollower(std::filesystem::path workDir, database::SessionId session, Reports reports);
    ~SessionFollower();
    SessionFollower(const SessionFollower&) = delete;
    SessionFollower& operator=(const SessionFollower&) = delete;

    /// Begins to follow.
    void follow();
    /// Feeds the stored session as if it ran, `speed` times as fast.
    void replay(double speed);
    /// An engine was started: look for it more often, and report it when it ends without listening.
    void expectEngine(std::int64_t pid, const std::filesystem::path& log);

private:
    using Clock = std::chrono::steady_clock;
    void run(const std::stop_token& stop);
    void runReplay(const std::stop_token& stop, double speed);
    bool load();
    void attach(const std::stop_token& stop);
    [[nodiscard]] bool engineListens() const;
    void checkStart();
    void publish(bool always);
    void sleep(const std::stop_token& stop, std::chrono::milliseconds time);
    void setRoof();

    const std::filesystem::path workDir_;
    const database::SessionId session_;
    const Reports reports_;
    session::LiveModel model_;
    Clock::time_point lastPublished_{};
    std::int64_t publishedRevision_ = -1;
    bool loaded_ = false;
    std::string problem_;

    std::mutex mutex_; ///< guards the three below
    std::condition_variable_any changed_;
    std::int64_t startedPid_ = 0;
    std::filesystem::path startedLog_;
    std::int64_t startedMs_ = 0;

    std::jthread thread_; ///< last: ends before the rest
};

} // namespace tilewright::ui
