// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QApplication;

namespace tilewright::ui {

/// Runs the window: reads the command line, makes theme, languages and log, opens what was asked
/// for and returns the exit code of the program (2 for a wrong command line).
int runWindow(QApplication& application, const QString& version);

} // namespace tilewright::ui
