// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/bottlenecks_view.h>

#include "advice_list.h"
#include "bottleneck_panels.h"
#include "what_if_bar.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/operator_table.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

/// While a session runs the report is read again at most this often.
constexpr int kRereadMs = 2000;
constexpr int kProgressMs = 250;
constexpr int kWhatIfWidth = 1120;

} // namespace

struct BottlenecksView::Parts {
    explicit Parts(const ViewContext& given) : context(given) {}
    const ViewContext context;
    BottleneckSource* source = nullptr;
    MessageBar* message = nullptr;
    QStackedWidget* pages = nullptr;
    EmptyState* empty = nullptr;
    QWidget* page = nullptr;
    StatStrip* stats = nullptr;
    WhatIfBar* whatIf = nullptr;
    Panel* paretoPanel = nullptr;
    ParetoPlot* pareto = nullptr;
    Panel* roofPanel = nullptr;
    RooflinePlot* roofline = nullptr;
    EmptyState* noPeaks = nullptr;
    Panel* tablePanel = nullptr;
    TableView* table = nullptr;
    CellTableModel* model = nullptr;
    CellTableModel* totals = nullptr;
    Panel* advicePanel = nullptr;
    AdviceList* advice = nullptr;
    EmptyState* noAdvice = nullptr;
    QStackedWidget* advicePages = nullptr;
    QToolButton* columns = nullptr;
    QToolButton* exportTool = nullptr;
    QToolButton* paretoTools = nullptr;
    QToolButton* roofTools = nullptr;
    QToolButton* arrows = nullptr;
    QToolButton* measureTool = nullptr;
    QAction* measure = nullptr;
    QAction* theoretical = nullptr;
    QAction* cancelMeasure = nullptr;
    QAction* tune = nullptr;
    QAction* openResults = nullptr;
    QTimer reread;
    QTimer progress;
    bool useTheoretical = false;
    bool open = false;
    bool stale = true;
    bool prepared = false;
};

BottlenecksView::BottlenecksView(const ViewContext& context, QWidget* parent)
    : Workspace(parent), d_(std::make_unique<Parts>(context)) {
    setObjectName(QStringLiteral("bottlenecksView"));
    build();
    connectParts();
    retranslate();
    showPage();
}

BottlenecksView::~BottlenecksView() = default;

QString BottlenecksView::title() const {
    return tr("Bottlenecks");
}

QString BottlenecksView::iconName() const {
    return QStringLiteral("bottlenecks");
}

QString BottlenecksView::helpPage() const {
    return QStringLiteral("bottlenecks");
}

QList<QAction*> BottlenecksView::actions() const {
    return {d_->measure, d_->theoretical};
}

void BottlenecksView::build() {
    d_->source = new BottleneckSource(this);
    d_->message = new MessageBar(this);
    d_->pages = new QStackedWidget(this);
    d_->empty = new EmptyState(this);
    d_->empty->setObjectName(QStringLiteral("bottlenecksEmpty"));
    d_->page = new QWidget(this);
    d_->pages->addWidget(d_->empty);
    d_->pages->addWidget(d_->page);
    for (QAction** action :
         {&d_->measure, &d_->theoretical, &d_->cancelMeasure, &d_->tune, &d_->openResults})
        *action = new QAction(this);
    d_->measure->setObjectName(QStringLiteral("bottlenecks.measurePeaks"));
    d_->theoretical->setObjectName(QStringLiteral("bottlenecks.theoretical"));
    d_->reread.setSingleShot(true);
    d_->reread.setInterval(kRereadMs);
    d_->progress.setInterval(kProgressMs);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(8, 8, 8, 8);
    outer->setSpacing(8);
    outer->addWidget(d_->message);
    outer->addWidget(d_->pages, 1);
    buildPanels();
}

