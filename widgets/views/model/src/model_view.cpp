// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/model_view.h>

#include "graph_panel.h"
#include "model_header.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/chip.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/overview_table.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>

#include <QAction>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QSaveFile>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

struct ModelView::Parts {
    explicit Parts(const ViewContext& given) : context(given) {}
    const ViewContext context;
    ModelSource* source = nullptr;
    MessageBar* message = nullptr;
    QStackedWidget* pages = nullptr;
    EmptyState* empty = nullptr;
    QWidget* page = nullptr;
    ModelHeader* header = nullptr;
    Panel* taskPanel = nullptr;
    TableView* tasks = nullptr;
    EmptyState* noTasks = nullptr;
    CellTableModel* taskModel = nullptr;
    Panel* reportPanel = nullptr;
    QLabel* imported = nullptr;
    Chip* compute = nullptr;
    Chip* folded = nullptr;
    Chip* unsupported = nullptr;
    Chip* warnings = nullptr;
    TableView* lines = nullptr;
    CellTableModel* lineModel = nullptr;
    GraphPanel* graph = nullptr;
    QSplitter* columns = nullptr;
    QSplitter* rows = nullptr;
    QToolButton* taskColumns = nullptr;
    QToolButton* taskExport = nullptr;
    QToolButton* mapping = nullptr;
    QAction* openAction = nullptr;
    QAction* sampleAction = nullptr;
    QAction* findAction = nullptr;
    QString shownPath;
    QString shownTarget;
    QString shownWorkDir;
    InputShapes shapes;
    int task = -1; ///< selected, index among the overview's tasks
    bool open = false;
    bool stale = true;
};

ModelView::ModelView(const ViewContext& context, QWidget* parent)
    : Workspace(parent), d_(std::make_unique<Parts>(context)) {
    setObjectName(QStringLiteral("modelView"));
    build();
    connectParts();
    retranslate();
    showPage();
}

ModelView::~ModelView() = default;

QString ModelView::title() const {
    return tr("Model");
}

QString ModelView::iconName() const {
    return QStringLiteral("model");
}

QString ModelView::helpPage() const {
    return QStringLiteral("model");
}

QList<QAction*> ModelView::actions() const {
    return {d_->findAction};
}

