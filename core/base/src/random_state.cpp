// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/random_state.h>

#include <tilewright/base/check.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tilewright::base {

namespace {

constexpr std::int64_t kMultiplier = 48271;
constexpr std::int64_t kModulus = 2147483647;
constexpr std::int64_t kEngineMax = kModulus - 1;

std::int64_t normalizedSeed(std::int64_t seed) {
    if (seed == -1)
        seed = static_cast<std::int64_t>(std::random_device{}());
    TW_CHECK(seed >= 0) << "random seed must be -1 or non-negative, got " << seed;
    seed %= kModulus;
    return seed == 0 ? 1 : seed;
}

} // namespace

RandomState::RandomState(std::int64_t seed) : state_(normalizedSeed(seed)) {}

std::uint32_t RandomState::next() {
    state_ = state_ * kMultiplier % kModulus;
    return static_cast<std::uint32_t>(state_);
}

RandomState RandomState::fork() {
    return RandomState(static_cast<std::int64_t>(next()) * 32767 % 1999999973);
}

std::int64_t RandomState::sampleInt(std::int64_t low, std::int64_t high) {
    TW_CHECK(low < high) << "empty range [" << low << ", " << high << ")";
    const std::int64_t count = high - low;
    if (count == 1)
        return low;
    // The engine reports its minimum as 0 (TVM's), so the raw value is used unshifted.
    TW_CHECK(count <= kEngineMax) << "range too wide: " << count;
    const std::int64_t scaling = kEngineMax / count;
    const std::int64_t past = count * scaling;
    std::int64_t draw = next();
    while (draw >= past)
        draw = next();
    return low + draw / scaling;
}

double RandomState::sampleUnit() {
    constexpr double range = 2147483647.0;
    const double first = next();
    const double second = next();
    const double value = (first + second * range) / (range * range);
    return std::min(value, std::nextafter(1.0, 0.0));
}

int RandomState::sampleCategorical(std::span<const double> weights) {
    TW_CHECK(!weights.empty());
    if (weights.size() == 1)
        return 0;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> sums;
    sums.reserve(weights.size());
    double sum = 0;
    for (const double weight : weights)
        sums.push_back(sum += weight / total);
    sums.back() = 1.0;
    const double p = sampleUnit();
    const auto it = std::lower_bound(sums.begin(), sums.end(), p);
    return static_cast<int>(
        std::min<std::ptrdiff_t>(it - sums.begin(), static_cast<std::ptrdiff_t>(sums.size()) - 1));
}

std::vector<int> RandomState::sampleWithoutReplacement(int m, int k) {
    TW_CHECK(k >= 0 && k <= m) << "choosing " << k << " of " << m;
    if (k == 0)
        return {};
    if (k == 1)
        return {static_cast<int>(sampleInt(0, m))};
    if (k == 2) {
        const int a = static_cast<int>(sampleInt(0, m));
        int b = static_cast<int>(sampleInt(0, m - 1));
        if (b >= a)
            b += 1;
        return {a, b};
    }
    std::vector<int> order(static_cast<std::size_t>(m));
    std::iota(order.begin(), order.end(), 0);
    for (int i = 0; i < k; ++i)
        std::swap(order[static_cast<std::size_t>(i)],
                  order[static_cast<std::size_t>(sampleInt(i, m))]);
    order.resize(static_cast<std::size_t>(k));
    return order;
}

} // namespace tilewright::base
