// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QHash>
#include <QItemSelectionModel>
#include <QPointer>
#include <QWidget>

#include <tilewright/ui/table_roles.h>

class QIODevice;
class QMenu;
class QStackedLayout;
class QTableView;
class QSettings;

namespace tilewright::ui {

class TableSortModel;
class TableHeader;

/// The one table of the window: 24 px rows, bars and sparklines in cells, stable sort by several
/// columns, chosen columns that are remembered, sticky total rows, copy and export. All indexes of
/// its interface are those of the model given to setModel(). Roles: table_roles.h.
///
/// Million-row models sort and filter themselves: setModelSorts(true) before setModel(); then the
/// table calls model->sort(column, order) and adds no proxy. Otherwise it sorts with a proxy, and a
/// click on a header sorts, Shift+click adds a second column.
class TableView : public QWidget {
    Q_OBJECT

public:
    enum class Format { Csv, Tsv, Json };

    explicit TableView(QWidget* parent = nullptr);
    ~TableView() override;

    void setModelSorts(bool on);
    /// Not owned.
    void setModel(QAbstractItemModel* model);
    QAbstractItemModel* model() const { return source_; }
    /// Rows that stay below the table, such as totals; same columns. Not owned; null removes them.
    void setFooterModel(QAbstractItemModel* model);
    /// What is shown in place of rows while there are none; owned by the table.
    void setEmptyWidget(QWidget* widget);

    /// Remembers columns, order, widths and sorting under tables/<key> of the given or the
    /// application's settings. Call after setModel() and the defaults.
    void setSettingsKey(const QString& key, QSettings* settings = nullptr);
    /// What a table shows before the person chose: sorting and hidden columns, also of *Reset*.
    void setDefaultSort(int column, Qt::SortOrder order);
    void setHiddenByDefault(const QList<int>& columns);
    /// Width in px, unless the person set another.
    void setColumnWidth(int column, int width);
    void sortBy(int column, Qt::SortOrder order);
    void resetColumns();
    bool isColumnShown(int column) const;
    void setColumnShown(int column, bool shown);

    void setSelectionMode(QAbstractItemView::SelectionMode mode);
    QModelIndex currentIndex() const;
    /// Rows of the selection, one index each (column 0), in the order shown.
    QModelIndexList selectedRows() const;
    /// Selects and shows one row; an invalid index clears the selection. Emits no signal of ours.
    void selectRow(int row);
    void selectRows(const QList<int>& rows);
    /// Rows shown, in order, as rows of the model.
    QList<int> shownRows() const;

    /// Writes all rows and shown columns: UTF-8, C locale, full precision, units in the header.
    bool exportTable(QIODevice* device, Format format) const;
    /// The selected rows (all when none) as tab-separated text.
    QString selectionAsText(bool withHeader) const;

    /// Menus for a panel's *Columns* and *Export* tools; owned by the table.
    QMenu* columnsMenu();
    QMenu* exportMenu();

    /// The Qt view inside, for tests and for row heights shared with a plot beside.
    QTableView* view() const { return view_; }

public slots:
    void copySelection();
    void copySelectionWithHeader();
    /// Asks for a file and writes it.
    void exportToFile();

signals:
    void currentRowChanged(const QModelIndex& current);
    void selectionChanged();
    /// Enter or double-click.
    void activated(const QModelIndex& index);
    /// A cell of LinkRole was clicked.
    void linkActivated(const QModelIndex& index);
    /// Add actions of the row to the menu before it opens; index may be invalid.
    void contextMenuFor(const QModelIndex& index, QMenu* menu);
    void headerMenuFor(int column, QMenu* menu);
    /// A file could not be written.
    void failed(const QString& message);
    void sortChanged(int column, Qt::SortOrder order);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildView();
    void buildActions();
    void applyTheme();
    void connectModel();
    void selectAgain(const QVariant& id);
    void sectionClicked(int column);
    void showContextMenu(const QPoint& position);
    void showHeaderMenu(const QPoint& position);
    void fillColumnsMenu();
    void updateFooter();
    void updateEmpty();
    void fitColumns();
    void showFirstTime();
    void save();
    void restore();
    QModelIndex toSource(const QModelIndex& shown) const;
    QModelIndex toShown(const QModelIndex& source) const;

    QTableView* view_;
    QTableView* footer_;
    TableHeader* header_;
    QStackedLayout* stack_;
    TableSortModel* sorter_;
    QPointer<QAbstractItemModel> source_;
    QPointer<QAbstractItemModel> footerModel_;
    QPointer<QWidget> empty_;
    QPointer<QMenu> columnsMenu_;
    QPointer<QMenu> exportMenu_;
    QPointer<QSettings> settings_;
    QString settingsKey_;
    QList<int> hiddenByDefault_;
    int defaultColumn_ = -1;
    Qt::SortOrder defaultOrder_ = Qt::AscendingOrder;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    QHash<int, int> widths_;
    bool modelSorts_ = false;
    bool quiet_ = false;
    bool restoring_ = false;
};

} // namespace tilewright::ui
