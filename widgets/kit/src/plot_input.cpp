// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PlotView that pointer and keys drive.
#include <tilewright/ui/plot_view.h>

#include "plot_parts.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QRubberBand>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double kWheelZoom = 0.85;

} // namespace

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
        return handleMouse(static_cast<QMouseEvent*>(event), event->type());
    case QEvent::Wheel:
        return handleWheel(static_cast<QWheelEvent*>(event));
    case QEvent::Leave:
        hovered_ = -1;
        pointer_ = QPointF(-1, -1);
        plot_->layer(QStringLiteral("overlay"))->replot();
        return false;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

bool PlotView::handleMouse(QMouseEvent* event, QEvent::Type type) {
    const QPoint position = event->pos();
    if (type == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        pressed_ = last_ = position;
        pressedButton_ = event->button();
        dragging_ = false;
        return true;
    }
    if (type == QEvent::MouseMove) {
        if (pressedButton_ == Qt::NoButton)
            hover(position, event->globalPosition().toPoint());
        else
            dragTo(position);
        return true;
    }
    if (type == QEvent::MouseButtonDblClick) {
        pressedButton_ = Qt::NoButton;
        const int hit = hitAt(event->position());
        if (hit >= 0)
            choose(hit, true);
        else
            fit();
        return true;
    }
    const Qt::MouseButton button = pressedButton_;
    pressedButton_ = Qt::NoButton;
    if (dragging_) {
        if (band_ && button == Qt::RightButton) {
            band_->hide();
            zoomTo(QRect(pressed_, position).normalized());
        }
        dragging_ = false;
        return true;
    }
    if (button == Qt::RightButton)
        showMenu(position);
    else if (button == Qt::LeftButton &&
             !legendClicked(position, event->modifiers() & Qt::AltModifier))
        choose(hitAt(event->position()), false);
    return true;
}

void PlotView::dragTo(const QPoint& position) {
    if (!dragging_ && (position - pressed_).manhattanLength() < QApplication::startDragDistance())
        return;
    dragging_ = true;
    if (pressedButton_ == Qt::RightButton) {
        if (!band_)
            band_ = new QRubberBand(QRubberBand::Rectangle, plot_);
        band_->setGeometry(QRect(pressed_, position).normalized());
        band_->show();
        return;
    }
    for (QCPAxis* axis : xAxes() + yAxes()) {
        const bool sideways = axis->orientation() == Qt::Horizontal;
        const double before = axis->pixelToCoord(sideways ? last_.x() : last_.y());
        const double after = axis->pixelToCoord(sideways ? position.x() : position.y());
        if (axis->scaleType() == QCPAxis::stLogarithmic)
            axis->setRange(axis->range().lower * before / after,
                           axis->range().upper * before / after);
        else
            axis->moveRange(before - after);
    }
    last_ = position;
    userMovedAxes();
}

void PlotView::choose(int hit, bool open) {
    if (hit < 0)
        return;
    const qint64 id = hits_[hit].id;
    selectPoint(id);
    emit pointSelected(id);
    if (open)
        emit pointActivated(id);
}

void PlotView::zoomAxes(const QList<QCPAxis*>& axes, double factor, const QPointF& around) {
    for (QCPAxis* axis : axes) {
        const bool sideways = axis->orientation() == Qt::Horizontal;
        axis->scaleRange(factor, axis->pixelToCoord(sideways ? around.x() : around.y()));
    }
}

bool PlotView::handleWheel(QWheelEvent* event) {
    // With Shift some systems turn the wheel sideways.
    const int turned = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
    if (turned == 0)
        return true;
    const double factor = std::pow(kWheelZoom, turned / 120.0);
    if (!(event->modifiers() & Qt::ShiftModifier))
        zoomAxes(xAxes(), factor, event->position());
    if (!(event->modifiers() & Qt::ControlModifier))
        zoomAxes(yAxes(), factor, event->position());
    userMovedAxes();
    event->accept();
    return true;
}

void PlotView::zoomTo(const QRect& box) {
    if (box.width() < 4 || box.height() < 4)
        return;
    for (QCPAxis* axis : xAxes())
        axis->setRange(axis->pixelToCoord(box.left()), axis->pixelToCoord(box.right()));
    for (QCPAxis* axis : yAxes())
        axis->setRange(axis->pixelToCoord(box.bottom()), axis->pixelToCoord(box.top()));
    userMovedAxes();
}

void PlotView::userMovedAxes() {
    if (followable_)
        setFollowing(false);
    replotNow();
}

QString PlotView::tooltipOf(const PlotHit& hit) const {
    if (tooltip_) {
        const QString text = tooltip_(hit.id);
        if (!text.isEmpty())
            return text;
    }
    return defaultTooltip(hit);
}

QString PlotView::defaultTooltip(const PlotHit& hit) const {
    const PlotTable rows = table();
    const qsizetype row = rows.ids.indexOf(hit.id);
    if (row < 0)
        return {};
    QStringList lines;
    for (qsizetype column = 0; column < rows.columns.size(); ++column) {
        const QVariant value = rows.rows[row].value(column);
        lines.append(QStringLiteral("%1: %2").arg(
            rows.columns[column],
            value.typeId() == QMetaType::Double ? numberText(value.toDouble()) : value.toString()));
    }
    return lines.join(QLatin1Char('\n'));
}

