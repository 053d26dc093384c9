// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_page.h"

#include "curve_panel.h"
#include "finished_banner.h"
#include "live_stats.h"
#include "side_column.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/live_task_model.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

// Levels of the Problems dock.
constexpr int kWarningLevel = 1;
constexpr int kErrorLevel = 2;

} // namespace

LivePage::LivePage(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), facts_(new TuneFacts(this)), stats_(new StatStrip),
      banner_(new FinishedBanner), curve_(new CurvePanel(facts_, context.settings)),
      tasksPanel_(new Panel), table_(new TableView), model_(new LiveTaskModel(this)),
      side_(new SideColumn(context.settings)), across_(new QSplitter(Qt::Horizontal)),
      left_(new QSplitter(Qt::Vertical)) {
    setObjectName(QStringLiteral("livePage"));
    build();
    connectParts();
    retranslate();
}

void LivePage::build() {
    table_->setObjectName(QStringLiteral("tuneTasks"));
    table_->setModel(model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setDefaultSort(LiveTaskModel::ShareColumn, Qt::DescendingOrder);
    table_->setHiddenByDefault({LiveTaskModel::WeightColumn, LiveTaskModel::FlopColumn,
                                LiveTaskModel::DefaultColumn, LiveTaskModel::GainColumn});
    table_->setColumnWidth(LiveTaskModel::NameColumn, 190);
    table_->setColumnWidth(LiveTaskModel::BestColumn, 110);
    table_->setColumnWidth(LiveTaskModel::ShareColumn, 74);
    table_->setColumnWidth(LiveTaskModel::HeadroomColumn, 92);
    table_->setColumnWidth(LiveTaskModel::CurveColumn, 96);
    table_->setSettingsKey(QStringLiteral("tune-tasks"), context_.settings);
    tasksPanel_->setObjectName(QStringLiteral("tasksPanel"));
    tasksPanel_->setContent(table_);
    left_->setObjectName(QStringLiteral("tuneLeft"));
    left_->addWidget(curve_);
    left_->addWidget(tasksPanel_);
    left_->setStretchFactor(0, 3);
    left_->setStretchFactor(1, 2);
    left_->setChildrenCollapsible(false);
    across_->setObjectName(QStringLiteral("tuneAcross"));
    across_->addWidget(left_);
    across_->addWidget(side_);
    across_->setStretchFactor(0, 73);
    across_->setStretchFactor(1, 27);
    across_->setChildrenCollapsible(false);
    across_->setSizes({730, 270});
    left_->setSizes({340, 260});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(stats_);
    layout->addWidget(banner_);
    layout->addWidget(across_, 1);
}

void LivePage::connectParts() {
    connect(table_, &TableView::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!applying_ && current.isValid()) {
            chosen_ = true;
            chooseTask(model_->taskAt(current.row()));
        }
    });
    connect(table_, &TableView::activated, this, [this](const QModelIndex& index) {
        const int task = model_->taskAt(index.row());
        if (snapshot_ && task >= 0)
            selectRecord(snapshot_->tasks[static_cast<std::size_t>(task)].bestRecord, true);
    });
    connect(table_, &TableView::contextMenuFor, this, &LivePage::fillTaskMenu);
    connect(curve_, &CurvePanel::recordSelected, this,
            [this](qint64 record) { selectRecord(record, false); });
    connect(curve_, &CurvePanel::recordActivated, this,
            [this](qint64 record) { selectRecord(record, true); });
    connect(side_, &SideColumn::recordSelected, this,
            [this](qint64 record) { selectRecord(record, false); });
    connect(side_, &SideColumn::recordActivated, this,
            [this](qint64 record) { selectRecord(record, true); });
    const auto go = [this](const QString& id) {
        if (context_.trigger)
            context_.trigger(id);
    };
    connect(banner_, &FinishedBanner::bottlenecksWanted, this,
            [go] { go(QStringLiteral("workspace.bottlenecks")); });
    connect(banner_, &FinishedBanner::compareWanted, this,
            [go] { go(QStringLiteral("workspace.compare")); });
    connect(banner_, &FinishedBanner::reportWanted, this,
            [go] { go(QStringLiteral("file.exportReport")); });
    connect(banner_, &FinishedBanner::resumeWanted, context_.live, &LiveSession::startAgain);
    connect(facts_, &TuneFacts::baselinesRead, curve_, &CurvePanel::setBaselines);
    connect(facts_, &TuneFacts::filtered, this, &LivePage::takeFilter);
    if (!context_.state)
        return;
    connect(context_.state, &AppState::taskChanged, this, [this] {
        const int task = taskOfState();
        if (task >= 0 && task != task_) {
            chosen_ = true;
            chooseTask(task);
        }
    });
    connect(context_.state, &AppState::recordsChanged, this,
            [this](const QVector<qint64>& records) {
                curve_->plot()->selectPoint(records.isEmpty() ? -1 : records.constLast());
            });
    connect(context_.state, &AppState::filterChanged, this, &LivePage::askFilter);
    connect(context_.state, &AppState::baselinesChanged, this,
            [this] { facts_->readBaselines(context_.state->baselines()); });
    facts_->readBaselines(context_.state->baselines());
    askFilter();
}

