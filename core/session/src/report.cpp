// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/report.h>

#include "report_plots.h"
#include "report_text.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/record_view.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace tilewright::session {

namespace {

std::map<std::int64_t, Curve> readCurves(const database::StoreReader& reader) {
    std::map<std::int64_t, Curve> curves;
    reader.forEachRecord({}, [&](const database::TuningRecord& record) {
        Curve& curve = curves[record.task.value];
        const std::int64_t trial = record.trial.value_or(curve.last + 1);
        if (record.trial || record.origin == database::RecordOrigin::Imported)
            curve.last = std::max(curve.last, trial);
        if (record.status != database::RecordStatus::Ok) {
            const std::string kind(database::toString(record.status));
            ++curve.failed[kind];
            curve.firstMessage.try_emplace(kind, record.message);
        } else if (record.measurement.median && record.origin != database::RecordOrigin::Default &&
                   record.origin != database::RecordOrigin::Manual) {
            curve.points.emplace_back(trial, *record.measurement.median);
        }
        return true;
    });
    return curves;
}

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tilewright report</title><style>
:root{--ink:#1d2330;--soft:#5b6474;--line:#d8dce4;--card:#fff;--page:#f5f6f9;--accent:#0b66c3;--warm:#c2410c}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f0;--soft:#9aa3b5;--line:#343b4a;--card:#1c2130;--page:#141824;--accent:#6db3f8;--warm:#fb923c}}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 20px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:18px;margin:34px 0 10px}
.sub,.missing{color:var(--soft)}.cards{display:flex;flex-wrap:wrap;gap:12px;margin-top:20px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px;min-width:130px}
.card b{display:block;font-size:22px}.card span{color:var(--soft);font-size:13px}
.scroll{overflow-x:auto}table{border-collapse:collapse;background:var(--card);border:1px solid var(--line);width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child,td.text,th.text{text-align:left}td.text{white-space:normal}
th{font-weight:600;font-size:13px;color:var(--soft)}th[aria-sort]{cursor:pointer}th:focus-visible{outline:2px solid var(--accent)}
th[aria-sort=ascending]::after{content:" \25B2"}th[aria-sort=descending]::after{content:" \25BC"}
rect.now{fill:var(--accent)}rect.before{fill:var(--warm);opacity:.25}details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:8px 0;padding:8px 14px}
pre{overflow-x:auto;font-size:12px;line-height:1.45}
.curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:14px}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 14px}
figcaption{font-size:13px;margin-bottom:4px;overflow-wrap:anywhere}svg{width:100%;height:auto}
svg text{font-size:10px;fill:var(--soft)}circle{fill:var(--soft);opacity:.45}
.axis{stroke:var(--line)}.best{fill:none;stroke:var(--accent);stroke-width:2}
.default{stroke:var(--warm);stroke-dasharray:5 4}code{font-size:12px;overflow-wrap:anywhere}
</style></head><body><main>
)";

/// Sorts a table by the heading that was clicked, or chosen by Enter or space.
constexpr std::string_view kSorting = R"(<script>
for(const th of document.querySelectorAll('th[aria-sort]')){
const sort=()=>{const up=th.getAttribute('aria-sort')!=='ascending',i=th.cellIndex,body=th.closest('table').tBodies[0];
for(const other of th.parentNode.cells)other.setAttribute('aria-sort','none');
th.setAttribute('aria-sort',up?'ascending':'descending');
const key=row=>{const c=row.cells[i];return c.dataset.v!==undefined?+c.dataset.v:null};
const rows=[...body.rows];rows.sort((a,b)=>{const x=key(a),y=key(b);
if(x===null&&y===null){const s=a.cells[i].textContent.localeCompare(b.cells[i].textContent);return up?s:-s}
if(x===null)return 1;if(y===null)return -1;return up?x-y:y-x});body.append(...rows)};
th.addEventListener('click',sort);
th.addEventListener('keydown',e=>{if(e.key==='Enter'||e.key===' '){e.preventDefault();sort()}});}
</script>
)";

std::string card(const std::string& value, std::string_view label) {
    return base::concat("<div class=\"card\"><b>", value, "</b><span>", label, "</span></div>");
}

/// Weighted sums over the tasks that have both.
struct Totals {
    double defaults = 0;
    double best = 0;
    std::size_t untuned = 0;
};

Totals totalsOf(const std::vector<database::TaskSummary>& tasks) {
    Totals totals;
    for (const database::TaskSummary& task : tasks) {
        const auto& fallback = task.defaultMedian ? task.defaultMedian : task.bestMedian;
        if (!task.bestMedian && !task.defaultMedian) {
            ++totals.untuned;
            continue;
        }
        totals.defaults += task.task.weight * *fallback;
        totals.best += task.task.weight * std::min(task.bestMedian.value_or(*fallback), *fallback);
    }
    return totals;
}

