// SPDX-License-Identifier: GPL-3.0-or-later
#include "side_column.h"

#include <tilewright/ui/funnel_plot.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/scatter_plot.h>
#include <tilewright/ui/stack_plot.h>

#include <QEvent>
#include <QLocale>

#include <algorithm>

namespace tilewright::ui {

template <class Plot> Plot* SideColumn::addPlot(ui::Panel* panel, const QString& name) {
    auto* plot = new Plot;
    plot->setObjectName(name);
    panel->setContent(plot);
    addWidget(panel);
    connect(plot, &PlotView::pointSelected, this, &SideColumn::recordSelected);
    connect(plot, &PlotView::pointActivated, this, &SideColumn::recordActivated);
    return plot;
}

SideColumn::SideColumn(QSettings* settings, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), totalPanel_(new ui::Panel), funnelPanel_(new ui::Panel),
      modelPanel_(new ui::Panel) {
    setObjectName(QStringLiteral("sideColumn"));
    total_ = addPlot<StackPlot>(totalPanel_, QStringLiteral("modelTotal"));
    funnel_ = addPlot<FunnelPlot>(funnelPanel_, QStringLiteral("failureFunnel"));
    model_ = addPlot<ScatterPlot>(modelPanel_, QStringLiteral("costModelPlot"));
    // Layers and stages are no records.
    disconnect(total_, nullptr, this, nullptr);
    disconnect(funnel_, nullptr, this, nullptr);
    connect(funnel_, &PlotView::pointActivated, this, [this](qint64 record) {
        if (record > 0)
            emit recordActivated(record);
    });
    total_->setSettingsKey(QStringLiteral("model-total"), settings);
    setStretchFactor(0, 38);
    setStretchFactor(1, 30);
    setStretchFactor(2, 32);
    setSizes({230, 190, 200});
    setChildrenCollapsible(false);
    retranslate();
}

void SideColumn::retranslate() {
    totalPanel_->setTitle(tr("Model total by task"));
    funnelPanel_->setTitle(tr("Where candidates are lost"));
    modelPanel_->setTitle(tr("Cost model"));
    total_->setSubject(tr("Model total by task"));
    funnel_->setSubject(tr("Where candidates are lost"));
    model_->setSubject(tr("Predicted against measured throughput"));
    model_->setAxisTitles(tr("predicted (of best)"), tr("measured (of best)"));
    if (snapshot_)
        setSnapshot(snapshot_);
}

void SideColumn::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QSplitter::changeEvent(event);
}

void SideColumn::setSnapshot(LiveSnapshotPtr snapshot) {
    snapshot_ = std::move(snapshot);
    if (!snapshot_)
        return;
    showTotal();
    showFunnel();
    showModel();
}

void SideColumn::showTotal() {
    const session::ModelTotal& total = snapshot_->total;
    const session::ScaledUnit time = session::wallTimeUnit(snapshot_->elapsed);
    const session::ScaledUnit unit =
        session::latencyUnit(total.total.empty() ? 1e-3 : total.total.front());
    StackData drawn;
    for (const double t : total.times)
        drawn.x.append(t / time.scale);
    qint64 id = 0;
    for (const session::ModelTotal::Series& series : total.series) {
        StackSeries out;
        out.id = ++id;
        out.kind = series.untuned    ? StackSeries::Untuned
                   : series.task < 0 ? StackSeries::Other
                                     : StackSeries::Task;
        out.name = series.untuned    ? tr("untuned")
                   : series.task < 0 ? tr("other")
                                     : QString::fromStdString(series.name);
        bool any = false;
        for (const double seconds : series.seconds) {
            out.values.append(seconds / unit.scale);
            any = any || seconds > 0;
        }
        if (any)
            drawn.series.append(out);
    }
    if (snapshot_->defaultTotal) {
        drawn.reference = *snapshot_->defaultTotal / unit.scale;
        drawn.referenceLabel = tr("default %1").arg(latencyText(snapshot_->defaultTotal, unit));
    }
    drawn.totalLabel = snapshot_->bestTotal ? latencyText(snapshot_->bestTotal, unit) : QString();
    total_->setAxisTitles(tr("time of work (%1)").arg(QString::fromStdString(time.name)),
                          tr("total (%1)").arg(QString::fromStdString(unit.name)));
    totalPanel_->setNote(snapshot_->missingTasks > 0
                             ? tr("without %n task(s)", nullptr, snapshot_->missingTasks)
                             : QString());
    total_->setData(drawn);
}

