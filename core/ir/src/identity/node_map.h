// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/node.h>

#include <cstdint>
#include <vector>

namespace tilewright::ir {

/// A small open-addressing map from nodes to a trivially copyable value; faster than the standard
/// one for the few dozen definitions of a function.
template <class Value> class NodeMap {
public:
    NodeMap() : slots_(kInitialSlots) {}

    [[nodiscard]] const Value* find(const Node* node) const {
        for (std::size_t i = indexOf(node);; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i].node == node)
                return &slots_[i].value;
            if (!slots_[i].node)
                return nullptr;
        }
    }
    /// Adds or replaces.
    void set(const Node* node, Value value) {
        if ((count_ + 1) * 2 > slots_.size())
            grow();
        for (std::size_t i = indexOf(node);; i = (i + 1) & (slots_.size() - 1)) {
            if (!slots_[i].node) {
                ++count_;
                slots_[i] = {node, value};
                return;
            }
            if (slots_[i].node == node) {
                slots_[i].value = value;
                return;
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    static constexpr std::size_t kInitialSlots = 64;
    struct Slot {
        const Node* node = nullptr;
        Value value{};
    };
    [[nodiscard]] std::size_t indexOf(const Node* node) const {
        const auto bits = reinterpret_cast<std::uintptr_t>(node);
        return ((bits >> 4) * 0x9e3779b97f4a7c15ULL >> 32) & (slots_.size() - 1);
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        count_ = 0;
        for (const Slot& slot : old) {
            if (slot.node)
                set(slot.node, slot.value);
        }
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace tilewright::ir
