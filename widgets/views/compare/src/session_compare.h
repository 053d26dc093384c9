// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/compare_source.h>

#include <QWidget>

class QSettings;
class QToolButton;

namespace tilewright::ui {

class CellTableModel;
class DumbbellPlot;
class Panel;
class TableView;
class WaterfallPlot;

/// Session against session: operators as dumbbells beside their table, settings, what changed in
/// the total.
class SessionCompare : public QWidget {
    Q_OBJECT

public:
    explicit SessionCompare(QSettings* settings, QWidget* parent = nullptr);
    void setComparison(const SessionComparisonPtr& comparison);
    [[nodiscard]] TableView* table() const { return table_; }

signals:
    /// An operator with a record on both sides was opened.
    void recordsWanted(qint64 left, qint64 right);
    void taskSelected(qint64 task);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showRows();
    void alignPlot();
    void openRow(const QModelIndex& index);
    void retranslate();

    SessionComparisonPtr comparison_;
    Panel* plotPanel_;
    Panel* tablePanel_;
    Panel* settingsPanel_;
    Panel* waterfallPanel_;
    DumbbellPlot* plot_;
    TableView* table_;
    TableView* settings_;
    WaterfallPlot* waterfall_;
    CellTableModel* model_;
    CellTableModel* settingsModel_;
    QToolButton* only_;
    QToolButton* onlySettings_;
    QToolButton* export_;
};

} // namespace tilewright::ui
