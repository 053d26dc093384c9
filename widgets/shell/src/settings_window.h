// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QSettings;
class QTreeWidget;
class QTreeWidgetItem;

namespace tilewright::ui {

class Commands;
class Languages;
class Theme;

/// Settings; not modal, every change acts at once.
class SettingsWindow : public QDialog {
    Q_OBJECT

public:
    SettingsWindow(Commands* commands, Theme* theme, Languages* languages, QSettings* settings,
                   QWidget* parent);

private:
    QWidget* makeLook();
    QWidget* makeShortcuts();
    void fillShortcuts();
    void showConflicts();
    void edited(QTreeWidgetItem* item);

    Commands* commands_;
    Theme* theme_;
    Languages* languages_;
    QSettings* settings_;
    QTreeWidget* shortcuts_;
    QLabel* conflicts_;
};

} // namespace tilewright::ui
