// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace tilewright::ui {

class Workspace;
struct ViewContext;

/// The Records page: all trials of a work directory, filtered, sorted, plotted and marked.
Workspace* createRecordsView(ViewContext& context, QWidget* parent);

/// The Inspector: the selected record from all sides, its decisions editable by hand. For a dock.
QWidget* createInspector(ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
