// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/graph_view.h>

#include <tilewright/ui/theme.h>

#include <QAccessible>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QToolTip>
#include <QWheelEvent>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kMargin = 16;
constexpr double kSmallestZoom = 0.02;
constexpr double kLargestZoom = 4;
constexpr double kFoldMark = 14;

} // namespace

GraphView::GraphView(QWidget* parent) : QWidget(parent), searchBox_(new QLineEdit(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    searchBox_->setObjectName(QStringLiteral("graphSearch"));
    searchBox_->setPlaceholderText(tr("Find a node"));
    searchBox_->setAccessibleName(tr("Find a node"));
    searchBox_->setClearButtonEnabled(true);
    searchBox_->hide();
    connect(searchBox_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (search(text) > 0)
            nextMatch();
    });
    connect(searchBox_, &QLineEdit::returnPressed, this, [this] { nextMatch(); });
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize GraphView::sizeHint() const {
    return QSize(360, 420);
}

void GraphView::setGraph(const QVector<GraphNode>& nodes, const QVector<GraphEdge>& edges,
                         bool keepView) {
    nodes_ = nodes;
    edges_ = edges;
    matches_.clear();
    match_ = -1;
    if (indexOf(selected_) < 0)
        selected_ = -1;
    if (!keepView || fitted_)
        fit();
    setSubject(subject_);
    update();
}

void GraphView::setLegend(const QString& title, const QString& low, const QString& high) {
    legendTitle_ = title;
    legendLow_ = low;
    legendHigh_ = high;
    update();
}

void GraphView::setSubject(const QString& subject) {
    subject_ = subject;
    QString name = subject.isEmpty() ? tr("Graph") : subject;
    name += QStringLiteral(", ") + tr("%n node(s)", nullptr, static_cast<int>(nodes_.size()));
    setAccessibleName(name);
}

int GraphView::indexOf(qint64 id) const {
    if (id < 0)
        return -1;
    for (int i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].id == id)
            return i;
    return -1;
}

QRectF GraphView::bounds() const {
    QRectF all;
    for (const GraphNode& node : nodes_)
        all |= node.rect;
    for (const GraphEdge& edge : edges_)
        for (const QPointF& point : edge.points)
            all |= QRectF(point, QSizeF(1, 1));
    return all.adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

QPointF GraphView::toGraph(const QPointF& position) const {
    return origin_ + position / zoom_;
}

void GraphView::fit() {
    const QRectF all = bounds();
    fitted_ = true;
    if (nodes_.isEmpty() || width() < 10)
        return;
    // Small graphs are not blown up; tall ones keep a readable size and start at the top.
    zoom_ = qBound(kSmallestZoom, qMin(width() / all.width(), height() / all.height()), 1.0);
    const double readable = qMin(1.0, width() / all.width());
    if (zoom_ < 0.55 && readable >= 0.55 && all.height() < 6 * height())
        zoom_ = qBound(0.55, readable, 0.8);
    origin_.setX(all.center().x() - width() / zoom_ / 2);
    origin_.setY(all.height() * zoom_ <= height() ? all.center().y() - height() / zoom_ / 2
                                                  : all.top());
    update();
}

int GraphView::nodeAt(const QPointF& position) const {
    const QPointF at = toGraph(position);
    int found = -1;
    for (int i = 0; i < nodes_.size(); ++i)
        // Members lie on their group and come after it.
        if (nodes_[i].rect.contains(at))
            found = i;
    return found;
}

void GraphView::zoomAround(const QPointF& position, double factor) {
    const QPointF fixed = toGraph(position);
    zoom_ = qBound(kSmallestZoom, zoom_ * factor, kLargestZoom);
    origin_ = fixed - position / zoom_;
    fitted_ = false;
    update();
}

void GraphView::ensureVisible(int node) {
    const QRectF view(origin_, QSizeF(width(), height()) / zoom_);
    const QRectF rect = nodes_[node].rect.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    if (view.contains(rect))
        return;
    origin_ = rect.center() - QPointF(width(), height()) / zoom_ / 2;
    fitted_ = false;
}

void GraphView::selectNode(qint64 id) {
    if (selected_ == id)
        return;
    selected_ = id;
    const int node = indexOf(id);
    if (node >= 0) {
        ensureVisible(node);
        setAccessibleDescription(nodes_[node].label + QLatin1Char(' ') + nodes_[node].secondary +
                                 QLatin1Char(' ') + nodes_[node].valueText);
    }
    update();
}

void GraphView::choose(int node) {
    if (node < 0)
        return;
    selectNode(nodes_[node].id);
    emit nodeSelected(selected_);
}

int GraphView::search(const QString& text) {
    matches_.clear();
    match_ = -1;
    if (!text.isEmpty())
        for (int i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].label.contains(text, Qt::CaseInsensitive) ||
                nodes_[i].secondary.contains(text, Qt::CaseInsensitive) ||
                nodes_[i].tooltip.contains(text, Qt::CaseInsensitive))
                matches_.append(i);
    update();
    return static_cast<int>(matches_.size());
}

