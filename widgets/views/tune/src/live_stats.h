// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_snapshot.h>
#include <tilewright/ui/stat_strip.h>

#include <QVector>

namespace tilewright::ui {

/// The line of big numbers over a session.
QVector<Stat> liveStats(const session::LiveSnapshot& snapshot, const QString& state);

} // namespace tilewright::ui
