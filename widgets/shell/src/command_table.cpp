// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/commands.h>

#include <QCoreApplication>

namespace tilewright::ui {

namespace {

constexpr auto W = CommandKind::Window;
constexpr auto T = CommandKind::Toggle;
constexpr auto F = CommandKind::Focus;

} // namespace

const QList<CommandSpec>& commandTable() {
    // clang-format off
    static const QList<CommandSpec> table = {
        {"file.newWindow", QT_TRANSLATE_NOOP("Commands", "New window"), "Ctrl+Shift+N", "", W, QT_TRANSLATE_NOOP("Commands", "Opens another window, independent of this one")},
        {"file.openModel", QT_TRANSLATE_NOOP("Commands", "Open model…"), "Ctrl+O", "model", W, QT_TRANSLATE_NOOP("Commands", "Imports an ONNX file and shows its tasks before anything runs")},
        {"file.openResults", QT_TRANSLATE_NOOP("Commands", "Open results…"), "Ctrl+Shift+O", "records", W, QT_TRANSLATE_NOOP("Commands", "Opens a database or tuning records, view-only")},
        {"file.openFolder", QT_TRANSLATE_NOOP("Commands", "Open work directory…"), "Ctrl+Alt+O", "", W, QT_TRANSLATE_NOOP("Commands", "Opens the results of a folder, view-only")},
        {"file.trySample", QT_TRANSLATE_NOOP("Commands", "Try the sample"), "", "star", W, QT_TRANSLATE_NOOP("Commands", "Opens the small network that comes with the program")},
        {"file.replayDemo", QT_TRANSLATE_NOOP("Commands", "Replay a demo run"), "", "replay", W, QT_TRANSLATE_NOOP("Commands", "Plays a finished session at ten times the speed")},
        {"file.importTvm", QT_TRANSLATE_NOOP("Commands", "Import TVM records…"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Reads a pair of TVM database files")},
        {"file.exportTvm", QT_TRANSLATE_NOOP("Commands", "Export TVM records…"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Writes the records as a pair of TVM database files")},
        {"file.exportReport", QT_TRANSLATE_NOOP("Commands", "Export report…"), "Ctrl+Shift+E", "report", W, QT_TRANSLATE_NOOP("Commands", "Writes one self-contained HTML page about the results")},
        {"file.export", QT_TRANSLATE_NOOP("Commands", "Export table or plot…"), "Ctrl+E", "", F, QT_TRANSLATE_NOOP("Commands", "Saves the focused table or plot to a file")},
        {"file.checkDatabase", QT_TRANSLATE_NOOP("Commands", "Check database"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Looks at every page, index, reference and trace of the open database")},
        {"file.backupDatabase", QT_TRANSLATE_NOOP("Commands", "Back up database…"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Copies the open database, consistent even while a session writes")},
        {"file.close", QT_TRANSLATE_NOOP("Commands", "Close results"), "Ctrl+W", "", W, QT_TRANSLATE_NOOP("Commands", "Shows the welcome page; a running session goes on")},
        {"file.quit", QT_TRANSLATE_NOOP("Commands", "Quit"), "Ctrl+Q", "", W, ""},

        {"edit.undo", QT_TRANSLATE_NOOP("Commands", "Undo"), "Ctrl+Z", "", W, ""},
        {"edit.redo", QT_TRANSLATE_NOOP("Commands", "Redo"), "Ctrl+Shift+Z Ctrl+Y", "", W, ""},
        {"edit.copy", QT_TRANSLATE_NOOP("Commands", "Copy"), "Ctrl+C", "", F, QT_TRANSLATE_NOOP("Commands", "Copies the selection as tab-separated text, or the plot as a picture")},
        {"edit.copyHeader", QT_TRANSLATE_NOOP("Commands", "Copy with header"), "Ctrl+Shift+C", "", F, QT_TRANSLATE_NOOP("Commands", "Copies the selection with the column titles")},
        {"edit.rename", QT_TRANSLATE_NOOP("Commands", "Rename"), "F2", "", F, ""},
        {"edit.delete", QT_TRANSLATE_NOOP("Commands", "Delete records"), "Del", "", F, QT_TRANSLATE_NOOP("Commands", "Hides the selected records; can be undone")},
        {"edit.filter", QT_TRANSLATE_NOOP("Commands", "Filter"), "Ctrl+F /", "filter", W, QT_TRANSLATE_NOOP("Commands", "Puts the cursor into the filter bar")},
        {"edit.clearFilter", QT_TRANSLATE_NOOP("Commands", "Clear filter"), "Ctrl+Shift+F", "", W, QT_TRANSLATE_NOOP("Commands", "Shows all records again")},
        {"edit.saveFilter", QT_TRANSLATE_NOOP("Commands", "Save filter…"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Keeps the filter under a name in the Project dock")},
        {"edit.goTo", QT_TRANSLATE_NOOP("Commands", "Go to record…"), "Ctrl+G", "", W, QT_TRANSLATE_NOOP("Commands", "Selects a record by its number")},
        {"edit.settings", QT_TRANSLATE_NOOP("Commands", "Settings"), "Ctrl+,", "settings", W, ""},

        {"workspace.model", QT_TRANSLATE_NOOP("Commands", "Model"), "Ctrl+1", "model", T, QT_TRANSLATE_NOOP("Commands", "Tasks and graph of the model")},
        {"workspace.tune", QT_TRANSLATE_NOOP("Commands", "Tune"), "Ctrl+2", "tune", T, QT_TRANSLATE_NOOP("Commands", "The session, live")},
        {"workspace.bottlenecks", QT_TRANSLATE_NOOP("Commands", "Bottlenecks"), "Ctrl+3", "bottlenecks", T, QT_TRANSLATE_NOOP("Commands", "Where the time goes and what is left to gain")},
        {"workspace.records", QT_TRANSLATE_NOOP("Commands", "Records"), "Ctrl+4", "records", T, QT_TRANSLATE_NOOP("Commands", "Every measurement")},
        {"workspace.compare", QT_TRANSLATE_NOOP("Commands", "Compare"), "Ctrl+5", "compare", T, QT_TRANSLATE_NOOP("Commands", "Sessions and records against each other")},
        {"workspace.profile", QT_TRANSLATE_NOOP("Commands", "Profile"), "Ctrl+6", "profile", T, QT_TRANSLATE_NOOP("Commands", "The whole model, operator by operator")},
        {"workspace.devices", QT_TRANSLATE_NOOP("Commands", "Devices"), "Ctrl+7", "devices", T, QT_TRANSLATE_NOOP("Commands", "This machine and the boards")},
        {"view.back", QT_TRANSLATE_NOOP("Commands", "Back"), "Alt+Left", "", W, QT_TRANSLATE_NOOP("Commands", "Returns to the selection before")},
        {"view.forward", QT_TRANSLATE_NOOP("Commands", "Forward"), "Alt+Right", "", W, ""},
        {"view.project", QT_TRANSLATE_NOOP("Commands", "Project"), "Ctrl+Shift+1", "", T, QT_TRANSLATE_NOOP("Commands", "Models, sessions, baselines, devices, saved filters")},
        {"view.inspector", QT_TRANSLATE_NOOP("Commands", "Inspector"), "Ctrl+Shift+2", "", T, QT_TRANSLATE_NOOP("Commands", "Details of the selected record")},
        {"view.notices", QT_TRANSLATE_NOOP("Commands", "Problems, log and events"), "Ctrl+Shift+3", "", T, ""},
        {"view.maximise", QT_TRANSLATE_NOOP("Commands", "Maximise panel"), "Ctrl+M", "", F, QT_TRANSLATE_NOOP("Commands", "Gives the focused panel the whole page, or takes it back")},
        {"view.nextPane", QT_TRANSLATE_NOOP("Commands", "Next pane"), "Ctrl+Tab", "", W, ""},
        {"view.previousPane", QT_TRANSLATE_NOOP("Commands", "Previous pane"), "Ctrl+Shift+Tab", "", W, ""},
        {"view.fullScreen", QT_TRANSLATE_NOOP("Commands", "Full screen"), "F11", "", T, ""},
        {"view.zoomIn", QT_TRANSLATE_NOOP("Commands", "Larger text"), "Ctrl+= Ctrl++", "", W, ""},
        {"view.zoomOut", QT_TRANSLATE_NOOP("Commands", "Smaller text"), "Ctrl+-", "", W, ""},
        {"view.zoomReset", QT_TRANSLATE_NOOP("Commands", "Normal text size"), "Ctrl+0", "", W, ""},
        {"view.themeSystem", QT_TRANSLATE_NOOP("Commands", "Theme: system"), "", "", T, ""},
        {"view.themeLight", QT_TRANSLATE_NOOP("Commands", "Theme: light"), "", "", T, ""},
        {"view.themeDark", QT_TRANSLATE_NOOP("Commands", "Theme: dark"), "", "", T, ""},
        {"view.resetLayout", QT_TRANSLATE_NOOP("Commands", "Reset layout"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Puts all docks back where they were at first")},

        {"session.new", QT_TRANSLATE_NOOP("Commands", "New session…"), "Ctrl+N", "tune", W, QT_TRANSLATE_NOOP("Commands", "Chooses tasks, budget and devices")},
        {"session.start", QT_TRANSLATE_NOOP("Commands", "Start or resume"), "F5", "start", W, QT_TRANSLATE_NOOP("Commands", "Starts a session, or goes on with a paused or interrupted one")},
        {"session.pause", QT_TRANSLATE_NOOP("Commands", "Pause"), "F6", "pause", W, QT_TRANSLATE_NOOP("Commands", "Finishes the trials in flight, then waits")},
        {"session.stop", QT_TRANSLATE_NOOP("Commands", "Stop"), "Shift+F5", "stop", W, QT_TRANSLATE_NOOP("Commands", "Finishes the trials in flight, at most 10 s, and saves; can be resumed later")},
        {"session.cancel", QT_TRANSLATE_NOOP("Commands", "Cancel now"), "Ctrl+Shift+F5", "", W, QT_TRANSLATE_NOOP("Commands", "Ends at once; trials in flight are recorded as cancelled")},
        {"session.skipTask", QT_TRANSLATE_NOOP("Commands", "Skip task"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Gives the selected task no more trials")},
        {"session.freezeTask", QT_TRANSLATE_NOOP("Commands", "Freeze task"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Keeps the selected task as it is until it is thawed")},
        {"session.thawTask", QT_TRANSLATE_NOOP("Commands", "Thaw task"), "", "", W, ""},
        {"session.boostTask", QT_TRANSLATE_NOOP("Commands", "Boost task"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Gives the selected task the next rounds")},
        {"session.copyCommand", QT_TRANSLATE_NOOP("Commands", "Copy as command line"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Copies the command that does the same in a terminal")},

        {"records.open", QT_TRANSLATE_NOOP("Commands", "Open record"), "Return", "", F, QT_TRANSLATE_NOOP("Commands", "Shows the focused record in the Inspector")},
        {"records.star", QT_TRANSLATE_NOOP("Commands", "Star"), "Space", "", F, ""},
        {"records.pin", QT_TRANSLATE_NOOP("Commands", "Pin or unpin baseline"), "B", "pin", F, QT_TRANSLATE_NOOP("Commands", "Shows the difference to it in every table")},
        {"records.compare", QT_TRANSLATE_NOOP("Commands", "Compare selection"), "Ctrl+D", "compare", F, QT_TRANSLATE_NOOP("Commands", "Opens two or more selected records in Compare")},
        {"records.remeasure", QT_TRANSLATE_NOOP("Commands", "Measure again"), "R", "", F, QT_TRANSLATE_NOOP("Commands", "Adds a new measurement; the old one stays")},
        {"records.verify", QT_TRANSLATE_NOOP("Commands", "Verify"), "V", "", F, QT_TRANSLATE_NOOP("Commands", "Checks the result against the reference")},
        {"records.tag", QT_TRANSLATE_NOOP("Commands", "Tag…"), "T", "", F, ""},
        {"records.note", QT_TRANSLATE_NOOP("Commands", "Note…"), "N", "", F, ""},
        {"records.nextDifference", QT_TRANSLATE_NOOP("Commands", "Next difference"), "Alt+Down", "", F, ""},
        {"records.previousDifference", QT_TRANSLATE_NOOP("Commands", "Previous difference"), "Alt+Up", "", F, ""},

        {"tools.palette", QT_TRANSLATE_NOOP("Commands", "Commands"), "Ctrl+K", "search", W, QT_TRANSLATE_NOOP("Commands", "Finds a command, task, session or recent file")},
        {"tools.statMedian", QT_TRANSLATE_NOOP("Commands", "Statistic: median"), "", "", T, QT_TRANSLATE_NOOP("Commands", "Every latency in the window is the median of its samples")},
        {"tools.statMin", QT_TRANSLATE_NOOP("Commands", "Statistic: minimum"), "", "", T, ""},
        {"tools.statMean", QT_TRANSLATE_NOOP("Commands", "Statistic: mean"), "", "", T, ""},
        {"tools.statP95", QT_TRANSLATE_NOOP("Commands", "Statistic: 95th percentile"), "", "", T, ""},
        {"tools.diagnostics", QT_TRANSLATE_NOOP("Commands", "Diagnostics"), "", "", W, QT_TRANSLATE_NOOP("Commands", "Versions, processor, paths and the last log lines, to copy")},
        {"tools.openLog", QT_TRANSLATE_NOOP("Commands", "Open log folder"), "", "", W, ""},

        {"help.manual", QT_TRANSLATE_NOOP("Commands", "Manual"), "F1", "help", W, QT_TRANSLATE_NOOP("Commands", "Opens the page of the focused view")},
        {"help.whatsThis", QT_TRANSLATE_NOOP("Commands", "What is this?"), "Shift+F1", "", W, QT_TRANSLATE_NOOP("Commands", "Explains the part of the window that is clicked next")},
        {"help.shortcuts", QT_TRANSLATE_NOOP("Commands", "Keyboard shortcuts"), "?", "", W, ""},
        {"help.about", QT_TRANSLATE_NOOP("Commands", "About Tilewright"), "", "", W, ""},
    };
    // clang-format on
    return table;
}

} // namespace tilewright::ui
