// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>

class QAction;
class QSettings;
class QWidget;

namespace tilewright::ui {

/// How the key of a command works.
enum class CommandKind {
    Window, ///< anywhere in the window
    Toggle, ///< anywhere; has a tick
    Focus,  ///< handled by the table, plot or editor that has the focus; forwarded to it from menus
};

/// One command of the window as the table in command_table.cpp lists it.
struct CommandSpec {
    const char* id;   ///< `group.verb`
    const char* text; ///< English source, translated in the context `Commands`
    const char* keys; ///< default shortcuts, portable text separated by spaces; may be empty
    const char* icon; ///< name of a file in resources/icons, may be empty
    CommandKind kind;
    const char* hint; ///< what it does, one sentence; tool tip and palette note; may be empty
};

/// The one table. Groups are menus, in the order of their first command.
const QList<CommandSpec>& commandTable();

/// Two commands that answer to one key.
struct ShortcutConflict {
    QString keys;
    QString first;  ///< id
    QString second; ///< id
};

/// All commands of a window as actions: menus, palette, shortcut sheet and the shortcut editor show
/// these and nothing else. Changed shortcuts are kept in the settings below `shortcuts/`.
class Commands : public QObject {
    Q_OBJECT

public:
    /// Makes an action for every command and adds them to `window`.
    Commands(QWidget* window, QSettings* settings);

    /// Null for an unknown id.
    [[nodiscard]] QAction* action(const QString& id) const;
    [[nodiscard]] QList<QAction*> actions() const; ///< in the order of the table
    [[nodiscard]] const CommandSpec* spec(const QString& id) const;
    /// `File`, `Edit`, … in the current language.
    [[nodiscard]] static QString groupTitle(const QString& group);
    [[nodiscard]] static QString groupOf(const QString& id);

    /// Sets what a command does. Commands without a handler are disabled (Focus ones never).
    void handle(const QString& id, QObject* context, std::function<void()> handler);
    /// Does nothing when the command is unknown or disabled.
    void trigger(const QString& id);
    /// The workspace whose own actions answer forwarded commands first.
    void setCurrentView(QWidget* view);

    [[nodiscard]] QList<QKeySequence> shortcuts(const QString& id) const;
    [[nodiscard]] QList<QKeySequence> defaultShortcuts(const QString& id) const;
    /// Keeps it in the settings; an empty list means none. Conflicts are allowed and reported.
    void setShortcuts(const QString& id, const QList<QKeySequence>& keys);
    void resetShortcuts();
    /// Pairs of commands with a key in common that can both be active.
    [[nodiscard]] QList<ShortcutConflict> conflicts() const;

    /// Sets every text anew; called when the language changes.
    void retranslate();

signals:
    void shortcutsChanged();

private:
    void forward(const QString& id);
    void showShortcuts(const QString& id);
    void showTexts(const QString& id);

    QWidget* window_;
    QSettings* settings_;
    QHash<QString, QAction*> actions_;
    QHash<QString, QList<QKeySequence>> keys_;
    QPointer<QWidget> view_;
    QPointer<QWidget> lastFocus_;
};

} // namespace tilewright::ui
