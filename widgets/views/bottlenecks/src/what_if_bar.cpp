// SPDX-License-Identifier: GPL-3.0-or-later
#include "what_if_bar.h"

#include <tilewright/ui/live_text.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

const session::OperatorRow* rowOf(const BottleneckReportPtr& report, qint64 task) {
    if (!report)
        return nullptr;
    for (const session::OperatorRow& row : report->rows)
        if (row.task == task)
            return &row;
    return nullptr;
}

} // namespace

WhatIfBar::WhatIfBar(BottleneckSource* source, QWidget* parent)
    : QWidget(parent), source_(source), question_(new QLabel(this)),
      slider_(new QSlider(Qt::Horizontal, this)), answer_(new QLabel(this)) {
    setObjectName(QStringLiteral("whatIf"));
    slider_->setObjectName(QStringLiteral("whatIfSlider"));
    answer_->setObjectName(QStringLiteral("whatIfAnswer"));
    slider_->setRange(1, 100);
    slider_->setMinimumWidth(120);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(slider_, 1);
    line->addWidget(answer_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setSpacing(4);
    layout->addWidget(question_);
    layout->addLayout(line);
    connect(slider_, &QSlider::valueChanged, this, &WhatIfBar::showAnswer);
    retranslate();
}

void WhatIfBar::setTask(qint64 task) {
    const session::OperatorRow* row = rowOf(source_->report(), task);
    const bool known = row && row->roofShare;
    setEnabled(known);
    if (known && task != task_) {
        const QSignalBlocker quiet(slider_);
        const int now = static_cast<int>(std::lround(*row->roofShare * 100));
        slider_->setValue(std::clamp(std::max(now + 10, 60), 1, 100));
    }
    task_ = task;
    showAnswer();
}

void WhatIfBar::showAnswer() {
    const BottleneckReportPtr report = source_->report();
    const session::OperatorRow* row = rowOf(report, task_);
    if (!row || !row->roofShare) {
        question_->setText(tr("What if an operator came nearer to its roof?"));
        answer_->setText(row ? tr("needs the peaks") : tr("select an operator"));
        return;
    }
    const double wanted = slider_->value() / 100.0;
    question_->setText(
        tr("What if %1 reached %2 % of its roof?")
            .arg(QString::fromStdString(row->name), QString::number(slider_->value())));
    const auto seconds = source_->whatIf(task_, wanted);
    if (!seconds || !report->totals.seconds)
        return;
    const double change = *seconds / *report->totals.seconds - 1;
    answer_->setText(tr("→ %1 (%2 % of the model)")
                         .arg(latencyWithUnit(seconds),
                              (change < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
                                  QLocale().toString(std::abs(change) * 100, 'f', 1)));
}

void WhatIfBar::retranslate() {
    slider_->setAccessibleName(tr("Share of the roof"));
    slider_->setToolTip(tr("Model − operator + time at the roof / share × calls"));
    showAnswer();
}

void WhatIfBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace tilewright::ui
