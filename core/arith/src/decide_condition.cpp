// SPDX-License-Identifier: Apache-2.0
#include <tilewright/arith/decide_condition.h>

namespace tilewright::arith {

std::optional<bool> decideComparison(ir::NodeKind kind, ConstIntBound difference) {
    const auto [least, most] = difference;
    const auto decide = [](bool yes, bool no) {
        return yes ? std::optional<bool>(true) : no ? std::optional<bool>(false) : std::nullopt;
    };
    switch (kind) {
    case ir::NodeKind::LT:
        return decide(most < 0, least >= 0);
    case ir::NodeKind::LE:
        return decide(most <= 0, least > 0);
    case ir::NodeKind::GT:
        return decide(least > 0, most <= 0);
    case ir::NodeKind::GE:
        return decide(least >= 0, most < 0);
    case ir::NodeKind::EQ:
        return decide(least == 0 && most == 0, least > 0 || most < 0);
    case ir::NodeKind::NE:
        return decide(least > 0 || most < 0, least == 0 && most == 0);
    default:
        return std::nullopt;
    }
}

} // namespace tilewright::arith
