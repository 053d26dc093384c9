// SPDX-License-Identifier: Apache-2.0
#include "strategy_base.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <numeric>

namespace tilewright::search {

namespace {

struct Scored {
    CandidatePtr candidate;
    double score = 0;
};

/// Draws indices with probability proportional to weight; index 0 when all weights are zero.
class WeightedSampler {
public:
    explicit WeightedSampler(const std::vector<double>& weights) {
        double sum = 0;
        for (const double weight : weights)
            sums_.push_back(sum += weight);
    }
    [[nodiscard]] std::size_t draw(base::RandomState& random) const {
        const double u = random.sampleUnit() * sums_.back();
        const auto it = std::lower_bound(sums_.begin(), sums_.end(), u);
        return std::min(static_cast<std::size_t>(it - sums_.begin()), sums_.size() - 1);
    }

private:
    std::vector<double> sums_;
};

class EvolutionarySearch final : public StrategyBase {
public:
    explicit EvolutionarySearch(EvolutionarySearchSettings settings) : settings_(settings) {}
    [[nodiscard]] std::string_view kind() const override { return "evolutionary"; }

    void preTuning(StrategyInputs inputs) override {
        // The numbers are made for batches of 64. A smaller batch (a small budget over many tasks)
        // gets the same number of candidates a trial, not a full population for a handful of them.
        constexpr int usualBatch = 64;
        const int batch = std::clamp(inputs.numTrialsPerIter, 1, usualBatch);
        const auto scaled = [&](int value, int least) {
            return std::min(value, std::max(least, value * batch / usualBatch));
        };
        settings_.populationSize = scaled(settings_.populationSize, 64);
        settings_.initMinUnmeasured = scaled(settings_.initMinUnmeasured, 16);
        StrategyBase::preTuning(std::move(inputs));
    }

    [[nodiscard]] std::optional<std::vector<MeasureCandidate>>
    generateMeasureCandidates(int limit) override {
        const int wanted = batchSize(limit);
        if (wanted == 0) {
            endReason_ = "every trial was used";
            return std::nullopt;
        }
        if (inputs_.designSpaces.empty()) {
            endReason_ = "the design space is empty";
            return std::nullopt;
        }
        const Timer timer(statistics_);
        std::vector<CandidatePtr> measured = pickBestFromDatabase();
        std::vector<CandidatePtr> unmeasured =
            sampleInitPopulation(settings_.populationSize - static_cast<int>(measured.size()));
        // A space smaller than the usual minimum is searched as far as it goes.
        if (unmeasured.empty()) {
            endReason_ = "every sample of the design space was refused";
            return std::nullopt;
        }
        std::vector<CandidatePtr> population = std::move(measured);
        population.insert(population.end(), unmeasured.begin(), unmeasured.end());
        const std::vector<Scored> bests = evolve(std::move(population), wanted);
        std::vector<MeasureCandidate> picks = pickWithEpsGreedy(unmeasured, bests, wanted);
        if (picks.empty() && ++emptyIterations_ >= settings_.numEmptyItersBeforeEarlyStop) {
            endReason_ = "nothing new was found in several rounds";
            return std::nullopt;
        }
        if (!picks.empty())
            emptyIterations_ = 0;
        return picks;
    }

private:
    std::vector<CandidatePtr> pickBestFromDatabase() {
        const base::Profiler::Scope scope(context().profiler, "EvoSearch/PickBestFromDatabase");
        const int count = static_cast<int>(settings_.populationSize * settings_.initMeasuredRatio);
        std::vector<CandidatePtr> picked = makeAll(inputs_.bestRecorded(count), true);
        std::erase(picked, nullptr);
        return picked;
    }

    std::vector<CandidatePtr> sampleInitPopulation(int wanted) {
        const base::Profiler::Scope scope(context().profiler, "EvoSearch/SampleInitPopulation");
        std::vector<CandidatePtr> population;
        const auto spaces = static_cast<std::int64_t>(inputs_.designSpaces.size());
        int fails = 0;
        while (static_cast<int>(population.size()) < settings_.initMinUnmeasured &&
               fails < settings_.maxFailCount) {
            std::vector<schedule::Trace> traces;
            for (int i = 0; i < wanted; ++i)
                traces.push_back(inputs_.designSpaces[static_cast<std::size_t>(
                    context().random.sampleInt(0, spaces))]);
            bool any = false;
            for (CandidatePtr& candidate : makeAll(traces, false))
                if (candidate) {
                    any = true;
                    population.push_back(std::move(candidate));
                }
            fails += any ? 0 : 1;
        }
        return population;
    }

    std::vector<double> score(const std::vector<CandidatePtr>& population) {
        const base::Profiler::Scope scope(context().profiler,
                                          "EvoSearch/Evolve/PredictNormalizedScore");
        std::vector<cost::FeaturePtr> features;
        for (const CandidatePtr& candidate : population)
            features.push_back(candidate->features);
        std::vector<double> scores = inputs_.costModel->predict(inputs_.taskKey, features);
        for (double& value : scores)
            value = std::max(0.0, value);
        return scores;
    }

    std::vector<Scored> evolve(std::vector<CandidatePtr> population, int count) {
        std::unordered_set<std::uint64_t> seen = measured_;
        std::vector<Scored> best;
        for (int iteration = 0;; ++iteration) {
            const std::vector<double> scores = score(population);
            for (std::size_t i = 0; i < population.size(); ++i)
                if (seen.insert(population[i]->hash).second)
                    best.push_back({population[i], scores[i]});
            std::stable_sort(best.begin(), best.end(),
                             [](const Scored& a, const Scored& b) { return a.score > b.score; });
            if (best.size() > static_cast<std::size_t>(count))
                best.resize(static_cast<std::size_t>(count));
            if (iteration == settings_.geneticNumIters)
                return best;
            population = mutate(population, scores);
        }
    }

