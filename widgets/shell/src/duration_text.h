// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tilewright::ui {

/// `14–22 min`, `40–50 s`, `1.5–2 h`; the unit that fits the longer end.
QString durationRangeText(double lowSeconds, double highSeconds);

} // namespace tilewright::ui
