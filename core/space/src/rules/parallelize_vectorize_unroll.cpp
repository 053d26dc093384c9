// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/schedule_rule.h>

#include "../block_facts.h"

namespace tilewright::space {

using schedule::BlockRV;
using schedule::Schedule;

namespace {

class ParallelizeVectorizeUnroll final : public ScheduleRule {
public:
    explicit ParallelizeVectorizeUnroll(ParallelizeVectorizeUnrollOptions options)
        : options_(std::move(options)) {}
    [[nodiscard]] std::string_view name() const override { return "ParallelizeVectorizeUnroll"; }

    [[nodiscard]] std::vector<Schedule> apply(const SpaceContext& context, Schedule sch,
                                              BlockRV block) const override {
        const schedule::SrefId sref = sch.sref(block);
        if (sch.state().parent(sref).valid()) // only the root
            return {std::move(sch)};
        if (options_.maxJobsPerCore != -1)
            sch.annotate(block, "meta_schedule.parallel",
                         std::int64_t{context.numCores()} * options_.maxJobsPerCore);
        if (options_.maxVectorizeExtent != -1)
            sch.annotate(block, "meta_schedule.vectorize", options_.maxVectorizeExtent);
        if (!options_.unrollMaxSteps.empty() && !isInSpatialFunction(sch.state(), sref)) {
            const std::size_t n = options_.unrollMaxSteps.size();
            const std::vector<double> uniform(n, 1.0 / static_cast<double>(n));
            const auto steps = sch.sampleCategorical(options_.unrollMaxSteps, uniform);
            sch.annotate(block,
                         options_.unrollExplicit ? "meta_schedule.unroll_explicit"
                                                 : "meta_schedule.unroll_implicit",
                         steps);
        }
        return {std::move(sch)};
    }

private:
    ParallelizeVectorizeUnrollOptions options_;
};

} // namespace

ScheduleRulePtr parallelizeVectorizeUnroll(ParallelizeVectorizeUnrollOptions options) {
    return std::make_shared<ParallelizeVectorizeUnroll>(std::move(options));
}

} // namespace tilewright::space
