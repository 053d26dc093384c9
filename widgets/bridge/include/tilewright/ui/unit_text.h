// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace tilewright::ui {

/// `12.34 µs`, `1.234 ms`; an em dash for nothing.
QString durationText(std::optional<double> seconds);
/// `2.50×`; an em dash when either is missing.
QString ratioText(std::optional<double> numerator, std::optional<double> denominator);

} // namespace tilewright::ui
