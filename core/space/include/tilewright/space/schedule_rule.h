// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/schedule.h>
#include <tilewright/target/cpu_features.h>
#include <tilewright/target/target.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::space {

/// What rules and postprocessors may ask about the machine the code is for.
struct SpaceContext {
    target::Target target;
    /// `num-cores`; throws UserError (kind `target`) when the target has none.
    [[nodiscard]] int numCores() const;
};

/// Turns one schedule into the alternatives worth keeping, by looking at one block.
/// Immutable once made: one rule serves all threads.
class ScheduleRule {
public:
    virtual ~ScheduleRule() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Alternatives in order of preference; the schedule itself when the rule does not apply.
    /// An empty result drops the branch.
    [[nodiscard]] virtual std::vector<schedule::Schedule> apply(const SpaceContext& context,
                                                                schedule::Schedule schedule,
                                                                schedule::BlockRV block) const = 0;
};
using ScheduleRulePtr = std::shared_ptr<const ScheduleRule>;

/// Skips the other rules for blocks annotated `schedule_rule`; an unknown name is dropped.
ScheduleRulePtr applyCustomRule();
/// Inlines blocks that read nothing and write one zero-dimensional buffer.
ScheduleRulePtr inlineConstantScalars();

struct AutoInlineOptions {
    bool intoProducer = false;
    bool intoConsumer = true;
    bool inlineConstTensor = true;
    bool disallowIfThenElse = true;
    bool requireInjective = true;
    bool requireOrdered = true;
    std::vector<ir::Op> disallowOp; ///< calls that are too dear to repeat
};
/// Inlines elementwise blocks into consumers or producers.
ScheduleRulePtr autoInline(AutoInlineOptions options);

/// Splits a reduction into partial results that run in parallel (rfactor).
ScheduleRulePtr addRFactor(int maxJobsPerCore, int maxInnermostFactor);

enum class ReuseRequirement : std::uint8_t { No, May, Must };
/// Where a cache stage goes: `levels` are tile levels counted from 1.
struct ReuseType {
    ReuseRequirement requirement = ReuseRequirement::No;
    std::vector<int> levels;
    std::string scope = "global";
};
struct MultiLevelTilingOptions {
    std::string structure; ///< S and R tiles, outermost first: `SSRSRS`
    int maxInnermostFactor = 64;
    ReuseType reuseWrite;
};
/// Tiles blocks with data reuse and gives their result a cache.
ScheduleRulePtr multiLevelTiling(MultiLevelTilingOptions options);

struct ParallelizeVectorizeUnrollOptions {
    int maxJobsPerCore = 16;     ///< -1 = do not parallelize
    int maxVectorizeExtent = 16; ///< -1 = do not vectorize
    std::vector<std::int64_t> unrollMaxSteps;
    bool unrollExplicit = true;
};
/// Annotates the root with what a postprocessor turns into parallel, vectorized, unrolled loops.
ScheduleRulePtr parallelizeVectorizeUnroll(ParallelizeVectorizeUnrollOptions options);

/// Moves not yet tiled blocks to a sampled place near their consumers.
ScheduleRulePtr randomComputeLocation();

} // namespace tilewright::space