void ModelView::build() {
    d_->source = new ModelSource(this);
    d_->message = new MessageBar(this);
    d_->pages = new QStackedWidget(this);
    d_->empty = new EmptyState(this);
    d_->empty->setObjectName(QStringLiteral("modelEmpty"));
    d_->openAction = new QAction(this);
    d_->sampleAction = new QAction(this);
    d_->findAction = new QAction(this);
    d_->findAction->setObjectName(QStringLiteral("model.find"));
    d_->page = new QWidget(this);
    d_->pages->addWidget(d_->empty);
    d_->pages->addWidget(d_->page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(8, 8, 8, 8);
    outer->setSpacing(8);
    outer->addWidget(d_->message);
    outer->addWidget(d_->pages, 1);
    buildPanels();
}

void ModelView::buildPanels() {
    d_->header = new ModelHeader(d_->page);
    d_->taskModel = new CellTableModel(this);
    d_->tasks = new TableView(d_->page);
    d_->tasks->setObjectName(QStringLiteral("overviewTasks"));
    d_->noTasks = new EmptyState;
    d_->taskPanel = new Panel({}, d_->page);
    d_->taskPanel->setObjectName(QStringLiteral("taskPanel"));
    d_->taskPanel->setContent(d_->tasks);
    d_->taskPanel->setContentMargin(0);
    d_->lineModel = new CellTableModel(this);
    d_->lines = new TableView(d_->page);
    d_->lines->setObjectName(QStringLiteral("importLines"));
    auto* report = new QWidget(d_->page);
    auto* chips = new QHBoxLayout;
    chips->setContentsMargins(12, 8, 12, 4);
    chips->setSpacing(8);
    d_->imported = new QLabel(report);
    d_->compute = new Chip({}, report);
    d_->folded = new Chip({}, report);
    d_->unsupported = new Chip({}, report);
    d_->warnings = new Chip({}, report);
    chips->addWidget(d_->imported);
    for (Chip* chip : {d_->compute, d_->folded, d_->unsupported, d_->warnings}) {
        chip->setLook(Chip::Neutral);
        chips->addWidget(chip);
    }
    chips->addStretch(1);
    auto* body = new QVBoxLayout(report);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addLayout(chips);
    body->addWidget(d_->lines, 1);
    d_->reportPanel = new Panel({}, d_->page);
    d_->reportPanel->setObjectName(QStringLiteral("importPanel"));
    d_->reportPanel->setContent(report);
    d_->reportPanel->setContentMargin(0);
    d_->graph = new GraphPanel(d_->source, d_->page);

    d_->rows = new QSplitter(Qt::Vertical, d_->page);
    d_->rows->setObjectName(QStringLiteral("modelRows"));
    d_->rows->addWidget(d_->taskPanel);
    d_->rows->addWidget(d_->reportPanel);
    d_->rows->setStretchFactor(0, 3);
    d_->rows->setStretchFactor(1, 2);
    d_->rows->setHandleWidth(8);
    d_->columns = new QSplitter(Qt::Horizontal, d_->page);
    d_->columns->setObjectName(QStringLiteral("modelColumns"));
    d_->columns->addWidget(d_->rows);
    d_->columns->addWidget(d_->graph);
    d_->columns->setStretchFactor(0, 65);
    d_->columns->setStretchFactor(1, 35);
    d_->columns->setSizes({680, 320});
    d_->columns->setHandleWidth(8);
    d_->columns->setChildrenCollapsible(false);
    d_->rows->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(d_->page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(d_->header);
    layout->addWidget(d_->columns, 1);
}

void ModelView::connectParts() {
    AppState* state = d_->context.state;
    d_->tasks->setModel(d_->taskModel);
    d_->lines->setModel(d_->lineModel);
    d_->tasks->setEmptyWidget(d_->noTasks);
    d_->taskColumns = d_->taskPanel->addTool(QString());
    d_->taskColumns->setMenu(d_->tasks->columnsMenu());
    d_->taskColumns->setPopupMode(QToolButton::InstantPopup);
    d_->taskExport = d_->taskPanel->addTool(QString());
    d_->taskExport->setMenu(d_->tasks->exportMenu());
    d_->taskExport->setPopupMode(QToolButton::InstantPopup);
    d_->mapping = d_->reportPanel->addTool(QString());
    d_->mapping->setObjectName(QStringLiteral("exportMapping"));

    connect(state, &AppState::modelChanged, this, [this] {
        d_->shapes.clear();
        openModel(false);
    });
    connect(state, &AppState::targetChanged, this, [this] { openModel(false); });
    connect(state, &AppState::workDirChanged, this, [this] { openModel(false); });
    connect(state, &AppState::taskChanged, this, [this] { followTask(); });
    connect(d_->context.live, &LiveSession::stateChanged, this, [this] { openModel(true); });
    connect(d_->source, &ModelSource::opening, this, &ModelView::showPage);
    connect(d_->source, &ModelSource::ready, this, &ModelView::showOverview);
    connect(d_->source, &ModelSource::failed, this, [this](const QString& message) {
        if (d_->source->overview())
            d_->message->showMessage(MessageBar::Error, message);
        showPage();
    });
    connect(d_->header, &ModelHeader::reextract, this, [this](const InputShapes& shapes) {
        d_->shapes = shapes;
        openModel(true);
    });
    connect(d_->header, &ModelHeader::targetChosen, this,
            [state](const QString& target) { state->setTarget(target); });
    connect(d_->header, &ModelHeader::start, this,
            [this] { d_->context.trigger(QStringLiteral("session.new")); });
    connect(d_->tasks, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            chooseTask(static_cast<int>(d_->taskModel->idAt(index.row())));
    });
    connect(d_->graph, &GraphPanel::taskSelected, this, &ModelView::chooseTask);
    connect(d_->lines, &TableView::activated, this, [this](const QModelIndex& index) {
        const ModelOverviewPtr overview = d_->source->overview();
        const session::ReportLine& line =
            overview->import.lines[static_cast<std::size_t>(d_->lineModel->idAt(index.row()))];
        for (std::size_t t = 0; t < overview->tasks.size() && !line.tasks.empty(); ++t)
            if (overview->tasks[t].name == line.tasks.front())
                chooseTask(static_cast<int>(t));
    });
    connect(d_->openAction, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("file.openModel")); });
    connect(d_->sampleAction, &QAction::triggered, this,
            [this] { d_->context.trigger(QStringLiteral("file.trySample")); });
    connect(d_->findAction, &QAction::triggered, d_->graph, &GraphPanel::startSearch);
    connect(d_->message, &MessageBar::actionTriggered, d_->header, &ModelHeader::focusShape);
    connect(d_->mapping, &QToolButton::clicked, this, [this] {
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Export the node mapping"), QStringLiteral("mapping.csv"), tr("CSV (*.csv)"));
        if (path.isEmpty())
            return;
        QSaveFile file(path);
        const QByteArray text = d_->source->mappingCsv();
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
            d_->message->showMessage(MessageBar::Error,
                                     tr("%1 cannot be written: %2").arg(path, file.errorString()));
    });
}

