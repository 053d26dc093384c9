// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspector_panel.h"

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/cell_table_model.h>
#include <tilewright/ui/inspector.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/samples_plot.h>
#include <tilewright/ui/theme.h>

#include <QDateTime>
#include <QLabel>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString percentText(double share) {
    return QStringLiteral("%1%2 %").arg(share < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                        QLocale().toString(std::abs(share) * 100, 'f', 1));
}

SamplesData samplesOf(const session::RecordDetails& details, const session::ScaledUnit& unit) {
    SamplesData data;
    for (const double sample : details.samples)
        data.values.append(sample / unit.scale);
    for (const bool outlier : details.outliers)
        data.rejected.append(outlier);
    const double median = details.median.value_or(0);
    data.median = median / unit.scale;
    data.lowerQuartile = details.quartileLow.value_or(details.low.value_or(median)) / unit.scale;
    data.upperQuartile = details.quartileHigh.value_or(details.high.value_or(median)) / unit.scale;
    return data;
}

session::ScaledUnit unitOf(const session::RecordDetails& details) {
    return session::latencyUnit(details.facts.seconds.value_or(1e-6));
}

} // namespace

void InspectorPanel::showSummary(const session::RecordDetails& details) {
    const session::RecordFacts& record = details.facts;
    const session::ScaledUnit unit = unitOf(details);
    const ThemeColors& colors = Theme::colorsOf(this);
    const bool ok = record.status == "ok";
    latency_->setText(ok ? latencyWithUnit(record.seconds) : text(record.status));
    QString interval;
    if (ok && record.seconds && record.plusMinus)
        interval = errorText(*record.seconds, *record.plusMinus, unit);
    if (ok)
        interval += tr("  n = %1").arg(record.samples);
    interval_->setText(interval);
    interval_->setToolTip(
        tr("± is half of the 95 % interval of the median, from order statistics"));
    QString verdict;
    QColor color = colors.secondary;
    if (!ok) {
        verdict = text(record.message);
        color = colors.error;
    } else if (details.baseline && details.baselineText.empty()) {
        const double change = details.judgement.ratio - 1;
        const QString other = tr("record %1").arg(groupedCount(details.baseline->ref.record));
        switch (details.judgement.verdict) {
        case session::Verdict::Faster:
            verdict = tr("%1  ▼ faster than %2").arg(percentText(change), other);
            color = colors.faster;
            break;
        case session::Verdict::Slower:
            verdict = tr("%1  ▲ slower than %2").arg(percentText(change), other);
            color = colors.slower;
            break;
        default:
            verdict = tr("≈ within noise of %1").arg(other);
        }
    } else if (!details.baselineText.empty()) {
        verdict = tr("Not comparable: %1").arg(text(details.baselineText));
    } else {
        verdict = tr("No baseline pinned");
    }
    verdict_->setText(verdict);
    QPalette palette = verdict_->palette();
    palette.setColor(QPalette::WindowText, color);
    verdict_->setPalette(palette);

    QVector<Fact> facts;
    const bool pair = details.baseline && details.decisions.rows.size() > 0 &&
                      details.decisions.rows.front().cells.size() == 2;
    const auto heading = [&](const QString& name, const QString& note) {
        Fact fact;
        fact.name = name;
        fact.value = note;
        fact.heading = true;
        facts.append(fact);
    };
    const auto add = [&](const QString& name, const QString& value, Tone tone = Tone::Normal) {
        Fact fact;
        fact.name = name;
        fact.value = value;
        fact.tone = tone;
        facts.append(fact);
    };
    if (!details.decisions.rows.empty())
        heading(tr("Decisions"), pair ? tr("against baseline") : QString());
    for (const session::DecisionRow& row : details.decisions.rows) {
        Fact fact;
        const QString name = text(row.name);
        fact.name = row.kind == session::DecisionKind::Location ? tr("%1 at").arg(name)
                    : row.kind == session::DecisionKind::Tile   ? tr("tile %1").arg(name)
                                                                : name;
        const session::DecisionCell& cell = row.cells.back();
        fact.value = cell.present ? text(cell.text) : QStringLiteral("—");
        if (pair && row.differs) {
            fact.from =
                row.cells.front().present ? text(row.cells.front().text) : QStringLiteral("—");
            fact.tooltip = text(row.effects.back().text());
        } else if (pair) {
            fact.value = QStringLiteral("= ") + fact.value;
            fact.tone = Tone::Secondary;
        }
        facts.append(fact);
    }
    heading(tr("Measurement"), {});
    add(tr("state"),
        failureGlyph(
            database::recordStatusFromName(record.status).value_or(database::RecordStatus::Run)) +
            QLatin1Char(' ') + text(record.status));
    add(tr("verified"),
        !details.verified   ? tr("not checked")
        : *details.verified ? tr("✓ equals the reference")
                            : tr("≠ wrong result"),
        details.verified && !*details.verified ? Tone::Error : Tone::Normal);
    if (record.flop > 1 && record.seconds)
        add(tr("rate"), QStringLiteral("%1 GFLOPS")
                            .arg(QLocale().toString(record.flop / *record.seconds / 1e9, 'g', 3)));
    if (details.predicted)
        add(tr("predicted"), QLocale().toString(*details.predicted, 'g', 3));
    if (details.buildSeconds)
        add(tr("build"), spanText(*details.buildSeconds));
    add(tr("origin"), text(details.origin));
    if (record.trial)
        add(tr("trial"), groupedCount(*record.trial));
    add(tr("measured"),
        QLocale().toString(QDateTime::fromMSecsSinceEpoch(record.timeMs), QLocale::ShortFormat));
    qint64 different = 0;
    for (const session::SettingDifference& setting : details.settings)
        different += setting.differs;
    heading(tr("Environment"), details.settings.empty() ? QString()
                               : different == 0
                                   ? tr("same as baseline")
                                   : tr("%n differ(s)", nullptr, static_cast<int>(different)));
    for (const auto& [name, value] : details.environment)
        add(text(name), text(value));
    facts_->setFacts(facts);
}

