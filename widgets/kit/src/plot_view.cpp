// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/plot_view.h>

#include "plot_accessible.h"
#include "plot_parts.h"

#include <QAccessible>
#include <QEvent>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kReplotInterval = 250; // ms: at most four replots a second while data stream in
constexpr int kReach = 12;           // px from the pointer to the nearest point

} // namespace

PlotView::PlotView(QWidget* parent)
    : QWidget(parent), plot_(new QCustomPlot(this)), followChip_(new QToolButton(this)),
      colors_(&Theme::colorsOf(this)) {
    installPlotAccessibility();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot_);
    setFocusPolicy(Qt::StrongFocus);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setInteractions(QCP::iNone);
    plot_->setMouseTracking(true);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setPlottingHint(QCP::phFastPolylines);
    plot_->setPlottingHint(QCP::phCacheLabels);
    plot_->setContextMenuPolicy(Qt::NoContextMenu);
    plot_->installEventFilter(this);
    plot_->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    overlay_ = new PaintedItem(plot_, QStringLiteral("overlay"),
                               [this](QCPPainter* painter) { paintOverlay(painter); });
    followChip_->setObjectName(QStringLiteral("followChip"));
    followChip_->setProperty("kind", "tool");
    followChip_->setCheckable(true);
    followChip_->setChecked(true);
    followChip_->hide();
    connect(followChip_, &QToolButton::clicked, this, &PlotView::setFollowing);
    replotTimer_.setSingleShot(true);
    connect(&replotTimer_, &QTimer::timeout, this, &PlotView::replotNow);
    connect(plot_, &QCustomPlot::afterReplot, this, [this] {
        lastReplotMs_ = plot_->replotTime();
        ++replotCount_;
    });
    plot_->axisRect()->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<NumberTicker>::create());
    plot_->axisRect()->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<NumberTicker>::create());
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, [this] {
            applyTheme();
            replotNow();
        });
}

PlotView::~PlotView() {
    plot_->removeEventFilter(this);
}

QCPAxisRect* PlotView::mainArea() const {
    return plot_->axisRectCount() > 0 ? plot_->axisRect(0) : nullptr;
}

QFont PlotView::textFont() const {
    return Theme::fontOf(this, Theme::PlotText);
}

void PlotView::setAxisTitles(const QString& x, const QString& y) {
    plot_->xAxis->setLabel(x);
    plot_->yAxis->setLabel(y);
    requestReplot();
}

void PlotView::setSubject(const QString& subject) {
    subject_ = subject;
    setAccessibleName(accessibleSummary());
}

