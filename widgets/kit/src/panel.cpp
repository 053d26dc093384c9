// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/panel.h>

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/workspace.h>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kHeaderHeight = 28;
constexpr int kLeftEdge = 12;

void makeTool(QToolButton* button) {
    button->setProperty("kind", "tool");
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setIconSize(QSize(14, 14));
    button->setPopupMode(QToolButton::InstantPopup);
}

} // namespace

Panel::Panel(const QString& title, QWidget* parent)
    : QFrame(parent), header_(new QWidget(this)), title_(new QLabel(title, header_)),
      note_(new QLabel(header_)), tools_(new QHBoxLayout), body_(new QVBoxLayout),
      maximize_(new QToolButton(header_)), maximizeAction_(new QAction(this)),
      detachAction_(new QAction(this)) {
    setProperty("kind", "panel");
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(title);
    buildHeader();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(header_);
    layout->addLayout(body_, 1);
    applyTheme();
    retranslate();
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &Panel::applyTheme);
}

void Panel::buildHeader() {
    header_->setProperty("kind", "panelHeader");
    header_->setAttribute(Qt::WA_StyledBackground);
    header_->setMinimumHeight(kHeaderHeight);
    header_->installEventFilter(this);
    title_->setObjectName(QStringLiteral("panelTitle"));
    note_->setObjectName(QStringLiteral("panelNote"));
    note_->setProperty("role", "secondary");
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    note_->setMinimumWidth(0);
    auto* row = new QHBoxLayout(header_);
    row->setContentsMargins(kLeftEdge, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(title_);
    row->addWidget(note_, 1);
    tools_->setSpacing(2);
    row->addLayout(tools_);
    makeTool(maximize_);
    maximize_->setObjectName(QStringLiteral("panelMaximize"));
    row->addWidget(maximize_);
    maximizeAction_->setShortcut(QKeySequence(QStringLiteral("Ctrl+M")));
    maximizeAction_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(maximizeAction_);
    addAction(detachAction_);
    connect(maximizeAction_, &QAction::triggered, this, &Panel::toggleMaximized);
    connect(detachAction_, &QAction::triggered, this, &Panel::toggleDetached);
    connect(maximize_, &QToolButton::clicked, this, &Panel::toggleMaximized);
    maximize_->setContextMenuPolicy(Qt::ActionsContextMenu);
    maximize_->addActions({maximizeAction_, detachAction_});
    header_->setContextMenuPolicy(Qt::ActionsContextMenu);
    header_->addActions({maximizeAction_, detachAction_});
}

void Panel::retranslate() {
    maximizeAction_->setText(maximized_ ? tr("Restore") : tr("Maximise in page"));
    detachAction_->setText(window_ ? tr("Put back") : tr("Detach to a window"));
    maximize_->setToolTip(maximized_ ? tr("Restore (Ctrl+M)") : tr("Maximise in page (Ctrl+M)"));
    maximize_->setAccessibleName(maximized_ ? tr("Restore %1").arg(title())
                                            : tr("Maximise %1").arg(title()));
    maximize_->setIcon(
        themedIcon(maximized_ ? QStringLiteral("restore") : QStringLiteral("maximise"), nullptr,
                   Tone::Secondary));
}

void Panel::applyTheme() {
    title_->setFont(Theme::fontOf(this, Theme::Body));
    QFont small = Theme::fontOf(this, Theme::Dense);
    note_->setFont(small);
    for (QToolButton* button : header_->findChildren<QToolButton*>())
        button->setFont(small);
}

void Panel::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void Panel::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    retranslate();
}

QString Panel::title() const {
    return title_->text();
}

void Panel::setNote(const QString& note) {
    note_->setText(note);
    note_->setToolTip(note);
}

QString Panel::note() const {
    return note_->text();
}

void Panel::setContent(QWidget* content) {
    if (content_ && content_ != content)
        delete content_;
    content_ = content;
    body_->addWidget(content, 1);
}

void Panel::setContentMargin(int margin) {
    body_->setContentsMargins(margin, margin, margin, margin);
}

QToolButton* Panel::addTool(QAction* action) {
    auto* button = new QToolButton(header_);
    makeTool(button);
    button->setFont(Theme::fontOf(this, Theme::Dense));
    button->setDefaultAction(action);
    button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly
                                                       : Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    tools_->addWidget(button);
    return button;
}

QToolButton* Panel::addTool(const QString& text, const QString& iconName) {
    auto* button = new QToolButton(header_);
    makeTool(button);
    button->setFont(Theme::fontOf(this, Theme::Dense));
    button->setText(text);
    button->setAccessibleName(text);
    if (!iconName.isEmpty()) {
        button->setIcon(themedIcon(iconName, nullptr, Tone::Secondary));
        button->setToolTip(text);
    }
    tools_->addWidget(button);
    return button;
}

void Panel::addTool(QWidget* widget) {
    tools_->addWidget(widget);
}

void Panel::setMaximizable(bool on) {
    maximize_->setVisible(on);
    maximizeAction_->setEnabled(on);
    detachAction_->setEnabled(on);
}

void Panel::toggleMaximized() {
    setSiblingsHidden(!maximized_);
    maximized_ = !maximized_;
    retranslate();
    emit maximizedChanged(maximized_);
}

void Panel::setSiblingsHidden(bool hide) {
    if (!hide) {
        for (const QPointer<QWidget>& widget : std::as_const(hidden_))
            if (widget)
                widget->show();
        hidden_.clear();
        return;
    }
    QWidget* inner = this;
    for (QWidget* outer = parentWidget(); outer; inner = outer, outer = outer->parentWidget()) {
        for (QObject* child : outer->children()) {
            auto* sibling = qobject_cast<QWidget*>(child);
            const bool handle = sibling && sibling->inherits("QSplitterHandle");
            if (sibling && sibling != inner && !handle && !sibling->isWindow() &&
                sibling->isVisibleTo(outer)) {
                sibling->hide();
                hidden_.append(sibling);
            }
        }
        if (qobject_cast<Workspace*>(outer) || outer->isWindow())
            break;
    }
}

void Panel::toggleDetached() {
    if (!content_)
        return;
    if (window_) {
        body_->addWidget(content_, 1);
        window_->removeEventFilter(this);
        window_->deleteLater();
        window_ = nullptr;
    } else {
        window_ = new QWidget(window(), Qt::Window);
        window_->setWindowTitle(title());
        window_->setObjectName(QStringLiteral("detachedPanel"));
        auto* layout = new QVBoxLayout(window_);
        layout->setContentsMargins(0, 0, 0, 0);
        window_->resize(content_->size().expandedTo(QSize(480, 320)));
        layout->addWidget(content_);
        window_->installEventFilter(this);
        window_->show();
    }
    retranslate();
}

bool Panel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == header_ && event->type() == QEvent::MouseButtonDblClick &&
        maximizeAction_->isEnabled()) {
        toggleMaximized();
        return true;
    }
    if (watched == window_ && event->type() == QEvent::Close)
        toggleDetached();
    return QFrame::eventFilter(watched, event);
}

} // namespace tilewright::ui
