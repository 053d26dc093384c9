// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace_rail.h"

#include <tilewright/ui/commands.h>
#include <tilewright/ui/icon.h>

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kRailWidth = 44;
constexpr int kIconSize = 20;
constexpr int kButtonHeight = 44;

} // namespace

WorkspaceRail::WorkspaceRail(Commands* commands, QWidget* parent)
    : QWidget(parent), commands_(commands), column_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Workspaces"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(kRailWidth);
    column_->setContentsMargins(3, 4, 4, 4);
    column_->setSpacing(4);
    column_->addStretch(1);
}

void WorkspaceRail::add(const QString& name, int number) {
    const QString id = QStringLiteral("workspace.%1").arg(name);
    const CommandSpec* spec = commands_->spec(id);
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("rail.%1").arg(name));
    button->setCheckable(true);
    button->setText(QString::number(number));
    button->setIcon(themedIcon(QString::fromLatin1(spec->icon)));
    button->setIconSize(QSize(kIconSize, kIconSize));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setFixedHeight(kButtonHeight);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(commands_->action(id)->iconText());
    button->setToolTip(commands_->action(id)->toolTip());
    connect(button, &QToolButton::clicked, this, [this, id, button] {
        button->setChecked(true); // a second click does not leave the page
        commands_->trigger(id);
    });
    column_->insertWidget(column_->count() - 1, button);
    buttons_.insert(name, button);
}

void WorkspaceRail::setCurrent(const QString& name) {
    for (auto it = buttons_.cbegin(); it != buttons_.cend(); ++it)
        it.value()->setChecked(it.key() == name);
}

void WorkspaceRail::setUsable(bool usable) {
    for (QToolButton* button : std::as_const(buttons_))
        button->setEnabled(usable);
}

} // namespace tilewright::ui
