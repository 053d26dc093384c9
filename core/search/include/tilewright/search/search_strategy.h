// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/cost/cost_model.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/search/candidate.h>
#include <tilewright/search/tune_context.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tilewright::search {

/// A candidate to measure with the score it was chosen for (nullopt: chosen at random).
struct MeasureCandidate {
    CandidatePtr candidate;
    std::optional<double> predicted;
};

/// What a strategy works with. Functions and pointers stay valid while it is in use.
struct StrategyInputs {
    TuneContext* context = nullptr;
    std::vector<schedule::Trace> designSpaces; ///< simplified, without postprocessing
    /// At most k traces of the best records of the task, best first.
    std::function<std::vector<schedule::Trace>(int k)> bestRecorded;
    /// Structural hashes of scheduled modules that were measured before (a resumed task): they are
    /// not proposed again.
    std::unordered_set<std::uint64_t> measured;
    cost::CostModel* costModel = nullptr;
    std::uint64_t taskKey = 0; ///< structural hash of the task's module
    int maxTrials = 0;         ///< of the task, those already done not counted
    int numTrialsPerIter = 64;
};

/// Counters of a strategy since its start.
struct SearchStatistics {
    std::int64_t candidates = 0; ///< made, postprocessed, featurised and scored
    double seconds = 0;          ///< of searching, training and measuring not counted
    RejectionCounts rejections;
};

/// Proposes batches of candidates. Owned by one thread; fans out over the context's pool.
class SearchStrategy {
public:
    virtual ~SearchStrategy() = default;
    [[nodiscard]] virtual std::string_view kind() const = 0;
    virtual void preTuning(StrategyInputs inputs) = 0;
    /// The next batch, at most `limit` candidates; nullopt when the task has nothing more to try
    /// (`endReason` says why).
    [[nodiscard]] virtual std::optional<std::vector<MeasureCandidate>>
    generateMeasureCandidates(int limit) = 0;
    /// Told how many of the batch were measured.
    virtual void notifyRunnerResults(int measured) = 0;
    [[nodiscard]] virtual const SearchStatistics& statistics() const = 0;
    [[nodiscard]] virtual const std::string& endReason() const = 0;
};

struct EvolutionarySearchSettings {
    int populationSize = 512;
    double initMeasuredRatio = 0.2;
    int initMinUnmeasured = 50;
    int maxFailCount = 5;
    int geneticNumIters = 4;
    double geneticMutateProb = 0.85;
    int geneticMaxFailCount = 10;
    double epsGreedy = 0.05;
    int numEmptyItersBeforeEarlyStop = 5;
};
std::unique_ptr<SearchStrategy> makeEvolutionarySearch(EvolutionarySearchSettings settings = {});
/// Samples the design space at random.
std::unique_ptr<SearchStrategy> makeReplayTrace(int maxFailCount = 100);

/// `evolutionary`, `replay-trace`. Throws UserError (kind `strategy`) naming what is accepted.
std::unique_ptr<SearchStrategy> makeSearchStrategy(std::string_view kind);
std::vector<std::string> searchStrategyKinds();

} // namespace tilewright::search
