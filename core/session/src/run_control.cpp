// SPDX-License-Identifier: Apache-2.0
#include "run_control.h"

namespace tilewright::session {

bool RunControl::proceed() {
    std::unique_lock lock(mutex_);
    const bool waits = paused_ && !stopping_;
    if (waits && onWait) {
        lock.unlock();
        onWait(true);
        lock.lock();
    }
    changed_.wait(lock, [this] { return !paused_ || stopping_; });
    const bool goesOn = !stopping_;
    lock.unlock();
    if (waits && onWait)
        onWait(false);
    return goesOn;
}

search::TaskOrder RunControl::order(const std::string& task) {
    const std::lock_guard lock(mutex_);
    const auto it = orders_.find(task);
    if (it == orders_.end())
        return search::TaskOrder::None;
    return it->second;
}

void RunControl::boostTaken(const std::string& task) {
    const std::lock_guard lock(mutex_);
    orders_.erase(task);
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
