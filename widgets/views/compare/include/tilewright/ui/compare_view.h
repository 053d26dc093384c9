// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace tilewright::ui {

class Workspace;
struct ViewContext;

/// The Compare page: a session against another, records against each other, and their code.
Workspace* createCompareView(ViewContext& context, QWidget* parent);

} // namespace tilewright::ui
