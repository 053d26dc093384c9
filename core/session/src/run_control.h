// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/search/tune.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

namespace tilewright::session {

/// The wishes of whoever watches a run: set from any thread, read by the tuning thread.
class RunControl final : public search::TuneControl {
public:
    bool proceed() override;
    search::TaskOrder order(const std::string& task) override;
    void boostTaken(const std::string& task) override;
    [[nodiscard]] std::stop_token cancelToken() const override { return cancel_.get_token(); }

    void pause();
    void resume();
    void stop();
    void cancel();
    void setOrder(const std::string& task, search::TaskOrder order);
    [[nodiscard]] bool paused() const;
    [[nodiscard]] bool stopping() const;
    /// Called in the tuning thread when it begins and ends to wait.
    std::function<void(bool waiting)> onWait;
    /// Called in the tuning thread between rounds, and while it waits whenever wake() was called.
    std::function<void()> betweenRounds;
    /// Called in the tuning thread when it sees a new order for a task.
    std::function<void(const std::string& task, search::TaskOrder order)> onOrder;
    /// Makes a waiting tuning thread call betweenRounds. From any thread.
    void wake();

private:
    mutable std::mutex mutex_; ///< guards the rest
    std::condition_variable changed_;
    bool paused_ = false;
    bool stopping_ = false;
    bool woken_ = false;
    std::map<std::string, search::TaskOrder> orders_;
    std::map<std::string, search::TaskOrder> seen_; ///< orders that the tuning thread knows
    std::stop_source cancel_;
};

} // namespace tilewright::session
