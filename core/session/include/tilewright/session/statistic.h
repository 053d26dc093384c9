// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tilewright::session {

/// Which number stands for the samples of a measurement.
enum class Statistic : std::uint8_t { Median, Min, Mean, P95 };
/// `median`, `min`, `mean`, `p95`.
std::string_view toString(Statistic statistic);

/// The statistic of samples in seconds; nothing for no samples or when one is not a time (TVM's
/// mark of a failure).
std::optional<double> statisticOf(std::span<const double> seconds, Statistic statistic);

} // namespace tilewright::session
