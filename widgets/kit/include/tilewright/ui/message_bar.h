// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace tilewright::ui {

/// A line on top of a page: one event with one action. Hidden until a message is shown.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum Level { Info, Warning, Error };
    Q_ENUM(Level)

    explicit MessageBar(QWidget* parent = nullptr);

    /// Shows the text; with an empty actionText there is no button.
    void showMessage(Level level, const QString& text, const QString& actionText = {});
    void clear();
    QString text() const;
    Level level() const { return level_; }
    bool hasMessage() const;

signals:
    void actionTriggered();
    /// The person closed it.
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyTheme();

    Level level_ = Info;
    QLabel* icon_;
    QLabel* text_;
    QPushButton* action_;
    QToolButton* close_;
};

} // namespace tilewright::ui