std::string summaryHtml(const database::StoreReader& reader,
                        const std::vector<database::TaskSummary>& tasks) {
    const database::StoreCounts counts = reader.counts();
    const Totals totals = totalsOf(tasks);
    const std::int64_t ok = counts.byStatus[static_cast<std::size_t>(database::RecordStatus::Ok)];
    std::string html = "<div class=\"cards\">";
    html += card(std::to_string(tasks.size()), "tasks");
    html += card(std::to_string(counts.records), "records");
    html += card(std::to_string(counts.records - ok), "failed");
    if (totals.best > 0) {
        html += card(duration(totals.defaults), "weighted total, default schedules");
        html += card(duration(totals.best), "weighted total, tuned");
        html += card(number(totals.defaults / totals.best, "%.2f&times;"), "speed-up");
    }
    if (totals.untuned > 0)
        html +=
            card(std::to_string(totals.untuned), "tasks without any result (not in the totals)");
    return html + "</div>\n";
}

/// A cell that sorts by a number; cells without one sort last.
std::string cell(std::optional<double> value, const std::string& text) {
    return value ? base::concat("<td data-v=\"", number(*value, "%.17g"), "\">", text, "</td>")
                 : base::concat("<td>", text, "</td>");
}

std::string durationCell(std::optional<double> seconds) {
    return cell(seconds, duration(seconds));
}

/// A table head whose columns can be sorted, by pointer or keyboard.
std::string sortableHead(const std::vector<std::string_view>& names) {
    std::string html = "<table><thead><tr>";
    for (const std::string_view name : names)
        html += base::concat("<th scope=\"col\" tabindex=\"0\" aria-sort=\"none\">", name, "</th>");
    return html + "</tr></thead><tbody>\n";
}

/// The best record's number, leading to its schedule, with a mark when others had the cores.
std::string recordCell(const std::optional<database::TuningRecord>& best) {
    if (!best)
        return cell({}, "n/a");
    constexpr double disturbed = 0.08; // above this a sample is repeated while tuning
    double least = 1;
    for (const double share : best->measurement.otherCpu)
        least = std::min(least, share);
    const bool noisy = !best->measurement.otherCpu.empty() && least > disturbed;
    return cell(static_cast<double>(best->id.value),
                base::concat("<a href=\"#record-", best->id.value, "\">", best->id.value, "</a>",
                             noisy ? " <abbr title=\"other programs used the cores while this was "
                                     "measured\">disturbed</abbr>"
                                   : ""));
}

std::string verifiedText(const std::optional<database::TuningRecord>& best) {
    if (!best || !best->verified)
        return "not checked";
    return *best->verified ? "yes" : "NO";
}

std::string taskRow(const database::StoreReader& reader, const database::TaskSummary& task) {
    std::optional<database::TuningRecord> best;
    if (task.best)
        best = reader.record(*task.best);
    const bool interval = best && best->measurement.low && best->measurement.high;
    std::optional<double> speedup;
    if (task.defaultMedian && task.bestMedian)
        speedup = *task.defaultMedian / *task.bestMedian;
    std::optional<double> rate;
    if (task.bestMedian && task.task.flop > 0)
        rate = task.task.flop / *task.bestMedian / 1e9;
    std::string html = base::concat("<tr><td>", escaped(task.task.name), "</td>");
    html += cell(task.task.weight, number(task.task.weight, "%g"));
    html += durationCell(task.defaultMedian);
    html += durationCell(task.bestMedian);
    html += interval ? cell(*best->measurement.high - *best->measurement.low,
                            base::concat(duration(best->measurement.low), " &ndash; ",
                                         duration(best->measurement.high)))
                     : cell({}, "n/a");
    const auto samples = best ? best->measurement.seconds.size() : std::size_t{0};
    html += cell(static_cast<double>(samples), std::to_string(samples));
    html += cell(speedup, speedup ? number(*speedup, "%.2f&times;") : "n/a");
    html += cell(rate, rate ? number(*rate, "%.4g") : "n/a");
    html += cell(static_cast<double>(task.trials), std::to_string(task.trials));
    html += cell(static_cast<double>(task.failed), std::to_string(task.failed));
    html += recordCell(best);
    return html + "<td>" + verifiedText(best) + "</td></tr>\n";
}

std::string tasksHtml(const database::StoreReader& reader,
                      const std::vector<database::TaskSummary>& tasks) {
    std::string html = "<h2>Tasks</h2><p class=\"sub\">Latencies are medians of one call, n the "
                       "samples behind the best. A heading "
                       "sorts by its column.</p><div class=\"scroll\">";
    html += sortableHead({"task", "weight", "default", "best", "95&nbsp;% interval", "n",
                          "speed-up", "GFLOP/s", "trials", "failed", "record", "verified"});
    for (const database::TaskSummary& task : tasks)
        html += taskRow(reader, task);
    return html + "</tbody></table></div>\n";
}

std::string paretoHtml(const std::vector<database::TaskSummary>& tasks) {
    std::vector<ParetoBar> bars;
    for (const database::TaskSummary& task : tasks) {
        const auto& now = task.bestMedian ? task.bestMedian : task.defaultMedian;
        if (!now)
            continue;
        ParetoBar& bar = bars.emplace_back();
        bar.name = task.task.name;
        bar.seconds = task.task.weight * *now;
        if (task.defaultMedian)
            bar.defaultSeconds = task.task.weight * *task.defaultMedian;
    }
    return base::concat("<h2>Where the time goes</h2><p class=\"sub\">Latency times weight: tuned "
                        "(solid), default schedule (pale); share of the sum and running "
                        "sum.</p><figure>",
                        paretoSvg(std::move(bars)), "</figure>\n");
}

