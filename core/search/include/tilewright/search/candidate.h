// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/cost/feature_matrix.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/search/tune_context.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace tilewright::search {

/// A schedule that survived replay and postprocessing. Immutable and shared.
struct Candidate {
    schedule::Trace trace;  ///< with the postprocessing instructions
    ir::Module module;      ///< scheduled
    std::uint64_t hash = 0; ///< structural hash of `module`
    cost::FeaturePtr features;
};
using CandidatePtr = std::shared_ptr<const Candidate>;

/// Why traces were dropped, counted by reason: `WrongFactorError at Split`, a postprocessor's name.
class RejectionCounts {
public:
    void add(const std::string& reason, std::int64_t count = 1) { counts_[reason] += count; }
    void merge(const RejectionCounts& other) {
        for (const auto& [reason, count] : other.counts_)
            counts_[reason] += count;
    }
    [[nodiscard]] const std::map<std::string, std::int64_t>& counts() const { return counts_; }

private:
    std::map<std::string, std::int64_t> counts_;
};

/// Replays a trace without its postprocessing part, applies the task's postprocessors, hashes and
/// featurises the result. `keepDecisions` false samples everything anew. The error is the reason
/// for RejectionCounts. Thread-safe; deterministic for the random state.
base::Result<CandidatePtr, std::string> makeCandidate(const TuneContext& context,
                                                      const schedule::Trace& trace,
                                                      bool keepDecisions, base::RandomState random);

} // namespace tilewright::search
