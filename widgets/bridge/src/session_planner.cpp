// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/session_planner.h>

#include <QPointer>

namespace tilewright::ui {

namespace {

enum Tag { DescribeTag, CheckTag, TryTag };

struct Description {
    ModelOverviewPtr overview;
    session::TuningSpeed speed;
};

} // namespace

SessionPlanner::SessionPlanner(QObject* parent) : AsyncSource(parent) {}

SessionPlanner::~SessionPlanner() {
    cancelTrying();
    shutDown();
}

void SessionPlanner::describe(const session::SessionPlan& plan) {
    request<Description>(
        DescribeTag,
        [plan] {
            session::OverviewOptions options;
            options.input.shapes = plan.shapes;
            options.target = plan.target;
            options.workDir = plan.workDir;
            options.peaksFile = session::peaksCacheFile();
            return Description{session::openOverview(plan.input, options),
                               session::readTuningSpeed()};
        },
        [this](const Description& outcome) {
            overview_ = outcome.overview;
            speed_ = outcome.speed;
            emit described(overview_);
        },
        [this](const QString& message) { emit describeFailed(message); });
}

void SessionPlanner::check(const session::SessionPlan& plan) {
    request<PlanChecksPtr>(
        CheckTag,
        [plan] {
            return std::make_shared<const std::vector<session::EnvironmentCheck>>(
                session::preflight(plan));
        },
        [this](const PlanChecksPtr& checks) { emit checked(checks); },
        [this](const QString& message) { emit checkFailed(message); });
}

void SessionPlanner::tryTasks(const session::SessionPlan& plan) {
    cancelTrying();
    auto stop = std::make_shared<std::atomic<bool>>(false);
    stopTrying_ = stop;
    request<PlanChecksPtr>(
        TryTag,
        [this, plan, stop] {
            // `this` lives: the destructor waits for the work at hand.
            const auto report = [this, stop](std::size_t done, std::size_t all) {
                QMetaObject::invokeMethod(this, [this, stop, done, all] {
                    if (!stop->load())
                        emit tried(static_cast<int>(done), static_cast<int>(all), nullptr);
                });
                return !stop->load();
            };
            return std::make_shared<const std::vector<session::EnvironmentCheck>>(
                session::tryTasks(plan, report));
        },
        [this](const PlanChecksPtr& checks) {
            emit tried(static_cast<int>(checks->size()), static_cast<int>(checks->size()), checks);
        },
        [this](const QString& message) { emit tryFailed(message); });
}

void SessionPlanner::cancelTrying() {
    if (stopTrying_)
        stopTrying_->store(true);
    forget(TryTag);
}

session::PlanEstimate SessionPlanner::estimate(const session::SessionPlan& plan) const {
    return session::estimatePlan(plan, speed_);
}

QString SessionPlanner::commandLine(const session::SessionPlan& plan) {
    return QString::fromStdString(session::commandLine(plan));
}

QStringList SessionPlanner::arguments(const session::SessionPlan& plan) {
    QStringList arguments;
    for (const std::string& argument : session::tuneArguments(plan))
        arguments.append(QString::fromStdString(argument));
    return arguments;
}

session::SessionPlan SessionPlanner::withEffort(session::SessionPlan plan, session::Effort effort,
                                                int tasks) {
    session::applyEffort(plan, effort, static_cast<std::size_t>(std::max(tasks, 0)));
    return plan;
}

} // namespace tilewright::ui
