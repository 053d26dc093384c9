// SPDX-License-Identifier: GPL-3.0-or-later
#include "state_row.h"

#include <tilewright/ui/chip.h>
#include <tilewright/ui/live_text.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace tilewright::ui {

StateRow::StateRow(QWidget* parent)
    : QWidget(parent), chipRow_(new QHBoxLayout), counts_(new QLabel) {
    setObjectName(QStringLiteral("stateRow"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    chipRow_->setSpacing(6);
    row->addLayout(chipRow_);
    for (const QString& term :
         {QStringLiteral("starred"), QStringLiteral("best:5"), QStringLiteral("best:1")}) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("quick_") + term);
        button->setCheckable(true);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this,
                [this, term](bool on) { toggleTerm(term, on); });
        terms_.insert(term, button);
        row->addWidget(button);
    }
    row->addStretch(1);
    counts_->setObjectName(QStringLiteral("recordCounts"));
    counts_->setProperty("role", QStringLiteral("secondary"));
    row->addWidget(counts_);
    retranslate();
}

void StateRow::toggleTerm(const QString& term, bool on) {
    QStringList chips = RecordSource::chipsOf(filter_);
    for (qsizetype i = chips.size(); i-- > 0;)
        if (chips[i] == term || (on && term.startsWith(QLatin1String("best:")) &&
                                 chips[i].startsWith(QLatin1String("best:"))))
            chips.removeAt(i);
    if (on)
        chips << term;
    emit filterChosen(chips.join(QLatin1Char(' ')));
}

void StateRow::setFilter(const QString& filter) {
    filter_ = filter;
    const QStringList chips = RecordSource::chipsOf(filter);
    for (auto it = terms_.cbegin(); it != terms_.cend(); ++it)
        it.value()->setChecked(chips.contains(it.key()));
}

void StateRow::setResult(const RecordResultPtr& result) {
    result_ = result;
    qint64 hidden = 0;
    for (int status = 0; status < database::kRecordStatusCount; ++status) {
        const qint64 count =
            result ? result->selection.byStatus[static_cast<std::size_t>(status)] : 0;
        const bool on = result && (result->choice.statuses >> status & 1U) != 0;
        if (!on)
            hidden += count;
        Chip*& chip = chips_[status];
        if (!chip) {
            if (count == 0)
                continue;
            chip = new Chip({});
            chip->setCheckable(true);
            chip->setObjectName(QStringLiteral("status_%1").arg(status));
            connect(chip, &Chip::toggled, this, [this, status](bool checked) {
                const quint32 statuses = result_ ? result_->choice.statuses : 1;
                const quint32 bit = 1U << status;
                emit statusesChosen(checked ? statuses | bit : statuses & ~bit);
            });
            // In the order of the statuses, which is that of a trial's life.
            int place = 0;
            for (int before = 0; before < status; ++before)
                place += chips_.value(before) != nullptr;
            chipRow_->insertWidget(place, chip);
        }
        const auto kind = static_cast<database::RecordStatus>(status);
        chip->setGlyph(failureGlyph(kind));
        chip->setText(QStringLiteral("%1 %2").arg(failureWord(kind), groupedCount(count)));
        chip->setLook(status == 0 ? Chip::Accent : Chip::Neutral);
        chip->setAccessibleName(tr("%1: %2 records").arg(failureWord(kind), groupedCount(count)));
        const QSignalBlocker quiet(chip);
        chip->setChecked(on);
        chip->setVisible(count > 0 || on);
    }
    QString text;
    if (result) {
        text = tr("%1 of %2 match")
                   .arg(groupedCount(result->selection.matched),
                        groupedCount(result->selection.total));
        if (!result->index->complete())
            text = tr("first %1 of about %2, reading…")
                       .arg(groupedCount(static_cast<qint64>(result->selection.rows.size())),
                            groupedCount(result->index->total()));
        else if (hidden > 0)
            text += tr(", %1 hidden by state").arg(groupedCount(hidden));
    }
    counts_->setText(text);
}

void StateRow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        setResult(result_);
    }
    QWidget::changeEvent(event);
}

void StateRow::retranslate() {
    terms_[QStringLiteral("starred")]->setText(tr("★ starred"));
    terms_[QStringLiteral("best:5")]->setText(tr("best 5"));
    terms_[QStringLiteral("best:1")]->setText(tr("one per task"));
    terms_[QStringLiteral("starred")]->setToolTip(tr("Only records with a star"));
    terms_[QStringLiteral("best:5")]->setToolTip(tr("The five fastest of each task that fit"));
    terms_[QStringLiteral("best:1")]->setToolTip(tr("The fastest of each task that fits"));
    setAccessibleName(tr("States of the records"));
}

} // namespace tilewright::ui
