// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QHBoxLayout;
class QPushButton;
class QProgressBar;

namespace tilewright::ui {

/// What a view shows in place of data: icon, what is missing, why with the number that proves it,
/// one primary action and at most two others.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    void setIconName(const QString& name);
    void setTitle(const QString& title);
    /// Plain text; lines wrap.
    void setText(const QString& text);
    QString title() const;
    QString text() const;
    /// First action: primary button; the next two: plain buttons. Actions are not owned.
    void setActions(const QList<QAction*>& actions);
    /// A loading state: counted progress in place of the buttons; -1 hides it.
    void setProgress(int done, int total);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyTheme();

    QString iconName_;
    QLabel* icon_;
    QLabel* title_;
    QLabel* text_;
    QHBoxLayout* buttons_;
    QProgressBar* progress_;
};

} // namespace tilewright::ui
