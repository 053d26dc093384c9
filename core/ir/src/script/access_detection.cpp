// SPDX-License-Identifier: Apache-2.0
#include "access_detection.h"

#include "linear_form.h"

#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <unordered_set>

namespace tilewright::ir {

namespace {

/// Bounds of an index, both inclusive; a null bound is unknown.
struct Bounds {
    Expr low;
    Expr high;
    [[nodiscard]] bool isKnown() const { return low && high; }
    [[nodiscard]] bool isPoint() const { return low && low == high; }
};

struct VarBounds {
    const VarNode* var;
    Bounds bounds;
};

class Detector final : public Visitor {
public:
    explicit Detector(const BlockNode& block) {
        for (const Buffer& buffer : block.allocBuffers)
            inner_.insert(buffer.get());
        for (const MatchBufferRegion& match : block.matchBuffers)
            matches_.push_back(match);
        if (block.init)
            visit(block.init);
        visit(block.body);
        hasInit_ = static_cast<bool>(block.init);
    }

    DetectedAccesses take() {
        DetectedAccesses out;
        out.isOpaque = isOpaque_;
        for (const Access& access : writes_)
            out.writes.push_back(regionOf(access));
        for (const Access& access : reads_) {
            const bool isUpdate = hasInit_ && find(writes_, access.buffer.get());
            if (!isUpdate)
                out.reads.push_back(regionOf(access));
        }
        return out;
    }

protected:
    using Visitor::visit;

    void visitNode(const ForNode& node) override {
        visit(node.min);
        visit(node.extent);
        const Bounds min = boundsOf(node.min);
        const Bounds max = boundsOf(sub(add(node.min, node.extent), makeInt(1, node.min->dtype)));
        vars_.push_back({node.loopVar.get(), {min.low, max.high}});
        visit(node.body);
        vars_.pop_back();
    }
    void visitNode(const IfThenElseNode& node) override {
        visit(node.condition);
        const std::vector<VarBounds> outer = vars_;
        narrow(node.condition);
        visit(node.thenCase);
        vars_ = outer;
        if (node.elseCase)
            visit(node.elseCase);
    }
    void visitNode(const CallNode& node) override {
        if (node.op == Op::IfThenElse) {
            visit(node.args[0]);
            const std::vector<VarBounds> outer = vars_;
            narrow(node.args[0]);
            visit(node.args[1]);
            vars_ = outer;
            visit(node.args[2]);
            return;
        }
        if (node.op == Op::AccessPtr && node.args.size() == 5) {
            // The whole buffer, as its mask says.
            const auto* data = as<CallNode>(node.args[1]);
            const auto* access =
                data && !data->args.empty() ? as<RegionAccessNode>(data->args[0]) : nullptr;
            if (!access) {
                isOpaque_ = true;
                return;
            }
            const std::int64_t mask = constInt(node.args[4]).value_or(3);
            if (mask & 1)
                record(reads_, access->buffer, wholeOf(access->buffer));
            if (mask & 2)
                record(writes_, access->buffer, wholeOf(access->buffer));
            visit(node.args[2]);
            visit(node.args[3]);
            return;
        }
        if (node.op == Op::BufferData) {
            isOpaque_ = true;
            return;
        }
        if (node.op == Op::AddressOf && node.args.size() == 1) {
            if (const auto* load = as<BufferLoadNode>(node.args[0])) {
                record(reads_, load->buffer, wholeOf(load->buffer));
                record(writes_, load->buffer, wholeOf(load->buffer));
                return;
            }
        }
        Visitor::visitNode(node);
    }
    void visitNode(const LetNode& node) override {
        visit(node.value);
        lets_.emplace(node.var.get(), node.value);
        visit(node.body);
    }
    void visitNode(const BindNode& node) override {
        visit(node.value);
        lets_.emplace(node.var.get(), node.value);
    }
    void visitNode(const AllocBufferNode& node) override { inner_.insert(node.buffer.get()); }
    void visitNode(const DeclBufferNode& node) override { inner_.insert(node.buffer.get()); }
    void visitNode(const BufferLoadNode& node) override {
        record(reads_, node.buffer, boundsOfIndices(node.indices));
        for (const Expr& index : node.indices)
            visit(index);
    }
    void visitNode(const BufferStoreNode& node) override {
        record(writes_, node.buffer, boundsOfIndices(node.indices));
        visit(node.value);
        for (const Expr& index : node.indices)
            visit(index);
    }
    void visitNode(const RegionAccessNode& node) override {
        record(reads_, node.buffer, boundsOfRegion(node.region));
    }
    void visitNode(const BlockRealizeNode& node) override {
        VarMap values;
        for (std::size_t i = 0; i < node.iterValues.size(); ++i) {
            values.emplace(node.block->iterVars[i].var.get(), node.iterValues[i]);
            visit(node.iterValues[i]);
        }
        const std::vector<VarBounds> outer = vars_;
        narrow(node.predicate);
        for (const BufferRegion& region : node.block->reads)
            record(reads_, region.buffer, boundsOfRegion(substitute(region, values).region));
        for (const BufferRegion& region : node.block->writes)
            record(writes_, region.buffer, boundsOfRegion(substitute(region, values).region));
        vars_ = outer;
    }

private:
    struct Access {
        Buffer buffer;
        std::vector<Bounds> bounds;
    };

