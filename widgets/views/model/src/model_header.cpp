// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_header.h"

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/overview_table.h>
#include <tilewright/ui/theme.h>

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

/// More inputs than these would push Start out of the page.
constexpr std::size_t kInputsShown = 3;

QString shapeText(const std::vector<std::int64_t>& shape) {
    QStringList words;
    for (const std::int64_t extent : shape)
        words << QString::number(extent);
    return words.join(QStringLiteral(", "));
}

QLabel* secondaryLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", QStringLiteral("secondary"));
    return label;
}

} // namespace

ModelHeader::ModelHeader(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), facts_(secondaryLabel({}, this)),
      shapeProblem_(new QLabel(this)), target_(new QComboBox(this)),
      reextract_(new QPushButton(this)), start_(new QPushButton(this)) {
    setObjectName(QStringLiteral("modelHeader"));
    title_->setObjectName(QStringLiteral("modelTitle"));
    facts_->setObjectName(QStringLiteral("modelFacts"));
    shapeProblem_->setObjectName(QStringLiteral("shapeProblem"));
    shapeProblem_->setProperty("role", QStringLiteral("error"));
    shapeProblem_->hide();
    target_->setObjectName(QStringLiteral("modelTarget"));
    target_->setEditable(true);
    target_->setMinimumWidth(120);
    target_->setMaximumWidth(176);
    target_->addItems({QStringLiteral("host"), QStringLiteral("host -num-cores=1"),
                       QStringLiteral("riscv64-rvv256 -num-cores=1")});
    reextract_->setObjectName(QStringLiteral("reextract"));
    start_->setObjectName(QStringLiteral("startTuning"));
    start_->setProperty("kind", QStringLiteral("primary"));

    auto* names = new QVBoxLayout;
    names->setSpacing(2);
    names->addWidget(title_);
    names->addWidget(facts_);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(8);
    inputs_ = new QHBoxLayout;
    inputs_->setSpacing(8);
    controls->addLayout(inputs_);
    controls->addWidget(reextract_);
    controls->addWidget(target_);
    controls->addWidget(start_);
    auto* right = new QVBoxLayout;
    right->setSpacing(2);
    right->addLayout(controls);
    right->addWidget(shapeProblem_, 0, Qt::AlignLeft);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(16);
    layout->addLayout(names, 1);
    layout->addLayout(right);

    facts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(reextract_, &QPushButton::clicked, this, [this] { emit reextract(shapes()); });
    connect(start_, &QPushButton::clicked, this, &ModelHeader::start);
    connect(target_->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { emit targetChosen(target_->currentText().trimmed()); });
    connect(target_, &QComboBox::activated, this,
            [this] { emit targetChosen(target_->currentText().trimmed()); });
    retranslate();
}

void ModelHeader::setOverview(const ModelOverviewPtr& overview) {
    // What is being typed stays when only results are newer.
    const bool same = overview_ && overview && overview_->path == overview->path &&
                      overview_->inputs == overview->inputs;
    overview_ = overview;
    showFacts();
    if (!same)
        rebuildInputs();
}

void ModelHeader::setTarget(const QString& target) {
    if (target_->currentText() == target)
        return;
    target_->setCurrentText(target);
}

void ModelHeader::setStartEnabled(bool on) {
    start_->setEnabled(on);
}

void ModelHeader::showFacts() {
    title_->setFont(Theme::fontOf(this, Theme::Title));
    if (!overview_) {
        title_->setText(tr("Model"));
        facts_->clear();
        return;
    }
    title_->setText(QString::fromStdString(overview_->name));
    title_->setToolTip(QString::fromStdString(overview_->path));
    QStringList facts;
    const session::ImportSummary& import = overview_->import;
    if (overview_->kind == session::InputKind::Model) {
        facts << tr("ONNX") << tr("opset %1").arg(import.opset)
              << tr("%1 parameters").arg(OverviewTable::millionsText(import.parameters));
    }
    if (overview_->flop > 0)
        facts << tr("%1 a run").arg(OverviewTable::flopText(overview_->flop));
    facts_->setText(facts.join(QStringLiteral(" · ")));
    facts_->setToolTip(facts_->text());
}

