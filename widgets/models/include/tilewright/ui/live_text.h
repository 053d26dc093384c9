// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/session/live_snapshot.h>
#include <tilewright/session/statistic.h>

#include <QString>

namespace tilewright::ui {

// Numbers and words of sessions as tables, plots and pages show them.

/// `18 331`, with thin spaces.
QString groupedCount(qint64 count);
/// `median`, `minimum`, `mean`, `p95`: what a column of latencies shows.
QString statisticWord(session::Statistic statistic);
/// A latency in a unit, three significant digits, without the unit; "—" for nothing.
QString latencyText(std::optional<double> seconds, const session::ScaledUnit& unit);
/// The same with the unit: `13.1 ms`.
QString latencyWithUnit(std::optional<double> seconds);
/// `± 0.1` in a unit, digits as those of `seconds`; empty when the interval is not known.
QString errorText(double seconds, double error, const session::ScaledUnit& unit);
/// `3.07×`; "—" for nothing.
QString factorText(std::optional<double> factor);
/// `19 min 40 s`, `1 h 12 min`, `8 s`.
QString spanText(double seconds);
/// `14–22 min`.
QString spanRangeText(double low, double high);
/// The word for a task's state in the current language, and its glyph.
QString taskStateWord(const session::LiveTask& task);
QString taskStateGlyph(session::LiveTaskState state);
/// Glyph of a failure kind (§3.5 of the interface's rules): `build` ■, `run` ✕, …
QString failureGlyph(database::RecordStatus status);
/// Word of a failure kind; the same in all languages.
QString failureWord(database::RecordStatus status);

} // namespace tilewright::ui