    static Access* find(std::vector<Access>& accesses, const BufferNode* buffer) {
        for (Access& access : accesses) {
            if (access.buffer.get() == buffer)
                return &access;
        }
        return nullptr;
    }

    void record(std::vector<Access>& accesses, const Buffer& buffer, std::vector<Bounds> bounds) {
        if (inner_.contains(buffer.get()))
            return;
        for (const MatchBufferRegion& match : matches_) {
            if (match.buffer == buffer)
                return record(accesses, match.source.buffer, throughMatch(match, bounds));
        }
        Access* known = find(accesses, buffer.get());
        if (!known) {
            accesses.push_back({buffer, std::move(bounds)});
            return;
        }
        for (std::size_t i = 0; i < bounds.size() && i < known->bounds.size(); ++i)
            known->bounds[i] = unite(known->bounds[i], bounds[i]);
    }

    /// Bounds in the source of a matched buffer; the trailing dimensions correspond.
    std::vector<Bounds> throughMatch(const MatchBufferRegion& match,
                                     const std::vector<Bounds>& bounds) {
        std::vector<Bounds> out = boundsOfRegion(match.source.region);
        const std::size_t skipped = out.size() >= bounds.size() ? out.size() - bounds.size() : 0;
        for (std::size_t i = 0; i < bounds.size() && skipped + i < out.size(); ++i) {
            const Expr& start = match.source.region[skipped + i].min;
            if (bounds[i].isKnown()) {
                const Expr low = simplified(add(start, bounds[i].low));
                out[skipped + i] = bounds[i].isPoint()
                                       ? Bounds{low, low}
                                       : Bounds{low, simplified(add(start, bounds[i].high))};
            }
        }
        return out;
    }

    static Expr simplified(const Expr& expr) { return LinearForm::of(expr).toExpr(expr->dtype); }

    /// A constant that a Min/Max expression is never below (or above).
    static std::optional<std::int64_t> constantBound(const Expr& expr, bool isLower) {
        if (const auto value = constInt(expr))
            return value;
        if (expr->kind() != NodeKind::Min && expr->kind() != NodeKind::Max)
            return std::nullopt;
        const auto& node = static_cast<const BinaryNode&>(*expr);
        const auto a = constantBound(node.a, isLower);
        const auto b = constantBound(node.b, isLower);
        const bool oneSuffices = (expr->kind() == NodeKind::Max) == isLower;
        if (a && b)
            return expr->kind() == NodeKind::Max ? std::max(*a, *b) : std::min(*a, *b);
        return oneSuffices ? (a ? a : b) : std::nullopt;
    }

    static Bounds unite(const Bounds& a, const Bounds& b) {
        if (!a.isKnown() || !b.isKnown())
            return {};
        const auto pick = [](const Expr& x, const Expr& y, bool wantsLess) -> Expr {
            if (x == y)
                return x;
            const auto gap = constInt(difference(y, x));
            if (gap)
                return (*gap >= 0) == wantsLess ? x : y;
            for (const auto& [bound, other] : {std::pair(x, y), std::pair(y, x)}) {
                const auto limit = constInt(bound);
                const auto known = limit ? constantBound(other, wantsLess) : std::nullopt;
                if (known && (wantsLess ? *known >= *limit : *known <= *limit))
                    return bound;
                const auto reach = limit ? constantBound(other, !wantsLess) : std::nullopt;
                if (reach && (wantsLess ? *reach <= *limit : *reach >= *limit))
                    return other;
            }
            return wantsLess ? minimum(x, y) : maximum(x, y);
        };
        Bounds out{pick(a.low, b.low, true), pick(a.high, b.high, false)};
        if (constInt(difference(out.high, out.low)) == 0)
            out.high = out.low;
        return out;
    }

