// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/profile_view.h>

#include "reconciliation_bar.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/device_table.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/profile_source.h>
#include <tilewright/ui/profile_table.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/timeline_plot.h>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QLabel>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

struct ProfileView::Parts {
    explicit Parts(const ViewContext& given) : context(given) {}
    const ViewContext context;
    ProfileSource* source = nullptr;
    MessageBar* message = nullptr;
    QStackedWidget* pages = nullptr;
    EmptyState* empty = nullptr;
    QWidget* page = nullptr;
    QStackedWidget* upper = nullptr; ///< the profile, or how to make one
    EmptyState* noProfile = nullptr;
    QWidget* profilePage = nullptr;
    Panel* tablePanel = nullptr;
    TableView* table = nullptr;
    CellTableModel* model = nullptr;
    CellTableModel* footer = nullptr;
    Panel* matchPanel = nullptr;
    QLabel* whole = nullptr;
    QLabel* wholeNote = nullptr;
    ReconciliationBar* bar = nullptr;
    QLabel* sentence = nullptr;
    QLabel* policy = nullptr;
    Panel* timelinePanel = nullptr;
    TimelinePlot* timeline = nullptr;
    Panel* searchPanel = nullptr;
    TableView* phases = nullptr;
    CellTableModel* phaseModel = nullptr;
    CellTableModel* phaseTotals = nullptr;
    EmptyState* noPhases = nullptr;
    QComboBox* choice = nullptr;
    QToolButton* again = nullptr;
    QToolButton* columns = nullptr;
    QToolButton* exportTool = nullptr;
    QToolButton* trace = nullptr;
    QToolButton* timelineTools = nullptr;
    QToolButton* phaseExport = nullptr;
    QAction* run = nullptr;
    QAction* cancel = nullptr;
    QAction* openModel = nullptr;
    QAction* openResults = nullptr;
    QTimer progress;
    int shown = 0; ///< index of the profile that is shown
    bool open = false;
    bool stale = true;
    bool prepared = false;

    [[nodiscard]] const session::ProfileReport* report() const {
        const ProfileSnapshotPtr snapshot = source->snapshot();
        if (!snapshot || shown < 0 || shown >= static_cast<int>(snapshot->profiles.size()))
            return nullptr;
        return &snapshot->profiles[static_cast<std::size_t>(shown)];
    }
};

ProfileView::ProfileView(const ViewContext& context, QWidget* parent)
    : Workspace(parent), d_(std::make_unique<Parts>(context)) {
    setObjectName(QStringLiteral("profileView"));
    build();
    connectParts();
    retranslate();
    showPage();
}

ProfileView::~ProfileView() = default;

QString ProfileView::title() const {
    return tr("Profile");
}

QString ProfileView::iconName() const {
    return QStringLiteral("profile");
}

QString ProfileView::helpPage() const {
    return QStringLiteral("profile");
}

QList<QAction*> ProfileView::actions() const {
    return {d_->run};
}

void ProfileView::build() {
    d_->source = new ProfileSource(this);
    d_->message = new MessageBar(this);
    d_->pages = new QStackedWidget(this);
    d_->empty = new EmptyState(this);
    d_->empty->setObjectName(QStringLiteral("profileEmpty"));
    d_->page = new QWidget(this);
    d_->pages->addWidget(d_->empty);
    d_->pages->addWidget(d_->page);
    for (QAction** action : {&d_->run, &d_->cancel, &d_->openModel, &d_->openResults})
        *action = new QAction(this);
    d_->run->setObjectName(QStringLiteral("profile.run"));
    d_->progress.setInterval(250);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(8, 8, 8, 8);
    outer->setSpacing(8);
    outer->addWidget(d_->message);
    outer->addWidget(d_->pages, 1);
    buildPanels();
}

