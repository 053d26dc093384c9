// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::measure {

/// The median; of an even count the mean of the two in the middle. NaN for no samples.
double median(std::span<const double> samples);

/// The q-quantile (0 ≤ q ≤ 1), linear between order statistics. NaN for no samples.
double quantile(std::span<const double> samples, double q);

/// An interval that holds the true median with at least probability `coverage`, whatever the
/// distribution of the samples.
struct Interval {
    double low = 0;
    double high = 0;
    double coverage = 0;
};

/// The narrowest symmetric pair of order statistics that covers the median with at least `level`
/// (binomial argument). With too few samples for the level (below 6 for 0.95) it is the range of
/// the samples with the coverage that this has; nothing below two samples.
std::optional<Interval> medianInterval(std::span<const double> samples, double level = 0.95);

/// What is reported of repeated samples.
struct Summary {
    double median = 0;
    std::optional<Interval> interval;
    std::size_t count = 0;
};
Summary summarize(std::span<const double> samples, double level = 0.95);

/// The decision of adaptive measuring: true when a first short sample says that more of them cannot
/// be worth their time. `best` ≤ 0 means that there is none yet.
bool isClearlyWorse(double sample, double best, double factor = 1.5);

/// How two series of samples of the same work compare: candidate time / baseline time.
struct Comparison {
    double ratio = 1;
    double low = 1;
    double high = 1;
    /// -1: the candidate is faster, 1: slower, 0: the samples do not tell.
    int verdict = 0;
};
/// Compares medians; the ratio's interval comes from both medians' intervals and is therefore wide
/// rather than narrow. Fewer than two samples on a side: verdict 0.
Comparison compareSamples(std::span<const double> candidate, std::span<const double> baseline,
                          double level = 0.95);

} // namespace tilewright::measure
