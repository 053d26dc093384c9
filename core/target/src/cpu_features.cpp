// SPDX-License-Identifier: Apache-2.0
#include <tilewright/target/cpu_features.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

namespace tilewright::target {
namespace {

using Features = std::set<std::string, std::less<>>;

/// A CPU is its parent with features added; names LLVM treats alike share a line (`|`).
struct Cpu {
    std::string_view names;
    std::string_view parent;
    std::string_view added;
};

constexpr Cpu kX86[] = {
    {"x86-64|generic|k8|athlon64|opteron", "", "sse sse2 cx8 fxsr mmx"},
    {"x86-64-v2", "x86-64", "cx16 sahf sse3 ssse3 sse4.1 sse4.2 popcnt crc32"},
    {"x86-64-v3", "x86-64-v2", "avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"},
    {"x86-64-v4", "x86-64-v3", "evex512 avx512f avx512bw avx512cd avx512dq avx512vl"},
    {"core2|penryn", "x86-64", "cx16 sahf sse3 ssse3"},
    {"nehalem|corei7", "x86-64-v2", ""},
    {"westmere", "nehalem", "pclmul"},
    {"sandybridge|corei7-avx", "westmere", "avx xsave xsaveopt"},
    {"ivybridge|core-avx-i", "sandybridge", "f16c fsgsbase rdrnd"},
    {"haswell|core-avx2", "ivybridge", "avx2 bmi bmi2 fma lzcnt movbe invpcid"},
    {"broadwell", "haswell", "adx rdseed prfchw"},
    {"skylake", "broadwell", "aes clflushopt xsavec xsaves"},
    {"skylake-avx512|skx", "skylake",
     "evex512 avx512f avx512bw avx512cd avx512dq avx512vl clwb pku prefer-256-bit"},
    {"cascadelake", "skylake-avx512", "avx512vnni"},
    {"cooperlake", "cascadelake", "avx512bf16"},
    {"cannonlake", "skylake-avx512", "avx512vbmi avx512ifma sha"},
    {"icelake-client", "cannonlake",
     "avx512vnni avx512bitalg avx512vbmi2 avx512vpopcntdq gfni vaes vpclmulqdq rdpid"},
    {"icelake-server", "icelake-client", "clwb pconfig wbnoinvd"},
    {"rocketlake", "icelake-client", ""},
    {"tigerlake", "icelake-client", "avx512vp2intersect clwb movdir64b movdiri shstk"},
    {"sapphirerapids|emeraldrapids", "icelake-server",
     "amx-bf16 amx-int8 amx-tile avx512bf16 avx512fp16 avxvnni cldemote enqcmd serialize tsxldtrk "
     "uintr waitpkg"},
    {"graniterapids|graniterapids-d", "sapphirerapids", "amx-fp16 prefetchi"},
    {"alderlake|raptorlake|meteorlake|gracemont", "skylake",
     "avxvnni gfni vaes vpclmulqdq clwb movdir64b movdiri serialize sha waitpkg"},
    {"arrowlake|arrowlake-s|lunarlake|pantherlake|sierraforest|grandridge|clearwaterforest",
     "alderlake", "avxifma avxneconvert avxvnniint8 cmpccxadd"},
    {"knl|knm", "broadwell", "evex512 avx512f avx512cd"},
    {"btver2", "x86-64-v2", "avx aes bmi f16c lzcnt movbe pclmul xsave"},
    {"bdver1", "x86-64-v2", "avx aes fma4 lzcnt pclmul xop xsave"},
    {"bdver2|bdver3", "bdver1", "bmi f16c fma tbm"},
    {"bdver4", "bdver2", "avx2 bmi2 movbe"},
    {"znver1", "x86-64-v3",
     "adx aes clflushopt clzero pclmul rdrnd rdseed sha sse4a xsavec xsaves"},
    {"znver2", "znver1", "clwb rdpid wbnoinvd"},
    {"znver3", "znver2", "invpcid pku vaes vpclmulqdq"},
    {"znver4", "znver3",
     "evex512 avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512vbmi2 avx512ifma "
     "avx512vnni avx512bitalg avx512vpopcntdq avx512bf16 gfni"},
    {"znver5", "znver4", "avxvnni avx512vp2intersect movdir64b movdiri prefetchi"},
};

constexpr Cpu kArm[] = {
    {"generic|cortex-a35|cortex-a53|cortex-a57|cortex-a72|cortex-a73|apple-a7|apple-a8", "",
     "neon fp-armv8"},
    {"cortex-a55|cortex-a75|cortex-a76|cortex-a77|cortex-a78|cortex-a78c|cortex-x1|neoverse-e1|"
     "neoverse-n1|apple-a11|apple-a12",
     "generic", "v8.2a dotprod fullfp16 lse rdm crc"},
    {"apple-a13|apple-a14|apple-m1", "neoverse-n1", "fp16fml"},
    {"apple-a15|apple-a16|apple-m2|apple-m3|apple-m4|apple-latest", "apple-m1", "bf16 i8mm"},
    {"neoverse-v1|neoverse-512tvb", "neoverse-n1", "bf16 i8mm sve"},
    {"neoverse-n2|neoverse-v2|cortex-a510|cortex-a710|cortex-a715|cortex-x2|cortex-x3|grace",
     "neoverse-v1", "sve2"},
    {"a64fx", "generic", "fullfp16 sve"},
};

constexpr Cpu kRiscV[] = {
    {"generic|generic-rv64|generic-rv32", "", ""},
    {"sifive-u74|sifive-7-rv64", "generic", "64bit a c d f m"},
    {"sifive-x280", "sifive-u74", "v zvl512b zfh"},
    {"spacemit-x60", "sifive-u74", "v zvl256b zfh"},
};

struct Implication {
    std::string_view feature;
    std::string_view implied;
};

constexpr Implication kImplied[] = {
    {"sse2", "sse"},
    {"sse3", "sse2"},
    {"ssse3", "sse3"},
    {"sse4.1", "ssse3"},
    {"sse4.2", "sse4.1"},
    {"avx", "sse4.2"},
    {"avx2", "avx"},
    {"fma", "avx"},
    {"f16c", "avx"},
    {"avxvnni", "avx2"},
    {"avxifma", "avx2"},
    {"avxvnniint8", "avx2"},
    {"avx512f", "avx2 f16c fma"},
    {"avx512bw", "avx512f"},
    {"avx512cd", "avx512f"},
    {"avx512dq", "avx512f"},
    {"avx512vl", "avx512f"},
    {"avx512vnni", "avx512f"},
    {"avx512ifma", "avx512f"},
    {"avx512vpopcntdq", "avx512f"},
    {"avx512vp2intersect", "avx512f"},
    {"avx512bf16", "avx512bw"},
    {"avx512vbmi", "avx512bw"},
    {"avx512vbmi2", "avx512bw"},
    {"avx512bitalg", "avx512bw"},
    {"avx512fp16", "avx512bw avx512dq avx512vl"},
    {"amx-int8", "amx-tile"},
    {"amx-bf16", "amx-tile"},
    {"amx-fp16", "amx-tile"},
    {"neon", "fp-armv8"},
    {"dotprod", "neon"},
    {"fullfp16", "fp-armv8"},
    {"fp16fml", "fullfp16"},
    {"i8mm", "neon"},
    {"bf16", "neon"},
    {"sve", "fullfp16"},
    {"sve2", "sve"},
    {"v8.1a", "lse rdm crc"},
    {"v8.2a", "v8.1a"},
    {"v8.4a", "v8.2a dotprod"},
    {"v9a", "v8.4a sve2"},
    {"v", "d f zve64d zvl128b"},
    {"d", "f"},
    {"zvfh", "zve32f"},
    {"zve64d", "zve64f"},
    {"zve64f", "zve32f"},
    {"zve32f", "zve32x"},
    {"zvl1024b", "zvl512b"},
    {"zvl512b", "zvl256b"},
    {"zvl256b", "zvl128b"},
};

template <class Visit> void forEachWord(std::string_view text, char separator, Visit&& visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0)
            visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void add(Features& features, std::string_view name) {
    if (!features.emplace(name).second)
        return;
    for (const Implication& rule : kImplied)
        if (rule.feature == name)
            forEachWord(rule.implied, ' ', [&](std::string_view word) { add(features, word); });
}

void remove(Features& features, std::string_view name) {
    if (features.erase(std::string(name)) == 0)
        return;
    // Whatever needs it goes too.
    for (const Implication& rule : kImplied)
        forEachWord(rule.implied, ' ', [&](std::string_view word) {
            if (word == name)
                remove(features, rule.feature);
        });
}

const Cpu* findCpu(std::span<const Cpu> table, std::string_view name) {
    for (const Cpu& cpu : table) {
        bool found = false;
        forEachWord(cpu.names, '|', [&](std::string_view word) { found = found || word == name; });
        if (found)
            return &cpu;
    }
    return nullptr;
}

void addCpu(Features& features, std::span<const Cpu> table, std::string_view name) {
    const Cpu* cpu = findCpu(table, name);
    if (!cpu)
        return;
    if (!cpu->parent.empty())
        addCpu(features, table, cpu->parent);
    forEachWord(cpu->added, ' ', [&](std::string_view word) { add(features, word); });
}

std::span<const Cpu> tableOf(std::string_view architecture) {
    if (architecture == "x86_64" || architecture == "i386")
        return kX86;
    if (architecture == "aarch64")
        return kArm;
    if (architecture.starts_with("riscv"))
        return kRiscV;
    return {};
}

} // namespace

Features StaticCpuFeatures::features(const Target& target) {
    Features features;
    if (!target.isCpu())
        return features;
    const std::span<const Cpu> table = tableOf(target.architecture());
    const std::string mcpu = target.mcpu();
    addCpu(features, table, findCpu(table, mcpu) ? std::string_view(mcpu) : "generic");
    for (const std::string& change : target.mattr()) {
        if (change.starts_with('-'))
            remove(features, std::string_view(change).substr(1));
        else
            add(features, std::string_view(change).substr(change.starts_with('+') ? 1 : 0));
    }
    return features;
}

bool StaticCpuFeatures::hasFeature(const Target& target, std::string_view feature) const {
    return features(target).contains(feature);
}

bool StaticCpuFeatures::knowsCpu(std::string_view mcpu) {
    return findCpu(kX86, mcpu) || findCpu(kArm, mcpu) || findCpu(kRiscV, mcpu);
}

int simdWidthBits(const Target& target, const CpuFeatureSource& source) {
    if (!target.isCpu())
        return 0;
    if (const auto width = target.vectorWidth())
        return *width;
    const std::string architecture = target.architecture();
    const auto has = [&](std::string_view name) { return source.hasFeature(target, name); };
    if (architecture == "x86_64" || architecture == "i386")
        return has("avx512f") ? 512 : has("avx") ? 256 : 128;
    if (architecture.starts_with("riscv")) {
        for (const int bits : {1024, 512, 256})
            if (has("zvl" + std::to_string(bits) + "b"))
                return bits;
        return has("v") ? 128 : 0;
    }
    return has("neon") || architecture == "arm" ? 128 : 0;
}

} // namespace tilewright::target
