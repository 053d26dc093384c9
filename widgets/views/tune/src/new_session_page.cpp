// SPDX-License-Identifier: GPL-3.0-or-later
#include "new_session_page.h"

#include "check_list.h"
#include "preset_card.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/plan_task_model.h>
#include <tilewright/ui/table_view.h>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>

#include <cmath>

namespace tilewright::ui {

namespace {

/// Where the results of a model go when nobody says.
QString usualWorkDir(const QString& model) {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    const QString name = QFileInfo(model).completeBaseName();
    return QDir(data).filePath(
        QStringLiteral("tilewright/%1").arg(name.isEmpty() ? QStringLiteral("work") : name));
}

} // namespace

NewSessionPage::NewSessionPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), planner_(new SessionPlanner(this)), bar_(new MessageBar),
      title_(new QLabel), subtitle_(new QLabel), workDir_(new QLineEdit), target_(new QLineEdit),
      tasksPanel_(new Panel), tasks_(new PlanTaskModel(this)), table_(new TableView),
      budgetPanel_(new Panel), minutes_(new QDoubleSpinBox), stopIdle_(new QCheckBox),
      idleTrials_(new QSpinBox), runPanel_(new Panel), devices_(new QLineEdit),
      searchPanel_(new Panel), costModel_(new QComboBox), strategy_(new QComboBox),
      sidePanel_(new Panel), estimateTitle_(new QLabel), estimate_(new QLabel),
      estimateNote_(new QLabel), checksTitle_(new QLabel), checksNote_(new QLabel),
      checkList_(new CheckList), tryButton_(new QPushButton), commandTitle_(new QLabel),
      copy_(new QPushButton), command_(new QPlainTextEdit), cancel_(new QPushButton),
      start_(new QPushButton) {
    build();
    changed_.setSingleShot(true);
    changed_.setInterval(400);
    connectParts();
    retranslate();
}

void NewSessionPage::connectParts() {
    connect(&changed_, &QTimer::timeout, this, &NewSessionPage::check);
    connect(tasks_, &PlanTaskModel::chosenChanged, this, &NewSessionPage::planChanged);
    connect(table_, &TableView::activated, this, [this](const QModelIndex& index) {
        tasks_->setChosen(index.row(), !tasks_->isChosen(index.row()));
    });
    const auto tool = [this](const QString& name, auto work) {
        QToolButton* button = tasksPanel_->addTool(QStringLiteral("-"));
        button->setObjectName(name);
        connect(button, &QToolButton::clicked, this, work);
    };
    tool(QStringLiteral("planToggle"), [this] {
        const QModelIndexList rows = table_->selectedRows();
        for (const QModelIndex& row : rows)
            tasks_->setChosen(row.row(), !tasks_->isChosen(row.row()));
    });
    tool(QStringLiteral("planAll"), [this] { tasks_->chooseAll(true); });
    tool(QStringLiteral("planNone"), [this] { tasks_->chooseAll(false); });
    tool(QStringLiteral("planTop"), [this] { tasks_->chooseTop(0.9); });
    connect(planner_, &SessionPlanner::described, this, [this](const ModelOverviewPtr& overview) {
        tasks_->setOverview(overview);
        if (overview->needsShapes)
            bar_->showMessage(MessageBar::Warning, QString::fromStdString(overview->problem));
        else
            bar_->clear();
        chooseEffort(effort_);
    });
    connect(planner_, &SessionPlanner::describeFailed, this, [this](const QString& message) {
        tasks_->setOverview(nullptr);
        bar_->showMessage(MessageBar::Error, message);
        showEstimate();
    });
    connect(planner_, &SessionPlanner::checked, this, [this](const PlanChecksPtr& checks) {
        checking_ = false;
        checks_ = *checks;
        showChecks();
    });
    connect(planner_, &SessionPlanner::checkFailed, this, [this](const QString& message) {
        checking_ = false;
        checks_ = {{"workers", session::CheckState::Fail, message.toStdString(), {}}};
        showChecks();
    });
    connect(planner_, &SessionPlanner::tried, this,
            [this](int done, int all, const PlanChecksPtr& checks) {
                tryButton_->setText(tr("Built and run: %1 of %2").arg(done).arg(all));
                if (!checks)
                    return;
                taskChecks_ = *checks;
                showChecks();
            });
    connect(planner_, &SessionPlanner::tryFailed, this, [this](const QString& message) {
        taskChecks_ = {{"tasks", session::CheckState::Fail, message.toStdString(), {}}};
        showChecks();
    });
    connect(checkList_, &CheckList::fixWanted, this,
            [this](const QString& name, const QString& advice) {
                QGuiApplication::clipboard()->setText(advice);
                bar_->showMessage(MessageBar::Info, tr("%1: %2 (copied)").arg(name, advice));
            });
    connect(tryButton_, &QPushButton::clicked, this, &NewSessionPage::tryAll);
    connect(copy_, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(commandLine()); });
    connect(cancel_, &QPushButton::clicked, this, &NewSessionPage::cancelled);
    connect(start_, &QPushButton::clicked, this, &NewSessionPage::start);
}

