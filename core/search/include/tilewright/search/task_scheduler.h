// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/random_state.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::search {

/// What a scheduler looks at. One a task, in order.
struct TaskProgress {
    double weight = 1;
    bool open = true; ///< may be given another round
    int rounds = 0;   ///< rounds done
    /// Lowest latency after each round, in ms; 1e9 while there is none.
    std::vector<double> bestHistoryMs;
};

/// Decides which task gets the next round. Owned by one thread.
class TaskScheduler {
public:
    virtual ~TaskScheduler() = default;
    [[nodiscard]] virtual std::string_view kind() const = 0;
    /// Index of the task, -1 when none is open.
    [[nodiscard]] virtual int nextTask(std::span<const TaskProgress> tasks,
                                       base::RandomState& random) = 0;
};

/// Every open task in turn.
std::unique_ptr<TaskScheduler> makeRoundRobin();
/// The task whose weighted latency promises to fall fastest: α·(fall over the last `window`
/// rounds) + (1 − α)·(latency / rounds), times weight; every task once first.
std::unique_ptr<TaskScheduler> makeGradient(double alpha = 0.2, int window = 3);

/// `gradient`, `round-robin`. Throws UserError (kind `task-scheduler`) naming what is accepted.
std::unique_ptr<TaskScheduler> makeTaskScheduler(std::string_view kind);
std::vector<std::string> taskSchedulerKinds();

} // namespace tilewright::search
