// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/record_model.h>
#include <tilewright/ui/task_model.h>

#include <QAction>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>

namespace tilewright::ui {

namespace {

enum Page { MessagePage, TablesPage };
constexpr int kTaskColumn = 1; // of the records

QSortFilterProxyModel* sortedBy(QAbstractItemModel* model, int role, QObject* parent) {
    auto* proxy = new QSortFilterProxyModel(parent);
    proxy->setSourceModel(model);
    proxy->setSortRole(role);
    return proxy;
}

QTableView* makeTable(QAbstractItemModel* model, const QString& name) {
    auto* view = new QTableView;
    view->setModel(model);
    view->setSortingEnabled(true);
    view->sortByColumn(0, Qt::AscendingOrder);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setAlternatingRowColors(true);
    view->verticalHeader()->hide();
    view->horizontalHeader()->setStretchLastSection(true);
    view->setAccessibleName(name);
    return view;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), source_(new WorkDirSource(this)), tasks_(new TaskModel(this)),
      records_(new RecordModel(this)), sortedTasks_(sortedBy(tasks_, TaskModel::SortRole, this)),
      sortedRecords_(sortedBy(records_, RecordModel::SortRole, this)),
      pages_(new QStackedWidget(this)), message_(new QLabel(this)) {
    setWindowTitle(tr("Tilewright"));
    resize(1100, 720);
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setText(tr("No work directory open.\nUse File → Open work directory, or start "
                         "tilewright-gui DIR."));
    pages_->addWidget(message_);
    pages_->addWidget(buildTables());
    setCentralWidget(pages_);
    buildMenus();
    connect(source_, &WorkDirSource::snapshotReady, this, &MainWindow::showSnapshot);
    connect(source_, &WorkDirSource::failed, this, &MainWindow::showError);
}

void MainWindow::buildMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    QAction* open = file->addAction(tr("&Open work directory…"));
    open->setShortcut(QKeySequence::Open);
    connect(open, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Open work directory"));
        if (!path.isEmpty())
            openWorkDir(path);
    });
    QAction* reload = file->addAction(tr("&Reload"));
    reload->setShortcut(QKeySequence::Refresh);
    connect(reload, &QAction::triggered, this, [this] {
        if (!workDir_.isEmpty())
            openWorkDir(workDir_);
    });
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"));
    quit->setShortcut(QKeySequence::Quit);
    connect(quit, &QAction::triggered, this, &QWidget::close);
}

QWidget* MainWindow::buildTables() {
    taskView_ = makeTable(sortedTasks_, tr("Tasks"));
    recordView_ = makeTable(sortedRecords_, tr("Records"));
    curve_ = new CurvePlot;
    curve_->setAxisTitles(tr("Trial"), tr("Latency (µs)"));
    connect(taskView_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    chooseTask(current.siblingAtColumn(0).data().toString());
            });
    auto* right = new QSplitter(Qt::Vertical);
    right->addWidget(curve_);
    right->addWidget(recordView_);
    auto* whole = new QSplitter(Qt::Horizontal);
    whole->addWidget(taskView_);
    whole->addWidget(right);
    whole->setStretchFactor(0, 2);
    whole->setStretchFactor(1, 3);
    return whole;
}

void MainWindow::openWorkDir(const QString& path) {
    workDir_ = path;
    statusBar()->showMessage(tr("Reading %1…").arg(path));
    source_->open(path);
}

void MainWindow::showSnapshot(SnapshotPtr snapshot) {
    snapshot_ = snapshot;
    tasks_->setSnapshot(snapshot);
    records_->setSnapshot(snapshot);
    taskView_->resizeColumnsToContents();
    recordView_->resizeColumnsToContents();
    setWindowTitle(tr("%1 – Tilewright").arg(workDir_));
    statusBar()->showMessage(
        tr("%n record(s), %1", nullptr, static_cast<int>(snapshot->records.size()))
            .arg(snapshot->state.empty() ? tr("no session")
                                         : QString::fromStdString(snapshot->state)));
    if (snapshot->tasks.empty()) {
        message_->setText(tr("This work directory has no tasks yet."));
        pages_->setCurrentIndex(MessagePage);
        return;
    }
    pages_->setCurrentIndex(TablesPage);
    taskView_->selectRow(0);
}

void MainWindow::showError(const QString& message) {
    message_->setText(message);
    pages_->setCurrentIndex(MessagePage);
    statusBar()->showMessage(tr("The work directory could not be read"));
}

void MainWindow::chooseTask(const QString& name) {
    sortedRecords_->setFilterKeyColumn(kTaskColumn);
    sortedRecords_->setFilterRegularExpression(
        QStringLiteral("^%1$").arg(QRegularExpression::escape(name)));
    QVector<double> x;
    QVector<double> y;
    for (const session::RecordRow& row : snapshot_->records)
        if (row.taskName == name.toStdString() && row.medianSeconds) {
            x.append(static_cast<double>(row.trial.value_or(0)));
            y.append(*row.medianSeconds * 1e6);
        }
    curve_->setPoints(x, y);
}

} // namespace tilewright::ui
