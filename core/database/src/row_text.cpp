// SPDX-License-Identifier: Apache-2.0
#include "row_text.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/json/parse.h>
#include <tilewright/target/target.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <optional>

namespace tilewright::database {
namespace {

static_assert(std::endian::native == std::endian::little, "stored doubles are little-endian");

std::optional<target::Target> readTarget(std::string_view text) {
    json::ParseOptions options;
    options.dialect = json::Dialect::Tvm;
    const auto value = json::tryParse(text, options);
    if (!value)
        return std::nullopt;
    try {
        return target::Target::fromJson(*value);
    } catch (const base::UserError&) {
        return std::nullopt; // kept as text, matched as text
    }
}

} // namespace

std::string packDoubles(const std::vector<double>& numbers) {
    std::string bytes(numbers.size() * sizeof(double), '\0');
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::vector<double> unpackDoubles(std::string_view bytes) {
    std::vector<double> numbers(bytes.size() / sizeof(double));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
    return numbers;
}

std::string targetKey(std::string_view targetJson) {
    const auto target = readTarget(targetJson);
    return target ? target->key() : std::string(targetJson);
}

std::string targetText(std::string_view targetJson) {
    const auto target = readTarget(targetJson);
    return target ? target->toText() : std::string(targetJson);
}

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace tilewright::database
