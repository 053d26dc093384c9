// SPDX-License-Identifier: GPL-3.0-or-later
#include "decision_page.h"

#include <tilewright/ui/code_view.h>
#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

enum Column { Mark, Name, Extent, Value };

} // namespace

DecisionPage::DecisionPage(InspectorSource* source, QWidget* parent)
    : QWidget(parent), source_(source), grid_(new QGridLayout), fieldsArea_(new QWidget),
      hint_(new QLabel), message_(new QLabel), code_(new CodeView), measure_(new QPushButton),
      reset_(new QPushButton) {
    setObjectName(QStringLiteral("decisionPage"));
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(12, 12, 12, 12);
    page->setSpacing(8);
    hint_->setWordWrap(true);
    hint_->setProperty("role", QStringLiteral("secondary"));
    page->addWidget(hint_);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(4);
    grid_->setContentsMargins(0, 0, 0, 0);
    fieldsArea_->setLayout(grid_);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("decisionFields"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(fieldsArea_);
    message_->setObjectName(QStringLiteral("legality"));
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    code_->setObjectName(QStringLiteral("editedCode"));
    code_->setLanguage(CodeView::Tir);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(scroll);
    splitter->addWidget(code_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    page->addWidget(splitter, 1);
    page->addWidget(message_);
    auto* buttons = new QHBoxLayout;
    measure_->setObjectName(QStringLiteral("measureEdited"));
    measure_->setProperty("primary", true);
    reset_->setObjectName(QStringLiteral("resetDecisions"));
    buttons->addWidget(measure_);
    buttons->addWidget(reset_);
    buttons->addStretch(1);
    page->addLayout(buttons);
    delay_.setSingleShot(true);
    delay_.setInterval(120);
    connect(&delay_, &QTimer::timeout, this, &DecisionPage::tryEdits);
    connect(measure_, &QPushButton::clicked, this, [this] { source_->measure(trace_); });
    connect(reset_, &QPushButton::clicked, this, &DecisionPage::reset);
    connect(source_, &InspectorSource::editTried, this, &DecisionPage::showTried);
    retranslate();
    showDetails();
}

void DecisionPage::showDetails() {
    delay_.stop();
    trace_.clear();
    fields_.clear();
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    code_->hide();
    message_->clear();
    measure_->setEnabled(false);
    reset_->setEnabled(false);
    const RecordDetailsPtr details = source_->details();
    if (!details)
        return;
    if (!details->decisionProblem.empty())
        message_->setText(QString::fromStdString(details->decisionProblem));
    int line = 0;
    for (const session::DecisionRow& row : details->decisions.rows) {
        const session::DecisionCell& cell = row.cells.back(); // the record; a baseline is before it
        if (!cell.present)
            continue;
        const QString name = QString::fromStdString(row.name);
        const QString label = row.kind == session::DecisionKind::Location ? tr("%1 at").arg(name)
                              : row.kind == session::DecisionKind::Tile   ? tr("tile %1").arg(name)
                                                                          : name;
        Field field;
        field.instruction = static_cast<qint64>(cell.instruction);
        field.before = QString::fromStdString(cell.text);
        field.mark = new QLabel;
        field.mark->setFixedWidth(12);
        auto* nameLabel = new QLabel(label);
        nameLabel->setToolTip(QString::fromStdString(row.block));
        auto* extent = new QLabel(row.extent ? QString::number(*row.extent) : QString());
        extent->setProperty("role", QStringLiteral("secondary"));
        extent->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        extent->setToolTip(tr("Iterations of the loop: the factors multiply to it"));
        field.edit = new QLineEdit(field.before);
        field.edit->setObjectName(QStringLiteral("decision_%1").arg(field.instruction));
        field.edit->setAccessibleName(label);
        field.edit->setFont(Theme::fontOf(this, Theme::Code));
        if (!row.choices.empty()) {
            QStringList choices;
            for (const std::int64_t choice : row.choices)
                choices << QString::number(choice);
            field.edit->setToolTip(tr("One of %1").arg(choices.join(QStringLiteral(", "))));
        } else if (row.kind == session::DecisionKind::Location) {
            field.edit->setToolTip(tr("root, inline, or loop and its number"));
        }
        connect(field.edit, &QLineEdit::textEdited, this, &DecisionPage::edited);
        grid_->addWidget(field.mark, line, Mark);
        grid_->addWidget(nameLabel, line, Name);
        grid_->addWidget(extent, line, Extent);
        grid_->addWidget(field.edit, line, Value);
        fields_ << field;
        ++line;
    }
    grid_->setColumnStretch(Value, 1);
    grid_->setRowStretch(line, 1);
}

QVector<DecisionInput> DecisionPage::inputs() const {
    QVector<DecisionInput> inputs;
    for (const Field& field : fields_)
        if (field.edit->text() != field.before)
            inputs.append({field.instruction, field.edit->text()});
    return inputs;
}

void DecisionPage::edited() {
    for (const Field& field : fields_)
        field.mark->setText(field.edit->text() != field.before ? QStringLiteral("≠") : QString());
    trace_.clear();
    measure_->setEnabled(false);
    reset_->setEnabled(true);
    delay_.start();
}

void DecisionPage::tryEdits() {
    const QVector<DecisionInput> changed = inputs();
    if (changed.isEmpty()) {
        code_->hide();
        message_->clear();
        return;
    }
    message_->setText(tr("Checking…"));
    source_->tryEdits(changed);
}

void DecisionPage::reset() {
    for (const Field& field : fields_) {
        field.edit->setText(field.before);
        field.mark->clear();
    }
    delay_.stop();
    trace_.clear();
    code_->hide();
    message_->clear();
    measure_->setEnabled(false);
    reset_->setEnabled(false);
}

void DecisionPage::showTried(const session::EditedSchedule& edited) {
    if (inputs().isEmpty())
        return;
    const ThemeColors& colors = Theme::colorsOf(this);
    QPalette palette = message_->palette();
    palette.setColor(QPalette::WindowText, edited.legal ? colors.text : colors.error);
    message_->setPalette(palette);
    for (const Field& field : fields_)
        if (edited.instruction && static_cast<qint64>(*edited.instruction) == field.instruction)
            field.mark->setText(QStringLiteral("✕"));
    if (!edited.legal) {
        message_->setText(tr("✕ Not legal: %1").arg(QString::fromStdString(edited.message)));
        return;
    }
    QString text = tr("✓ Legal. The new schedule is below.");
    for (const std::string& adjusted : edited.adjusted)
        text += QLatin1Char('\n') + tr("Adjusted: %1").arg(QString::fromStdString(adjusted));
    message_->setText(text);
    code_->setCode(QString::fromStdString(edited.script));
    code_->show();
    trace_ = QString::fromStdString(edited.trace);
    measure_->setEnabled(true);
}

void DecisionPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showDetails();
    }
    QWidget::changeEvent(event);
}

void DecisionPage::retranslate() {
    hint_->setText(tr("Change a value to try another schedule. Measuring it adds a record; this "
                      "one stays."));
    measure_->setText(tr("Measure"));
    reset_->setText(tr("Reset"));
    code_->setAccessibleName(tr("IR of the edited schedule"));
    message_->setAccessibleName(tr("Legality"));
}

} // namespace tilewright::ui
