// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/expr.h>

#include <vector>

namespace tilewright::lower {

/// A new buffer like another one, with another shape, compact and without offset.
inline ir::Buffer resizeBuffer(const ir::BufferNode& buffer, std::vector<ir::Expr> shape) {
    auto* node = new ir::BufferNode(buffer.name, buffer.dtype, std::move(shape), buffer.scope);
    node->dataAlignment = buffer.dataAlignment;
    node->offsetFactor = buffer.offsetFactor;
    return ir::Buffer(node);
}

} // namespace tilewright::lower
