// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_compare.h"

#include "compare_rows.h"

#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>

#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using session::RecordForm;

RecordCompare::RecordCompare(CompareSource* source, QWidget* parent)
    : QWidget(parent), source_(source), refusal_(new MessageBar), traces_(new TraceDiffView),
      codePanel_(new Panel), code_(new DiffView), forms_(new QButtonGroup(this)), same_(new QLabel),
      names_(new QCheckBox), labels_(new QCheckBox), addresses_(new QCheckBox),
      comments_(new QCheckBox), metadata_(new QCheckBox), fold_(new QCheckBox), place_(new QLabel) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(8);
    page->addWidget(refusal_);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setHandleWidth(8);
    splitter->setChildrenCollapsible(false);
    traces_->setObjectName(QStringLiteral("traceDiff"));
    code_->setObjectName(QStringLiteral("codeDiff"));
    code_->setFoldEqual(true);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* options = new QWidget;
    auto* row = new QHBoxLayout(options);
    row->setContentsMargins(12, 2, 12, 2);
    row->setSpacing(10);
    row->addWidget(same_);
    const QList<QPair<QCheckBox*, const char*>> boxes{
        {names_, "names"},       {labels_, "labels"},     {addresses_, "addresses"},
        {comments_, "comments"}, {metadata_, "metadata"}, {fold_, "fold"}};
    for (const auto& [box, name] : boxes) {
        box->setChecked(true);
        box->setObjectName(QStringLiteral("normalize_") + QLatin1String(name));
        row->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &RecordCompare::askCode);
    }
    row->addStretch(1);
    column->addWidget(options);
    column->addWidget(code_, 1);
    codePanel_->setContent(content);
    for (const auto& [form, name] : {std::pair(RecordForm::Tir, "IR"),
                                     {RecordForm::Llvm, "LLVM IR"},
                                     {RecordForm::Asm, "Asm"}}) {
        QToolButton* button = codePanel_->addTool(QLatin1String(name));
        button->setObjectName(QStringLiteral("form_%1").arg(static_cast<int>(form)));
        button->setCheckable(true);
        button->setChecked(form == RecordForm::Tir);
        forms_->addButton(button, static_cast<int>(form));
    }
    codePanel_->addTool(place_);
    QToolButton* previous = codePanel_->addTool(QString(), QStringLiteral("previous-difference"));
    QToolButton* next = codePanel_->addTool(QString(), QStringLiteral("next-difference"));
    previous->setAccessibleName(tr("Previous difference"));
    next->setAccessibleName(tr("Next difference"));
    connect(previous, &QToolButton::clicked, code_, &DiffView::previousDifference);
    connect(next, &QToolButton::clicked, code_, &DiffView::nextDifference);
    connect(forms_, &QButtonGroup::idClicked, this, &RecordCompare::askCode);
    connect(source_, &CompareSource::codeReady, this, &RecordCompare::showCode);
    connect(source_, &CompareSource::codeFailed, this, [this](RecordForm, const QString& message) {
        code_->setRows({});
        refusal_->showMessage(MessageBar::Warning, message);
    });
    connect(code_, &DiffView::currentDifferenceChanged, this, [this](int index, int count) {
        place_->setText(index < 0 ? tr("%n difference(s)", nullptr, count)
                                  : tr("%1 of %2").arg(index + 1).arg(count));
    });
    connect(traces_, &TraceDiffView::decisionSelected, this, &RecordCompare::markLoop);
    splitter->addWidget(traces_);
    splitter->addWidget(codePanel_);
    splitter->setSizes({340, 320});
    page->addWidget(splitter, 1);
    retranslate();
}

RecordForm RecordCompare::form() const {
    return static_cast<RecordForm>(forms_->checkedId());
}

session::NormalizeOptions RecordCompare::options() const {
    return {names_->isChecked(), labels_->isChecked(), addresses_->isChecked(),
            comments_->isChecked(), metadata_->isChecked()};
}

