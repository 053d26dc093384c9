// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_marks.h"
#include "records_page.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/record_table_model.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>

namespace tilewright::ui {

void RecordsPage::star() {
    marks_->toggleStar(selectedIds());
}

void RecordsPage::pin() {
    const QVector<qint64> ids = selectedIds();
    if (!ids.isEmpty())
        marks_->togglePin(ids.first());
}

void RecordsPage::compareSelected() {
    const QVector<qint64> ids = selectedIds();
    if (!ids.isEmpty())
        context_.state->setRecords(ids);
    context_.trigger(QStringLiteral("workspace.compare"));
}

void RecordsPage::measureAgain() {
    const QVector<qint64> ids = selectedIds();
    if (ids.isEmpty() || measurer_->isMeasuring())
        return;
    measurer_->show(source_->workDir(), ids.first(), nullptr, context_.state->statistic());
    measurer_->measure();
}

void RecordsPage::tag() {
    const QVector<qint64> ids = selectedIds();
    if (ids.isEmpty())
        return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("tagDialog"));
    dialog->setWindowTitle(tr("Tag"));
    dialog->setLabelText(tr("Tag for %n record(s):", nullptr, static_cast<int>(ids.size())));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, ids](const QString& text) { marks_->addTag(ids, text); });
    dialog->open();
}

void RecordsPage::note() {
    open();
    context_.trigger(QStringLiteral("inspector.notes"));
}

void RecordsPage::remove() {
    marks_->toggleDeleted(selectedIds());
}

void RecordsPage::open() {
    const QVector<qint64> ids = selectedIds();
    if (!ids.isEmpty())
        context_.state->setRecords(ids);
    context_.trigger(QStringLiteral("inspector.show"));
}

void RecordsPage::copyIds() {
    QStringList texts;
    for (const qint64 id : selectedIds())
        texts << QString::number(id);
    QGuiApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

void RecordsPage::clearFilter() {
    context_.state->setFilter({});
}

void RecordsPage::removeLastChip() {
    const QString filter = context_.state->filter();
    const auto count = static_cast<int>(RecordSource::chipsOf(filter).size());
    context_.state->setFilter(RecordSource::withoutChip(filter, count - 1));
}

void RecordsPage::showFailed() {
    source_->setStatuses((1U << database::kRecordStatusCount) - 1);
}

} // namespace tilewright::ui
