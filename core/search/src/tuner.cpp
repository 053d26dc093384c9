// SPDX-License-Identifier: Apache-2.0
#include "tuner.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::search {

int effectiveBatch(const TuneOptions& options, std::size_t tasks) {
    if (options.numTrialsPerIter > 0)
        return options.numTrialsPerIter;
    constexpr std::int64_t usual = 64;
    const auto quarter = static_cast<std::int64_t>(4 * std::max<std::size_t>(tasks, 1));
    if (options.maxTrialsGlobal >= quarter * usual)
        return usual;
    return static_cast<int>(std::max<std::int64_t>(4, options.maxTrialsGlobal / quarter));
}

Tuner::Tuner(const std::vector<TuneTask>& tasks, const TuneOptions& options, const TuneSetup& setup)
    : options_(options), setup_(setup), pool_(options.numTuningCores), random_(options.seed),
      scheduler_(makeTaskScheduler(options.taskScheduler)),
      batch_(effectiveBatch(options, tasks.size())) {
    states_.reserve(tasks.size());
    for (const TuneTask& task : tasks)
        openTask(task);
}

TuneResult Tuner::run() {
    while (trialsLeft() > 0 && !cancelled()) {
        if (timeIsUp() || (setup_.control && !setup_.control->proceed())) {
            stopped_ = true;
            break;
        }
        takeOrders();
        const int next = chooseTask();
        if (next < 0)
            break;
        TaskState& state = states_[static_cast<std::size_t>(next)];
        if (!state.strategy && !prepare(state))
            continue;
        if (cancelled())
            break;
        playRound(state);
    }
    // A budget that did not reach a task still leaves it with what it costs untuned.
    for (TaskState& state : states_) {
        if (state.defaultTried || stopped_ || cancelled())
            continue;
        phase("measure");
        if (setup_.reference)
            state.reference = setup_.reference(*state.task);
        measureDefault(state);
    }
    if (!cancelled())
        for (TaskState& state : states_)
            confirmBest(state);
    phase("idle");
    return result();
}

int Tuner::chooseTask() {
    std::vector<TaskProgress> progress;
    for (TaskState& state : states_) {
        state.progress.open = state.endReason.empty() && !state.frozen;
        if (state.progress.open && state.trials >= state.maxTrials) {
            endTask(state, "its trials are used");
            state.progress.open = false;
        }
        progress.push_back(state.progress);
    }
    if (setup_.control)
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (progress[i].open &&
                setup_.control->order(states_[i].task->name) == TaskOrder::Boost) {
                setup_.control->boostTaken(states_[i].task->name);
                return static_cast<int>(i);
            }
    return scheduler_->nextTask(progress, random_);
}

void Tuner::takeOrders() {
    if (!setup_.control)
        return;
    for (TaskState& state : states_) {
        switch (setup_.control->order(state.task->name)) {
        case TaskOrder::Skip:
            if (state.endReason.empty())
                endTask(state, "skipped");
            break;
        case TaskOrder::Freeze:
            state.frozen = true;
            break;
        case TaskOrder::Boost:
            // Carried out by the choice of the next task.
            break;
        case TaskOrder::None:
            state.frozen = false;
            break;
        }
    }
}

void Tuner::endTask(TaskState& state, std::string reason) {
    state.endReason = std::move(reason);
    if (setup_.observer)
        setup_.observer->taskEnded(indexOf(state), state.endReason);
}

std::int64_t Tuner::trialsDone() const {
    std::int64_t sum = 0;
    for (const TaskState& state : states_)
        sum += state.trials;
    return sum;
}

bool Tuner::timeIsUp() const {
    return options_.timeLimitSeconds > 0 &&
           std::chrono::duration<double>(Clock::now() - start_).count() > options_.timeLimitSeconds;
}

std::stop_token Tuner::cancelToken() const {
    return setup_.control ? setup_.control->cancelToken() : std::stop_token{};
}

void Tuner::phase(std::string_view name) {
    if (setup_.observer)
        setup_.observer->phaseChanged(name);
}

std::size_t Tuner::indexOf(const TaskState& state) const {
    return static_cast<std::size_t>(&state - states_.data());
}

TuneResult Tuner::result() const {
    TuneResult result;
    for (const TaskState& state : states_) {
        TaskResult& task = result.tasks.emplace_back();
        task.name = state.task->name;
        task.id = state.id;
        task.weight = state.task->weight;
        task.defaultMeasurement = state.defaultMeasurement;
        task.best = state.best;
        task.trials = state.trials;
        task.failed.assign(state.failed.begin(), state.failed.end());
        task.verified = state.best && state.best->verified.value_or(false);
        task.endReason = state.endReason;
        if (state.strategy) {
            const SearchStatistics& statistics = state.strategy->statistics();
            result.candidates += statistics.candidates;
            result.searchSeconds += statistics.seconds;
            result.rejections.merge(statistics.rejections);
        }
    }
    result.trials = trialsDone();
    result.newTrials = newTrials_;
    result.wallSeconds = std::chrono::duration<double>(Clock::now() - start_).count();
    result.buildSeconds = measureTimes_.build;
    result.runSeconds = measureTimes_.run;
    result.trainSeconds = trainSeconds_;
    result.stopped = stopped_;
    result.cancelled = cancelled();
    return result;
}

TuneResult tuneTasks(const std::vector<TuneTask>& tasks, const TuneOptions& options,
                     const TuneSetup& setup) {
    Tuner tuner(tasks, options, setup);
    return tuner.run();
}

} // namespace tilewright::search
