// SPDX-License-Identifier: Apache-2.0
#include "primitives/block_inliner.h"

#include <tilewright/analysis/block_access.h>
#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::schedule {

ir::Stmt BlockInliner::run(const ScheduleState& state, const LeafRemoval& removal) {
    removedFrom_ = state.stmt(removal.source);
    replacement_ = removal.replacement;
    return rewrite(ir::Stmt(scope_));
}

ir::Stmt BlockInliner::rewriteNode(const ir::ForNode& loop) {
    if (&loop == removedFrom_)
        return Rewriter::rewriteNode(static_cast<const ir::ForNode&>(*replacement_));
    return Rewriter::rewriteNode(loop);
}

ir::Stmt BlockInliner::rewriteNode(const ir::BlockNode& block) {
    for (const auto& match : block.matchBuffers)
        opaque_ = opaque_ || match.source.buffer == inlined_;
    const ir::BlockNode& from =
        &block == removedFrom_ ? static_cast<const ir::BlockNode&>(*replacement_) : block;
    ir::Stmt init = from.init ? rewrite(from.init) : nullptr;
    ir::Stmt body = rewrite(from.body);
    const ir::Block after = updateSignature(from, std::move(init), std::move(body));
    if (after.get() != &block)
        reuse_.emplace_back(&block, after.get());
    return after;
}

ir::Block BlockInliner::updateSignature(const ir::BlockNode& before, ir::Stmt init, ir::Stmt body) {
    const bool isScope = &before == scope_ || &before == replacement_.get();
    const auto mentions = [&](const std::vector<ir::BufferRegion>& regions) {
        return std::any_of(regions.begin(), regions.end(),
                           [&](const auto& region) { return region.buffer == inlined_; });
    };
    const bool detect = !isScope && (mentions(before.reads) || mentions(before.writes));
    const bool allocates =
        isScope && std::find(before.allocBuffers.begin(), before.allocBuffers.end(), inlined_) !=
                       before.allocBuffers.end();
    if (!detect && !allocates && init == before.init && body == before.body)
        return ir::Block(&before);
    const ir::Block after = ir::edited(&before, [&](ir::BlockNode& node) {
        node.init = std::move(init);
        node.body = std::move(body);
        if (isScope)
            std::erase(node.allocBuffers, inlined_);
    });
    return detect ? analysis::withDetectedAccess(after) : after;
}

ir::Expr BlockInliner::rewriteNode(const ir::CallNode& call) {
    if (call.op == ir::Op::BufferData) {
        for (const auto& arg : call.args) {
            const auto* load = ir::as<ir::BufferLoadNode>(arg);
            opaque_ = opaque_ || (load && load->buffer == inlined_);
        }
        return ir::Expr(&call);
    }
    return Rewriter::rewriteNode(call);
}

ir::Expr BlockInliner::rewriteNode(const ir::RegionAccessNode& access) {
    opaque_ = opaque_ || access.buffer == inlined_;
    return Rewriter::rewriteNode(access);
}

base::Unexpected<Failure> opaqueAccess(const ir::Buffer& buffer) {
    return fail("OpaqueAccessError",
                base::concat("The buffer ", buffer->name,
                             " to be inlined has opaque access (a pointer to it is taken), or its "
                             "subregion is matched into other blocks"));
}

base::Unexpected<Failure> bodyNotInlinable(const ir::BlockNode& block, std::string_view why) {
    return fail("BodyAnalysisError",
                base::concat("The block cannot be inlined because its body pattern does not meet "
                             "the condition for inlining: ",
                             why),
                {block.name});
}

Outcome<void> checkNoInit(const ir::BlockNode& block) {
    if (!block.init)
        return {};
    return fail("HasInitBlock", "The block has init statement", {block.name});
}

} // namespace tilewright::schedule