    /// What to do for a slot of the next population, drawn before the work is fanned out so that
    /// the outcome does not depend on which thread comes first.
    struct Slot {
        std::size_t parent = 0;
        int mutator = -1; ///< -1: the parent survives as it is
        base::RandomState random{1};
    };

    std::vector<CandidatePtr> mutate(const std::vector<CandidatePtr>& population,
                                     const std::vector<double>& scores) {
        const base::Profiler::Scope scope(context().profiler, "EvoSearch/Evolve/Mutation");
        const WeightedSampler parents(scores);
        const WeightedSampler mutators(mutatorWeights());
        std::vector<Slot> slots(static_cast<std::size_t>(settings_.populationSize));
        std::vector<char> survived(population.size(), 0);
        for (Slot& slot : slots) {
            slot.random = context().random.fork();
            for (int attempt = 0; attempt <= settings_.geneticMaxFailCount; ++attempt) {
                slot.parent = parents.draw(slot.random);
                slot.mutator = static_cast<int>(mutators.draw(slot.random)) - 1;
                if (slot.mutator >= 0)
                    break;
                if (!survived[slot.parent]) {
                    survived[slot.parent] = 1;
                    break;
                }
            }
        }
        std::vector<CandidatePtr> next(slots.size());
        std::vector<std::vector<std::string>> reasons(slots.size());
        context().threads->parallelFor(slots.size(), [&](std::size_t i) {
            next[i] = fillSlot(slots[i], population, parents, mutators, reasons[i]);
        });
        for (const auto& list : reasons)
            count(list);
        return next;
    }

    CandidatePtr fillSlot(Slot& slot, const std::vector<CandidatePtr>& population,
                          const WeightedSampler& parents, const WeightedSampler& mutators,
                          std::vector<std::string>& reasons) {
        for (int attempt = 0; attempt <= settings_.geneticMaxFailCount; ++attempt) {
            if (slot.mutator < 0)
                return population[slot.parent];
            const Mutator& mutator =
                *context().mutators[static_cast<std::size_t>(slot.mutator)].mutator;
            if (auto trace = mutator.apply(population[slot.parent]->trace, slot.random)) {
                auto made = makeCandidate(context(), *trace, true, slot.random.fork());
                reasons.push_back(made ? std::string() : made.error());
                if (made)
                    return *made;
            }
            slot.parent = parents.draw(slot.random);
            slot.mutator = static_cast<int>(mutators.draw(slot.random)) - 1;
        }
        return population[slot.parent];
    }

    /// Index 0 stands for "no mutation".
    [[nodiscard]] std::vector<double> mutatorWeights() {
        double total = 0;
        for (const WeightedMutator& entry : context().mutators)
            total += entry.probability;
        std::vector<double> weights;
        weights.push_back(total > 0 ? 1 - settings_.geneticMutateProb : 1);
        for (const WeightedMutator& entry : context().mutators)
            weights.push_back(total > 0 ? settings_.geneticMutateProb * entry.probability / total
                                        : 0);
        return weights;
    }

    std::vector<MeasureCandidate> pickWithEpsGreedy(const std::vector<CandidatePtr>& unmeasured,
                                                    const std::vector<Scored>& bests, int count) {
        const base::Profiler::Scope scope(context().profiler, "EvoSearch/PickWithEpsGreedy");
        const int randomCount = static_cast<int>(count * settings_.epsGreedy);
        const int bestCount = count - randomCount;
        const std::vector<int> order = context().random.sampleWithoutReplacement(
            static_cast<int>(unmeasured.size()), static_cast<int>(unmeasured.size()));
        std::size_t nextBest = 0;
        std::size_t nextRandom = 0;
        std::vector<MeasureCandidate> picks;
        // Unlike TVM, what is known already is passed over, so the batch stays full.
        for (int i = 0; i < count; ++i) {
            const bool preferBest = i < bestCount;
            for (const bool takeBest : {preferBest, !preferBest}) {
                if (take(takeBest, unmeasured, bests, order, nextBest, nextRandom, picks))
                    break;
            }
        }
        return picks;
    }

    bool take(bool best, const std::vector<CandidatePtr>& unmeasured,
              const std::vector<Scored>& bests, const std::vector<int>& order,
              std::size_t& nextBest, std::size_t& nextRandom,
              std::vector<MeasureCandidate>& picks) {
        while (best ? nextBest < bests.size() : nextRandom < order.size()) {
            MeasureCandidate pick;
            if (best) {
                pick = {bests[nextBest].candidate, bests[nextBest].score};
                ++nextBest;
            } else {
                pick.candidate = unmeasured[static_cast<std::size_t>(order[nextRandom++])];
            }
            if (measured_.insert(pick.candidate->hash).second) {
                picks.push_back(std::move(pick));
                return true;
            }
        }
        return false;
    }

    EvolutionarySearchSettings settings_;
    int emptyIterations_ = 0;
};

} // namespace

std::unique_ptr<SearchStrategy> makeEvolutionarySearch(EvolutionarySearchSettings settings) {
    return std::make_unique<EvolutionarySearch>(settings);
}

} // namespace tilewright::search
