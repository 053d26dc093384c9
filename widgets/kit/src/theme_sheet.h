// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <tilewright/ui/theme.h>

namespace tilewright::ui {

/// The style sheet with the colours put in.
QString themeSheet(const ThemeColors& colors);

} // namespace tilewright::ui
