// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/message_bar.h>

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace tilewright::ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), icon_(new QLabel(this)), text_(new QLabel(this)),
      action_(new QPushButton(this)), close_(new QToolButton(this)) {
    setProperty("kind", "messageBar");
    text_->setObjectName(QStringLiteral("messageText"));
    action_->setObjectName(QStringLiteral("messageAction"));
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    action_->setProperty("kind", "link");
    close_->setProperty("kind", "tool");
    close_->setIconSize(QSize(14, 14));
    close_->setIcon(themedIcon(QStringLiteral("close"), nullptr, Tone::Secondary));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(icon_);
    row->addWidget(text_, 1);
    row->addWidget(action_);
    row->addWidget(close_);
    connect(action_, &QPushButton::clicked, this, &MessageBar::actionTriggered);
    connect(close_, &QToolButton::clicked, this, [this] {
        clear();
        emit dismissed();
    });
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &MessageBar::applyTheme);
    applyTheme();
    hide();
}

void MessageBar::applyTheme() {
    const ThemeColors& colors = Theme::colorsOf(this);
    const char* const names[] = {"info", "warning", "error"};
    const QColor tones[] = {colors.accent, colors.warning, colors.error};
    icon_->setPixmap(
        iconPixmap(QLatin1String(names[level_]), tones[level_], 16, devicePixelRatioF()));
    setProperty("level", names[level_]);
    style()->unpolish(this);
    style()->polish(this);
    close_->setToolTip(tr("Close this message"));
    close_->setAccessibleName(tr("Close this message"));
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        applyTheme();
}

void MessageBar::showMessage(Level level, const QString& text, const QString& actionText) {
    level_ = level;
    text_->setText(text);
    action_->setText(actionText);
    action_->setVisible(!actionText.isEmpty());
    setAccessibleName(text);
    applyTheme();
    show();
}

void MessageBar::clear() {
    text_->clear();
    hide();
}

QString MessageBar::text() const {
    return text_->text();
}

bool MessageBar::hasMessage() const {
    return !text_->text().isEmpty();
}

} // namespace tilewright::ui
