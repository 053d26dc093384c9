// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace tilewright::ui {

/// What the window was doing, written down while it runs so that the next start can tell.
struct LastState {
    QString workDir;
    qint64 session = -1;
    QString sessionState; ///< running, paused, …; empty without one
    qint64 trials = 0;
    qint64 budget = 0;
    bool restoring = false; ///< the layout was just being restored
};

/// The note of one running window: `last-state-<pid>.json` in the state folder. It goes away at a
/// normal end; one whose process is gone is a crash.
class CrashNote {
public:
    explicit CrashNote(QString folder);

    void write(const LastState& state) const;
    /// The window ends as it should.
    void remove() const;
    /// Takes (and removes) the newest note that a window left which is not running any more.
    std::optional<LastState> takeAbandoned() const;

private:
    QString folder_;
    QString file_;
};

} // namespace tilewright::ui
