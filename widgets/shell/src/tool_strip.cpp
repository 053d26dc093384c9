// SPDX-License-Identifier: GPL-3.0-or-later
#include "tool_strip.h"

#include "status_strip.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/filter_bar.h>
#include <tilewright/ui/icon.h>

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <set>

namespace tilewright::ui {

namespace {

constexpr int kHeight = 40;
constexpr int kMaxTargetText = 24;

QString shortened(const QString& text) {
    return text.size() <= kMaxTargetText ? text
                                         : text.left(kMaxTargetText - 1) + QStringLiteral("…");
}

} // namespace

ToolStrip::ToolStrip(Commands* commands, AppState* state, QWidget* parent)
    : QWidget(parent), commands_(commands), state_(state) {
    setObjectName(QStringLiteral("toolbar"));
    setAccessibleName(tr("Toolbar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(8);
    QToolButton* start = addCommand(QStringLiteral("session.start"), row);
    auto* menu = new QMenu(start);
    for (const char* id : {"session.start", "session.new", "session.cancel", "session.copyCommand"})
        menu->addAction(commands_->action(QLatin1String(id)));
    start->setMenu(menu);
    start->setPopupMode(QToolButton::MenuButtonPopup);
    addCommand(QStringLiteral("session.pause"), row);
    addCommand(QStringLiteral("session.stop"), row);
    auto* line = new QFrame(this);
    line->setProperty("kind", "vline");
    line->setFixedHeight(20);
    row->addWidget(line);
    target_ = addChoice(QStringLiteral("targetChoice"), tr("Target"), row, &ToolStrip::fillTargets);
    session_ =
        addChoice(QStringLiteral("sessionChoice"), tr("Session"), row, &ToolStrip::fillSessions);
    filter_ = new FilterBar(this);
    filter_->setObjectName(QStringLiteral("filterBar"));
    row->addWidget(filter_, 1);
    addCommand(QStringLiteral("tools.palette"), row)
        ->setText(QStringLiteral("%1  %2").arg(
            commands_->action(QStringLiteral("tools.palette"))->iconText(),
            commands_->shortcuts(QStringLiteral("tools.palette"))
                .value(0)
                .toString(QKeySequence::NativeText)));
    connect(state_, &AppState::targetChanged, this, &ToolStrip::showChoices);
    connect(state_, &AppState::sessionChanged, this, &ToolStrip::showChoices);
    showChoices();
}

QToolButton* ToolStrip::addCommand(const QString& id, QHBoxLayout* row) {
    auto* button = new QToolButton(this);
    QAction* action = commands_->action(id);
    button->setDefaultAction(action);
    button->setObjectName(QStringLiteral("tool.%1").arg(id));
    button->setAccessibleName(action->iconText());
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(button);
    return button;
}

QToolButton* ToolStrip::addChoice(const QString& name, const QString& caption, QHBoxLayout* row,
                                  void (ToolStrip::*fill)(QMenu*)) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setAccessibleName(caption);
    button->setProperty("kind", "choice");
    button->setFocusPolicy(Qt::TabFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, fill] {
        menu->clear();
        (this->*fill)(menu);
    });
    button->setMenu(menu);
    row->addWidget(button);
    return button;
}

void ToolStrip::setOverview(StoreOverviewPtr overview) {
    overview_ = std::move(overview);
    showChoices();
}

void ToolStrip::fillTargets(QMenu* menu) {
    std::set<QString> targets{QStringLiteral("host"), QStringLiteral("host -num-cores=1")};
    if (overview_)
        for (const session::SessionSummary& session : overview_->sessions)
            targets.insert(QString::fromStdString(session.target));
    if (!state_->target().isEmpty())
        targets.insert(state_->target());
    for (const QString& target : targets) {
        QAction* action =
            menu->addAction(target, this, [this, target] { state_->setTarget(target); });
        action->setCheckable(true);
        action->setChecked(target == state_->target());
    }
    menu->addSeparator();
    menu->addAction(commands_->action(QStringLiteral("workspace.devices")));
}

void ToolStrip::fillSessions(QMenu* menu) {
    QAction* newest = menu->addAction(tr("Newest"), this, [this] { state_->setSession(-1); });
    newest->setCheckable(true);
    newest->setChecked(state_->session() < 0);
    if (overview_)
        for (auto it = overview_->sessions.rbegin(); it != overview_->sessions.rend(); ++it) {
            const qint64 id = it->id;
            QAction* action = menu->addAction(
                tr("%1 · %2 · %3")
                    .arg(id)
                    .arg(QString::fromStdString(it->name.empty() ? it->input : it->name),
                         sessionStateText(QString::fromStdString(it->state))),
                this, [this, id] { state_->setSession(id); });
            action->setCheckable(true);
            action->setChecked(state_->session() == id);
        }
    menu->addSeparator();
    menu->addAction(commands_->action(QStringLiteral("session.new")));
}

void ToolStrip::showChoices() {
    const QString target = state_->target().isEmpty() ? tr("host") : state_->target();
    target_->setText(tr("Target %1").arg(shortened(target)) + QStringLiteral(" ▾"));
    target_->setToolTip(target);
    QString session = tr("none");
    if (overview_ && !overview_->sessions.empty())
        session = QString::number(state_->session() >= 0 ? state_->session()
                                                         : overview_->sessions.back().id);
    session_->setText(tr("Session %1").arg(session) + QStringLiteral(" ▾"));
}

} // namespace tilewright::ui
