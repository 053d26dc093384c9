// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/stmt.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tilewright::analysis {

enum class DependenceKind : std::uint8_t { Raw = 0, Waw = 1, War = 2, Opaque = 3 };

/// `target` depends on `source`; both are positions among a scope's child blocks.
struct Dependence {
    int source = 0;
    int target = 0;
    DependenceKind kind = DependenceKind::Raw;
};

/// How many blocks of a scope write each buffer.
class BufferWriters {
public:
    /// Counts one more writing block. Call once per (block, buffer).
    void add(const ir::BufferNode* buffer);
    /// Keeps the count already present when the buffer is known in both.
    void mergeKeeping(const BufferWriters& other);
    [[nodiscard]] int count(const ir::BufferNode* buffer) const;

private:
    std::vector<std::pair<const ir::BufferNode*, int>> counts_;
};

/// Dependences between the direct child blocks of one scope, found from the identity of the buffers
/// in their read and write lists (regions are ignored), children in textual order.
class DependenceGraph {
public:
    DependenceGraph() = default;
    explicit DependenceGraph(std::span<const ir::BlockNode* const> children);

    /// In order of discovery.
    [[nodiscard]] const std::vector<Dependence>& dependences() const { return dependences_; }
    /// Children whose results `child` reads or overwrites (RAW and WAW), without repetition.
    [[nodiscard]] std::vector<int> producers(int child) const;
    /// Children that read or overwrite the results of `child`.
    [[nodiscard]] std::vector<int> consumers(int child) const;
    [[nodiscard]] const BufferWriters& writers() const { return writers_; }
    /// Children that write the buffer, in textual order.
    [[nodiscard]] std::vector<int> writersOf(const ir::BufferNode* buffer) const;

private:
    std::vector<Dependence> dependences_;
    BufferWriters writers_;
    std::vector<std::pair<const ir::BufferNode*, std::vector<int>>> writerLists_;
};

} // namespace tilewright::analysis
