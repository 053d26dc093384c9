// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/store_tools.h>

#include <QWidget>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace tilewright::ui {

class AppState;
class Commands;
class FilterBar;

/// The row below the menus: Start, Pause, Stop, the target and session that are shown, the filter,
/// and the way to the command palette.
class ToolStrip : public QWidget {
    Q_OBJECT

public:
    ToolStrip(Commands* commands, AppState* state, QWidget* parent = nullptr);

    void setOverview(StoreOverviewPtr overview);
    [[nodiscard]] FilterBar* filter() const { return filter_; }

private:
    QToolButton* addCommand(const QString& id, QHBoxLayout* row);
    QToolButton* addChoice(const QString& name, const QString& caption, QHBoxLayout* row,
                           void (ToolStrip::*fill)(QMenu*));
    void fillTargets(QMenu* menu);
    void fillSessions(QMenu* menu);
    void showChoices();

    Commands* commands_;
    AppState* state_;
    StoreOverviewPtr overview_;
    QToolButton* target_;
    QToolButton* session_;
    FilterBar* filter_;
};

} // namespace tilewright::ui
