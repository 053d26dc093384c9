// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace tilewright::ir {

/// Whether a script writes the result type of this intrinsic in front of its arguments.
inline bool typeComesFirst(std::string_view name) {
    static constexpr std::string_view kNames[] = {"reinterpret",
                                                  "call_extern",
                                                  "call_pure_extern",
                                                  "call_llvm_intrin",
                                                  "call_llvm_pure_intrin",
                                                  "vectorhigh",
                                                  "vectorlow",
                                                  "vectorcombine",
                                                  "dp4a",
                                                  "get_active_lane_mask",
                                                  "type_annotation"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

} // namespace tilewright::ir
