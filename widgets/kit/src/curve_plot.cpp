// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/curve_plot.h>

#include "plot_parts.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kAutoLogRatio = 10;
constexpr double kCrossSize = 5;
constexpr int kDrawnTrials = 4000; // more are painted as one picture: lines cost too much
constexpr int kStripHeight = 18;
constexpr int kStripFoot = 18;
constexpr int kLabelGap = 6;
constexpr int kLabelledImprovements = 3;
constexpr double kGlyphSpacing = 5; // px: failures closer than this are drawn once

} // namespace

struct CurvePlot::Parts {
    QCPGraph* older = nullptr;
    QCPGraph* recent = nullptr;
    QCPGraph* best = nullptr;
    QCPAxisRect* strip = nullptr;
    QCPMarginGroup* margins = nullptr;
    QString xTitle;
    QString yTitle;
    QCPRange range; ///< of all values, while `any`
    bool any = false;
};

CurvePlot::CurvePlot(QWidget* parent) : PlotView(parent), parts_(new Parts) {
    parts_->older = plot()->addGraph();
    parts_->recent = plot()->addGraph();
    parts_->best = plot()->addGraph();
    for (QCPGraph* graph : {parts_->older, parts_->recent}) {
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setAdaptiveSampling(true);
        graph->setAntialiasedScatters(false);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, kCrossSize));
    }
    parts_->best->setLineStyle(QCPGraph::lsStepLeft);
    parts_->best->setAntialiased(false);
    plot()->yAxis->setNumberFormat(QStringLiteral("gb"));
    buildStrip();
    new PaintedItem(plot(), QStringLiteral("grid"), [this](QCPPainter* p) { paintBehind(p); });
    new PaintedItem(plot(), QStringLiteral("main"), [this](QCPPainter* p) { paintFront(p); });
    setFollowable(true);
    applyTheme();
    showStrip();
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::buildStrip() {
    parts_->strip = new QCPAxisRect(plot());
    QCPAxisRect* strip = parts_->strip;
    strip->setSizeConstraintRect(QCPLayoutElement::scrOuterRect);
    strip->setMinimumSize(10, kStripHeight);
    strip->setMaximumSize(QWIDGETSIZE_MAX, kStripHeight + kStripFoot);
    strip->setAutoMargins(QCP::msLeft | QCP::msRight);
    for (QCPAxis* axis : strip->axes()) {
        hideAxis(axis);
        axis->setLayer(QStringLiteral("axes"));
    }
    strip->axis(QCPAxis::atLeft)->setRange(0, 1);
    strip->axis(QCPAxis::atBottom)->setTicks(false);
    parts_->margins = new QCPMarginGroup(plot());
    mainArea()->setMarginGroup(QCP::msLeft | QCP::msRight, parts_->margins);
    strip->setMarginGroup(QCP::msLeft | QCP::msRight, parts_->margins);
    connect(plot()->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
            strip->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::setRange));
    plot()->plotLayout()->setRowSpacing(0);
    plot()->plotLayout()->addElement(1, 0, strip);
}

void CurvePlot::showStrip() {
    const bool failures = !data_.failures.isEmpty();
    parts_->strip->setVisible(failures);
    parts_->strip->setMinimumMargins(QMargins());
    parts_->strip->setMargins(QMargins(parts_->strip->margins().left(), failures ? 2 : 0,
                                       parts_->strip->margins().right(),
                                       failures ? kStripFoot : 0));
    const int height = failures ? kStripHeight + kStripFoot + 2 : 0;
    parts_->strip->setMinimumSize(10, height);
    parts_->strip->setMaximumSize(QWIDGETSIZE_MAX, height);
    const QString title = data_.xTitle.isEmpty() ? parts_->xTitle : data_.xTitle;
    plot()->xAxis->setLabel(failures ? QString() : title);
}

void CurvePlot::setAxisTitles(const QString& x, const QString& y) {
    parts_->xTitle = x;
    parts_->yTitle = y;
    nameScale();
    showStrip();
    requestReplot();
}