void BottlenecksView::buildPanels() {
    d_->stats = new StatStrip(d_->page);
    d_->stats->setObjectName(QStringLiteral("bottleneckStats"));
    d_->whatIf = new WhatIfBar(d_->source, d_->page);
    d_->whatIf->setMaximumWidth(420);
    d_->pareto = new ParetoPlot(d_->page);
    d_->pareto->setObjectName(QStringLiteral("pareto"));
    d_->paretoPanel = new Panel({}, d_->page);
    d_->paretoPanel->setContent(d_->pareto);
    d_->paretoPanel->setContentMargin(0);
    d_->roofline = new RooflinePlot(d_->page);
    d_->roofline->setObjectName(QStringLiteral("roofline"));
    d_->noPeaks = new EmptyState(d_->page);
    d_->noPeaks->setObjectName(QStringLiteral("noPeaks"));
    auto* roof = new QWidget(d_->page);
    auto* roofLayout = new QVBoxLayout(roof);
    roofLayout->setContentsMargins(0, 0, 0, 0);
    roofLayout->setSpacing(0);
    roofLayout->addWidget(d_->roofline, 1);
    roofLayout->addWidget(d_->noPeaks);
    d_->roofPanel = new Panel({}, d_->page);
    d_->roofPanel->setContent(roof);
    d_->roofPanel->setContentMargin(0);
    d_->model = new CellTableModel(this);
    d_->totals = new CellTableModel(this);
    d_->table = new TableView(d_->page);
    d_->table->setObjectName(QStringLiteral("operatorTable"));
    d_->tablePanel = new Panel({}, d_->page);
    d_->tablePanel->setContent(d_->table);
    d_->tablePanel->setContentMargin(0);
    d_->advice = new AdviceList(d_->page);
    d_->noAdvice = new EmptyState(d_->page);
    d_->advicePages = new QStackedWidget(d_->page);
    d_->advicePages->addWidget(d_->advice);
    d_->advicePages->addWidget(d_->noAdvice);
    d_->advicePanel = new Panel({}, d_->page);
    d_->advicePanel->setContent(d_->advicePages);
    d_->advicePanel->setContentMargin(0);

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(d_->stats, 1);
    head->addWidget(d_->whatIf);
    auto* top = new QSplitter(Qt::Horizontal, d_->page);
    top->addWidget(d_->paretoPanel);
    top->addWidget(d_->roofPanel);
    top->setSizes({420, 580});
    auto* bottom = new QSplitter(Qt::Horizontal, d_->page);
    bottom->addWidget(d_->tablePanel);
    bottom->addWidget(d_->advicePanel);
    bottom->setStretchFactor(0, 1);
    d_->advicePanel->setMinimumWidth(280);
    bottom->setSizes({770, 230});
    auto* rows = new QSplitter(Qt::Vertical, d_->page);
    rows->addWidget(top);
    rows->addWidget(bottom);
    rows->setSizes({520, 480});
    for (QSplitter* splitter : {top, bottom, rows}) {
        splitter->setHandleWidth(8);
        splitter->setChildrenCollapsible(false);
    }
    auto* layout = new QVBoxLayout(d_->page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(rows, 1);
}

void BottlenecksView::connectParts() {
    AppState* state = d_->context.state;
    d_->table->setModel(d_->model);
    d_->table->setFooterModel(d_->totals);
    const auto menuTool = [](Panel* panel, QMenu* menu) {
        QToolButton* tool = panel->addTool(QString());
        tool->setMenu(menu);
        tool->setPopupMode(QToolButton::InstantPopup);
        return tool;
    };
    d_->columns = menuTool(d_->tablePanel, d_->table->columnsMenu());
    d_->exportTool = menuTool(d_->tablePanel, d_->table->exportMenu());
    d_->paretoTools = menuTool(d_->paretoPanel, d_->pareto->toolsMenu());
    d_->arrows = d_->roofPanel->addTool(QString());
    d_->arrows->setObjectName(QStringLiteral("rooflineArrows"));
    d_->arrows->setCheckable(true);
    d_->arrows->setChecked(true);
    d_->measureTool = d_->roofPanel->addTool(d_->measure);
    d_->roofTools = menuTool(d_->roofPanel, d_->roofline->toolsMenu());

    const auto readSoon = [this] {
        d_->stale = true;
        read();
    };
    connect(state, &AppState::workDirChanged, this, [this, readSoon] {
        d_->source->close();
        readSoon();
        showPage();
    });
    connect(state, &AppState::sessionChanged, this, readSoon);
    connect(state, &AppState::targetChanged, this, readSoon);
    connect(state, &AppState::statisticChanged, this, readSoon);
    connect(state, &AppState::filterChanged, this, readSoon);
    connect(state, &AppState::taskChanged, this, [this] { followTask(); });
    connect(d_->context.live, &LiveSession::snapshotChanged, this, [this] {
        d_->stale = true;
        if (d_->open && !d_->reread.isActive())
            d_->reread.start();
    });
    connect(&d_->reread, &QTimer::timeout, this, [this] { read(); });
    connect(d_->source, &BottleneckSource::ready, this, &BottlenecksView::showReport);
    connect(d_->source, &BottleneckSource::failed, this, [this](const QString& message) {
        if (d_->source->report())
            d_->message->showMessage(MessageBar::Error, message);
        showPage();
    });
    connect(d_->source, &BottleneckSource::peaksStarted, this, [this] {
        d_->progress.start();
        showPeaks();
    });
    connect(&d_->progress, &QTimer::timeout, this, [this] { showPeaks(); });
    connect(d_->source, &BottleneckSource::peaksMeasured, this, [this, readSoon] {
        d_->progress.stop();
        readSoon();
    });
    connect(d_->source, &BottleneckSource::peaksFailed, this, [this](const QString& message) {
        d_->progress.stop();
        if (!message.isEmpty())
            d_->message->showMessage(MessageBar::Error,
                                     tr("The peaks could not be measured: %1").arg(message));
        showPeaks();
    });
    connect(d_->measure, &QAction::triggered, d_->source, &BottleneckSource::measurePeaks);
    connect(d_->cancelMeasure, &QAction::triggered, d_->source, &BottleneckSource::cancelPeaks);
    connect(d_->theoretical, &QAction::triggered, this, [this, readSoon] {
        d_->useTheoretical = true;
        readSoon();
    });
    connect(d_->tune, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("session.new")); });
    connect(d_->openResults, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("file.openResults")); });
    connect(d_->arrows, &QToolButton::toggled, this, [this] {
        if (d_->source->report())
            showReport();
    });
    connect(d_->table, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            chooseTask(d_->model->idAt(index.row()));
    });
    connect(d_->table, &TableView::linkActivated, this, [this](const QModelIndex& index) {
        openRecord(index.siblingAtColumn(OperatorTable::RecordColumn).data(SortRole).toLongLong());
    });
    connect(d_->table, &TableView::activated, this, [this](const QModelIndex& index) {
        openRecord(index.siblingAtColumn(OperatorTable::RecordColumn).data(SortRole).toLongLong());
    });
    for (PlotView* plot :
         {static_cast<PlotView*>(d_->pareto), static_cast<PlotView*>(d_->roofline)})
        connect(plot, &PlotView::pointSelected, this, [this](qint64 id) { chooseTask(id); });
    connect(d_->advice, &AdviceList::taskChosen, this, &BottlenecksView::chooseTask);
    connect(d_->advice, &AdviceList::recordChosen, this, &BottlenecksView::openRecord);
}

