// SPDX-License-Identifier: GPL-3.0-or-later
// How the New session page is laid out.
#include "new_session_page.h"

#include "check_list.h"
#include "preset_card.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/plan_task_model.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kInputWidth = 118;

QFormLayout* makeForm(QWidget* parent) {
    auto* form = new QFormLayout(parent);
    form->setContentsMargins(12, 8, 12, 8);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(6);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFormAlignment(Qt::AlignTop);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    return form;
}

QFrame* makeLine() {
    auto* line = new QFrame;
    line->setProperty("kind", "hline");
    return line;
}

} // namespace

QSpinBox* NewSessionPage::addSpin(QFormLayout* form, const QString& name, int low, int high,
                                  int value) {
    auto* spin = new QSpinBox;
    spin->setObjectName(name);
    spin->setRange(low, high);
    spin->setValue(value);
    spin->setAlignment(Qt::AlignRight);
    spin->setFixedWidth(kInputWidth);
    spin->setGroupSeparatorShown(true);
    auto* label = new QLabel;
    label->setBuddy(spin);
    labels_.append({label, nullptr});
    form->addRow(label, spin);
    connect(spin, &QSpinBox::valueChanged, this, &NewSessionPage::planChanged);
    return spin;
}

void NewSessionPage::build() {
    setObjectName(QStringLiteral("newSessionPage"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(bar_);
    layout->addWidget(buildHeader());
    auto* columns = new QHBoxLayout;
    columns->setSpacing(8);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(buildPresets());
    auto* middle = new QHBoxLayout;
    middle->setSpacing(8);
    middle->addWidget(buildMiddle(), 2);
    middle->addWidget(buildSettings(), 1);
    left->addLayout(middle, 1);
    columns->addLayout(left, 74);
    columns->addWidget(buildSide(), 26);
    layout->addLayout(columns, 1);
}

QWidget* NewSessionPage::buildHeader() {
    auto* header = new QWidget;
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(12, 4, 0, 4);
    layout->setSpacing(8);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    QFont font = Theme::fontOf(this, Theme::Title);
    font.setWeight(QFont::DemiBold);
    title_->setFont(font);
    subtitle_->setProperty("role", "secondary");
    subtitle_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    texts->addWidget(title_);
    texts->addWidget(subtitle_);
    layout->addLayout(texts, 1);
    const auto field = [&](QLineEdit* edit, const QString& name, int width) {
        auto* label = new QLabel;
        label->setProperty("role", "secondary");
        label->setBuddy(edit);
        labels_.append({label, nullptr});
        edit->setObjectName(name);
        edit->setMinimumWidth(90);
        edit->setMaximumWidth(width);
        layout->addWidget(label);
        layout->addWidget(edit, 1);
        connect(edit, &QLineEdit::textEdited, this, &NewSessionPage::planChanged);
    };
    field(target_, QStringLiteral("planTarget"), 200);
    field(workDir_, QStringLiteral("planWorkDir"), 320);
    return header;
}

QWidget* NewSessionPage::buildPresets() {
    auto* row = new QWidget;
    row->setObjectName(QStringLiteral("presets"));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (int i = 0; i < 4; ++i) {
        auto* card = new PresetCard(row);
        const auto effort = static_cast<session::Effort>(i);
        card->setObjectName(
            QStringLiteral("preset.%1").arg(QString::fromUtf8(session::toString(effort).data())));
        card->setChecked(i == 0);
        layout->addWidget(card);
        presets_.append(card);
        connect(card, &QAbstractButton::clicked, this, [this, effort] { chooseEffort(effort); });
    }
    return row;
}

QWidget* NewSessionPage::buildMiddle() {
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    table_->setObjectName(QStringLiteral("planTasks"));
    table_->setModel(tasks_);
    table_->setDefaultSort(PlanTaskModel::ShareColumn, Qt::DescendingOrder);
    table_->setColumnWidth(PlanTaskModel::NameColumn, 190);
    table_->setSettingsKey(QStringLiteral("plan-tasks"), context_.settings);
    tasksPanel_->setObjectName(QStringLiteral("planTasksPanel"));
    tasksPanel_->setContent(table_);
    layout->addWidget(tasksPanel_, 1);

    auto* form = new QWidget;
    QFormLayout* rows = makeForm(form);
    trials_ = addSpin(rows, QStringLiteral("planTrials"), 1, 1'000'000'000, 1000);
    minutes_->setObjectName(QStringLiteral("planMinutes"));
    minutes_->setRange(0, 100'000);
    minutes_->setDecimals(1);
    minutes_->setAlignment(Qt::AlignRight);
    minutes_->setFixedWidth(kInputWidth);
    auto* label = new QLabel;
    label->setBuddy(minutes_);
    labels_.append({label, nullptr});
    rows->addRow(label, minutes_);
    connect(minutes_, &QDoubleSpinBox::valueChanged, this, &NewSessionPage::planChanged);
    perTask_ = addSpin(rows, QStringLiteral("planPerTask"), 0, 1'000'000'000, 0);
    stopIdle_->setObjectName(QStringLiteral("planStopIdle"));
    idleTrials_->setObjectName(QStringLiteral("planIdleTrials"));
    idleTrials_->setRange(1, 1'000'000);
    idleTrials_->setValue(400);
    idleTrials_->setAlignment(Qt::AlignRight);
    idleTrials_->setFixedWidth(kInputWidth);
    rows->addRow(stopIdle_, idleTrials_);
    connect(stopIdle_, &QCheckBox::toggled, this, &NewSessionPage::planChanged);
    connect(idleTrials_, &QSpinBox::valueChanged, this, &NewSessionPage::planChanged);
    budgetPanel_->setObjectName(QStringLiteral("planBudget"));
    budgetPanel_->setMaximizable(false);
    budgetPanel_->setContent(form);
    layout->addWidget(budgetPanel_);
    return column;
}

QWidget* NewSessionPage::buildSettings() {
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    const auto field = [this](QFormLayout* form, QWidget* widget, const QString& name) {
        widget->setObjectName(name);
        widget->setFixedWidth(kInputWidth);
        auto* label = new QLabel;
        label->setBuddy(widget);
        labels_.append({label, nullptr});
        form->addRow(label, widget);
    };
    auto* run = new QWidget;
    QFormLayout* runForm = makeForm(run);
    field(runForm, devices_, QStringLiteral("planDevices"));
    connect(devices_, &QLineEdit::textEdited, this, &NewSessionPage::planChanged);
    number_ = addSpin(runForm, QStringLiteral("planNumber"), 1, 100000, 3);
    repeat_ = addSpin(runForm, QStringLiteral("planRepeat"), 1, 1000, 1);
    minRepeat_ = addSpin(runForm, QStringLiteral("planMinRepeat"), 0, 60000, 100);
    runPanel_->setObjectName(QStringLiteral("planRun"));
    runPanel_->setMaximizable(false);
    runPanel_->setContent(run);
    layout->addWidget(runPanel_, 1);

    auto* search = new QWidget;
    QFormLayout* searchForm = makeForm(search);
    costModel_->addItem(QStringLiteral("XGBoost"), QStringLiteral("xgb"));
    costModel_->addItem(QString(), QStringLiteral("random"));
    field(searchForm, costModel_, QStringLiteral("planCostModel"));
    strategy_->addItem(QString(), QStringLiteral("evolutionary"));
    strategy_->addItem(QString(), QStringLiteral("replay-trace"));
    field(searchForm, strategy_, QStringLiteral("planStrategy"));
    perRound_ = addSpin(searchForm, QStringLiteral("planPerRound"), 0, 100000, 0);
    seed_ = addSpin(searchForm, QStringLiteral("planSeed"), 0, 2'000'000'000, 1);
    connect(costModel_, &QComboBox::currentIndexChanged, this, &NewSessionPage::planChanged);
    connect(strategy_, &QComboBox::currentIndexChanged, this, &NewSessionPage::planChanged);
    searchPanel_->setObjectName(QStringLiteral("planSearch"));
    searchPanel_->setMaximizable(false);
    searchPanel_->setContent(search);
    layout->addWidget(searchPanel_, 1);
    return column;
}

QWidget* NewSessionPage::buildSide() {
    auto* content = new QWidget;
    content->setProperty("kind", "plain");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    estimateTitle_->setProperty("role", "secondary");
    QFont big = Theme::fontOf(this, Theme::Big);
    estimate_->setFont(big);
    estimate_->setObjectName(QStringLiteral("planEstimate"));
    estimateNote_->setProperty("role", "secondary");
    estimateNote_->setWordWrap(true);
    layout->addWidget(estimateTitle_);
    layout->addWidget(estimate_);
    layout->addWidget(estimateNote_);
    layout->addWidget(makeLine());
    auto* head = new QHBoxLayout;
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    checksTitle_->setFont(strong);
    commandTitle_->setFont(strong);
    checksNote_->setProperty("role", "secondary");
    checksNote_->setAlignment(Qt::AlignRight);
    checksNote_->setObjectName(QStringLiteral("planChecksNote"));
    head->addWidget(checksTitle_);
    head->addWidget(checksNote_, 1);
    layout->addLayout(head);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* holder = new QWidget;
    holder->setProperty("kind", "plain");
    auto* held = new QVBoxLayout(holder);
    held->setContentsMargins(0, 0, 4, 0);
    held->addWidget(checkList_);
    held->addStretch(1);
    scroll->setWidget(holder);
    layout->addWidget(scroll, 1);
    tryButton_->setObjectName(QStringLiteral("planTryTasks"));
    tryButton_->setProperty("kind", "link");
    layout->addWidget(tryButton_, 0, Qt::AlignLeft);
    layout->addWidget(makeLine());
    auto* commandHead = new QHBoxLayout;
    copy_->setObjectName(QStringLiteral("planCopy"));
    copy_->setProperty("kind", "tool");
    commandHead->addWidget(commandTitle_, 1);
    commandHead->addWidget(copy_);
    layout->addLayout(commandHead);
    command_->setObjectName(QStringLiteral("planCommand"));
    command_->setReadOnly(true);
    command_->setFont(Theme::fontOf(this, Theme::Code));
    command_->setFixedHeight(104);
    layout->addWidget(command_);
    auto* buttons = new QHBoxLayout;
    cancel_->setObjectName(QStringLiteral("planCancel"));
    start_->setObjectName(QStringLiteral("planStart"));
    start_->setProperty("kind", "primary");
    start_->setDefault(true);
    buttons->addWidget(cancel_);
    buttons->addStretch(1);
    buttons->addWidget(start_);
    layout->addLayout(buttons);
    sidePanel_->setObjectName(QStringLiteral("planSide"));
    sidePanel_->setMaximizable(false);
    sidePanel_->setContent(content);
    return sidePanel_;
}

} // namespace tilewright::ui
