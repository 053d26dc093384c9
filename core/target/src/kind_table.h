// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {

enum class OptionType : std::uint8_t { Int, Bool, String, List };

/// The options of a kind and what they hold, under TVM's names.
struct KindInfo {
    std::string_view name;
    std::vector<std::string> defaultKeys;
    json::Object defaults;
    std::vector<std::pair<std::string_view, OptionType>> options;
};

/// Nothing when the kind is not known.
std::optional<KindInfo> findKind(std::string_view name);
std::vector<std::string> kindNames();
std::optional<OptionType> findOption(const KindInfo& kind, std::string_view name);

/// The candidates nearest to `word` by edit distance, best first, at most three.
std::vector<std::string> nearestNames(std::string_view word,
                                      const std::vector<std::string>& candidates);

} // namespace tilewright::target
