// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/overview_table.h>

#include <tilewright/ui/live_text.h>

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewright::ui {

namespace {

QString threeDigits(double value) {
    if (value <= 0)
        return QStringLiteral("0");
    const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(value))), 0, 3);
    return QLocale().toString(value, 'f', decimals);
}

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list.join(QStringLiteral(", "));
}

} // namespace

OverviewTable::OverviewTable(const session::ModelOverview& overview,
                             const session::ModelOverview* previous)
    : overview_(overview), previous_(previous) {
    std::vector<double> times;
    for (const session::OverviewTask& task : overview.tasks) {
        largestShare_ = std::max(largestShare_, task.estimatedShare);
        if (task.defaultSeconds)
            times.push_back(*task.defaultSeconds);
    }
    if (!times.empty()) {
        std::sort(times.begin(), times.end());
        unit_ = session::latencyUnit(times[times.size() / 2]);
    }
}

QString OverviewTable::flopText(double flop) {
    if (flop >= 1e12)
        return tr("%1 TFLOP").arg(threeDigits(flop / 1e12));
    if (flop >= 1e9)
        return tr("%1 GFLOP").arg(threeDigits(flop / 1e9));
    return tr("%1 MFLOP").arg(threeDigits(flop / 1e6));
}

QString OverviewTable::bytesText(double bytes) {
    if (bytes >= 1e9)
        return tr("%1 GB").arg(threeDigits(bytes / 1e9));
    if (bytes >= 1e6)
        return tr("%1 MB").arg(threeDigits(bytes / 1e6));
    return tr("%1 kB").arg(threeDigits(bytes / 1e3));
}

QString OverviewTable::millionsText(qint64 count) {
    if (count >= 1000000)
        return tr("%1 M").arg(QLocale().toString(static_cast<double>(count) / 1e6, 'f', 2));
    return groupedCount(count);
}

QVector<TableColumn> OverviewTable::taskColumns() const {
    QVector<TableColumn> columns(TaskColumnCount);
    columns[NameColumn] = {tr("task"), QStringLiteral("task"), {}, false};
    columns[TagColumn] = {tr("op tag"), QStringLiteral("tag"),
                          tr("The operators that were fused into this kernel"), false};
    columns[ShapeColumn] = {tr("shape"), QStringLiteral("shape"),
                            tr("Channels in → out, image, window; or extents"), false};
    columns[WeightColumn] = {tr("×"), QStringLiteral("weight"), tr("Calls in one run"), true};
    columns[FlopColumn] = {tr("MFLOP"), QStringLiteral("flop"), tr("Arithmetic of one call"), true};
    columns[BytesColumn] = {tr("MB"), QStringLiteral("bytes"),
                            tr("Bytes of all tensors of one call, each once"), true};
    columns[IntensityColumn] = {tr("FLOP/B"), QStringLiteral("flop_per_byte"),
                                tr("FLOP / bytes: low values are bound by memory"), true};
    columns[DefaultColumn] = {
        tr("default (%1)").arg(QString::fromStdString(std::string(unit_.name))),
        QStringLiteral("default_s"), tr("Median latency of one call with the default schedule"),
        true};
    columns[ShareColumn] = {
        tr("est. share %"), QStringLiteral("estimated_share"),
        overview_.estimateOrigin == session::PeakOrigin::Measured
            ? tr("Before any tuning: the longer of FLOP / peak and bytes / bandwidth, from the "
                 "measured peaks")
            : tr("Before any tuning: the longer of FLOP / peak and bytes / bandwidth, from "
                 "theoretical peaks"),
        true};
    columns[StateColumn] = {tr("tuned"), QStringLiteral("best_record"),
                            tr("The best record in the work directory"), false};
    columns[NodesColumn] = {tr("ONNX nodes"), QStringLiteral("nodes"),
                            tr("The model's nodes of the first call"), false};
    columns[BeforeColumn] = {tr("× before"), QStringLiteral("weight_before"),
                             tr("Calls of the same kernel with the shapes before"), true};
    return columns;
}

