// SPDX-License-Identifier: Apache-2.0
#include "flat_kernel.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/arith/int_set.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

namespace tilewright::cost {

using namespace ir;

namespace {

using Loops = std::vector<const ForNode*>;

/// A store before buffers are shrunk, or another statement that accesses buffers (null `buffer`).
struct Site {
    Loops loops;
    Expr predicate; ///< null = always
    Buffer buffer;
    std::vector<Expr> indices;
    Expr value;
};

/// Collects stores with block iterators replaced.
class SiteCollector final : public Visitor {
public:
    std::vector<Site> sites;
    std::vector<Buffer> allocated;

protected:
    void visitNode(const ForNode& node) override {
        if (isZero(node.extent))
            return;
        if (isZero(node.min) && isOne(node.extent) && node.forKind == ForKind::Serial &&
            node.annotations.empty()) {
            values_[node.loopVar.get()] = node.min;
            visit(node.body);
            return;
        }
        loops_.push_back(&node);
        visit(node.body);
        loops_.pop_back();
    }
    void visitNode(const BlockRealizeNode& node) override {
        const BlockNode& block = *node.block;
        for (std::size_t i = 0; i < node.iterValues.size(); ++i)
            values_[block.iterVars[i].var.get()] = substitute(node.iterValues[i], values_);
        allocated.insert(allocated.end(), block.allocBuffers.begin(), block.allocBuffers.end());
        for (const MatchBufferRegion& match : block.matchBuffers)
            views_.push_back(&match);
        withPredicate(node.predicate, [&] {
            if (block.init)
                visit(block.init);
            visit(block.body);
        });
        views_.resize(views_.size() - block.matchBuffers.size());
    }
    void visitNode(const BindNode& node) override {
        // Only names of leaves are replaced; other names count as variables.
        const Expr value = substitute(node.value, values_);
        if (value->kind() == NodeKind::Var || value->kind() == NodeKind::IntImm)
            values_[node.var.get()] = value;
        Site site = newSite();
        site.value = resolve(node.value);
        sites.push_back(std::move(site));
    }
    void visitNode(const IfThenElseNode& node) override {
        withPredicate(node.condition, [&] { visit(node.thenCase); });
        if (node.elseCase)
            withPredicate(logicalNot(node.condition), [&] { visit(node.elseCase); });
    }
    void visitNode(const BufferStoreNode& node) override {
        Site site = newSite();
        site.buffer = node.buffer;
        site.value = resolve(node.value);
        for (const Expr& index : node.indices)
            site.indices.push_back(resolve(index));
        throughViews(site.buffer, site.indices);
        sites.push_back(std::move(site));
    }
    void visitNode(const EvaluateNode& node) override {
        Site site = newSite();
        site.value = resolve(node.value);
        sites.push_back(std::move(site));
    }

private:
    Site newSite() const {
        Site site;
        site.loops = loops_;
        site.predicate = predicate_;
        return site;
    }

    template <class Fn> void withPredicate(const Expr& condition, Fn&& body) {
        const Expr outer = predicate_;
        if (!isOne(condition)) {
            const Expr here = substitute(condition, values_);
            predicate_ = predicate_ ? logicalAnd(predicate_, here) : here;
        }
        body();
        predicate_ = outer;
    }

    /// Block iterators replaced, and views of buffers by the buffers.
    Expr resolve(const Expr& expr) const {
        Expr result = substitute(expr, values_);
        if (views_.empty())
            return result;
        class ViewRewriter final : public Rewriter {
        public:
            explicit ViewRewriter(const SiteCollector& owner) : owner_(owner) {}

        protected:
            Expr rewriteNode(const BufferLoadNode& node) override {
                const Expr plain = Rewriter::rewriteNode(node);
                const auto& load = static_cast<const BufferLoadNode&>(*plain);
                Buffer buffer = load.buffer;
                std::vector<Expr> indices = load.indices;
                owner_.throughViews(buffer, indices);
                return buffer == load.buffer ? plain : makeLoad(buffer, std::move(indices));
            }

        private:
            const SiteCollector& owner_;
        };
        return ViewRewriter(*this).rewrite(result);
    }

