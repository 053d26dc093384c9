// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/funnel_plot.h>

#include "plot_parts.h"

namespace tilewright::ui {

namespace {

constexpr double kGap = 8;
constexpr double kHighestRow = 25;

} // namespace

FunnelPlot::FunnelPlot(QWidget* parent) : PlotView(parent) {
    for (QCPAxis* axis : mainArea()->axes())
        hideAxis(axis);
    mainArea()->setAutoMargins(QCP::msNone);
    mainArea()->setMargins(QMargins());
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintStages(p); });
    applyTheme();
}

void FunnelPlot::setStages(const QVector<FunnelStage>& stages) {
    stages_ = stages;
    QVector<PlotHit> hits;
    for (int i = 0; i < stages_.size(); ++i)
        hits.append({static_cast<double>(i), 0, stages_[i].id, nullptr, false});
    setHits(hits);
    requestReplot();
}

double FunnelPlot::rowHeight() const {
    const double room = plot()->viewport().height() - 12;
    return qMin(kHighestRow, room / qMax(1.0, static_cast<double>(stages_.size())));
}

void FunnelPlot::paintStages(QCPPainter* painter) {
    if (stages_.isEmpty())
        return;
    const QRectF box = QRectF(plot()->viewport()).adjusted(12, 6, -12, -6);
    painter->setFont(textFont());
    const QFontMetricsF metrics(textFont());
    double names = 0;
    double counts = 0;
    double losses = 0;
    const auto lossOf = [](const FunnelStage& stage) {
        QString text = stage.lost > 0 ? QStringLiteral("−") + countText(stage.lost) : QString();
        return stage.lostNote.isEmpty() || stage.lost <= 0
                   ? text
                   : text + QLatin1Char(' ') + stage.lostNote;
    };
    qint64 most = 1;
    for (const FunnelStage& stage : std::as_const(stages_)) {
        names = qMax(names, metrics.horizontalAdvance(stage.name));
        counts = qMax(counts, metrics.horizontalAdvance(countText(stage.count)));
        losses = qMax(losses, metrics.horizontalAdvance(lossOf(stage)));
        most = qMax(most, stage.count);
    }
    const double left = box.left() + names + kGap;
    const double right = qMax(left + 20, box.right() - counts - losses - 3 * kGap);
    const double row = rowHeight();
    for (int i = 0; i < stages_.size(); ++i) {
        const FunnelStage& stage = stages_[i];
        const QRectF line(box.left(), box.top() + row * i, box.width(), row);
        const bool chosen = stage.id >= 0 && stage.id == selectedPoint();
        painter->setPen(chosen ? colors().text : stage.count ? colors().text : colors().secondary);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, stage.name);
        const double wide =
            (right - left) * static_cast<double>(stage.count) / static_cast<double>(most);
        const double lost =
            (right - left) * static_cast<double>(stage.lost) / static_cast<double>(most);
        QRectF bar(left, line.top() + 3, wide, row - 6);
        painter->fillRect(QRectF(left, bar.top(), right - left, bar.height()), colors().raised);
        const bool last = i == stages_.size() - 1;
        painter->fillRect(bar, last ? mixed(colors().surface, colors().accent, 0.75)
                                    : mixed(colors().surface, colors().accent, 0.35));
        if (stage.lost > 0)
            painter->fillRect(QRectF(bar.right(), bar.top(), qMax(1.0, lost), bar.height()),
                              mixed(colors().surface, colors().warning, 0.45));
        painter->setPen(colors().text);
        painter->drawText(QRectF(right + kGap, line.top(), counts, row),
                          Qt::AlignRight | Qt::AlignVCenter, countText(stage.count));
        painter->setPen(toneColor(colors(), stage.lostTone));
        painter->drawText(QRectF(right + 2 * kGap + counts, line.top(), losses + kGap, row),
                          (stage.lostNote.isEmpty() ? Qt::AlignRight : Qt::AlignLeft) |
                              Qt::AlignVCenter,
                          lossOf(stage));
    }
}

int FunnelPlot::hitAt(const QPointF& position) const {
    const int row = static_cast<int>((position.y() - 6) / qMax(1.0, rowHeight()));
    return position.y() >= 6 && row < hits().size() ? row : -1;
}

void FunnelPlot::fitAxes() {}

PlotTable FunnelPlot::table() const {
    PlotTable table;
    table.columns = {tr("Stage"), tr("Candidates"), tr("Lost"), tr("Reason")};
    for (const FunnelStage& stage : stages_) {
        table.rows.append({stage.name, stage.count, stage.lost, stage.lostNote});
        table.ids.append(stage.id);
    }
    return table;
}

QString FunnelPlot::summaryText() const {
    if (stages_.isEmpty())
        return tr("no candidates");
    return tr("%1 of %2 candidates correct")
        .arg(countText(stages_.last().count), countText(stages_.first().count));
}

} // namespace tilewright::ui
