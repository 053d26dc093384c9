// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/statistic.h>

#include <tilewright/database/record.h>
#include <tilewright/measure/statistics.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::session {

std::string_view toString(Statistic statistic) {
    switch (statistic) {
    case Statistic::Median:
        return "median";
    case Statistic::Min:
        return "min";
    case Statistic::Mean:
        return "mean";
    case Statistic::P95:
        return "p95";
    }
    return "";
}

std::optional<double> statisticOf(std::span<const double> seconds, Statistic statistic) {
    const auto isTime = [](double s) {
        return std::isfinite(s) && s >= 0 && s < database::kFailedSeconds;
    };
    if (seconds.empty() || !std::all_of(seconds.begin(), seconds.end(), isTime))
        return std::nullopt;
    switch (statistic) {
    case Statistic::Median:
        return measure::median(seconds);
    case Statistic::Min:
        return *std::min_element(seconds.begin(), seconds.end());
    case Statistic::Mean:
        return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
               static_cast<double>(seconds.size());
    case Statistic::P95:
        return measure::quantile(seconds, 0.95);
    }
    return std::nullopt;
}

} // namespace tilewright::session
