// SPDX-License-Identifier: Apache-2.0
#include "fusible_loops.h"

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tilewright::space {

namespace {

/// Coefficient of a variable: understands `x`, `c * e`, `a + b` (the smaller of both sides);
/// 0 = absent.
std::int64_t coefficient(const ir::Expr& expr, const ir::VarNode* var) {
    if (expr.get() == var)
        return 1;
    const auto* binary = ir::as<ir::BinaryNode>(expr);
    if (!binary)
        return 0;
    if (binary->kind() == ir::NodeKind::Add) {
        const std::int64_t a = coefficient(binary->a, var);
        const std::int64_t b = coefficient(binary->b, var);
        if (a != 0 && b != 0)
            return std::min(a, b);
        return a != 0 ? a : b;
    }
    if (binary->kind() == ir::NodeKind::Mul) {
        if (const auto factor = ir::constInt(binary->b))
            return coefficient(binary->a, var) * *factor;
        if (const auto factor = ir::constInt(binary->a))
            return coefficient(binary->b, var) * *factor;
    }
    return 0;
}

/// Stride in elements per loop; nullopt when a dimension on the way has no constant size.
std::optional<std::vector<std::int64_t>> stridesOf(const ir::BufferRegion& region,
                                                   const ir::VarMap& bindings,
                                                   std::span<const ir::ForNode* const> loops,
                                                   arith::Analyzer& analyzer) {
    std::vector<std::int64_t> strides(loops.size(), 0);
    std::vector<ir::Expr> indices;
    for (const ir::Range& range : region.region)
        indices.push_back(analyzer.simplify(ir::substitute(range.min, bindings)));
    for (std::size_t i = 0; i < loops.size(); ++i) {
        std::int64_t bufferStride = 1;
        for (std::size_t dim = indices.size(); dim-- > 0;) {
            const std::int64_t c = coefficient(indices[dim], loops[i]->loopVar.get());
            if (c != 0) {
                strides[i] = c * bufferStride;
                break;
            }
            const auto extent = ir::constInt(region.buffer->shape[dim]);
            if (!extent)
                return std::nullopt;
            bufferStride *= *extent;
        }
    }
    return strides;
}

int fusibleUnder(const std::vector<std::int64_t>& strides,
                 std::span<const ir::ForNode* const> loops) {
    int count = 0;
    int previous = -1;
    for (int i = static_cast<int>(loops.size()) - 1; i >= 0; --i) {
        const auto at = static_cast<std::size_t>(i);
        if (strides[at] != 0) {
            if (previous < 0) {
                if (strides[at] != 1 && count > 0)
                    break;
            } else {
                const auto last = static_cast<std::size_t>(previous);
                const auto extent = ir::constInt(loops[last]->extent);
                if (!extent || strides[at] != strides[last] * *extent)
                    break;
            }
            previous = i;
        }
        ++count;
    }
    return count;
}

} // namespace

int countFusibleLoops(const ir::BlockRealizeNode& realize,
                      std::span<const ir::ForNode* const> loops) {
    ir::VarMap bindings;
    for (std::size_t i = 0; i < realize.iterValues.size(); ++i)
        bindings.emplace(realize.block->iterVars[i].var.get(), realize.iterValues[i]);
    arith::Analyzer analyzer;
    for (const ir::ForNode* loop : loops)
        analyzer.bind(loop->loopVar, ir::Range{loop->min, loop->extent});
    int limit = static_cast<int>(loops.size());
    const auto narrow = [&](const std::vector<ir::BufferRegion>& regions) {
        for (const ir::BufferRegion& region : regions) {
            const auto strides = stridesOf(region, bindings, loops, analyzer);
            if (!strides)
                return false;
            limit = std::min(limit, fusibleUnder(*strides, loops));
        }
        return true;
    };
    return narrow(realize.block->reads) && narrow(realize.block->writes) ? limit : 0;
}

} // namespace tilewright::space