    std::vector<Bounds> wholeOf(const Buffer& buffer) {
        std::vector<Bounds> out;
        for (const Expr& extent : buffer->shape)
            out.push_back({makeInt(0, extent->dtype), sub(extent, makeInt(1, extent->dtype))});
        return out;
    }
    std::vector<Bounds> boundsOfIndices(const std::vector<Expr>& indices) {
        std::vector<Bounds> out;
        for (const Expr& index : indices) {
            if (const auto* ramp = as<RampNode>(index)) {
                const Bounds base = boundsOf(ramp->base);
                const auto stride = constInt(ramp->stride);
                const auto lanes = constInt(ramp->lanes);
                if (base.isKnown() && stride && lanes && *stride >= 0) {
                    const Expr reach = makeInt(*stride * (*lanes - 1), ramp->base->dtype);
                    out.push_back({base.low, simplified(add(base.high, reach))});
                } else {
                    out.emplace_back();
                }
            } else {
                out.push_back(boundsOf(index));
            }
        }
        return out;
    }
    std::vector<Bounds> boundsOfRegion(const std::vector<Range>& region) {
        std::vector<Bounds> out;
        for (const Range& range : region) {
            const Bounds low = boundsOf(range.min);
            if (isOne(range.extent)) {
                out.push_back(low);
                continue;
            }
            const Bounds high =
                boundsOf(sub(add(range.min, range.extent), makeInt(1, range.min->dtype)));
            out.push_back({low.low, high.high});
        }
        return out;
    }

    const Bounds* boundsOfVar(const VarNode* var) const {
        for (auto it = vars_.rbegin(); it != vars_.rend(); ++it) {
            if (it->var == var)
                return &it->bounds;
        }
        return nullptr;
    }

    bool isRelaxed(const Expr& expr) const {
        return usesVar(expr, [&](const VarNode* var) {
            return boundsOfVar(var) != nullptr || lets_.contains(var);
        });
    }

    /// Bounds of an expression with the relaxed variables at their extremes.
    Bounds boundsOf(const Expr& expr) {
        if (!isRelaxed(expr)) {
            const Expr point = expr;
            return {point, point};
        }
        if (const auto* var = as<VarNode>(expr)) {
            if (const auto let = lets_.find(var); let != lets_.end())
                return boundsOf(let->second);
            return *boundsOfVar(var);
        }
        if (const auto* castNode = as<CastNode>(expr); castNode && expr->dtype.isInt()) {
            const Bounds inner = boundsOf(castNode->value);
            if (!inner.isKnown())
                return {};
            return {cast(expr->dtype, inner.low), cast(expr->dtype, inner.high)};
        }
        if (!BinaryNode::classof(expr->kind()))
            return {};
        return boundsOfBinary(static_cast<const BinaryNode&>(*expr));
    }

    Bounds boundsOfBinary(const BinaryNode& node) {
        const bool isLinear = node.kind() == NodeKind::Add || node.kind() == NodeKind::Sub ||
                              node.kind() == NodeKind::Mul;
        if (isLinear) {
            const Bounds linear = boundsOfLinear(Expr(&node));
            if (linear.isKnown())
                return linear;
        }
        const Bounds a = boundsOf(node.a);
        const auto divisor = constInt(node.b);
        if (!a.isKnown())
            return node.kind() == NodeKind::FloorMod && divisor && *divisor > 0
                       ? Bounds{makeInt(0, node.dtype), makeInt(*divisor - 1, node.dtype)}
                       : Bounds{};
        if (node.kind() == NodeKind::FloorDiv && divisor && *divisor > 0) {
            return {floorDiv(a.low, node.b), floorDiv(a.high, node.b)};
        }
        if (node.kind() == NodeKind::FloorMod && divisor && *divisor > 0) {
            const auto low = constInt(a.low);
            const auto high = constInt(a.high);
            if (low && high) {
                const Expr quotientLow = floorDiv(a.low, node.b);
                const Expr quotientHigh = floorDiv(a.high, node.b);
                if (constInt(quotientLow) == constInt(quotientHigh))
                    return {floorMod(a.low, node.b), floorMod(a.high, node.b)};
            }
            return {makeInt(0, node.dtype), makeInt(*divisor - 1, node.dtype)};
        }
        if (node.kind() == NodeKind::Min || node.kind() == NodeKind::Max) {
            const Bounds b = boundsOf(node.b);
            if (b.isKnown())
                return {foldBinary(node.kind(), a.low, b.low),
                        foldBinary(node.kind(), a.high, b.high)};
        }
        return {};
    }