void ProfileView::buildPanels() {
    d_->model = new CellTableModel(this);
    d_->footer = new CellTableModel(this);
    d_->table = new TableView(d_->page);
    d_->table->setObjectName(QStringLiteral("profileTable"));
    d_->tablePanel = new Panel({}, d_->page);
    d_->tablePanel->setContent(d_->table);
    d_->tablePanel->setContentMargin(0);

    auto* match = new QWidget(d_->page);
    d_->whole = new QLabel(match);
    d_->whole->setObjectName(QStringLiteral("endToEnd"));
    d_->wholeNote = new QLabel(match);
    d_->wholeNote->setProperty("role", QStringLiteral("secondary"));
    d_->bar = new ReconciliationBar(match);
    d_->sentence = new QLabel(match);
    d_->sentence->setObjectName(QStringLiteral("reconciliation"));
    d_->sentence->setWordWrap(true);
    d_->policy = new QLabel(match);
    d_->policy->setProperty("role", QStringLiteral("secondary"));
    d_->policy->setWordWrap(true);
    auto* matchLayout = new QVBoxLayout(match);
    matchLayout->setContentsMargins(0, 0, 0, 0);
    matchLayout->setSpacing(8);
    for (QWidget* part : {static_cast<QWidget*>(d_->whole), static_cast<QWidget*>(d_->wholeNote),
                          static_cast<QWidget*>(d_->bar), static_cast<QWidget*>(d_->sentence),
                          static_cast<QWidget*>(d_->policy)})
        matchLayout->addWidget(part);
    matchLayout->addStretch(1);
    d_->matchPanel = new Panel({}, d_->page);
    d_->matchPanel->setContent(match);
    d_->matchPanel->setContentMargin(12);
    d_->matchPanel->setMinimumWidth(290);
    d_->wholeNote->setWordWrap(true);

    d_->timeline = new TimelinePlot(d_->page);
    d_->timeline->setObjectName(QStringLiteral("runTimeline"));
    d_->timelinePanel = new Panel({}, d_->page);
    d_->timelinePanel->setContent(d_->timeline);
    d_->timelinePanel->setContentMargin(0);
    d_->phaseModel = new CellTableModel(this);
    d_->phaseTotals = new CellTableModel(this);
    d_->phases = new TableView(d_->page);
    d_->phases->setObjectName(QStringLiteral("searchPhases"));
    d_->noPhases = new EmptyState;
    d_->searchPanel = new Panel({}, d_->page);
    d_->searchPanel->setContent(d_->phases);
    d_->searchPanel->setContentMargin(0);

    d_->profilePage = new QWidget(d_->page);
    auto* top = new QSplitter(Qt::Horizontal, d_->page);
    top->addWidget(d_->tablePanel);
    top->addWidget(d_->matchPanel);
    top->setStretchFactor(0, 1);
    top->setSizes({770, 230});
    auto* profileLayout = new QVBoxLayout(d_->profilePage);
    profileLayout->setContentsMargins(0, 0, 0, 0);
    profileLayout->addWidget(top);
    d_->noProfile = new EmptyState(d_->page);
    d_->noProfile->setObjectName(QStringLiteral("noProfile"));
    d_->upper = new QStackedWidget(d_->page);
    d_->upper->addWidget(d_->noProfile);
    d_->upper->addWidget(d_->profilePage);
    auto* bottom = new QSplitter(Qt::Horizontal, d_->page);
    bottom->addWidget(d_->timelinePanel);
    bottom->addWidget(d_->searchPanel);
    bottom->setSizes({560, 440});
    auto* rows = new QSplitter(Qt::Vertical, d_->page);
    rows->addWidget(d_->upper);
    rows->addWidget(bottom);
    rows->setSizes({600, 400});
    for (QSplitter* splitter : {top, bottom, rows}) {
        splitter->setHandleWidth(8);
        splitter->setChildrenCollapsible(false);
    }
    auto* layout = new QVBoxLayout(d_->page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows);
}

