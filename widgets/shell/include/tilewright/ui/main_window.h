// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/work_dir_source.h>

#include <QMainWindow>

class QLabel;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace tilewright::ui {

class CurvePlot;
class RecordModel;
class TaskModel;

/// Shows a work directory: its tasks, and of the chosen one the records and the curve.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    void openWorkDir(const QString& path);

private:
    void buildMenus();
    QWidget* buildTables();
    void showSnapshot(SnapshotPtr snapshot);
    void showError(const QString& message);
    void chooseTask(const QString& name);

    WorkDirSource* source_;
    SnapshotPtr snapshot_;
    TaskModel* tasks_;
    RecordModel* records_;
    QSortFilterProxyModel* sortedTasks_;
    QSortFilterProxyModel* sortedRecords_;
    QTableView* taskView_ = nullptr;
    QTableView* recordView_ = nullptr;
    CurvePlot* curve_ = nullptr;
    QStackedWidget* pages_;
    QLabel* message_;
    QString workDir_;
};

} // namespace tilewright::ui
