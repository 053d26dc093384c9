// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/model_overview.h>
#include <tilewright/session/plan_session.h>
#include <tilewright/ui/async_source.h>

#include <QStringList>

#include <memory>
#include <vector>

namespace tilewright::ui {

using ModelOverviewPtr = std::shared_ptr<const session::ModelOverview>;
using PlanChecksPtr = std::shared_ptr<const std::vector<session::EnvironmentCheck>>;

/// Prepares sessions: what there is to tune, how long it takes, whether anything stands in the way.
class SessionPlanner : public AsyncSource {
    Q_OBJECT

public:
    explicit SessionPlanner(QObject* parent = nullptr);
    ~SessionPlanner() override;

    /// Opens the plan's input and reads how fast this machine was; answered by described().
    void describe(const session::SessionPlan& plan);
    /// Runs the checks; answered by checked().
    void check(const session::SessionPlan& plan);
    /// Builds and runs every task once; progress by tried().
    void tryTasks(const session::SessionPlan& plan);
    void cancelTrying();

    [[nodiscard]] ModelOverviewPtr overview() const { return overview_; }
    [[nodiscard]] const session::TuningSpeed& speed() const { return speed_; }
    [[nodiscard]] session::PlanEstimate estimate(const session::SessionPlan& plan) const;
    [[nodiscard]] static QString commandLine(const session::SessionPlan& plan);
    [[nodiscard]] static QStringList arguments(const session::SessionPlan& plan);
    /// A plan with a preset's effort for so many tasks.
    [[nodiscard]] static session::SessionPlan withEffort(session::SessionPlan plan,
                                                         session::Effort effort, int tasks);

signals:
    void described(tilewright::ui::ModelOverviewPtr overview);
    void describeFailed(const QString& message);
    void checked(tilewright::ui::PlanChecksPtr checks);
    void checkFailed(const QString& message);
    /// `checks` is null until all are done.
    void tried(int done, int all, tilewright::ui::PlanChecksPtr checks);
    void tryFailed(const QString& message);

private:
    ModelOverviewPtr overview_;
    session::TuningSpeed speed_;
    std::shared_ptr<std::atomic<bool>> stopTrying_;
};

} // namespace tilewright::ui
