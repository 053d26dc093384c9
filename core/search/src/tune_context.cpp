// SPDX-License-Identifier: Apache-2.0
#include <tilewright/search/tune_context.h>

namespace tilewright::search {

TuneContext makeTuneContext(std::string taskName, ir::Module module, target::Target target,
                            const space::RuleSet& rules, base::RandomState random) {
    TuneContext context;
    context.taskName = std::move(taskName);
    context.module = std::move(module);
    context.space.target = std::move(target);
    context.generator = space::postOrderApply(rules.rules);
    context.postprocs = rules.postprocs;
    context.mutators = makeMutators(rules.mutators, context.space, context.module);
    context.random = random;
    return context;
}

} // namespace tilewright::search
