// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/statistics.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::measure {

namespace {

std::vector<double> sorted(std::span<const double> samples) {
    std::vector<double> values(samples.begin(), samples.end());
    std::sort(values.begin(), values.end());
    return values;
}

double quantileOfSorted(const std::vector<double>& values, double q) {
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(below);
    if (part == 0)
        return values[below];
    return values[below] + part * (values[below + 1] - values[below]);
}

/// P(X ≤ k) of a fair coin thrown n times.
double binomialTail(std::size_t n, std::size_t k) {
    // Logarithms, because 2⁻ⁿ underflows for long series.
    double sum = 0;
    double logTerm = -static_cast<double>(n) * std::log(2.0);
    for (std::size_t i = 0; i <= k; ++i) {
        sum += std::exp(logTerm);
        logTerm += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
    }
    return sum;
}

} // namespace

double median(std::span<const double> samples) {
    return quantile(samples, 0.5);
}

double quantile(std::span<const double> samples, double q) {
    return quantileOfSorted(sorted(samples), q);
}

std::optional<Interval> medianInterval(std::span<const double> samples, double level) {
    const std::size_t n = samples.size();
    if (n < 2)
        return std::nullopt;
    const std::vector<double> values = sorted(samples);
    // [x(k), x(n-1-k)], counted from 0, misses the median with probability 2·P(X ≤ k).
    std::size_t k = 0;
    while (k + 1 < n / 2 && 1 - 2 * binomialTail(n, k + 1) >= level)
        ++k;
    return Interval{values[k], values[n - 1 - k], 1 - 2 * binomialTail(n, k)};
}

Summary summarize(std::span<const double> samples, double level) {
    return {median(samples), medianInterval(samples, level), samples.size()};
}

bool isClearlyWorse(double sample, double best, double factor) {
    return best > 0 && sample > best * factor;
}

Comparison compareSamples(std::span<const double> candidate, std::span<const double> baseline,
                          double level) {
    Comparison result;
    const double base = median(baseline);
    if (candidate.empty() || baseline.empty() || !(base > 0))
        return result;
    result.ratio = result.low = result.high = median(candidate) / base;
    // Both intervals at √level hold together with at least `level`.
    const auto a = medianInterval(candidate, std::sqrt(level));
    const auto b = medianInterval(baseline, std::sqrt(level));
    if (!a || !b || !(b->low > 0))
        return result;
    result.low = a->low / b->high;
    result.high = a->high / b->low;
    result.verdict = result.high < 1 ? -1 : result.low > 1 ? 1 : 0;
    return result;
}

} // namespace tilewright::measure
