// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/bottlenecks.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/async_source.h>
#include <tilewright/ui/child_command.h>

#include <memory>
#include <optional>

namespace tilewright::ui {

using BottleneckReportPtr = std::shared_ptr<const session::BottleneckReport>;

/// Where a model's time goes, and measuring the roofs that say how far it could go.
class BottleneckSource : public AsyncSource {
    Q_OBJECT

public:
    /// How long measuring the peaks takes.
    static constexpr int kPeakSeconds = 8;

    explicit BottleneckSource(QObject* parent = nullptr);
    ~BottleneckSource() override;

    /// Answered by ready() or failed(). session -1 = records of all sessions.
    void read(const QString& workDir, qint64 session, const QString& target, const QString& filter,
              Statistic statistic, bool theoretical);
    void close();
    /// Null before the first answer.
    [[nodiscard]] BottleneckReportPtr report() const { return report_; }
    [[nodiscard]] QString problem() const { return problem_; }

    /// Seconds of the model if one operator came to a share of its roof.
    [[nodiscard]] std::optional<double> whatIf(qint64 task, double roofShare) const;

    /// Measures the peaks of this machine in a child process; peaksMeasured() or peaksFailed().
    void measurePeaks();
    void cancelPeaks();
    [[nodiscard]] bool isMeasuringPeaks() const { return peaks_.isRunning(); }
    /// 0 … 1.
    [[nodiscard]] double peaksProgress() const;

signals:
    void ready();
    void failed(const QString& message);
    void peaksStarted();
    void peaksMeasured();
    /// Cancelled when the message is empty.
    void peaksFailed(const QString& message);

private:
    BottleneckReportPtr report_;
    QString problem_;
    ChildCommand peaks_;
};

} // namespace tilewright::ui
