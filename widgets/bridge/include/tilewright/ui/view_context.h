// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QSettings;
class QUndoStack;

namespace tilewright::ui {

class AppState;
class LiveSession;

/// What every workspace is made with. Owned by the main window and outlives the views; nothing here
/// is null while a view lives.
struct ViewContext {
    AppState* state = nullptr;
    LiveSession* live = nullptr;
    QSettings* settings = nullptr;
    /// Takes steps that people may take back: tags, notes, stars, pins, filters.
    QUndoStack* undo = nullptr;
    /// Runs a command of the window by its id: `workspace.bottlenecks`, `session.start`,
    /// `file.exportReport`, … Unknown or disabled ones do nothing.
    std::function<void(QString actionId)> trigger;
    /// Adds a line to the Problems dock. Levels: 0 note, 1 warning, 2 error; the code is stable
    /// text such as `TW-E0213`.
    std::function<void(int level, QString code, QString text)> problem;
};

} // namespace tilewright::ui
