// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/workspace.h>

namespace tilewright::ui {

Workspace::Workspace(QWidget* parent) : QWidget(parent) {}

QString Workspace::title() const {
    return accessibleName();
}

QString Workspace::iconName() const {
    return QStringLiteral("tilewright");
}

} // namespace tilewright::ui
