// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TableView that menus, files and settings use.
#include <tilewright/ui/table_view.h>

#include "export_file.h"

#include "table_cells.h"
#include "table_export.h"
#include "table_sort_model.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QSettings>
#include <QTableView>

namespace tilewright::ui {

namespace {

QList<int> shownColumns(const QHeaderView& header) {
    QList<int> columns;
    for (int at = 0; at < header.count(); ++at) {
        const int column = header.logicalIndex(at);
        if (!header.isSectionHidden(column))
            columns.append(column);
    }
    return columns;
}

} // namespace

bool TableView::exportTable(QIODevice* device, Format format) const {
    if (!source_)
        return false;
    return writeTable(device, *source_, shownRows(), shownColumns(*header_), format);
}

QString TableView::selectionAsText(bool withHeader) const {
    if (!source_)
        return {};
    QList<int> rows;
    for (const QModelIndex& index : selectedRows())
        rows.append(index.row());
    if (rows.isEmpty())
        rows = shownRows();
    return tableText(*source_, rows, shownColumns(*header_), withHeader);
}

void TableView::copySelection() {
    QApplication::clipboard()->setText(selectionAsText(false));
}

void TableView::copySelectionWithHeader() {
    QApplication::clipboard()->setText(selectionAsText(true));
}

void TableView::exportToFile() {
    const QString problem =
        ui::exportToFile(this, tr("Export table"),
                         {{tr("CSV, comma-separated (*.csv)"), QStringLiteral(".csv")},
                          {tr("TSV, tab-separated (*.tsv)"), QStringLiteral(".tsv")},
                          {tr("JSON (*.json)"), QStringLiteral(".json")}},
                         [this](QIODevice* device, int kind) {
                             return exportTable(device, static_cast<Format>(kind));
                         });
    if (!problem.isEmpty())
        emit failed(problem);
}

QMenu* TableView::columnsMenu() {
    if (!columnsMenu_) {
        columnsMenu_ = new QMenu(tr("Columns"), this);
        columnsMenu_->setObjectName(QStringLiteral("columnsMenu"));
        connect(columnsMenu_, &QMenu::aboutToShow, this, &TableView::fillColumnsMenu);
    }
    fillColumnsMenu();
    return columnsMenu_;
}

void TableView::fillColumnsMenu() {
    columnsMenu_->clear();
    for (int column = 0; column < header_->count(); ++column) {
        QAction* action =
            columnsMenu_->addAction(source_->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(isColumnShown(column));
        connect(action, &QAction::toggled, this,
                [this, column](bool on) { setColumnShown(column, on); });
    }
    columnsMenu_->addSeparator();
    connect(columnsMenu_->addAction(tr("Reset columns")), &QAction::triggered, this,
            &TableView::resetColumns);
}

QMenu* TableView::exportMenu() {
    if (exportMenu_)
        return exportMenu_;
    exportMenu_ = new QMenu(tr("Export"), this);
    exportMenu_->setObjectName(QStringLiteral("exportMenu"));
    QAction* file = exportMenu_->addAction(tr("Export as CSV, TSV or JSON…"));
    file->setShortcut(QKeySequence(QStringLiteral("Ctrl+E")));
    file->setShortcutContext(Qt::WidgetShortcut);
    connect(file, &QAction::triggered, this, &TableView::exportToFile);
    exportMenu_->addSeparator();
    connect(exportMenu_->addAction(tr("Copy selected rows")), &QAction::triggered, this,
            &TableView::copySelection);
    connect(exportMenu_->addAction(tr("Copy with header")), &QAction::triggered, this,
            &TableView::copySelectionWithHeader);
    return exportMenu_;
}

void TableView::showContextMenu(const QPoint& position) {
    QMenu menu(this);
    const QModelIndex index = toSource(view_->indexAt(position));
    emit contextMenuFor(index, &menu);
    if (!menu.isEmpty())
        menu.addSeparator();
    QAction* copy = menu.addAction(tr("Copy"), this, &TableView::copySelection);
    copy->setShortcut(QKeySequence(QStringLiteral("Ctrl+C")));
    QAction* headed =
        menu.addAction(tr("Copy with header"), this, &TableView::copySelectionWithHeader);
    headed->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+C")));
    QAction* file = menu.addAction(tr("Export…"), this, &TableView::exportToFile);
    file->setShortcut(QKeySequence(QStringLiteral("Ctrl+E")));
    menu.exec(view_->viewport()->mapToGlobal(position));
}

void TableView::showHeaderMenu(const QPoint& position) {
    QMenu menu(this);
    const int column = header_->logicalIndexAt(position);
    if (column >= 0) {
        menu.addAction(tr("Sort ascending"), this,
                       [this, column] { sortBy(column, Qt::AscendingOrder); });
        menu.addAction(tr("Sort descending"), this,
                       [this, column] { sortBy(column, Qt::DescendingOrder); });
        menu.addAction(tr("Hide this column"), this,
                       [this, column] { setColumnShown(column, false); });
        emit headerMenuFor(column, &menu);
        menu.addSeparator();
    }
    menu.addMenu(columnsMenu());
    menu.exec(header_->mapToGlobal(position));
}

void TableView::setSettingsKey(const QString& key, QSettings* settings) {
    settingsKey_ = key;
    settings_ = settings ? settings : new QSettings(this);
    restore();
}

void TableView::save() {
    if (restoring_ || !settings_ || settingsKey_.isEmpty() || header_->count() == 0)
        return;
    settings_->beginGroup(QStringLiteral("tables/") + settingsKey_);
    settings_->setValue(QStringLiteral("columns"), header_->count());
    settings_->setValue(QStringLiteral("header"), header_->saveState());
    settings_->setValue(QStringLiteral("sortColumn"), sortColumn_);
    settings_->setValue(QStringLiteral("sortOrder"), static_cast<int>(sortOrder_));
    settings_->endGroup();
}

void TableView::restore() {
    settings_->beginGroup(QStringLiteral("tables/") + settingsKey_);
    const int columns = settings_->value(QStringLiteral("columns"), 0).toInt();
    const QByteArray state = settings_->value(QStringLiteral("header")).toByteArray();
    const int sort = settings_->value(QStringLiteral("sortColumn"), -1).toInt();
    const auto order =
        static_cast<Qt::SortOrder>(settings_->value(QStringLiteral("sortOrder"), 0).toInt());
    settings_->endGroup();
    // What another version of the table left behind does not fit this one.
    if (columns == 0 || columns != header_->count())
        return;
    restoring_ = true;
    if (header_->restoreState(state)) {
        header_->setStretchLastSection(true);
        header_->setSectionsClickable(true);
        for (int column = 0; column < columns; ++column)
            if (!header_->isSectionHidden(column))
                widths_.insert(column, header_->sectionSize(column));
        if (sort >= 0 && sort < columns)
            sortBy(sort, order);
    } else {
        resetColumns();
    }
    restoring_ = false;
    updateFooter();
}

} // namespace tilewright::ui
