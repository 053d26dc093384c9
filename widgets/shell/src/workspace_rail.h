// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace tilewright::ui {

class Commands;

/// The seven workspaces at the left edge: an icon over its number. Those that do not exist yet are
/// not shown.
class WorkspaceRail : public QWidget {
    Q_OBJECT

public:
    explicit WorkspaceRail(Commands* commands, QWidget* parent = nullptr);
    /// Adds the button of `workspace.<name>`.
    void add(const QString& name, int number);
    void setCurrent(const QString& name);
    void setUsable(bool usable);

private:
    Commands* commands_;
    QVBoxLayout* column_;
    QHash<QString, QToolButton*> buttons_;
};

} // namespace tilewright::ui
