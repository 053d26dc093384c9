// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_parts.h"

#include <tilewright/ui/plot_view.h>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

const QChar kThinSpace(0x2009);

QString grouped(QString digits) {
    const qsizetype point = digits.indexOf(QLatin1Char('.'));
    const qsizetype first = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > first; at -= 3)
        digits.insert(at, kThinSpace);
    if (QLocale().decimalPoint() != QStringLiteral("."))
        digits.replace(QLatin1Char('.'), QLocale().decimalPoint());
    return digits.replace(QLatin1Char('-'), QChar(0x2212));
}

QString withDecimals(double value, int decimals) {
    return grouped(QString::number(value, 'f', qBound(0, decimals, 9)));
}

} // namespace

QString numberText(double value) {
    if (!std::isfinite(value))
        return QStringLiteral("—");
    if (value == 0)
        return QStringLiteral("0");
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
    if (exponent >= 9 || exponent < -6)
        return QString::number(value, 'g', 3);
    return withDecimals(value, 2 - exponent);
}

QString countText(qint64 value) {
    return grouped(QString::number(value));
}

PaintedItem::PaintedItem(QCustomPlot* plot, const QString& layer, Paint paint)
    : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

QRect PaintedItem::clipRect() const {
    return area_ ? area_->rect() : QCPLayerable::clipRect();
}

void PaintedItem::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(true);
}

void PaintedItem::draw(QCPPainter* painter) {
    painter->save();
    paint_(painter);
    painter->restore();
}

double NumberTicker::getTickStep(const QCPRange& range) {
    step_ = QCPAxisTicker::getTickStep(range);
    return step_;
}

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    if (std::fabs(tick) < step_ * 1e-6)
        return QStringLiteral("0");
    int decimals = 0;
    while (decimals < 9 && std::fabs(std::round(step_ * std::pow(10, decimals)) -
                                     step_ * std::pow(10, decimals)) > 1e-6)
        ++decimals;
    return withDecimals(tick, decimals);
}

int LogTicker::getSubTickCount(double) {
    return 0;
}

QVector<double> LogTicker::createTickVector(double, const QCPRange& range) {
    static const QVector<QVector<double>> steps = {
        {1}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}};
    QVector<double> ticks;
    if (range.lower <= 0)
        return ticks;
    const int from = static_cast<int>(std::floor(std::log10(range.lower)));
    const int to = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (const QVector<double>& mantissas : steps) {
        ticks.clear();
        const int stride = mantissas.size() == 1 ? qMax(1, (to - from) / 7) : 1;
        for (int exponent = from; exponent <= to; exponent += stride)
            for (const double mantissa : mantissas) {
                const double tick = mantissa * std::pow(10, exponent);
                if (tick >= range.lower * 0.9999 && tick <= range.upper * 1.0001)
                    ticks.append(tick);
            }
        if (ticks.size() >= 4)
            return ticks;
    }
    // Less than a third of a decade: equal steps read best.
    return QCPAxisTicker::createTickVector(QCPAxisTicker::getTickStep(range), range);
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return numberText(tick).contains(QLatin1Char('e')) ? QString::number(tick, 'g', 3)
                                                       : grouped(QString::number(tick, 'g', 6));
}

QVector<double> spreadLabels(const QVector<double>& wanted, double height, double low,
                             double high) {
    QVector<int> order(wanted.size());
    for (int i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return wanted[a] < wanted[b]; });
    QVector<double> tops(wanted.size());
    double free = low;
    for (const int i : order) {
        tops[i] = qMax(free, wanted[i] - height / 2);
        free = tops[i] + height;
    }
    // What went over the lower edge pushes the others back up.
    double limit = high - height;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        tops[*it] = qMin(tops[*it], limit);
        limit = tops[*it] - height;
    }
    return tops;
}

void hideAxis(QCPAxis* axis) {
    axis->setTicks(false);
    axis->setTickLabels(false);
    axis->setBasePen(Qt::NoPen);
    axis->grid()->setVisible(false);
}

} // namespace tilewright::ui
