// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/scope_analysis.h>

#include <tilewright/analysis/region_bounds.h>
#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/iter_affine_map.h>
#include <tilewright/base/check.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>

namespace tilewright::analysis {
namespace {

void collect(const ir::Stmt& stmt, std::vector<const ir::ForNode*>& loops,
             std::vector<ScopeChild>& found) {
    if (!stmt)
        return;
    switch (stmt->kind()) {
    case ir::NodeKind::For: {
        const auto& loop = static_cast<const ir::ForNode&>(*stmt);
        loops.push_back(&loop);
        collect(loop.body, loops, found);
        loops.pop_back();
        break;
    }
    case ir::NodeKind::SeqStmt:
        for (const auto& child : static_cast<const ir::SeqStmtNode&>(*stmt).seq)
            collect(child, loops, found);
        break;
    case ir::NodeKind::IfThenElse: {
        const auto& node = static_cast<const ir::IfThenElseNode&>(*stmt);
        collect(node.thenCase, loops, found);
        collect(node.elseCase, loops, found);
        break;
    }
    case ir::NodeKind::While:
        collect(static_cast<const ir::WhileNode&>(*stmt).body, loops, found);
        break;
    case ir::NodeKind::AttrStmt:
        collect(static_cast<const ir::AttrStmtNode&>(*stmt).body, loops, found);
        break;
    case ir::NodeKind::BlockRealize:
        found.push_back({static_cast<const ir::BlockRealizeNode*>(stmt.get()), loops});
        break;
    default:
        break;
    }
}

/// Distinct loop variables as iterator values cannot fail; most blocks are such.
bool isPlainBinding(const ir::BlockRealizeNode& realize,
                    std::span<const ir::ForNode* const> loops) {
    if (!ir::isOne(realize.predicate) || realize.iterValues.empty())
        return false;
    for (std::size_t i = 0; i < realize.iterValues.size(); ++i) {
        const auto* var = ir::as<ir::VarNode>(realize.iterValues[i]);
        if (!var)
            return false;
        for (std::size_t j = 0; j < i; ++j)
            if (realize.iterValues[j].get() == var)
                return false;
        const auto at = std::find_if(loops.begin(), loops.end(),
                                     [&](const auto* loop) { return loop->loopVar.get() == var; });
        if (at == loops.end())
            return false;
    }
    return std::all_of(loops.begin(), loops.end(), [](const ir::ForNode* loop) {
        return ir::constInt(loop->min) && ir::constInt(loop->extent);
    });
}

class CoverChecker {
public:
    CoverChecker(std::span<const ScopeChild> children, arith::Analyzer& analyzer,
                 std::span<const ir::ForNode* const> outer)
        : children_(children), analyzer_(analyzer), outer_(outer) {}

    /// `producers` are the children that `consumer` reads from.
    bool covered(std::size_t consumer, const std::vector<int>& producers) {
        // Each producer is looked at from the innermost loop that holds both; nearest first.
        for (std::size_t depth = children_[consumer].loops.size() + 1; depth-- > 0;) {
            std::vector<int> meeting;
            for (const int producer : producers)
                if (commonDepth(consumer, static_cast<std::size_t>(producer)) == depth)
                    meeting.push_back(producer);
            if (!meeting.empty() && !coveredAt(consumer, meeting, depth))
                return false;
        }
        return true;
    }

private:
    [[nodiscard]] std::size_t commonDepth(std::size_t a, std::size_t b) const {
        const auto& x = children_[a].loops;
        const auto& y = children_[b].loops;
        const auto [end, other] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
        return static_cast<std::size_t>(end - x.begin());
    }

    arith::Domain domainBelow(std::size_t child, std::size_t depth, std::string_view scope) {
        std::vector<const ir::ForNode*> above(outer_.begin(), outer_.end());
        const auto& loops = children_[child].loops;
        above.insert(above.end(), loops.begin(),
                     loops.begin() + static_cast<std::ptrdiff_t>(depth));
        return relaxedDomain(above, std::span(loops).subspan(depth), scope);
    }

    bool coveredAt(std::size_t consumer, const std::vector<int>& meeting, std::size_t depth) {
        const ir::VarMap values = bindings(*children_[consumer].realize);
        for (const ir::BufferRegion& read : children_[consumer].block().reads) {
            std::vector<arith::IntSetRegion> produced;
            for (const int producer : meeting) {
                const auto p = static_cast<std::size_t>(producer);
                for (const ir::BufferRegion& write : children_[p].block().writes)
                    if (write.buffer == read.buffer)
                        produced.push_back(regionLowerBound(
                            ir::substitute(write, bindings(*children_[p].realize)),
                            children_[p].realize->predicate,
                            domainBelow(p, depth, write.buffer->scope), analyzer_));
            }
            if (produced.empty())
                continue;
            const arith::IntSetRegion consumed = regionUpperBound(
                ir::substitute(read, values), children_[consumer].realize->predicate,
                domainBelow(consumer, depth, read.buffer->scope), analyzer_);
            if (!covers(*read.buffer, arith::unionRegionsLowerBound(produced, analyzer_), consumed))
                return false;
        }
        return true;
    }

