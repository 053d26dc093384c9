// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// A piece of work on a lane.
struct TimelineSpan {
    int lane = 0;
    double begin = 0; ///< in the unit of the x axis
    double end = 0;
    QString name;     ///< drawn where it fits
    int category = 0; ///< 0: accent; others from the categories
    qint64 id = -1;   ///< spans of one operator share an id and are highlighted together
    QString fullName;
};

/// Lanes over time: operators on threads, or builds and runs on workers.
class TimelinePlot : public PlotView {
    Q_OBJECT

public:
    explicit TimelinePlot(QWidget* parent = nullptr);
    void setData(const QStringList& lanes, const QVector<TimelineSpan>& spans);

protected:
    int hitAt(const QPointF& position) const override;
    bool crossHairWanted() const override { return false; }
    QList<QCPAxis*> yAxes() const override { return {}; }
    QString defaultTooltip(const PlotHit& hit) const override;
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void layoutItems() override;

private:
    void paintSpans(QCPPainter* painter);
    QRectF laneBox(int lane) const;

    QStringList lanes_;
    QVector<TimelineSpan> spans_;
};

} // namespace tilewright::ui
