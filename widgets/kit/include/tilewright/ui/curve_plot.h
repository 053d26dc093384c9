// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScopedPointer>
#include <QString>
#include <QVector>

#include <tilewright/ui/plot_view.h>

class QCPPainter;

namespace tilewright::ui {

/// A measured trial, or a point of the best-so-far line.
struct CurvePoint {
    double x = 0;
    double y = 0;
    qint64 id = -1;
};

/// A kind of failure: glyph, word and colour together.
struct FailureKind {
    QString word;
    QString glyph;
    Tone tone = Tone::Secondary;
};

struct CurveFailure {
    double x = 0;
    int kind = 0; ///< index in CurveData::kinds
    qint64 id = -1;
};

/// A dashed line with its label at the right end, such as "default 2 340".
struct CurveReference {
    double y = 0;
    QString label;
    Tone tone = Tone::Secondary;
};

/// An interval of x that is shaded, with a word why, such as drift of the device.
struct CurveInterval {
    double from = 0;
    double to = 0;
    QString label;
};

/// All a tuning curve shows. Nothing of it is computed by the plot.
struct CurveData {
    QVector<CurvePoint> trials; ///< by x
    QVector<CurvePoint> best;   ///< the improvements, by x; a step line
    QVector<CurveFailure> failures;
    QVector<FailureKind> kinds;
    QVector<double> rounds; ///< x of round limits
    QVector<CurveReference> references;
    QVector<CurveInterval> intervals;
    QString bestLabel; ///< "best 871 ± 4", at the right end of the best line
    QString xTitle;    ///< under the failure strip; empty: under the axis
    int recent = 64;   ///< the last trials, drawn stronger
};

/// The tuning curve: trials as crosses, the best so far as a step line, references dashed, failures
/// on a strip of their own. 200,000 trials replot in under 20 ms.
class CurvePlot : public PlotView {
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    void setAxisTitles(const QString& x, const QString& y) override;
    void setData(const CurveData& data);
    const CurveData& data() const { return data_; }
    /// Log when max/min > 10, until the person chooses.
    void setAutoLog(bool on);
    void setLogY(bool on) override;

protected:
    void recolour() override;
    void fitAxes() override;
    PlotTable table() const override;
    QString summaryText() const override;
    void layoutItems() override;
    void setExporting(bool on) override;
    bool logWanted() const override { return true; }
    QString defaultTooltip(const PlotHit& hit) const override;

private:
    void buildStrip();
    void showStrip();
    void chooseLog();
    void nameScale();
    void updateHits();
    void findRange();
    void paintBehind(QCPPainter* painter);
    void paintManyTrials(QCPPainter* painter) const;
    void paintFront(QCPPainter* painter);
    void paintReferences(QCPPainter* painter);
    void paintImprovements(QCPPainter* painter);
    void paintStrip(QCPPainter* painter);

    struct Parts;
    QScopedPointer<Parts> parts_;
    CurveData data_;
    bool autoLog_ = true;
    bool settingAutoLog_ = false;
};

} // namespace tilewright::ui