void CurvePlot::setAutoLog(bool on) {
    autoLog_ = on;
}

void CurvePlot::setLogY(bool on) {
    PlotView::setLogY(on);
    nameScale();
    if (!settingAutoLog_)
        autoLog_ = false;
}

void CurvePlot::nameScale() {
    const bool on = isLogY();
    plot()->yAxis->setLabel(on && !parts_->yTitle.isEmpty() ? tr("%1, log").arg(parts_->yTitle)
                                                            : parts_->yTitle);
}

void CurvePlot::setData(const CurveData& data) {
    data_ = data;
    const qsizetype count = data_.trials.size();
    const qsizetype split = qMax(qsizetype(0), count - data_.recent);
    const auto fill = [&](QCPGraph* graph, qsizetype from, qsizetype to) {
        QVector<QCPGraphData> points(to - from);
        for (qsizetype i = from; i < to; ++i)
            points[i - from] = QCPGraphData(data_.trials[i].x, data_.trials[i].y);
        graph->data()->set(points, true);
    };
    fill(parts_->older, 0, split);
    fill(parts_->recent, split, count);
    QVector<QCPGraphData> best;
    for (const CurvePoint& point : std::as_const(data_.best))
        best.append(QCPGraphData(point.x, point.y));
    // The best so far holds until the last trial.
    double last = count ? data_.trials.last().x : 0;
    if (!data_.failures.isEmpty())
        last = qMax(last, data_.failures.last().x);
    if (!best.isEmpty() && last > best.last().key)
        best.append(QCPGraphData(last, best.last().value));
    parts_->best->data()->set(best, true);
    findRange();
    chooseLog();
    parts_->older->setVisible(count <= kDrawnTrials);
    updateHits();
    showStrip();
    layoutItems();
    if (isFollowing())
        fitAxes();
    requestReplot();
}

void CurvePlot::chooseLog() {
    if (!autoLog_)
        return;
    settingAutoLog_ = true;
    setLogY(parts_->any && parts_->range.lower > 0 &&
            parts_->range.upper / parts_->range.lower > kAutoLogRatio);
    settingAutoLog_ = false;
}

void CurvePlot::findRange() {
    QCPRange& range = parts_->range;
    bool& any = parts_->any;
    any = false;
    const auto take = [&](double value) {
        if (!std::isfinite(value))
            return;
        range.lower = any ? qMin(range.lower, value) : value;
        range.upper = any ? qMax(range.upper, value) : value;
        any = true;
    };
    for (const CurvePoint& point : data_.trials)
        take(point.y);
    for (const CurvePoint& point : data_.best)
        take(point.y);
    for (const CurveReference& reference : data_.references)
        take(reference.y);
}

void CurvePlot::fitAxes() {
    double last = 1;
    if (!data_.trials.isEmpty())
        last = qMax(last, data_.trials.last().x);
    if (!data_.failures.isEmpty())
        last = qMax(last, data_.failures.last().x);
    double first = data_.trials.isEmpty() ? 0 : data_.trials.first().x;
    first = qMin(first, last);
    plot()->xAxis->setRange(qMin(0.0, first), last * 1.02);
    const QCPRange range = parts_->range;
    if (!parts_->any) {
        plot()->yAxis->setRange(isLogY() ? QCPRange(1, 10) : QCPRange(0, 1));
        return;
    }
    if (isLogY() && range.lower > 0) {
        const double grow = std::pow(range.upper / range.lower, 0.06) * 1.02;
        plot()->yAxis->setRange(range.lower / grow, range.upper * grow);
    } else {
        const double grow = qMax((range.upper - range.lower) * 0.07, std::fabs(range.upper) * 0.01);
        plot()->yAxis->setRange(range.lower - grow, range.upper + grow);
    }
}