void ProfileView::connectParts() {
    AppState* state = d_->context.state;
    d_->table->setModel(d_->model);
    d_->table->setFooterModel(d_->footer);
    d_->phaseModel->setColumns(ProfileTable::phaseColumns());
    d_->phases->setModel(d_->phaseModel);
    d_->phases->setColumnWidth(ProfileTable::PhaseTime, 92);
    d_->phases->setFooterModel(d_->phaseTotals);
    d_->phases->setEmptyWidget(d_->noPhases);
    d_->choice = new QComboBox(d_->tablePanel);
    d_->choice->setObjectName(QStringLiteral("profileChoice"));
    d_->tablePanel->addTool(d_->choice);
    const auto menuTool = [](Panel* panel, QMenu* menu) {
        QToolButton* tool = panel->addTool(QString());
        tool->setMenu(menu);
        tool->setPopupMode(QToolButton::InstantPopup);
        return tool;
    };
    d_->again = d_->tablePanel->addTool(d_->run);
    d_->again->setObjectName(QStringLiteral("profileAgain"));
    d_->columns = menuTool(d_->tablePanel, d_->table->columnsMenu());
    d_->exportTool = menuTool(d_->tablePanel, d_->table->exportMenu());
    d_->trace = d_->timelinePanel->addTool(QString());
    d_->timelineTools = menuTool(d_->timelinePanel, d_->timeline->toolsMenu());
    d_->phaseExport = menuTool(d_->searchPanel, d_->phases->exportMenu());

    const auto readAgain = [this] {
        d_->stale = true;
        d_->shown = 0;
        read();
    };
    connect(state, &AppState::workDirChanged, this, [this, readAgain] {
        d_->source->close();
        readAgain();
        showPage();
    });
    connect(state, &AppState::modelChanged, this, &ProfileView::showPage);
    connect(state, &AppState::sessionChanged, this, readAgain);
    connect(state, &AppState::taskChanged, this, [this] { followTask(); });
    connect(d_->context.live, &LiveSession::stateChanged, this, [this] {
        d_->stale = true;
        if (d_->open)
            read();
    });
    connect(d_->source, &ProfileSource::ready, this, &ProfileView::showSnapshot);
    connect(d_->source, &ProfileSource::failed, this, [this](const QString& message) {
        d_->message->showMessage(MessageBar::Error, message);
        showPage();
    });
    connect(d_->source, &ProfileSource::started, this, [this] {
        d_->progress.start();
        showRunning();
    });
    connect(&d_->progress, &QTimer::timeout, this, [this] { showRunning(); });
    connect(d_->source, &ProfileSource::profiled, this, [this](bool stored) {
        d_->progress.stop();
        d_->shown = 0;
        if (!stored && !d_->context.state->workDir().isEmpty())
            d_->message->showMessage(
                MessageBar::Info,
                tr("An engine owns the work directory: this profile is shown, but not stored."));
        showSnapshot();
    });
    connect(d_->source, &ProfileSource::profileFailed, this, [this](const QString& message) {
        d_->progress.stop();
        if (!message.isEmpty())
            d_->message->showMessage(MessageBar::Error,
                                     tr("The model could not be profiled: %1").arg(message));
        showPage();
    });
    connect(d_->run, &QAction::triggered, this, &ProfileView::runProfile);
    connect(d_->cancel, &QAction::triggered, d_->source, &ProfileSource::cancel);
    connect(d_->openModel, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("file.openModel")); });
    connect(d_->openResults, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("file.openResults")); });
    connect(d_->choice, &QComboBox::activated, this, [this](int index) {
        d_->shown = index;
        showProfile();
    });
    connect(d_->table, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            chooseRow(static_cast<int>(d_->model->idAt(index.row())));
    });
    connect(d_->table, &TableView::linkActivated, this, [this](const QModelIndex& index) {
        openRecord(index.siblingAtColumn(ProfileTable::RecordColumn).data(SortRole).toLongLong());
    });
    connect(d_->timeline, &PlotView::pointSelected, this,
            [this](qint64 row) { chooseRow(static_cast<int>(row)); });
    connect(d_->trace, &QToolButton::clicked, this, &ProfileView::exportTrace);
}

