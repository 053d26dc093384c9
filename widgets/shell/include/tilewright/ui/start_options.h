// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace tilewright::ui {

/// What `tilewright-gui` was told on its command line.
struct StartOptions {
    QStringList files;   ///< to open
    QStringList compare; ///< two results to compare, or empty
    bool safeMode = false;
    QString theme;     ///< light, dark, system; empty = as in the settings
    QString language;  ///< en, zh_CN; empty = as in the settings
    QString workspace; ///< model, tune, …: page to show first; empty = the fitting one
    bool sample = false;
    QString error; ///< what is wrong with the command line; empty otherwise
    QString text;  ///< help or version that was asked for; nothing is opened then
};

/// Reads `[--compare A B] [--safe-mode] [--theme dark] [--lang zh_CN] [FILE…]`. `arguments` begins
/// with the program's name. Never ends the program.
StartOptions parseStartOptions(const QStringList& arguments, const QString& version);

} // namespace tilewright::ui
