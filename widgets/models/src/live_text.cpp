// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/live_text.h>

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

QString say(const char* text) {
    return QCoreApplication::translate("LiveText", text);
}

QString none() {
    return QStringLiteral("—");
}

/// Decimals that leave three significant digits.
int decimalsOf(double value) {
    if (!(std::abs(value) > 0))
        return 0;
    return std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 3);
}

QString grouped(double value, int decimals) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(value, 'f', decimals);
    qsizetype end = text.indexOf(locale.decimalPoint());
    if (end < 0)
        end = text.size();
    const qsizetype first = text.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (qsizetype at = end - 3; at > first; at -= 3)
        text.insert(at, QChar(0x2009));
    return text;
}

} // namespace

QString groupedCount(qint64 count) {
    return grouped(static_cast<double>(count), 0);
}

QString statisticWord(session::Statistic statistic) {
    switch (statistic) {
    case session::Statistic::Median:
        return say("median");
    case session::Statistic::Min:
        return say("minimum");
    case session::Statistic::Mean:
        return say("mean");
    case session::Statistic::P95:
        return say("p95");
    }
    return {};
}

QString latencyText(std::optional<double> seconds, const session::ScaledUnit& unit) {
    if (!seconds)
        return none();
    const double value = *seconds / unit.scale;
    return grouped(value, decimalsOf(value));
}

QString latencyWithUnit(std::optional<double> seconds) {
    if (!seconds)
        return none();
    const session::ScaledUnit unit = session::latencyUnit(*seconds);
    return latencyText(seconds, unit) + QChar(0x00A0) + QString::fromStdString(unit.name);
}

QString errorText(double seconds, double error, const session::ScaledUnit& unit) {
    if (!(error > 0))
        return {};
    const double value = error / unit.scale;
    const int decimals = std::max(decimalsOf(seconds / unit.scale),
                                  value < 0.05 ? 2 : decimalsOf(seconds / unit.scale));
    return QStringLiteral("± %1").arg(grouped(value, decimals));
}

QString factorText(std::optional<double> factor) {
    if (!factor || !std::isfinite(*factor))
        return none();
    return QStringLiteral("%1×").arg(QLocale().toString(*factor, 'f', *factor < 100 ? 2 : 0));
}

QString spanText(double seconds) {
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return say(QT_TRANSLATE_NOOP("LiveText", "%1 s")).arg(whole);
    if (whole < 3600)
        return say(QT_TRANSLATE_NOOP("LiveText", "%1 min %2 s")).arg(whole / 60).arg(whole % 60);
    return say(QT_TRANSLATE_NOOP("LiveText", "%1 h %2 min")).arg(whole / 3600).arg(whole / 60 % 60);
}

QString spanRangeText(double low, double high) {
    const auto round = [](double value) { return static_cast<qint64>(std::llround(value)); };
    if (high < 100)
        return round(low) == round(high)
                   ? say(QT_TRANSLATE_NOOP("LiveText", "%1 s")).arg(round(high))
                   : say(QT_TRANSLATE_NOOP("LiveText", "%1–%2 s")).arg(round(low)).arg(round(high));
    if (high < 5400)
        return round(low / 60) == round(high / 60)
                   ? say(QT_TRANSLATE_NOOP("LiveText", "%1 min")).arg(round(high / 60))
                   : say(QT_TRANSLATE_NOOP("LiveText", "%1–%2 min"))
                         .arg(round(low / 60))
                         .arg(round(high / 60));
    const QLocale locale;
    return say(QT_TRANSLATE_NOOP("LiveText", "%1–%2 h"))
        .arg(locale.toString(low / 3600, 'f', 1), locale.toString(high / 3600, 'f', 1));
}

QString taskStateWord(const session::LiveTask& task) {
    using State = session::LiveTaskState;
    if (task.ordered == "boost")
        return say(QT_TRANSLATE_NOOP("LiveText", "boost next"));
    if (task.ordered == "freeze")
        return say(QT_TRANSLATE_NOOP("LiveText", "freezing…"));
    if (task.ordered == "skip")
        return say(QT_TRANSLATE_NOOP("LiveText", "skipping…"));
    switch (task.state) {
    case State::Waiting:
        return say(QT_TRANSLATE_NOOP("LiveText", "waiting"));
    case State::Running:
        return say(QT_TRANSLATE_NOOP("LiveText", "running"));
    case State::Idle:
        return say(QT_TRANSLATE_NOOP("LiveText", "idle"));
    case State::Frozen:
        return say(QT_TRANSLATE_NOOP("LiveText", "frozen"));
    case State::Skipped:
        return say(QT_TRANSLATE_NOOP("LiveText", "skipped"));
    case State::Ended:
        return say(QT_TRANSLATE_NOOP("LiveText", "ended"));
    }
    return {};
}

QString taskStateGlyph(session::LiveTaskState state) {
    using State = session::LiveTaskState;
    switch (state) {
    case State::Waiting:
        return QStringLiteral("…");
    case State::Running:
        return QStringLiteral("▶");
    case State::Idle:
        return QStringLiteral("○");
    case State::Frozen:
        return QStringLiteral("❚❚");
    case State::Skipped:
        return QStringLiteral("–");
    case State::Ended:
        return QStringLiteral("✓");
    }
    return {};
}

QString failureGlyph(database::RecordStatus status) {
    using enum database::RecordStatus;
    switch (status) {
    case Ok:
        return {};
    case Apply:
        return QStringLiteral("▱");
    case Postproc:
        return QStringLiteral("▽");
    case Build:
        return QStringLiteral("■");
    case BuildTimeout:
        return QStringLiteral("□");
    case Run:
    case RunCrash:
    case RunOom:
        return QStringLiteral("✕");
    case RunTimeout:
        return QStringLiteral("◷");
    case WrongResult:
        return QStringLiteral("≠");
    case DeviceLost:
        return QStringLiteral("⚡");
    case Cancelled:
        return QStringLiteral("–");
    }
    return {};
}

QString failureWord(database::RecordStatus status) {
    const std::string_view word = database::toString(status);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

} // namespace tilewright::ui
