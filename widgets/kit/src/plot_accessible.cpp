// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot_accessible.h"

#include <tilewright/ui/plot_view.h>

#include <QAccessibleWidget>

namespace tilewright::ui {

namespace {

/// A plot for screen readers: its summary as name, the selected point as value.
class PlotAccessible : public QAccessibleWidget {
public:
    explicit PlotAccessible(PlotView* plot)
        : QAccessibleWidget(plot, QAccessible::Chart), plot_(plot) {}

    QString text(QAccessible::Text kind) const override {
        switch (kind) {
        case QAccessible::Name:
            return plot_->accessibleSummary();
        case QAccessible::Value:
            return plot_->selectedText();
        case QAccessible::Help:
            return PlotView::tr("Left and right arrows step through the points; the menu has "
                                "“Show as table”.");
        default:
            return QAccessibleWidget::text(kind);
        }
    }

private:
    PlotView* plot_;
};

QAccessibleInterface* makePlotInterface(const QString&, QObject* object) {
    if (auto* plot = qobject_cast<PlotView*>(object))
        return new PlotAccessible(plot);
    return nullptr;
}

} // namespace

void installPlotAccessibility() {
    // Installing the same factory again changes nothing.
    QAccessible::installFactory(makePlotInterface);
}

} // namespace tilewright::ui