void BottlenecksView::opened() {
    d_->open = true;
    read();
}

void BottlenecksView::closed() {
    d_->open = false;
    d_->reread.stop();
}

void BottlenecksView::read() {
    if (!d_->stale || (!d_->open && isHidden()))
        return;
    d_->stale = false;
    const AppState* state = d_->context.state;
    if (state->workDir().isEmpty()) {
        showPage();
        return;
    }
    d_->source->read(state->workDir(), state->session(), state->target(), state->filter(),
                     state->statistic(), d_->useTheoretical);
    showPage();
}

void BottlenecksView::showPage() {
    const BottleneckReportPtr report = d_->source->report();
    const bool known = report && report->totals.seconds;
    d_->pages->setCurrentWidget(known ? d_->page : static_cast<QWidget*>(d_->empty));
    if (known)
        return;
    d_->empty->setIconName(QStringLiteral("bottlenecks"));
    d_->empty->setActions({d_->tune, d_->openResults});
    if (!d_->source->problem().isEmpty()) {
        d_->empty->setTitle(tr("These results cannot be read."));
        d_->empty->setText(d_->source->problem());
    } else if (report) {
        qint64 failed = 0;
        for (const session::OperatorRow& row : report->rows)
            failed += row.failed;
        d_->empty->setTitle(tr("No operator has a latency yet."));
        d_->empty->setText(tr("%n task(s), none with a valid trial or a measured default; %1 "
                              "trials failed.",
                              nullptr, static_cast<int>(report->rows.size()))
                               .arg(groupedCount(failed)));
    } else if (d_->source->busy()) {
        d_->empty->setTitle(tr("Reading the results…"));
        d_->empty->setText({});
        d_->empty->setActions({});
    } else {
        d_->empty->setTitle(tr("No results open."));
        d_->empty->setText(tr("Tune a model, or open a work directory: this page then shows where "
                              "its time goes and what is left to gain."));
    }
}

