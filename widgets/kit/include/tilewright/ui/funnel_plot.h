// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// One stage that candidates pass.
struct FunnelStage {
    QString name;
    qint64 count = 0;
    qint64 lost = 0;  ///< against the stage before
    QString lostNote; ///< "▽ verify", "■ build"
    Tone lostTone = Tone::Secondary;
    qint64 id = -1;
};

/// Where candidates are lost: one bar a stage, what was lost at its end, count and loss as text.
class FunnelPlot : public PlotView {
    Q_OBJECT

public:
    explicit FunnelPlot(QWidget* parent = nullptr);
    void setStages(const QVector<FunnelStage>& stages);

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    QList<QCPAxis*> xAxes() const override { return {}; }
    QList<QCPAxis*> yAxes() const override { return {}; }
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;

private:
    void paintStages(QCPPainter* painter);
    double rowHeight() const;

    QVector<FunnelStage> stages_;
};

} // namespace tilewright::ui