    Bounds boundsOfLinear(const Expr& expr) {
        const LinearForm form = LinearForm::of(expr);
        LinearForm low(form.constant());
        LinearForm high(form.constant());
        for (const auto& [atom, coefficient] : form.terms()) {
            if (atom.get() == expr.get())
                return {};
            const Bounds bounds = boundsOf(atom);
            if (!bounds.isKnown())
                return {};
            const LinearForm lowForm = LinearForm::of(bounds.low);
            const LinearForm highForm = LinearForm::of(bounds.high);
            low.add(coefficient > 0 ? lowForm : highForm, coefficient);
            high.add(coefficient > 0 ? highForm : lowForm, coefficient);
        }
        return {low.toExpr(expr->dtype), high.toExpr(expr->dtype)};
    }

    /// Takes what a condition says about relaxed variables into account.
    void narrow(const Expr& condition) {
        if (condition->kind() == NodeKind::And) {
            const auto& both = static_cast<const BinaryNode&>(*condition);
            narrow(both.a);
            narrow(both.b);
            return;
        }
        if (const auto* call = as<CallNode>(condition); call && call->op == Op::Likely)
            return narrow(call->args[0]);
        const NodeKind kind = condition->kind();
        if (kind != NodeKind::LT && kind != NodeKind::LE && kind != NodeKind::GT &&
            kind != NodeKind::GE && kind != NodeKind::EQ)
            return;
        const auto& comparison = static_cast<const BinaryNode&>(*condition);
        if (!comparison.a->dtype.isInt())
            return;
        LinearForm form = LinearForm::of(comparison.a);
        form.add(LinearForm::of(comparison.b), -1);
        const Expr one = makeInt(1, comparison.a->dtype);
        // form (op) 0, solved for each relaxed variable with the coefficient ±1.
        for (const auto& [atom, coefficient] : form.terms()) {
            const auto* var = as<VarNode>(atom);
            const Bounds* known = var ? boundsOfVar(var) : nullptr;
            if (!known || !known->isKnown() || (coefficient != 1 && coefficient != -1))
                continue;
            LinearForm rest = form;
            rest.removeVar(var);
            rest.scale(-coefficient);
            const Bounds other = boundsOf(rest.toExpr(comparison.a->dtype));
            if (!other.isKnown())
                continue;
            const bool isUpper =
                (kind == NodeKind::LT || kind == NodeKind::LE) == (coefficient > 0);
            const bool isStrict = kind == NodeKind::LT || kind == NodeKind::GT;
            Bounds narrowed = *known;
            if (kind == NodeKind::EQ || isUpper)
                narrowed.high = tighter(
                    narrowed.high, isStrict ? simplified(sub(other.high, one)) : other.high, true);
            if (kind == NodeKind::EQ || !isUpper)
                narrowed.low = tighter(
                    narrowed.low, isStrict ? simplified(add(other.low, one)) : other.low, false);
            vars_.push_back({var, narrowed});
            return;
        }
    }

    static Expr tighter(const Expr& a, const Expr& b, bool isUpper) {
        const auto gap = constInt(difference(b, a));
        if (gap)
            return (*gap < 0) == isUpper ? b : a;
        return isUpper ? minimum(a, b) : maximum(a, b);
    }

    BufferRegion regionOf(const Access& access) {
        BufferRegion region{access.buffer, {}};
        for (std::size_t i = 0; i < access.buffer->shape.size(); ++i) {
            const Expr& extent = access.buffer->shape[i];
            const Bounds bounds = i < access.bounds.size() ? access.bounds[i] : Bounds{};
            if (!bounds.isKnown()) {
                region.region.push_back({makeInt(0, extent->dtype), extent});
                continue;
            }
            if (bounds.isPoint()) {
                region.region.push_back({bounds.low, makeInt(1, bounds.low->dtype)});
                continue;
            }
            const Expr end = simplified(add(bounds.high, makeInt(1, bounds.high->dtype)));
            region.region.push_back({bounds.low, difference(end, bounds.low)});
        }
        return region;
    }

    std::vector<Access> reads_;
    std::vector<Access> writes_;
    std::vector<VarBounds> vars_;
    std::unordered_map<const VarNode*, Expr> lets_;
    std::unordered_set<const BufferNode*> inner_;
    std::vector<MatchBufferRegion> matches_;
    bool isOpaque_ = false;
    bool hasInit_ = false;
};

} // namespace

DetectedAccesses detectAccesses(const BlockNode& block) {
    return Detector(block).take();
}

} // namespace tilewright::ir
