// SPDX-License-Identifier: Apache-2.0
#include "cache_flush.h"

#include <tilewright/runtime/kernel_pool.h>

namespace tilewright::runtime {

namespace {
constexpr std::int64_t kLineBytes = 64;
constexpr std::size_t kSweepBytes = std::size_t{64} << 20;
} // namespace

void flushFromCaches(const void* memory, std::int64_t bytes) {
#if defined(__x86_64__)
    const char* at = static_cast<const char*>(memory);
    for (std::int64_t i = 0; i < bytes; i += kLineBytes)
        __builtin_ia32_clflush(at + i);
    __builtin_ia32_mfence();
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

void CacheSweep::run(KernelPool& pool) {
    buffers_.resize(static_cast<std::size_t>(pool.numThreads()));
    pool.run(pool.numThreads(), [this](std::int64_t begin, std::int64_t end) -> std::int32_t {
        for (std::int64_t worker = begin; worker < end; ++worker) {
            auto& buffer = buffers_[static_cast<std::size_t>(worker)];
            buffer.resize(kSweepBytes / sizeof(std::uint64_t));
            for (std::size_t i = 0; i < buffer.size(); i += kLineBytes / sizeof(std::uint64_t))
                ++buffer[i];
        }
        return TW_OK;
    });
}

} // namespace tilewright::runtime
