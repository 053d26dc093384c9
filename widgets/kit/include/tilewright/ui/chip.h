// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace tilewright::ui {

/// A small labelled box: a filter term with a cross, a count that is a toggle ("■ build 21"), or a
/// quiet tag.
class Chip : public QFrame {
    Q_OBJECT

public:
    enum Look { Accent, Neutral, Warning, Error };
    Q_ENUM(Look)

    explicit Chip(const QString& text, QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const;
    /// A glyph before the text; colour never stands alone.
    void setGlyph(const QString& glyph);
    void setLook(Look look);
    void setRemovable(bool on);
    /// A toggle: off is drawn as an outline; Space and a click switch it.
    void setCheckable(bool on);
    bool isChecked() const { return checked_; }
    void setChecked(bool on);

signals:
    void removed();
    void clicked();
    void toggled(bool checked);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyTheme();
    void showText();

    QString text_;
    QString glyph_;
    QLabel* label_;
    QToolButton* cross_;
    bool checkable_ = false;
    bool checked_ = true;
};

} // namespace tilewright::ui
