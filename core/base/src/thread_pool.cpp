// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/thread_pool.h>

#include <utility>

namespace tilewright::base {

ThreadPool::ThreadPool(int threads) {
    for (int i = 1; i < threads; ++i)
        workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
}

void ThreadPool::drain() {
    std::unique_lock lock(mutex_);
    while (item_ && next_ < count_) {
        const std::size_t index = next_++;
        const auto* item = item_;
        lock.unlock();
        std::exception_ptr failure;
        try {
            (*item)(index);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure && (!failure_ || index < failedIndex_)) {
            failure_ = failure;
            failedIndex_ = index;
        }
    }
}

void ThreadPool::work() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
        if (stopping_)
            return;
        seen = generation_;
        ++running_;
        lock.unlock();
        drain();
        lock.lock();
        if (--running_ == 0)
            done_.notify_all();
    }
}

void ThreadPool::parallelFor(std::size_t count, const std::function<void(std::size_t)>& item) {
    if (workers_.empty() || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            item(i);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        item_ = &item;
        next_ = 0;
        count_ = count;
        failure_ = nullptr;
        ++generation_;
    }
    wake_.notify_all();
    drain();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0 && next_ >= count_; });
    item_ = nullptr;
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

} // namespace tilewright::base
