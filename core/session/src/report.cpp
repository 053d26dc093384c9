// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/report.h>

#include <tilewright/base/concat.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>

namespace tilewright::session {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out.push_back(c);
    }
    return out;
}

std::string number(double value, const char* format) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string duration(std::optional<double> seconds) {
    if (!seconds)
        return "n/a";
    if (*seconds < 1e-3)
        return number(*seconds * 1e6, "%.4g &micro;s");
    if (*seconds < 1)
        return number(*seconds * 1e3, "%.4g ms");
    return number(*seconds, "%.4g s");
}

std::string timeText(std::int64_t timeMs) {
    if (timeMs == 0)
        return "n/a";
    const std::time_t seconds = timeMs / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts);
    return text;
}

/// Trials of a task in order, as the curve shows them.
struct Curve {
    std::vector<std::pair<std::int64_t, double>> points; ///< trial, seconds
    std::int64_t last = 0;
    std::map<std::string, std::int64_t> failed;
    std::map<std::string, std::string> firstMessage;
};

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

/// Latency by trial on a logarithmic scale: dots for trials, a step line for the best so far, a
/// dashed line for the default schedule.
std::string curveSvg(const Curve& curve, std::optional<double> defaultSeconds) {
    if (curve.points.empty())
        return "<span class=\"missing\">no successful trial</span>";
    constexpr double width = 420;
    constexpr double height = 120;
    constexpr double left = 60;
    constexpr double bottom = 18;
    double low = curve.points[0].second;
    double high = low;
    for (const auto& [trial, seconds] : curve.points) {
        low = std::min(low, seconds);
        high = std::max(high, seconds);
    }
    if (defaultSeconds) {
        low = std::min(low, *defaultSeconds);
        high = std::max(high, *defaultSeconds);
    }
    low *= 0.95;
    high *= 1.05;
    const double span = std::max(1.0, static_cast<double>(curve.last));
    const auto x = [&](double trial) { return left + trial / span * (width - left - 6); };
    const auto y = [&](double seconds) {
        return 6 + (std::log(high) - std::log(seconds)) / (std::log(high) - std::log(low)) *
                       (height - bottom - 10);
    };
    std::string svg = base::concat("<svg viewBox=\"0 0 ", width, ' ', height,
                                   "\" role=\"img\" aria-label=\"latency by trial\">");
    svg +=
        base::concat("<line class=\"axis\" x1=\"", left, "\" y1=\"4\" x2=\"", left, "\" y2=\"",
                     height - bottom, "\"/><line class=\"axis\" x1=\"", left, "\" y1=\"",
                     height - bottom, "\" x2=\"", width - 4, "\" y2=\"", height - bottom, "\"/>");
    svg += base::concat("<text x=\"", left - 5, "\" y=\"14\" text-anchor=\"end\">", duration(high),
                        "</text><text x=\"", left - 5, "\" y=\"", height - bottom,
                        "\" text-anchor=\"end\">", duration(low), "</text><text x=\"", width - 4,
                        "\" y=\"", height - 4, "\" text-anchor=\"end\">", curve.last,
                        " trials</text>");
    // More dots than pixels say nothing.
    const std::size_t step = std::max<std::size_t>(1, curve.points.size() / 800);
    for (std::size_t i = 0; i < curve.points.size(); i += step)
        svg += base::concat(
            "<circle cx=\"", number(x(static_cast<double>(curve.points[i].first)), "%.1f"),
            "\" cy=\"", number(y(curve.points[i].second), "%.1f"), "\" r=\"1.6\"/>");
    std::string path;
    double best = INFINITY;
    for (const auto& [trial, seconds] : curve.points) {
        if (seconds >= best)
            continue;
        best = seconds;
        const std::string at = number(x(static_cast<double>(trial)), "%.1f");
        path += path.empty() ? base::concat('M', at, ' ', number(y(best), "%.1f"))
                             : base::concat('H', at, 'V', number(y(best), "%.1f"));
    }
    path += base::concat('H', number(x(span), "%.1f"));
    svg += base::concat("<path class=\"best\" d=\"", path, "\"/>");
    if (defaultSeconds)
        svg += base::concat("<line class=\"default\" x1=\"", left, "\" x2=\"", width - 4,
                            "\" y1=\"", number(y(*defaultSeconds), "%.1f"), "\" y2=\"",
                            number(y(*defaultSeconds), "%.1f"), "\"/>");
    return svg + "</svg>";
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
th{font-weight:600;font-size:13px;color:var(--soft)}
.curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:14px}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 14px}
figcaption{font-size:13px;margin-bottom:4px;overflow-wrap:anywhere}svg{width:100%;height:auto}
svg text{font-size:10px;fill:var(--soft)}circle{fill:var(--soft);opacity:.45}
.axis{stroke:var(--line)}.best{fill:none;stroke:var(--accent);stroke-width:2}
.default{stroke:var(--warm);stroke-dasharray:5 4}code{font-size:12px;overflow-wrap:anywhere}
</style></head><body><main>
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

std::string tasksHtml(const database::StoreReader& reader,
                      const std::vector<database::TaskSummary>& tasks) {
    std::string html = "<h2>Tasks</h2><div class=\"scroll\"><table><tr><th>task</th><th>weight</th>"
                       "<th>default</th><th>best</th><th>95&nbsp;% interval</th><th>n</th>"
                       "<th>speed-up</th><th>GFLOP/s</th><th>trials</th><th>failed</th>"
                       "<th>verified</th></tr>\n";
    for (const database::TaskSummary& task : tasks) {
        std::optional<database::TuningRecord> best;
        if (task.best)
            best = reader.record(*task.best);
        const bool interval = best && best->measurement.low && best->measurement.high;
        const bool both = task.defaultMedian && task.bestMedian;
        html += base::concat(
            "<tr><td>", escaped(task.task.name), "</td><td>", number(task.task.weight, "%g"),
            "</td><td>", duration(task.defaultMedian), "</td><td>", duration(task.bestMedian),
            "</td><td>",
            interval ? base::concat(duration(best->measurement.low), " &ndash; ",
                                    duration(best->measurement.high))
                     : std::string("n/a"),
            "</td><td>", best ? std::to_string(best->measurement.seconds.size()) : "0", "</td><td>",
            both ? number(*task.defaultMedian / *task.bestMedian, "%.2f&times;") : "n/a",
            "</td><td>",
            task.bestMedian && task.task.flop > 0
                ? number(task.task.flop / *task.bestMedian / 1e9, "%.4g")
                : "n/a",
            "</td><td>", task.trials, "</td><td>", task.failed, "</td><td>",
            !best || !best->verified ? "not checked"
            : *best->verified        ? "yes"
                                     : "NO",
            "</td></tr>\n");
    }
    return html + "</table></div>\n";
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
    html += base::concat("<h1>Tilewright report</h1><div class=\"sub\">",
                         escaped(reader.file().string()), "</div>\n");
    html += summaryHtml(reader, tasks);
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
    html += sessionsHtml(reader);
    return html + "</main></body></html>\n";
}

} // namespace tilewright::session