    bool covers(const ir::BufferNode& buffer, const arith::IntSetRegion& produced,
                const arith::IntSetRegion& consumed) {
        for (std::size_t i = 0; i < buffer.shape.size(); ++i) {
            if (produced[i].isNothing())
                return false;
            const arith::IntSet whole = arith::IntSet::fromMinExtent(
                ir::makeInt(0, buffer.shape[i]->dtype), buffer.shape[i]);
            const arith::IntSet have = arith::intersectSets(produced[i], whole, analyzer_);
            const arith::IntSet need = arith::intersectSets(consumed[i], whole, analyzer_);
            if (need.isNothing())
                continue;
            if (!have.isBounded() || !need.isBounded())
                return false;
            if (!analyzer_.canProve(ir::lessEqual(have.min(), need.min())) ||
                !analyzer_.canProve(ir::lessEqual(need.max(), have.max())))
                return false;
        }
        return true;
    }

    std::span<const ScopeChild> children_;
    arith::Analyzer& analyzer_;
    std::span<const ir::ForNode* const> outer_;
};

} // namespace

std::vector<ScopeChild> collectChildren(const ir::Stmt& root,
                                        std::span<const ir::ForNode* const> outer) {
    std::vector<ScopeChild> found;
    std::vector<const ir::ForNode*> loops(outer.begin(), outer.end());
    collect(root, loops, found);
    return found;
}

ScopeFacts analyzeScope(std::span<const ScopeChild> children, arith::Analyzer& analyzer,
                        std::span<const ir::ForNode* const> outer) {
    std::vector<const ir::BlockNode*> blocks;
    blocks.reserve(children.size());
    for (const ScopeChild& child : children)
        blocks.push_back(&child.block());
    ScopeFacts facts{DependenceGraph(blocks), std::vector<char>(children.size(), 1), true};
    std::vector<std::vector<int>> producers(children.size());
    bool any = false;
    for (const Dependence& d : facts.dependences.dependences()) {
        if (d.kind == DependenceKind::War || d.kind == DependenceKind::Opaque)
            facts.stagePipeline = false;
        if (d.kind != DependenceKind::Raw)
            continue;
        auto& list = producers[static_cast<std::size_t>(d.target)];
        if (std::find(list.begin(), list.end(), d.source) == list.end())
            list.push_back(d.source);
        any = true;
    }
    if (!any)
        return facts;
    CoverChecker checker(children, analyzer, outer);
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (producers[i].empty())
            continue;
        facts.regionCover[i] = checker.covered(i, producers[i]) ? 1 : 0;
        facts.stagePipeline = facts.stagePipeline && facts.regionCover[i] != 0;
    }
    return facts;
}

bool isRegionCovered(std::span<const ScopeChild> children, std::size_t child,
                     arith::Analyzer& analyzer, std::span<const ir::ForNode* const> outer) {
    std::vector<const ir::BlockNode*> blocks;
    blocks.reserve(children.size());
    for (const ScopeChild& one : children)
        blocks.push_back(&one.block());
    const DependenceGraph graph(blocks);
    std::vector<int> producers;
    for (const Dependence& d : graph.dependences())
        if (d.kind == DependenceKind::Raw && d.target == static_cast<int>(child) &&
            std::find(producers.begin(), producers.end(), d.source) == producers.end())
            producers.push_back(d.source);
    return producers.empty() || CoverChecker(children, analyzer, outer).covered(child, producers);
}

bool isAffineBinding(const ir::BlockRealizeNode& realize, std::span<const ir::ForNode* const> loops,
                     arith::Analyzer& analyzer) {
    if (loops.empty() || isPlainBinding(realize, loops))
        return true;
    const arith::IterMapResult map =
        arith::detectIterMap(realize.iterValues, loopDomain(loops), realize.predicate,
                             arith::IterMapLevel::Surjective, analyzer, false);
    if (!map.ok() || map.indices.empty())
        return false;
    return std::all_of(map.indices.begin(), map.indices.end(), [](const arith::IterSum& sum) {
        return sum.args.empty() || ir::isOne(sum.args.front().scale);
    });
}

} // namespace tilewright::analysis
