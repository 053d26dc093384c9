// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/tune_view.h>

#include "live_page.h"
#include "new_session_page.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>

#include <tilewright/session/live_snapshot.h>

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kErrorLevel = 2; ///< of the Problems dock

} // namespace

struct TuneView::Parts {
    ViewContext context;
    MessageBar* bar = nullptr;
    QStackedWidget* pages = nullptr;
    EmptyState* empty = nullptr;
    LivePage* live = nullptr;
    NewSessionPage* plan = nullptr;
    QAction* open = nullptr;
    QAction* sample = nullptr;
    QAction* plans = nullptr;
    QAction* retry = nullptr;
    QAction* copy = nullptr;
    QList<QAction*> orders;
    bool isOpen = false;
    bool planning = false;
    bool startsWhenReady = false; ///< Quick start: as soon as the checks passed
    bool resumes = false;         ///< the message bar's action resumes
    QString barState;             ///< the state that the message bar tells of
};

TuneView::TuneView(const ViewContext& context, QWidget* parent)
    : Workspace(parent), d_(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("tune"));
    d_->context = context;
    d_->bar = new MessageBar(this);
    d_->bar->setObjectName(QStringLiteral("tuneMessage"));
    d_->pages = new QStackedWidget(this);
    d_->empty = new EmptyState;
    d_->live = new LivePage(context);
    d_->plan = new NewSessionPage(context);
    d_->pages->addWidget(d_->empty);
    d_->pages->addWidget(d_->live);
    d_->pages->addWidget(d_->plan);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(d_->bar);
    layout->addWidget(d_->pages, 1);
    buildActions();
    retranslate();
    LiveSession* live = context.live;
    connect(live, &LiveSession::snapshotChanged, this, &TuneView::followState);
    connect(live, &LiveSession::stateChanged, this, &TuneView::followState);
    connect(live, &LiveSession::engineLost, this, [this](const QString& why) {
        if (d_->context.problem)
            d_->context.problem(
                kErrorLevel, QStringLiteral("TW-E0210"),
                tr("The engine of %1 is gone. %2").arg(d_->context.live->workDir(), why));
    });
    connect(live, &LiveSession::commandFailed, this, [this](const QString& message) {
        d_->resumes = false;
        d_->barState.clear();
        d_->bar->showMessage(MessageBar::Error, message, tr("Open log"));
        if (d_->context.problem)
            d_->context.problem(kErrorLevel, QStringLiteral("TW-E0211"), message);
    });
    connect(d_->bar, &MessageBar::actionTriggered, this, [this] {
        if (d_->resumes)
            d_->context.live->startAgain();
        else if (d_->context.trigger)
            d_->context.trigger(QStringLiteral("tools.openLog"));
    });
    connect(d_->plan, &NewSessionPage::started, this, &TuneView::leaveNewSession);
    connect(d_->plan, &NewSessionPage::cancelled, this, &TuneView::leaveNewSession);
    connect(d_->plan->planner(), &SessionPlanner::checked, this, &TuneView::startWhenReady);
    connect(d_->plan->planner(), &SessionPlanner::described, this, &TuneView::startWhenReady);
    followState();
}

TuneView::~TuneView() = default;

void TuneView::buildActions() {
    const auto add = [this](const char* name, auto work) {
        auto* action = new QAction(this);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, work);
        return action;
    };
    const auto go = [this](const char* id) {
        return [this, id] {
            if (d_->context.trigger)
                d_->context.trigger(QLatin1String(id));
        };
    };
    d_->open = add("tune.openResults", go("file.openResults"));
    d_->sample = add("tune.trySample", go("file.trySample"));
    d_->plans = add("tune.newSession", [this] { showNewSession(); });
    d_->retry = add("tune.retry", [this] {
        const QString dir = d_->context.live->workDir();
        d_->context.live->open({});
        d_->context.live->open(dir);
    });
    d_->copy = add("session.copyCommand",
                   [this] { QGuiApplication::clipboard()->setText(d_->plan->commandLine()); });
    for (const char* verb : {"boost", "freeze", "thaw", "skip"})
        d_->orders.append(
            add(verb, [this, verb = QString::fromLatin1(verb)] { d_->live->orderTask(verb); }));
    const char* const names[] = {"session.boostTask", "session.freezeTask", "session.thawTask",
                                 "session.skipTask"};
    for (int i = 0; i < 4; ++i)
        d_->orders.at(i)->setObjectName(QLatin1String(names[i]));
}

void TuneView::retranslate() {
    setAccessibleName(tr("Tune"));
    d_->open->setText(tr("Open results…"));
    d_->sample->setText(tr("Try the sample"));
    d_->plans->setText(tr("New session…"));
    d_->retry->setText(tr("Retry"));
    d_->copy->setText(tr("Copy as command line"));
    const QStringList orders{tr("Boost task"), tr("Freeze task"), tr("Thaw task"), tr("Skip task")};
    for (int i = 0; i < 4; ++i)
        d_->orders.at(i)->setText(orders.at(i));
}

void TuneView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        followState();
    }
    Workspace::changeEvent(event);
}

QString TuneView::title() const {
    return tr("Tune");
}

