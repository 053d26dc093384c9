// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop_kind.h"

#include "statement_walk.h"

#include <tilewright/analysis/block_kind.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/visit.h>

namespace tilewright::schedule {

using ir::ForKind;

namespace {

Outcome<void> checkCompactDataflow(const ScheduleState& state, SrefId loop) {
    const auto children = analysis::collectChildren(ir::Stmt(state.loop(loop)));
    std::vector<char> affine;
    for (const auto& child : children)
        affine.push_back(state.affineBinding(state.find(&child.block())) ? 1 : 0);
    const int bad =
        analysis::compactDataflowViolation(children, affine, analysis::writersNestedIn(children));
    if (bad < 0)
        return {};
    const std::string& name = children[static_cast<std::size_t>(bad)].block().name;
    return fail("NotCompactDataFlowError",
                base::concat("The loops below ", state.loop(loop)->loopVar->name,
                             " have no compact dataflow: the block ", name,
                             " is neither complete nor a reduction block there"),
                {name});
}

/// Every iterator bound to the loop is data parallel, or a reduction where `reductionAllowed`.
Outcome<void> checkIterTypes(const ScheduleState& state, const ir::ForNode& loop,
                             const ir::Stmt& body, bool reductionAllowed) {
    Outcome<void> result;
    forEachChildBlock(body, [&](const ir::BlockRealizeNode* realize) {
        if (!result)
            return;
        const ir::BlockNode& block = *realize->block;
        for (std::size_t i = 0; i < realize->iterValues.size(); ++i) {
            if (!ir::usesVar(realize->iterValues[i], loop.loopVar.get()))
                continue;
            const ir::IterType type = block.iterVars[i].type;
            if (type == ir::IterType::DataPar ||
                (type == ir::IterType::CommReduce && reductionAllowed))
                continue;
            result = fail("WrongBlockIterTypeError",
                          base::concat("The iterator ", block.iterVars[i].var->name,
                                       " of the block ", block.name, " is bound to the loop ",
                                       loop.loopVar->name, " and is not data parallel"),
                          {block.name});
            return;
        }
        result = checkIterTypes(state, loop, block.body, reductionAllowed);
    });
    return result;
}

Outcome<void> setKind(ScheduleState& state, SrefId loopId, ForKind kind,
                      const std::string& threadTag, bool reductionAllowed) {
    const ir::ForNode* loop = state.loop(loopId);
    TW_TRY(checkIterTypes(state, *loop, loop->body, reductionAllowed));
    state.replace(loopId, ir::edited(loop, [&](ir::ForNode& n) {
                      n.forKind = kind;
                      n.threadTag = threadTag;
                  }));
    return {};
}

Outcome<void> checkedKind(ScheduleState& state, SrefId loop, ForKind kind) {
    if (state.enableCheck())
        TW_TRY(checkCompactDataflow(state, loop));
    return setKind(state, loop, kind, {}, false);
}

bool startsWith(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

} // namespace

Outcome<void> parallelize(ScheduleState& state, SrefId loop) {
    return checkedKind(state, loop, ForKind::Parallel);
}

Outcome<void> vectorize(ScheduleState& state, SrefId loop) {
    return checkedKind(state, loop, ForKind::Vectorized);
}

Outcome<void> unroll(ScheduleState& state, SrefId loopId) {
    state.replace(loopId, ir::edited(state.loop(loopId), [](ir::ForNode& n) {
                      n.forKind = ForKind::Unrolled;
                      n.threadTag.clear();
                  }));
    return {};
}

Outcome<void> bindThread(ScheduleState& state, SrefId loop, const std::string& threadTag) {
    if (state.enableCheck())
        TW_TRY(checkCompactDataflow(state, loop));
    const bool known = startsWith(threadTag, "blockIdx.") || startsWith(threadTag, "threadIdx.") ||
                       startsWith(threadTag, "clusterCtaIdx.") ||
                       startsWith(threadTag, "vthread") || threadTag == "cthread";
    if (!known)
        return fail("InternalError",
                    base::concat("Unknown thread axis ", threadTag,
                                 "; blockIdx.x, threadIdx.x, vthread.x and the like are known"));
    return setKind(state, loop, ForKind::ThreadBinding, threadTag,
                   startsWith(threadTag, "threadIdx."));
}

} // namespace tilewright::schedule
