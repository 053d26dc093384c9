// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_compare.h"

#include "compare_rows.h"

#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

SessionCompare::SessionCompare(QSettings* settings, QWidget* parent)
    : QWidget(parent), plotPanel_(new Panel), tablePanel_(new Panel), settingsPanel_(new Panel),
      waterfallPanel_(new Panel), plot_(new DumbbellPlot), table_(new TableView),
      settings_(new TableView), waterfall_(new WaterfallPlot), model_(new CellTableModel(this)),
      settingsModel_(new CellTableModel(this)) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    auto* vertical = new QSplitter(Qt::Vertical);
    auto* upper = new QSplitter(Qt::Horizontal);
    auto* lower = new QSplitter(Qt::Horizontal);
    plot_->setObjectName(QStringLiteral("dumbbells"));
    plotPanel_->setContent(plot_);
    table_->setObjectName(QStringLiteral("operatorComparison"));
    model_->setColumns(
        CompareRows::operatorColumns(session::latencyUnit(1e-6), session::latencyUnit(1e-3)));
    table_->setModel(model_);
    table_->setColumnWidth(CompareRows::OpColumn, 190);
    table_->setColumnWidth(CompareRows::VerdictColumn, 150);
    table_->setDefaultSort(CompareRows::WeightedColumn, Qt::DescendingOrder);
    table_->setSettingsKey(QStringLiteral("compare"), settings);
    tablePanel_->setContent(table_);
    only_ = tablePanel_->addTool(QString());
    only_->setObjectName(QStringLiteral("operatorDifferencesOnly"));
    only_->setCheckable(true);
    export_ = tablePanel_->addTool(QString(), QStringLiteral("export"));
    export_->setMenu(table_->exportMenu());
    export_->setPopupMode(QToolButton::InstantPopup);
    settings_->setObjectName(QStringLiteral("settingComparison"));
    settingsModel_->setColumns(CompareRows::settingColumns());
    settings_->setModel(settingsModel_);
    settings_->setColumnWidth(0, 28);
    settings_->setColumnWidth(1, 130);
    settings_->setColumnWidth(2, 170);
    settingsPanel_->setContent(settings_);
    onlySettings_ = settingsPanel_->addTool(QString());
    onlySettings_->setObjectName(QStringLiteral("settingDifferencesOnly"));
    onlySettings_->setCheckable(true);
    waterfall_->setObjectName(QStringLiteral("waterfall"));
    waterfallPanel_->setContent(waterfall_);
    auto* tools = waterfallPanel_->addTool(QString(), QStringLiteral("more"));
    tools->setMenu(waterfall_->toolsMenu());
    tools->setPopupMode(QToolButton::InstantPopup);
    tools->setAccessibleName(tr("Plot tools"));
    for (QSplitter* splitter : {vertical, upper, lower}) {
        splitter->setHandleWidth(8);
        splitter->setChildrenCollapsible(false);
    }
    upper->addWidget(plotPanel_);
    upper->addWidget(tablePanel_);
    upper->setSizes({320, 700});
    lower->addWidget(settingsPanel_);
    lower->addWidget(waterfallPanel_);
    lower->setSizes({420, 620});
    vertical->addWidget(upper);
    vertical->addWidget(lower);
    vertical->setSizes({430, 240});
    page->addWidget(vertical);
    connect(table_, &TableView::activated, this, &SessionCompare::openRow);
    connect(table_, &TableView::linkActivated, this, &SessionCompare::openRow);
    connect(table_, &TableView::sortChanged, this, &SessionCompare::alignPlot);
    connect(table_, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        const qint64 id = index.isValid() ? model_->idAt(index.row()) : -1;
        plot_->selectPoint(id);
        if (comparison_ && id >= 0) {
            const auto& row = comparison_->operators[static_cast<std::size_t>(id)];
            emit taskSelected(row.rightTask >= 0 ? row.rightTask : row.leftTask);
        }
    });
    connect(plot_, &PlotView::pointSelected, this, [this](qint64 id) {
        if (const int row = model_->rowOf(id); row >= 0)
            table_->selectRow(row);
    });
    connect(plot_, &PlotView::pointActivated, this,
            [this](qint64 id) { openRow(model_->index(model_->rowOf(id), 0)); });
    connect(table_->view()->verticalScrollBar(), &QScrollBar::valueChanged, this,
            &SessionCompare::alignPlot);
    connect(only_, &QToolButton::toggled, this, &SessionCompare::showRows);
    connect(onlySettings_, &QToolButton::toggled, this, &SessionCompare::showRows);
    retranslate();
}

