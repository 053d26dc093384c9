// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// One layer of a StackPlot, from the bottom up.
struct StackSeries {
    /// The last layers: *other* is grey, *untuned* hatched.
    enum Kind { Task, Other, Untuned };
    QString name;
    Kind kind = Task;
    QVector<double> values; ///< one for each x; the height of this layer alone
    qint64 id = -1;
};

/// Steps in time: each layer keeps its value until the next x.
struct StackData {
    QVector<double> x; ///< by size
    QVector<StackSeries> series;
    double reference = 0; ///< dashed line, such as the untuned total; 0: none
    QString referenceLabel;
    QString totalLabel;      ///< at the end of the total line, "13.1"
    QVector<qint64> touched; ///< for each x the series that got this round; may be empty
};

/// The model's total over time, stacked by task, untuned tasks hatched and never left out.
class StackPlot : public PlotView {
    Q_OBJECT

public:
    explicit StackPlot(QWidget* parent = nullptr);
    void setData(const StackData& data);

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    QString defaultTooltip(const PlotHit& hit) const override;
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void layoutItems() override;

private:
    double heightAt(int series, int at) const;
    void paintAreas(QCPPainter* painter);
    void paintLegend(QCPPainter* painter);
    QBrush brushOf(int series) const;

    StackData data_;
};

} // namespace tilewright::ui
