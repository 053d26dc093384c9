// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_rows.h"

#include <tilewright/ui/live_text.h>

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace tilewright::ui {

using session::Verdict;

namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString signedText(double value, int decimals) {
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
           QLocale().toString(std::abs(value), 'f', decimals);
}

/// Byte offsets of UTF-8 turned into places of a QString.
QVector<TextSpan> spansOf(const std::string& line, const std::vector<session::TextSpan>& spans) {
    QVector<TextSpan> out;
    for (const session::TextSpan& span : spans) {
        TextSpan place;
        place.begin = static_cast<int>(
            QString::fromUtf8(line.data(), static_cast<qsizetype>(span.begin)).size());
        place.length = static_cast<int>(
            QString::fromUtf8(line.data() + span.begin, static_cast<qsizetype>(span.length))
                .size());
        out.append(place);
    }
    return out;
}

RowChange changeOf(session::LineChange change) {
    switch (change) {
    case session::LineChange::Changed:
        return RowChange::Changed;
    case session::LineChange::OnlyLeft:
        return RowChange::OnlyLeft;
    case session::LineChange::OnlyRight:
        return RowChange::OnlyRight;
    default:
        return RowChange::Equal;
    }
}

RowChange changeOf(session::TraceChange change) {
    switch (change) {
    case session::TraceChange::Decision:
        return RowChange::Changed;
    case session::TraceChange::Attributes:
        return RowChange::Attributes;
    case session::TraceChange::OnlyLeft:
        return RowChange::OnlyLeft;
    case session::TraceChange::OnlyRight:
        return RowChange::OnlyRight;
    case session::TraceChange::Moved:
        return RowChange::Moved;
    case session::TraceChange::Equal:
        break;
    }
    return RowChange::Equal;
}

QVector<DecisionPart> partsOf(const session::DecisionCell& cell, bool differs) {
    if (!cell.present)
        return {{QStringLiteral("—"), differs}};
    if (cell.factors.empty())
        return {{text(cell.text), differs}};
    QVector<DecisionPart> parts;
    for (std::size_t i = 0; i < cell.factors.size(); ++i) {
        if (i > 0)
            parts.append({QStringLiteral("·"), false});
        parts.append(
            {QString::number(cell.factors[i]), i < cell.changed.size() && cell.changed[i]});
    }
    return parts;
}

/// An instruction's text without the schedule's name, its differing words marked.
QVector<DecisionPart> instructionParts(const QString& line, const QVector<TextSpan>& spans) {
    QVector<DecisionPart> parts;
    int at = 0;
    for (const TextSpan& span : spans) {
        if (span.begin > at)
            parts.append({line.mid(at, span.begin - at), false});
        parts.append({line.mid(span.begin, span.length), true});
        at = span.begin + span.length;
    }
    if (at < line.size())
        parts.append({line.mid(at), false});
    return parts;
}

} // namespace

QString CompareRows::verdictGlyph(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return QStringLiteral("▼");
    case Verdict::Slower:
        return QStringLiteral("▲");
    case Verdict::Same:
        return QStringLiteral("≈");
    default:
        return QStringLiteral("⊘");
    }
}

QString CompareRows::verdictWord(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return tr("faster");
    case Verdict::Slower:
        return tr("slower");
    case Verdict::Same:
        return tr("within noise");
    case Verdict::NotComparable:
        return tr("not comparable");
    case Verdict::OnlyLeft:
        return tr("only in A");
    case Verdict::OnlyRight:
        return tr("only in B");
    case Verdict::None:
        return tr("no result");
    }
    return {};
}

Tone CompareRows::verdictTone(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return Tone::Faster;
    case Verdict::Slower:
        return Tone::Slower;
    case Verdict::Same:
        return Tone::Secondary;
    default:
        return Tone::Warning;
    }
}

QString CompareRows::changeText(const session::Judgement& judgement) {
    if (judgement.verdict == Verdict::Same)
        return QStringLiteral("≈");
    return signedText((judgement.ratio - 1) * 100, 1) + QStringLiteral(" %");
}

QString CompareRows::intervalText(const session::Judgement& judgement) {
    return QStringLiteral("[%1, %2]")
        .arg(signedText((judgement.low - 1) * 100, 1), signedText((judgement.high - 1) * 100, 1));
}