void ModelHeader::rebuildInputs() {
    while (QLayoutItem* item = inputs_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    edits_.clear();
    shapeProblem_->hide();
    const bool any = overview_ && !overview_->inputs.empty();
    reextract_->setVisible(any);
    if (!any)
        return;
    const std::size_t shown = std::min(overview_->inputs.size(), kInputsShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const session::OverviewInput& input = overview_->inputs[i];
        const QString name = QString::fromStdString(input.name);
        QLabel* label = secondaryLabel(name, this);
        auto* edit = new QLineEdit(shapeText(input.shape), this);
        edit->setObjectName(QStringLiteral("shape:") + name);
        edit->setAccessibleName(tr("Shape of %1").arg(name));
        edit->setPlaceholderText(QString::fromStdString(input.declared));
        edit->setToolTip(
            tr("%1: (%2) in the file")
                .arg(QString::fromStdString(input.dtype), QString::fromStdString(input.declared)));
        edit->setFixedWidth(
            std::max(96, edit->fontMetrics().horizontalAdvance(shapeText(input.shape)) + 28));
        connect(edit, &QLineEdit::textEdited, this, &ModelHeader::shapeEdited);
        connect(edit, &QLineEdit::returnPressed, this, [this] {
            if (reextract_->isEnabled())
                emit reextract(shapes());
        });
        inputs_->addWidget(label);
        inputs_->addWidget(edit);
        edits_.append({name, edit});
    }
    if (overview_->inputs.size() > shown)
        inputs_->addWidget(secondaryLabel(
            tr("and %n more", nullptr, static_cast<int>(overview_->inputs.size() - shown)), this));
    shapeEdited();
}

InputShapes ModelHeader::shapes() const {
    InputShapes shapes;
    for (const auto& [name, edit] : edits_)
        if (!edit->text().trimmed().isEmpty())
            shapes[name] = ModelSource::parseShape(edit->text());
    return shapes;
}

void ModelHeader::shapeEdited() {
    QString wrong;
    bool changed = false;
    for (qsizetype i = 0; i < edits_.size(); ++i) {
        const QString text = edits_[i].second->text().trimmed();
        if (text.isEmpty() || ModelSource::parseShape(text).isEmpty())
            wrong = edits_[i].first;
        const std::vector<std::int64_t>& shape =
            overview_->inputs[static_cast<std::size_t>(i)].shape;
        changed = changed || text != shapeText(shape);
    }
    reextract_->setEnabled(wrong.isEmpty() && changed);
    shapeProblem_->setVisible(!wrong.isEmpty());
    shapeProblem_->setText(tr("%1 needs extents of at least 1, such as 1, 3, 224, 224").arg(wrong));
}

void ModelHeader::focusShape() {
    for (const auto& [name, edit] : edits_)
        if (ModelSource::parseShape(edit->text()).isEmpty()) {
            edit->setFocus(Qt::OtherFocusReason);
            return;
        }
    if (!edits_.isEmpty())
        edits_.front().second->setFocus(Qt::OtherFocusReason);
}

void ModelHeader::retranslate() {
    reextract_->setText(tr("Re-extract"));
    reextract_->setToolTip(tr("Extracts the tasks again with these shapes; the tasks before stay "
                              "for comparison (column × before)"));
    start_->setText(QStringLiteral("▶  ") + tr("Start"));
    start_->setAccessibleName(tr("Start"));
    start_->setToolTip(tr("Opens the new-session page for this model (Ctrl+N)"));
    target_->setAccessibleName(tr("Target"));
    target_->setToolTip(tr("What code is made for: host, a preset, or llvm -mcpu=… -num-cores=…"));
    showFacts();
    if (overview_)
        rebuildInputs();
}

void ModelHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::FontChange)
        title_->setFont(Theme::fontOf(this, Theme::Title));
}

} // namespace tilewright::ui
