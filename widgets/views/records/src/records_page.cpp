// SPDX-License-Identifier: GPL-3.0-or-later
#include "records_page.h"

#include "record_marks.h"
#include "state_row.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/record_table_model.h>
#include <tilewright/ui/records_view.h>
#include <tilewright/ui/table_view.h>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

namespace tilewright::ui {

RecordsPage::RecordsPage(const ViewContext& context, QWidget* parent)
    : Workspace(parent), context_(context), source_(new RecordSource(this)),
      measurer_(new InspectorSource(this)),
      marks_(new RecordMarks(source_, context.state, context.undo, this)),
      model_(new RecordTableModel(this)), states_(new StateRow), bar_(new MessageBar),
      splitter_(new QSplitter(Qt::Vertical)), plotPanel_(new Panel), tablePanel_(new Panel),
      plot_(new CurvePlot), table_(new TableView), empty_(new EmptyState),
      statistic_(new QComboBox), clearFilterAction_(new QAction(this)),
      removeChipAction_(new QAction(this)), showFailedAction_(new QAction(this)),
      startAction_(new QAction(this)) {
    setObjectName(QStringLiteral("records"));
    build();
    buildActions();
    buildEmptyStates();
    connectSource();
    connectState();
    retranslate();
}

void RecordsPage::build() {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(12, 8, 12, 12);
    page->setSpacing(8);
    page->addWidget(states_);
    page->addWidget(bar_);
    splitter_->setObjectName(QStringLiteral("recordsSplitter"));
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(8);
    plotPanel_->setObjectName(QStringLiteral("recordPlotPanel"));
    plot_->setObjectName(QStringLiteral("recordPlot"));
    plot_->setSettingsKey(QStringLiteral("records"), context_.settings);
    plot_->setMinimumHeight(150);
    plotPanel_->setContent(plot_);
    tablePanel_->setObjectName(QStringLiteral("recordTablePanel"));
    table_->setObjectName(QStringLiteral("recordTable"));
    table_->setModelSorts(true);
    table_->setModel(model_);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEmptyWidget(empty_);
    table_->setHiddenByDefault({RecordTableModel::IdColumn, RecordTableModel::TrialColumn});
    table_->setDefaultSort(RecordTableModel::LatencyColumn, Qt::AscendingOrder);
    table_->setColumnWidth(RecordTableModel::LatencyColumn, 104);
    table_->setColumnWidth(RecordTableModel::TaskColumn, 168);
    table_->setColumnWidth(RecordTableModel::TagsColumn, 150);
    table_->setSettingsKey(QStringLiteral("records"), context_.settings);
    statistic_->setObjectName(QStringLiteral("statistic"));
    for (int i = 0; i < 4; ++i)
        statistic_->addItem({});
    statistic_->setCurrentIndex(static_cast<int>(context_.state->statistic()));
    tablePanel_->setContent(table_);
    splitter_->addWidget(plotPanel_);
    splitter_->addWidget(tablePanel_);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 3);
    splitter_->setSizes({220, 520});
    page->addWidget(splitter_, 1);

    auto* log = plotPanel_->addTool(QString());
    log->setObjectName(QStringLiteral("plotTools"));
    log->setIcon(themedIcon(QStringLiteral("more")));
    log->setPopupMode(QToolButton::InstantPopup);
    log->setMenu(plot_->toolsMenu());
    log->setToolTip(tr("Plot tools"));
    log->setAccessibleName(tr("Plot tools"));
    compareTool_ = tablePanel_->addTool(QString(), QStringLiteral("compare"));
    columnsTool_ = tablePanel_->addTool(QString(), QStringLiteral("columns"));
    columnsTool_->setMenu(table_->columnsMenu());
    columnsTool_->setPopupMode(QToolButton::InstantPopup);
    tablePanel_->addTool(statistic_);
    exportTool_ = tablePanel_->addTool(QString(), QStringLiteral("export"));
    exportTool_->setMenu(table_->exportMenu());
    exportTool_->setPopupMode(QToolButton::InstantPopup);
    connect(compareTool_, &QToolButton::clicked, this, &RecordsPage::compareSelected);
}

