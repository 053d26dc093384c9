// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace tilewright::ir {

enum class NodeKind : std::uint8_t {
#define TW_EXPR(Kind, Class) Kind,
#define TW_STMT(Kind, Class) Kind,
#include <tilewright/ir/node_kinds.def>
    Buffer,
    PrimFunc
};

/// Base of every IR node: immutable after construction, intrusively counted, shared across threads.
/// Nodes are made only by the factory functions and identified by address (variables, buffers).
class Node {
public:
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    [[nodiscard]] NodeKind kind() const { return kind_; }
    void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() const {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }
    /// True when exactly one handle refers to this node, so a copy-on-write edit may reuse it.
    [[nodiscard]] bool unique() const { return references_.load(std::memory_order_acquire) == 1; }

protected:
    explicit Node(NodeKind kind) : kind_(kind) {}
    virtual ~Node() = default;

private:
    mutable std::atomic<std::uint32_t> references_{0};
    NodeKind kind_;
};

/// Counted handle to an immutable node. A null handle stands for "absent" and is allowed only where
/// a field's comment says so. `a == b` compares identity, never structure.
template <class T> class Ref {
public:
    using element_type = T;
    Ref() = default;
    Ref(std::nullptr_t) {}
    explicit Ref(const T* node) : node_(node) {
        if (node_)
            node_->retain();
    }
    Ref(const Ref& other) : node_(other.node_) {
        if (node_)
            node_->retain();
    }
    Ref(Ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    template <class U>
        requires(std::is_base_of_v<T, U> && !std::is_same_v<T, U>)
    Ref(const Ref<U>& other) : Ref(static_cast<const T*>(other.get())) {}
    template <class U>
        requires(std::is_base_of_v<T, U> && !std::is_same_v<T, U>)
    Ref(Ref<U>&& other) noexcept : node_(other.detach()) {}
    ~Ref() {
        if (node_)
            node_->release();
    }
    Ref& operator=(Ref other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }

    [[nodiscard]] const T* get() const { return node_; }
    const T* operator->() const { return node_; }
    const T& operator*() const { return *node_; }
    explicit operator bool() const { return node_ != nullptr; }
    /// Gives up ownership without releasing.
    const T* detach() { return std::exchange(node_, nullptr); }
    friend bool operator==(const Ref& a, const Ref& b) { return a.node_ == b.node_; }
    friend bool operator==(const Ref& a, std::nullptr_t) { return a.node_ == nullptr; }

private:
    const T* node_ = nullptr;
};

/// Checked downcast: null when the node is of another class. `as<ForNode>(stmt)`.
/// For classes that serve one kind only (all but BinaryNode).
template <class T, class U> const T* as(const Ref<U>& ref) {
    return ref && T::classof(ref->kind()) ? static_cast<const T*>(ref.get()) : nullptr;
}
template <class T, class U> const T* as(const U* node) {
    return node && T::classof(node->kind()) ? static_cast<const T*>(node) : nullptr;
}
/// Downcast to a handle; null handle when the node is of another class.
template <class T, class U> Ref<T> refAs(const Ref<U>& ref) { return Ref<T>(as<T>(ref)); }

} // namespace tilewright::ir

template <class T> struct std::hash<tilewright::ir::Ref<T>> {
    std::size_t operator()(const tilewright::ir::Ref<T>& ref) const noexcept {
        return std::hash<const void*>{}(ref.get()) * 0x9e3779b97f4a7c15ULL >> 3;
    }
};