QString CompareRows::headline(const session::Judgement& judgement) {
    switch (judgement.verdict) {
    case Verdict::Faster:
        return tr("▼ %1× faster").arg(QLocale().toString(1 / judgement.ratio, 'f', 2));
    case Verdict::Slower:
        return tr("▲ %1× slower").arg(QLocale().toString(judgement.ratio, 'f', 2));
    case Verdict::Same:
        return tr("≈ within noise");
    default:
        return QStringLiteral("⊘ ") + verdictWord(judgement.verdict);
    }
}

QString CompareRows::effectText(const session::DecisionEffect& effect) {
    using Kind = session::DecisionEffect::Kind;
    const QString change = text(effect.from) + QStringLiteral(" → ") + text(effect.to);
    switch (effect.kind) {
    case Kind::None:
        return {};
    case Kind::ParallelExtent:
        return tr("parallel extent %1").arg(change);
    case Kind::VectorExtent:
        return tr("vector %1").arg(change);
    case Kind::UnrollSteps:
        return tr("unroll %1").arg(change);
    case Kind::ComputeAt:
        return tr("compute-at: %1").arg(change);
    case Kind::InnerTile:
        return tr("inner tile %1").arg(change);
    case Kind::OuterTile:
        return tr("outer parts %1").arg(change);
    case Kind::Choice:
        return change;
    }
    return {};
}

session::ScaledUnit CompareRows::unitOf(const session::SessionComparison& comparison) {
    std::vector<double> seconds;
    for (const auto& row : comparison.operators)
        for (const auto& value : {row.left, row.right})
            if (value)
                seconds.push_back(*value);
    if (seconds.empty())
        return session::latencyUnit(1e-6);
    std::sort(seconds.begin(), seconds.end());
    return session::latencyUnit(seconds[seconds.size() / 2]);
}

QVector<TableColumn> CompareRows::operatorColumns(const session::ScaledUnit& unit,
                                                  const session::ScaledUnit& total) {
    const QString name = text(unit.name);
    QVector<TableColumn> columns(OperatorColumnCount);
    columns[OpColumn] = {tr("op"), QStringLiteral("op"), {}, false};
    columns[MatchColumn] = {tr("match"), QStringLiteral("match"),
                            tr("How the operator was found on the other side: by the hash of its "
                               "module, or by what it computes"),
                            false};
    columns[LeftColumn] = {tr("A (%1)").arg(name), QStringLiteral("a_s"), tr("Latency of one call"),
                           true};
    columns[RightColumn] = {tr("B (%1)").arg(name), QStringLiteral("b_s"),
                            tr("Latency of one call"), true};
    columns[DeltaColumn] = {tr("Δ"), QStringLiteral("delta"), tr("(B − A) ÷ A"), true};
    columns[VerdictColumn] = {tr("verdict"), QStringLiteral("verdict"),
                              tr("≈ when the 95 % interval covers 0 or the change is below the "
                                 "threshold"),
                              false};
    columns[WeightedColumn] = {tr("weighted Δ (%1)").arg(text(total.name)),
                               QStringLiteral("weighted_delta_s"), tr("Calls in a run × (B − A)"),
                               true};
    columns[LeftShareColumn] = {tr("share A (%)"), QStringLiteral("share_a"), {}, true};
    columns[RightShareColumn] = {tr("share B (%)"), QStringLiteral("share_b"), {}, true};
    columns[TraceColumn] = {tr("trace Δ"), QStringLiteral("trace_decisions"),
                            tr("Decisions of the schedule that differ; opens them"), false};
    return columns;
}

