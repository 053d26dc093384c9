// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/prediction_quality.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace tilewright::session {

namespace {

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> rank(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        const double mean = static_cast<double>(i + end - 1) / 2;
        for (; i < end; ++i)
            rank[order[i]] = mean;
    }
    return rank;
}

/// Indices of the k largest.
std::vector<std::size_t> largest(std::span<const double> values, std::size_t k) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    order.resize(k);
    return order;
}

} // namespace

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
    const std::size_t n = std::min(a.size(), b.size());
    if (n < 3)
        return std::nullopt;
    const std::vector<double> ra = ranks(a.first(n));
    const std::vector<double> rb = ranks(b.first(n));
    const double mean = static_cast<double>(n - 1) / 2;
    double both = 0;
    double left = 0;
    double right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        both += (ra[i] - mean) * (rb[i] - mean);
        left += (ra[i] - mean) * (ra[i] - mean);
        right += (rb[i] - mean) * (rb[i] - mean);
    }
    if (left == 0 || right == 0)
        return std::nullopt;
    return both / std::sqrt(left * right);
}

PredictionQuality predictionQuality(std::span<const double> predicted,
                                    std::span<const double> measured) {
    PredictionQuality quality;
    const std::size_t n = std::min(predicted.size(), measured.size());
    quality.pairs = n;
    if (n == 0)
        return quality;
    predicted = predicted.first(n);
    measured = measured.first(n);
    quality.spearman = spearman(predicted, measured);
    quality.k = std::clamp<std::size_t>(n / 4, 1, 8);
    const std::vector<std::size_t> chosen = largest(predicted, quality.k);
    const std::vector<std::size_t> best = largest(measured, quality.k);
    std::size_t hits = 0;
    double found = 0;
    for (const std::size_t i : chosen) {
        hits += std::find(best.begin(), best.end(), i) != best.end() ? 1 : 0;
        found = std::max(found, measured[i]);
    }
    quality.recall = static_cast<double>(hits) / static_cast<double>(quality.k);
    const double top = measured[best.front()];
    if (top > 0)
        quality.regret = 1 - found / top;
    // Under chance the correlation is about normal with deviation 1 / √(n − 1).
    constexpr double oneSided95 = 1.645;
    constexpr std::size_t enough = 16;
    if (quality.spearman && n >= enough)
        quality.noBetterThanRandom =
            *quality.spearman < oneSided95 / std::sqrt(static_cast<double>(n - 1));
    return quality;
}

} // namespace tilewright::session