void ModelView::opened() {
    d_->open = true;
    openModel(d_->stale);
}

void ModelView::closed() {
    d_->open = false;
}

void ModelView::openModel(bool again) {
    const AppState* state = d_->context.state;
    d_->stale = d_->stale || again;
    if (!d_->open && isHidden())
        return; // opened() comes
    const bool same = d_->shownPath == state->modelPath() && d_->shownTarget == state->target() &&
                      d_->shownWorkDir == state->workDir();
    if (same && !d_->stale)
        return;
    d_->stale = false;
    if (d_->shownPath != state->modelPath()) {
        d_->source->close();
        d_->task = -1;
    }
    d_->shownPath = state->modelPath();
    d_->shownTarget = state->target();
    d_->shownWorkDir = state->workDir();
    d_->header->setTarget(state->target().isEmpty() ? QStringLiteral("host") : state->target());
    if (d_->shownPath.isEmpty()) {
        showPage();
        return;
    }
    d_->source->open(d_->shownPath, d_->shownTarget, d_->shownWorkDir, d_->shapes);
}

void ModelView::showPage() {
    const bool known = d_->source->overview() != nullptr;
    d_->pages->setCurrentWidget(known ? d_->page : static_cast<QWidget*>(d_->empty));
    if (known)
        return;
    d_->message->clear();
    const QString path = d_->context.state->modelPath();
    d_->empty->setIconName(QStringLiteral("model"));
    if (d_->source->isOpening()) {
        d_->empty->setTitle(tr("Opening %1…").arg(path.section(QLatin1Char('/'), -1)));
        d_->empty->setText(tr("Reading the file, inferring shapes, extracting tasks."));
        d_->empty->setActions({});
        return;
    }
    if (!d_->source->problem().isEmpty()) {
        d_->empty->setTitle(tr("This model cannot be opened."));
        d_->empty->setText(d_->source->problem());
    } else {
        d_->empty->setTitle(tr("No model open."));
        d_->empty->setText(tr("Open an ONNX file, or drop one here: its tasks, shapes and graph "
                              "are shown before anything runs."));
    }
    d_->empty->setActions({d_->openAction, d_->sampleAction});
}

void ModelView::showOverview() {
    const ModelOverviewPtr overview = d_->source->overview();
    d_->message->clear();
    if (overview->needsShapes)
        d_->message->showMessage(MessageBar::Warning, QString::fromStdString(overview->problem),
                                 tr("Edit shapes"));
    else if (overview->import.skipped > 0)
        d_->message->showMessage(
            MessageBar::Warning,
            tr("%n node(s) cannot be compiled; the rest is imported and can be tuned.", nullptr,
               static_cast<int>(overview->import.skipped)));
    d_->header->setOverview(overview);
    d_->header->setStartEnabled(!overview->tasks.empty());
    if (overview->needsShapes)
        d_->header->focusShape();
    showTables();
    d_->graph->setOverview(overview);
    d_->graph->setVisible(overview->graph != nullptr);
    showPage();
    followTask();
}

