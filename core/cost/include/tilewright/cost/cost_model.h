// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/cost/feature_matrix.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cost {

/// What was learnt of one measured candidate.
struct TrainingSample {
    FeaturePtr features;
    double seconds = 0; ///< median of the measurement; kFailedSeconds when it failed
};
inline constexpr double kFailedSeconds = 1e10;

/// Predicts how good candidates are: normalised throughput, nominally 0…1, higher is better.
/// Owned by one thread. Deterministic for the same updates in the same order.
class CostModel {
public:
    virtual ~CostModel() = default;
    /// `xgb`, `random`.
    [[nodiscard]] virtual std::string_view kind() const = 0;
    /// Adds measurements of a task (identified by the structural hash of its module) and retrains
    /// when enough is new.
    virtual void update(std::uint64_t task, std::span<const TrainingSample> samples) = 0;
    /// One score per candidate, in order.
    [[nodiscard]] virtual std::vector<double> predict(std::uint64_t task,
                                                      std::span<const FeaturePtr> candidates) = 0;
    /// False while predictions are still random (too few samples).
    [[nodiscard]] virtual bool isTrained() const = 0;
    /// The whole state as bytes, and back. load throws UserError (kind `cost-model`).
    [[nodiscard]] virtual std::string save() const = 0;
    virtual void load(std::string_view bytes) = 0;
};

struct XgbSettings {
    int threads = 1;
    int seed = 43;
    int warmupSamples = 100;
};
/// Gradient-boosted trees on per-store features with MetaSchedule's settings.
std::unique_ptr<CostModel> makeXgbModel(const XgbSettings& settings = {});
/// Uniform scores from an own seed: for tests and comparisons.
std::unique_ptr<CostModel> makeRandomModel(std::int64_t seed);

/// XGBoost's version, `1.7.5`.
std::string xgboostVersion();

} // namespace tilewright::cost
