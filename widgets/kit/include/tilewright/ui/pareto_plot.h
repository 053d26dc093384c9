// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// One bar: the whole is the operator's time, the dark part what it would need at its roof.
struct ParetoBar {
    QString name;          ///< short, under the bar
    QString fullName;      ///< in tooltip and table
    double value = 0;      ///< in the unit of the y axis
    double atRoof = -1;    ///< the same unit; negative: unknown, drawn as one plain bar
    double cumulative = 0; ///< share 0..1 of this and all before
    qint64 id = -1;
};

/// Operators by weighted latency with the cumulative share on the right axis.
class ParetoPlot : public PlotView {
    Q_OBJECT

public:
    explicit ParetoPlot(QWidget* parent = nullptr);
    /// Bars in order; `note` is written over them, such as "5 of 14 ops: 86 %".
    void setBars(const QVector<ParetoBar>& bars, const QString& note = {});

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void layoutItems() override;
    void recolour() override;

private:
    void paintBars(QCPPainter* painter);
    void paintLegend(QCPPainter* painter);
    QRectF barBox(int bar, double from, double to) const;

    QVector<ParetoBar> bars_;
    QString note_;
};

} // namespace tilewright::ui
