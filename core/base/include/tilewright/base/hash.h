// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilewright::base {

/// Mixes `value` into `seed`; stable across processes, platforms and releases (it is stored).
constexpr std::uint64_t hashCombine(std::uint64_t seed, std::uint64_t value) {
    std::uint64_t x = seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// FNV-1a over bytes, then mixed; stable like hashCombine.
constexpr std::uint64_t hashBytes(std::string_view bytes) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : bytes) {
        h ^= static_cast<unsigned char>(c);
        h *= 0x100000001b3ULL;
    }
    return hashCombine(h, bytes.size());
}

} // namespace tilewright::base
