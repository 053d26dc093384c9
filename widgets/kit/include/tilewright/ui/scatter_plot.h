// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPGraph;
class QCPPainter;

namespace tilewright::ui {

struct ScatterPoint {
    double x = 0;
    double y = 0;
    int group = 0; ///< round: its colour, from the first to the last along cividis
    qint64 id = -1;
};

/// Predicted against measured (or any two numbers), coloured by round, with the identity line.
class ScatterPlot : public PlotView {
    Q_OBJECT

public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    /// `groupName` is the word of the colour legend, such as "round". `warning` is written in the
    /// plot when the model is no better than random.
    void setPoints(const QVector<ScatterPoint>& points, const QString& groupName,
                   const QString& warning = {});
    void setIdentityLine(bool on);

protected:
    void recolour() override;
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void setExporting(bool on) override;

private:
    void fill();
    void paintFront(QCPPainter* painter);

    QVector<ScatterPoint> points_;
    QVector<QCPGraph*> graphs_;
    QVector<int> groups_;
    QString groupName_;
    QString warning_;
    bool identity_ = true;
};

} // namespace tilewright::ui
