// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

#include <tilewright/ui/theme.h>

namespace tilewright::ui {

/// Something of a plot that is painted by a function, in pixels; also exported.
class PaintedItem : public QCPLayerable {
    Q_OBJECT

public:
    using Paint = std::function<void(QCPPainter* painter)>;
    PaintedItem(QCustomPlot* plot, const QString& layer, Paint paint);
    /// Where it may paint; by default the whole plot.
    void setArea(QCPAxisRect* area) { area_ = area; }

protected:
    QRect clipRect() const override;
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    Paint paint_;
    QPointer<QCPAxisRect> area_;
};

/// Ticks of a linear axis, with thin-space groups.
class NumberTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;

private:
    double step_ = 1;
};

/// Ticks of a logarithmic axis: as many of 1, 1-2-5 or finer as the range needs.
class LogTicker : public QCPAxisTicker {
protected:
    int getSubTickCount(double tickStep) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;
};

/// A text that keeps at least `gap` from the others of its column: returns tops for boxes of
/// `height` whose centres want to be at `wanted`, inside [low, high].
QVector<double> spreadLabels(const QVector<double>& wanted, double height, double low, double high);

/// Makes an axis quiet: no base line, no ticks, no labels, no grid.
void hideAxis(QCPAxis* axis);

} // namespace tilewright::ui
