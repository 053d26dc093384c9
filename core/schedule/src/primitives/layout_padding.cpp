// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout_padding.h"

namespace tilewright::schedule {

LayoutPadding planLayoutPadding(const ir::BlockNode&, const LayoutChange&) {
    return {};
}

} // namespace tilewright::schedule
