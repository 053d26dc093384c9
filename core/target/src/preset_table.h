// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tilewright::target {

struct PresetEntry {
    std::string_view name;
    std::string_view text;
};

/// Presets other than `host`, sorted by name.
std::span<const PresetEntry> presetTable();

} // namespace tilewright::target
