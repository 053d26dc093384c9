// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/table_view.h>

#include "table_cells.h"
#include "table_export.h"
#include "table_sort_model.h"

#include <tilewright/ui/theme.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSaveFile>
#include <QScrollBar>
#include <QSettings>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kSampleRows = 60; // looked at for column widths; never all of them
constexpr int kSmallestColumn = 36;
constexpr int kLargestColumn = 340;
constexpr int kKeptRows = 20000; // models up to this size keep the selection across a reset

} // namespace

TableView::TableView(QWidget* parent)
    : QWidget(parent), view_(new QTableView(this)), footer_(new QTableView(this)),
      header_(new TableHeader(view_)), stack_(new QStackedLayout),
      sorter_(new TableSortModel(this)) {
    buildView();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(stack_, 1);
    layout->addWidget(footer_);
    stack_->addWidget(view_);
    buildActions();
    applyTheme();
    setFocusProxy(view_);
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &TableView::applyTheme);
}

TableView::~TableView() = default;

void TableView::buildView() {
    view_->setHorizontalHeader(header_);
    view_->setItemDelegate(new TableCell(view_));
    footer_->setItemDelegate(new TableCell(footer_));
    static_cast<TableCell*>(footer_->itemDelegate())->setFooter(true);
    for (QTableView* view : {view_, footer_}) {
        view->setShowGrid(false);
        view->setWordWrap(false);
        view->setCornerButtonEnabled(false);
        view->setFrameShape(QFrame::NoFrame);
        view->setSelectionBehavior(QAbstractItemView::SelectRows);
        view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        view->verticalHeader()->hide();
        view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    }
    view_->setTabKeyNavigation(false);
    view_->setMouseTracking(true);
    view_->viewport()->installEventFilter(this);
    view_->installEventFilter(this);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    footer_->horizontalHeader()->hide();
    footer_->horizontalHeader()->setStretchLastSection(true);
    footer_->setSelectionMode(QAbstractItemView::NoSelection);
    footer_->setFocusPolicy(Qt::NoFocus);
    footer_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    footer_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    footer_->setObjectName(QStringLiteral("tableFooter"));
    footer_->hide();
    connect(view_->horizontalScrollBar(), &QScrollBar::valueChanged, footer_->horizontalScrollBar(),
            &QScrollBar::setValue);
    connect(header_, &QHeaderView::sectionResized, this, [this](int column, int, int size) {
        footer_->setColumnWidth(column, size);
        // The last column stretches by itself; a hidden one has no width.
        if (!restoring_ && size > 0 && header_->visualIndex(column) != header_->count() - 1)
            widths_.insert(column, size);
        save();
    });
    connect(header_, &QHeaderView::sectionMoved, this, [this](int, int from, int to) {
        footer_->horizontalHeader()->moveSection(from, to);
        save();
    });
    connect(header_, &QHeaderView::sectionClicked, this, &TableView::sectionClicked);
    connect(header_, &QWidget::customContextMenuRequested, this, &TableView::showHeaderMenu);
    connect(view_, &QWidget::customContextMenuRequested, this, &TableView::showContextMenu);
    connect(view_, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit activated(toSource(index)); });
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.data(LinkRole).toBool())
            emit linkActivated(toSource(index));
    });
}

void TableView::buildActions() {
    const auto add = [this](const QKeySequence& keys, void (TableView::*slot)()) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(QKeySequence(QStringLiteral("Ctrl+C")), &TableView::copySelection);
    add(QKeySequence(QStringLiteral("Ctrl+Shift+C")), &TableView::copySelectionWithHeader);
    add(QKeySequence(QStringLiteral("Ctrl+E")), &TableView::exportToFile);
}

void TableView::applyTheme() {
    const int height = qMax(24, QFontMetrics(Theme::fontOf(this, Theme::Dense)).height() + 8);
    for (QTableView* view : {view_, footer_}) {
        view->verticalHeader()->setMinimumSectionSize(height);
        view->verticalHeader()->setDefaultSectionSize(height);
    }
    header_->setFixedHeight(height);
    updateFooter();
    view_->viewport()->update();
}

