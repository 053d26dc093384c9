// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/sampling.h>

#include <tilewright/base/check.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace tilewright::schedule {

namespace {

struct PrimePower {
    std::int64_t prime;
    int exponent;
    bool large; ///< what is left after all primes below 65536
};

std::vector<PrimePower> factorize(std::int64_t number) {
    constexpr std::int64_t kLargestPrime = 65536;
    std::vector<PrimePower> result;
    for (std::int64_t p = 2; p < kLargestPrime && p * p <= number; ++p) {
        int exponent = 0;
        for (; number % p == 0; number /= p)
            ++exponent;
        if (exponent > 0)
            result.push_back({p, exponent, false});
    }
    if (number > 1)
        result.push_back({number, 1, number >= kLargestPrime});
    return result;
}

std::int64_t power(std::int64_t base, int exponent) {
    std::int64_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

} // namespace

std::vector<std::int64_t> drawPerfectTile(base::RandomState& random, std::int64_t extent, int n) {
    TW_CHECK(extent >= 1 && n >= 1);
    if (n == 1)
        return {extent};
    std::vector<std::int64_t> tile(static_cast<std::size_t>(n), 1);
    for (const auto& [prime, exponent, large] : factorize(extent)) {
        if (n == 2) {
            if (large) {
                tile[static_cast<std::size_t>(random.sampleInt(0, 2))] *= prime;
                continue;
            }
            const auto first = static_cast<int>(random.sampleInt(0, exponent + 1));
            tile[0] *= power(prime, first);
            tile[1] *= power(prime, exponent - first);
            continue;
        }
        if (exponent == 1) {
            tile[static_cast<std::size_t>(random.sampleInt(0, n))] *= prime;
            continue;
        }
        std::vector<int> bars = random.sampleWithoutReplacement(exponent + n - 1, n - 1);
        std::sort(bars.begin(), bars.end());
        bars.push_back(exponent + n - 1);
        int previous = -1;
        for (std::size_t i = 0; i < tile.size(); ++i) {
            tile[i] *= power(prime, bars[i] - previous - 1);
            previous = bars[i];
        }
    }
    return tile;
}

std::vector<std::int64_t> drawPerfectTile(base::RandomState& random, std::int64_t extent, int n,
                                          std::int64_t maxInnermostFactor) {
    for (;;) {
        auto tile = drawPerfectTile(random, extent, n);
        if (maxInnermostFactor == -1 || tile.back() <= maxInnermostFactor)
            return tile;
    }
}

std::vector<std::int64_t> drawPartitionedTile(base::RandomState& random, std::int64_t extent, int n,
                                              int partitionPos, std::int64_t innerpartFactor) {
    for (;;) {
        auto tile = drawPerfectTile(random, extent, n);
        const std::int64_t inner = std::accumulate(tile.begin() + partitionPos, tile.end(),
                                                   std::int64_t{1}, std::multiplies<>());
        if ((partitionPos == 0 && innerpartFactor == 1) || inner % innerpartFactor == 0)
            return tile;
    }
}

std::vector<std::int64_t> repairTile(std::int64_t extent, std::vector<std::int64_t> tile) {
    for (std::size_t i = tile.size(); i-- > 1;) {
        if (tile[i] <= 0 || extent % tile[i] != 0)
            tile[i] = extent;
        extent /= tile[i];
    }
    if (!tile.empty())
        tile[0] = extent;
    return tile;
}

} // namespace tilewright::schedule
