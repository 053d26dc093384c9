// SPDX-License-Identifier: Apache-2.0
#include "argument_reader.h"
#include "instruction_functions.h"
#include "statement_walk.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/base/concat.h>

namespace tilewright::schedule {

namespace {

std::vector<Rv> outputsOf(Schedule& schedule, const std::vector<SrefId>& ids) {
    std::vector<Rv> outputs;
    outputs.reserve(ids.size());
    for (const SrefId id : ids)
        outputs.push_back(schedule.newRv(id));
    return outputs;
}

} // namespace

Outputs applyGetSBlock(Schedule& schedule, const InstructionArguments& arguments) {
    const ArgumentReader reader(schedule, arguments);
    TW_ASSIGN(const std::string name, reader.stringAttr(0));
    TW_ASSIGN(const std::string function, reader.stringAttr(1));
    const ScheduleState& state = schedule.state();
    if (!state.root(function).valid())
        return fail("ValueError",
                    base::concat("there is no function ", function, " that can be scheduled"));
    const std::vector<SrefId> found = state.blocksNamed(name, function);
    if (found.size() != 1)
        return fail("NotSingleResult",
                    found.empty() ? base::concat("there is no block named ", name)
                                  : base::concat("there are ", found.size(), " blocks named ", name,
                                                 "; one is needed"),
                    {name});
    return std::vector<Rv>{schedule.newRv(found[0])};
}

Outputs applyGetLoops(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId block, ArgumentReader(schedule, arguments).block(0));
    return outputsOf(schedule, schedule.state().loopsAbove(block));
}

Outputs applyGetChildBlocks(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId target, ArgumentReader(schedule, arguments).blockOrLoop(0));
    return outputsOf(schedule, schedule.state().childBlocks(target));
}

Outputs applyGetProducers(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId block, ArgumentReader(schedule, arguments).block(0));
    TW_TRY(schedule.state().scopeRoot(block, false));
    return outputsOf(schedule, schedule.state().producers(block));
}

Outputs applyGetConsumers(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId block, ArgumentReader(schedule, arguments).block(0));
    TW_TRY(schedule.state().scopeRoot(block, false));
    return outputsOf(schedule, schedule.state().consumers(block));
}

Outputs applyGetOutputBlocks(Schedule& schedule, const InstructionArguments& arguments) {
    TW_ASSIGN(const SrefId scope, ArgumentReader(schedule, arguments).block(0));
    const ScheduleState& state = schedule.state();
    const ir::BlockNode& scopeBlock = *state.block(scope);
    std::vector<SrefId> found;
    const auto search = [&](auto&& self, const ir::BlockNode& block) -> void {
        forEachChildBlock(block.body, [&](const ir::BlockRealizeNode* child) {
            if (analysis::isOutputBlock(*child->block, scopeBlock))
                found.push_back(state.find(child->block.get()));
            self(self, *child->block);
        });
    };
    search(search, scopeBlock);
    return outputsOf(schedule, found);
}

} // namespace tilewright::schedule
