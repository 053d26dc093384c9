// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::runtime {

class KernelPool;

/// Writes the lines of a memory range back and drops them from all caches; where the architecture
/// offers no such instruction to programs, nothing happens.
void flushFromCaches(const void* memory, std::int64_t bytes);

/// Evicts everything from the caches by reading and writing 64 MiB on each of a pool's threads.
class CacheSweep {
public:
    void run(KernelPool& pool);

private:
    std::vector<std::vector<std::uint64_t>> buffers_;
};

} // namespace tilewright::runtime
