// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// A roof: `bandwidth` (GB/s) for a slanted one, `peak` (GFLOPS) for a flat one; the other is 0.
struct Roof {
    QString label; ///< "DRAM 34.1 GB/s", "FMA fp32, 8 cores: 742 GFLOPS measured"
    double bandwidth = 0;
    double peak = 0;
    bool main = false; ///< the roof percentages refer to: solid and strong; others are quiet
};

/// An operator: where it is and, if known, where its baseline was.
struct RooflineDot {
    QString name;
    double intensity = 0;    ///< FLOP per byte
    double rate = 0;         ///< GFLOPS
    double baselineRate = 0; ///< 0: no arrow
    QString speedUp;         ///< "2.71×", at the label
    double share = 0;        ///< 0..1 of time: the dot's area
    bool memoryBound = false;
    bool labelled = false;
    qint64 id = -1;
};

/// Log–log roofline; without roofs the dots are grey and still there.
class RooflinePlot : public PlotView {
    Q_OBJECT

public:
    explicit RooflinePlot(QWidget* parent = nullptr);
    void setData(const QVector<Roof>& roofs, const QVector<RooflineDot>& dots);

protected:
    int hitAt(const QPointF& position) const override;
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    QString defaultTooltip(const PlotHit& hit) const override;

private:
    void paintRoofs(QCPPainter* painter);
    void paintSlantedRoof(QCPPainter* painter, const Roof& roof, double peak);
    void paintDots(QCPPainter* painter);
    void paintLegend(QCPPainter* painter);
    QPointF pixel(double intensity, double rate) const;
    double highestPeak() const;

    QVector<Roof> roofs_;
    QVector<RooflineDot> dots_;
};

} // namespace tilewright::ui
