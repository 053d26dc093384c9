// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/runtime/element_type.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::runtime {

using TensorShape = std::vector<std::int64_t>;

/// Number of elements of a shape (1 for a scalar); nothing when an extent is negative or the count
/// or its bytes pass 2⁶².
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape);

/// Prints `(2, 3)`.
std::string toString(std::span<const std::int64_t> shape);

/// Owns a compact row-major n-d array aligned to 64 bytes, the form in which kernels take their
/// arguments. Moves, does not copy; `clone` copies on purpose.
class Tensor {
public:
    Tensor() = default;

    /// Allocates uninitialised memory. Errors: `tensor-type` for a type that tensors cannot hold,
    /// `tensor-shape` for a negative or overflowing shape, `out-of-memory`.
    static base::Result<Tensor> allocate(ElementType type, TensorShape shape);

    [[nodiscard]] ElementType type() const { return type_; }
    [[nodiscard]] const TensorShape& shape() const { return shape_; }
    [[nodiscard]] std::int64_t elements() const { return elements_; }
    [[nodiscard]] std::int64_t bytes() const { return elements_ * type_.bytes(); }
    [[nodiscard]] void* data() { return memory_.get(); }
    [[nodiscard]] const void* data() const { return memory_.get(); }

    /// The elements as T; T must have the element's size.
    template <class T> [[nodiscard]] std::span<T> as() {
        TW_CHECK(static_cast<std::int64_t>(sizeof(T)) == type_.bytes()) << toString(type_);
        return {static_cast<T*>(data()), static_cast<std::size_t>(elements_)};
    }
    template <class T> [[nodiscard]] std::span<const T> as() const {
        TW_CHECK(static_cast<std::int64_t>(sizeof(T)) == type_.bytes()) << toString(type_);
        return {static_cast<const T*>(data()), static_cast<std::size_t>(elements_)};
    }

    /// Element `index` of the row-major order as a double (64-bit integers lose low bits).
    [[nodiscard]] double valueAt(std::int64_t index) const;
    /// Stores a double, rounded to nearest for floating types and truncated for integers.
    void setValueAt(std::int64_t index, double value);

    /// Copies type, shape and contents; errors as allocate.
    [[nodiscard]] base::Result<Tensor> clone() const;

private:
    struct Free {
        void operator()(void* memory) const;
    };
    ElementType type_;
    TensorShape shape_;
    std::int64_t elements_ = 0;
    std::unique_ptr<void, Free> memory_;
};

} // namespace tilewright::runtime
