// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace tilewright::measure {

/// A queue between threads: any thread pushes, serving threads pop until they are asked to stop.
template <class Job> class JobQueue {
public:
    void push(Job job) {
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        ready_.notify_one();
    }
    void pushFront(Job job) {
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_front(std::move(job));
        }
        ready_.notify_one();
    }
    /// Waits for a job; nothing when asked to stop.
    std::optional<Job> pop(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        if (!ready_.wait(lock, stop, [this] { return !jobs_.empty(); }) || stop.stop_requested())
            return std::nullopt;
        std::optional<Job> job(std::move(jobs_.front()));
        jobs_.pop_front();
        return job;
    }
    /// A job that is there now.
    std::optional<Job> tryPop() {
        const std::lock_guard lock(mutex_);
        if (jobs_.empty())
            return std::nullopt;
        std::optional<Job> job(std::move(jobs_.front()));
        jobs_.pop_front();
        return job;
    }

private:
    std::mutex mutex_; // guards jobs_
    std::condition_variable_any ready_;
    std::deque<Job> jobs_;
};

/// A stop source that either of two tokens sets off.
class EitherStop {
public:
    EitherStop(const std::stop_token& a, const std::stop_token& b)
        : onA_(a, Request{&source_}), onB_(b, Request{&source_}) {}
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    struct Request {
        std::stop_source* source;
        void operator()() const { source->request_stop(); }
    };
    std::stop_source source_;
    std::stop_callback<Request> onA_;
    std::stop_callback<Request> onB_;
};

} // namespace tilewright::measure
