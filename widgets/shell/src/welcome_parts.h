// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFrame>

namespace tilewright::ui {

/// A large button with an icon, a title, a line that says what happens, and its key at the right.
class ChoiceCard : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceCard(const QString& icon, const QString& title, const QString& line, const QString& key,
               bool primary, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString icon_;
    QString line_;
    QString key_;
    bool primary_;
};

/// A two-line entry of the list of recent files.
class RecentRow : public QAbstractButton {
    Q_OBJECT

public:
    /// `state` is drawn as a link when `link` is set; a click on it is linkClicked().
    RecentRow(const QString& icon, const QString& name, const QString& folder, const QString& when,
              const QString& state, bool link, bool missing, QWidget* parent);
    QSize sizeHint() const override;

signals:
    void linkClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect stateArea() const;
    QString icon_;
    QString folder_;
    QString when_;
    QString state_;
    bool link_;
    bool missing_;
};

/// A dashed box that says what may be dropped.
class DropHint : public QFrame {
    Q_OBJECT

public:
    DropHint(const QString& title, const QString& line, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString title_;
    QString line_;
};

} // namespace tilewright::ui