void RecordCompare::showComparison() {
    const RecordComparisonPtr records = source_->records();
    if (!records)
        return;
    refusal_->clear();
    const bool refused = !records->refusal.empty();
    traces_->setVisible(!refused);
    codePanel_->setVisible(!refused && records->records.size() >= 2);
    if (refused) {
        refusal_->showMessage(
            MessageBar::Warning,
            tr("Not comparable, because: %1").arg(QString::fromStdString(records->refusal)));
        return;
    }
    if (!records->notComparable.empty())
        refusal_->showMessage(MessageBar::Info,
                              tr("Times are not comparable, because: %1")
                                  .arg(QString::fromStdString(records->notComparable)));
    traces_->setDiff(CompareRows::traceDiff(*records));
    traces_->setDifferencesOnly(records->records.size() > 2);
    askCode();
}

void RecordCompare::askCode() {
    if (!source_->records() || !source_->records()->refusal.empty())
        return;
    const RecordForm wanted = form();
    labels_->setEnabled(wanted != RecordForm::Tir);
    addresses_->setEnabled(wanted != RecordForm::Tir);
    metadata_->setEnabled(wanted != RecordForm::Tir);
    code_->setLanguage(wanted == RecordForm::Tir   ? CodeView::Tir
                       : wanted == RecordForm::Asm ? CodeView::Asm
                                                   : CodeView::Llvm);
    code_->setFoldEqual(fold_->isChecked());
    // Folding is the view's: a fold can be opened again.
    source_->compareCode(wanted, options(), false);
}

void RecordCompare::showCode(RecordForm wanted, const SideBySidePtr& code) {
    if (wanted != form())
        return;
    const QString name = wanted == RecordForm::Tir    ? tr("IR after the schedule")
                         : wanted == RecordForm::Llvm ? tr("LLVM IR after optimisation")
                                                      : tr("assembly");
    int left = 0;
    int right = 0;
    for (const session::SideRow& row : code->rows) {
        left += row.leftLine > 0;
        right += row.rightLine > 0;
    }
    code_->setTitles(tr("A   %1, %n line(s)", nullptr, left).arg(name),
                     tr("B   %1, %n line(s)", nullptr, right).arg(name));
    code_->setRows(CompareRows::codeRows(*code));
    place_->setText(code->equal() ? tr("equal")
                                  : tr("%n difference(s)", nullptr, code->differences));
}

void RecordCompare::markLoop(int decision) {
    const RecordComparisonPtr records = source_->records();
    if (!records || decision < 0 || decision >= static_cast<int>(records->decisions.rows.size()))
        return;
    // The loops that a tile makes are named after its loop: co_0, co_1, …
    const session::DecisionRow& row = records->decisions.rows[static_cast<std::size_t>(decision)];
    codePanel_->setNote(tr("linked to decision %1").arg(QString::fromStdString(row.name)));
    code_->left()->findNext(QString::fromStdString(row.name) + QStringLiteral("_"));
}

void RecordCompare::nextDifference() {
    if (code_->isAncestorOf(focusWidget()))
        code_->nextDifference();
    else
        traces_->nextDifference();
}

void RecordCompare::previousDifference() {
    if (code_->isAncestorOf(focusWidget()))
        code_->previousDifference();
    else
        traces_->previousDifference();
}

void RecordCompare::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showComparison();
    }
    QWidget::changeEvent(event);
}

void RecordCompare::retranslate() {
    codePanel_->setTitle(tr("Code"));
    same_->setText(tr("taken away on both sides:"));
    same_->setProperty("role", QStringLiteral("secondary"));
    names_->setText(tr("names"));
    labels_->setText(tr("labels"));
    addresses_->setText(tr("addresses"));
    comments_->setText(tr("comments"));
    metadata_->setText(tr("metadata"));
    fold_->setText(tr("fold equal"));
    code_->setAccessibleName(tr("Code of A and B side by side"));
    traces_->setAccessibleName(tr("Decisions and instructions of A and B"));
}

} // namespace tilewright::ui
