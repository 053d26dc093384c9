// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/task_scheduler.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::search {

namespace {

constexpr double kNoLatencyMs = 1e9;

class RoundRobin final : public TaskScheduler {
public:
    [[nodiscard]] std::string_view kind() const override { return "round-robin"; }
    [[nodiscard]] int nextTask(std::span<const TaskProgress> tasks, base::RandomState&) override {
        const int n = static_cast<int>(tasks.size());
        for (int i = 0; i < n; ++i) {
            last_ = (last_ + 1) % n;
            if (tasks[static_cast<std::size_t>(last_)].open)
                return last_;
        }
        return -1;
    }

private:
    int last_ = -1;
};

class Gradient final : public TaskScheduler {
public:
    Gradient(double alpha, int window) : alpha_(alpha), window_(window) {}
    [[nodiscard]] std::string_view kind() const override { return "gradient"; }

    [[nodiscard]] int nextTask(std::span<const TaskProgress> tasks,
                               base::RandomState& random) override {
        for (std::size_t i = 0; i < tasks.size(); ++i)
            if (tasks[i].open && tasks[i].rounds == 0)
                return static_cast<int>(i);
        std::vector<int> open;
        std::vector<double> gradients;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            if (tasks[i].open) {
                open.push_back(static_cast<int>(i));
                gradients.push_back(gradient(tasks[i]));
            }
        if (open.empty())
            return -1;
        const auto [low, high] = std::minmax_element(gradients.begin(), gradients.end());
        if (*low == *high)
            return open[static_cast<std::size_t>(
                random.sampleInt(0, static_cast<std::int64_t>(open.size())))];
        return open[static_cast<std::size_t>(high - gradients.begin())];
    }

private:
    [[nodiscard]] double gradient(const TaskProgress& task) const {
        const auto n = static_cast<int>(task.bestHistoryMs.size());
        if (n == 0 || task.bestHistoryMs.back() >= kNoLatencyMs)
            return -kNoLatencyMs;
        const double best = task.bestHistoryMs.back();
        const double recent =
            n >= 1 + window_
                ? (task.bestHistoryMs[static_cast<std::size_t>(n - 1 - window_)] - best) / window_
                : 0;
        return (alpha_ * recent + (1 - alpha_) * best / n) * task.weight;
    }

    double alpha_;
    int window_;
};

} // namespace

std::unique_ptr<TaskScheduler> makeRoundRobin() {
    return std::make_unique<RoundRobin>();
}
std::unique_ptr<TaskScheduler> makeGradient(double alpha, int window) {
    return std::make_unique<Gradient>(alpha, window);
}

std::unique_ptr<TaskScheduler> makeTaskScheduler(std::string_view kind) {
    if (kind == "gradient")
        return makeGradient();
    if (kind == "round-robin")
        return makeRoundRobin();
    throw base::UserError("task-scheduler",
                          base::concat("no task scheduler '", kind, "'; accepted are: ",
                                       base::join(taskSchedulerKinds(), ", ")));
}

std::vector<std::string> taskSchedulerKinds() {
    return {"gradient", "round-robin"};
}

} // namespace tilewright::search
