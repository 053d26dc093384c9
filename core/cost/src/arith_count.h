// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <array>
#include <cstdint>

namespace tilewright::cost {

/// Operations of one kind of value.
struct OpCounts {
    std::int64_t multiplyAdd = 0; ///< never counted; its column stays
    std::int64_t addSub = 0;
    std::int64_t mul = 0;
    std::int64_t divMod = 0;
    std::int64_t compare = 0;
    std::int64_t math = 0;
    std::int64_t other = 0;
    [[nodiscard]] std::int64_t total() const {
        return multiplyAdd + addSub + mul + divMod + compare + math + other;
    }
};

/// Operations in one evaluation of a stored value, the index arithmetic of its loads included.
struct ArithCounts {
    OpCounts floating;
    OpCounts integer;
    std::int64_t logical = 0;
    std::int64_t select = 0;
};

ArithCounts countArithmetic(const ir::Expr& value);

} // namespace tilewright::cost