void CurvePlot::updateHits() {
    QVector<PlotHit> hits;
    hits.reserve(data_.trials.size() + data_.failures.size());
    qsizetype next = 0;
    for (const CurvePoint& trial : std::as_const(data_.trials)) {
        while (next < data_.best.size() && data_.best[next].x < trial.x)
            ++next;
        bool better = false;
        for (qsizetype i = next; i < data_.best.size() && data_.best[i].x == trial.x; ++i)
            better = better || data_.best[i].id == trial.id;
        hits.append({trial.x, trial.y, trial.id, nullptr, better});
    }
    for (const CurveFailure& failure : std::as_const(data_.failures))
        hits.append({failure.x, 0.5, failure.id, parts_->strip, false});
    setHits(std::move(hits));
}

void CurvePlot::layoutItems() {
    QFontMetricsF metrics(textFont());
    double right = 0;
    for (const CurveReference& reference : std::as_const(data_.references))
        right = qMax(right, metrics.horizontalAdvance(reference.label));
    right = qMax(right, metrics.horizontalAdvance(data_.bestLabel));
    const int wide = right > 0 ? qRound(right) + 2 * kLabelGap : 12;
    mainArea()->setMinimumMargins(QMargins(40, 8, wide, 4));
}

void CurvePlot::paintBehind(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setClipRect(box);
    painter->setAntialiasing(false);
    for (const CurveInterval& interval : std::as_const(data_.intervals)) {
        const double from = plot()->xAxis->coordToPixel(interval.from);
        const double to = plot()->xAxis->coordToPixel(interval.to);
        QColor tint = colors().warning;
        tint.setAlphaF(0.12F);
        painter->fillRect(QRectF(from, box.top(), qMax(1.0, to - from), box.height()), tint);
        painter->setPen(colors().warning);
        painter->setFont(textFont());
        painter->drawText(QRectF(from + 4, box.top() + 2, box.width(), 16), Qt::AlignLeft,
                          interval.label);
    }
    if (!parts_->older->visible())
        paintManyTrials(painter);
    painter->setPen(QPen(colors().line, 1, Qt::DotLine));
    double before = -10;
    for (const double round : std::as_const(data_.rounds)) {
        const double x = plot()->xAxis->coordToPixel(round);
        // A hundred rounds side by side would be a grey area.
        if (x - before < 8)
            continue;
        painter->drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        before = x;
    }
}