void TableView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        header_->viewport()->update();
}

void TableView::setModelSorts(bool on) {
    modelSorts_ = on;
}

void TableView::setModel(QAbstractItemModel* model) {
    if (source_)
        source_->disconnect(this);
    source_ = model;
    QItemSelectionModel* old = view_->selectionModel();
    if (modelSorts_) {
        sorter_->setSourceModel(nullptr);
        view_->setModel(model);
    } else {
        sorter_->setSourceModel(model);
        if (view_->model() != sorter_)
            view_->setModel(sorter_);
    }
    if (old != view_->selectionModel())
        delete old;
    connectModel();
    for (const int column : std::as_const(hiddenByDefault_))
        setColumnShown(column, false);
    if (sortColumn_ >= 0)
        sortBy(sortColumn_, sortOrder_);
    fitColumns();
    updateEmpty();
}

void TableView::connectModel() {
    if (!view_->selectionModel() || !source_)
        return;
    view_->selectionModel()->disconnect(this);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!quiet_)
                    emit currentRowChanged(toSource(current));
            });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!quiet_)
            emit selectionChanged();
    });
    auto kept = std::make_shared<QVariant>();
    connect(source_, &QAbstractItemModel::modelAboutToBeReset, this, [this, kept] {
        const QModelIndex current = currentIndex();
        *kept = current.isValid() ? current.data(IdRole) : QVariant();
        quiet_ = true;
    });
    connect(source_, &QAbstractItemModel::modelReset, this, [this, kept] {
        fitColumns();
        updateEmpty();
        selectAgain(*kept);
        quiet_ = false;
        if (kept->isValid() && !currentIndex().isValid())
            emit currentRowChanged({});
    });
    connect(source_, &QAbstractItemModel::rowsInserted, this, [this] {
        fitColumns();
        updateEmpty();
    });
    connect(source_, &QAbstractItemModel::rowsRemoved, this, &TableView::updateEmpty);
    connect(source_, &QAbstractItemModel::layoutChanged, this, &TableView::updateEmpty);
    connect(source_, &QAbstractItemModel::headerDataChanged, header_->viewport(),
            qOverload<>(&QWidget::update));
}

void TableView::selectAgain(const QVariant& id) {
    if (!id.isValid() || source_->rowCount() > kKeptRows)
        return;
    for (int row = 0; row < source_->rowCount(); ++row)
        if (source_->index(row, 0).data(IdRole) == id)
            return selectRow(row);
}

void TableView::setFooterModel(QAbstractItemModel* model) {
    if (footerModel_)
        footerModel_->disconnect(this);
    footerModel_ = model;
    footer_->setModel(model);
    if (model) {
        connect(model, &QAbstractItemModel::modelReset, this, &TableView::updateFooter);
        connect(model, &QAbstractItemModel::rowsInserted, this, &TableView::updateFooter);
        connect(model, &QAbstractItemModel::rowsRemoved, this, &TableView::updateFooter);
    }
    updateFooter();
}

void TableView::updateFooter() {
    const int rows = footerModel_ ? footerModel_->rowCount() : 0;
    footer_->setVisible(rows > 0 && stack_->currentIndex() == 0);
    if (rows == 0)
        return;
    footer_->setFixedHeight(rows * footer_->verticalHeader()->defaultSectionSize() + 1);
    for (int column = 0; column < header_->count(); ++column) {
        footer_->setColumnWidth(column, header_->sectionSize(column));
        footer_->setColumnHidden(column, header_->isSectionHidden(column));
        const int at = footer_->horizontalHeader()->visualIndex(column);
        if (at >= 0 && at != header_->visualIndex(column))
            footer_->horizontalHeader()->moveSection(at, header_->visualIndex(column));
    }
}