QAction* RecordsPage::addAction(const char* id, const QKeySequence& key,
                                void (RecordsPage::*slot)()) {
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(id));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    table_->addAction(action);
    actions_ << action;
    byId_.insert(QLatin1String(id), action);
    return action;
}

void RecordsPage::buildActions() {
    addAction("records.open", {}, &RecordsPage::open);
    addAction("records.star", QKeySequence(Qt::Key_Space), &RecordsPage::star);
    addAction("records.pin", QKeySequence(Qt::Key_B), &RecordsPage::pin);
    addAction("records.compare", {}, &RecordsPage::compareSelected);
    addAction("records.remeasure", QKeySequence(Qt::Key_R), &RecordsPage::measureAgain);
    addAction("records.verify", QKeySequence(Qt::Key_V), &RecordsPage::measureAgain);
    addAction("records.tag", QKeySequence(Qt::Key_T), &RecordsPage::tag);
    addAction("records.note", QKeySequence(Qt::Key_N), &RecordsPage::note);
    addAction("records.copyId", {}, &RecordsPage::copyIds);
    addAction("edit.delete", QKeySequence(Qt::Key_Delete), &RecordsPage::remove);
    connect(table_, &TableView::activated, this, &RecordsPage::open);
    connect(table_, &TableView::contextMenuFor, this, &RecordsPage::fillMenu);
    connect(table_, &TableView::selectionChanged, this, &RecordsPage::tableSelected);
    connect(table_, &TableView::failed, this,
            [this](const QString& message) { bar_->showMessage(MessageBar::Error, message); });
}

void RecordsPage::buildEmptyStates() {
    empty_->setObjectName(QStringLiteral("recordsEmpty"));
    connect(clearFilterAction_, &QAction::triggered, this, &RecordsPage::clearFilter);
    connect(removeChipAction_, &QAction::triggered, this, &RecordsPage::removeLastChip);
    connect(showFailedAction_, &QAction::triggered, this, &RecordsPage::showFailed);
    connect(startAction_, &QAction::triggered, this,
            [this] { context_.trigger(QStringLiteral("file.openResults")); });
}

void RecordsPage::connectSource() {
    connect(source_, &RecordSource::resultChanged, this, &RecordsPage::showResult);
    connect(source_, &RecordSource::failed, this, [this](const QString& message) {
        bar_->showMessage(MessageBar::Error, message, tr("Retry"));
        barAction_ = BarAction::None;
        showEmpty();
    });
    connect(source_, &RecordSource::filterProblem, this, &RecordsPage::showFilterProblem);
    connect(source_, &RecordSource::filterAccepted, this, [this] {
        if (barIsFilter_)
            bar_->clear();
        barIsFilter_ = false;
    });
    connect(source_, &RecordSource::loadProgress, this, [this](qint64 done, qint64 total) {
        if (total > 0 && model_->rowCount() == 0)
            empty_->setProgress(static_cast<int>(done / 1000), static_cast<int>(total / 1000));
    });
    connect(source_, &RecordSource::editFailed, this, [this](const QString& message) {
        bar_->showMessage(MessageBar::Error, message);
        context_.problem(2, QStringLiteral("TW-E0401"), message);
    });
    connect(marks_, &RecordMarks::done, this, [this](const QString& sentence) {
        bar_->showMessage(MessageBar::Info, sentence, tr("Undo"));
        barAction_ = BarAction::Undo;
        constexpr int toast = 10000;
        QTimer::singleShot(toast, bar_, [bar = bar_, sentence] {
            if (bar->text() == sentence)
                bar->clear();
        });
    });
    connect(bar_, &MessageBar::actionTriggered, this, [this] {
        const BarAction action = std::exchange(barAction_, BarAction::None);
        bar_->clear();
        if (action == BarAction::Undo && context_.undo)
            context_.undo->undo();
        else if (action == BarAction::ClearFilter)
            clearFilter();
        else if (action == BarAction::Cancel)
            measurer_->cancelMeasure();
        else
            source_->open(context_.state->workDir());
    });
    connect(measurer_, &InspectorSource::measureStarted, this, [this] {
        bar_->showMessage(MessageBar::Info,
                          tr("Measuring record %1 again…").arg(measurer_->record()), tr("Cancel"));
        barAction_ = BarAction::Cancel;
    });
    connect(
        measurer_, &InspectorSource::measured, this, [this](qint64 record, const QString& summary) {
            bar_->showMessage(MessageBar::Info,
                              tr("Measured again as record %1: %2. The old measurement is kept.")
                                  .arg(record)
                                  .arg(summary));
            source_->refresh();
            context_.state->setRecords({record});
        });
    connect(measurer_, &InspectorSource::measureFailed, this,
            [this](const QString& message) { bar_->showMessage(MessageBar::Error, message); });
    connect(model_, &RecordTableModel::sortRequested, source_, &RecordSource::setSort);
    connect(states_, &StateRow::statusesChosen, source_, &RecordSource::setStatuses);
    connect(states_, &StateRow::filterChosen, context_.state, &AppState::setFilter);
    connect(plot_, &PlotView::pointSelected, this,
            [this](qint64 id) { context_.state->setRecords({id}); });
    connect(plot_, &PlotView::pointActivated, this, [this](qint64 id) {
        context_.state->setRecords({id});
        open();
    });
}