void PlotView::hover(const QPoint& position, const QPoint& global) {
    pointer_ = position;
    const int hit = hitAt(position);
    if (hit != hovered_) {
        hovered_ = hit;
        if (hit >= 0)
            QToolTip::showText(global, tooltipOf(hits_[hit]), plot_);
        else
            QToolTip::hideText();
    }
    plot_->layer(QStringLiteral("overlay"))->replot();
}

void PlotView::paintOverlay(QCPPainter* painter) {
    if (hovered_ < 0 || hovered_ >= hits_.size() || !crossHairWanted())
        return;
    const PlotHit& hit = hits_[hovered_];
    QCPAxisRect* area = hit.area ? hit.area : mainArea();
    const QPointF at = pixelOf(hit);
    const QRectF box = area->rect();
    painter->setAntialiasing(false);
    painter->setPen(QPen(colors_->secondary, 1, Qt::DotLine));
    painter->drawLine(QPointF(at.x(), box.top()), QPointF(at.x(), box.bottom()));
    painter->drawLine(QPointF(box.left(), at.y()), QPointF(box.right(), at.y()));
    painter->setFont(textFont());
    const auto label = [&](const QString& text, const QPointF& centre, bool left) {
        const QSizeF size = QFontMetricsF(painter->font()).size(0, text) + QSizeF(8, 2);
        QRectF place(QPointF(), size);
        place.moveCenter(centre);
        if (left)
            place.moveRight(centre.x());
        painter->setPen(Qt::NoPen);
        painter->setBrush(colors_->raised);
        painter->drawRect(place);
        painter->setPen(colors_->text);
        painter->drawText(place, Qt::AlignCenter, text);
    };
    label(numberText(hit.x), QPointF(at.x(), box.bottom() + 10), false);
    if (area == mainArea())
        label(numberText(hit.y), QPointF(box.left() - 2, at.y()), true);
}

bool PlotView::legendClicked(const QPoint& position, bool solo) {
    if (!plot_->legend->visible())
        return false;
    for (int i = 0; i < plot_->legend->itemCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(plot_->legend->item(i));
        if (!item || !item->outerRect().contains(position))
            continue;
        for (int k = 0; k < plot_->legend->itemCount(); ++k) {
            auto* other = qobject_cast<QCPPlottableLegendItem*>(plot_->legend->item(k));
            if (!other)
                continue;
            QCPAbstractPlottable* plottable = other->plottable();
            if (solo)
                plottable->setVisible(other == item);
            else if (other == item)
                plottable->setVisible(!plottable->visible());
            other->setTextColor(plottable->visible() ? colors_->text : colors_->disabled);
        }
        replotNow();
        return true;
    }
    return false;
}

void PlotView::stepSelection(int direction, bool improvements) {
    if (hits_.isEmpty())
        return;
    qsizetype at = direction > 0 ? -1 : hits_.size();
    if (const PlotHit* hit = selectedHit())
        at = hit - hits_.constData();
    for (at += direction; at >= 0 && at < hits_.size(); at += direction)
        if (!improvements || hits_[at].improvement)
            return choose(static_cast<int>(at), false);
}

void PlotView::keyPressEvent(QKeyEvent* event) {
    const bool plain =
        event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (event->matches(QKeySequence::Copy))
        return copyImage();
    if (event->key() == Qt::Key_E && event->modifiers() == Qt::ControlModifier)
        return exportToFile();
    if ((event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) &&
        (plain || event->modifiers() == Qt::ShiftModifier))
        return stepSelection(event->key() == Qt::Key_Left ? -1 : 1,
                             event->modifiers() == Qt::ShiftModifier);
    if (!plain && event->modifiers() != Qt::ShiftModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_0:
        return fit();
    case Qt::Key_L:
        return setLogY(!isLogY());
    case Qt::Key_F:
        return setFollowing(true);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAxes(xAxes() + yAxes(), kWheelZoom, QRectF(mainArea()->rect()).center());
        return userMovedAxes();
    case Qt::Key_Minus:
        zoomAxes(xAxes() + yAxes(), 1 / kWheelZoom, QRectF(mainArea()->rect()).center());
        return userMovedAxes();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selected_ >= 0)
            emit pointActivated(selected_);
        return;
    case Qt::Key_Menu:
        return showMenu(rect().center());
    default:
        QWidget::keyPressEvent(event);
    }
}

void PlotView::showMenu(const QPoint& position) {
    QMenu menu(this);
    const int hit = hitAt(position);
    emit contextMenuFor(hit < 0 ? -1 : hits_[hit].id, &menu);
    if (!menu.isEmpty())
        menu.addSeparator();
    fillToolsMenu(&menu);
    menu.exec(plot_->mapToGlobal(position));
}

} // namespace tilewright::ui
