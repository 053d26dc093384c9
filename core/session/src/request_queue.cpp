// SPDX-License-Identifier: Apache-2.0
#include "request_queue.h"

#include <tilewright/base/diagnostic.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace tilewright::session {

namespace {

json::Value endedAnswer() {
    json::Value answer = refusal("the engine ends now", "session-unreachable");
    answer.asObject().set("ended", true);
    return answer;
}

} // namespace

json::Value refusal(std::string_view message, std::string_view kind) {
    json::Object object;
    object.set("ok", false);
    object.set("error", message);
    if (!kind.empty())
        object.set("kind", kind);
    return json::Value(std::move(object));
}

json::Value RequestQueue::submit(Length length, const json::Value& request,
                                 const std::stop_token& stop) {
    const auto job = std::make_shared<Job>();
    job->length = length;
    job->request = request;
    {
        const std::lock_guard lock(mutex_);
        if (closed_)
            return endedAnswer();
        waiting_.push_back(job);
    }
    if (onQueued)
        onQueued();
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return job->done; }))
        return endedAnswer();
    return job->answer;
}

std::shared_ptr<RequestQueue::Job> RequestQueue::take(bool betweenRounds) {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& job) {
        return betweenRounds || job->length == Length::Short;
    });
    if (it == waiting_.end())
        return nullptr;
    auto job = *it;
    waiting_.erase(it);
    return job;
}

void RequestQueue::finish(const std::shared_ptr<Job>& job, json::Value answer) {
    {
        const std::lock_guard lock(mutex_);
        job->answer = std::move(answer);
        job->done = true;
    }
    changed_.notify_all();
}

void RequestQueue::serve(bool betweenRounds, const Worker& worker) {
    while (const auto job = take(betweenRounds)) {
        try {
            finish(job, worker(job->request));
        } catch (const base::UserError& error) {
            finish(job, refusal(error.diagnostic().message, error.diagnostic().kind));
        } catch (const std::exception& error) {
            finish(job, refusal(error.what(), "internal")); // a request must not end the run
        }
    }
}

void RequestQueue::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        for (const auto& job : waiting_) {
            job->answer = endedAnswer();
            job->done = true;
        }
        waiting_.clear();
    }
    changed_.notify_all();
}

} // namespace tilewright::session
