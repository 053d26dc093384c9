// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/chip.h>

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QStyle>
#include <QToolButton>

namespace tilewright::ui {

Chip::Chip(const QString& text, QWidget* parent)
    : QFrame(parent), text_(text), label_(new QLabel(this)), cross_(new QToolButton(this)) {
    setProperty("kind", "chip");
    setProperty("tone", "accent");
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    label_->setTextFormat(Qt::PlainText);
    cross_->setProperty("kind", "tool");
    cross_->setIconSize(QSize(10, 10));
    cross_->setFixedSize(16, 16);
    cross_->setIcon(themedIcon(QStringLiteral("close"), nullptr, Tone::Secondary));
    cross_->hide();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 1, 6, 1);
    row->setSpacing(2);
    row->addWidget(label_);
    row->addWidget(cross_);
    connect(cross_, &QToolButton::clicked, this, &Chip::removed);
    showText();
    applyTheme();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &Chip::applyTheme);
}

void Chip::applyTheme() {
    label_->setFont(Theme::fontOf(this, Theme::Dense));
    setProperty("state", checkable_ && !checked_ ? "off" : "on");
    style()->unpolish(this);
    style()->polish(this);
    for (QWidget* child : {static_cast<QWidget*>(label_), static_cast<QWidget*>(cross_)}) {
        style()->unpolish(child);
        style()->polish(child);
    }
    update();
}

void Chip::showText() {
    label_->setText(glyph_.isEmpty() ? text_ : glyph_ + QLatin1Char(' ') + text_);
    cross_->setToolTip(tr("Remove %1").arg(text_));
    cross_->setAccessibleName(tr("Remove %1").arg(text_));
    setAccessibleName(text_);
}

void Chip::setText(const QString& text) {
    text_ = text;
    showText();
}

QString Chip::text() const {
    return text_;
}

void Chip::setGlyph(const QString& glyph) {
    glyph_ = glyph;
    showText();
}

void Chip::setLook(Look look) {
    const char* const names[] = {"accent", "neutral", "warning", "error"};
    setProperty("tone", names[look]);
    applyTheme();
}

void Chip::setRemovable(bool on) {
    cross_->setVisible(on);
    layout()->setContentsMargins(6, 1, on ? 2 : 6, 1);
    setFocusPolicy(on || checkable_ ? Qt::TabFocus : Qt::NoFocus);
}

void Chip::setCheckable(bool on) {
    checkable_ = on;
    setFocusPolicy(on ? Qt::StrongFocus : Qt::NoFocus);
    applyTheme();
}

void Chip::setChecked(bool on) {
    if (checked_ == on)
        return;
    checked_ = on;
    setAccessibleDescription(on ? tr("on") : tr("off"));
    applyTheme();
    emit toggled(on);
}

void Chip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !rect().contains(event->pos()))
        return;
    if (checkable_)
        setChecked(!checked_);
    emit clicked();
}

void Chip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) {
        if (checkable_)
            setChecked(!checked_);
        emit clicked();
    } else if ((event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) &&
               !cross_->isHidden()) {
        emit removed();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void Chip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        showText();
}

} // namespace tilewright::ui
