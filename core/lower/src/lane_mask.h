// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/make.h>

namespace tilewright::lower {

/// The mask of the first `active` of `lanes` lanes: `ramp(0, 1) < active`.
inline ir::Expr firstLanes(int active, int lanes) {
    return ir::makeBinary(ir::NodeKind::LT, ir::makeRamp(ir::makeInt(0), ir::makeInt(1), lanes),
                          ir::makeBroadcast(ir::makeInt(active), lanes));
}

/// The number of active lanes of a mask made by firstLanes; nothing for other expressions.
inline std::optional<int> activeLanes(const ir::Expr& mask) {
    const auto* less = ir::as<ir::BinaryNode>(mask);
    if (!less || less->kind() != ir::NodeKind::LT)
        return std::nullopt;
    const auto* ramp = ir::as<ir::RampNode>(less->a);
    const auto* bound = ir::as<ir::BroadcastNode>(less->b);
    if (!ramp || !bound || !ir::isZero(ramp->base) || !ir::isOne(ramp->stride))
        return std::nullopt;
    const auto active = ir::constInt(bound->value);
    return active ? std::optional<int>(static_cast<int>(*active)) : std::nullopt;
}

} // namespace tilewright::lower