void RecordsPage::connectState() {
    AppState* state = context_.state;
    connect(state, &AppState::workDirChanged, this, [this](const QString& workDir) {
        bar_->clear();
        if (open_)
            source_->open(workDir);
    });
    connect(state, &AppState::filterChanged, this, [this](const QString& filter) {
        states_->setFilter(filter);
        source_->setFilter(filter);
    });
    connect(state, &AppState::baselinesChanged, this, &RecordsPage::applyBaseline);
    connect(state, &AppState::recordsChanged, this, &RecordsPage::selectFromState);
    connect(state, &AppState::statisticChanged, this, [this](Statistic statistic) {
        statistic_->setCurrentIndex(static_cast<int>(statistic));
        source_->setStatistic(statistic);
    });
    connect(statistic_, &QComboBox::activated, this,
            [this](int index) { context_.state->setStatistic(static_cast<Statistic>(index)); });
    connect(context_.live, &LiveSession::snapshotChanged, this, [this] {
        if (open_)
            source_->refresh();
    });
    connect(context_.live, &LiveSession::stateChanged, this, [this] {
        if (open_)
            source_->refresh();
    });
    states_->setFilter(state->filter());
    source_->setFilter(state->filter());
    source_->setStatistic(state->statistic());
    applyBaseline();
}

QString RecordsPage::title() const {
    return tr("Records");
}

void RecordsPage::opened() {
    open_ = true;
    if (source_->workDir() != context_.state->workDir())
        source_->open(context_.state->workDir());
    else
        source_->refresh();
    showEmpty();
}

void RecordsPage::closed() {
    open_ = false;
}

void RecordsPage::applyBaseline() {
    const QVector<Baseline> baselines = context_.state->baselines();
    source_->setBaseline(baselines.isEmpty() ? nullptr : &baselines.first());
}

void RecordsPage::showResult() {
    const RecordResultPtr result = source_->result();
    selecting_ = true;
    model_->setResult(result);
    selecting_ = false;
    states_->setResult(result);
    showPlot();
    showEmpty();
    selectFromState();
}

