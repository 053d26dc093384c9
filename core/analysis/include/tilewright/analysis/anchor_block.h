// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

namespace tilewright::analysis {

/// The block with init that does most of the entry function's arithmetic, null when no block has an
/// init. Ties keep the first in textual order.
const ir::BlockNode* anchorBlock(const ir::Module& module);

} // namespace tilewright::analysis
