// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/random_state.h>
#include <tilewright/ir/module.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/space/rule_set.h>
#include <tilewright/space/schedule_rule.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewright::search {

/// Changes one choice of a trace. Results hold no postprocessing instructions and are not
/// validated: a mutated trace may fail when it is replayed. Immutable once made; used by many
/// threads, each with its own random state.
class Mutator {
public:
    virtual ~Mutator() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// nullopt when the trace offers nothing to change.
    [[nodiscard]] virtual std::optional<schedule::Trace> apply(const schedule::Trace& trace,
                                                               base::RandomState& random) const = 0;
};
using MutatorPtr = std::shared_ptr<const Mutator>;

/// Moves a divisor from one tile of a SamplePerfectTile to another.
MutatorPtr mutateTileSize();
/// Samples another compute location; replays the trace on `module` to learn which are legal.
MutatorPtr mutateComputeLocation(ir::Module module);
/// Takes another unroll step.
MutatorPtr mutateUnroll();
/// Changes how many jobs run in parallel so that the plan of fused loops changes.
MutatorPtr mutateParallel(ir::Module module, std::int64_t maxParallelExtent);

struct WeightedMutator {
    MutatorPtr mutator;
    double probability = 0;
};
/// The mutators of a rule set for a task. Throws UserError (kind `mutator`) for unknown names.
std::vector<WeightedMutator> makeMutators(const std::vector<space::MutatorProbability>& set,
                                          const space::SpaceContext& context,
                                          const ir::Module& module);

} // namespace tilewright::search