void SessionCompare::setComparison(const SessionComparisonPtr& comparison) {
    comparison_ = comparison;
    showRows();
}

void SessionCompare::showRows() {
    if (!comparison_)
        return;
    const session::ScaledUnit unit = CompareRows::unitOf(*comparison_);
    const session::ScaledUnit total =
        session::latencyUnit(comparison_->left.total > 0 ? comparison_->left.total : 1e-3);
    double largest = 0;
    for (const auto& row : comparison_->operators)
        largest = std::max(largest, std::abs(row.weightedDelta.value_or(0)));
    QVector<QVector<CellValue>> rows;
    QVector<qint64> ids;
    for (std::size_t i = 0; i < comparison_->operators.size(); ++i) {
        const session::OperatorComparison& row = comparison_->operators[i];
        if (only_->isChecked() && row.judgement.verdict == session::Verdict::Same)
            continue;
        rows.append(CompareRows::operatorCells(row, unit, total, largest));
        ids.append(static_cast<qint64>(i));
    }
    model_->setColumns(CompareRows::operatorColumns(unit, total));
    model_->setRows(rows, ids);
    plot_->setAxisTitles(tr("latency (%1)").arg(QString::fromStdString(unit.name)), {});
    plotPanel_->setNote(QString::fromStdString(unit.name));
    tablePanel_->setNote(
        tr("%1 of %2 operators").arg(rows.size()).arg(comparison_->operators.size()));
    alignPlot();

    QVector<QVector<CellValue>> settings;
    QVector<qint64> settingIds;
    int different = 0;
    int matter = 0;
    for (std::size_t i = 0; i < comparison_->settings.size(); ++i) {
        const session::SettingDifference& setting = comparison_->settings[i];
        different += setting.differs;
        matter += setting.matters;
        if (onlySettings_->isChecked() && !setting.differs)
            continue;
        settings.append(CompareRows::settingCells(setting));
        settingIds.append(static_cast<qint64>(i));
    }
    settingsModel_->setRows(settings, settingIds);
    settingsPanel_->setNote(tr("%1 of %2 differ, %n affect(s) comparability", nullptr, matter)
                                .arg(different)
                                .arg(comparison_->settings.size()));
    waterfall_->setAxisTitles({}, tr("model total (%1)").arg(QString::fromStdString(total.name)));
    waterfall_->setSteps(CompareRows::waterfall(*comparison_, total));
}

void SessionCompare::alignPlot() {
    if (!comparison_)
        return;
    const session::ScaledUnit unit = CompareRows::unitOf(*comparison_);
    QVector<Dumbbell> rows;
    for (const int row : table_->shownRows()) {
        const qint64 id = model_->idAt(row);
        if (id >= 0)
            rows.append(CompareRows::dumbbell(comparison_->operators[static_cast<std::size_t>(id)],
                                              unit, id));
    }
    QTableView* view = table_->view();
    plot_->setRowGeometry(view->verticalHeader()->defaultSectionSize(),
                          view->horizontalHeader()->height());
    plot_->setRows(rows);
    plot_->setTopRow(view->rowAt(0) < 0 ? 0 : view->rowAt(0));
}

void SessionCompare::openRow(const QModelIndex& index) {
    if (!comparison_ || !index.isValid())
        return;
    const qint64 id = model_->idAt(index.row());
    if (id < 0)
        return;
    const auto& row = comparison_->operators[static_cast<std::size_t>(id)];
    if (row.leftRecord >= 0 && row.rightRecord >= 0)
        emit recordsWanted(row.leftRecord, row.rightRecord);
}

void SessionCompare::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showRows();
    }
    QWidget::changeEvent(event);
}

void SessionCompare::retranslate() {
    plotPanel_->setTitle(tr("Latency per call"));
    tablePanel_->setTitle(tr("Operators"));
    settingsPanel_->setTitle(tr("Environment"));
    waterfallPanel_->setTitle(tr("What changed in the model total"));
    only_->setText(tr("Differences only"));
    onlySettings_->setText(tr("Differences only"));
    export_->setText(tr("Export"));
    plot_->setSubject(tr("Latency per call, A and B"));
    plot_->setAccessibleName(tr("Latency per call"));
    waterfall_->setSubject(tr("What changed in the model total"));
    waterfall_->setAccessibleName(tr("What changed in the model total"));
    table_->setAccessibleName(tr("Operators"));
    settings_->setAccessibleName(tr("Environment"));
    settingsModel_->setColumns(CompareRows::settingColumns());
}

} // namespace tilewright::ui
