// SPDX-License-Identifier: Apache-2.0
#include "primitives/reducer.h"

#include <tilewright/arith/expr_equal.h>
#include <tilewright/base/concat.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace tilewright::schedule {
namespace {

using ir::DataType;
using ir::Expr;

/// Largest finite value of a type (lowest when `negative`), as an expression.
Expr extremeValue(DataType type, bool negative) {
    if (type.isInt() || type.isUInt()) {
        if (type.isUInt())
            return ir::makeInt(negative ? 0
                               : type.bits >= 64
                                   ? std::numeric_limits<std::int64_t>::max()
                                   : static_cast<std::int64_t>((1ULL << type.bits) - 1),
                               type);
        const std::int64_t max = type.bits >= 64 ? std::numeric_limits<std::int64_t>::max()
                                                 : (std::int64_t{1} << (type.bits - 1)) - 1;
        return ir::makeInt(negative ? -max - 1 : max, type);
    }
    double value = std::numeric_limits<float>::max();
    if (type.code == ir::TypeCode::BFloat)
        value = 3.3895313892515355e38;
    else if (type.bits == 64)
        value = std::numeric_limits<double>::max();
    else if (type.bits == 16)
        value = 65504.0;
    return ir::makeFloat(negative ? -value : value, type);
}

Expr both(const Expr& a, const Expr& b) {
    return ir::makeBinary(ir::NodeKind::And, a, b);
}
Expr select(const Expr& condition, const Expr& a, const Expr& b) {
    return ir::makeSelect(condition, a, b);
}

Reducer withPlaceholders(const std::vector<DataType>& types) {
    Reducer reducer;
    for (std::size_t i = 0; i < types.size(); ++i) {
        reducer.lhs.push_back(ir::makeVar(base::concat("x", i), types[i]));
        reducer.rhs.push_back(ir::makeVar(base::concat("y", i), types[i]));
    }
    return reducer;
}

/// sum, product, minimum, maximum
std::vector<Reducer> singleReducers(DataType type) {
    std::vector<Reducer> all;
    const auto add = [&](ir::NodeKind kind, Expr identity) {
        Reducer reducer = withPlaceholders({type});
        reducer.result = {ir::makeBinary(kind, reducer.lhs[0], reducer.rhs[0])};
        reducer.identity = {std::move(identity)};
        all.push_back(std::move(reducer));
    };
    add(ir::NodeKind::Add, ir::makeConst(0, type));
    add(ir::NodeKind::Mul, ir::makeConst(1, type));
    add(ir::NodeKind::Min, extremeValue(type, false));
    add(ir::NodeKind::Max, extremeValue(type, true));
    return all;
}

/// Index of the largest (or smallest) value; without tie-break an equal earlier one stays.
Reducer argReducer(const std::vector<DataType>& types, bool maximum, bool tieBreak) {
    using enum ir::NodeKind;
    Reducer r = withPlaceholders(types);
    const ir::NodeKind strict = maximum ? GT : LT;
    const ir::NodeKind loose = maximum ? GE : LE;
    Expr index;
    Expr value;
    if (tieBreak) {
        const Expr better = ir::makeBinary(strict, r.lhs[1], r.rhs[1]);
        const Expr first =
            both(ir::makeBinary(EQ, r.lhs[1], r.rhs[1]), ir::makeBinary(LT, r.lhs[0], r.rhs[0]));
        index = select(ir::makeBinary(Or, better, first), r.lhs[0], r.rhs[0]);
        value = select(better, r.lhs[1], r.rhs[1]);
    } else {
        const Expr keep = ir::makeBinary(loose, r.lhs[1], r.rhs[1]);
        index = select(keep, r.lhs[0], r.rhs[0]);
        value = select(keep, r.lhs[1], r.rhs[1]);
    }
    r.result = {index, value};
    r.identity = {ir::makeConst(-1, types[0]), extremeValue(types[1], maximum)};
    return r;
}

std::vector<Reducer> pairReducers(const std::vector<DataType>& types) {
    Reducer sums = withPlaceholders(types);
    sums.result = {ir::makeBinary(ir::NodeKind::Add, sums.lhs[0], sums.rhs[0]),
                   ir::makeBinary(ir::NodeKind::Add, sums.lhs[1], sums.rhs[1])};
    sums.identity = {ir::makeConst(0, types[0]), ir::makeConst(0, types[1])};
    std::vector<Reducer> all;
    all.push_back(std::move(sums));
    all.push_back(argReducer(types, true, false));
    all.push_back(argReducer(types, true, true));
    all.push_back(argReducer(types, false, false));
    all.push_back(argReducer(types, false, true));
    return all;
}

/// Matches an expression against a reducer's result, filling the placeholders.
class PatternMatch {
public:
    explicit PatternMatch(const Reducer& reducer) : reducer_(reducer) {}