void BottlenecksView::showReport() {
    const BottleneckReportPtr report = d_->source->report();
    d_->message->clear();
    const OperatorTable table(*report);
    const BottleneckShapes shapes(*report);
    d_->model->setColumns(table.columns());
    d_->totals->setColumns(table.columns());
    d_->model->setRows(table.rows(), table.ids());
    d_->totals->setRows(table.totals(), {-1});
    if (!d_->prepared) {
        d_->prepared = true;
        d_->table->setHiddenByDefault({OperatorTable::DefaultColumn, OperatorTable::NodesColumn,
                                       OperatorTable::TrialsColumn, OperatorTable::CurveColumn,
                                       OperatorTable::RecordColumn});
        const QPair<int, int> widths[] = {
            {OperatorTable::NameColumn, 170},     {OperatorTable::ShapeColumn, 122},
            {OperatorTable::CountColumn, 30},     {OperatorTable::LatencyColumn, 84},
            {OperatorTable::ErrorColumn, 56},     {OperatorTable::TotalColumn, 70},
            {OperatorTable::ShareColumn, 74},     {OperatorTable::BoundColumn, 76},
            {OperatorTable::RateColumn, 98},      {OperatorTable::RoofColumn, 76},
            {OperatorTable::HeadroomColumn, 118}, {OperatorTable::SpeedUpColumn, 72}};
        for (const auto& [column, width] : widths)
            d_->table->setColumnWidth(column, width);
        d_->table->setDefaultSort(report->peaks.known() ? OperatorTable::HeadroomColumn
                                                        : OperatorTable::ShareColumn,
                                  Qt::DescendingOrder);
        d_->table->setSettingsKey(QStringLiteral("operators"), d_->context.settings);
    }
    d_->stats->setStats(shapes.stats());
    d_->pareto->setAxisTitles(QString(), tr("weighted latency (%1)").arg(shapes.paretoUnit()));
    d_->pareto->setBars(shapes.bars(), shapes.paretoNote());
    d_->roofline->setData(shapes.roofs(), shapes.dots(d_->arrows->isChecked()));
    d_->roofPanel->setNote(shapes.roofNote());
    d_->roofPanel->setToolTip(QString::fromStdString(report->peaks.note));
    const QString statistic = statisticWord(report->statistic);
    const auto shown = static_cast<int>(report->rows.size());
    QString note = report->peaks.known() ? tr("sorted by where the next hour pays most")
                                         : tr("sorted by share of time");
    if (shown < report->tasksTotal)
        note = tr("%1 of %2 match the filter")
                   .arg(groupedCount(shown), groupedCount(report->tasksTotal));
    d_->tablePanel->setNote(QStringLiteral("%1 · %2").arg(note, statistic));
    d_->advice->setReport(report);
    d_->advicePages->setCurrentIndex(report->advice.empty() ? 1 : 0);
    d_->advicePanel->setNote(
        tr("%n finding(s), by possible gain", nullptr, static_cast<int>(report->advice.size())));
    showPeaks();
    showPage();
    followTask();
}

