// SPDX-License-Identifier: Apache-2.0
#pragma once

// The report's plots as inline SVG; colours come from the page's style sheet.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::session {

/// Trials of a task in order, as the curve shows them.
struct Curve {
    std::vector<std::pair<std::int64_t, double>> points; ///< trial, seconds
    std::int64_t last = 0;
    std::map<std::string, std::int64_t> failed;
    std::map<std::string, std::string> firstMessage;
};

/// Latency by trial on a logarithmic scale: dots for trials, a step line for the best so far, a
/// dashed line for the default schedule.
std::string curveSvg(const Curve& curve, std::optional<double> defaultSeconds);

/// An operator's part of the whole.
struct ParetoBar {
    std::string name;
    double seconds = 0;                   ///< weighted, of what is used now
    std::optional<double> defaultSeconds; ///< weighted
};

/// Weighted latency as falling bars, the default schedules' behind them, with a cumulative line.
/// At most twenty bars; the others become one.
std::string paretoSvg(std::vector<ParetoBar> bars);

} // namespace tilewright::session
