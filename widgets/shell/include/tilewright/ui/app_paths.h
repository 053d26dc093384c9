// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tilewright::ui {

/// Where things are kept, after the XDG base directory rules. Folders are made on first use.
struct AppPaths {
    QString configFile; ///< `$XDG_CONFIG_HOME/tilewright/tilewright.ini`
    QString dataDir;    ///< `$XDG_DATA_HOME/tilewright`
    QString stateDir;   ///< `$XDG_STATE_HOME/tilewright`: layout, recent files, logs, crash notes
    QString cacheDir;   ///< `$XDG_CACHE_HOME/tilewright`: imports; safe to delete

    /// From the environment.
    static AppPaths ofUser();
    /// Everything below one folder; for tests and screenshots.
    static AppPaths below(const QString& folder);
};

/// A file that comes with the program (`samples/small_cnn.onnx`, `manual/en/tune.md`): looked for
/// in
/// `../share/tilewright` beside the program. Empty when it is not there.
QString sharedFile(const QString& name);

} // namespace tilewright::ui