    void throughViews(Buffer& buffer, std::vector<Expr>& indices) const {
        for (std::size_t i = views_.size(); i-- > 0;) {
            const MatchBufferRegion& view = *views_[i];
            if (view.buffer != buffer)
                continue;
            // Leading dimensions of the source may be missing in the view (their extent is 1).
            const std::size_t missing = view.source.region.size() - indices.size();
            std::vector<Expr> mapped;
            for (std::size_t d = 0; d < view.source.region.size(); ++d) {
                const Expr min = substitute(view.source.region[d].min, values_);
                mapped.push_back(d < missing ? min : min + indices[d - missing]);
            }
            buffer = view.source.buffer;
            indices = std::move(mapped);
        }
    }

    Loops loops_;
    Expr predicate_;
    VarMap values_;
    std::vector<const MatchBufferRegion*> views_;
};

/// Calls `fn(buffer, indices)` for each load in an expression.
void forEachLoad(const Expr& expr,
                 const std::function<void(const Buffer&, const std::vector<Expr>&)>& fn) {
    walk(expr, [&](const Node& node) {
        if (node.kind() == NodeKind::BufferLoad) {
            const auto& load = static_cast<const BufferLoadNode&>(node);
            fn(load.buffer, load.indices);
        }
        return true;
    });
}

/// No quotient, remainder or other nonlinear part.
bool isSumOfTerms(const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::Var:
    case NodeKind::IntImm:
        return true;
    case NodeKind::Add:
    case NodeKind::Sub:
    case NodeKind::Mul: {
        const auto* node = static_cast<const BinaryNode*>(expr.get());
        return isSumOfTerms(node->a) && isSumOfTerms(node->b);
    }
    default:
        return false;
    }
}

/// Simplifies the integer and boolean parts of a value: indices, conditions, casts of indices.
class ValueSimplifier final : public Rewriter {
public:
    ValueSimplifier(arith::Analyzer& analyzer, const Expr& predicate) : analyzer_(analyzer) {
        if (predicate)
            known_.push_back(predicate);
    }

    /// What is known here matters only to quotients, remainders and comparisons.
    Expr index(const Expr& expr) {
        const Expr simple = analyzer_.simplify(expr);
        if (known_.empty() || isSumOfTerms(simple))
            return simple;
        std::vector<arith::Analyzer::Constraint> guards;
        guards.reserve(known_.size());
        for (const Expr& condition : known_)
            guards.push_back(analyzer_.withConstraint(condition));
        const Expr result = analyzer_.simplify(expr);
        while (!guards.empty())
            guards.pop_back();
        return result;
    }

protected:
    Expr rewriteNode(const BufferLoadNode& node) override {
        std::vector<Expr> indices;
        indices.reserve(node.indices.size());
        bool changed = false;
        for (const Expr& old : node.indices) {
            indices.push_back(index(Rewriter::rewrite(old)));
            changed = changed || indices.back() != old;
        }
        return changed ? makeLoad(node.buffer, std::move(indices), node.predicate) : Expr(&node);
    }
    Expr rewriteNode(const BinaryNode& node) override {
        const Expr result = Rewriter::rewriteNode(node);
        return isIntegral(result) ? index(result) : result;
    }
    Expr rewriteNode(const NotNode& node) override { return index(Rewriter::rewriteNode(node)); }
    Expr rewriteNode(const CallNode& node) override {
        if (node.op != Op::IfThenElse)
            return Rewriter::rewriteNode(node);
        return choice(Expr(&node), node.args[0], node.args[1], node.args[2]);
    }
    Expr rewriteNode(const SelectNode& node) override {
        return choice(Expr(&node), node.condition, node.trueValue, node.falseValue);
    }

private:
    static bool isIntegral(const Expr& expr) {
        return expr->kind() != NodeKind::IntImm && expr->dtype.isScalar() &&
               (expr->dtype.isInt() || expr->dtype.isBool());
    }

    Expr choice(const Expr& self, const Expr& condition, const Expr& whenTrue,
                const Expr& whenFalse) {
        const Expr simple = index(condition);
        if (const auto value = constInt(simple))
            return rewrite(*value != 0 ? whenTrue : whenFalse);
        known_.push_back(simple);
        const Expr first = rewrite(whenTrue);
        known_.back() = logicalNot(simple);
        const Expr second = rewrite(whenFalse);
        known_.pop_back();
        return self->kind() == NodeKind::Select
                   ? makeSelect(simple, first, second)
                   : makeCall(self->dtype, Op::IfThenElse, {simple, first, second});
    }