void LivePage::retranslate() {
    tasksPanel_->setTitle(tr("Tasks"));
    table_->setAccessibleName(tr("Tasks of the session"));
    stats_->setAccessibleName(tr("Model latency, speed-up, trials, time"));
    if (tasksPanel_->findChild<QToolButton*>(QStringLiteral("tuneColumns")) == nullptr) {
        QToolButton* columns = tasksPanel_->addTool(tr("Columns"));
        columns->setObjectName(QStringLiteral("tuneColumns"));
        columns->setMenu(table_->columnsMenu());
        columns->setPopupMode(QToolButton::InstantPopup);
        QToolButton* exports = tasksPanel_->addTool(tr("Export"));
        exports->setObjectName(QStringLiteral("tuneExport"));
        exports->setMenu(table_->exportMenu());
        exports->setPopupMode(QToolButton::InstantPopup);
    } else {
        tasksPanel_->findChild<QToolButton*>(QStringLiteral("tuneColumns"))->setText(tr("Columns"));
        tasksPanel_->findChild<QToolButton*>(QStringLiteral("tuneExport"))->setText(tr("Export"));
    }
    refresh();
}

void LivePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

int LivePage::taskOfState() const {
    if (!snapshot_ || !context_.state || context_.state->task() < 0)
        return -1;
    for (std::size_t i = 0; i < snapshot_->tasks.size(); ++i)
        if (snapshot_->tasks[i].id == context_.state->task())
            return static_cast<int>(i);
    return -1;
}

/// Without a choice: what costs most, once something is known of it.
int LivePage::usualTask() const {
    int usual = -1;
    for (std::size_t i = 0; i < snapshot_->tasks.size(); ++i) {
        const session::LiveTask& task = snapshot_->tasks[i];
        if (!task.points || task.points->empty() || !model_->totalCount() ||
            model_->rowOf(static_cast<int>(i)) < 0)
            continue;
        if (usual < 0 || task.share > snapshot_->tasks[static_cast<std::size_t>(usual)].share)
            usual = static_cast<int>(i);
    }
    return usual;
}

void LivePage::setSnapshot(LiveSnapshotPtr snapshot, const QString& state) {
    const bool other = !snapshot_ || !snapshot || snapshot_->session != snapshot->session ||
                       snapshot_->workDir != snapshot->workDir;
    if (other) {
        chosen_ = false;
        task_ = -1;
        reported_ = snapshot && state != QLatin1String("running") ? snapshot->events.size() : 0;
        filteredTrials_ = -1;
    }
    snapshot_ = std::move(snapshot);
    state_ = state;
    refresh();
}

void LivePage::refresh() {
    if (!snapshot_)
        return;
    stats_->setStats(liveStats(*snapshot_, state_));
    banner_->setSnapshot(snapshot_.get(), state_);
    applying_ = true;
    model_->setSnapshot(snapshot_);
    const bool headroom =
        std::any_of(snapshot_->tasks.begin(), snapshot_->tasks.end(),
                    [](const session::LiveTask& task) { return task.headroom.has_value(); });
    if (headroom != sortsByHeadroom_) {
        sortsByHeadroom_ = headroom;
        table_->setDefaultSort(headroom ? LiveTaskModel::HeadroomColumn
                                        : LiveTaskModel::ShareColumn,
                               Qt::DescendingOrder);
    }
    applying_ = false;
    int task = taskOfState();
    if (task < 0)
        task = chosen_ && task_ >= 0 ? task_ : usualTask();
    chooseTask(task);
    side_->setSnapshot(snapshot_);
    showCounts();
    reportProblems();
    const bool going = state_ == QLatin1String("running");
    if (context_.state && !context_.state->filter().isEmpty() && filteredTrials_ >= 0 &&
        snapshot_->trials != filteredTrials_ && going)
        askFilter();
}

void LivePage::chooseTask(int task) {
    if (!snapshot_)
        return;
    const bool changed = task != task_;
    task_ = task;
    curve_->show(snapshot_, task);
    const int row = task >= 0 ? model_->rowOf(task) : -1;
    if (row >= 0 && (changed || table_->currentIndex().row() != row)) {
        applying_ = true;
        table_->selectRow(row);
        applying_ = false;
    }
    if (!changed || task < 0 || !context_.state || !chosen_)
        return;
    const std::int64_t id = snapshot_->tasks[static_cast<std::size_t>(task)].id;
    if (id > 0)
        context_.state->setTask(id);
}