QVector<CellValue> CompareRows::operatorCells(const session::OperatorComparison& row,
                                              const session::ScaledUnit& unit,
                                              const session::ScaledUnit& total,
                                              double largestDelta) {
    QVector<CellValue> cells(OperatorColumnCount);
    cells[OpColumn] = textCell(text(row.name));
    cells[MatchColumn] = textCell(text(std::string(session::toString(row.match))), Tone::Secondary);
    const auto latency = [&](const std::optional<double>& seconds, std::int64_t samples) {
        if (!seconds)
            return missingCell(text(row.reason));
        CellValue cell = numberCell(latencyText(seconds, unit), *seconds);
        cell.tooltip = tr("%n sample(s)", nullptr, static_cast<int>(samples));
        return cell;
    };
    cells[LeftColumn] = latency(row.left, row.leftSamples);
    cells[RightColumn] = latency(row.right, row.rightSamples);
    const bool both = row.left && row.right;
    if (both) {
        cells[DeltaColumn] = numberCell(changeText(row.judgement), row.judgement.ratio - 1);
        cells[DeltaColumn].tone = verdictTone(row.judgement.verdict);
        cells[DeltaColumn].tooltip = intervalText(row.judgement) + QStringLiteral(" %");
        if (row.judgement.assumedNoise)
            cells[DeltaColumn].tooltip += tr("; one sample on a side: 5 % noise assumed");
    } else {
        cells[DeltaColumn] = missingCell(text(row.reason));
    }
    cells[VerdictColumn] =
        textCell(row.reason.empty()
                     ? verdictWord(row.judgement.verdict)
                     : verdictWord(row.judgement.verdict) + QStringLiteral(": ") + text(row.reason),
                 verdictTone(row.judgement.verdict));
    cells[VerdictColumn].glyph = verdictGlyph(row.judgement.verdict);
    if (row.weightedDelta) {
        CellValue& cell = cells[WeightedColumn];
        const bool same = row.judgement.verdict == Verdict::Same;
        cell =
            numberCell(same ? QStringLiteral("≈") : signedText(*row.weightedDelta / total.scale, 3),
                       std::abs(*row.weightedDelta));
        cell.exported = *row.weightedDelta;
        cell.bar = largestDelta > 0 && !same ? std::abs(*row.weightedDelta) / largestDelta : -1;
        cell.barTone = verdictTone(row.judgement.verdict);
        cells[LeftShareColumn] =
            numberCell(QLocale().toString(row.leftShare * 100, 'f', 1), row.leftShare);
        cells[RightShareColumn] =
            numberCell(QLocale().toString(row.rightShare * 100, 'f', 1), row.rightShare);
    } else {
        for (const int column : {WeightedColumn, LeftShareColumn, RightShareColumn})
            cells[column] = missingCell(text(row.reason));
    }
    CellValue& trace = cells[TraceColumn];
    if (!row.decisions) {
        trace = missingCell(tr("Needs a trace on both sides"));
    } else {
        const auto count = static_cast<int>(*row.decisions);
        trace = textCell(!row.sameStructure ? tr("other structure")
                         : count == 0       ? tr("same trace")
                                            : tr("%n decision(s)", nullptr, count),
                         count == 0 && row.sameStructure ? Tone::Disabled : Tone::Accent);
        trace.sort = count + (row.sameStructure ? 0 : 1000);
        trace.link = true;
    }
    return cells;
}

Dumbbell CompareRows::dumbbell(const session::OperatorComparison& row,
                               const session::ScaledUnit& unit, qint64 id) {
    Dumbbell dumbbell;
    dumbbell.name = text(row.name);
    if (row.left)
        dumbbell.a = *row.left / unit.scale;
    if (row.right)
        dumbbell.b = *row.right / unit.scale;
    dumbbell.tone = verdictTone(row.judgement.verdict);
    dumbbell.glyph = verdictGlyph(row.judgement.verdict);
    dumbbell.id = id;
    return dumbbell;
}

QVector<WaterfallStep> CompareRows::waterfall(const session::SessionComparison& comparison,
                                              const session::ScaledUnit& unit) {
    QVector<WaterfallStep> steps;
    double at = comparison.left.total / unit.scale;
    const auto total = [&](const QString& name, double value) {
        WaterfallStep step;
        step.name = name;
        step.to = value;
        step.total = true;
        step.label = QLocale().toString(value, 'f', 2);
        steps.append(step);
    };
    total(QStringLiteral("A"), at);
    for (const session::WaterfallStep& change : comparison.steps) {
        WaterfallStep step;
        const double delta = change.seconds / unit.scale;
        step.name =
            change.name.empty() ? tr("≈ rest (%1)").arg(change.operators) : text(change.name);
        step.from = at;
        step.to = at + delta;
        step.tone = change.name.empty() ? Tone::Secondary : delta < 0 ? Tone::Faster : Tone::Slower;
        step.label = signedText(delta, 2);
        at += delta;
        steps.append(step);
    }
    total(QStringLiteral("B"), comparison.right.total / unit.scale);
    return steps;
}

