// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace tilewright::base {

/// An index that does not mix with other indices: `using LoopId = StrongId<struct LoopTag>;`.
template <class Tag, class Int = std::int32_t> struct StrongId {
    Int value = -1;
    constexpr StrongId() = default;
    constexpr explicit StrongId(Int v) : value(v) {}
    [[nodiscard]] constexpr bool valid() const { return value >= 0; }
    constexpr auto operator<=>(const StrongId&) const = default;
};

} // namespace tilewright::base

template <class Tag, class Int> struct std::hash<tilewright::base::StrongId<Tag, Int>> {
    std::size_t operator()(tilewright::base::StrongId<Tag, Int> id) const noexcept {
        return std::hash<Int>{}(id.value);
    }
};
