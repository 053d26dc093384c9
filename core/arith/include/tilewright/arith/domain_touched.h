// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/arith/analyzer.h>
#include <tilewright/ir/stmt.h>

namespace tilewright::arith {

/// The box of `buffer` that loads and/or stores below `stmt` touch, loops inside relaxed (blocks
/// are entered with their iterators' values). Empty when it is not accessed.
IntSetRegion domainTouched(const ir::Stmt& stmt, const ir::Buffer& buffer, bool loads, bool stores);

} // namespace tilewright::arith
