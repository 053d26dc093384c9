// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/empty_state.h>

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kIconSize = 32;
constexpr int kTextWidth = 440;
constexpr const char* kActionProperty = "emptyStateAction";

QPushButton* buttonOf(QAction* action, bool primary, QWidget* parent) {
    auto* button = new QPushButton(action->text(), parent);
    if (primary)
        button->setProperty("kind", "primary");
    button->setEnabled(action->isEnabled());
    button->setToolTip(action->toolTip());
    button->setProperty(kActionProperty, QVariant::fromValue(static_cast<QObject*>(action)));
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::changed, button, [button, action] {
        button->setText(action->text());
        button->setEnabled(action->isEnabled());
    });
    return button;
}

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), iconName_(QStringLiteral("info")), icon_(new QLabel(this)),
      title_(new QLabel(this)), text_(new QLabel(this)), buttons_(new QHBoxLayout),
      progress_(new QProgressBar(this)) {
    for (QLabel* label : {icon_, title_, text_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText);
    }
    title_->setObjectName(QStringLiteral("emptyTitle"));
    text_->setObjectName(QStringLiteral("emptyText"));
    title_->setWordWrap(true);
    text_->setWordWrap(true);
    text_->setProperty("role", "secondary");
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(kTextWidth / 2);
    progress_->hide();
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addStretch(2);
    column->addWidget(icon_);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addSpacing(8);
    buttons_->setSpacing(8);
    buttons_->setAlignment(Qt::AlignCenter);
    column->addLayout(buttons_);
    column->addWidget(progress_, 0, Qt::AlignHCenter);
    column->addStretch(3);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 16, 16, 16);
    row->addStretch(1);
    row->addLayout(column, 100);
    row->addStretch(1);
    title_->setMaximumWidth(kTextWidth);
    text_->setMaximumWidth(kTextWidth);
    column->setAlignment(title_, Qt::AlignHCenter);
    column->setAlignment(text_, Qt::AlignHCenter);
    applyTheme();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &EmptyState::applyTheme);
}

void EmptyState::applyTheme() {
    title_->setFont(Theme::fontOf(this, Theme::Title));
    text_->setFont(Theme::fontOf(this, Theme::Body));
    icon_->setPixmap(
        iconPixmap(iconName_, Theme::colorsOf(this).disabled, kIconSize, devicePixelRatioF()));
}

void EmptyState::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        applyTheme();
}

void EmptyState::setIconName(const QString& name) {
    iconName_ = name;
    applyTheme();
}

void EmptyState::setTitle(const QString& title) {
    title_->setText(title);
    title_->setMinimumWidth(qMin(kTextWidth, title_->fontMetrics().horizontalAdvance(title) + 8));
    setAccessibleName(title);
}

void EmptyState::setText(const QString& text) {
    text_->setText(text);
    text_->setMinimumWidth(qMin(kTextWidth, text_->fontMetrics().horizontalAdvance(text) + 8));
    // A wrapping label asks for one line only when it is not told its width.
    text_->setMinimumHeight(text.isEmpty() ? 0 : text_->heightForWidth(text_->minimumWidth()));
    text_->setVisible(!text.isEmpty());
    setAccessibleDescription(text);
}

QString EmptyState::title() const {
    return title_->text();
}

QString EmptyState::text() const {
    return text_->text();
}

void EmptyState::setActions(const QList<QAction*>& actions) {
    bool same = buttons_->count() == actions.size();
    for (int i = 0; same && i < buttons_->count(); ++i)
        same = buttons_->itemAt(i)->widget()->property(kActionProperty).value<QObject*>() ==
               actions.at(i);
    if (same)
        return; // a view that counts progress must not take the button from under the pointer
    while (QLayoutItem* item = buttons_->takeAt(0)) {
        // It may be the button whose click led here.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (QAction* action : actions)
        buttons_->addWidget(buttonOf(action, action == actions.first(), this));
}

void EmptyState::setProgress(int done, int total) {
    progress_->setVisible(done >= 0);
    progress_->setRange(0, total);
    progress_->setValue(done);
    progress_->setAccessibleName(tr("%1 of %2").arg(done).arg(total));
}

} // namespace tilewright::ui
