// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_panel.h"

#include "failure_view.h"

#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/live_text.h>

#include <QAction>
#include <QActionGroup>
#include <QDateTime>
#include <QEvent>
#include <QLocale>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr const char* kXKey = "plots/tune/x";
constexpr const char* kYKey = "plots/tune/y";

Tone toneOf(database::RecordStatus status) {
    using enum database::RecordStatus;
    switch (status) {
    case WrongResult:
        return Tone::Error;
    case BuildTimeout:
    case RunTimeout:
    case DeviceLost:
        return Tone::Warning;
    default:
        return Tone::Normal;
    }
}

QString plain(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

CurvePanel::CurvePanel(TuneFacts* facts, QSettings* settings, QWidget* parent)
    : Panel({}, parent), facts_(facts), settings_(settings), pages_(new QStackedWidget),
      plot_(new CurvePlot), failures_(new FailureView), xTool_(new QToolButton),
      yTool_(new QToolButton), xChoice_(new QActionGroup(this)), yChoice_(new QActionGroup(this)) {
    setObjectName(QStringLiteral("curvePanel"));
    plot_->setObjectName(QStringLiteral("tuningCurve"));
    plot_->setFollowable(true);
    plot_->setAutoLog(true);
    plot_->setTooltipProvider([this](qint64 record) { return tooltipOf(record); });
    pages_->addWidget(plot_);
    pages_->addWidget(failures_);
    setContent(pages_);
    buildTools();
    plot_->setSettingsKey(QStringLiteral("tune"), settings_);
    connect(plot_, &PlotView::pointSelected, this, &CurvePanel::recordSelected);
    connect(plot_, &PlotView::pointActivated, this, &CurvePanel::recordActivated);
    connect(failures_, &FailureView::recordWanted, this, &CurvePanel::recordActivated);
    connect(facts_, &TuneFacts::curveReady, this,
            [this](const std::shared_ptr<const session::LiveCurve>& curve, int task) {
                if (task != task_)
                    return;
                curve_ = curve;
                draw(*curve);
            });
    retranslate();
}

void CurvePanel::buildTools() {
    const auto choice = [this](QActionGroup* group, QToolButton* tool, const char* key,
                               const QString& name, int count) {
        auto* menu = new QMenu(tool);
        const int chosen = settings_ ? settings_->value(QLatin1String(key), 0).toInt() : 0;
        for (int i = 0; i < count; ++i) {
            QAction* action = menu->addAction(QString());
            action->setObjectName(QStringLiteral("%1.%2").arg(name).arg(i));
            action->setCheckable(true);
            action->setData(i);
            action->setChecked(i == std::clamp(chosen, 0, count - 1));
            group->addAction(action);
        }
        tool->setObjectName(name);
        tool->setMenu(menu);
        tool->setPopupMode(QToolButton::InstantPopup);
        tool->setProperty("kind", "tool");
        addTool(tool);
        connect(group, &QActionGroup::triggered, this, [this, key](const QAction* action) {
            if (settings_)
                settings_->setValue(QLatin1String(key), action->data());
            retranslate();
            ask();
        });
    };
    choice(xChoice_, xTool_, kXKey, QStringLiteral("curveX"), 3);
    choice(yChoice_, yTool_, kYKey, QStringLiteral("curveY"), 3);
}

void CurvePanel::retranslate() {
    setTitle(tr("Tuning curve"));
    const QStringList x{tr("Trial"), tr("Time"), tr("Round")};
    const QStringList y{tr("Latency"), tr("GFLOPS"), tr("% of roof")};
    const auto show = [](QActionGroup* group, QToolButton* tool, const QStringList& names,
                         const QString& what) {
        for (QAction* action : group->actions())
            action->setText(names.at(action->data().toInt()));
        const int chosen = group->checkedAction() ? group->checkedAction()->data().toInt() : 0;
        tool->setText(names.at(chosen) + QStringLiteral(" ▾"));
        tool->setToolTip(what);
        tool->setAccessibleName(QStringLiteral("%1: %2").arg(what, names.at(chosen)));
        return chosen;
    };
    x_ = static_cast<session::CurveX>(show(xChoice_, xTool_, x, tr("Horizontal axis")));
    y_ = static_cast<session::CurveY>(show(yChoice_, yTool_, y, tr("Vertical axis")));
    if (curve_)
        draw(*curve_);
}

void CurvePanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

const session::LiveTask* CurvePanel::taskRow() const {
    if (!snapshot_ || task_ < 0 || task_ >= static_cast<int>(snapshot_->tasks.size()))
        return nullptr;
    return &snapshot_->tasks[static_cast<std::size_t>(task_)];
}

void CurvePanel::show(LiveSnapshotPtr snapshot, int task) {
    snapshot_ = std::move(snapshot);
    task_ = task;
    if (snapshot_ && snapshot_->onlyFailures()) {
        failures_->setSnapshot(*snapshot_);
        pages_->setCurrentWidget(failures_);
        setNote({});
        return;
    }
    pages_->setCurrentWidget(plot_);
    ask();
}

void CurvePanel::ask() {
    const session::LiveTask* row = taskRow();
    setNote(row ? plain(row->name) : tr("no task selected"));
    if (row)
        facts_->makeCurve(snapshot_, task_, x_, y_);
}

void CurvePanel::setBaselines(const QVector<BaselineTimes>& baselines) {
    baselines_ = baselines;
    if (curve_)
        draw(*curve_);
}

void CurvePanel::setRecordFilter(const std::optional<QSet<qint64>>& records) {
    records_ = records;
    if (curve_)
        draw(*curve_);
}

void CurvePanel::addReferences(const session::LiveCurve& curve, CurveData& out) const {
    const auto label = [&](const QString& name, double y) {
        return QStringLiteral("%1 %2").arg(name, numberText(y));
    };
    if (curve.defaultY)
        out.references.append(
            {*curve.defaultY, label(tr("default"), *curve.defaultY), Tone::Secondary});
    const session::LiveTask* row = taskRow();
    for (const BaselineTimes& baseline : baselines_) {
        const auto seconds =
            row ? baseline.tasks.constFind(plain(row->name)) : baseline.tasks.constEnd();
        if (seconds == baseline.tasks.constEnd())
            continue;
        if (const auto y = curve.toY(*seconds))
            out.references.append({*y, label(baseline.label, *y), Tone::Secondary});
    }
    if (curve.y == session::CurveY::RoofShare)
        out.references.append({100, tr("roof"), Tone::Secondary});
}

void CurvePanel::draw(const session::LiveCurve& curve) {
    const session::LiveTask* row = taskRow();
    if (!row)
        return;
    const auto wanted = [this](std::int64_t record) {
        return !records_ || records_->contains(record);
    };
    CurveData drawn;
    for (const auto& point : curve.trials)
        if (wanted(point.record))
            drawn.trials.append({point.x, point.y, point.record});
    if (curve.trials.size() > 1 &&
        !std::is_sorted(drawn.trials.begin(), drawn.trials.end(),
                        [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; }))
        std::stable_sort(drawn.trials.begin(), drawn.trials.end(),
                         [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    for (const auto& point : curve.best)
        drawn.best.append({point.x, point.y, point.record});
    QVector<database::RecordStatus> kinds;
    for (const auto& failure : curve.failures) {
        if (!wanted(failure.record))
            continue;
        qsizetype kind = kinds.indexOf(failure.kind);
        if (kind < 0) {
            kind = kinds.size();
            kinds.append(failure.kind);
            drawn.kinds.append(
                {failureWord(failure.kind), failureGlyph(failure.kind), toneOf(failure.kind)});
        }
        drawn.failures.append({failure.x, static_cast<int>(kind), failure.record});
    }
    for (const double round : curve.rounds)
        drawn.rounds.append(round);
    addReferences(curve, drawn);
    if (curve.bestY) {
        drawn.bestLabel = tr("best %1").arg(numberText(*curve.bestY));
        if (curve.bestError > 0)
            drawn.bestLabel += QStringLiteral(" ± %1").arg(numberText(curve.bestError));
    }
    const QString unit = plain(curve.yUnit.name);
    const QString y = y_ == session::CurveY::Latency ? tr("latency (%1)").arg(unit)
                      : y_ == session::CurveY::Rate  ? tr("rate (%1)").arg(unit)
                                                     : tr("share of the roof (%)");
    const QString x = x_ == session::CurveX::Trial ? tr("trial of %1").arg(plain(row->name))
                      : x_ == session::CurveX::Time
                          ? tr("time of work (%1)").arg(plain(curve.xUnit.name))
                          : tr("round of %1").arg(plain(row->name));
    drawn.xTitle = x;
    plot_->setSubject(tr("Tuning curve of %1").arg(plain(row->name)));
    plot_->setAxisTitles(x, y);
    plot_->setData(drawn);
    drawn_ = task_;
}

QString CurvePanel::tooltipOf(qint64 record) const {
    const session::LiveTask* row = taskRow();
    if (!row || !row->points)
        return {};
    const auto it = std::find_if(row->points->begin(), row->points->end(),
                                 [&](const session::TrialPoint& p) { return p.record == record; });
    if (it == row->points->end())
        return {};
    QStringList parts{QStringLiteral("#%1").arg(groupedCount(it->record)), plain(row->name)};
    if (it->ok()) {
        parts << latencyWithUnit(it->seconds);
        if (row->flop > 0)
            parts << tr("%1 GFLOPS").arg(numberText(row->flop / it->seconds * 1e-9));
        if (row->roofSeconds)
            parts << tr("%1 % of roof")
                         .arg(QLocale().toString(100 * *row->roofSeconds / it->seconds, 'f', 1));
    } else {
        parts << failureGlyph(it->status) + QLatin1Char(' ') + failureWord(it->status);
    }
    if (it->hasPrediction)
        parts << tr("predicted %1").arg(numberText(it->predicted));
    if (it->round >= 0)
        parts << tr("round %1").arg(it->round + 1);
    if (!it->full)
        parts << tr("screened only");
    parts << QLocale().toString(QDateTime::fromMSecsSinceEpoch(it->timeMs).time(),
                                QStringLiteral("HH:mm:ss"));
    return parts.join(QStringLiteral("   "));
}

} // namespace tilewright::ui
