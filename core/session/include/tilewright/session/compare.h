// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/json/value.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// How a task's best in one store stands against its best in another.
enum class CompareVerdict : std::uint8_t {
    Faster,    ///< the candidate's samples are below the baseline's
    Slower,    ///< above
    Same,      ///< the difference is within the noise
    OnlyLeft,  ///< only the baseline has a result
    OnlyRight, ///< only the candidate has one
    None       ///< neither has
};
/// `faster`, `slower`, `same`, `only-baseline`, `only-candidate`, `none`.
std::string_view toString(CompareVerdict verdict);

/// One task of both stores. Seconds of one call.
struct TaskComparison {
    std::string name;
    double weight = 1;
    std::optional<database::TuningRecord> left;  ///< the baseline's best, with samples
    std::optional<database::TuningRecord> right; ///< the candidate's best, with samples
    double ratio = 1;                            ///< candidate / baseline
    double low = 1;                              ///< 95 % interval of the ratio
    double high = 1;
    /// Too few samples for an interval: kAssumedNoise was taken for it.
    bool assumedNoise = false;
    CompareVerdict verdict = CompareVerdict::None;
};
inline constexpr double kAssumedNoise = 0.05;

struct StoreComparison {
    std::vector<TaskComparison> tasks;
    /// Weighted sums over the tasks that both sides have a result for.
    double leftTotal = 0;
    double rightTotal = 0;
    /// Tasks of which the samples say that they are slower by more than `share`.
    [[nodiscard]] std::vector<const TaskComparison*> slowerBy(double share) const;
};

/// Compares the best records of two stores, task by task: matched by their modules' hash, and where
/// one has several tasks of a hash, by name.
StoreComparison compareStores(const database::StoreReader& baseline,
                              const database::StoreReader& candidate);

json::Value toJson(const StoreComparison& comparison);

} // namespace tilewright::session
