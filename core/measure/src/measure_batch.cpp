// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/measure_batch.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tilewright::measure {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Build results on their way from the builder's threads to the caller's.
class BuiltQueue {
public:
    struct Item {
        std::size_t index;
        BuilderResult result;
    };
    void push(Item item) {
        {
            const std::lock_guard lock(mutex_);
            items_.push_back(std::move(item));
        }
        ready_.notify_one();
    }
    Item pop() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return !items_.empty(); });
        Item item = std::move(items_.front());
        items_.pop_front();
        return item;
    }
    /// Waits a moment for an item; true when there is one.
    bool waitBriefly(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        return ready_.wait_for(lock, patience, [this] { return !items_.empty(); });
    }

private:
    std::mutex mutex_; // guards items_
    std::condition_variable ready_;
    std::deque<Item> items_;
};

class Batch {
public:
    Batch(Builder& builder, Runner& runner, std::vector<BatchInput> inputs,
          const BatchOptions& options, std::stop_token stop)
        : builder_(builder), runner_(runner), inputs_(std::move(inputs)), options_(options),
          stop_(std::move(stop)), results_(inputs_.size()) {}

    std::vector<BatchResult> run(BatchTimes& times) {
        std::vector<BuilderInput> builds;
        builds.reserve(inputs_.size());
        for (BatchInput& input : inputs_)
            builds.push_back(std::move(input.build));
        const double start = now();
        // Joined before `builds` goes away.
        std::jthread building([this, &builds] {
            builder_.build(
                builds,
                [this](std::size_t index, BuilderResult result) {
                    built_.push({index, std::move(result)});
                },
                stop_);
        });
        if (!options_.overlap)
            building.join();
        // One candidate more than there are slots waits at the runner, so that it has work while
        // onResult stores the last result.
        const auto depth = static_cast<std::size_t>(std::max(1, runner_.parallelism())) + 1;
        std::size_t taken = 0;
        double waitedForBuild = options_.overlap ? 0 : now() - start;
        double waitedForRun = 0;
        while (taken < inputs_.size() || !flying_.empty()) {
            const bool mayTake = taken < inputs_.size() && flying_.size() < depth;
            const double before = now();
            if (flying_.empty() || (mayTake && builtBeforeLanding())) {
                const bool idle = flying_.empty();
                BuiltQueue::Item item = built_.pop();
                (idle ? waitedForBuild : waitedForRun) += now() - before;
                ++taken;
                launch(std::move(item));
                continue;
            }
            flying_.front().future.wait();
            waitedForRun += now() - before;
            land();
        }
        times.build += waitedForBuild;
        times.run += waitedForRun;
        times.other += now() - start - waitedForBuild - waitedForRun;
        return std::move(results_);
    }

private:
    struct Flight {
        std::size_t index;
        RunnerFuture future;
    };

    void launch(BuiltQueue::Item item) {
        BatchResult& result = results_[item.index];
        result.buildSeconds = item.result.seconds;
        result.artifact = item.result.artifact;
        if (!item.result.artifact) {
            result.run.failure = std::move(item.result.failure);
            finish(item.index);
            return;
        }
        RunnerInput& input = inputs_[item.index].run;
        input.artifact = item.result.artifact;
        if (options_.beforeRun)
            options_.beforeRun(item.index, input);
        std::vector<RunnerInput> one;
        one.push_back(std::move(input));
        flying_.push_back({item.index, runner_.run(std::move(one), stop_).front()});
    }

    /// Waits until a build is there (true) or the candidate in front has run (false).
    bool builtBeforeLanding() {
        while (!built_.waitBriefly(std::chrono::milliseconds(1)))
            if (flying_.front().future.done())
                return false;
        return true;
    }

    void land() {
        const Flight flight = std::move(flying_.front());
        flying_.pop_front();
        results_[flight.index].run = flight.future.result();
        finish(flight.index);
    }

    void finish(std::size_t index) {
        if (options_.onResult)
            options_.onResult(index, results_[index]);
    }

    Builder& builder_;
    Runner& runner_;
    std::vector<BatchInput> inputs_;
    const BatchOptions& options_;
    std::stop_token stop_;
    std::vector<BatchResult> results_;
    BuiltQueue built_;
    std::deque<Flight> flying_;
};

} // namespace

std::vector<BatchResult> measureBatch(Builder& builder, Runner& runner,
                                      std::vector<BatchInput> inputs, const BatchOptions& options,
                                      std::stop_token stop, BatchTimes* times) {
    if (inputs.empty())
        return {};
    BatchTimes ignored;
    return Batch(builder, runner, std::move(inputs), options, std::move(stop))
        .run(times != nullptr ? *times : ignored);
}

} // namespace tilewright::measure
