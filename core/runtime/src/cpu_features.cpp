// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/cpu_features.h>

#include <algorithm>
#include <array>

#if defined(__riscv)
#include <sys/auxv.h>
#endif

namespace tilewright::runtime {

std::string_view hostArchitecture() {
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__riscv) && __riscv_xlen == 64
    return "riscv64";
#elif defined(__aarch64__)
    return "aarch64";
#else
    return "unknown";
#endif
}

namespace {

/// The features whose absence makes a kernel crash; all that hostCpuFeatures can tell.
#if defined(__x86_64__)
constexpr std::array kChecked = std::to_array<std::string_view>(
    {"sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw",
     "avx512cd", "avx512dq", "avx512vl", "avx512vnni", "avx512bf16", "avxvnni"});
#elif defined(__riscv)
constexpr std::array kChecked = std::to_array<std::string_view>({"m", "a", "f", "d", "c", "v"});
#else
constexpr std::array<std::string_view, 0> kChecked{};
#endif

} // namespace

std::vector<std::string> hostCpuFeatures() {
    std::vector<std::string> features;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const auto add = [&](const char* name, int present) {
        if (present)
            features.emplace_back(name);
    };
    // The builtin takes literals only.
    add("sse3", __builtin_cpu_supports("sse3"));
    add("ssse3", __builtin_cpu_supports("ssse3"));
    add("sse4.1", __builtin_cpu_supports("sse4.1"));
    add("sse4.2", __builtin_cpu_supports("sse4.2"));
    add("avx", __builtin_cpu_supports("avx"));
    add("avx2", __builtin_cpu_supports("avx2"));
    add("fma", __builtin_cpu_supports("fma"));
    add("f16c", __builtin_cpu_supports("f16c"));
    add("avx512f", __builtin_cpu_supports("avx512f"));
    add("avx512bw", __builtin_cpu_supports("avx512bw"));
    add("avx512cd", __builtin_cpu_supports("avx512cd"));
    add("avx512dq", __builtin_cpu_supports("avx512dq"));
    add("avx512vl", __builtin_cpu_supports("avx512vl"));
    add("avx512vnni", __builtin_cpu_supports("avx512vnni"));
    add("avx512bf16", __builtin_cpu_supports("avx512bf16"));
    add("avxvnni", __builtin_cpu_supports("avxvnni"));
#elif defined(__riscv)
    const unsigned long bits = getauxval(AT_HWCAP);
    for (const char letter : {'m', 'a', 'f', 'd', 'c', 'v'})
        if (bits & (1UL << (letter - 'a')))
            features.emplace_back(1, letter);
#endif
    std::sort(features.begin(), features.end());
    return features;
}

std::vector<std::string> missingFeatures(std::string_view needed,
                                         const std::vector<std::string>& available) {
    std::vector<std::string> missing;
    while (!needed.empty()) {
        const auto comma = needed.find(',');
        std::string_view name = needed.substr(0, comma);
        needed = comma == std::string_view::npos ? std::string_view{} : needed.substr(comma + 1);
        if (name.starts_with('+'))
            name.remove_prefix(1);
        const bool isChecked = std::find(kChecked.begin(), kChecked.end(), name) != kChecked.end();
        if (isChecked && std::find(available.begin(), available.end(), name) == available.end())
            missing.emplace_back(name);
    }
    return missing;
}

} // namespace tilewright::runtime