void BottlenecksView::showPeaks() {
    const BottleneckReportPtr report = d_->source->report();
    const bool measuring = d_->source->isMeasuringPeaks();
    d_->noPeaks->setIconName({});
    const bool none = report && !report->peaks.known();
    d_->measure->setEnabled(!measuring);
    d_->theoretical->setEnabled(!measuring && none);
    d_->measureTool->setVisible(!none && !measuring);
    d_->noPeaks->setVisible(measuring || none);
    if (!measuring && !none)
        return;
    if (measuring) {
        d_->noPeaks->setTitle(tr("Measuring the peaks of this machine…"));
        d_->noPeaks->setText(tr("Arithmetic and every memory level, about %n second(s) in a "
                                "process of its own.",
                                nullptr, BottleneckSource::kPeakSeconds));
        d_->noPeaks->setActions({d_->cancelMeasure});
        d_->noPeaks->setProgress(static_cast<int>(d_->source->peaksProgress() * 100), 100);
        return;
    }
    d_->noPeaks->setProgress(-1, 0);
    d_->noPeaks->setTitle(tr("Peaks of this device not measured."));
    d_->noPeaks->setText(tr("“% of roof” and headroom show “—” until they are. The dots are right; "
                            "only the lines are missing."));
    d_->noPeaks->setActions({d_->measure, d_->theoretical});
}

void BottlenecksView::followTask() {
    const qint64 task = d_->context.state->task();
    d_->table->selectRow(d_->model->rowOf(task));
    d_->pareto->selectPoint(task);
    d_->roofline->selectPoint(task);
    d_->advice->markTask(task);
    d_->whatIf->setTask(task);
}

void BottlenecksView::chooseTask(qint64 task) {
    if (task < 0 || d_->model->rowOf(task) < 0)
        return;
    d_->context.state->setTask(task);
    followTask();
}

void BottlenecksView::openRecord(qint64 record) {
    if (record <= 0)
        return;
    d_->context.state->setRecords({record});
    d_->context.trigger(QStringLiteral("workspace.records"));
}

void BottlenecksView::retranslate() {
    d_->paretoPanel->setTitle(tr("Where the time goes"));
    d_->roofPanel->setTitle(tr("Roofline"));
    d_->tablePanel->setTitle(tr("Operators"));
    d_->advicePanel->setTitle(tr("Advice"));
    d_->columns->setText(tr("Columns"));
    d_->exportTool->setText(tr("Export"));
    d_->paretoTools->setText(tr("Plot"));
    d_->roofTools->setText(tr("Plot"));
    d_->arrows->setText(tr("Before → after"));
    d_->arrows->setToolTip(tr("Arrows from the default schedule to the best"));
    d_->measure->setText(tr("Measure now (%1 s)").arg(BottleneckSource::kPeakSeconds));
    d_->measure->setToolTip(tr("Measures what this machine reaches: multiply-adds and every memory "
                               "level"));
    d_->theoretical->setText(tr("Use theoretical"));
    d_->theoretical->setToolTip(tr("Works the roofs out from clock, vectors and cores"));
    d_->cancelMeasure->setText(tr("Cancel"));
    d_->tune->setText(tr("New session…"));
    d_->openResults->setText(tr("Open results…"));
    d_->noAdvice->setTitle(tr("Nothing to say."));
    d_->noAdvice->setText(tr("No rule finds anything in the best schedules of this session."));
    d_->roofline->setAxisTitles(tr("FLOP / byte (compulsory tensor traffic)"), tr("GFLOPS"));
    d_->roofline->setSubject(tr("Roofline"));
    d_->pareto->setSubject(tr("Where the time goes"));
    d_->table->setAccessibleName(tr("Operators"));
    if (d_->source->report())
        showReport();
    showPage();
}

void BottlenecksView::resizeEvent(QResizeEvent* event) {
    Workspace::resizeEvent(event);
    // The four numbers come first where there is no room for both.
    d_->whatIf->setVisible(width() >= kWhatIfWidth);
}

void BottlenecksView::changeEvent(QEvent* event) {
    Workspace::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        emit changed();
    }
}

Workspace* createBottlenecksView(const ViewContext& context, QWidget* parent) {
    return new BottlenecksView(context, parent);
}

} // namespace tilewright::ui
