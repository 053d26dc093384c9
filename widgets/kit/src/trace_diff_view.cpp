// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/trace_diff_view.h>

#include "trace_diff_models.h"

#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

TraceDiffView::TraceDiffView(QWidget* parent)
    : QWidget(parent), decisionPanel_(new Panel(tr("Decisions"), this)),
      instructionPanel_(new Panel(tr("Instructions"), this)), decisions_(new TableView),
      instructions_(new TableView), decisionModel_(new TraceDecisionModel(this)),
      instructionModel_(new TraceInstructionModel(this)), banner_(new MessageBar), only_(nullptr),
      all_(nullptr), place_(new QLabel) {
    decisions_->setObjectName(QStringLiteral("traceDecisions"));
    decisions_->setAccessibleName(tr("Decisions of both schedules"));
    instructions_->setObjectName(QStringLiteral("traceInstructions"));
    instructions_->setAccessibleName(tr("Aligned instructions"));
    decisions_->setModelSorts(true); // the order tells: changed rows first, then as scheduled
    instructions_->setModelSorts(true);
    decisions_->setModel(decisionModel_);
    instructions_->setModel(instructionModel_);
    for (TableView* table : {decisions_, instructions_})
        table->view()->horizontalHeader()->setSectionsClickable(false);
    QHeaderView* sides = instructions_->view()->horizontalHeader();
    sides->setStretchLastSection(false);
    sides->setSectionResizeMode(TraceInstructionModel::LeftText, QHeaderView::Stretch);
    sides->setSectionResizeMode(TraceInstructionModel::RightText, QHeaderView::Stretch);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(decisions_, 1);
    column->addWidget(banner_);
    decisionPanel_->setContent(left);
    instructionPanel_->setContent(instructions_);
    only_ = decisionPanel_->addTool(tr("Differences only"));
    only_->setCheckable(true);
    connect(only_, &QToolButton::toggled, this, &TraceDiffView::setDifferencesOnly);
    connect(decisionPanel_->addTool(tr("Copy as text")), &QToolButton::clicked, this,
            &TraceDiffView::copyAsText);
    all_ = instructionPanel_->addTool(tr("All instructions"));
    all_->setCheckable(true);
    all_->setChecked(true);
    connect(all_, &QToolButton::toggled, this, &TraceDiffView::setAllInstructions);
    QToolButton* back =
        instructionPanel_->addTool(tr("Previous difference (Alt+Up)"), QStringLiteral("back"));
    place_->setProperty("role", "secondary");
    place_->setFont(Theme::fontOf(this, Theme::Dense));
    instructionPanel_->addTool(place_);
    QToolButton* next =
        instructionPanel_->addTool(tr("Next difference (Alt+Down)"), QStringLiteral("forward"));
    connect(back, &QToolButton::clicked, this, &TraceDiffView::previousDifference);
    connect(next, &QToolButton::clicked, this, &TraceDiffView::nextDifference);
    instructionPanel_->setNote(tr("≠ decision   ~ attribute   − only A   + only B   ↕ moved"));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(decisionPanel_);
    splitter->addWidget(instructionPanel_);
    splitter->setStretchFactor(0, 5);
    splitter->setStretchFactor(1, 6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    connect(decisions_, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        const int decision = decisionModel_->decisionOf(index.row());
        if (decision < 0)
            return;
        instructions_->selectRow(instructionModel_->rowOf(diff_.decisions[decision].instruction));
        showPlace();
        emit decisionSelected(decision);
    });
    connect(instructions_, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        const int instruction = instructionModel_->instructionOf(index.row());
        if (instruction < 0)
            return;
        decisions_->selectRow(decisionModel_->rowOfInstruction(instruction));
        showPlace();
        emit instructionSelected(instruction);
    });
}

void TraceDiffView::setDiff(const TraceDiff& diff) {
    diff_ = diff;
    decisionPanel_->setNote(diff.note);
    decisionModel_->show(diff_, only_->isChecked());
    // With more than two records the decisions are the whole story.
    instructionPanel_->setVisible(diff.sides.size() == 2);
    instructionModel_->show(diff_, all_->isChecked());
    if (diff.banner.isEmpty())
        banner_->clear();
    else
        banner_->showMessage(MessageBar::Info,
                             diff.bannerDetail.isEmpty()
                                 ? diff.banner
                                 : diff.banner + QLatin1Char('\n') + diff.bannerDetail);
    showPlace();
}

void TraceDiffView::setDifferencesOnly(bool on) {
    only_->setChecked(on);
    decisionModel_->show(diff_, on);
}

bool TraceDiffView::differencesOnly() const {
    return only_->isChecked();
}

void TraceDiffView::setAllInstructions(bool on) {
    all_->setChecked(on);
    instructionModel_->show(diff_, on);
    showPlace();
}

int TraceDiffView::differenceCount() const {
    int count = 0;
    for (const InstructionRow& row : diff_.instructions)
        if (row.change != RowChange::Equal && !row.postprocessing)
            ++count;
    return count;
}

void TraceDiffView::showPlace() {
    const int current = instructionModel_->instructionOf(instructions_->currentIndex().row());
    int before = 0;
    for (int i = 0; i <= current && i < diff_.instructions.size(); ++i)
        if (diff_.instructions[i].change != RowChange::Equal &&
            !diff_.instructions[i].postprocessing)
            ++before;
    place_->setText(tr("%1 of %2").arg(before).arg(differenceCount()));
}

void TraceDiffView::step(int direction) {
    const QModelIndex current = instructions_->currentIndex();
    const int rows = instructionModel_->rowCount();
    int row = current.isValid() ? current.row() + direction : direction > 0 ? 0 : rows - 1;
    for (; row >= 0 && row < rows; row += direction) {
        const int instruction = instructionModel_->instructionOf(row);
        if (diff_.instructions[instruction].change == RowChange::Equal)
            continue;
        instructions_->selectRow(row);
        decisions_->selectRow(decisionModel_->rowOfInstruction(instruction));
        showPlace();
        emit instructionSelected(instruction);
        return;
    }
}

void TraceDiffView::nextDifference() {
    step(1);
}

void TraceDiffView::previousDifference() {
    step(-1);
}

QString TraceDiffView::unifiedText() const {
    QStringList out;
    for (const DecisionRow& row : diff_.decisions) {
        QStringList values;
        for (const QVector<DecisionPart>& value : row.values)
            values.append(joined(value));
        out.append(QStringLiteral("%1 %2\t%3\t%4\t%5")
                       .arg(row.changed ? QStringLiteral("≠") : QStringLiteral("="), row.name,
                            row.extent, values.join(QStringLiteral(" → ")), row.effect));
    }
    out.append(QString());
    for (const InstructionRow& row : diff_.instructions) {
        if (row.change == RowChange::Equal) {
            out.append(QStringLiteral("  ") + joined(row.left));
            continue;
        }
        if (row.leftLine >= 0)
            out.append(QStringLiteral("- ") + joined(row.left));
        if (row.rightLine >= 0)
            out.append(QStringLiteral("+ ") + joined(row.right));
    }
    return out.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void TraceDiffView::copyAsText() {
    QApplication::clipboard()->setText(unifiedText());
}

void TraceDiffView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down)
        nextDifference();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up)
        previousDifference();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tilewright::ui
