// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>

#include <string>
#include <string_view>

namespace tilewright::session {

/// What a task works on, in few words.
struct TaskShape {
    std::string shape; ///< `3→16, 32², 3×3 s1`, `512→1000`, `1×64×8×8`, `64×32 → 64`
    std::string dtype; ///< of the result: `float32`
    bool operator==(const TaskShape&) const = default;
};

/// Reads the shape of a task off its parameters; `tag` (see opTag) tells convolutions and products,
/// whose first two parameters are data and weights. Empty where extents are symbolic.
TaskShape taskShape(const ir::Module& module, std::string_view tag);

/// The operators of a task's kernel by its name: `fused_conv_add_relu2` is `conv+add+relu`.
std::string opTag(std::string_view taskName);

/// Whether the operators only move data: layout changes, reshapes, copies, concatenations.
bool isDataMovement(std::string_view tag);

} // namespace tilewright::session
