// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/session_planner.h>
#include <tilewright/ui/view_context.h>

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace tilewright::ui {

class CheckList;
class MessageBar;
class Panel;
class PlanTaskModel;
class PresetCard;
class TableView;

/// Everything about a session before it starts, and always what it comes to: time, checks, command
/// line.
class NewSessionPage : public QWidget {
    Q_OBJECT

public:
    NewSessionPage(const ViewContext& context, QWidget* parent = nullptr);

    /// Takes model, target and directory from the window's selection and looks at them.
    void prepare();
    [[nodiscard]] const session::SessionPlan& plan() const { return plan_; }
    [[nodiscard]] SessionPlanner* planner() const { return planner_; }
    /// The command line to copy.
    [[nodiscard]] QString commandLine() const;
    /// The checks are done and passed, and there are tasks.
    [[nodiscard]] bool readyToStart() const;
    /// Starts unless a check failed; tells started().
    void start();

signals:
    void started();
    void cancelled();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    QWidget* buildHeader();
    QWidget* buildPresets();
    QWidget* buildMiddle();
    QWidget* buildSettings();
    QWidget* buildSide();
    QSpinBox* addSpin(QFormLayout* form, const QString& name, int low, int high, int value);
    void connectParts();
    void retranslate();
    void chooseEffort(session::Effort effort);
    void showPlan();
    void planChanged();
    void readFields();
    void showEstimate();
    void showPresets();
    void showTasks();
    void showChecks();
    void check();
    void tryAll();

    ViewContext context_;
    SessionPlanner* planner_;
    session::SessionPlan plan_;
    session::Effort effort_ = session::Effort::Quick;
    bool showing_ = false;
    QTimer changed_;
    std::vector<session::EnvironmentCheck> checks_;
    std::vector<session::EnvironmentCheck> taskChecks_;
    bool checking_ = false;

    MessageBar* bar_;
    QLabel* title_;
    QLabel* subtitle_;
    QLineEdit* workDir_;
    QLineEdit* target_;
    QVector<PresetCard*> presets_;
    Panel* tasksPanel_;
    PlanTaskModel* tasks_;
    TableView* table_;
    Panel* budgetPanel_;
    QSpinBox* trials_;
    QDoubleSpinBox* minutes_;
    QSpinBox* perTask_;
    QCheckBox* stopIdle_;
    QSpinBox* idleTrials_;
    Panel* runPanel_;
    QLineEdit* devices_;
    QSpinBox* number_;
    QSpinBox* repeat_;
    QSpinBox* minRepeat_;
    Panel* searchPanel_;
    QComboBox* costModel_;
    QComboBox* strategy_;
    QSpinBox* perRound_;
    QSpinBox* seed_;
    QVector<QPair<QLabel*, const char*>> labels_;
    Panel* sidePanel_;
    QLabel* estimateTitle_;
    QLabel* estimate_;
    QLabel* estimateNote_;
    QLabel* checksTitle_;
    QLabel* checksNote_;
    CheckList* checkList_;
    QPushButton* tryButton_;
    QLabel* commandTitle_;
    QPushButton* copy_;
    QPlainTextEdit* command_;
    QPushButton* cancel_;
    QPushButton* start_;
};

} // namespace tilewright::ui