QString TuneView::iconName() const {
    return QStringLiteral("tune");
}

QList<QAction*> TuneView::actions() const {
    return QList<QAction*>{d_->plans} + d_->orders + QList<QAction*>{d_->copy};
}

void TuneView::opened() {
    d_->isOpen = true;
    followState();
}

void TuneView::closed() {
    d_->isOpen = false;
}

void TuneView::showNewSession() {
    d_->planning = true;
    d_->plan->prepare();
    followState();
}

void TuneView::quickStart() {
    d_->startsWhenReady = true;
    showNewSession();
}

void TuneView::startWhenReady() {
    if (d_->startsWhenReady && d_->plan->readyToStart()) {
        d_->startsWhenReady = false;
        d_->plan->start();
    }
}

void TuneView::leaveNewSession() {
    d_->planning = false;
    d_->startsWhenReady = false;
    followState();
}

void TuneView::followState() {
    const QString state = d_->context.live->state();
    const session::LiveSnapshot* snapshot = d_->context.live->snapshot().get();
    if (d_->planning) {
        d_->pages->setCurrentWidget(d_->plan);
        return;
    }
    const bool shows = snapshot && (!snapshot->state.empty() || !snapshot->tasks.empty()) &&
                       state != QLatin1String("unreadable") && state != QLatin1String("draft");
    if (!shows) {
        if (!d_->barState.isEmpty())
            d_->bar->clear();
        d_->barState.clear();
        showEmpty();
        d_->pages->setCurrentWidget(d_->empty);
        return;
    }
    d_->pages->setCurrentWidget(d_->live);
    if (d_->isOpen || isVisible())
        d_->live->setSnapshot(d_->context.live->snapshot(), state);
    showMessageOf(state);
}

void TuneView::showEmpty() {
    const QString state = d_->context.live->state();
    const QString dir = d_->context.live->workDir();
    d_->empty->setIconName(QStringLiteral("tune"));
    d_->empty->setProgress(-1, 0);
    if (state.isEmpty()) {
        const bool model = d_->context.state && !d_->context.state->modelPath().isEmpty();
        d_->empty->setTitle(model ? tr("No session yet.") : tr("Nothing to tune yet."));
        d_->empty->setText(model ? tr("Choose effort and tasks; the default schedule of each task "
                                      "is measured first and is the dashed line of its curve.")
                                 : tr("Open a model to tune it, or the results of a session."));
        d_->empty->setActions(model ? QList<QAction*>{d_->plans, d_->open}
                                    : QList<QAction*>{d_->sample, d_->open});
    } else if (state == QLatin1String("loading")) {
        d_->empty->setTitle(tr("Reading…"));
        d_->empty->setText(dir);
        d_->empty->setActions({});
    } else if (state == QLatin1String("queued")) {
        d_->empty->setTitle(tr("The engine starts…"));
        d_->empty->setText(dir);
        d_->empty->setActions({});
    } else if (state == QLatin1String("unreadable")) {
        d_->empty->setIconName(QStringLiteral("error"));
        d_->empty->setTitle(tr("These results cannot be read."));
        d_->empty->setText(d_->context.live->problem());
        d_->empty->setActions({d_->retry, d_->open});
    } else {
        d_->empty->setTitle(tr("No session in this directory yet."));
        d_->empty->setText(tr("%1 holds no tuning session. A new one tunes the tasks that you "
                              "choose and shows here how long it takes before it starts.")
                               .arg(dir));
        d_->empty->setActions({d_->plans, d_->open});
    }
}

void TuneView::showMessageOf(const QString& state) {
    MessageBar* bar = d_->bar;
    if (state == d_->barState)
        return;
    const bool told = !d_->barState.isEmpty();
    d_->barState = state;
    const session::LiveSnapshot& snapshot = *d_->context.live->snapshot();
    d_->resumes = state == QLatin1String("interrupted");
    if (d_->resumes) {
        bar->showMessage(MessageBar::Warning,
                         tr("Interrupted: the engine is gone. All %n finished trial(s) are kept.",
                            nullptr, static_cast<int>(snapshot.trials)),
                         tr("Resume"));
    } else if (state == QLatin1String("failed")) {
        bar->showMessage(MessageBar::Error,
                         snapshot.error.empty() ? tr("The session failed.")
                                                : QString::fromStdString(snapshot.error),
                         tr("Open log"));
    } else if (state == QLatin1String("paused")) {
        bar->showMessage(MessageBar::Info,
                         tr("Paused. Cost model, random state and population are kept; Start "
                            "(F5) goes on."));
    } else if (state == QLatin1String("stopping")) {
        bar->showMessage(MessageBar::Info,
                         snapshot.asked == "cancel"
                             ? tr("Cancelling: trials in flight are not kept.")
                             : tr("Stopping: trials in flight finish and are kept."));
    } else if (state == QLatin1String("replay")) {
        bar->showMessage(MessageBar::Info, tr("Replaying a finished session at ten times its "
                                              "speed; nothing is measured."));
    } else if (told) {
        bar->clear();
    }
}

Workspace* createTuneView(const ViewContext& context, QWidget* parent) {
    return new TuneView(context, parent);
}

} // namespace tilewright::ui
