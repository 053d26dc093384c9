// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/inspector_source.h>
#include <tilewright/ui/record_source.h>
#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <QHash>

class QComboBox;
class QMenu;
class QSplitter;
class QToolButton;

namespace tilewright::ui {

class CurvePlot;
class EmptyState;
class MessageBar;
class Panel;
class RecordMarks;
class RecordTableModel;
class StateRow;
class TableView;

/// See createRecordsView().
class RecordsPage : public Workspace {
    Q_OBJECT

public:
    RecordsPage(const ViewContext& context, QWidget* parent);

    QString title() const override;
    QString iconName() const override { return QStringLiteral("records"); }
    void opened() override;
    void closed() override;
    QList<QAction*> actions() const override { return actions_; }
    QString helpPage() const override { return QStringLiteral("records"); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildActions();
    void buildEmptyStates();
    void connectState();
    void connectSource();
    QAction* addAction(const char* id, const QKeySequence& key, void (RecordsPage::*slot)());

    void showResult();
    void showPlot();
    void showEmpty();
    void showFilterProblem(const QString& message, int offset, int length);
    void applyBaseline();
    void selectFromState();
    void tableSelected();
    void fillMenu(const QModelIndex& index, QMenu* menu);
    [[nodiscard]] QVector<qint64> selectedIds() const;

    void star();
    void pin();
    void compareSelected();
    void measureAgain();
    void tag();
    void note();
    void remove();
    void open();
    void copyIds();
    void clearFilter();
    void removeLastChip();
    void showFailed();
    void retranslate();

    ViewContext context_;
    RecordSource* source_;
    InspectorSource* measurer_;
    RecordMarks* marks_;
    RecordTableModel* model_;
    StateRow* states_;
    MessageBar* bar_;
    QSplitter* splitter_;
    Panel* plotPanel_;
    Panel* tablePanel_;
    CurvePlot* plot_;
    TableView* table_;
    EmptyState* empty_;
    QComboBox* statistic_;
    QToolButton* compareTool_ = nullptr;
    QToolButton* columnsTool_ = nullptr;
    QToolButton* exportTool_ = nullptr;
    QList<QAction*> actions_;
    QHash<QString, QAction*> byId_;
    QAction* clearFilterAction_;
    QAction* removeChipAction_;
    QAction* showFailedAction_;
    QAction* startAction_;
    bool open_ = false;
    bool selecting_ = false;
    bool barIsFilter_ = false;
    enum class BarAction { None, Undo, ClearFilter, Cancel } barAction_ = BarAction::None;
};

} // namespace tilewright::ui
