// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/postproc.h>

#include "../block_facts.h"
#include "layout_suggestion.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <optional>

namespace tilewright::space {

using schedule::BlockRV;
using schedule::Schedule;
using schedule::SrefId;

namespace {

constexpr std::string_view kPreprocess = "meta_schedule.layout_rewrite_preproc";

/// Parameters whose layout may change.
std::vector<ir::Buffer> layoutFreeBuffers(const ir::PrimFuncNode& function) {
    std::vector<ir::Buffer> buffers;
    const ir::AttrValue* marks = function.attrs.find("layout_free_buffers");
    if (!marks || !marks->asList())
        return buffers;
    for (const ir::AttrValue& mark : *marks->asList()) {
        const std::int64_t param = mark.toInt(-1);
        if (param >= 0 && param < static_cast<std::int64_t>(function.params.size()))
            if (const auto& buffer = function.params[static_cast<std::size_t>(param)].buffer)
                buffers.push_back(buffer);
    }
    return buffers;
}

void collectBlocks(const schedule::ScheduleState& state, SrefId above,
                   std::vector<SrefId>& blocks) {
    for (const SrefId child : state.childBlocks(above)) {
        blocks.push_back(child);
        collectBlocks(state, child, blocks);
    }
}

struct Reader {
    SrefId block;
    int index = 0; ///< among the block's reads
};

std::vector<Reader> readersOf(const schedule::ScheduleState& state,
                              const std::vector<SrefId>& blocks, const ir::Buffer& buffer) {
    std::vector<Reader> readers;
    for (const SrefId block : blocks) {
        const auto& reads = state.block(block)->reads;
        for (std::size_t i = 0; i < reads.size(); ++i)
            if (reads[i].buffer == buffer)
                readers.push_back({block, static_cast<int>(i)});
    }
    return readers;
}

/// A copy: no init, one read, one write.
bool isCopy(const ir::BlockNode& block) {
    return !block.init && block.reads.size() == 1 && block.writes.size() == 1;
}

/// Indices with which a block's body loads the buffer; nullopt unless all loads agree.
std::optional<std::vector<ir::Expr>> loadIndices(const ir::BlockNode& block,
                                                 const ir::Buffer& buffer) {
    std::optional<std::vector<ir::Expr>> found;
    bool differ = false;
    ir::walk(block.body, [&](const ir::Node& node) {
        const auto* load = ir::as<ir::BufferLoadNode>(&node);
        if (load && load->buffer == buffer) {
            differ = differ || (found && *found != load->indices);
            found = load->indices;
        }
        return true;
    });
    return differ ? std::nullopt : found;
}

std::optional<ir::IndexMap> suggestAt(const schedule::ScheduleState& state, SrefId block,
                                      const ir::Buffer& buffer) {
    const ir::BlockRealizeNode& realize = *state.realize(block);
    auto indices = loadIndices(*realize.block, buffer);
    if (!indices)
        return std::nullopt;
    ir::VarMap bindings;
    for (std::size_t i = 0; i < realize.iterValues.size(); ++i)
        bindings.emplace(realize.block->iterVars[i].var.get(), realize.iterValues[i]);
    for (ir::Expr& index : *indices)
        index = ir::substitute(index, bindings);
    const auto loops = loopNodes(state, block);
    return suggestLayout(buffer, *indices, loops, realize.predicate);
}

class RewriteLayout final : public Postproc {
public:
    [[nodiscard]] std::string_view name() const override { return "RewriteLayout"; }

    [[nodiscard]] schedule::Outcome<void> apply(const SpaceContext&, Schedule& sch) const override {
        std::vector<std::string> functions;
        for (const auto& [function, node] : sch.module().functions())
            functions.push_back(function);
        for (const std::string& function : functions) {
            if (!sch.state().root(function).valid())
                continue;
            for (const ir::Buffer& buffer : layoutFreeBuffers(*sch.module().find(function)))
                rewriteBuffer(sch, function, buffer);
        }
        return {};
    }

private:
    static void rewriteBuffer(Schedule& sch, const std::string& function,
                              const ir::Buffer& parameter) {
        std::vector<SrefId> blocks;
        collectBlocks(sch.state(), sch.state().root(function), blocks);
        // Follow copies from the parameter to the block that computes with it.
        std::vector<SrefId> chain;
        ir::Buffer buffer = parameter;
        std::vector<Reader> readers = readersOf(sch.state(), blocks, buffer);
        while (readers.size() == 1 && isCopy(*sch.state().block(readers[0].block)) &&
               sch.state().block(readers[0].block)->writes[0].buffer->scope != "") {
            const ir::BlockNode& copy = *sch.state().block(readers[0].block);
            const std::vector<Reader> next = readersOf(sch.state(), blocks, copy.writes[0].buffer);
            if (next.size() != 1)
                break;
            chain.push_back(readers[0].block);
            buffer = copy.writes[0].buffer;
            readers = next;
        }
        if (readers.size() != 1)
            return;
        const auto map = suggestAt(sch.state(), readers[0].block, buffer);
        if (!map)
            return;
        const auto blockRv = [&](SrefId block) {
            return sch.getSBlock(sch.state().block(block)->name, function);
        };
        const BlockRV anchor = blockRv(readers[0].block);
        if (chain.empty()) {
            insertPreprocess(sch, anchor, readers[0].index);
            sch.transformLayout(anchor, schedule::BufferRole::Read, readers[0].index, *map);
            return;
        }
        sch.transformLayout(anchor, schedule::BufferRole::Read, readers[0].index, *map);
        for (std::size_t i = chain.size(); i-- > 0;) {
            const BlockRV copy = blockRv(chain[i]);
            if (i == 0)
                insertPreprocess(sch, copy, 0);
            sch.transformLayout(copy, schedule::BufferRole::Read, 0, *map);
        }
    }

    static void insertPreprocess(Schedule& sch, BlockRV reader, int index) {
        const BlockRV copy = sch.cacheRead(reader, index, "global");
        sch.annotate(copy, kPreprocess, true);
    }
};

} // namespace

PostprocPtr rewriteLayout() {
    return std::make_shared<RewriteLayout>();
}

} // namespace tilewright::space
