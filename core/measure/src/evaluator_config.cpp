// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/evaluator_config.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <charconv>

namespace tilewright::measure {

namespace {

[[noreturn]] void refuse(std::string_view key, std::string_view value, std::string_view accepted) {
    throw base::UserError(
        "evaluator", base::concat("evaluator: ", key, " takes ", accepted, ": ", key, "=", value));
}

template <class T> T number(std::string_view key, std::string_view value, T low, T high) {
    T result{};
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (code != std::errc{} || end != value.data() + value.size() || !(result >= low) ||
        !(result <= high))
        refuse(key, value, base::concat("a number from ", low, " to ", high));
    return result;
}

bool flag(std::string_view key, std::string_view value) {
    if (value.empty() || value == "on" || value == "true" || value == "1")
        return true;
    if (value == "off" || value == "false" || value == "0")
        return false;
    refuse(key, value, "on or off");
}

void setField(EvaluatorConfig& config, std::string_view key, std::string_view value) {
    if (key == "number")
        config.number = number<int>(key, value, 1, 1 << 24);
    else if (key == "repeat")
        config.repeat = number<int>(key, value, 1, 1 << 20);
    else if (key == "min-repeat-ms")
        config.minRepeatMs = number<double>(key, value, 0, 1e6);
    else if (key == "cpu-cache-flush")
        config.enableCpuCacheFlush = flag(key, value);
    else if (key == "cold")
        config.coldCaches = flag(key, value);
    else if (key == "adaptive")
        config.adaptive = flag(key, value);
    else if (key == "worse-factor")
        config.worseFactor = number<double>(key, value, 1, 1e6);
    else if (key == "near-factor")
        config.nearFactor = number<double>(key, value, 1, 1e6);
    else
        throw base::UserError(
            "evaluator",
            base::concat("evaluator: unknown setting \"", key,
                         "\"; accepted are number, repeat, min-repeat-ms, "
                         "cpu-cache-flush, cold, adaptive, worse-factor, near-factor"));
}

} // namespace

EvaluatorConfig parseEvaluatorConfig(std::string_view text, EvaluatorConfig defaults) {
    EvaluatorConfig config = defaults;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
        if (item.empty())
            continue;
        const auto equals = item.find('=');
        setField(config, item.substr(0, equals),
                 equals == std::string_view::npos ? std::string_view{} : item.substr(equals + 1));
    }
    return config;
}

} // namespace tilewright::measure
