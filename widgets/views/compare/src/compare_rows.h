// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/compare_records.h>
#include <tilewright/session/compare_sessions.h>
#include <tilewright/session/live_curve.h>
#include <tilewright/session/side_by_side.h>
#include <tilewright/ui/cell_table_model.h>
#include <tilewright/ui/diff_view.h>
#include <tilewright/ui/dumbbell_plot.h>
#include <tilewright/ui/trace_diff_view.h>

#include <QCoreApplication>

namespace tilewright::ui {

/// Comparisons as the rows and cells of the kit.
class CompareRows {
    Q_DECLARE_TR_FUNCTIONS(CompareRows)

public:
    enum OperatorColumn {
        OpColumn,
        MatchColumn,
        LeftColumn,
        RightColumn,
        DeltaColumn,
        VerdictColumn,
        WeightedColumn,
        LeftShareColumn,
        RightShareColumn,
        TraceColumn,
        OperatorColumnCount
    };
    /// Unit of the operators' latencies: that of their median.
    static session::ScaledUnit unitOf(const session::SessionComparison& comparison);
    static QVector<TableColumn> operatorColumns(const session::ScaledUnit& unit,
                                                const session::ScaledUnit& total);
    static QVector<CellValue> operatorCells(const session::OperatorComparison& row,
                                            const session::ScaledUnit& unit,
                                            const session::ScaledUnit& total, double largestDelta);
    static Dumbbell dumbbell(const session::OperatorComparison& row,
                             const session::ScaledUnit& unit, qint64 id);
    static QVector<WaterfallStep> waterfall(const session::SessionComparison& comparison,
                                            const session::ScaledUnit& unit);

    static QVector<TableColumn> settingColumns();
    static QVector<CellValue> settingCells(const session::SettingDifference& setting);

    static TraceDiff traceDiff(const session::RecordComparison& comparison);
    static QVector<DiffRow> codeRows(const session::SideBySide& code);

    static QString verdictGlyph(session::Verdict verdict);
    static QString verdictWord(session::Verdict verdict);
    static Tone verdictTone(session::Verdict verdict);
    /// `−12.4 %`; "≈" within noise.
    static QString changeText(const session::Judgement& judgement);
    /// `[−20.1, −18.4]`
    static QString intervalText(const session::Judgement& judgement);
    /// `1.24× faster`, `1.03× slower`, `within noise`.
    static QString headline(const session::Judgement& judgement);
    static QString effectText(const session::DecisionEffect& effect);
};

} // namespace tilewright::ui
