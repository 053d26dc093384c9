// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/make.h>

#include <optional>

namespace tilewright::arith {

/// The truth of `a kind b` when a - b lies in `difference`; nothing when that leaves it open.
std::optional<bool> decideComparison(ir::NodeKind kind, ConstIntBound difference);

/// The truth of a condition built of comparisons with not, and, or, likely; nothing when unknown.
/// `boundDifference(a, b)` gives the bounds of a - b as an optional ConstIntBound, nothing when the
/// operands of a comparison are no indices.
template <class BoundDifference>
std::optional<bool> decideCondition(const ir::Expr& condition, BoundDifference&& boundDifference) {
    if (const auto value = ir::constInt(condition))
        return *value != 0;
    if (const auto* call = ir::as<ir::CallNode>(condition); call && call->op == ir::Op::Likely)
        return decideCondition(call->args[0], boundDifference);
    if (const auto* negation = ir::as<ir::NotNode>(condition)) {
        const auto inner = decideCondition(negation->a, boundDifference);
        return inner ? std::optional<bool>(!*inner) : std::nullopt;
    }
    const auto* binary = ir::as<ir::BinaryNode>(condition);
    if (!binary)
        return std::nullopt;
    if (binary->kind() == ir::NodeKind::And || binary->kind() == ir::NodeKind::Or) {
        const bool decisive = binary->kind() == ir::NodeKind::Or;
        const auto a = decideCondition(binary->a, boundDifference);
        if (a && *a == decisive)
            return decisive;
        const auto b = decideCondition(binary->b, boundDifference);
        if (b && *b == decisive)
            return decisive;
        return a && b ? std::optional<bool>(!decisive) : std::nullopt;
    }
    if (binary->kind() < ir::NodeKind::EQ || binary->kind() > ir::NodeKind::GE)
        return std::nullopt;
    const std::optional<ConstIntBound> difference = boundDifference(binary->a, binary->b);
    return difference ? decideComparison(binary->kind(), *difference) : std::nullopt;
}

} // namespace tilewright::arith