QVector<TableColumn> CompareRows::settingColumns() {
    return {{QString(), QStringLiteral("differs"), {}, false},
            {tr("setting"), QStringLiteral("setting"), {}, false},
            {QStringLiteral("A"), QStringLiteral("a"), {}, false},
            {QStringLiteral("B"), QStringLiteral("b"), {}, false}};
}

QVector<CellValue> CompareRows::settingCells(const session::SettingDifference& setting) {
    const Tone tone = setting.matters   ? Tone::Warning
                      : setting.differs ? Tone::Accent
                                        : Tone::Secondary;
    const auto value = [&](const std::string& cell) {
        return cell.empty()
                   ? missingCell(tr("Not recorded"))
                   : textCell(text(cell), setting.differs ? Tone::Normal : Tone::Secondary);
    };
    CellValue mark = textCell(setting.differs ? QStringLiteral("≠") : QStringLiteral("="), tone);
    mark.tooltip = setting.matters   ? tr("Differs: times do not compare")
                   : setting.differs ? tr("Differs")
                                     : tr("Equal");
    return {mark, textCell(text(setting.name)), value(setting.left), value(setting.right)};
}

TraceDiff CompareRows::traceDiff(const session::RecordComparison& comparison) {
    TraceDiff diff;
    for (const session::RecordFacts& record : comparison.records)
        diff.sides << tr("record %1").arg(groupedCount(record.ref.record));
    std::map<std::size_t, int> instructionOf; ///< of the first trace
    for (std::size_t i = 0; i < comparison.trace.rows.size(); ++i) {
        const session::TraceRow& row = comparison.trace.rows[i];
        const session::SideRow& words = comparison.instructions[i];
        InstructionRow out;
        out.change = changeOf(row.change);
        out.postprocessing = row.postprocess;
        out.leftLine = row.left ? static_cast<int>(*row.left) + 1 : -1;
        out.rightLine = row.right ? static_cast<int>(*row.right) + 1 : -1;
        out.left = instructionParts(text(words.left), spansOf(words.left, words.leftSpans));
        out.right = instructionParts(text(words.right), spansOf(words.right, words.rightSpans));
        if (row.left)
            instructionOf[*row.left] = static_cast<int>(diff.instructions.size());
        diff.instructions.append(out);
    }
    for (const session::DecisionRow& row : comparison.decisions.rows) {
        DecisionRow out;
        const QString name = text(row.name);
        out.name = row.kind == session::DecisionKind::Location ? tr("%1 at").arg(name) : name;
        out.extent = row.extent ? QString::number(*row.extent) : QString();
        for (const session::DecisionCell& cell : row.cells)
            out.values.append(partsOf(cell, row.differs));
        out.effect = row.effects.empty() ? QString() : effectText(row.effects.back());
        out.changed = row.differs;
        if (!row.cells.empty() && row.cells.front().present) {
            const auto found = instructionOf.find(row.cells.front().instruction);
            out.instruction = found == instructionOf.end() ? -1 : found->second;
        }
        diff.decisions.append(out);
    }
    const session::DecisionTable& table = comparison.decisions;
    diff.note = tr("%1 of %2 changed, products %3")
                    .arg(table.changed)
                    .arg(table.rows.size())
                    .arg(table.productsFit ? tr("check ✓") : tr("do not check ✕"));
    if (!table.structures.empty()) {
        diff.banner = tr("Structure differs: %1").arg(text(table.structures.front()));
        diff.bannerDetail = tr("The instructions are aligned all the same; no decision is hidden.");
    }
    return diff;
}

QVector<DiffRow> CompareRows::codeRows(const session::SideBySide& code) {
    QVector<DiffRow> rows;
    rows.reserve(static_cast<qsizetype>(code.rows.size()));
    for (const session::SideRow& row : code.rows) {
        DiffRow out;
        out.leftText = text(row.left);
        out.rightText = text(row.right);
        out.change = changeOf(row.change);
        out.leftSpans = spansOf(row.left, row.leftSpans);
        out.rightSpans = spansOf(row.right, row.rightSpans);
        out.leftLine = row.leftLine > 0 ? row.leftLine : -1;
        out.rightLine = row.rightLine > 0 ? row.rightLine : -1;
        rows.append(out);
    }
    return rows;
}

} // namespace tilewright::ui
