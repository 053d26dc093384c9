// SPDX-License-Identifier: Apache-2.0
#include "value_reader.h"

#include <tilewright/arith/decide_condition.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <numeric>

namespace tilewright::cost {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

namespace {

bool isIndexType(DataType type) {
    return type.isScalar() && type.isInt() && type.bits >= 32;
}

bool isCompare(NodeKind kind) {
    return kind >= NodeKind::EQ && kind <= NodeKind::GE;
}

OpCounts::Kind kindOf(NodeKind kind) {
    switch (kind) {
    case NodeKind::Add:
    case NodeKind::Sub:
        return OpCounts::AddSub;
    case NodeKind::Mul:
        return OpCounts::Mul;
    case NodeKind::Div:
    case NodeKind::Mod:
    case NodeKind::FloorDiv:
    case NodeKind::FloorMod:
        return OpCounts::DivMod;
    default:
        return OpCounts::Compare;
    }
}

bool containsLoad(const Expr& expr) {
    bool found = false;
    walk(expr, [&](const Node& node) {
        found = found || node.kind() == NodeKind::BufferLoad;
        return !found;
    });
    return found;
}

/// Range of a value of this type that nothing is known of.
Interval typeRange(DataType type) {
    if (type.isInt() && type.bits == 32)
        return {-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1};
    if (type.isUInt() && type.bits < 64)
        return {0, (std::int64_t{1} << type.bits) - 1};
    if (type.isInt() && type.bits < 64)
        return {-(std::int64_t{1} << (type.bits - 1)), (std::int64_t{1} << (type.bits - 1)) - 1};
    return {};
}

} // namespace

int ValueReader::bufferId(const BufferNode* buffer) {
    if (!aliases_.empty()) {
        const auto it = aliases_.find(buffer);
        if (it != aliases_.end())
            buffer = it->second.source;
    }
    for (std::size_t i = 0; i < nest_.buffers.size(); ++i)
        if (nest_.buffers[i].node == buffer)
            return static_cast<int>(i);
    NestBuffer entry;
    entry.node = buffer;
    entry.shape.reserve(buffer->shape.size());
    for (const Expr& extent : buffer->shape) {
        const Interval range = nest_.forms.bounds(index(extent));
        entry.shape.push_back(range.hi == Interval::kFar ? 1 : range.hi);
    }
    nest_.buffers.push_back(std::move(entry));
    return static_cast<int>(nest_.buffers.size()) - 1;
}

void ValueReader::match(const MatchBufferRegion& match) {
    Alias alias{match.source.buffer.get(), {}};
    for (const Range& range : match.source.region)
        alias.mins.push_back(index(range.min));
    const auto outer = aliases_.find(alias.source);
    if (outer != aliases_.end()) {
        const std::size_t lead =
            outer->second.mins.size() - std::min(outer->second.mins.size(), alias.mins.size());
        std::vector<IndexForm> mins = outer->second.mins;
        for (std::size_t d = lead; d < mins.size(); ++d)
            mins[d] = nest_.forms.add(mins[d], alias.mins[d - lead], 1);
        alias = {outer->second.source, std::move(mins)};
    }
    aliases_[match.buffer.get()] = std::move(alias);
}

IndexForm ValueReader::index(const Expr& expr) {
    IndexForm form;
    return tryIndex(expr, form) ? form : opaqueIndex(expr);
}

/// An index that depends on data: it may be anything of its type.
IndexForm ValueReader::opaqueIndex(const Expr& expr) {
    std::uint64_t loops = 0;
    walk(expr, [&](const Node& node) {
        if (node.kind() == NodeKind::Var) {
            const auto it = bindings_.find(static_cast<const VarNode*>(&node));
            if (it != bindings_.end())
                loops |= nest_.forms.loopsOf(it->second);
        }
        return true;
    });
    return nest_.forms.opaque(-1, loops, typeRange(expr->dtype));
}

bool ValueReader::tryIndex(const Expr& expr, IndexForm& form) {
    switch (expr->kind()) {
    case NodeKind::IntImm:
        form = IndexForms::constant(static_cast<const IntImmNode&>(*expr).value);
        return true;
    case NodeKind::Var: {
        const auto* var = static_cast<const VarNode*>(expr.get());
        const auto [it, fresh] = bindings_.try_emplace(var);
        if (fresh)
            it->second = nest_.forms.opaque(nextKey_++, 0, typeRange(var->dtype));
        form = it->second;
        return true;
    }
    case NodeKind::Cast: {
        const Expr& value = static_cast<const CastNode&>(*expr).value;
        return isIndexType(expr->dtype) && isIndexType(value->dtype) && tryIndex(value, form);
    }
    default:
        break;
    }
    const auto* binary = as<BinaryNode>(expr);
    return binary && isIndexType(expr->dtype) && tryBinary(*binary, form);
}

bool ValueReader::tryBinary(const BinaryNode& node, IndexForm& form) {
    IndexForm a;
    IndexForm b;
    if (!tryIndex(node.a, a) || !tryIndex(node.b, b))
        return false;
    IndexForms& forms = nest_.forms;
    switch (node.kind()) {
    case NodeKind::Add:
        form = forms.add(a, b, 1);
        return true;
    case NodeKind::Sub:
        form = forms.add(a, b, -1);
        return true;
    case NodeKind::Mul:
        if (a.count != 0 && b.count != 0)
            return false;
        form = b.count == 0 ? forms.multiply(a, b.constant) : forms.multiply(b, a.constant);
        return true;
    case NodeKind::Div:
    case NodeKind::FloorDiv:
        if (b.count != 0 || b.constant <= 0 ||
            (node.kind() == NodeKind::Div && forms.bounds(a).lo < 0))
            return false;
        form = forms.divide(a, b.constant);
        return true;
    case NodeKind::Mod:
    case NodeKind::FloorMod:
        if (b.count != 0 || b.constant <= 0 ||
            (node.kind() == NodeKind::Mod && forms.bounds(a).lo < 0))
            return false;
        form = forms.remainder(a, b.constant);
        return true;
    case NodeKind::Min:
    case NodeKind::Max: {
        const Interval difference = forms.bounds(forms.add(a, b, -1));
        if (difference.hi > 0 && difference.lo < 0)
            return false;
        form = (difference.hi <= 0) == (node.kind() == NodeKind::Min) ? a : b;
        return true;
    }
    default:
        return false;
    }
}

std::uint32_t ValueReader::access(const BufferNode* buffer, const std::vector<Expr>& indices,
                                  int loop) {
    const auto alias = aliases_.empty() ? aliases_.end() : aliases_.find(buffer);
    NestAccess access;
    access.buffer = bufferId(buffer);
    access.loop = loop;
    std::array<IndexForm, 16> forms;
    const std::size_t rank = std::min(indices.size(), forms.size());
    for (std::size_t d = 0; d < rank; ++d)
        forms[d] = index(indices[d]);
    access.firstIndex = static_cast<std::uint32_t>(nest_.indices.size());
    if (alias == aliases_.end()) {
        nest_.indices.insert(nest_.indices.end(), forms.begin(),
                             forms.begin() + static_cast<std::ptrdiff_t>(rank));
    } else {
        const std::vector<IndexForm>& mins = alias->second.mins;
        const std::size_t lead = mins.size() - std::min(mins.size(), rank);
        for (std::size_t d = 0; d < mins.size(); ++d)
            nest_.indices.push_back(d < lead ? mins[d]
                                             : nest_.forms.add(mins[d], forms[d - lead], 1));
    }
    access.rank = static_cast<std::uint32_t>(nest_.indices.size()) - access.firstIndex;
    nest_.accesses.push_back(access);
    return static_cast<std::uint32_t>(nest_.accesses.size()) - 1;
}

void ValueReader::readValue(const Expr& value, int loop, OpCounts& ops) {
    ops_ = &ops;
    loop_ = loop;
    visit(value);
}

void ValueReader::readAside(const Expr& expr, int loop) {
    if (expr->kind() == NodeKind::IntImm || !containsLoad(expr))
        return;
    OpCounts ignored;
    readValue(expr, loop, ignored);
}

void ValueReader::readAsideAll(const std::vector<Expr>& exprs, int loop) {
    for (const Expr& expr : exprs)
        if (expr->kind() != NodeKind::Var)
            readAside(expr, loop);
}

void ValueReader::addIndexOps(const IndexForm& form) {
    IndexOps ops;
    nest_.forms.countOps(form, ops);
    ops_->integer[OpCounts::AddSub] += ops.addSub;
    ops_->integer[OpCounts::Mul] += ops.mul;
    ops_->integer[OpCounts::DivMod] += ops.divMod;
}

void ValueReader::visit(const Expr& expr) {
    switch (expr->kind()) {
    case NodeKind::BufferLoad: {
        const auto& load = static_cast<const BufferLoadNode&>(*expr);
        access(load.buffer.get(), load.indices, loop_);
        // Index arithmetic is counted when the buffers have their final shapes.
        for (const Expr& i : load.indices) {
            IndexForm form;
            if (i->kind() != NodeKind::Var && !tryIndex(i, form))
                visit(i);
        }
        return;
    }
    case NodeKind::Cast:
        visit(static_cast<const CastNode&>(*expr).value);
        return;
    case NodeKind::Not:
        ++ops_->boolean;
        visit(static_cast<const NotNode&>(*expr).a);
        return;
    case NodeKind::Select: {
        const auto& select = static_cast<const SelectNode&>(*expr);
        if (!containsLoad(expr))
            return;
        if (!prove(select.condition))
            ++ops_->select;
        visitChoice(select.condition, select.trueValue, select.falseValue);
        return;
    }
    case NodeKind::Call: {
        const auto& call = static_cast<const CallNode&>(*expr);
        if (call.op == Op::IfThenElse && call.args.size() == 3) {
            if (!prove(call.args[0]))
                ++(expr->dtype.isFloating() ? ops_->floating : ops_->integer)[OpCounts::Math];
            visitChoice(call.args[0], call.args[1], call.args[2]);
            return;
        }
        const auto kind = purity(call.op) == Purity::Pure ? OpCounts::Math : OpCounts::Other;
        ++(expr->dtype.isFloating() ? ops_->floating : ops_->integer)[kind];
        for (const Expr& arg : call.args)
            visit(arg);
        return;
    }
    case NodeKind::Let: {
        const auto& let = static_cast<const LetNode&>(*expr);
        bind(let.var.get(), index(let.value));
        visit(let.value);
        visit(let.body);
        return;
    }
    case NodeKind::Ramp:
        visit(static_cast<const RampNode&>(*expr).base);
        return;
    case NodeKind::Broadcast:
        visit(static_cast<const BroadcastNode&>(*expr).value);
        return;
    case NodeKind::Shuffle:
        for (const Expr& part : static_cast<const ShuffleNode&>(*expr).vectors)
            visit(part);
        return;
    default:
        if (const auto* binary = as<BinaryNode>(expr))
            visitBinary(*binary);
    }
}

void ValueReader::visitBinary(const BinaryNode& node) {
    IndexForm form;
    if (isIndexType(node.dtype) && tryBinary(node, form)) {
        addIndexOps(form);
        return;
    }
    if (node.kind() == NodeKind::And || node.kind() == NodeKind::Or) {
        const bool neutral = node.kind() == NodeKind::And;
        const auto a = prove(node.a);
        const auto b = prove(node.b);
        if (!a && !b)
            ++ops_->boolean;
        if (!a || *a != neutral)
            visit(node.a);
        if (!b || *b != neutral)
            visit(node.b);
        return;
    }
    if (isCompare(node.kind()) && visitCompare(node))
        return;
    ++(node.dtype.isFloating() ? ops_->floating : ops_->integer)[kindOf(node.kind())];
    visit(node.a);
    visit(node.b);
}

/// Counts a comparison of indices the way it stands after constants went to one side and common
/// factors were divided out. False when the operands are no indices.
bool ValueReader::visitCompare(const BinaryNode& node) {
    IndexForm a;
    IndexForm b;
    if (!isIndexType(node.a->dtype) || !tryIndex(node.a, a) || !tryIndex(node.b, b))
        return false;
    ++ops_->integer[OpCounts::Compare];
    if (a.count != 0 && b.count != 0) {
        addIndexOps(a);
        addIndexOps(b);
        return true;
    }
    const bool flip = a.count == 0;
    IndexForm sum = flip ? b : a;
    const std::int64_t bound = (flip ? a : b).constant - sum.constant;
    sum.constant = 0;
    if (node.kind() == NodeKind::LT || node.kind() == NodeKind::GT) {
        std::int64_t factor = std::abs(bound);
        for (std::uint32_t i = 0; i < sum.count; ++i) {
            const std::int64_t coeff = std::abs(nest_.forms.terms(sum)[i].coeff);
            if (coeff > 1)
                factor = std::gcd(factor, coeff);
        }
        if (factor > 1) {
            const auto isMultiple = [&](const IndexTerm& t) { return t.coeff % factor == 0; };
            IndexForm rest{0, 0, 0};
            IndexForm whole{0, 0, 0};
            for (std::uint32_t i = 0; i < sum.count; ++i) {
                const IndexTerm term = nest_.forms.terms(sum)[i];
                const IndexForm one{0, sum.begin + i, 1};
                if (isMultiple(term))
                    whole = nest_.forms.add(whole, one, 1);
                else
                    rest = nest_.forms.add(rest, one, 1);
            }
            if (nest_.forms.bounds(rest).within(1 - factor, factor - 1)) {
                IndexOps ops;
                nest_.forms.countOps(whole, ops);
                int unit = 0;
                for (std::uint32_t i = 0; i < whole.count; ++i)
                    unit += std::abs(nest_.forms.terms(whole)[i].coeff) == factor;
                ops_->integer[OpCounts::AddSub] += ops.addSub;
                ops_->integer[OpCounts::Mul] += ops.mul - unit;
                ops_->integer[OpCounts::DivMod] += ops.divMod;
                return true;
            }
        }
    }
    addIndexOps(sum);
    return true;
}

void ValueReader::visitChoice(const Expr& condition, const Expr& ifTrue, const Expr& ifFalse) {
    const auto known = prove(condition);
    if (!known)
        visit(condition);
    if (known.value_or(true))
        visit(ifTrue);
    if (!known.value_or(false))
        visit(ifFalse);
}

std::optional<bool> ValueReader::prove(const Expr& condition) {
    return arith::decideCondition(
        condition, [this](const Expr& x, const Expr& y) -> std::optional<arith::ConstIntBound> {
            IndexForm a;
            IndexForm b;
            if (!isIndexType(x->dtype) || !tryIndex(x, a) || !tryIndex(y, b))
                return std::nullopt;
            const Interval bounds = nest_.forms.bounds(nest_.forms.add(a, b, -1));
            return arith::ConstIntBound{bounds.lo, bounds.hi};
        });
}

} // namespace tilewright::cost
