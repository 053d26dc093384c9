// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>

class QCustomPlot;

namespace tilewright::ui {

/// Points and the step line of their running minimum over a logarithmic axis, in the colours of the
/// palette. Knows no engine.
class CurvePlot : public QWidget {
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);
    void setAxisTitles(const QString& x, const QString& y);
    /// Values of at most zero are left out.
    void setPoints(const QVector<double>& x, const QVector<double>& y);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyPalette();
    QCustomPlot* plot_;
};

} // namespace tilewright::ui
