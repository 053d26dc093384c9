// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QMainWindow;
class QSettings;

namespace tilewright::ui {

/// Keeps the arrangement of a window in the state folder, with a version. A state that cannot be
/// used is put aside; it never keeps the window from opening.
class LayoutStore {
public:
    /// Raised whenever docks are added, renamed or taken away.
    static constexpr int kVersion = 1;

    enum class Outcome {
        Restored,
        Nothing,      ///< there was none
        OtherVersion, ///< of another release; left out
        Refused,      ///< damaged: Qt did not take it
        Crashed,      ///< the last restore did not come back; left out
    };

    explicit LayoutStore(const QString& stateDir);
    ~LayoutStore();
    LayoutStore(const LayoutStore&) = delete;

    void save(const QMainWindow& window);
    Outcome restore(QMainWindow& window);
    /// Forgets what is kept.
    void reset();
    QSettings& settings() { return *settings_; }

private:
    QString guard_;
    QSettings* settings_;
};

} // namespace tilewright::ui
