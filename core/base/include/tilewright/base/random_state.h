// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::base {

/// The linear congruential engine of MetaSchedule (minstd: x ← x·48271 mod 2³¹−1) with its own
/// distributions, so that a seed gives the same stream on every platform and standard library.
/// The distributions reproduce libstdc++'s uniform_int_distribution and discrete_distribution on
/// this engine, which is what TVM's published builds use.
/// Owned by one thread; children for parallel work come from fork(), taken in index order.
class RandomState {
public:
    /// Seed 0 becomes 1; a seed of -1 draws one from the operating system.
    explicit RandomState(std::int64_t seed = 1);

    /// Returns the next raw value in [1, 2³¹−2].
    std::uint32_t next();
    /// Returns an independent child, seeded as (next()·32767) mod 1999999973.
    RandomState fork();
    /// Draws from [low, high); does not draw when high = low + 1.
    std::int64_t sampleInt(std::int64_t low, std::int64_t high);
    /// Draws from [0, 1) with two engine values.
    double sampleUnit();
    /// Draws an index with probability proportional to its weight; one weight: 0 without drawing.
    int sampleCategorical(std::span<const double> weights);
    /// Chooses k of 0..m-1 without replacement, in TVM's order of draws.
    std::vector<int> sampleWithoutReplacement(int m, int k);
    /// Shuffles by Fisher–Yates from the front.
    template <class T> void shuffle(std::vector<T>& items) {
        const auto n = static_cast<std::int64_t>(items.size());
        for (std::int64_t i = 0; i + 1 < n; ++i)
            std::swap(items[static_cast<std::size_t>(i)],
                      items[static_cast<std::size_t>(sampleInt(i, n))]);
    }
    /// The state, to be stored and restored by the constructor.
    [[nodiscard]] std::int64_t state() const { return state_; }

private:
    std::int64_t state_;
};

} // namespace tilewright::base