    arith::Analyzer& analyzer_;
    std::vector<Expr> known_;
};

/// An allocated buffer while its uses are gathered.
struct Usage {
    Buffer original;
    bool used = false;
    bool opaque = false; ///< accessed by pointer: keeps its shape
    Loops loops;         ///< common to all uses
    std::vector<Expr> mins;
    Buffer compact;
};

class Compactor {
public:
    Compactor(std::vector<Site>& sites, const std::vector<Buffer>& allocated) : sites_(sites) {
        for (const Buffer& buffer : allocated) {
            usages_.emplace_back().original = buffer;
            index_[buffer.get()] = usages_.size() - 1;
        }
    }

    FlatKernel run(const PrimFuncNode& function) {
        for (Site& site : sites_)
            simplifySite(site);
        findLoops();
        for (Usage& usage : usages_)
            shrink(usage);
        FlatKernel kernel;
        for (const Param& param : function.params)
            if (param.buffer)
                kernel.allocations.push_back({param.buffer, {}});
        for (const Usage& usage : usages_)
            kernel.allocations.push_back({usage.compact, usage.loops});
        for (Site& site : sites_)
            if (site.buffer)
                kernel.stores.push_back(finish(site));
        return kernel;
    }

private:
    Usage* usageOf(const BufferNode* buffer) {
        const auto it = index_.find(buffer);
        return it == index_.end() ? nullptr : &usages_[it->second];
    }

    void use(const BufferNode* buffer, const Loops& loops) {
        Usage* usage = usageOf(buffer);
        if (!usage)
            return;
        if (!usage->used) {
            usage->used = true;
            usage->loops = loops;
            return;
        }
        const auto end =
            std::mismatch(usage->loops.begin(), usage->loops.end(), loops.begin(), loops.end());
        usage->loops.erase(end.first, usage->loops.end());
    }

    template <class Fn> void forEachAccess(const Site& site, Fn&& fn) {
        if (site.buffer) {
            fn(site.buffer, site.indices);
            for (const Expr& index : site.indices)
                forEachLoad(index, fn);
        }
        forEachLoad(site.value, fn);
    }

    void findLoops() {
        for (const Site& site : sites_) {
            forEachAccess(site, [&](const Buffer& buffer, const std::vector<Expr>&) {
                use(buffer.get(), site.loops);
            });
            walk(site.value, [&](const Node& node) {
                const BufferNode* buffer = nullptr;
                if (node.kind() == NodeKind::RegionAccess)
                    buffer = static_cast<const RegionAccessNode&>(node).buffer.get();
                else if (node.kind() == NodeKind::Call &&
                         static_cast<const CallNode&>(node).op == Op::AddressOf)
                    if (const auto* load =
                            as<BufferLoadNode>(static_cast<const CallNode&>(node).args[0]))
                        buffer = load->buffer.get();
                if (buffer) {
                    use(buffer, site.loops);
                    if (Usage* usage = usageOf(buffer))
                        usage->opaque = true;
                }
                return true;
            });
        }
    }

    /// The box that one access touches while the loops inside the allocation run.
    arith::IntSetRegion touched(const Usage& usage, const Site& site,
                                const std::vector<Expr>& indices, arith::Analyzer& analyzer) {
        arith::Domain domain;
        for (std::size_t i = usage.loops.size(); i < site.loops.size(); ++i)
            domain.push_back({site.loops[i]->loopVar, {site.loops[i]->min, site.loops[i]->extent}});
        std::vector<Range> region;
        region.reserve(indices.size());
        bool plain = !site.predicate;
        for (const Expr& index : indices) {
            region.push_back({index, makeInt(1, index->dtype)});
            plain = plain && isSumOfTerms(index);
        }
        if (plain)
            return arith::evalSet(region, arith::toSetDomain(domain), analyzer);
        return arith::estimateRegionUpperBound(region, domain, site.predicate, analyzer);
    }

