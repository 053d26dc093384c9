// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/schedule/failure.h>
#include <tilewright/schedule/schedule.h>
#include <tilewright/space/schedule_rule.h>

#include <memory>
#include <vector>

namespace tilewright::space {

/// Makes a sampled schedule fit to build, or says why the candidate is dropped.
/// Immutable once made: one postprocessor serves all threads.
class Postproc {
public:
    virtual ~Postproc() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual schedule::Outcome<void> apply(const SpaceContext& context,
                                                        schedule::Schedule& schedule) const = 0;
};
using PostprocPtr = std::shared_ptr<const Postproc>;

/// Refuses loops whose extent is not constant.
PostprocPtr disallowDynamicLoop();
/// Carries out the root's parallel, vectorize and unroll annotations.
PostprocPtr rewriteParallelVectorizeUnroll();
/// Decomposes reductions into initialisation and update.
PostprocPtr rewriteReductionBlock();
/// Rewrites the layout of layout-free parameters into the order in which they are read, by a block
/// annotated `meta_schedule.layout_rewrite_preproc` that runs once, at compile time.
PostprocPtr rewriteLayout();

/// Applies EnterPostproc and all postprocessors in order; the first refusal ends it.
schedule::Outcome<void> applyPostprocs(const SpaceContext& context,
                                       const std::vector<PostprocPtr>& postprocs,
                                       schedule::Schedule& schedule);

} // namespace tilewright::space
