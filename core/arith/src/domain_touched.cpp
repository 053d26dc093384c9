// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/domain_touched.h>

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

namespace tilewright::arith {

using namespace ir;

namespace {

class TouchCollector final : public Visitor {
public:
    TouchCollector(Buffer buffer, bool loads, bool stores)
        : buffer_(std::move(buffer)), loads_(loads), stores_(stores) {}

    IntSetRegion result() { return unionRegions(regions_, analyzer_); }

protected:
    void visitNode(const ForNode& node) override {
        visit(node.min);
        visit(node.extent);
        const Range range{node.min, node.extent};
        domain_.push_back({node.loopVar, IntSet::fromRange(range)});
        analyzer_.bind(node.loopVar, range, true);
        visit(node.body);
        domain_.pop_back();
    }
    void visitNode(const BlockRealizeNode& node) override {
        const std::size_t outer = domain_.size();
        std::vector<VarSet> iters;
        for (std::size_t i = 0; i < node.iterValues.size(); ++i)
            iters.push_back(
                {node.block->iterVars[i].var, evalSet(node.iterValues[i], domain_, analyzer_)});
        domain_.insert(domain_.end(), iters.begin(), iters.end());
        visit(Stmt(node.block));
        domain_.resize(outer);
    }
    void visitNode(const BufferLoadNode& node) override {
        if (loads_)
            touch(node.buffer, node.indices);
        Visitor::visitNode(node);
    }
    void visitNode(const BufferStoreNode& node) override {
        if (stores_)
            touch(node.buffer, node.indices);
        Visitor::visitNode(node);
    }

private:
    void touch(const Buffer& buffer, const std::vector<Expr>& indices) {
        if (buffer != buffer_)
            return;
        IntSetRegion region;
        for (const Expr& index : indices)
            region.push_back(evalSet(index, domain_, analyzer_));
        regions_.push_back(std::move(region));
    }

    Buffer buffer_;
    bool loads_;
    bool stores_;
    SetDomain domain_;
    Analyzer analyzer_;
    std::vector<IntSetRegion> regions_;
};

} // namespace

IntSetRegion domainTouched(const Stmt& stmt, const Buffer& buffer, bool loads, bool stores) {
    TouchCollector collector(buffer, loads, stores);
    collector.visit(stmt);
    return collector.result();
}

} // namespace tilewright::arith
