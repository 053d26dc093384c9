// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewright::base {

/// Threads for fanning out independent work; the caller works too, so a pool of one thread starts
/// none. One parallelFor at a time. Results do not depend on the number of threads as long as the
/// items do not depend on each other.
class ThreadPool {
public:
    explicit ThreadPool(int threads);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }
    /// Calls item(i) for i in [0, count), each once, and returns when all are done. The first
    /// exception (by index) is rethrown.
    void parallelFor(std::size_t count, const std::function<void(std::size_t)>& item);

private:
    void work();
    void drain();

    std::mutex mutex_; ///< guards all below
    std::condition_variable wake_;
    std::condition_variable done_;
    const std::function<void(std::size_t)>* item_ = nullptr;
    std::size_t next_ = 0;
    std::size_t count_ = 0;
    std::size_t running_ = 0;
    std::size_t generation_ = 0;
    std::size_t failedIndex_ = 0;
    std::exception_ptr failure_;
    bool stopping_ = false;
    std::vector<std::jthread> workers_;
};

} // namespace tilewright::base