void InspectorPanel::showSamples(const session::RecordDetails& details) {
    const session::ScaledUnit unit = unitOf(details);
    const SamplesData shown = samplesOf(details, unit);
    const QString y = tr("latency (%1)").arg(text(unit.name));
    for (SamplesPlot* plot : {smallSamples_, samples_}) {
        plot->setAxisTitles(tr("sample"), y);
        plot->setData(shown);
    }
    const bool any = !details.samples.empty();
    smallSamples_->setVisible(any);
    samplesTitle_->setVisible(any);
    const auto outliers = std::count(details.outliers.begin(), details.outliers.end(), true);
    QString note;
    if (!any)
        note = tr("No samples: %1")
                   .arg(text(details.facts.message.empty() ? details.facts.status
                                                           : details.facts.message));
    else
        note = tr("Median %1, 95 % interval %2 – %3; %n outlier(s) beyond 1.5 interquartile "
                  "ranges, hollow. Nothing is left out of the median.",
                  nullptr, static_cast<int>(outliers))
                   .arg(latencyWithUnit(details.median), latencyText(details.low, unit),
                        latencyText(details.high, unit));
    samplesNote_->setText(note);
}

void InspectorPanel::showEnvironment(const session::RecordDetails& details) {
    QVector<Fact> facts;
    for (const auto& [name, value] : details.environment) {
        Fact fact;
        fact.name = text(name);
        fact.value = text(value);
        for (const session::SettingDifference& setting : details.settings)
            if (setting.name == name && setting.differs) {
                fact.from = text(setting.left);
                fact.tone = setting.matters ? Tone::Warning : Tone::Normal;
            }
        facts.append(fact);
    }
    environment_->setFacts(facts);
}

void InspectorPanel::showFeatures(const session::RecordFeatures& features) {
    QVector<TableColumn> columns;
    TableColumn name;
    name.title = tr("feature");
    name.exportName = QStringLiteral("feature");
    name.number = true;
    columns.append(name);
    for (std::size_t store = 0; store < features.stores.size(); ++store) {
        TableColumn column;
        column.title = tr("store %1").arg(store + 1);
        column.exportName = QStringLiteral("store_%1").arg(store + 1);
        column.number = true;
        columns.append(column);
    }
    QVector<QVector<CellValue>> rows;
    QVector<qint64> ids;
    const std::size_t count = features.stores.empty() ? 0 : features.stores.front().size();
    for (std::size_t i = 0; i < count; ++i) {
        QVector<CellValue> row{numberCell(QString::number(i), static_cast<double>(i))};
        for (const auto& store : features.stores)
            row.append(numberCell(QLocale().toString(store[i], 'g', 4), store[i]));
        rows.append(row);
        ids.append(static_cast<qint64>(i));
    }
    featureModel_->setColumns(columns);
    featureModel_->setRows(rows, ids);
}

} // namespace tilewright::ui
