// SPDX-License-Identifier: Apache-2.0
#include "cpuid.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tilewright::target {
namespace {

using Features = std::set<std::string, std::less<>>;

std::string intelName(unsigned family, unsigned model, const Features& features) {
    const auto has = [&](const char* name) { return features.contains(name); };
    if (family == 6) {
        switch (model) {
        case 0x1a:
        case 0x1e:
        case 0x1f:
        case 0x2e:
            return "nehalem";
        case 0x25:
        case 0x2c:
        case 0x2f:
            return "westmere";
        case 0x2a:
        case 0x2d:
            return "sandybridge";
        case 0x3a:
        case 0x3e:
            return "ivybridge";
        case 0x3c:
        case 0x3f:
        case 0x45:
        case 0x46:
            return "haswell";
        case 0x3d:
        case 0x47:
        case 0x4f:
        case 0x56:
            return "broadwell";
        case 0x4e:
        case 0x5e:
        case 0x8e:
        case 0x9e:
        case 0xa5:
        case 0xa6:
            return "skylake";
        case 0x55:
            return has("avx512bf16")   ? "cooperlake"
                   : has("avx512vnni") ? "cascadelake"
                                       : "skylake-avx512";
        case 0x66:
            return "cannonlake";
        case 0x7d:
        case 0x7e:
            return "icelake-client";
        case 0x6a:
        case 0x6c:
            return "icelake-server";
        case 0xa7:
            return "rocketlake";
        case 0x8c:
        case 0x8d:
            return "tigerlake";
        case 0x8f:
            return "sapphirerapids";
        case 0xcf:
            return "emeraldrapids";
        case 0xad:
            return "graniterapids";
        case 0xae:
            return "graniterapids-d";
        case 0x97:
        case 0x9a:
        case 0xbe:
            return "alderlake";
        case 0xb7:
        case 0xba:
        case 0xbf:
            return "raptorlake";
        case 0xaa:
        case 0xac:
            return "meteorlake";
        case 0xc5:
        case 0xb5:
        case 0xc6:
            return "arrowlake";
        case 0xbd:
            return "lunarlake";
        case 0xaf:
            return "sierraforest";
        default:
            break;
        }
    }
    return "";
}

std::string amdName(unsigned family, unsigned model) {
    switch (family) {
    case 0x15:
        return model >= 0x60   ? "bdver4"
               : model >= 0x30 ? "bdver3"
               : model >= 2    ? "bdver2"
                               : "bdver1";
    case 0x16:
        return "btver2";
    case 0x17:
        return (model >= 0x30 && model != 0x50 && model != 0x18) ? "znver2" : "znver1";
    case 0x19:
        return (model >= 0x10 && model <= 0x1f) || (model >= 0x60 && model <= 0x7f) ||
                       (model >= 0xa0 && model <= 0xaf)
                   ? "znver4"
                   : "znver3";
    case 0x1a:
        return "znver5";
    default:
        return "";
    }
}

#if defined(__x86_64__)

struct Registers {
    unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf, unsigned sub = 0) {
    Registers r;
    if (!__get_cpuid_count(leaf, sub, &r.a, &r.b, &r.c, &r.d))
        return {};
    return r;
}

std::uint64_t enabledStates() {
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
}

struct Bit {
    unsigned bit;
    const char* name;
};

void take(Features& features, unsigned word, std::initializer_list<Bit> bits) {
    for (const Bit& entry : bits)
        if (word >> entry.bit & 1U)
            features.insert(entry.name);
}

/// The operating system must save the wide registers, or the instructions fault.
void dropWithoutState(Features& features, bool osxsave) {
    const std::uint64_t states = osxsave ? enabledStates() : 0;
    const auto drop = [&](const char* prefix) {
        std::erase_if(features, [&](const std::string& name) { return name.starts_with(prefix); });
    };
    if ((states & 0x6) != 0x6) {
        drop("avx");
        for (const char* name : {"fma", "fma4", "f16c", "xop", "vaes", "vpclmulqdq"})
            features.erase(name);
    }
    if ((states & 0xe6) != 0xe6)
        drop("avx512");
    if ((states & 0x60000) != 0x60000)
        drop("amx");
}

Features readFeatures() {
    Features features{"sse", "sse2", "mmx", "cx8", "fxsr"};
    const Registers one = cpuid(1);
    take(features, one.c,
         {{0, "sse3"},
          {1, "pclmul"},
          {9, "ssse3"},
          {12, "fma"},
          {13, "cx16"},
          {19, "sse4.1"},
          {20, "sse4.2"},
          {22, "movbe"},
          {23, "popcnt"},
          {25, "aes"},
          {28, "avx"},
          {29, "f16c"},
          {30, "rdrnd"}});
    const Registers seven = cpuid(7);
    take(features, seven.b,
         {{3, "bmi"},
          {5, "avx2"},
          {8, "bmi2"},
          {16, "avx512f"},
          {17, "avx512dq"},
          {18, "rdseed"},
          {19, "adx"},
          {21, "avx512ifma"},
          {23, "clflushopt"},
          {24, "clwb"},
          {28, "avx512cd"},
          {29, "sha"},
          {30, "avx512bw"},
          {31, "avx512vl"}});
    take(features, seven.c,
         {{1, "avx512vbmi"},
          {6, "avx512vbmi2"},
          {8, "gfni"},
          {9, "vaes"},
          {10, "vpclmulqdq"},
          {11, "avx512vnni"},
          {12, "avx512bitalg"},
          {14, "avx512vpopcntdq"}});
    take(features, seven.d,
         {{8, "avx512vp2intersect"},
          {22, "amx-bf16"},
          {23, "avx512fp16"},
          {24, "amx-tile"},
          {25, "amx-int8"}});
    if (seven.a >= 1) {
        const Registers more = cpuid(7, 1);
        take(features, more.a,
             {{4, "avxvnni"}, {5, "avx512bf16"}, {21, "amx-fp16"}, {23, "avxifma"}});
        take(features, more.d, {{4, "avxvnniint8"}});
    }
    take(features, cpuid(0x80000001).c,
         {{0, "sahf"}, {5, "lzcnt"}, {6, "sse4a"}, {11, "xop"}, {16, "fma4"}});
    dropWithoutState(features, (one.c >> 27 & 1U) != 0);
    return features;
}

std::string readBrand() {
    std::array<unsigned, 12> words{};
    for (unsigned i = 0; i < 3; ++i) {
        const Registers r = cpuid(0x80000002 + i);
        const unsigned part[] = {r.a, r.b, r.c, r.d};
        std::memcpy(words.data() + 4 * std::size_t{i}, part, sizeof part);
    }
    std::array<char, sizeof words + 1> text{};
    std::memcpy(text.data(), words.data(), sizeof words);
    std::string brand = text.data();
    const std::size_t begin = brand.find_first_not_of(' ');
    const std::size_t end = brand.find_last_not_of(' ');
    return begin == std::string::npos ? "" : brand.substr(begin, end - begin + 1);
}

#endif

} // namespace

