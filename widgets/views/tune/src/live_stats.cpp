// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_stats.h"

#include <tilewright/ui/live_text.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace tilewright::ui {

namespace {

/// Texts in the context LiveStats.
struct LiveStats {
    Q_DECLARE_TR_FUNCTIONS(LiveStats)
};

Stat latencyStat(const session::LiveSnapshot& snapshot) {
    Stat stat;
    stat.big = true;
    stat.caption = LiveStats::tr("Model latency, default → best so far");
    stat.tooltip = LiveStats::tr("Sum over the tasks of weight × median latency. Tasks without a "
                                 "result of their own count with their default schedule. ± is the "
                                 "root of the squares of the halves of their 95 % intervals.");
    if (!snapshot.bestTotal) {
        stat.value = QStringLiteral("—");
        stat.note = LiveStats::tr("nothing measured yet");
        return stat;
    }
    const session::ScaledUnit unit = session::latencyUnit(*snapshot.bestTotal);
    stat.from = latencyText(snapshot.defaultTotal, unit);
    stat.value =
        latencyText(snapshot.bestTotal, unit) + QChar(0x00A0) + QString::fromStdString(unit.name);
    stat.note = errorText(*snapshot.bestTotal, snapshot.bestTotalError, unit);
    if (snapshot.missingTasks > 0) {
        stat.note =
            LiveStats::tr("without %n task(s) not measured yet", nullptr, snapshot.missingTasks);
        stat.noteTone = Tone::Warning;
    }
    return stat;
}

Stat speedUpStat(const session::LiveSnapshot& snapshot) {
    Stat stat;
    stat.big = true;
    stat.caption = LiveStats::tr("Speed-up");
    const auto factor = snapshot.speedUp();
    stat.value = factorText(factor);
    stat.tooltip = LiveStats::tr("Default divided by best, of the whole model");
    if (!factor)
        return stat;
    if (*factor >= 1.01) {
        stat.tone = stat.noteTone = Tone::Faster;
        stat.note = LiveStats::tr("▼ faster");
    } else if (*factor <= 0.99) {
        stat.tone = stat.noteTone = Tone::Slower;
        stat.note = LiveStats::tr("▲ slower");
    } else {
        stat.note = LiveStats::tr("≈ the same");
    }
    return stat;
}

Stat trialsStat(const session::LiveSnapshot& snapshot) {
    Stat stat;
    stat.caption = LiveStats::tr("Trials");
    stat.value = snapshot.budget > 0 ? QStringLiteral("%1 / %2").arg(groupedCount(snapshot.trials),
                                                                     groupedCount(snapshot.budget))
                                     : groupedCount(snapshot.trials);
    if (snapshot.failed > 0)
        stat.tooltip = LiveStats::tr("%n failed", nullptr, static_cast<int>(snapshot.failed));
    return stat;
}

Stat leftStat(const session::LiveSnapshot& snapshot, const QString& state) {
    Stat stat;
    const bool going = state == QLatin1String("running") || state == QLatin1String("paused") ||
                       state == QLatin1String("stopping");
    if (!going) {
        stat.caption = LiveStats::tr("Throughput");
        stat.value =
            snapshot.trialsPerMinute > 0
                ? LiveStats::tr("%1 trials/min")
                      .arg(QLocale().toString(std::round(snapshot.trialsPerMinute), 'f', 0))
                : QStringLiteral("—");
        return stat;
    }
    stat.caption = LiveStats::tr("Time left");
    if (!snapshot.timeLeft) {
        stat.value = LiveStats::tr("estimating…");
        stat.tooltip = LiveStats::tr("Known after 16 trials");
        return stat;
    }
    stat.value = spanRangeText(snapshot.timeLeft->low, snapshot.timeLeft->high);
    const QDateTime end =
        QDateTime::currentDateTime().addSecs(static_cast<qint64>(snapshot.timeLeft->seconds));
    stat.note = QStringLiteral("≈ %1").arg(QLocale().toString(end.time(), QStringLiteral("HH:mm")));
    stat.tooltip = LiveStats::tr("%1 trials/min of late; the range is from the quartiles of the "
                                 "time per trial")
                       .arg(QLocale().toString(std::round(snapshot.trialsPerMinute), 'f', 0));
    return stat;
}

Stat gainStat(const session::LiveSnapshot& snapshot) {
    Stat stat;
    stat.caption = LiveStats::tr("Last 100 trials");
    stat.tooltip = LiveStats::tr("By how much they lowered the model's latency: whether going on "
                                 "still pays");
    if (!snapshot.recentGain)
        stat.value = QStringLiteral("—");
    else if (*snapshot.recentGain < 0.0005)
        stat.value = LiveStats::tr("no gain");
    else
        stat.value =
            QStringLiteral("−%1 %").arg(QLocale().toString(*snapshot.recentGain * 100, 'f', 1));
    return stat;
}

} // namespace

QVector<Stat> liveStats(const session::LiveSnapshot& snapshot, const QString& state) {
    Stat elapsed;
    elapsed.caption = LiveStats::tr("Elapsed");
    elapsed.value = spanText(snapshot.elapsed);
    elapsed.tooltip = LiveStats::tr("Time of work; pauses and interruptions are not counted");
    return {latencyStat(snapshot),     speedUpStat(snapshot), trialsStat(snapshot), elapsed,
            leftStat(snapshot, state), gainStat(snapshot)};
}

} // namespace tilewright::ui