void SideColumn::showFunnel() {
    // Words of the stages are the engine's own; the reasons stand beside what they cost.
    const std::pair<const char*, const char*> names[] = {
        {"sampled", QT_TR_NOOP("sampled")},   {"applied", QT_TR_NOOP("applied")},
        {"postproc", QT_TR_NOOP("postproc")}, {"chosen", QT_TR_NOOP("chosen")},
        {"built", QT_TR_NOOP("built")},       {"ran", QT_TR_NOOP("ran")},
        {"correct", QT_TR_NOOP("correct")}};
    QVector<FunnelStage> stages;
    for (const session::FunnelStage& stage : snapshot_->funnel.stages) {
        FunnelStage out;
        for (const auto& [key, word] : names)
            if (stage.name == key)
                out.name = tr(word);
        out.count = stage.count;
        out.lost = stage.lost;
        if (stage.name == "correct" && stage.lost > 0)
            out.lostTone = Tone::Error;
        const auto fits = [&](const session::FailureReason& reason) {
            if (stage.name == "applied")
                return reason.kind == "apply" && reason.record == 0;
            if (stage.name == "postproc")
                return reason.kind == "postproc" && reason.record == 0;
            if (stage.name == "built")
                return reason.kind.starts_with("build");
            if (stage.name == "ran")
                return reason.kind.starts_with("run") || reason.kind == "device-lost";
            return stage.name == "correct" && reason.kind == "wrong-result";
        };
        const auto& reasons = snapshot_->funnel.reasons;
        const auto reason = std::find_if(reasons.begin(), reasons.end(), fits);
        if (stage.lost > 0 && reason != reasons.end()) {
            const auto status = database::recordStatusFromName(reason->kind);
            out.lostNote = QStringLiteral("%1 %2").arg(
                status ? failureGlyph(*status) : QString(),
                QString::fromStdString(reason->message.empty() ? reason->kind : reason->message));
            out.id = reason->record > 0 ? reason->record : -1;
        }
        stages.append(out);
    }
    funnel_->setStages(stages);
}

void SideColumn::showModel() {
    QVector<ScatterPoint> points;
    if (snapshot_->predictions)
        for (const session::PredictedPair& pair : *snapshot_->predictions)
            points.append({pair.predicted, pair.measured, pair.round, pair.record});
    QString note;
    QString warning;
    if (const auto& quality = snapshot_->lastQuality) {
        const auto two = [](double value) { return QLocale().toString(value, 'f', 2); };
        if (quality->spearman)
            note = tr("Spearman %1").arg(two(*quality->spearman));
        QStringList details;
        if (quality->recall)
            details << tr("top-%1 recall %2").arg(quality->k).arg(two(*quality->recall));
        if (quality->regret)
            details << tr("regret %1 %").arg(QLocale().toString(*quality->regret * 100, 'f', 1));
        modelPanel_->setToolTip(
            tr("Of the last %n prediction(s): ", nullptr, static_cast<int>(quality->pairs)) +
            details.join(QStringLiteral(", ")));
        if (!details.isEmpty() && !note.isEmpty())
            note += QStringLiteral(" · ") + details.join(QStringLiteral(" · "));
        if (quality->noBetterThanRandom)
            warning = tr("no better than random");
    }
    modelPanel_->setNote(note);
    model_->setPoints(points, tr("round"), warning);
}

} // namespace tilewright::ui
