// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/buffer_lca.h>

#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::analysis {
namespace {

/// Keeps the chain of enclosing scopes and narrows each buffer's common prefix of it.
class LcaVisitor : public ir::Visitor {
public:
    struct Entry {
        ir::Buffer buffer;
        std::vector<const ir::StmtNode*> path;
    };
    std::vector<Entry> entries;

protected:
    void visitNode(const ir::ForNode& loop) override {
        visit(loop.min);
        visit(loop.extent);
        const bool counts = loop.forKind != ir::ForKind::ThreadBinding;
        if (counts)
            path_.push_back(&loop);
        visit(loop.body);
        if (counts)
            path_.pop_back();
    }
    void visitNode(const ir::BlockNode& block) override {
        path_.push_back(&block);
        for (const auto& match : block.matchBuffers)
            touch(match.source.buffer);
        if (block.init)
            visit(block.init);
        visit(block.body);
        path_.pop_back();
    }
    void visitNode(const ir::BufferLoadNode& load) override {
        touch(load.buffer);
        Visitor::visitNode(load);
    }
    void visitNode(const ir::BufferStoreNode& store) override {
        touch(store.buffer);
        Visitor::visitNode(store);
    }
    void visitNode(const ir::RegionAccessNode& access) override {
        touch(access.buffer);
        Visitor::visitNode(access);
    }

private:
    void touch(const ir::Buffer& buffer) {
        for (Entry& entry : entries) {
            if (entry.buffer != buffer)
                continue;
            const auto at =
                std::mismatch(entry.path.begin(), entry.path.end(), path_.begin(), path_.end());
            entry.path.erase(at.first, entry.path.end());
            return;
        }
        entries.push_back({buffer, path_});
    }
    std::vector<const ir::StmtNode*> path_;
};

} // namespace

std::vector<std::pair<ir::Buffer, const ir::StmtNode*>>
bufferAccessLca(const ir::PrimFuncNode& function) {
    LcaVisitor visitor;
    visitor.visit(function.body);
    std::vector<std::pair<ir::Buffer, const ir::StmtNode*>> result;
    result.reserve(visitor.entries.size());
    for (const auto& entry : visitor.entries)
        result.emplace_back(entry.buffer, entry.path.empty() ? nullptr : entry.path.back());
    return result;
}

} // namespace tilewright::analysis
