// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// One row of a comparison: baseline hollow, candidate filled.
struct Dumbbell {
    QString name;
    std::optional<double> a;     ///< baseline
    std::optional<double> b;     ///< candidate
    Tone tone = Tone::Secondary; ///< verdict: Faster, Slower, Secondary (noise), Warning
    QString glyph;               ///< ▼ ▲ ≈ ⊘
    qint64 id = -1;
};

/// Latency of the operators on both sides, one row each, logarithmic. Rows can be aligned with a
/// TableView beside it: same row height, same order, setTopRow() while it scrolls.
class DumbbellPlot : public PlotView {
    Q_OBJECT

public:
    explicit DumbbellPlot(QWidget* parent = nullptr);
    void setRows(const QVector<Dumbbell>& rows);
    /// Px; and what lies above the first row (the table's header).
    void setRowGeometry(int height, int top);
    /// First visible row, may be fractional.
    void setTopRow(double row);

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    QList<QCPAxis*> yAxes() const override { return {}; }
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void layoutItems() override;

private:
    void paintRows(QCPPainter* painter);
    void paintRow(QCPPainter* painter, const Dumbbell& row, const QRectF& area);
    double rowTop(int row) const;

    QVector<Dumbbell> rows_;
    int rowHeight_ = 25;
    int top_ = 24;
    double topRow_ = 0;
};

/// A step of a waterfall from A's total to B's.
struct WaterfallStep {
    QString name;
    double from = 0;
    double to = 0;
    bool total = false;
    Tone tone = Tone::Secondary;
    QString label; ///< over the bar: "−0.54"
    qint64 id = -1;
};

/// What changed in the model's total; the axis does not start at zero and says so.
class WaterfallPlot : public PlotView {
    Q_OBJECT

public:
    explicit WaterfallPlot(QWidget* parent = nullptr);
    void setSteps(const QVector<WaterfallStep>& steps);

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;

private:
    void paintSteps(QCPPainter* painter);
    QRectF box(int step) const;

    QVector<WaterfallStep> steps_;
};

} // namespace tilewright::ui
