// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/random_state.h>
#include <tilewright/schedule/schedule.h>
#include <tilewright/space/rule_set.h>

#include <functional>
#include <memory>
#include <vector>

namespace tilewright::space {

/// Makes the design space of a module: schedules whose traces hold the choices to search over.
class SpaceGenerator {
public:
    virtual ~SpaceGenerator() = default;
    /// Sketches, each with sampled decisions. Deterministic for a random state.
    [[nodiscard]] virtual std::vector<schedule::Schedule>
    generateDesignSpace(const SpaceContext& context, const ir::Module& module,
                        base::RandomState& random) const = 0;
};
using SpaceGeneratorPtr = std::shared_ptr<const SpaceGenerator>;

/// Visits the blocks consumers first and applies every rule to each.
/// Throws UserError (kind `duplicate-block`) when a function has two blocks of one name.
SpaceGeneratorPtr postOrderApply(std::vector<ScheduleRulePtr> rules);
/// A space given by a function from a schedule to its alternatives.
SpaceGeneratorPtr
scheduleFn(std::function<std::vector<schedule::Schedule>(schedule::Schedule)> function);
/// The members' spaces one after another.
SpaceGeneratorPtr spaceUnion(std::vector<SpaceGeneratorPtr> members);

} // namespace tilewright::space
