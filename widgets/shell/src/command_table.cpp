// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/commands.h>

namespace tilewright::ui {

namespace {

constexpr auto W = CommandKind::Window;
constexpr auto T = CommandKind::Toggle;
constexpr auto F = CommandKind::Focus;

} // namespace

#define TR(text) QT_TRANSLATE_NOOP("Commands", text)

const QList<CommandSpec>& commandTable() {
    // clang-format off
    static const QList<CommandSpec> table = {
        {"file.newWindow", TR("New window"), "Ctrl+Shift+N", "", W, TR("Opens another window, independent of this one")},
        {"file.openModel", TR("Open model…"), "Ctrl+O", "model", W, TR("Imports an ONNX file and shows its tasks before anything runs")},
        {"file.openResults", TR("Open results…"), "Ctrl+Shift+O", "database", W, TR("Opens a database or tuning records, view-only")},
        {"file.openFolder", TR("Open work directory…"), "Ctrl+Alt+O", "", W, TR("Opens the results of a folder, view-only")},
        {"file.trySample", TR("Try the sample"), "", "sample", W, TR("Opens the small network that comes with the program")},
        {"file.replayDemo", TR("Replay a demo run"), "", "replay", W, TR("Plays a finished session at ten times the speed")},
        {"file.importTvm", TR("Import TVM records…"), "", "", W, TR("Reads a pair of TVM database files")},
        {"file.exportTvm", TR("Export TVM records…"), "", "", W, TR("Writes the records as a pair of TVM database files")},
        {"file.exportReport", TR("Export report…"), "Ctrl+Shift+E", "report", W, TR("Writes one self-contained HTML page about the results")},
        {"file.export", TR("Export table or plot…"), "Ctrl+E", "", F, TR("Saves the focused table or plot to a file")},
        {"file.checkDatabase", TR("Check database"), "", "", W, TR("Looks at every page, index, reference and trace of the open database")},
        {"file.backupDatabase", TR("Back up database…"), "", "", W, TR("Copies the open database, consistent even while a session writes")},
        {"file.close", TR("Close results"), "Ctrl+W", "", W, TR("Shows the welcome page; a running session goes on")},
        {"file.quit", TR("Quit"), "Ctrl+Q", "", W, ""},

        {"edit.undo", TR("Undo"), "Ctrl+Z", "", W, ""},
        {"edit.redo", TR("Redo"), "Ctrl+Shift+Z Ctrl+Y", "", W, ""},
        {"edit.copy", TR("Copy"), "Ctrl+C", "", F, TR("Copies the selection as tab-separated text, or the plot as a picture")},
        {"edit.copyHeader", TR("Copy with header"), "Ctrl+Shift+C", "", F, TR("Copies the selection with the column titles")},
        {"edit.rename", TR("Rename"), "F2", "", F, ""},
        {"edit.delete", TR("Delete records"), "Del", "", F, TR("Hides the selected records; can be undone")},
        {"edit.filter", TR("Filter"), "Ctrl+F /", "filter", W, TR("Puts the cursor into the filter bar")},
        {"edit.clearFilter", TR("Clear filter"), "Ctrl+Shift+F", "", W, TR("Shows all records again")},
        {"edit.saveFilter", TR("Save filter…"), "", "", W, TR("Keeps the filter under a name in the Project dock")},
        {"edit.goTo", TR("Go to record…"), "Ctrl+G", "", W, TR("Selects a record by its number")},
        {"edit.settings", TR("Settings"), "Ctrl+,", "settings", W, ""},

        {"workspace.model", TR("Model"), "Ctrl+1", "model", T, TR("Tasks and graph of the model")},
        {"workspace.tune", TR("Tune"), "Ctrl+2", "tune", T, TR("The session, live")},
        {"workspace.bottlenecks", TR("Bottlenecks"), "Ctrl+3", "bottlenecks", T, TR("Where the time goes and what is left to gain")},
        {"workspace.records", TR("Records"), "Ctrl+4", "records", T, TR("Every measurement")},
        {"workspace.compare", TR("Compare"), "Ctrl+5", "compare", T, TR("Sessions and records against each other")},
        {"workspace.profile", TR("Profile"), "Ctrl+6", "profile", T, TR("The whole model, operator by operator")},
        {"workspace.devices", TR("Devices"), "Ctrl+7", "devices", T, TR("This machine and the boards")},
        {"view.back", TR("Back"), "Alt+Left", "", W, TR("Returns to the selection before")},
        {"view.forward", TR("Forward"), "Alt+Right", "", W, ""},
        {"view.project", TR("Project"), "Ctrl+Shift+1", "", T, TR("Models, sessions, baselines, devices, saved filters")},
        {"view.inspector", TR("Inspector"), "Ctrl+Shift+2", "", T, TR("Details of the selected record")},
        {"view.notices", TR("Problems, log and events"), "Ctrl+Shift+3", "", T, ""},
        {"view.maximise", TR("Maximise panel"), "Ctrl+M", "", F, TR("Gives the focused panel the whole page, or takes it back")},
        {"view.nextPane", TR("Next pane"), "Ctrl+Tab", "", W, ""},
        {"view.previousPane", TR("Previous pane"), "Ctrl+Shift+Tab", "", W, ""},
        {"view.fullScreen", TR("Full screen"), "F11", "", T, ""},
        {"view.zoomIn", TR("Larger text"), "Ctrl+= Ctrl++", "", W, ""},
        {"view.zoomOut", TR("Smaller text"), "Ctrl+-", "", W, ""},
        {"view.zoomReset", TR("Normal text size"), "Ctrl+0", "", W, ""},
        {"view.themeSystem", TR("Theme: system"), "", "", T, ""},
        {"view.themeLight", TR("Theme: light"), "", "", T, ""},
        {"view.themeDark", TR("Theme: dark"), "", "", T, ""},
        {"view.resetLayout", TR("Reset layout"), "", "", W, TR("Puts all docks back where they were at first")},

        {"session.new", TR("New session…"), "Ctrl+N", "tune", W, TR("Chooses tasks, budget and devices")},
        {"session.start", TR("Start or resume"), "F5", "start", W, TR("Starts a session, or goes on with a paused or interrupted one")},
        {"session.pause", TR("Pause"), "F6", "pause", W, TR("Finishes the trials in flight, then waits")},
        {"session.stop", TR("Stop"), "Shift+F5", "stop", W, TR("Finishes the trials in flight, at most 10 s, and saves; can be resumed later")},
        {"session.cancel", TR("Cancel now"), "Ctrl+Shift+F5", "", W, TR("Ends at once; trials in flight are recorded as cancelled")},
        {"session.skipTask", TR("Skip task"), "", "", W, TR("Gives the selected task no more trials")},
        {"session.freezeTask", TR("Freeze task"), "", "", W, TR("Keeps the selected task as it is until it is thawed")},
        {"session.thawTask", TR("Thaw task"), "", "", W, ""},
        {"session.boostTask", TR("Boost task"), "", "", W, TR("Gives the selected task the next rounds")},
        {"session.copyCommand", TR("Copy as command line"), "", "", W, TR("Copies the command that does the same in a terminal")},

        {"records.open", TR("Open record"), "Return", "", F, TR("Shows the focused record in the Inspector")},
        {"records.star", TR("Star"), "Space", "", F, ""},
        {"records.pin", TR("Pin or unpin baseline"), "B", "pin", F, TR("Shows the difference to it in every table")},
        {"records.compare", TR("Compare selection"), "Ctrl+D", "compare", F, TR("Opens two or more selected records in Compare")},
        {"records.remeasure", TR("Measure again"), "R", "", F, TR("Adds a new measurement; the old one stays")},
        {"records.verify", TR("Verify"), "V", "", F, TR("Checks the result against the reference")},
        {"records.tag", TR("Tag…"), "T", "", F, ""},
        {"records.note", TR("Note…"), "N", "", F, ""},
        {"records.nextDifference", TR("Next difference"), "Alt+Down", "", F, ""},
        {"records.previousDifference", TR("Previous difference"), "Alt+Up", "", F, ""},

        {"tools.palette", TR("Commands"), "Ctrl+K", "search", W, TR("Finds a command, task, session or recent file")},
        {"tools.statMedian", TR("Statistic: median"), "", "", T, TR("Every latency in the window is the median of its samples")},
        {"tools.statMin", TR("Statistic: minimum"), "", "", T, ""},
        {"tools.statMean", TR("Statistic: mean"), "", "", T, ""},
        {"tools.statP95", TR("Statistic: 95th percentile"), "", "", T, ""},
        {"tools.diagnostics", TR("Diagnostics"), "", "", W, TR("Versions, processor, paths and the last log lines, to copy")},
        {"tools.openLog", TR("Open log folder"), "", "", W, ""},

        {"help.manual", TR("Manual"), "F1", "help", W, TR("Opens the page of the focused view")},
        {"help.whatsThis", TR("What is this?"), "Shift+F1", "", W, TR("Explains the part of the window that is clicked next")},
        {"help.shortcuts", TR("Keyboard shortcuts"), "?", "", W, ""},
        {"help.about", TR("About Tilewright"), "", "", W, ""},
    };
    // clang-format on
    return table;
}

#undef TR

} // namespace tilewright::ui
