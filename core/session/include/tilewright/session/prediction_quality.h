// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tilewright::session {

/// Rank correlation of two lists of equal length, ties at their mean rank; none below three pairs
/// or when one of the lists is constant.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

/// How well a cost model ranked candidates; `predicted` and `measured` are throughputs, larger is
/// better.
struct PredictionQuality {
    std::size_t pairs = 0;
    std::optional<double> spearman;
    /// Share of the truly best `k` that the model has among its best `k`.
    std::optional<double> recall;
    std::size_t k = 0; ///< a quarter of the pairs, 1 … 8
    /// By how much the best of the model's first k falls short of the true best: 0 = not at all.
    std::optional<double> regret;
    /// Whether the ranking is no better than chance (one-sided, about 95 %).
    bool noBetterThanRandom = false;
};
PredictionQuality predictionQuality(std::span<const double> predicted,
                                    std::span<const double> measured);

} // namespace tilewright::session