    bool match(const Expr& pattern, const Expr& value) {
        if (const auto* var = ir::as<ir::VarNode>(pattern); var && isPlaceholder(var)) {
            const auto [at, fresh] = filled_.emplace(var, value);
            return fresh ? value->dtype == var->dtype : arith::exprEqual(at->second, value);
        }
        if (pattern->kind() != value->kind())
            return false;
        if (ir::BinaryNode::classof(pattern->kind())) {
            const auto* p = static_cast<const ir::BinaryNode*>(pattern.get());
            const auto* v = static_cast<const ir::BinaryNode*>(value.get());
            return match(p->a, v->a) && match(p->b, v->b);
        }
        if (const auto* p = ir::as<ir::SelectNode>(pattern)) {
            const auto* v = ir::as<ir::SelectNode>(value);
            return match(p->condition, v->condition) && match(p->trueValue, v->trueValue) &&
                   match(p->falseValue, v->falseValue);
        }
        return arith::exprEqual(pattern, value);
    }
    [[nodiscard]] std::optional<std::vector<Expr>> values(const std::vector<ir::Var>& vars) const {
        std::vector<Expr> result;
        for (const auto& var : vars) {
            const auto at = filled_.find(var.get());
            if (at == filled_.end())
                return std::nullopt;
            result.push_back(at->second);
        }
        return result;
    }

private:
    bool isPlaceholder(const ir::VarNode* var) const {
        const auto is = [var](const ir::Var& other) { return other.get() == var; };
        return std::any_of(reducer_.lhs.begin(), reducer_.lhs.end(), is) ||
               std::any_of(reducer_.rhs.begin(), reducer_.rhs.end(), is);
    }
    const Reducer& reducer_;
    ir::VarMap filled_;
};

std::optional<MatchedReducer> tryReducer(const Reducer& reducer, const ReductionParts& parts) {
    for (std::size_t i = 0; i < parts.updates.size(); ++i)
        if (!arith::exprEqual(reducer.identity[i], parts.initValues[i]))
            return std::nullopt;
    PatternMatch pattern(reducer);
    for (std::size_t i = 0; i < parts.updates.size(); ++i)
        if (!pattern.match(reducer.result[i], parts.updates[i]))
            return std::nullopt;
    auto left = pattern.values(reducer.lhs);
    auto right = pattern.values(reducer.rhs);
    if (!left || !right)
        return std::nullopt;
    for (std::size_t i = 0; i < left->size(); ++i) {
        // The left side must be the running value itself.
        const auto* load = ir::as<ir::BufferLoadNode>((*left)[i]);
        if (!load || load->buffer != parts.buffers[i])
            return std::nullopt;
    }
    return MatchedReducer{reducer, *std::move(left), *std::move(right)};
}

base::Unexpected<Failure> notApplicable(const ir::BlockNode& block, std::string_view why) {
    return fail("RFactorNotApplicableError",
                base::concat("RFactor cannot be applied to the block since the block does not meet "
                             "the requirements: ",
                             why),
                {block.name});
}

std::vector<ir::Stmt> flat(const ir::Stmt& stmt) {
    const auto* seq = ir::as<ir::SeqStmtNode>(stmt);
    return seq ? seq->seq : std::vector<ir::Stmt>{stmt};
}

} // namespace

std::vector<Expr> Reducer::combine(const std::vector<Expr>& left,
                                   const std::vector<Expr>& right) const {
    ir::VarMap values;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        values.emplace(lhs[i].get(), left[i]);
        values.emplace(rhs[i].get(), right[i]);
    }
    std::vector<Expr> combined;
    for (const auto& expr : result)
        combined.push_back(ir::substitute(expr, values));
    return combined;
}

Outcome<ReductionParts> reductionParts(const ir::BlockNode& block) {
    std::vector<const ir::BufferStoreNode*> inits;
    for (const auto& stmt : flat(block.init)) {
        const auto* store = ir::as<ir::BufferStoreNode>(stmt);
        if (!store)
            return notApplicable(block,
                                 "the init statement must be a store, or stores in sequence");
        inits.push_back(store);
    }
    ir::VarMap bound;
    std::vector<const ir::BufferStoreNode*> stores;
    for (const auto& stmt : flat(block.body)) {
        if (const auto* bind = ir::as<ir::BindNode>(stmt); bind && stores.empty()) {
            bound.emplace(bind->var.get(), bind->value);
            continue;
        }
        const auto* store = ir::as<ir::BufferStoreNode>(stmt);
        if (!store)
            return notApplicable(block, "the body must be a store, or bindings followed by stores");
        stores.push_back(store);
    }
    if (inits.size() != stores.size() || inits.empty())
        return notApplicable(block, "init and body must store to the same buffers");
    if (stores.size() == 1 ? !bound.empty() : bound.size() != stores.size())
        return notApplicable(block,
                             "every stored value of a tuple must be bound before the stores");
    ReductionParts parts;
    for (const ir::BufferStoreNode* init : inits) {
        const auto at = std::find_if(stores.begin(), stores.end(),
                                     [&](const auto* s) { return s->buffer == init->buffer; });
        if (at == stores.end())
            return notApplicable(block, "init and body must store to the same buffers");
        if (init->indices.size() != (*at)->indices.size() ||
            !std::equal(init->indices.begin(), init->indices.end(), (*at)->indices.begin(),
                        arith::exprEqual))
            return notApplicable(block, "init and body must store at the same indices");
        Expr value = (*at)->value;
        if (!bound.empty()) {
            const auto* var = ir::as<ir::VarNode>(value);
            const auto found = var ? bound.find(var) : bound.end();
            if (found == bound.end())
                return notApplicable(block, "a stored value must be a bound variable");
            value = found->second;
        }
        parts.initValues.push_back(init->value);
        parts.buffers.push_back(init->buffer);
        parts.indices.push_back((*at)->indices);
        parts.updates.push_back(std::move(value));
    }
    return parts;
}

Outcome<MatchedReducer> matchReducer(const ReductionParts& parts, const std::string& blockName) {
    std::vector<DataType> types;
    for (const auto& value : parts.updates)
        types.push_back(value->dtype);
    std::vector<Reducer> known;
    if (types.size() == 1)
        known = singleReducers(types[0]);
    else if (types.size() == 2)
        known = pairReducers(types);
    for (const Reducer& reducer : known)
        if (auto matched = tryReducer(reducer, parts))
            return *std::move(matched);
    return fail("NoMatchedReducerError",
                "No matched reducer for the identity and the combiner of this reduction block. So "
                "rfactor and cross-thread reduction cannot be applied.",
                {blockName});
}

} // namespace tilewright::schedule