void CurvePlot::paintManyTrials(QCPPainter* painter) const {
    const QRect box = mainArea()->rect();
    const double ratio = painter->device()->devicePixelRatioF();
    QImage image(box.size() * ratio, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return;
    image.fill(Qt::transparent);
    const QRgb color = mixed(colors().surface, colors().text, 0.45).rgb();
    const int arm = qRound(kCrossSize / 2 * ratio);
    const bool log = isLogY();
    const QCPRange x = plot()->xAxis->range();
    const QCPRange y = plot()->yAxis->range();
    const double top = log ? std::log(y.upper) : y.upper;
    const double xScale = (image.width() - 1) / (x.upper - x.lower);
    const double yScale = (image.height() - 1) / (top - (log ? std::log(y.lower) : y.lower));
    const qsizetype count = data_.trials.size() - data_.recent;
    const qsizetype stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    for (qsizetype i = 0; i < count; ++i) {
        const CurvePoint& trial = data_.trials[i];
        const double px = (trial.x - x.lower) * xScale;
        const double py = (top - (log ? std::log(trial.y) : trial.y)) * yScale;
        // Written so that a NaN is outside.
        if (!(px >= arm && px < image.width() - arm - 1 && py >= arm &&
              py < image.height() - arm - 1))
            continue;
        QRgb* centre = pixels + qRound(py) * stride + qRound(px);
        if (centre[0] == color && centre[stride + 1] == color && centre[stride - 1] == color)
            continue; // there already
        for (int d = -arm; d <= arm; ++d)
            centre[d * stride + d] = centre[d * stride - d] = color;
    }
    image.setDevicePixelRatio(ratio);
    painter->drawImage(box.topLeft(), image);
}

void CurvePlot::paintFront(QCPPainter* painter) {
    painter->setFont(textFont());
    paintReferences(painter);
    paintImprovements(painter);
    if (!data_.failures.isEmpty())
        paintStrip(painter);
    if (const PlotHit* hit = selectedHit()) {
        const QPointF at = pixelOf(*hit);
        const QRect box = (hit->area ? hit->area : mainArea())->rect();
        if (!box.adjusted(-1, -1, 1, 1).contains(at.toPoint()))
            return;
        painter->setAntialiasing(true);
        painter->setPen(QPen(colors().accent, 2));
        painter->setBrush(hit->area ? QColor(Qt::transparent) : colors().surface);
        painter->drawEllipse(at, 6, 6);
        if (!hit->area) {
            painter->setBrush(colors().accent);
            painter->setPen(Qt::NoPen);
            painter->drawEllipse(at, 2.5, 2.5);
        }
    }
}

void CurvePlot::paintReferences(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    QVector<double> wanted;
    QStringList labels;
    QVector<QColor> tones;
    const auto add = [&](double y, const QString& label, const QColor& tone) {
        const double at = plot()->yAxis->coordToPixel(y);
        if (!std::isfinite(at) || at < box.top() - 1 || at > box.bottom() + 1)
            return false;
        if (!label.isEmpty()) {
            wanted.append(at);
            labels.append(label);
            tones.append(tone);
        }
        return true;
    };
    painter->setAntialiasing(false);
    for (const CurveReference& reference : std::as_const(data_.references)) {
        const QColor tone = toneColor(colors(), reference.tone);
        if (!add(reference.y, reference.label, tone))
            continue;
        const double at = std::round(plot()->yAxis->coordToPixel(reference.y));
        painter->setPen(QPen(tone, 1, Qt::DashLine));
        painter->drawLine(QPointF(box.left(), at), QPointF(box.right(), at));
    }
    if (!data_.best.isEmpty())
        add(data_.best.last().y, data_.bestLabel, colors().accent);
    const double height = QFontMetricsF(textFont()).height();
    const QVector<double> tops =
        spreadLabels(wanted, height, box.top() - height / 2, box.bottom() + height / 2);
    for (qsizetype i = 0; i < labels.size(); ++i) {
        painter->setPen(tones[i]);
        painter->drawText(QRectF(box.right() + kLabelGap, tops[i], 400, height),
                          Qt::AlignLeft | Qt::AlignVCenter, labels[i]);
    }
}

void CurvePlot::paintImprovements(QCPPainter* painter) {
    const QRectF box = mainArea()->rect();
    painter->setAntialiasing(true);
    const qsizetype count = data_.best.size();
    for (qsizetype i = qMax(qsizetype(0), count - kLabelledImprovements); i < count; ++i) {
        const QPointF at(plot()->xAxis->coordToPixel(data_.best[i].x),
                         plot()->yAxis->coordToPixel(data_.best[i].y));
        if (!box.contains(at))
            continue;
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors().accent);
        painter->drawEllipse(at, 3, 3);
    }
}

