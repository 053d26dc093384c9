// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/index_map.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/runtime/tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::measure {

/// A tensor in another layout: the element at index `i` of `source` goes to `map(i)` of a tensor of
/// shape `packedShape`; elements that nothing maps to are zero. Throws UserError (kind `layout`)
/// when the map leads outside. Linear in the elements, about 50 ns each.
runtime::Tensor packTensor(const runtime::Tensor& source, const ir::IndexMap& map,
                           const std::vector<std::int64_t>& packedShape);

/// Bytes of argument `index` of a numeric check in the layout of the kernel: filled as the user's
/// tensor is, then packed.
std::string packedCheckArgument(const ArgInfo& user, const ArgInfo& packed, std::size_t index,
                                std::uint64_t seed, const ir::IndexMap& map);

} // namespace tilewright::measure
