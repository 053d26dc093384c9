// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// Every raw sample of a measurement with median and interquartile range.
struct SamplesData {
    QVector<double> values; ///< in order
    QVector<bool> rejected; ///< same length or empty; drawn hollow
    double median = 0;
    double lowerQuartile = 0;
    double upperQuartile = 0;
};

class SamplesPlot : public PlotView {
    Q_OBJECT

public:
    explicit SamplesPlot(QWidget* parent = nullptr);
    void setData(const SamplesData& data);

protected:
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;

private:
    void paintBand(QCPPainter* painter);
    void paintSamples(QCPPainter* painter);

    SamplesData data_;
};

} // namespace tilewright::ui