std::string x86CpuName(const std::string& vendor, unsigned family, unsigned model,
                       const Features& features) {
    std::string name = vendor == "GenuineIntel"   ? intelName(family, model, features)
                       : vendor == "AuthenticAMD" ? amdName(family, model)
                                                  : "";
    if (!name.empty())
        return name;
    const auto has = [&](const char* feature) { return features.contains(feature); };
    // An unknown or hidden model: what it can do names it.
    if (has("avx512vnni") && has("avx512vl"))
        return vendor == "AuthenticAMD" ? "znver4" : "cascadelake";
    if (has("avx512vl") && has("avx512bw") && has("avx512dq"))
        return "x86-64-v4";
    if (has("avx2") && has("fma"))
        return "x86-64-v3";
    return has("sse4.2") ? "x86-64-v2" : "x86-64";
}

void readCpuid([[maybe_unused]] HostInfo& info) {
#if defined(__x86_64__)
    const Registers zero = cpuid(0);
    char vendor[13] = {};
    std::memcpy(vendor, &zero.b, 4);
    std::memcpy(vendor + 4, &zero.d, 4);
    std::memcpy(vendor + 8, &zero.c, 4);
    const Registers one = cpuid(1);
    unsigned family = one.a >> 8 & 0xf;
    unsigned model = one.a >> 4 & 0xf;
    if (family == 0xf)
        family += one.a >> 20 & 0xff;
    if (family == 6 || family >= 0xf)
        model += (one.a >> 16 & 0xf) << 4;
    info.features = readFeatures();
    info.cpuName = x86CpuName(vendor, family, model, info.features);
    info.cpuBrand = readBrand();
    if (const int line = static_cast<int>(one.b >> 8 & 0xff) * 8; line > 0)
        info.cacheLineBytes = line;
#endif
}

} // namespace tilewright::target
