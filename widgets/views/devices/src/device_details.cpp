// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_details.h"

#include <tilewright/ui/device_table.h>
#include <tilewright/ui/live_text.h>

#include <QGridLayout>
#include <QLabel>

namespace tilewright::ui {

DeviceDetails::DeviceDetails(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(1, 1);
}

void DeviceDetails::clear() {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (int row = 0; row <= lines_; ++row)
        grid_->setRowStretch(row, 0);
    lines_ = 0;
}

void DeviceDetails::add(const QString& name, const QString& value, const QString& glyph,
                        const QString& advice) {
    auto* label = new QLabel(name, this);
    label->setProperty("role", QStringLiteral("secondary"));
    auto* text = new QLabel(glyph.isEmpty() ? value : glyph + QLatin1Char(' ') + value, this);
    text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setWordWrap(true);
    text->setAccessibleName(QStringLiteral("%1: %2").arg(name, value));
    if (!advice.isEmpty())
        text->setToolTip(advice);
    if (glyph == QStringLiteral("⚠"))
        text->setProperty("role", QStringLiteral("warning"));
    grid_->addWidget(label, lines_, 0, Qt::AlignLeft | Qt::AlignTop);
    grid_->addWidget(text, lines_, 1);
    ++lines_;
    if (advice.isEmpty())
        return;
    auto* note = new QLabel(advice, this);
    note->setProperty("role", QStringLiteral("secondary"));
    note->setWordWrap(true);
    grid_->addWidget(note, lines_++, 0, 1, 2);
}

void DeviceDetails::addTest(const session::DeviceRow& row) {
    if (!row.test) {
        add(tr("Last test"), tr("never"));
        return;
    }
    const session::StoredDeviceTest& test = *row.test;
    add(tr("Last test"), DeviceTable::whenText(test.timeMs));
    add(tr("Known kernel"),
        test.ok ? tr("correct, %1").arg(latencyWithUnit(test.medianSeconds))
                : QString::fromStdString(test.status),
        test.ok ? QStringLiteral("✓") : QStringLiteral("⚠"),
        test.ok ? QString() : QString::fromStdString(test.message));
    if (test.roundTripSeconds)
        add(tr("Round trip"), latencyWithUnit(test.roundTripSeconds));
}

void DeviceDetails::showHealth(const DeviceSnapshotPtr& snapshot, const session::DeviceRow* row) {
    clear();
    if (!snapshot || !row)
        return;
    if (row->kind == session::DeviceKind::Local) {
        for (const session::DeviceFact& fact : snapshot->localFacts) {
            const QString name = DeviceTable::factName(fact.kind);
            if (fact.value.empty())
                add(name, QStringLiteral("—"), {}, QString::fromStdString(fact.reason));
            else
                add(name, QString::fromStdString(fact.value),
                    fact.warn ? QStringLiteral("⚠") : QString(),
                    QString::fromStdString(fact.advice));
        }
    } else {
        add(tr("Command"), QString::fromStdString(row->device.command));
        add(tr("Target"), row->device.target.empty() ? tr("as chosen")
                                                     : QString::fromStdString(row->device.target));
        add(tr("Runners at once"), QString::number(row->device.runners));
        if (!row->device.description.empty())
            add(tr("Note"), QString::fromStdString(row->device.description));
    }
    addTest(*row);
    grid_->setRowStretch(lines_, 1);
}

void DeviceDetails::showPeaks(const DeviceSnapshotPtr& snapshot, const session::DeviceRow* row) {
    clear();
    if (!snapshot || !row)
        return;
    if (row->kind != session::DeviceKind::Local)
        add(tr("Peaks"), QStringLiteral("—"), {}, tr("Peaks are measured on this machine only."));
    else if (!snapshot->localPeaks)
        add(tr("Peaks"), QStringLiteral("—"), {}, tr("Not measured yet; it takes 8 seconds."));
    else
        for (const auto& [name, value] : DeviceTable::peakLines(*snapshot->localPeaks))
            add(name, value);
    grid_->setRowStretch(lines_, 1);
}

} // namespace tilewright::ui
