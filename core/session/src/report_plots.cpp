// SPDX-License-Identifier: Apache-2.0
#include "report_plots.h"

#include "report_text.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>

namespace tilewright::session {

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

std::string paretoSvg(std::vector<ParetoBar> bars) {
    constexpr std::size_t most = 20;
    constexpr double width = 1040;
    constexpr double left = 250;
    constexpr double right = 150;
    constexpr double rowHeight = 22;
    std::stable_sort(bars.begin(), bars.end(),
                     [](const ParetoBar& a, const ParetoBar& b) { return a.seconds > b.seconds; });
    if (bars.size() > most) {
        ParetoBar others{base::concat(bars.size() - most + 1, " others"), 0, 0.0};
        for (std::size_t i = most - 1; i < bars.size(); ++i) {
            others.seconds += bars[i].seconds;
            *others.defaultSeconds += bars[i].defaultSeconds.value_or(bars[i].seconds);
        }
        bars.resize(most - 1);
        bars.push_back(std::move(others));
    }
    double longest = 0;
    double sum = 0;
    for (const ParetoBar& bar : bars) {
        longest = std::max({longest, bar.seconds, bar.defaultSeconds.value_or(0)});
        sum += bar.seconds;
    }
    if (sum <= 0)
        return "<span class=\"missing\">no operator has a latency</span>";
    const double scale = (width - left - right) / longest;
    std::string svg = base::concat("<svg viewBox=\"0 0 ", width, ' ',
                                   rowHeight * static_cast<double>(bars.size()) + 6,
                                   "\" role=\"img\" aria-label=\"share of time by operator\">");
    double running = 0;
    double y = 4;
    for (const ParetoBar& bar : bars) {
        running += bar.seconds;
        const auto box = [&](const char* kind, double seconds) {
            svg +=
                base::concat("<rect class=\"", kind, "\" x=\"", left, "\" y=\"", number(y, "%.1f"),
                             "\" width=\"", number(std::max(1.0, seconds * scale), "%.1f"),
                             "\" height=\"14\"/>");
        };
        if (bar.defaultSeconds)
            box("before", *bar.defaultSeconds);
        box("now", bar.seconds);
        constexpr std::size_t longestName = 38;
        const std::string name =
            bar.name.size() > longestName ? bar.name.substr(0, longestName - 1) + "…" : bar.name;
        svg +=
            base::concat("<text x=\"", left - 8, "\" y=\"", number(y + 11, "%.1f"),
                         "\" text-anchor=\"end\">", escaped(name), "</text><text x=\"",
                         width - right + 8, "\" y=\"", number(y + 11, "%.1f"), "\">",
                         duration(bar.seconds), " &#183; ", number(100 * bar.seconds / sum, "%.1f"),
                         " % &#183; &#931; ", number(100 * running / sum, "%.0f"), " %</text>");
        y += rowHeight;
    }
    return svg + "</svg>";
}

} // namespace tilewright::session
