// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>
#include <QVector>

#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QListView;

namespace tilewright::ui {

class PaletteModel;

/// Something beside actions that the palette finds: a task, a record, a file.
struct PaletteEntry {
    QString text;
    QString detail; ///< secondary text at the right: "task", a shortcut, a path
    QString iconName;
    std::function<void()> run;
};

/// Ctrl+K: one line to find every command, and what else the window knows. Letters match in order
/// ("rsm" finds *Resume*), beginnings of words first, recently used first among equals.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* parent = nullptr);
    /// Invisible and separator actions are left out; disabled ones are shown grey.
    void setActions(const QList<QAction*>& actions);
    void setEntries(const QVector<PaletteEntry>& entries);
    /// Shows it over the upper middle of its parent, empty.
    void popUp();
    int shownCount() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    QLineEdit* text_;
    QListView* list_;
    QLabel* none_;
    PaletteModel* model_;
};

} // namespace tilewright::ui
