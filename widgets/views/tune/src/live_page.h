// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/live_session.h>
#include <tilewright/ui/tune_facts.h>
#include <tilewright/ui/view_context.h>

#include <QWidget>

class QMenu;
class QSplitter;

namespace tilewright::ui {

class CurvePanel;
class FinishedBanner;
class LiveTaskModel;
class Panel;
class SideColumn;
class StatStrip;
class TableView;

/// A session while it runs and after: numbers, curve, tasks, and the small plots at the side.
class LivePage : public QWidget {
    Q_OBJECT

public:
    LivePage(const ViewContext& context, QWidget* parent = nullptr);

    /// What is known now. Null clears.
    void setSnapshot(LiveSnapshotPtr snapshot, const QString& state);
    /// Sends an order for the task of the current row.
    void orderTask(const QString& verb);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void connectParts();
    void retranslate();
    void refresh();
    void chooseTask(int task);
    [[nodiscard]] int taskOfState() const;
    [[nodiscard]] int usualTask() const;
    void fillTaskMenu(const QModelIndex& index, QMenu* menu);
    void selectRecord(qint64 record, bool open);
    void takeFilter(const FilteredRecords& outcome);
    void askFilter();
    void showCounts();
    void reportProblems();

    ViewContext context_;
    TuneFacts* facts_;
    StatStrip* stats_;
    FinishedBanner* banner_;
    CurvePanel* curve_;
    Panel* tasksPanel_;
    TableView* table_;
    LiveTaskModel* model_;
    SideColumn* side_;
    QSplitter* across_;
    QSplitter* left_;
    LiveSnapshotPtr snapshot_;
    QString state_;
    QString filterProblem_;
    int task_ = -1;
    bool chosen_ = false; ///< the person chose the task
    bool applying_ = false;
    bool sortsByHeadroom_ = false;
    qint64 filteredTrials_ = -1;
    std::size_t reported_ = 0; ///< events of the session that Problems knows
};

} // namespace tilewright::ui
