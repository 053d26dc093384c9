// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;
class QTextBrowser;
class QTreeWidget;

namespace tilewright::ui {

class Commands;

/// Every command with its keys, searchable; shown on `?`.
class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(Commands* commands, QWidget* parent);

private:
    void fill();
    Commands* commands_;
    QLineEdit* search_;
    QTreeWidget* list_;
};

/// Versions, processor, paths and the last log lines as one text to copy.
class DiagnosticsWindow : public QDialog {
    Q_OBJECT

public:
    explicit DiagnosticsWindow(QWidget* parent);
    void setText(const QString& text);

private:
    QPlainTextEdit* text_;
};

/// What this is, its licence, and the notices of what it is built with.
class AboutWindow : public QDialog {
    Q_OBJECT

public:
    AboutWindow(const QString& version, QWidget* parent);
};

/// The offline manual: pages of Markdown below share/tilewright/manual, in the language of the
/// window where there is one, with a list of them at the left.
class ManualWindow : public QDialog {
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent);
    /// `tune`, `filters`, …; an unknown one shows the first page.
    void showPage(const QString& page);
    [[nodiscard]] QString page() const { return page_; }

private:
    void fill();
    QTreeWidget* pages_;
    QTextBrowser* text_;
    QString page_;
};

} // namespace tilewright::ui
