// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

#include <utility>
#include <vector>

namespace tilewright::analysis {

/// For each buffer that is accessed, the innermost loop or block that contains every access (null =
/// outside of all); order of first access. Loops bound to threads count as outside.
std::vector<std::pair<ir::Buffer, const ir::StmtNode*>>
bufferAccessLca(const ir::PrimFuncNode& function);

} // namespace tilewright::analysis