/// The best schedule of each task as text, folded.
std::string schedulesHtml(const database::StoreReader& reader,
                          const std::vector<database::TaskSummary>& tasks) {
    std::string html;
    for (const database::TaskSummary& task : tasks) {
        if (!task.best)
            continue;
        std::string text;
        try {
            text = RecordView(reader, *task.best).text(RecordForm::Python);
        } catch (const base::UserError& error) {
            text = base::concat("cannot be shown: ", error.what());
        }
        html += base::concat("<details id=\"record-", task.best->value, "\"><summary>",
                             escaped(task.task.name), " &#183; record ", task.best->value,
                             " &#183; ", duration(task.bestMedian), "</summary><pre>",
                             escaped(text), "</pre></details>\n");
    }
    return html.empty() ? html : "<h2>Best schedules</h2>\n" + html;
}

std::string failuresHtml(const std::map<std::int64_t, Curve>& curves) {
    std::map<std::string, std::pair<std::int64_t, std::string>> kinds;
    for (const auto& [task, curve] : curves)
        for (const auto& [kind, count] : curve.failed) {
            auto& [sum, message] = kinds[kind];
            sum += count;
            if (message.empty())
                message = curve.firstMessage.at(kind);
        }
    if (kinds.empty())
        return {};
    std::string html = "<h2>Failures</h2><div class=\"scroll\"><table><tr><th>kind</th>"
                       "<th>count</th><th class=\"text\">first message</th></tr>\n";
    for (const auto& [kind, entry] : kinds)
        html += base::concat("<tr><td>", escaped(kind), "</td><td>", entry.first,
                             "</td><td class=\"text\">", escaped(entry.second.substr(0, 400)),
                             "</td></tr>\n");
    return html + "</table></div>\n";
}

std::string environmentText(const std::string& text) {
    const auto value = json::tryParse(text);
    if (!value || !value->isObject())
        return "n/a";
    std::vector<std::string> parts;
    for (const json::Member& member : value->asObject())
        parts.push_back(base::concat(member.key, ' ',
                                     member.value.isString() ? member.value.asString()
                                     : json::Value(member.value).isNumber()
                                         ? number(member.value.asDouble(), "%g")
                                         : std::string("n/a")));
    return escaped(base::join(parts, ", "));
}

std::string sessionsHtml(const database::StoreReader& reader) {
    const std::vector<database::Session> sessions = reader.sessions();
    if (sessions.empty())
        return {};
    std::string html = "<h2>Sessions</h2><div class=\"scroll\"><table><tr><th>input</th>"
                       "<th class=\"text\">target</th><th>state</th><th>budget</th><th>seed</th>"
                       "<th>started</th><th class=\"text\">environment</th></tr>\n";
    for (const database::Session& session : sessions)
        html += base::concat("<tr><td>", escaped(session.input), "</td><td class=\"text\"><code>",
                             escaped(session.target), "</code></td><td>",
                             escaped(reader.effectiveState(session)), "</td><td>", session.budget,
                             "</td><td>", session.seed, "</td><td>", timeText(session.startedMs),
                             "</td><td class=\"text\">", environmentText(session.environment),
                             "</td></tr>\n");
    return html + "</table></div>\n";
}

} // namespace

std::string htmlReport(const database::StoreReader& reader) {
    const auto nowMs = std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count();
    std::vector<database::TaskSummary> tasks = reader.taskSummaries();
    const auto share = [](const database::TaskSummary& task) {
        const auto& seconds = task.bestMedian ? task.bestMedian : task.defaultMedian;
        return task.task.weight * seconds.value_or(0);
    };
    // Where the time goes comes first.
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](const auto& a, const auto& b) { return share(a) > share(b); });
    const std::map<std::int64_t, Curve> curves = readCurves(reader);
    std::string html(kHead);
    html +=
        base::concat("<h1>Tilewright report</h1><div class=\"sub\">",
                     escaped(reader.file().string()), " &#183; made ", timeText(nowMs), "</div>\n");
    html += summaryHtml(reader, tasks);
    html += paretoHtml(tasks);
    html += tasksHtml(reader, tasks);
    html += "<h2>Curves</h2><p class=\"sub\">Latency of each trial (dots), best so far (line), "
            "default schedule (dashed), logarithmic scale.</p><div class=\"curves\">\n";
    for (const database::TaskSummary& task : tasks) {
        const auto it = curves.find(task.task.id.value);
        html += base::concat(
            "<figure><figcaption>", escaped(task.task.name), "</figcaption>",
            curveSvg(it == curves.end() ? Curve() : it->second, task.defaultMedian), "</figure>\n");
    }
    html += "</div>\n";
    html += failuresHtml(curves);
    html += schedulesHtml(reader, tasks);
    html += sessionsHtml(reader);
    return base::concat(html, "</main>", kSorting, "</body></html>\n");
}

} // namespace tilewright::session