void NewSessionPage::retranslate() {
    title_->setText(tr("New session"));
    const QStringList texts{tr("Target"),
                            tr("Work directory"),
                            tr("Trials of all tasks"),
                            tr("Time limit"),
                            tr("Trials of a task"),
                            tr("Device"),
                            tr("Calls a sample"),
                            tr("Samples"),
                            tr("Shortest sample"),
                            tr("Cost model"),
                            tr("Strategy"),
                            tr("Candidates a round"),
                            tr("Seed")};
    for (qsizetype i = 0; i < labels_.size() && i < texts.size(); ++i) {
        labels_.at(i).first->setText(texts.at(i));
        if (QWidget* buddy = labels_.at(i).first->buddy())
            buddy->setAccessibleName(texts.at(i));
    }
    tasksPanel_->setTitle(tr("Tasks"));
    budgetPanel_->setTitle(tr("When to stop"));
    runPanel_->setTitle(tr("Build and run"));
    searchPanel_->setTitle(tr("Search"));
    sidePanel_->setTitle(tr("Before you start"));
    const auto name = [this](const char* tool, const QString& text, const QString& hint) {
        auto* button = tasksPanel_->findChild<QToolButton*>(QLatin1String(tool));
        button->setText(text);
        button->setToolTip(hint);
    };
    name("planToggle", tr("Toggle"), tr("Takes the selected task in or out (Enter)"));
    name("planAll", tr("All"), tr("Tunes every task"));
    name("planNone", tr("None"), tr("Clears the choice"));
    name("planTop", tr("Top 90 %"), tr("The tasks that make up 90 % of the estimated time"));
    minutes_->setSpecialValueText(tr("none"));
    minutes_->setSuffix(tr(" min"));
    perTask_->setSpecialValueText(tr("no limit"));
    perRound_->setSpecialValueText(tr("automatic"));
    minRepeat_->setSuffix(tr(" ms"));
    idleTrials_->setSuffix(tr(" trials"));
    stopIdle_->setText(tr("Stop a task without gain after"));
    stopIdle_->setToolTip(tr("A task ends after so many trials in a row without a gain of 0.5 %"));
    idleTrials_->setAccessibleName(tr("Trials without gain"));
    devices_->setPlaceholderText(tr("this machine"));
    devices_->setToolTip(tr("Keys of the device list, separated by commas"));
    costModel_->setItemText(1, tr("random"));
    strategy_->setItemText(0, tr("evolutionary"));
    strategy_->setItemText(1, tr("random samples"));
    table_->setAccessibleName(tr("Tasks to tune"));
    estimateTitle_->setText(tr("Estimated time"));
    checksTitle_->setText(tr("Checks"));
    tryButton_->setText(tr("Build and run each task once"));
    tryButton_->setToolTip(tr("Finds tasks whose trials would all fail, before the start"));
    commandTitle_->setText(tr("Command line"));
    command_->setAccessibleName(tr("The same session as a command line"));
    copy_->setText(tr("Copy"));
    copy_->setAccessibleName(tr("Copy the command line"));
    cancel_->setText(tr("Cancel"));
    start_->setText(tr("Start"));
    start_->setIcon(themedIcon(QStringLiteral("start")));
    start_->setToolTip(tr("Starts the engine as a process of its own: it goes on when this window "
                          "is closed"));
    showPlan();
}

void NewSessionPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void NewSessionPage::prepare() {
    QString input = context_.state ? context_.state->modelPath() : QString();
    if (input.isEmpty() && context_.live->snapshot())
        input = QString::fromStdString(context_.live->snapshot()->input);
    if (input.toStdString() != plan_.input) {
        plan_ = {};
        plan_.input = input.toStdString();
    }
    if (context_.state && !context_.state->target().isEmpty())
        plan_.target = context_.state->target().toStdString();
    const QString dir = context_.state && !context_.state->workDir().isEmpty()
                            ? context_.state->workDir()
                            : usualWorkDir(input);
    plan_.workDir = dir.toStdString();
    checks_.clear();
    taskChecks_.clear();
    if (input.isEmpty())
        bar_->showMessage(MessageBar::Warning, tr("No model is open: there is nothing to tune."));
    else
        planner_->describe(plan_);
    chooseEffort(effort_);
    check();
}

void NewSessionPage::chooseEffort(session::Effort effort) {
    effort_ = effort;
    plan_ = SessionPlanner::withEffort(plan_, effort, tasks_->chosenCount());
    showPlan();
    planChanged();
}

/// Puts the plan into the fields.
void NewSessionPage::showPlan() {
    showing_ = true;
    const QString model = QString::fromStdString(plan_.input);
    subtitle_->setText(model.isEmpty() ? tr("no model")
                                       : tr("%1, on %2")
                                             .arg(QFileInfo(model).fileName(),
                                                  QString::fromStdString(plan_.target)));
    subtitle_->setToolTip(model);
    const auto setText = [](QLineEdit* edit, const QString& text) {
        if (edit->text() != text)
            edit->setText(text);
    };
    setText(target_, QString::fromStdString(plan_.target));
    setText(workDir_, QString::fromStdString(plan_.workDir.string()));
    trials_->setValue(static_cast<int>(std::min<std::int64_t>(plan_.trials, 1'000'000'000)));
    minutes_->setValue(plan_.timeLimitSeconds / 60);
    perTask_->setValue(static_cast<int>(std::max<std::int64_t>(plan_.trialsPerTask, 0)));
    stopIdle_->setChecked(plan_.stopWithoutGain > 0);
    presets_.at(static_cast<int>(effort_))->setChecked(true);
    showing_ = false;
    showPresets();
    showEstimate();
    showTasks();
}

void NewSessionPage::planChanged() {
    if (showing_)
        return;
    readFields();
    showPresets();
    showEstimate();
    showTasks();
    changed_.start();
}

void NewSessionPage::readFields() {
    const bool budgetTouched =
        trials_->value() != plan_.trials ||
        std::abs(minutes_->value() * 60 - plan_.timeLimitSeconds) > 3.1 ||
        (stopIdle_->isChecked() ? idleTrials_->value() : 0) != plan_.stopWithoutGain;
    if (budgetTouched && effort_ != session::Effort::Custom) {
        effort_ = session::Effort::Custom;
        presets_.at(static_cast<int>(effort_))->setChecked(true);
    }
    plan_.target = target_->text().trimmed().toStdString();
    plan_.workDir = workDir_->text().trimmed().toStdString();
    plan_.trials = trials_->value();
    if (std::abs(minutes_->value() * 60 - plan_.timeLimitSeconds) > 3.1)
        plan_.timeLimitSeconds = minutes_->value() * 60;
    plan_.trialsPerTask = perTask_->value() > 0 ? perTask_->value() : -1;
    plan_.stopWithoutGain = stopIdle_->isChecked() ? idleTrials_->value() : 0;
    idleTrials_->setEnabled(stopIdle_->isChecked());
    plan_.devices = devices_->text().trimmed().toStdString();
    QStringList evaluator;
    if (number_->value() != 3)
        evaluator << QStringLiteral("number=%1").arg(number_->value());
    if (repeat_->value() != 1)
        evaluator << QStringLiteral("repeat=%1").arg(repeat_->value());
    if (minRepeat_->value() != 100)
        evaluator << QStringLiteral("min-repeat-ms=%1").arg(minRepeat_->value());
    plan_.evaluator = evaluator.join(QLatin1Char(',')).toStdString();
    plan_.costModel = costModel_->currentData().toString().toStdString();
    plan_.strategy = strategy_->currentData().toString().toStdString();
    plan_.trialsPerRound = perRound_->value();
    plan_.seed = seed_->value();
    plan_.tasks.clear();
    for (const QString& task : tasks_->chosenNames())
        plan_.tasks.push_back(task.toStdString());
}

void NewSessionPage::showPresets() {
    const QStringList names{tr("Quick"), tr("Standard"), tr("Thorough"), tr("Custom")};
    const QStringList notes{tr("a first look"), tr("most of the gain"), tr("for a release"),
                            tr("trials, time or until no gain")};
    for (int i = 0; i < 4; ++i) {
        const auto effort = static_cast<session::Effort>(i);
        const session::SessionPlan plan =
            SessionPlanner::withEffort(plan_, effort, tasks_->chosenCount());
        const session::PlanEstimate estimate = planner_->estimate(plan);
        QString big = i == 3 && effort_ != session::Effort::Custom
                          ? tr("your own")
                          : tr("≈ %1").arg(spanRangeText(estimate.seconds, estimate.seconds));
        if (i == 0)
            big = tr("about 30 s");
        const QString note =
            i == 3 ? notes.at(i) : tr("%1 trials, %2").arg(groupedCount(plan.trials), notes.at(i));
        presets_.at(i)->setTexts(names.at(i), big, note);
    }
}

void NewSessionPage::showEstimate() {
    const session::PlanEstimate estimate = planner_->estimate(plan_);
    estimate_->setText(spanRangeText(estimate.low, estimate.high));
    const QDateTime end =
        QDateTime::currentDateTime().addSecs(static_cast<qint64>(estimate.seconds));
    const QString when = QLocale().toString(end.time(), QStringLiteral("HH:mm"));
    const QString rate = QLocale().toString(std::round(estimate.trialsPerMinute), 'f', 0);
    estimateNote_->setText(
        estimate.measured
            ? tr("done about %1, from %2 trials/min in the last session here").arg(when, rate)
            : tr("done about %1, if this machine does %2 trials/min; not measured here yet")
                  .arg(when, rate));
    command_->setPlainText(commandLine());
    start_->setEnabled(!plan_.input.empty() && tasks_->chosenCount() > 0 &&
                       checkList_->blocker().isEmpty());
}

void NewSessionPage::showTasks() {
    const QString share = QLocale().toString(tasks_->chosenShare() * 100, 'f', 1);
    tasksPanel_->setNote(tasks_->rowCount() == 0 ? tr("none yet")
                                                 : tr("%1 of %2, %3 % of the time")
                                                       .arg(tasks_->chosenCount())
                                                       .arg(tasks_->rowCount())
                                                       .arg(share));
}

void NewSessionPage::check() {
    checking_ = true;
    if (checks_.empty()) {
        checkList_->setChecking();
        checksNote_->setText(checkList_->summary());
    }
    planner_->check(plan_);
}

void NewSessionPage::showChecks() {
    std::vector<session::EnvironmentCheck> shown = checks_;
    if (!taskChecks_.empty()) {
        std::size_t passed = 0;
        for (const session::EnvironmentCheck& task : taskChecks_) {
            if (task.state == session::CheckState::Ok)
                ++passed;
            else
                shown.push_back(task);
        }
        session::EnvironmentCheck all;
        all.name = "tasks";
        all.state =
            passed == taskChecks_.size() ? session::CheckState::Ok : session::CheckState::Warn;
        all.found = std::to_string(passed) + " / " + std::to_string(taskChecks_.size());
        shown.push_back(all);
        tryButton_->setText(tr("Build and run each task once"));
    }
    checkList_->setChecks(shown);
    checksNote_->setText(checkList_->summary());
    start_->setToolTip(checkList_->blocker().isEmpty()
                           ? tr("Starts the engine as a process of its own: it goes on when this "
                                "window is closed")
                           : tr("Cannot start. %1").arg(checkList_->blocker()));
    showEstimate();
}

void NewSessionPage::tryAll() {
    taskChecks_.clear();
    tryButton_->setText(tr("Building and running…"));
    planner_->tryTasks(plan_);
}

QString NewSessionPage::commandLine() const {
    return plan_.input.empty() ? QString() : SessionPlanner::commandLine(plan_);
}

bool NewSessionPage::readyToStart() const {
    return !checking_ && !checks_.empty() && start_->isEnabled();
}

void NewSessionPage::start() {
    readFields();
    if (!start_->isEnabled())
        return;
    planner_->cancelTrying();
    const QString dir = QString::fromStdString(plan_.workDir.string());
    QStringList arguments = SessionPlanner::arguments(plan_);
    context_.live->start(arguments, dir);
    if (context_.state) {
        context_.state->setWorkDir(dir);
        context_.state->setTarget(QString::fromStdString(plan_.target));
    }
    emit started();
}

} // namespace tilewright::ui
