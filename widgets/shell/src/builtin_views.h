// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <functional>

class QWidget;

namespace tilewright::ui {

class Workspace;
struct ViewContext;

/// A workspace and how it is made.
struct ViewEntry {
    const char* name; ///< `model`, as in `workspace.model`
    int number;       ///< of the rail and Ctrl+number
    std::function<Workspace*(ViewContext& context, QWidget* parent)> create;
};

/// The workspaces there are, in the order of the rail.
const QList<ViewEntry>& builtinViews();

} // namespace tilewright::ui
