// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/live_curve.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::session {

namespace {

/// Seconds in the middle of what is measured.
double middle(const LiveTask& task) {
    std::vector<double> seconds;
    for (const TrialPoint& point : *task.points)
        if (point.ok())
            seconds.push_back(point.seconds);
    if (seconds.empty())
        return task.defaultSeconds.value_or(1e-6);
    const auto half = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), half, seconds.end());
    return *half;
}

ScaledUnit rateUnit(double flopPerSecond) {
    return flopPerSecond >= 1e12 ? ScaledUnit{"TFLOPS", 1e12} : ScaledUnit{"GFLOPS", 1e9};
}

/// Where a point lies on the x axis.
class Places {
public:
    Places(const LiveSnapshot& snapshot, int task, CurveX x, double unit) : x_(x), unit_(unit) {
        int number = 0;
        for (const RoundMark& mark : snapshot.rounds)
            if (mark.task == task)
                starts_.emplace_back(mark.firstTrial, ++number);
    }
    [[nodiscard]] double of(std::int64_t trial, double time) const {
        if (x_ == CurveX::Trial)
            return static_cast<double>(trial);
        if (x_ == CurveX::Time)
            return time / unit_;
        const auto after = std::upper_bound(
            starts_.begin(), starts_.end(), trial,
            [](std::int64_t value, const auto& start) { return value < start.first; });
        return after == starts_.begin() ? 0.0 : std::prev(after)->second;
    }

private:
    CurveX x_;
    double unit_;
    std::vector<std::pair<std::int64_t, int>> starts_;
};

} // namespace

ScaledUnit latencyUnit(double seconds) {
    if (seconds < 1e-6)
        return {"ns", 1e-9};
    if (seconds < 1e-3)
        return {"µs", 1e-6};
    if (seconds < 1)
        return {"ms", 1e-3};
    return {"s", 1};
}

ScaledUnit wallTimeUnit(double seconds) {
    if (seconds < 180)
        return {"s", 1};
    if (seconds < 3 * 3600)
        return {"min", 60};
    return {"h", 3600};
}

std::optional<double> LiveCurve::toY(double seconds) const {
    if (!(seconds > 0))
        return std::nullopt;
    switch (y) {
    case CurveY::Latency:
        return seconds / yUnit.scale;
    case CurveY::Rate:
        return flop > 0 ? std::optional(flop / seconds / yUnit.scale) : std::nullopt;
    case CurveY::RoofShare:
        return roofSeconds > 0 ? std::optional(100 * roofSeconds / seconds) : std::nullopt;
    }
    return std::nullopt;
}

LiveCurve curveOf(const LiveSnapshot& snapshot, int task, CurveX x, CurveY y) {
    LiveCurve curve;
    if (task < 0 || task >= static_cast<int>(snapshot.tasks.size()))
        return curve;
    const LiveTask& row = snapshot.tasks[static_cast<std::size_t>(task)];
    curve.y = y;
    curve.flop = row.flop;
    curve.roofSeconds = row.roofSeconds.value_or(0);
    const double usual = row.points ? middle(row) : 1e-6;
    curve.yUnit = y == CurveY::Latency ? latencyUnit(usual)
                  : y == CurveY::Rate  ? rateUnit(row.flop / usual)
                                       : ScaledUnit{"%", 0.01};
    if (x == CurveX::Time)
        curve.xUnit = wallTimeUnit(snapshot.elapsed);
    const Places places(snapshot, task, x, curve.xUnit.scale);
    std::int64_t trial = 0;
    double last = 0;
    if (row.points)
        for (const TrialPoint& point : *row.points) {
            trial = std::max(trial, point.trial);
            if (point.origin == database::RecordOrigin::Default)
                continue;
            const double at = places.of(std::max(trial, point.trial), point.time);
            last = std::max(last, at);
            if (!point.ok())
                curve.failures.push_back({at, point.status, point.record});
            else if (const auto value = curve.toY(point.seconds))
                curve.trials.push_back({at, *value, point.record});
        }
    if (row.best)
        for (const BestPoint& best : *row.best)
            if (const auto value = curve.toY(best.seconds))
                curve.best.push_back({places.of(best.trial, best.time), *value, best.record});
    if (!curve.best.empty() && last > curve.best.back().x)
        curve.best.push_back({last, curve.best.back().y, curve.best.back().record});
    for (const RoundMark& mark : snapshot.rounds)
        if (mark.task == task)
            curve.rounds.push_back(places.of(mark.firstTrial, mark.start));
    if (row.defaultSeconds)
        curve.defaultY = curve.toY(*row.defaultSeconds);
    if (row.bestSeconds)
        curve.bestY = curve.toY(*row.bestSeconds);
    if (row.bestSeconds && row.lowSeconds && row.highSeconds) {
        const auto low = curve.toY(*row.lowSeconds);
        const auto high = curve.toY(*row.highSeconds);
        if (low && high)
            curve.bestError = std::abs(*high - *low) / 2;
    }
    return curve;
}

} // namespace tilewright::session
