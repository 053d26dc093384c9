// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tilewright::ui {

/// Makes plots known to screen readers; harmless when called again.
void installPlotAccessibility();

} // namespace tilewright::ui
