// SPDX-License-Identifier: GPL-3.0-or-later
#include "failure_view.h"

#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_text.h>

#include <QAction>
#include <QVBoxLayout>

namespace tilewright::ui {

FailureView::FailureView(QWidget* parent)
    : QWidget(parent), state_(new EmptyState(this)), open_(new QAction(this)) {
    setObjectName(QStringLiteral("failureView"));
    open_->setObjectName(QStringLiteral("openFailingRecord"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(state_);
    connect(open_, &QAction::triggered, this, [this] { emit recordWanted(record_); });
}

void FailureView::setSnapshot(const session::LiveSnapshot& snapshot) {
    state_->setTitle(tr("All %n trial(s) failed.", nullptr, static_cast<int>(snapshot.trials)));
    QStringList lines;
    record_ = 0;
    for (const session::FailureReason& reason : snapshot.funnel.reasons) {
        if (reason.record == 0)
            continue;
        if (record_ == 0)
            record_ = reason.record;
        const auto status = database::recordStatusFromName(reason.kind);
        lines << QStringLiteral("%1 %2 × %3: %4")
                     .arg(status ? failureGlyph(*status) : QString(),
                          QString::fromStdString(reason.kind), groupedCount(reason.count),
                          reason.message.empty() ? tr("no message")
                                                 : QString::fromStdString(reason.message));
        if (lines.size() == 3)
            break;
    }
    state_->setText(lines.join(QLatin1Char('\n')));
    open_->setText(tr("Open failing record"));
    open_->setEnabled(record_ > 0);
    state_->setActions({open_});
}

} // namespace tilewright::ui
