// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/parse.h>
#include <tilewright/json/value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::session {

// Members of events; a member of another kind counts as missing, because events may come from an
// older or newer engine.

/// What stands in a JSON column; null when that cannot be read.
inline json::Value parsedOrNull(std::string_view text) {
    const auto value = json::tryParse(text);
    return value ? *value : json::Value();
}

inline std::optional<double> numberIn(const json::Value& event, std::string_view key) {
    const json::Value* value = event.find(key);
    return value && value->isNumber() ? std::optional(value->asDouble()) : std::nullopt;
}
inline std::optional<std::int64_t> integerIn(const json::Value& event, std::string_view key) {
    const json::Value* value = event.find(key);
    return value && value->kind() == json::Kind::Int ? std::optional(value->asInt()) : std::nullopt;
}
inline std::string textIn(const json::Value& event, std::string_view key) {
    const json::Value* value = event.find(key);
    return value && value->isString() ? value->asString() : std::string();
}
inline std::optional<bool> flagIn(const json::Value& event, std::string_view key) {
    const json::Value* value = event.find(key);
    return value && value->isBool() ? std::optional(value->asBool()) : std::nullopt;
}

} // namespace tilewright::session