QVector<CellValue> OverviewTable::taskCells(const session::OverviewTask& task) const {
    QVector<CellValue> cells(TaskColumnCount);
    cells[NameColumn] = textCell(QString::fromStdString(task.name));
    cells[TagColumn] = textCell(QString::fromStdString(task.tag), Tone::Secondary);
    const int nodes = static_cast<int>(task.nodes.size());
    cells[TagColumn].tooltip = tr("%1: %n ONNX node(s)", nullptr, nodes).arg(cells[TagColumn].text);
    cells[ShapeColumn] = textCell(QString::fromStdString(task.shape));
    cells[ShapeColumn].tooltip = QString::fromStdString(task.dtype);
    cells[WeightColumn] = numberCell(QLocale().toString(task.weight, 'g', 5), task.weight);
    cells[FlopColumn] = task.flop > 0 ? numberCell(threeDigits(task.flop / 1e6), task.flop)
                                      : missingCell(tr("Moves data only."));
    cells[BytesColumn] = numberCell(threeDigits(task.bytes / 1e6), task.bytes);
    cells[IntensityColumn] = task.flop > 0
                                 ? numberCell(threeDigits(task.intensity()), task.intensity())
                                 : missingCell(tr("Moves data only."));
    cells[DefaultColumn] =
        task.defaultSeconds
            ? numberCell(latencyText(task.defaultSeconds, unit_), *task.defaultSeconds)
            : missingCell(tr("The default schedule was not measured yet."));
    cells[ShareColumn] =
        numberCell(QLocale().toString(task.estimatedShare * 100, 'f', 1), task.estimatedShare);
    cells[ShareColumn].bar = largestShare_ > 0 ? task.estimatedShare / largestShare_ : 0;
    cells[ShareColumn].tooltip = task.memoryBound ? tr("The memory's roof is the lower one.")
                                                  : tr("The arithmetic's roof is the lower one.");
    if (task.tuned()) {
        cells[StateColumn] = textCell(latencyWithUnit(task.bestSeconds));
        cells[StateColumn].glyph = QStringLiteral("✓");
        cells[StateColumn].tooltip =
            tr("Record %1, after %2 trials")
                .arg(groupedCount(task.bestRecord), groupedCount(task.trials));
        cells[StateColumn].sort = task.bestSeconds.value_or(0);
        cells[StateColumn].exported = static_cast<qint64>(task.bestRecord);
    } else {
        cells[StateColumn] = textCell(tr("no"), Tone::Secondary);
        cells[StateColumn].glyph = QStringLiteral("○");
    }
    cells[NodesColumn] = textCell(joined(task.nodes), Tone::Secondary);
    cells[NodesColumn].tooltip = cells[NodesColumn].text;
    cells[BeforeColumn] = missingCell(tr("The model was opened with one set of shapes."));
    if (previous_) {
        const auto same =
            std::find_if(previous_->tasks.begin(), previous_->tasks.end(),
                         [&](const session::OverviewTask& other) {
                             return other.tag == task.tag && other.shape == task.shape;
                         });
        cells[BeforeColumn] =
            same == previous_->tasks.end()
                ? missingCell(tr("New with these shapes."))
                : numberCell(QLocale().toString(same->weight, 'g', 5), same->weight);
    }
    return cells;
}

QVector<QVector<CellValue>> OverviewTable::taskRows() const {
    QVector<QVector<CellValue>> rows;
    for (const session::OverviewTask& task : overview_.tasks)
        rows.append(taskCells(task));
    return rows;
}

QVector<qint64> OverviewTable::taskIds() const {
    QVector<qint64> ids;
    for (std::size_t i = 0; i < overview_.tasks.size(); ++i)
        ids.append(static_cast<qint64>(i));
    return ids;
}

QVector<TableColumn> OverviewTable::lineColumns() {
    return {{tr("node"), QStringLiteral("node"), {}, false},
            {tr("op"), QStringLiteral("op"), tr("Operator and its opset"), false},
            {tr("what happened"), QStringLiteral("what"), {}, false}};
}

QString OverviewTable::lineText(const session::ReportLine& line) {
    switch (line.what) {
    case session::ReportWhat::Folded:
        return tr("folded: needs no kernel of its own");
    case session::ReportWhat::Fused:
        return tr("fused into the kernel before (%1)").arg(QString::fromStdString(line.tags));
    case session::ReportWhat::Task:
        return tr("%n task(s): %1", nullptr, static_cast<int>(line.tasks.size()))
            .arg(joined(line.tasks));
    case session::ReportWhat::AssumedBatch:
        return tr("the batch is not fixed; imported with 1");
    case session::ReportWhat::Message:
        break;
    }
    return QString::fromStdString(line.text);
}

QVector<QVector<CellValue>> OverviewTable::lineRows() const {
    QVector<QVector<CellValue>> rows;
    for (const session::ReportLine& line : overview_.import.lines) {
        QVector<CellValue> cells(LineColumnCount);
        QString node = QString::fromStdString(line.node);
        if (node.isEmpty() && line.count > 1)
            node = tr("%n node(s)", nullptr, static_cast<int>(line.count));
        cells[NodeColumn] = textCell(node);
        cells[NodeColumn].sort =
            static_cast<int>(line.kind) * -1000000 + static_cast<int>(rows.size());
        cells[NodeColumn].exported = node;
        // The icon never stands alone: the kind is in the tooltip and in the sentence.
        switch (line.kind) {
        case session::ReportKind::Note:
            cells[NodeColumn].icon = QStringLiteral("info");
            break;
        case session::ReportKind::Warning:
            cells[NodeColumn].glyph = QStringLiteral("⚠");
            cells[NodeColumn].tone = Tone::Warning;
            cells[NodeColumn].tooltip = tr("Warning");
            break;
        case session::ReportKind::Skipped:
            cells[NodeColumn].glyph = QStringLiteral("✕");
            cells[NodeColumn].tone = Tone::Error;
            cells[NodeColumn].tooltip = tr("Not supported");
            break;
        }
        QString op = QString::fromStdString(line.op);
        if (!op.isEmpty() && line.opset > 0)
            op += QStringLiteral("-%1").arg(line.opset);
        cells[OpColumn] = textCell(op, Tone::Secondary);
        cells[TextColumn] = textCell(line.kind == session::ReportKind::Skipped
                                         ? tr("skipped: %1").arg(lineText(line))
                                         : lineText(line));
        cells[TextColumn].tooltip = cells[TextColumn].text;
        rows.append(cells);
    }
    return rows;
}

QVector<qint64> OverviewTable::lineIds() const {
    QVector<qint64> ids;
    for (std::size_t i = 0; i < overview_.import.lines.size(); ++i)
        ids.append(static_cast<qint64>(i));
    return ids;
}

} // namespace tilewright::ui
