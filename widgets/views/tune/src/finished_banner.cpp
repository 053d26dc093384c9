// SPDX-License-Identifier: GPL-3.0-or-later
#include "finished_banner.h"

#include <tilewright/ui/live_text.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace tilewright::ui {

namespace {

QString sentence(const session::LiveSnapshot& snapshot) {
    if (!snapshot.defaultTotal || !snapshot.bestTotal)
        return FinishedBanner::tr("No task has a result.");
    const session::ScaledUnit unit = session::latencyUnit(*snapshot.bestTotal);
    const double factor = snapshot.speedUp().value_or(1);
    const QString from = latencyText(snapshot.defaultTotal, unit);
    const QString to = latencyText(snapshot.bestTotal, unit);
    const QString error = errorText(*snapshot.bestTotal, snapshot.bestTotalError, unit);
    const QString name = QString::fromStdString(unit.name);
    const QString numbers = error.isEmpty()
                                ? FinishedBanner::tr("%1 → %2 %3").arg(from, to, name)
                                : FinishedBanner::tr("%1 → %2 %3 %4").arg(from, to, name, error);
    if (factor < 1.01)
        return FinishedBanner::tr("no gain over the default schedules (%1)").arg(numbers);
    return FinishedBanner::tr("model %1× faster than default (%2)")
        .arg(QLocale().toString(factor, 'f', factor < 10 ? 2 : 1), numbers);
}

} // namespace

FinishedBanner::FinishedBanner(QWidget* parent)
    : QFrame(parent), glyph_(new QLabel(this)), text_(new QLabel(this)),
      resume_(new QPushButton(this)), bottlenecks_(new QPushButton(this)),
      compare_(new QPushButton(this)), report_(new QPushButton(this)) {
    setObjectName(QStringLiteral("finishedBanner"));
    setProperty("kind", "card");
    text_->setObjectName(QStringLiteral("finishedText"));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setWordWrap(true);
    resume_->setObjectName(QStringLiteral("resumeSession"));
    bottlenecks_->setObjectName(QStringLiteral("seeBottlenecks"));
    compare_->setObjectName(QStringLiteral("compareWithDefault"));
    report_->setObjectName(QStringLiteral("exportReport"));
    bottlenecks_->setProperty("kind", "primary");
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(8);
    layout->addWidget(glyph_);
    layout->addWidget(text_, 1);
    layout->addWidget(resume_);
    layout->addWidget(bottlenecks_);
    layout->addWidget(compare_);
    layout->addWidget(report_);
    connect(resume_, &QPushButton::clicked, this, &FinishedBanner::resumeWanted);
    connect(bottlenecks_, &QPushButton::clicked, this, &FinishedBanner::bottlenecksWanted);
    connect(compare_, &QPushButton::clicked, this, &FinishedBanner::compareWanted);
    connect(report_, &QPushButton::clicked, this, &FinishedBanner::reportWanted);
    retranslate();
    hide();
}

void FinishedBanner::retranslate() {
    setAccessibleName(tr("Result of the session"));
    resume_->setText(tr("Resume"));
    resume_->setToolTip(tr("Goes on with the trials that are left"));
    bottlenecks_->setText(tr("See bottlenecks"));
    compare_->setText(tr("Compare"));
    report_->setText(tr("Export report"));
}

void FinishedBanner::setSnapshot(const session::LiveSnapshot* snapshot, const QString& state) {
    const bool finished = state == QLatin1String("finished");
    const bool stopped = state == QLatin1String("stopped");
    setVisible(snapshot && (finished || stopped));
    if (isHidden())
        return;
    glyph_->setText(finished ? QStringLiteral("✓") : QStringLiteral("■"));
    const QString head = finished ? tr("Finished: %1") : tr("Stopped: %1");
    text_->setText(head.arg(sentence(*snapshot)));
    setAccessibleDescription(text_->text());
    resume_->setVisible(stopped && snapshot->trials < snapshot->budget);
    const bool any = snapshot->bestTotal.has_value();
    bottlenecks_->setEnabled(any);
    compare_->setEnabled(any);
    report_->setEnabled(any);
}

QString FinishedBanner::text() const {
    return text_->text();
}

void FinishedBanner::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace tilewright::ui