void ModelView::showTables() {
    const ModelOverviewPtr overview = d_->source->overview();
    const OverviewTable table(*overview, d_->source->previous().get());
    d_->taskModel->setColumns(table.taskColumns());
    d_->taskModel->setRows(table.taskRows(), table.taskIds());
    d_->lineModel->setColumns(OverviewTable::lineColumns());
    d_->lineModel->setRows(table.lineRows(), table.lineIds());
    if (d_->tasks->property("prepared").toBool() == false) {
        d_->tasks->setProperty("prepared", true);
        d_->tasks->setHiddenByDefault(
            {OverviewTable::NodesColumn, OverviewTable::BeforeColumn, OverviewTable::TagColumn});
        const QPair<int, int> widths[] = {
            {OverviewTable::NameColumn, 176},   {OverviewTable::ShapeColumn, 128},
            {OverviewTable::WeightColumn, 36},  {OverviewTable::FlopColumn, 66},
            {OverviewTable::BytesColumn, 58},   {OverviewTable::IntensityColumn, 68},
            {OverviewTable::DefaultColumn, 96}, {OverviewTable::ShareColumn, 120},
            {OverviewTable::StateColumn, 92}};
        for (const auto& [column, width] : widths)
            d_->tasks->setColumnWidth(column, width);
        d_->tasks->setDefaultSort(OverviewTable::ShareColumn, Qt::DescendingOrder);
        d_->tasks->setSettingsKey(QStringLiteral("overview"), d_->context.settings);
        d_->lines->setColumnWidth(OverviewTable::NodeColumn, 180);
        d_->lines->setColumnWidth(OverviewTable::OpColumn, 150);
        d_->lines->setSettingsKey(QStringLiteral("import"), d_->context.settings);
    }
    if (d_->source->previous())
        d_->tasks->setColumnShown(OverviewTable::BeforeColumn, true);
    const session::ImportSummary& import = overview->import;
    const int tasks = static_cast<int>(overview->tasks.size());
    d_->taskPanel->setNote(
        import.nodes > 0
            ? tr("%n task(s) from %1 nodes", nullptr, tasks).arg(groupedCount(import.nodes))
            : tr("%n task(s)", nullptr, tasks));
    d_->noTasks->setTitle(overview->needsShapes ? tr("Shapes are missing.")
                                                : tr("No tunable operator found."));
    d_->noTasks->setText(overview->needsShapes
                             ? tr("Tasks can be extracted once every input has its extents.")
                             : tr("%n node(s) only rename or reshape data.", nullptr,
                                  static_cast<int>(import.folded)));
    d_->reportPanel->setVisible(overview->kind == session::InputKind::Model ||
                                !import.lines.empty());
    d_->imported->setText(tr("%n node(s) in the file", nullptr, static_cast<int>(import.nodes)));
    const auto count = [](qint64 n) { return static_cast<int>(n); };
    d_->compute->setText(tr("%n compute", nullptr, count(import.compute)));
    d_->folded->setText(tr("%n folded", nullptr, count(import.folded)));
    d_->unsupported->setText(tr("%n unsupported", nullptr, count(import.skipped)));
    d_->unsupported->setLook(import.skipped > 0 ? Chip::Error : Chip::Neutral);
    d_->warnings->setText(tr("%n warning(s)", nullptr, count(import.warnings)));
    d_->warnings->setLook(import.warnings > 0 ? Chip::Warning : Chip::Neutral);
    const QString file = QString::fromStdString(overview->path).section(QLatin1Char('/'), -1);
    d_->reportPanel->setNote(
        import.opset > 0
            ? tr("%1 · opset %2 · IR %3 · %4 of weights")
                  .arg(file, QString::number(import.opset), QString::number(import.irVersion),
                       OverviewTable::bytesText(static_cast<double>(import.weightBytes)))
            : file);
}

void ModelView::chooseTask(int task) {
    const ModelOverviewPtr overview = d_->source->overview();
    if (!overview || task == d_->task)
        return;
    d_->task = task;
    const bool known = task >= 0 && task < static_cast<int>(overview->tasks.size());
    d_->tasks->selectRow(known ? d_->taskModel->rowOf(task) : -1);
    d_->graph->selectTask(known ? task : -1);
    if (known && overview->tasks[static_cast<std::size_t>(task)].storeTask >= 0)
        d_->context.state->setTask(overview->tasks[static_cast<std::size_t>(task)].storeTask);
}

void ModelView::followTask() {
    const ModelOverviewPtr overview = d_->source->overview();
    if (!overview)
        return;
    const qint64 wanted = d_->context.state->task();
    for (std::size_t t = 0; t < overview->tasks.size() && wanted >= 0; ++t)
        if (overview->tasks[t].storeTask == wanted)
            d_->task = static_cast<int>(t);
    if (d_->task >= static_cast<int>(overview->tasks.size()))
        d_->task = -1;
    d_->tasks->selectRow(d_->task >= 0 ? d_->taskModel->rowOf(d_->task) : -1);
    d_->graph->selectTask(d_->task);
}

void ModelView::retranslate() {
    d_->taskPanel->setTitle(tr("Tasks"));
    d_->reportPanel->setTitle(tr("Import report"));
    d_->taskColumns->setText(tr("Columns"));
    d_->taskExport->setText(tr("Export"));
    d_->mapping->setText(tr("Export mapping"));
    d_->mapping->setToolTip(tr("Which node went where, as CSV"));
    d_->openAction->setText(tr("Open…"));
    d_->sampleAction->setText(tr("Try the sample"));
    d_->findAction->setText(tr("Find in the task graph"));
    d_->tasks->setAccessibleName(tr("Tasks of the model"));
    d_->lines->setAccessibleName(tr("Import report"));
    if (d_->source->overview())
        showTables();
    showPage();
}

void ModelView::changeEvent(QEvent* event) {
    Workspace::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        emit changed();
    }
}

Workspace* createModelView(const ViewContext& context, QWidget* parent) {
    return new ModelView(context, parent);
}

} // namespace tilewright::ui
