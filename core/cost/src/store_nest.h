// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_forms.h"

#include <tilewright/ir/module.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::cost {

/// A loop that stands above stores (loops that features do not see are left out).
struct NestLoop {
    int parent = -1; ///< enclosing loop, -1 = none
    int depth = 0;   ///< 0 = outermost
    ir::ForKind kind = ir::ForKind::Serial;
    const std::string* threadTag = nullptr;
    std::int64_t extent = 1;      ///< 1 when it is not constant
    std::int64_t product = 1;     ///< of the extents from the outermost loop to this one
    std::int64_t unrollSteps = 0; ///< pragma_auto_unroll_max_step in force here
};

/// A buffer as stores see it, after allocations were shrunk to the regions used.
struct NestBuffer {
    const ir::BufferNode* node = nullptr;
    std::vector<std::int64_t> shape;
    bool parameter = false;
    bool allocated = false; ///< by a block of the function
    int scope = -1;         ///< innermost scope around all uses of an allocated buffer
    bool used = false;
    int loop = -1; ///< innermost loop around the allocation
    [[nodiscard]] std::int64_t elements() const;
    [[nodiscard]] int elementBytes() const {
        return node->dtype.elementBytes() * node->dtype.lanes;
    }
};

/// A place in the code where a buffer is read or written.
struct NestAccess {
    int buffer = 0;
    std::uint32_t firstIndex = 0; ///< in StoreNest::indices
    std::uint32_t rank = 0;
    int loop = -1;
};

/// Number of operations per execution, by type and kind.
struct OpCounts {
    enum Kind : std::uint8_t { MulAdd, AddSub, Mul, DivMod, Compare, Math, Other, kKinds };
    std::array<std::int64_t, kKinds> floating{};
    std::array<std::int64_t, kKinds> integer{};
    std::int64_t boolean = 0;
    std::int64_t select = 0;
};

/// A store of something else than a constant.
struct NestStore {
    int loop = -1;
    std::uint32_t access = 0;  ///< where it writes
    std::uint32_t loadEnd = 0; ///< accesses (access, loadEnd) are what its value reads
    OpCounts ops;
};

/// Everything of a function that features are made of: loops, buffers, and stores with their
/// indices over the loops, blocks and single iterations substituted away.
struct StoreNest {
    IndexForms forms;
    std::vector<NestLoop> loops;
    std::vector<NestBuffer> buffers;
    std::vector<NestAccess> accesses;
    std::vector<IndexForm> indices;
    std::vector<NestStore> stores;
    std::array<bool, 8> workload{}; ///< which kinds of blocks occur (extract_workload)
};

/// Reads a scheduled function.
void collectStores(const ir::PrimFuncNode& function, StoreNest& nest);
/// Shrinks allocated buffers to what is used below their allocation, and their indices with them.
void compactAllocations(StoreNest& nest);

} // namespace tilewright::cost