bool GraphView::nextMatch(int direction) {
    if (matches_.isEmpty())
        return false;
    const int count = static_cast<int>(matches_.size());
    match_ = (match_ + direction + count) % count;
    choose(matches_[match_]);
    ensureVisible(matches_[match_]);
    return true;
}

void GraphView::setSearchVisible(bool on) {
    searchBox_->setVisible(on);
    searchBox_->setGeometry(8, 8, qMin(220, width() - 16), 26);
    if (on) {
        searchBox_->setFocus();
        searchBox_->selectAll();
    } else {
        searchBox_->clear();
        setFocus();
    }
}

void GraphView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::colorsOf(this);
    painter.fillRect(rect(), colors.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.scale(zoom_, zoom_);
    painter.translate(-origin_);
    paintGraph(painter, colors, QRectF(origin_, QSizeF(width(), height()) / zoom_), zoom_ > 0.4);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintLegend(painter, colors);
}

void GraphView::paintGraph(QPainter& painter, const ThemeColors& colors, const QRectF& visible,
                           bool detailed) const {
    for (int i = 0; i < nodes_.size(); ++i)
        if (nodes_[i].expanded && nodes_[i].rect.intersects(visible))
            paintNode(painter, colors, i, detailed);
    for (const GraphEdge& edge : edges_) {
        if (edge.points.size() < 2)
            continue;
        if (QPolygonF(edge.points).boundingRect().adjusted(-1, -1, 1, 1).intersects(visible))
            paintEdge(painter, colors, edge);
    }
    for (int i = 0; i < nodes_.size(); ++i)
        if (!nodes_[i].expanded && nodes_[i].rect.intersects(visible))
            paintNode(painter, colors, i, detailed);
}

void GraphView::paintEdge(QPainter& painter, const ThemeColors& colors,
                          const GraphEdge& edge) const {
    const bool chosen = selected_ >= 0 && (edge.from == selected_ || edge.to == selected_);
    const QColor color = chosen ? colors.accent : colors.secondary;
    painter.setPen(QPen(color, chosen ? 1.6 : 1.1, edge.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF(edge.points));
    const QPointF tip = edge.points.last();
    QLineF last(edge.points[edge.points.size() - 2], tip);
    for (qsizetype i = edge.points.size() - 2; i > 0 && last.length() < 0.5; --i)
        last = QLineF(edge.points[i - 1], tip);
    const double angle = std::atan2(last.dy(), last.dx());
    const auto wing = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 7;
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({tip, wing(0.4), wing(-0.4)}));
    if (edge.label.isEmpty())
        return;
    painter.setPen(colors.secondary);
    painter.setFont(Theme::fontOf(this, Theme::PlotText));
    painter.drawText(edge.points[edge.points.size() / 2] + QPointF(4, -4), edge.label);
}

