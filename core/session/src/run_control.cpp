// SPDX-License-Identifier: Apache-2.0
#include "run_control.h"

#include <utility>

namespace tilewright::session {

bool RunControl::proceed() {
    if (betweenRounds)
        betweenRounds();
    std::unique_lock lock(mutex_);
    const bool waits = paused_ && !stopping_;
    if (waits && onWait) {
        lock.unlock();
        onWait(true);
        lock.lock();
    }
    while (paused_ && !stopping_) {
        changed_.wait(lock, [this] { return !paused_ || stopping_ || woken_; });
        if (std::exchange(woken_, false) && betweenRounds) {
            lock.unlock();
            betweenRounds();
            lock.lock();
        }
    }
    const bool goesOn = !stopping_;
    lock.unlock();
    if (waits && onWait)
        onWait(false);
    return goesOn;
}

void RunControl::wake() {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
    }
    changed_.notify_all();
}

search::TaskOrder RunControl::order(const std::string& task) {
    search::TaskOrder order = search::TaskOrder::None;
    bool isNew = false;
    {
        const std::lock_guard lock(mutex_);
        const auto it = orders_.find(task);
        if (it != orders_.end())
            order = it->second;
        search::TaskOrder& seen = seen_[task];
        isNew = seen != order;
        seen = order;
    }
    if (isNew && onOrder)
        onOrder(task, order);
    return order;
}

void RunControl::boostTaken(const std::string& task) {
    const std::lock_guard lock(mutex_);
    orders_.erase(task);
    seen_.erase(task);
}

void RunControl::pause() {
    const std::lock_guard lock(mutex_);
    paused_ = true;
}

void RunControl::resume() {
    {
        const std::lock_guard lock(mutex_);
        paused_ = false;
    }
    changed_.notify_all();
}

void RunControl::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
}

void RunControl::cancel() {
    stop();
    cancel_.request_stop();
}

void RunControl::setOrder(const std::string& task, search::TaskOrder order) {
    const std::lock_guard lock(mutex_);
    orders_[task] = order;
}

bool RunControl::paused() const {
    const std::lock_guard lock(mutex_);
    return paused_;
}

bool RunControl::stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

} // namespace tilewright::session
