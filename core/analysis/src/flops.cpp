// SPDX-License-Identifier: Apache-2.0
#include <tilewright/analysis/flops.h>

#include <tilewright/analysis/block_predicates.h>
#include <tilewright/ir/make.h>

#include <algorithm>
#include <limits>

namespace tilewright::analysis {
namespace {

double countAll(const std::vector<ir::Expr>& exprs);

double count(const ir::Expr& expr) {
    using enum ir::NodeKind;
    switch (expr->kind()) {
    case Add:
    case Sub:
    case Mul:
    case Div:
    case Mod:
    case FloorDiv:
    case FloorMod:
    case Min:
    case Max: {
        const auto& node = static_cast<const ir::BinaryNode&>(*expr);
        return 1 + count(node.a) + count(node.b);
    }
    case Cast:
        return count(static_cast<const ir::CastNode&>(*expr).value);
    case Select: {
        const auto& node = static_cast<const ir::SelectNode&>(*expr);
        return count(node.condition) + std::max(count(node.trueValue), count(node.falseValue));
    }
    case Call:
        return countAll(static_cast<const ir::CallNode&>(*expr).args);
    case Let: {
        const auto& node = static_cast<const ir::LetNode&>(*expr);
        return count(node.value) + count(node.body);
    }
    default:
        return 0;
    }
}

double countAll(const std::vector<ir::Expr>& exprs) {
    double total = 0;
    for (const auto& expr : exprs)
        total += count(expr);
    return total;
}

double iterations(const ir::ForNode& loop) {
    if (const auto extent = ir::constInt(loop.extent))
        return static_cast<double>(*extent);
    // An unknown extent stands for the largest value of its type.
    return loop.extent->dtype.bits >= 64
               ? static_cast<double>(std::numeric_limits<std::int64_t>::max())
               : static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

} // namespace

double estimateFlops(const ir::Stmt& stmt) {
    if (!stmt)
        return 0;
    switch (stmt->kind()) {
    case ir::NodeKind::For: {
        const auto& loop = static_cast<const ir::ForNode&>(*stmt);
        return iterations(loop) * estimateFlops(loop.body);
    }
    case ir::NodeKind::SeqStmt: {
        double total = 0;
        for (const auto& child : static_cast<const ir::SeqStmtNode&>(*stmt).seq)
            total += estimateFlops(child);
        return total;
    }
    case ir::NodeKind::BufferStore:
        return count(static_cast<const ir::BufferStoreNode&>(*stmt).value);
    case ir::NodeKind::IfThenElse: {
        const auto& node = static_cast<const ir::IfThenElseNode&>(*stmt);
        return count(node.condition) +
               std::max(estimateFlops(node.thenCase), estimateFlops(node.elseCase));
    }
    case ir::NodeKind::While:
        return estimateFlops(static_cast<const ir::WhileNode&>(*stmt).body);
    case ir::NodeKind::AttrStmt:
        return estimateFlops(static_cast<const ir::AttrStmtNode&>(*stmt).body);
    case ir::NodeKind::Bind:
        return count(static_cast<const ir::BindNode&>(*stmt).value);
    case ir::NodeKind::Block:
        // Init runs once for many iterations: it is left out, as TVM does.
        return estimateFlops(static_cast<const ir::BlockNode&>(*stmt).body);
    case ir::NodeKind::BlockRealize:
        return estimateFlops(static_cast<const ir::BlockRealizeNode&>(*stmt).block->body);
    default:
        return 0;
    }
}

double estimateFlops(const ir::PrimFuncNode& function) {
    if (const ir::AttrValue* given = function.attrs.find("estimated_flops")) {
        if (const double* value = given->asFloat())
            return *value;
        if (const auto value = intAnnotation(function.attrs, "estimated_flops"))
            return static_cast<double>(*value);
        if (const ir::Expr* expr = given->asExpr())
            if (const auto* imm = ir::as<ir::FloatImmNode>(*expr))
                return imm->value;
    }
    return estimateFlops(function.body);
}

double estimateFlops(const ir::Module& module) {
    double total = 0;
    for (const auto& [name, function] : module.functions())
        total += estimateFlops(*function);
    return total;
}

std::int64_t bufferBytes(const ir::BufferNode& buffer) {
    std::int64_t elements = 1;
    for (const auto& extent : buffer.shape) {
        const auto value = ir::constInt(extent);
        if (!value)
            return 0;
        elements *= *value;
    }
    return elements * buffer.dtype.elementBytes() * buffer.dtype.lanes;
}

std::int64_t parameterBytes(const ir::PrimFuncNode& function) {
    std::int64_t total = 0;
    for (const auto& param : function.params) {
        if (!param.buffer)
            continue;
        const std::int64_t bytes = bufferBytes(*param.buffer);
        if (bytes == 0)
            return 0;
        total += bytes;
    }
    return total;
}

} // namespace tilewright::analysis