void ProfileView::opened() {
    d_->open = true;
    read();
    showPage();
}

void ProfileView::closed() {
    d_->open = false;
}

void ProfileView::read() {
    if (!d_->stale || (!d_->open && isHidden()))
        return;
    d_->stale = false;
    const AppState* state = d_->context.state;
    if (!state->workDir().isEmpty())
        d_->source->read(state->workDir(), state->session());
    showPage();
}

void ProfileView::runProfile() {
    const AppState* state = d_->context.state;
    if (state->modelPath().isEmpty() || d_->source->isRunning())
        return;
    d_->message->clear();
    d_->source->run(state->modelPath(), state->workDir(), state->target());
}

void ProfileView::showPage() {
    const AppState* state = d_->context.state;
    const bool anything = !state->workDir().isEmpty() || !state->modelPath().isEmpty();
    d_->pages->setCurrentWidget(anything ? d_->page : static_cast<QWidget*>(d_->empty));
    d_->run->setEnabled(!state->modelPath().isEmpty() && !d_->source->isRunning());
    if (!anything) {
        d_->empty->setIconName(QStringLiteral("profile"));
        d_->empty->setTitle(tr("Profile the tuned model"));
        d_->empty->setText(tr("Open a model or its results first; profiling compiles it with the "
                              "best records and times it operator by operator."));
        d_->empty->setActions({d_->openModel, d_->openResults});
        return;
    }
    const bool known = d_->report() != nullptr;
    d_->upper->setCurrentWidget(known ? d_->profilePage : static_cast<QWidget*>(d_->noProfile));
    d_->timelinePanel->setVisible(known && !d_->report()->timeline.empty());
    showRunning();
}

void ProfileView::showRunning() {
    const bool running = d_->source->isRunning();
    const AppState* state = d_->context.state;
    d_->run->setEnabled(!state->modelPath().isEmpty() && !running);
    d_->noProfile->setIconName(QStringLiteral("profile"));
    if (running) {
        const int seconds = static_cast<int>(d_->source->elapsed() / 1000);
        const QString text = tr("Compiling with the best records, then timing whole runs and "
                                "operators in turn: %n s so far, in a process of its own.",
                                nullptr, seconds);
        if (d_->report()) {
            d_->tablePanel->setNote(tr("profiling… %n s", nullptr, seconds));
            return;
        }
        d_->noProfile->setTitle(tr("Profiling…"));
        d_->noProfile->setText(text);
        d_->noProfile->setActions({d_->cancel});
        return;
    }
    d_->noProfile->setTitle(tr("Profile the tuned model"));
    if (state->modelPath().isEmpty()) {
        d_->noProfile->setText(tr("These results name no model that is open: open the model they "
                                  "belong to."));
        d_->noProfile->setActions({d_->openModel});
        return;
    }
    d_->noProfile->setText(
        state->workDir().isEmpty()
            ? tr("%1 is compiled with default schedules, as no results are open.")
                  .arg(state->modelPath().section(QLatin1Char('/'), -1))
            : tr("%1 is compiled with the best record of each task in %2, default schedules where "
                 "there is none.")
                  .arg(state->modelPath().section(QLatin1Char('/'), -1),
                       state->workDir().section(QLatin1Char('/'), -1)));
    d_->noProfile->setActions({d_->run});
}

void ProfileView::showSnapshot() {
    showProfile();
    showSearch();
    showPage();
}