void GraphView::paintNode(QPainter& painter, const ThemeColors& colors, int at,
                          bool detailed) const {
    const GraphNode& node = nodes_[at];
    QColor fill = node.expanded ? colors.window : mixed(colors.surface, colors.raised, 0.6);
    if (node.value >= 0 && !node.expanded)
        fill = mixed(colors.surface, colors.accent,
                     (colors.dark ? 0.08 : 0.05) + 0.34 * qBound(0.0, node.value, 1.0));
    const bool chosen = node.id == selected_;
    const bool matched = std::binary_search(matches_.begin(), matches_.end(), at);
    painter.setPen(QPen(chosen    ? colors.accent
                        : matched ? colors.warning
                                  : mixed(colors.line, colors.accent, node.value > 0 ? 0.2 : 0),
                        chosen || matched ? 2 : 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(node.rect, 4, 4);
    if (!detailed)
        return;
    const QFont font = Theme::fontOf(this, Theme::Dense);
    const QFont small = Theme::fontOf(this, Theme::PlotText);
    QRectF area = node.rect.adjusted(9, 3, -9, -3);
    if (node.expanded)
        area.setHeight(QFontMetricsF(font).height() + 4);
    const bool two = !node.secondary.isEmpty() || !node.valueText.isEmpty();
    const bool tall = two && !node.expanded && area.height() >= 26;
    QRectF first = area;
    if (tall)
        first.setHeight(area.height() / 2);
    if (node.group) {
        painter.setFont(small);
        painter.setPen(colors.secondary);
        painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                         node.expanded ? QStringLiteral("▾") : QStringLiteral("▸"));
        first.setLeft(first.left() + kFoldMark);
    }
    painter.setFont(small);
    painter.setPen(colors.secondary);
    double taken = QFontMetricsF(small).horizontalAdvance(node.count);
    painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, node.count);
    painter.setFont(font);
    painter.setPen(colors.text);
    painter.drawText(
        first, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(font).elidedText(node.label, Qt::ElideMiddle, first.width() - taken - 4));
    if (!tall)
        return;
    QRectF second(area.left(), area.center().y(), area.width(), area.height() / 2);
    painter.setFont(small);
    painter.setPen(colors.text);
    painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, node.valueText);
    taken = QFontMetricsF(small).horizontalAdvance(node.valueText);
    painter.setPen(colors.secondary);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(small).elidedText(node.secondary, Qt::ElideRight,
                                                     second.width() - taken - 6));
}

void GraphView::paintLegend(QPainter& painter, const ThemeColors& colors) const {
    if (legendTitle_.isEmpty())
        return;
    const QFont font = Theme::fontOf(this, Theme::PlotText);
    const QFontMetricsF metrics(font);
    const double wide = qMax(84.0, metrics.horizontalAdvance(legendTitle_));
    const double line = metrics.height() + 2;
    QRectF box(0, 0, wide + 16, 2 * line + 18);
    box.moveBottomRight(QPointF(width() - 8, height() - 8));
    painter.setPen(QPen(colors.line, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(box, 4, 4);
    box.adjust(8, 4, -8, -4);
    painter.setFont(font);
    painter.setPen(colors.secondary);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignTop, legendTitle_);
    for (int i = 0; i < 5; ++i)
        painter.fillRect(QRectF(box.left() + i * wide / 5, box.top() + line, wide / 5, 8),
                         mixed(colors.surface, colors.accent, 0.05 + 0.34 * i / 4));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignBottom, legendLow_);
    painter.drawText(box, Qt::AlignRight | Qt::AlignBottom, legendHigh_);
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (fitted_)
        fit();
    searchBox_->setGeometry(8, 8, qMin(220, width() - 16), 26);
}

void GraphView::wheelEvent(QWheelEvent* event) {
    zoomAround(event->position(), std::pow(1.15, event->angleDelta().y() / 120.0));
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    pressed_ = last_ = event->position();
    dragging_ = false;
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        const QPointF way = event->position() - last_;
        if (dragging_ ||
            (event->position() - pressed_).manhattanLength() > QApplication::startDragDistance()) {
            dragging_ = true;
            origin_ -= way / zoom_;
            last_ = event->position();
            fitted_ = false;
            update();
        }
        return;
    }
    setCursor(nodeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (dragging_ || event->button() != Qt::LeftButton)
        return;
    const int node = nodeAt(event->position());
    if (node >= 0 && nodes_[node].group) {
        const QRectF rect = nodes_[node].rect;
        const QPointF at = toGraph(event->position()) - rect.topLeft();
        if (at.x() < 9 + kFoldMark && at.y() < 26)
            emit groupToggled(nodes_[node].id);
    }
    choose(node);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node < 0)
        return fit();
    if (nodes_[node].group)
        emit groupToggled(nodes_[node].id);
    else
        emit nodeActivated(nodes_[node].id);
}

