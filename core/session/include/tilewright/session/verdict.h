// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record.h>
#include <tilewright/session/statistic.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// How B stands against A.
enum class Verdict : std::uint8_t {
    Faster,
    Slower,
    Same,          ///< within noise or the threshold
    NotComparable, ///< a reason says why
    OnlyLeft,
    OnlyRight,
    None, ///< neither side has a result
};
/// `faster`, `slower`, `same`, `not-comparable`, `only-left`, `only-right`, `none`.
std::string_view toString(Verdict verdict);

/// Times of two sides with what can be said of them. Seconds of one call; ratio is B / A with its
/// 95 % interval.
struct Judgement {
    Verdict verdict = Verdict::None;
    double ratio = 1;
    double low = 1;
    double high = 1;
    bool assumedNoise = false; ///< too few samples: kAssumedNoise of compare.h was taken
};

/// Judges the samples: same when the interval covers 1 or the change is below `threshold` (0.01 =
/// 1 %).
Judgement judgeSamples(const std::vector<double>& left, const std::vector<double>& right,
                       double threshold, Statistic statistic = Statistic::Median);

/// A setting under which a side was measured.
struct SettingDifference {
    std::string name; ///< `cpu`, `llvm`, `governor`, `repeat policy`, `cost_model`, …
    std::string left;
    std::string right;
    bool differs = false;
    bool matters = false; ///< a difference makes times incomparable
};

/// The members of two JSON objects beside each other; names in `important` matter.
std::vector<SettingDifference> compareSettings(std::string_view leftJson,
                                               std::string_view rightJson,
                                               const std::vector<std::string_view>& important);

/// Why two sides cannot be compared: the first difference that matters; empty when none does.
std::string incomparableReason(const std::vector<SettingDifference>& settings);

} // namespace tilewright::session
