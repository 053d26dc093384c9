// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/execution_plan.h>

#include "op_context.h"

#include <tilewright/base/check.h>
#include <tilewright/base/floor_division.h>
#include <tilewright/ir/index_map.h>
#include <tilewright/ir/make.h>

#include <cstring>

namespace tilewright::graph {

namespace {

/// The integer value of an index expression for given variables; far quicker than building the
/// expression anew for each of a million elements.
class IndexEvaluator {
public:
    explicit IndexEvaluator(const std::vector<ir::Var>& variables) : variables_(variables) {}

    std::int64_t operator()(const ir::Expr& expr, const Dims& values) const {
        if (const auto constant = ir::constInt(expr))
            return *constant;
        if (expr->kind() == ir::NodeKind::Var) {
            for (std::size_t i = 0; i < variables_.size(); ++i)
                if (variables_[i].get() == expr.get())
                    return values[i];
            TW_CHECK(false) << "an index map with a free variable";
        }
        if (expr->kind() == ir::NodeKind::Cast)
            return (*this)(static_cast<const ir::CastNode&>(*expr).value, values);
        TW_CHECK(ir::BinaryNode::classof(expr->kind())) << "an index map that is no arithmetic";
        const auto& binary = static_cast<const ir::BinaryNode&>(*expr);
        return combine(expr->kind(), (*this)(binary.a, values), (*this)(binary.b, values));
    }

private:
    static std::int64_t combine(ir::NodeKind kind, std::int64_t a, std::int64_t b) {
        switch (kind) {
        case ir::NodeKind::Add:
            return a + b;
        case ir::NodeKind::Sub:
            return a - b;
        case ir::NodeKind::Mul:
            return a * b;
        case ir::NodeKind::Div:
            return a / b;
        case ir::NodeKind::Mod:
            return a % b;
        case ir::NodeKind::FloorDiv:
            return base::floorDivide(a, b);
        case ir::NodeKind::FloorMod:
            return base::floorRemainder(a, b);
        case ir::NodeKind::Min:
            return a < b ? a : b;
        case ir::NodeKind::Max:
            return a > b ? a : b;
        default:
            TW_CHECK(false) << "an index map with an operator that is no index arithmetic";
        }
        return 0;
    }

    const std::vector<ir::Var>& variables_;
};

} // namespace

ConstantPtr rewriteLayout(const ConstantTensor& tensor, const ir::IndexMap& map,
                          const Dims& shape) {
    TW_CHECK(map.initialIndices.size() == tensor.type.shape.size() &&
             map.finalIndices.size() == shape.size())
        << "a layout of another rank than " << toString(tensor.type);
    auto out = std::make_shared<ConstantTensor>();
    out->type = {tensor.type.dtype, shape};
    out->bytes.resize(byteSize(out->type));
    const std::size_t element = byteSize(tensor.type.dtype);
    const Dims strides = rowMajorStrides(shape);
    const IndexEvaluator evaluate(map.initialIndices);
    const std::int64_t count = elementCount(shape);
    forEachIndex(tensor.type.shape, [&](std::int64_t flat, const Dims& index) {
        std::int64_t to = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
            to += evaluate(map.finalIndices[d], index) * strides[d];
        TW_CHECK(to >= 0 && to < count) << "a layout that leaves its tensor";
        std::memcpy(out->bytes.data() + static_cast<std::size_t>(to) * element,
                    tensor.bytes.data() + static_cast<std::size_t>(flat) * element, element);
    });
    return out;
}

} // namespace tilewright::graph
