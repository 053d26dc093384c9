// SPDX-License-Identifier: Apache-2.0
#include <tilewright/lower/layout_rewrite.h>

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <optional>

namespace tilewright::lower {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

namespace {

constexpr std::string_view kPreprocess = "meta_schedule.layout_rewrite_preproc";

struct Copy {
    Buffer source;
    Buffer target;
    IndexMap map;
};

/// The realize at the bottom of a nest of loops; null when there is more than loops.
const BlockRealizeNode* innermostRealize(const Stmt& nest) {
    const StmtNode* node = nest.get();
    while (const auto* loop = as<ForNode>(node))
        node = loop->body.get();
    return as<BlockRealizeNode>(node);
}

std::optional<Copy> asPreprocessing(const Stmt& nest) {
    const BlockRealizeNode* realize = innermostRealize(nest);
    if (!realize || !realize->block->annotations.contains(kPreprocess))
        return std::nullopt;
    const auto* store = as<BufferStoreNode>(realize->block->body);
    const auto* load = store ? as<BufferLoadNode>(store->value) : nullptr;
    if (!load || load->indices.size() != realize->block->iterVars.size())
        return std::nullopt;
    Copy copy{load->buffer, store->buffer, {}};
    for (std::size_t i = 0; i < load->indices.size(); ++i) {
        const Var& iter = realize->block->iterVars[i].var;
        if (load->indices[i].get() != iter.get())
            return std::nullopt;
        copy.map.initialIndices.push_back(iter);
    }
    copy.map.finalIndices = store->indices;
    return copy;
}

class PrimFuncRewriter {
public:
    explicit PrimFuncRewriter(PrimFunc function) : function_(std::move(function)) {}
    std::vector<LayoutRewrite> rewrites;

    PrimFunc run() {
        const auto* realize = as<BlockRealizeNode>(function_->body);
        if (!realize)
            return function_;
        std::vector<Stmt> kept;
        std::vector<Copy> copies;
        const auto visit = [&](const Stmt& stmt) {
            if (auto copy = asPreprocessing(stmt); copy && paramOf(copy->source))
                copies.push_back(std::move(*copy));
            else
                kept.push_back(stmt);
        };
        if (const auto* seq = as<SeqStmtNode>(realize->block->body))
            for (const Stmt& stmt : seq->seq)
                visit(stmt);
        else
            visit(realize->block->body);
        if (copies.empty() || kept.empty())
            return function_;
        return rebuilt(*realize, std::move(kept), copies);
    }

private:
    [[nodiscard]] std::optional<std::size_t> paramOf(const Buffer& buffer) const {
        for (std::size_t i = 0; i < function_->params.size(); ++i)
            if (function_->params[i].buffer == buffer)
                return i;
        return std::nullopt;
    }

    PrimFunc rebuilt(const BlockRealizeNode& realize, std::vector<Stmt> kept,
                     const std::vector<Copy>& copies) {
        const Block root = edited(realize.block, [&](BlockNode& block) {
            block.body = makeSeq(std::move(kept));
            std::erase_if(block.allocBuffers, [&](const Buffer& buffer) {
                return std::any_of(copies.begin(), copies.end(),
                                   [&](const Copy& copy) { return copy.target == buffer; });
            });
        });
        return edited(function_, [&](PrimFuncNode& function) {
            function.body = makeBlockRealize(realize.iterValues, realize.predicate, root);
            for (const Copy& copy : copies) {
                const std::size_t param = *paramOf(copy.source);
                function.params[param].buffer = copy.target;
                rewrites.push_back({param, copy.map});
            }
        });
    }

    PrimFunc function_;
};

} // namespace

WithoutLayoutRewrites removeLayoutRewrites(const Module& module) {
    WithoutLayoutRewrites result;
    result.module = module;
    const std::string entry = module.entryName();
    for (const auto& [name, function] : module.functions()) {
        PrimFuncRewriter rewriter(function);
        result.module.set(name, rewriter.run());
        if (name == entry)
            result.rewrites = std::move(rewriter.rewrites);
    }
    return result;
}

} // namespace tilewright::lower
