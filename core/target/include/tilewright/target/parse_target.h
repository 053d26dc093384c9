// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/target/target.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {

/// Reads a target: `llvm -mcpu=znver4 -num-cores=16`, TVM's JSON object, a preset or tag
/// (`host`, `riscv64-rvv256`, `nvidia/geforce-rtx-3090`), each of the words with overrides after it
/// (`host -num-cores=1`). Fills in the kind's defaults. Throws UserError (kind `target`) saying
/// what was not understood and which names come nearest.
Target parseTarget(std::string_view text);
/// As above for a JSON value: an object, or a string.
Target parseTargetJson(const json::Value& value);

/// A name that parseTarget accepts in first place and what it stands for.
struct Preset {
    std::string name;
    std::string text;
};
/// Every preset, `host` first, sorted; for help and the window's list.
std::vector<Preset> presets();

} // namespace tilewright::target