void CurvePlot::paintStrip(QCPPainter* painter) {
    const QRectF box = parts_->strip->rect();
    painter->setAntialiasing(true);
    painter->fillRect(box, colors().raised);
    const QCPAxis* axis = parts_->strip->axis(QCPAxis::atBottom);
    QVector<double> before(data_.kinds.size(), -1e9);
    QVector<int> counts(data_.kinds.size(), 0);
    for (const CurveFailure& failure : std::as_const(data_.failures)) {
        if (failure.kind < 0 || failure.kind >= data_.kinds.size())
            continue;
        ++counts[failure.kind];
        const double x = axis->coordToPixel(failure.x);
        if (x < box.left() || x > box.right() || x - before[failure.kind] < kGlyphSpacing)
            continue;
        before[failure.kind] = x;
        const FailureKind& kind = data_.kinds[failure.kind];
        painter->setPen(toneColor(colors(), kind.tone));
        painter->drawText(QRectF(x - 10, box.top(), 20, box.height()), Qt::AlignCenter, kind.glyph);
    }
    painter->setPen(colors().secondary);
    painter->drawText(QRectF(0, box.top(), box.left() - kLabelGap, box.height()),
                      Qt::AlignRight | Qt::AlignVCenter, tr("failed"));
    const QRectF foot(box.left(), box.bottom() + 1, plot()->width() - box.left() - kLabelGap,
                      kStripFoot);
    const QString title = data_.xTitle.isEmpty() ? parts_->xTitle : data_.xTitle;
    painter->drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, title);
    const QFontMetricsF metrics(textFont());
    double right = foot.right();
    const double limit = foot.left() + metrics.horizontalAdvance(title) + 12;
    for (qsizetype i = data_.kinds.size() - 1; i >= 0; --i) {
        if (counts[i] == 0)
            continue;
        const QString text = data_.kinds[i].word + QLatin1Char(' ') + QString::number(counts[i]);
        const double wide = metrics.horizontalAdvance(text);
        if (right - wide - 26 < limit)
            break;
        painter->setPen(colors().text);
        painter->drawText(QRectF(right - wide, foot.top(), wide + 2, foot.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->setPen(toneColor(colors(), data_.kinds[i].tone));
        painter->drawText(QRectF(right - wide - 20, foot.top(), 18, foot.height()), Qt::AlignCenter,
                          data_.kinds[i].glyph);
        right -= wide + 30;
    }
}

void CurvePlot::recolour() {
    QColor cross = colors().text;
    cross.setAlphaF(0.45F);
    parts_->older->setPen(QPen(cross, 0));
    cross = colors().text;
    cross.setAlphaF(0.8F);
    parts_->recent->setPen(QPen(cross, 0));
    parts_->best->setPen(QPen(colors().accent, 2));
}

void CurvePlot::setExporting(bool on) {
    for (QCPGraph* graph : {parts_->older, parts_->recent})
        graph->setAdaptiveSampling(!on);
}

PlotTable CurvePlot::table() const {
    PlotTable table;
    table.columns = {parts_->xTitle.isEmpty() ? tr("Trial") : parts_->xTitle,
                     parts_->yTitle.isEmpty() ? tr("Latency") : parts_->yTitle, tr("Status")};
    table.rows.reserve(data_.trials.size() + data_.failures.size());
    for (const CurvePoint& trial : data_.trials) {
        table.rows.append({trial.x, trial.y, tr("ok")});
        table.ids.append(trial.id);
    }
    for (const CurveFailure& failure : data_.failures) {
        table.rows.append({failure.x, QVariant(), data_.kinds.value(failure.kind).word});
        table.ids.append(failure.id);
    }
    return table;
}

QString CurvePlot::defaultTooltip(const PlotHit& hit) const {
    if (!hit.area)
        return QStringLiteral("%1: %2\n%3: %4")
            .arg(parts_->xTitle.isEmpty() ? tr("Trial") : parts_->xTitle, numberText(hit.x),
                 parts_->yTitle.isEmpty() ? tr("Latency") : parts_->yTitle, numberText(hit.y));
    const auto failure = std::find_if(data_.failures.begin(), data_.failures.end(),
                                      [&hit](const CurveFailure& one) { return one.id == hit.id; });
    if (failure == data_.failures.end())
        return {};
    const FailureKind kind = data_.kinds.value(failure->kind);
    return QStringLiteral("%1 %2\n%3: %4")
        .arg(kind.glyph, kind.word, parts_->xTitle.isEmpty() ? tr("Trial") : parts_->xTitle,
             numberText(hit.x));
}

QString CurvePlot::summaryText() const {
    QString text = tr("%n point(s)", nullptr, static_cast<int>(data_.trials.size()));
    if (!data_.failures.isEmpty())
        text += QStringLiteral(", ") +
                tr("%n failed", nullptr, static_cast<int>(data_.failures.size()));
    if (!data_.bestLabel.isEmpty())
        text += QStringLiteral(", ") + data_.bestLabel;
    return text;
}

} // namespace tilewright::ui
