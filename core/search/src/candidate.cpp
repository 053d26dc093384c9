// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/candidate.h>

#include <tilewright/base/concat.h>
#include <tilewright/cost/per_store_feature.h>
#include <tilewright/ir/structural.h>
#include <tilewright/schedule/schedule.h>

namespace tilewright::search {

base::Result<CandidatePtr, std::string> makeCandidate(const TuneContext& context,
                                                      const schedule::Trace& trace,
                                                      bool keepDecisions,
                                                      base::RandomState random) {
    schedule::Schedule sch(context.module, random);
    schedule::DecisionProvider resample;
    if (!keepDecisions)
        resample = [](const auto&, auto, auto, const auto&) { return schedule::Value(); };
    if (const auto replayed = schedule::replay(trace, sch, true, resample); !replayed) {
        const schedule::Rejection& rejection = replayed.error();
        return base::Unexpected(
            base::concat(rejection.failure.kind, " at ", rejection.instructionName));
    }
    if (const auto done = space::applyPostprocs(context.space, context.postprocs, sch); !done)
        return base::Unexpected(base::concat(done.error().kind, " in postprocessing"));
    auto candidate = std::make_shared<Candidate>();
    candidate->trace = sch.trace();
    candidate->module = sch.module();
    candidate->hash = ir::structuralHash(candidate->module);
    candidate->features = std::make_shared<const cost::FeatureMatrix>(
        cost::extractPerStoreFeatures(candidate->module));
    return CandidatePtr(std::move(candidate));
}

} // namespace tilewright::search