void RecordsPage::showPlot() {
    const RecordResultPtr result = source_->result();
    CurveData data;
    if (!result) {
        plot_->setData(data);
        return;
    }
    const session::ScaledUnit unit =
        session::latencyUnit(result->curve.median > 0 ? result->curve.median : 1e-6);
    for (const auto& point : result->curve.points)
        data.trials.append({point.x, point.seconds / unit.scale, point.id});
    for (const auto& point : result->curve.best)
        data.best.append({point.x, point.seconds / unit.scale, point.id});
    QHash<int, int> kinds;
    for (const auto& failure : result->curve.failures) {
        const int status = static_cast<int>(failure.status);
        if (!kinds.contains(status)) {
            kinds.insert(status, static_cast<int>(data.kinds.size()));
            const bool wrong = failure.status == database::RecordStatus::WrongResult;
            data.kinds.append({failureWord(failure.status), failureGlyph(failure.status),
                               wrong ? Tone::Error : Tone::Normal});
        }
        data.failures.append({failure.x, kinds.value(status), failure.id});
    }
    const auto& baselines = result->choice.baselineSeconds;
    if (baselines.size() == 1 && !context_.state->baselines().isEmpty()) {
        const double y = baselines.begin()->second / unit.scale;
        data.references.append({y,
                                tr("%1 %2").arg(context_.state->baselines().first().label,
                                                latencyText(baselines.begin()->second, unit)),
                                Tone::Secondary});
    }
    if (!result->curve.best.empty())
        data.bestLabel = tr("best %1").arg(latencyText(result->curve.best.back().seconds, unit));
    data.xTitle = tr("matching records, by number");
    plot_->setSubject(tr("Latency of matching records"));
    plot_->setAxisTitles(tr("matching records, by number"),
                         tr("latency (%1)").arg(QString::fromStdString(unit.name)));
    plot_->setData(data);
    plotPanel_->setNote(result->curve.thinned > 1
                            ? tr("every %1th of %2")
                                  .arg(result->curve.thinned)
                                  .arg(groupedCount(result->selection.matched))
                            : QString());
}

void RecordsPage::showEmpty() {
    const RecordResultPtr result = source_->result();
    const bool nothing = !result || result->index->total() == 0;
    splitter_->widget(0)->setVisible(!nothing);
    empty_->setProgress(-1, 0);
    empty_->setIconName(QStringLiteral("records"));
    if (context_.state->workDir().isEmpty()) {
        empty_->setTitle(tr("No results open"));
        empty_->setText(tr("Open a work directory or a .twdb file, or start a session."));
        empty_->setActions({startAction_});
    } else if (!source_->problem().isEmpty()) {
        empty_->setTitle(tr("These records cannot be read"));
        empty_->setText(source_->problem());
        empty_->setActions({});
    } else if (!result) {
        empty_->setTitle(tr("Reading records…"));
        empty_->setText({});
        empty_->setActions({});
    } else if (result->index->total() == 0) {
        empty_->setTitle(tr("No records yet"));
        empty_->setText(tr("A session writes each trial here as soon as it is measured."));
        empty_->setActions({});
    } else if (result->selection.matched == 0) {
        empty_->setTitle(tr("0 of %1 match").arg(groupedCount(result->selection.total)));
        empty_->setText(QString::fromStdString(result->choice.filter));
        empty_->setActions({clearFilterAction_, removeChipAction_});
    } else {
        empty_->setTitle(
            tr("%1 match, all hidden by their state").arg(groupedCount(result->selection.matched)));
        empty_->setText(tr("The states above are toggles; failed trials are hidden at first."));
        empty_->setActions({showFailedAction_, clearFilterAction_});
    }
}

void RecordsPage::showFilterProblem(const QString& message, int offset, int length) {
    const QString filter = context_.state->filter();
    const QString part = filter.mid(offset, length);
    bar_->showMessage(MessageBar::Warning,
                      part.isEmpty()
                          ? tr("Filter, place %1: %2").arg(offset + 1).arg(message)
                          : tr("Filter, place %1, “%2”: %3").arg(offset + 1).arg(part, message),
                      tr("Clear filter"));
    barIsFilter_ = true;
    barAction_ = BarAction::ClearFilter;
}

QVector<qint64> RecordsPage::selectedIds() const {
    QVector<qint64> ids;
    for (const QModelIndex& index : table_->selectedRows())
        ids << model_->idAt(index.row());
    return ids;
}

void RecordsPage::tableSelected() {
    if (selecting_)
        return;
    selecting_ = true;
    const QVector<qint64> ids = selectedIds();
    constexpr int most = 200; // a selection of everything is for copying, not for looking at
    if (ids.size() <= most)
        context_.state->setRecords(ids);
    plot_->selectPoint(ids.isEmpty() ? -1 : ids.first());
    compareTool_->setEnabled(ids.size() >= 2);
    selecting_ = false;
}