    void shrink(Usage& usage) {
        usage.compact = usage.original;
        if (!usage.used || usage.opaque || !usage.original->strides.empty())
            return;
        arith::Analyzer analyzer;
        for (const ForNode* loop : usage.loops)
            analyzer.bind(loop->loopVar, Range{loop->min, loop->extent}, true);
        std::vector<arith::IntSetRegion> regions;
        for (const Site& site : sites_)
            forEachAccess(site, [&](const Buffer& buffer, const std::vector<Expr>& indices) {
                if (buffer == usage.original) {
                    for (std::size_t i = usage.loops.size(); i < site.loops.size(); ++i)
                        analyzer.bind(site.loops[i]->loopVar,
                                      Range{site.loops[i]->min, site.loops[i]->extent}, true);
                    regions.push_back(touched(usage, site, indices, analyzer));
                }
            });
        const arith::IntSetRegion box = arith::unionRegions(regions, analyzer);
        setShape(usage, box, analyzer);
    }

    static void setShape(Usage& usage, const arith::IntSetRegion& box, arith::Analyzer& analyzer) {
        const auto& shape = usage.original->shape;
        std::vector<Expr> extents;
        bool changed = false;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const Expr zero = makeInt(0, shape[d]->dtype);
            Expr min = zero;
            Expr extent = shape[d];
            if (d < box.size() && box[d].isBounded()) {
                const Expr low = analyzer.simplify(maximum(zero, box[d].min()));
                Expr span = analyzer.simplify(
                    minimum(shape[d], box[d].max() - box[d].min() + makeInt(1, shape[d]->dtype)));
                if (!constInt(span)) {
                    const std::int64_t most = analyzer.constIntBound(span).max;
                    span = most < arith::ConstIntBound::kPosInf ? makeInt(most, shape[d]->dtype)
                                                                : shape[d];
                }
                min = low;
                extent = span;
            }
            changed = changed || !isZero(min) || extent != shape[d];
            usage.mins.push_back(min);
            extents.push_back(extent);
        }
        if (!changed) {
            usage.mins.clear();
            return;
        }
        usage.compact =
            makeBuffer(usage.original->name, usage.original->dtype, extents, usage.original->scope);
    }

    void enter(const Site& site) {
        for (const ForNode* loop : site.loops)
            analyzer_.bind(loop->loopVar, Range{loop->min, loop->extent}, true);
    }

    void simplifySite(Site& site) {
        enter(site);
        if (site.predicate)
            site.predicate = analyzer_.simplify(site.predicate);
        ValueSimplifier simplifier(analyzer_, site.predicate);
        site.value = simplifier.rewrite(site.value);
        for (Expr& index : site.indices)
            index = simplifier.index(index);
    }

    /// Shifts accesses of shrunk buffers.
    class Shifter final : public Rewriter {
    public:
        explicit Shifter(Compactor& owner) : owner_(owner) {}

    protected:
        Expr rewriteNode(const BufferLoadNode& node) override {
            const Expr plain = Rewriter::rewriteNode(node);
            const auto& load = static_cast<const BufferLoadNode&>(*plain);
            const Usage* usage = owner_.usageOf(load.buffer.get());
            if (!usage || usage->compact == usage->original)
                return plain;
            return makeLoad(usage->compact, owner_.shifted(load.indices, *usage));
        }

    private:
        Compactor& owner_;
    };

    std::vector<Expr> shifted(const std::vector<Expr>& indices, const Usage& usage) {
        if (usage.mins.empty())
            return indices;
        std::vector<Expr> result;
        result.reserve(indices.size());
        for (std::size_t d = 0; d < indices.size(); ++d)
            result.push_back(isZero(usage.mins[d])
                                 ? indices[d]
                                 : analyzer_.simplify(indices[d] - usage.mins[d]));
        return result;
    }

    FlatStore finish(Site& site) {
        enter(site);
        Shifter shifter(*this);
        FlatStore store;
        store.value = shifter.rewrite(site.value);
        const Usage* usage = usageOf(site.buffer.get());
        store.buffer = usage ? usage->compact : site.buffer;
        for (Expr& index : site.indices)
            index = shifter.rewrite(index);
        store.indices = usage ? shifted(site.indices, *usage) : std::move(site.indices);
        store.loops = std::move(site.loops);
        return store;
    }

    std::vector<Site>& sites_;
    std::vector<Usage> usages_;
    std::unordered_map<const BufferNode*, std::size_t> index_;
    arith::Analyzer analyzer_;
};

} // namespace

FlatKernel flattenKernel(const PrimFuncNode& function) {
    SiteCollector collector;
    collector.visit(function.body);
    return Compactor(collector.sites, collector.allocated).run(function);
}

} // namespace tilewright::cost