void GraphView::walk(int key) {
    const int current = indexOf(selected_);
    if (current < 0)
        return choose(nodes_.isEmpty() ? -1 : 0);
    const QPointF from = nodes_[current].rect.center();
    int best = -1;
    double bestCost = 1e18;
    for (int i = 0; i < nodes_.size(); ++i) {
        const QPointF way = nodes_[i].rect.center() - from;
        const double along = key == Qt::Key_Down   ? way.y()
                             : key == Qt::Key_Up   ? -way.y()
                             : key == Qt::Key_Left ? -way.x()
                                                   : way.x();
        const double across =
            key == Qt::Key_Down || key == Qt::Key_Up ? std::fabs(way.x()) : std::fabs(way.y());
        if (along > 1 && along + 2 * across < bestCost) {
            bestCost = along + 2 * across;
            best = i;
        }
    }
    choose(best);
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() == Qt::NoModifier)
            return walk(event->key());
        break;
    case Qt::Key_0:
        return fit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAround(QRectF(rect()).center(), 1.2);
    case Qt::Key_Minus:
        return zoomAround(QRectF(rect()).center(), 1 / 1.2);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (searchBox_->hasFocus())
            return;
        if (selected_ >= 0)
            emit nodeActivated(selected_);
        return;
    case Qt::Key_Space:
        if (const int node = indexOf(selected_); node >= 0 && nodes_[node].group)
            emit groupToggled(selected_);
        return;
    case Qt::Key_Slash:
        return setSearchVisible(true);
    case Qt::Key_F:
        if (event->modifiers() == Qt::ControlModifier)
            return setSearchVisible(true);
        break;
    case Qt::Key_E:
        if (event->modifiers() == Qt::ControlModifier)
            return exportToFile();
        break;
    case Qt::Key_Escape:
        if (searchBox_->isVisible())
            return setSearchVisible(false);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const int node = nodeAt(event->pos());
    emit contextMenuFor(node < 0 ? -1 : nodes_[node].id, &menu);
    if (!menu.isEmpty())
        menu.addSeparator();
    menu.addAction(tr("Fit"), this, &GraphView::fit);
    menu.addAction(tr("Find…"), this, [this] { setSearchVisible(true); });
    menu.addAction(tr("Export as SVG or PNG…"), this, &GraphView::exportToFile);
    menu.exec(event->globalPos());
}

bool GraphView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = nodeAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       node < 0                         ? QString()
                       : nodes_[node].tooltip.isEmpty() ? nodes_[node].label
                                                        : nodes_[node].tooltip,
                       this);
    return true;
}

bool GraphView::exportSvg(QIODevice* device) const {
    const QRectF all = bounds();
    QSvgGenerator svg;
    svg.setOutputDevice(device);
    svg.setSize(all.size().toSize());
    svg.setViewBox(QRectF(QPointF(), all.size()));
    svg.setTitle(accessibleName());
    QPainter painter;
    if (!painter.begin(&svg))
        return false;
    painter.translate(-all.topLeft());
    painter.fillRect(all, lightColors().surface);
    paintGraph(painter, lightColors(), all, true);
    return painter.end();
}

bool GraphView::exportPng(QIODevice* device) const {
    const QRectF all = bounds();
    QImage image((all.size() * 2).toSize().boundedTo(QSize(16000, 16000)), QImage::Format_RGB32);
    image.fill(lightColors().surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = qMin(image.width() / all.width(), image.height() / all.height());
    painter.scale(scale, scale);
    painter.translate(-all.topLeft());
    paintGraph(painter, lightColors(), all, true);
    painter.end();
    return image.save(device, "PNG");
}

void GraphView::exportToFile() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export graph"), QString(), tr("SVG drawing (*.svg);;PNG picture (*.png)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const bool png = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
    if (!file.open(QIODevice::WriteOnly) || !(png ? exportPng(&file) : exportSvg(&file)) ||
        !file.commit())
        emit failed(tr("%1 could not be written: %2").arg(path, file.errorString()));
}

} // namespace tilewright::ui
