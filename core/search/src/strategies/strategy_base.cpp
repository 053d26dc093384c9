// SPDX-License-Identifier: Apache-2.0
#include "strategy_base.h"

#include <tilewright/base/check.h>

#include <algorithm>

namespace tilewright::search {

void StrategyBase::preTuning(StrategyInputs inputs) {
    TW_CHECK(inputs.context && inputs.context->threads);
    inputs_ = std::move(inputs);
    trialsDone_ = 0;
    measured_ = std::move(inputs_.measured);
}

std::vector<CandidatePtr> StrategyBase::makeAll(const std::vector<schedule::Trace>& traces,
                                                bool keepDecisions) {
    std::vector<CandidatePtr> candidates(traces.size());
    std::vector<std::string> reasons(traces.size());
    // Random states are forked in index order, so the result does not depend on the thread count.
    std::vector<base::RandomState> randoms;
    randoms.reserve(traces.size());
    for (std::size_t i = 0; i < traces.size(); ++i)
        randoms.push_back(context().random.fork());
    context().threads->parallelFor(traces.size(), [&](std::size_t i) {
        auto made = makeCandidate(context(), traces[i], keepDecisions, randoms[i]);
        if (made)
            candidates[i] = *made;
        else
            reasons[i] = made.error();
    });
    count(reasons);
    return candidates;
}

void StrategyBase::count(const std::vector<std::string>& reasons) {
    for (const std::string& reason : reasons) {
        ++statistics_.candidates;
        if (!reason.empty())
            statistics_.rejections.add(reason);
    }
}

int StrategyBase::batchSize(int limit) const {
    return std::max(0,
                    std::min({inputs_.numTrialsPerIter, inputs_.maxTrials - trialsDone_, limit}));
}

} // namespace tilewright::search