void ProfileView::showProfile() {
    const session::ProfileReport* report = d_->report();
    if (!report)
        return;
    const ProfileSnapshotPtr snapshot = d_->source->snapshot();
    {
        const QSignalBlocker quiet(d_->choice);
        d_->choice->clear();
        for (const session::ProfileReport& profile : snapshot->profiles)
            d_->choice->addItem(QStringLiteral("%1, %2").arg(
                QString::fromStdString(profile.name), DeviceTable::whenText(profile.timeMs)));
        d_->choice->setCurrentIndex(d_->shown);
        d_->choice->setVisible(snapshot->profiles.size() > 1);
    }
    const ProfileTable table(*report);
    d_->model->setColumns(table.columns());
    d_->footer->setColumns(table.columns());
    d_->model->setRows(table.rows(), table.ids());
    d_->footer->setRows(table.footer(), {-1, -2, -3});
    if (!d_->prepared) {
        d_->prepared = true;
        d_->table->setDefaultSort(ProfileTable::ShareColumn, Qt::DescendingOrder);
        d_->table->setHiddenByDefault({ProfileTable::TypeColumn});
        const QPair<int, int> widths[] = {
            {ProfileTable::FirstColumn, 44},    {ProfileTable::NameColumn, 170},
            {ProfileTable::CountColumn, 54},    {ProfileTable::StartColumn, 76},
            {ProfileTable::DurationColumn, 88}, {ProfileTable::ErrorColumn, 50},
            {ProfileTable::ShareColumn, 70},    {ProfileTable::ShapeColumn, 130},
            {ProfileTable::RateColumn, 98},     {ProfileTable::RoofColumn, 64},
            {ProfileTable::HashColumn, 86},     {ProfileTable::RecordColumn, 66}};
        for (const auto& [column, width] : widths)
            d_->table->setColumnWidth(column, width);
        d_->table->setSettingsKey(QStringLiteral("profile"), d_->context.settings);
    }
    d_->tablePanel->setNote(tr("median of %n run(s)", nullptr, static_cast<int>(report->runs)));
    d_->whole->setFont(Theme::fontOf(this, Theme::Big));
    d_->whole->setText(latencyWithUnit(report->wholeSeconds));
    QString note = tr("end to end, median of %n run(s)", nullptr, static_cast<int>(report->runs));
    if (report->wholePlusMinus) {
        const QString error = errorText(report->wholeSeconds, *report->wholePlusMinus,
                                        session::latencyUnit(report->wholeSeconds));
        if (!error.isEmpty())
            note = error + QStringLiteral("  ") + note;
    }
    d_->wholeNote->setText(note);
    d_->bar->setReport(*report);
    const bool closed = report->reconciliation == session::Reconciliation::Closed;
    d_->sentence->setText((closed ? QStringLiteral("✓ ") : QStringLiteral("⚠ ")) +
                          table.reconciliation());
    d_->policy->setText(table.policy());
    QVector<TimelineSpan> spans;
    const session::ScaledUnit unit = session::latencyUnit(report->wholeSeconds);
    for (const session::ProfileCall& call : report->timeline) {
        TimelineSpan span;
        span.begin = call.start / unit.scale;
        span.end = (call.start + call.duration) / unit.scale;
        span.fullName = QString::fromStdString(call.name);
        span.name = span.fullName.startsWith(QStringLiteral("fused_")) ? span.fullName.mid(6)
                                                                       : span.fullName;
        for (std::size_t r = 0; r < report->rows.size(); ++r)
            if (report->rows[r].name == call.name)
                span.id = static_cast<qint64>(r);
        spans.append(span);
    }
    d_->timeline->setAxisTitles(tr("time (%1)").arg(QString::fromStdString(unit.name)), {});
    d_->timeline->setData({tr("main")}, spans);
    d_->timelinePanel->setNote(tr("the run closest to the median, call by call"));
    followTask();
}