QString PlotView::accessibleSummary() const {
    QString text = subject_;
    const QString facts = summaryText();
    if (!facts.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + facts;
    return text;
}

const PlotHit* PlotView::selectedHit() const {
    if (selected_ < 0)
        return nullptr;
    const auto found = std::find_if(hits_.begin(), hits_.end(),
                                    [this](const PlotHit& hit) { return hit.id == selected_; });
    return found == hits_.end() ? nullptr : &*found;
}

QString PlotView::selectedText() const {
    const PlotHit* hit = selectedHit();
    return hit ? tooltipOf(*hit) : QString();
}

void PlotView::selectPoint(qint64 id) {
    if (selected_ == id)
        return;
    selected_ = id;
    markSelected();
    replotNow();
    QAccessibleValueChangeEvent event(this, selectedText());
    QAccessible::updateAccessibility(&event);
}

void PlotView::setTooltipProvider(std::function<QString(qint64)> provider) {
    tooltip_ = std::move(provider);
}

bool PlotView::isLogY() const {
    return plot_->yAxis->scaleType() == QCPAxis::stLogarithmic;
}

void PlotView::setLogY(bool on) {
    if (isLogY() == on)
        return;
    plot_->yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (on)
        plot_->yAxis->setTicker(QSharedPointer<LogTicker>::create());
    else
        plot_->yAxis->setTicker(QSharedPointer<NumberTicker>::create());
    fitAxes();
    replotNow();
    saveSettings();
}

void PlotView::setFollowable(bool on) {
    followable_ = on;
    followChip_->setVisible(on && !following_);
    placeChip();
}

void PlotView::setFollowing(bool on) {
    if (followChip_->isChecked() != on)
        followChip_->setChecked(on);
    if (following_ == on)
        return;
    following_ = on;
    followChip_->setVisible(followable_ && !on);
    placeChip();
    if (on)
        fit();
    emit followingChanged(on);
}

void PlotView::placeChip() {
    followChip_->setText(tr("Follow (F)"));
    followChip_->setToolTip(tr("Show all data again and keep up with new ones"));
    followChip_->setAccessibleName(tr("Follow new data"));
    followChip_->adjustSize();
    followChip_->move(width() - followChip_->width() - 8, 6);
    followChip_->raise();
}

void PlotView::setLegendVisible(bool on) {
    plot_->legend->setVisible(on);
    requestReplot();
}

void PlotView::setSettingsKey(const QString& key, QSettings* settings) {
    settings_ = settings ? settings : new QSettings(this);
    settingsKey_ = key;
    const QVariant log = settings_->value(QStringLiteral("plots/%1/logY").arg(key));
    if (log.isValid())
        setLogY(log.toBool());
}

void PlotView::saveSettings() const {
    if (settings_ && !settingsKey_.isEmpty())
        settings_->setValue(QStringLiteral("plots/%1/logY").arg(settingsKey_), isLogY());
}

void PlotView::setHits(QVector<PlotHit> hits) {
    hits_ = std::move(hits);
    const auto byX = [](const PlotHit& a, const PlotHit& b) { return a.x < b.x; };
    if (!std::is_sorted(hits_.begin(), hits_.end(), byX))
        std::stable_sort(hits_.begin(), hits_.end(), byX);
    hovered_ = -1;
    setAccessibleName(accessibleSummary());
}

void PlotView::requestReplot() {
    if (!isVisible()) {
        dirty_ = true;
        return;
    }
    if (replotTimer_.isActive())
        return;
    const qint64 since = sinceReplot_.isValid() ? sinceReplot_.elapsed() : kReplotInterval;
    replotTimer_.start(static_cast<int>(qMax(qint64(0), kReplotInterval - since)));
}

void PlotView::replotNow() {
    if (!isVisible()) {
        dirty_ = true;
        return;
    }
    replotTimer_.stop();
    dirty_ = false;
    sinceReplot_.start();
    layoutItems();
    plot_->replot(QCustomPlot::rpRefreshHint);
}

void PlotView::fit() {
    fitAxes();
    if (followable_)
        setFollowing(true);
    replotNow();
}

QPointF PlotView::pixelOf(const PlotHit& hit) const {
    QCPAxisRect* area = hit.area ? hit.area : mainArea();
    return QPointF(area->axis(QCPAxis::atBottom)->coordToPixel(hit.x),
                   area->axis(QCPAxis::atLeft)->coordToPixel(hit.y));
}

int PlotView::hitAt(const QPointF& position) const {
    const QCPAxis* axis = plot_->xAxis;
    double from = axis->pixelToCoord(position.x() - kReach);
    double to = axis->pixelToCoord(position.x() + kReach);
    if (from > to)
        std::swap(from, to);
    auto it = std::lower_bound(hits_.begin(), hits_.end(), from,
                               [](const PlotHit& hit, double x) { return hit.x < x; });
    int best = -1;
    double bestDistance = kReach * kReach;
    for (; it != hits_.end() && it->x <= to; ++it) {
        const QPointF delta = pixelOf(*it) - position;
        const double distance = QPointF::dotProduct(delta, delta);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = static_cast<int>(it - hits_.begin());
        }
    }
    return best;
}

QList<QCPAxis*> PlotView::xAxes() const {
    return {plot_->xAxis};
}

QList<QCPAxis*> PlotView::yAxes() const {
    return {plot_->yAxis};
}

void PlotView::styleAxis(QCPAxis* axis) const {
    axis->setBasePen(QPen(colors_->line));
    axis->setTickPen(QPen(colors_->line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setLabelColor(colors_->secondary);
    axis->setTickLabelColor(colors_->secondary);
    axis->setLabelFont(textFont());
    axis->setTickLabelFont(textFont());
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(3);
    axis->setSubTickLengthIn(0);
    axis->setLabelPadding(2);
    axis->setTickLabelPadding(4);
    const QColor grid = mixed(colors_->surface, colors_->line, 0.6);
    axis->grid()->setPen(QPen(grid, 1));
    axis->grid()->setZeroLinePen(QPen(grid, 1));
    axis->grid()->setAntialiased(false);
}

void PlotView::applyTheme() {
    restyle(Theme::colorsOf(this));
}

void PlotView::restyle(const ThemeColors& theme) {
    colors_ = &theme;
    plot_->setBackground(theme.surface);
    for (QCPAxisRect* area : plot_->axisRects())
        for (QCPAxis* axis : area->axes())
            if (axis->basePen().style() != Qt::NoPen || axis->tickLabels())
                styleAxis(axis);
    plot_->legend->setFont(textFont());
    plot_->legend->setTextColor(theme.text);
    plot_->legend->setBrush(mixed(theme.surface, theme.surface, 1));
    plot_->legend->setBorderPen(QPen(theme.line));
    plot_->legend->setIconSize(14, 10);
    plot_->legend->setRowSpacing(0);
    recolour();
}

void PlotView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        placeChip();
}

void PlotView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (dirty_)
        QTimer::singleShot(0, this, &PlotView::replotNow);
}

void PlotView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layoutItems();
    placeChip();
}

} // namespace tilewright::ui