void TableView::setEmptyWidget(QWidget* widget) {
    if (empty_)
        delete empty_;
    empty_ = widget;
    if (widget)
        stack_->addWidget(widget);
    updateEmpty();
}

void TableView::updateEmpty() {
    const bool none = empty_ && (!source_ || source_->rowCount() == 0);
    stack_->setCurrentIndex(none ? 1 : 0);
    updateFooter();
}

void TableView::fitColumns() {
    if (!source_ || !view_->model())
        return;
    const int rows = qMin(view_->model()->rowCount(), kSampleRows);
    restoring_ = true;
    QStyleOptionViewItem option;
    option.widget = view_;
    for (int column = 0; column < header_->count(); ++column) {
        if (widths_.contains(column)) {
            header_->resizeSection(column, widths_.value(column));
            continue;
        }
        int width = header_->sectionSizeHint(column);
        for (int row = 0; row < rows; ++row)
            width = qMax(width, view_->itemDelegate()
                                    ->sizeHint(option, view_->model()->index(row, column))
                                    .width());
        // Columns only grow while data stream in, so that they do not dance.
        width = qBound(kSmallestColumn, width + 4, kLargestColumn);
        if (rows == 0 || width > header_->sectionSize(column) || !property("fitted").toBool())
            header_->resizeSection(column, width);
    }
    if (rows > 0)
        setProperty("fitted", true);
    restoring_ = false;
    updateFooter();
}

void TableView::setColumnWidth(int column, int width) {
    widths_.insert(column, width);
    if (column < header_->count())
        header_->resizeSection(column, width);
}

void TableView::setDefaultSort(int column, Qt::SortOrder order) {
    defaultColumn_ = column;
    defaultOrder_ = order;
    sortBy(column, order);
}

void TableView::setHiddenByDefault(const QList<int>& columns) {
    hiddenByDefault_ = columns;
    for (const int column : columns)
        setColumnShown(column, false);
}

bool TableView::isColumnShown(int column) const {
    return !header_->isSectionHidden(column);
}

void TableView::setColumnShown(int column, bool shown) {
    if (column >= header_->count())
        return;
    header_->setSectionHidden(column, !shown);
    if (footerModel_)
        footer_->setColumnHidden(column, !shown);
    save();
}

void TableView::resetColumns() {
    widths_.clear();
    for (int column = 0; column < header_->count(); ++column) {
        header_->moveSection(header_->visualIndex(column), column);
        header_->setSectionHidden(column, hiddenByDefault_.contains(column));
    }
    setProperty("fitted", false);
    fitColumns();
    sortBy(defaultColumn_, defaultOrder_);
    save();
}

void TableView::sortBy(int column, Qt::SortOrder order) {
    sortColumn_ = column;
    sortOrder_ = order;
    if (!source_)
        return;
    if (modelSorts_)
        source_->sort(column, order);
    else
        sorter_->setKeys(column < 0 ? QVector<TableSortModel::Key>()
                                    : QVector<TableSortModel::Key>{{column, order}});
    header_->setMarks(column < 0 ? QVector<TableHeader::Mark>()
                                 : QVector<TableHeader::Mark>{{column, order}});
    save();
    emit sortChanged(column, order);
}

void TableView::sectionClicked(int column) {
    if (column == sortColumn_ && !(QApplication::keyboardModifiers() & Qt::ShiftModifier)) {
        sortBy(column, sortOrder_ == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder);
        return;
    }
    if (modelSorts_ || !(QApplication::keyboardModifiers() & Qt::ShiftModifier) ||
        sortColumn_ < 0) {
        sortBy(column, Qt::AscendingOrder);
        return;
    }
    QVector<TableSortModel::Key> keys = sorter_->keys();
    const auto known = std::find_if(keys.begin(), keys.end(),
                                    [column](const auto& key) { return key.column == column; });
    if (known == keys.end())
        keys.append({column, Qt::AscendingOrder});
    else
        known->order =
            known->order == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
    sorter_->setKeys(keys);
    QVector<TableHeader::Mark> marks;
    for (const TableSortModel::Key& key : keys)
        marks.append({key.column, key.order});
    sortOrder_ = keys.first().order;
    header_->setMarks(marks);
    save();
}