void ProfileView::showSearch() {
    const ProfileSnapshotPtr snapshot = d_->source->snapshot();
    d_->phaseModel->setColumns(ProfileTable::phaseColumns());
    d_->phaseTotals->setColumns(ProfileTable::phaseColumns());
    const bool known = snapshot && snapshot->search && !snapshot->search->phases.empty();
    if (!known) {
        d_->phaseModel->setRows({}, {});
        d_->phaseTotals->setRows({}, {});
        d_->searchPanel->setNote({});
        return;
    }
    const session::SearchProfile& search = *snapshot->search;
    d_->phaseModel->setRows(ProfileTable::phaseRows(search), ProfileTable::phaseIds(search));
    d_->phaseTotals->setRows(ProfileTable::phaseTotals(search), {-1});
    QString note = tr("session %1").arg(search.session);
    if (!search.note.empty())
        note += QStringLiteral(" · ") + tr("not ended: sums over its rounds");
    d_->searchPanel->setNote(note);
}

void ProfileView::followTask() {
    const session::ProfileReport* report = d_->report();
    if (!report)
        return;
    const qint64 task = d_->context.state->task();
    int row = -1;
    for (std::size_t r = 0; r < report->rows.size() && task >= 0; ++r)
        if (report->rows[r].task == task)
            row = static_cast<int>(r);
    d_->table->selectRow(row < 0 ? -1 : d_->model->rowOf(row));
    d_->timeline->selectPoint(row);
}

void ProfileView::chooseRow(int row) {
    const session::ProfileReport* report = d_->report();
    if (!report || row < 0 || row >= static_cast<int>(report->rows.size()))
        return;
    const std::int64_t task = report->rows[static_cast<std::size_t>(row)].task;
    if (task >= 0)
        d_->context.state->setTask(task);
    d_->table->selectRow(d_->model->rowOf(row));
    d_->timeline->selectPoint(row);
}

void ProfileView::openRecord(qint64 record) {
    if (record <= 0)
        return;
    d_->context.state->setRecords({record});
    d_->context.trigger(QStringLiteral("workspace.records"));
}

void ProfileView::exportTrace() {
    const session::ProfileReport* report = d_->report();
    if (!report)
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export a Chrome trace"), QStringLiteral("trace.json"), tr("JSON (*.json)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray text = ProfileSource::chromeTrace(*report);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        d_->message->showMessage(MessageBar::Error,
                                 tr("%1 cannot be written: %2").arg(path, file.errorString()));
}

void ProfileView::retranslate() {
    d_->tablePanel->setTitle(tr("Operators of the tuned model"));
    d_->matchPanel->setTitle(tr("Does the sum match?"));
    d_->timelinePanel->setTitle(tr("One run"));
    d_->searchPanel->setTitle(tr("Where the search spent its time"));
    d_->columns->setText(tr("Columns"));
    d_->exportTool->setText(tr("Export"));
    d_->phaseExport->setText(tr("Export"));
    d_->trace->setText(tr("Chrome trace"));
    d_->timelineTools->setText(tr("Plot"));
    d_->run->setText(tr("Profile now"));
    d_->run->setToolTip(tr("Compiles the open model with the best records and times it, in a "
                           "process of its own"));
    d_->cancel->setText(tr("Cancel"));
    d_->openModel->setText(tr("Open model…"));
    d_->openResults->setText(tr("Open results…"));
    d_->choice->setAccessibleName(tr("Profile"));
    d_->table->setAccessibleName(tr("Operators of the tuned model"));
    d_->phases->setAccessibleName(tr("Where the search spent its time"));
    d_->timeline->setSubject(tr("Timeline of one run"));
    d_->noPhases->setTitle(tr("No session here."));
    d_->noPhases->setText(tr("Once a session has run, its phases stand here."));
    showProfile();
    showSearch();
    showPage();
}

void ProfileView::changeEvent(QEvent* event) {
    Workspace::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        emit changed();
    }
}

Workspace* createProfileView(const ViewContext& context, QWidget* parent) {
    return new ProfileView(context, parent);
}

} // namespace tilewright::ui