void LivePage::selectRecord(qint64 record, bool open) {
    if (!context_.state || record <= 0)
        return;
    context_.state->setRecords({record});
    if (open && context_.trigger)
        context_.trigger(QStringLiteral("records.open"));
}

void LivePage::orderTask(const QString& verb) {
    if (!snapshot_ || task_ < 0)
        return;
    const session::LiveTask& task = snapshot_->tasks[static_cast<std::size_t>(task_)];
    context_.live->taskCommand(verb, QString::fromStdString(task.name));
}

void LivePage::fillTaskMenu(const QModelIndex& index, QMenu* menu) {
    const int task = index.isValid() ? model_->taskAt(index.row()) : -1;
    if (!snapshot_ || task < 0)
        return;
    const session::LiveTask& row = snapshot_->tasks[static_cast<std::size_t>(task)];
    const QString name = QString::fromStdString(row.name);
    const bool going = context_.live->engineAlive();
    const bool held = row.state == session::LiveTaskState::Frozen;
    const bool over =
        row.state == session::LiveTaskState::Skipped || row.state == session::LiveTaskState::Ended;
    const auto add = [&](const QString& text, const char* verb, bool enabled, const QString& hint) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("task.%1").arg(QLatin1String(verb)));
        action->setEnabled(going && enabled);
        action->setToolTip(going ? hint : tr("No engine works on this session now."));
        connect(action, &QAction::triggered, this, [this, name, verb = QString::fromLatin1(verb)] {
            context_.live->taskCommand(verb, name);
        });
    };
    menu->setToolTipsVisible(true);
    add(tr("Boost"), "boost", !over && !held,
        tr("The next round is this task's. Trials in flight finish."));
    if (held)
        add(tr("Thaw"), "thaw", true, tr("Takes part again from the next round on."));
    else
        add(tr("Freeze"), "freeze", !over,
            tr("No more rounds until it is thawed; trials in flight of this task finish."));
    add(tr("Skip"), "skip", !over,
        tr("No more trials in this session; trials in flight of this task finish."));
    menu->addSeparator();
    QAction* best = menu->addAction(tr("Open best record"));
    best->setEnabled(row.bestRecord > 0);
    connect(best, &QAction::triggered, this,
            [this, record = row.bestRecord] { selectRecord(record, true); });
}

void LivePage::askFilter() {
    if (!context_.state)
        return;
    filteredTrials_ = snapshot_ ? snapshot_->trials : 0;
    facts_->applyFilter(context_.live->workDir(), context_.state->filter());
}

void LivePage::takeFilter(const FilteredRecords& outcome) {
    filterProblem_ = outcome.problem;
    std::optional<QSet<qint64>> records;
    if (!outcome.filter.isEmpty() && outcome.problem.isEmpty())
        records = outcome.records;
    applying_ = true;
    model_->setRecordFilter(records);
    applying_ = false;
    curve_->setRecordFilter(records);
    refresh();
}

void LivePage::showCounts() {
    const bool filtered = context_.state && !context_.state->filter().trimmed().isEmpty();
    if (filtered && !filterProblem_.isEmpty())
        tasksPanel_->setNote(tr("the filter cannot be used: %1").arg(filterProblem_));
    else if (filtered)
        tasksPanel_->setNote(
            tr("%1 of %2 match the filter").arg(model_->shownCount()).arg(model_->totalCount()));
    else if (snapshot_ && snapshot_->untunedTasks > 0)
        tasksPanel_->setNote(
            tr("%1, %2 untuned").arg(model_->totalCount()).arg(snapshot_->untunedTasks));
    else
        tasksPanel_->setNote(QString::number(model_->totalCount()));
}

/// Wrong results and lost devices belong in the Problems list, whoever looks.
void LivePage::reportProblems() {
    const auto& events = snapshot_->events;
    reported_ = std::min(reported_, events.size());
    for (; reported_ < events.size(); ++reported_) {
        const session::LiveEvent& event = events[reported_];
        if (!context_.problem)
            continue;
        const QString task = QString::fromStdString(event.task);
        const QString detail = QString::fromStdString(event.detail);
        if (event.kind == "wrong-result")
            context_.problem(kErrorLevel, QStringLiteral("TW-E0231"),
                             tr("%1, record %2: wrong result: %3. It is never ranked.")
                                 .arg(task)
                                 .arg(event.record)
                                 .arg(detail));
        else if (event.kind == "device-lost")
            context_.problem(kWarningLevel, QStringLiteral("TW-W0412"),
                             tr("Device %1 lost while it ran %2 (record %3); the session goes on.")
                                 .arg(detail, task)
                                 .arg(event.record));
        else if (event.kind == "error")
            context_.problem(kErrorLevel, QStringLiteral("TW-E0200"), detail);
    }
}

} // namespace tilewright::ui
