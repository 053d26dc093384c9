// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/bottleneck_source.h>

#include <algorithm>

namespace tilewright::ui {

namespace {

enum Tag { Read = 1 };

} // namespace

BottleneckSource::BottleneckSource(QObject* parent) : AsyncSource(parent) {
    connect(&peaks_, &ChildCommand::started, this, &BottleneckSource::peaksStarted);
    connect(&peaks_, &ChildCommand::finished, this,
            [this](const QByteArray&, int) { emit peaksMeasured(); });
    connect(&peaks_, &ChildCommand::failed, this, &BottleneckSource::peaksFailed);
}

BottleneckSource::~BottleneckSource() {
    shutDown();
}

void BottleneckSource::read(const QString& workDir, qint64 session, const QString& target,
                            const QString& filter, Statistic statistic, bool theoretical) {
    session::BottleneckOptions options;
    options.session = session;
    options.target = target.toStdString();
    options.filter = filter.toStdString();
    options.statistic = static_cast<session::Statistic>(statistic);
    options.theoretical = theoretical;
    problem_.clear();
    request<BottleneckReportPtr>(
        Read,
        [path = workDir.toStdString(), options] { return session::readBottlenecks(path, options); },
        [this](const BottleneckReportPtr& report) {
            report_ = report;
            emit ready();
        },
        [this](const QString& message) {
            problem_ = message;
            emit failed(message);
        });
}

void BottleneckSource::close() {
    forget(Read);
    report_.reset();
    problem_.clear();
}

std::optional<double> BottleneckSource::whatIf(qint64 task, double roofShare) const {
    return report_ ? session::secondsIfRoofShare(*report_, task, roofShare) : std::nullopt;
}

void BottleneckSource::measurePeaks() {
    peaks_.start({QStringLiteral("peaks"), QStringLiteral("--seconds"),
                  QString::number(kPeakSeconds), QStringLiteral("--json")});
}

void BottleneckSource::cancelPeaks() {
    peaks_.cancel();
}

double BottleneckSource::peaksProgress() const {
    return std::min(1.0, static_cast<double>(peaks_.elapsed()) / (kPeakSeconds * 1000.0));
}

} // namespace tilewright::ui