void RecordsPage::selectFromState() {
    if (selecting_)
        return;
    const QVector<qint64> ids = context_.state->records();
    plot_->selectPoint(ids.isEmpty() ? -1 : ids.first());
    if (!source_->result() || ids == selectedIds())
        return;
    QList<int> rows;
    for (const qint64 id : ids)
        if (const int row = model_->rowOf(id); row >= 0)
            rows << row;
    selecting_ = true;
    table_->selectRows(rows);
    selecting_ = false;
    compareTool_->setEnabled(rows.size() >= 2);
    if (rows.isEmpty() && ids.size() == 1 && source_->result()->index->complete() && open_) {
        const bool there = source_->result()->index->rowOf(ids.first()).has_value();
        bar_->showMessage(MessageBar::Info,
                          there ? tr("Record %1 is hidden by the filter or its state.")
                                      .arg(groupedCount(ids.first()))
                                : tr("There is no record %1.").arg(groupedCount(ids.first())),
                          there && !context_.state->filter().isEmpty() ? tr("Clear filter")
                                                                       : QString());
        barAction_ = BarAction::ClearFilter;
    }
}

void RecordsPage::fillMenu(const QModelIndex& index, QMenu* menu) {
    if (!index.isValid())
        return;
    const qint64 id = model_->idAt(index.row());
    byId_[QStringLiteral("records.pin")]->setText(marks_->isPinned(id) ? tr("Unpin baseline")
                                                                       : tr("Pin as baseline"));
    for (const char* name : {"records.open", "records.compare", "records.pin", "",
                             "records.remeasure", "records.verify", "", "records.star",
                             "records.tag", "records.note", "", "records.copyId", "edit.delete"}) {
        if (*name)
            menu->addAction(byId_[QLatin1String(name)]);
        else
            menu->addSeparator();
    }
    byId_[QStringLiteral("records.compare")]->setEnabled(selectedIds().size() >= 2 ||
                                                         !context_.state->baselines().isEmpty());
}

void RecordsPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    Workspace::changeEvent(event);
}

void RecordsPage::retranslate() {
    setAccessibleName(tr("Records"));
    plotPanel_->setTitle(tr("Latency of matching records"));
    tablePanel_->setTitle(tr("Records"));
    plot_->setAccessibleName(tr("Latency of matching records"));
    table_->setAccessibleName(tr("Records"));
    compareTool_->setText(tr("Compare selected"));
    columnsTool_->setText(tr("Columns"));
    exportTool_->setText(tr("Export"));
    statistic_->setAccessibleName(tr("Statistic"));
    statistic_->setToolTip(tr("Which number stands for the samples of a measurement, in every "
                              "table of the window"));
    const QStringList statistics{tr("Median"), tr("Minimum"), tr("Mean"), tr("p95")};
    for (int i = 0; i < statistics.size(); ++i)
        statistic_->setItemText(i, statistics[i]);
    clearFilterAction_->setText(tr("Clear filter"));
    removeChipAction_->setText(tr("Remove last chip"));
    showFailedAction_->setText(tr("Show all states"));
    startAction_->setText(tr("Open results…"));
    const QHash<QString, QString> texts{
        {QStringLiteral("records.open"), tr("Open in Inspector")},
        {QStringLiteral("records.star"), tr("Star")},
        {QStringLiteral("records.pin"), tr("Pin as baseline")},
        {QStringLiteral("records.compare"), tr("Compare")},
        {QStringLiteral("records.remeasure"), tr("Measure again")},
        {QStringLiteral("records.verify"), tr("Verify against the reference")},
        {QStringLiteral("records.tag"), tr("Tag…")},
        {QStringLiteral("records.note"), tr("Note…")},
        {QStringLiteral("records.copyId"), tr("Copy number")},
        {QStringLiteral("edit.delete"), tr("Delete (can be undone)")}};
    for (auto it = texts.cbegin(); it != texts.cend(); ++it)
        byId_[it.key()]->setText(it.value());
    showEmpty();
    if (source_->result())
        showPlot();
}

Workspace* createRecordsView(ViewContext& context, QWidget* parent) {
    return new RecordsPage(context, parent);
}

} // namespace tilewright::ui