QModelIndex TableView::toSource(const QModelIndex& shown) const {
    return modelSorts_ || !shown.isValid() ? shown : sorter_->mapToSource(shown);
}

QModelIndex TableView::toShown(const QModelIndex& source) const {
    return modelSorts_ || !source.isValid() ? source : sorter_->mapFromSource(source);
}

void TableView::setSelectionMode(QAbstractItemView::SelectionMode mode) {
    view_->setSelectionMode(mode);
}

QModelIndex TableView::currentIndex() const {
    return toSource(view_->currentIndex());
}

QModelIndexList TableView::selectedRows() const {
    QModelIndexList rows;
    if (!view_->selectionModel())
        return rows;
    // Not selectedRows(): with a million selected rows it would ask each row for its columns.
    QList<int> shown;
    for (const QItemSelectionRange& range : view_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            shown.append(row);
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    for (const int row : std::as_const(shown))
        rows.append(toSource(view_->model()->index(row, 0)));
    return rows;
}

void TableView::selectRow(int row) {
    selectRows(row < 0 ? QList<int>() : QList<int>{row});
}

void TableView::selectRows(const QList<int>& rows) {
    if (!view_->selectionModel() || !source_)
        return;
    const bool before = quiet_;
    quiet_ = true;
    QItemSelection selection;
    QModelIndex first;
    for (const int row : rows) {
        const QModelIndex index = toShown(source_->index(row, 0));
        if (!index.isValid())
            continue;
        if (!first.isValid())
            first = index.siblingAtColumn(qMax(0, header_->logicalIndex(0)));
        selection.select(index, index.siblingAtColumn(view_->model()->columnCount() - 1));
    }
    view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    view_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    // Before the first show there is no size to scroll in.
    if (first.isValid() && view_->isVisible())
        view_->scrollTo(first);
    quiet_ = before;
}

QList<int> TableView::shownRows() const {
    QList<int> rows;
    const int count = view_->model() ? view_->model()->rowCount() : 0;
    rows.reserve(count);
    for (int row = 0; row < count; ++row)
        rows.append(modelSorts_ ? row : sorter_->mapToSource(sorter_->index(row, 0)).row());
    return rows;
}

void TableView::showFirstTime() {
    view_->setAccessibleName(accessibleName());
    QTimer::singleShot(0, this, [this] {
        if (view_->currentIndex().isValid())
            view_->scrollTo(view_->currentIndex());
    });
}

bool TableView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::Show)
        showFirstTime();
    if (watched != view_->viewport())
        return QWidget::eventFilter(watched, event);
    auto* cell = static_cast<TableCell*>(view_->itemDelegate());
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
        const int row = event->type() == QEvent::Leave
                            ? -1
                            : view_->rowAt(static_cast<QMouseEvent*>(event)->pos().y());
        const QModelIndex index =
            row < 0 ? QModelIndex() : view_->indexAt(static_cast<QMouseEvent*>(event)->pos());
        view_->viewport()->setCursor(index.data(LinkRole).toBool() ? Qt::PointingHandCursor
                                                                   : Qt::ArrowCursor);
        if (row != cell->hoverRow()) {
            cell->setHoverRow(row);
            view_->viewport()->update();
        }
    } else if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QModelIndex index = view_->indexAt(help->pos());
        QString text = index.data(Qt::ToolTipRole).toString();
        if (text.isEmpty())
            text = index.data(FullTextRole).toString();
        if (text.isEmpty() && index.isValid() &&
            view_->visualRect(index).width() <
                view_->fontMetrics().horizontalAdvance(index.data().toString()) + 16)
            text = index.data().toString();
        QToolTip::showText(help->globalPos(), text, view_->viewport());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::ui
