// SPDX-License-Identifier: Apache-2.0
#pragma once

// A small tensor-expression language: declare inputs, define tensors by their elements, and get the
// TensorIR function that TVM's te.create_prim_func would give: one loop nest and one block a
// tensor.
//
//     ComputeBuilder b;
//     Tensor a = b.input("A", {64, 32}), w = b.input("B", {32, 48});
//     Tensor c = b.reduce("C", {{"i", 64}, {"j", 48}}, {{"k", 32}}, Reducer::Sum,
//                         [&](const Axes& s, const Axes& r) { return a({s[0], r[0]}) * w({r[0],
//                         s[1]}); });
//     ir::PrimFunc matmul = b.finish({c});

#include <tilewright/ir/make.h>
#include <tilewright/ir/module.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::op {

using Shape = std::vector<std::int64_t>;
using Axes = std::vector<ir::Expr>;

/// A tensor of a computation: an input or the result of compute/reduce.
class Tensor {
public:
    Tensor() = default;
    explicit Tensor(ir::Buffer buffer) : buffer_(std::move(buffer)) {}
    /// The element at `indices` (one per dimension).
    [[nodiscard]] ir::Expr operator()(const Axes& indices) const;
    [[nodiscard]] const ir::Buffer& buffer() const { return buffer_; }
    /// Static extents.
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] std::size_t rank() const { return buffer_->shape.size(); }
    [[nodiscard]] ir::DataType dtype() const { return buffer_->dtype; }
    [[nodiscard]] const std::string& name() const { return buffer_->name; }

private:
    ir::Buffer buffer_;
};

/// A named axis. The loop is called `name`, the block iterator `v_name`.
struct Axis {
    std::string name;
    std::int64_t extent = 1;
};

enum class Reducer : std::uint8_t { Sum, Prod, Max, Min };

/// Identity of a reducer: 0, 1, the lowest and the highest value of the type.
ir::Expr identity(Reducer reducer, ir::DataType type);
/// lhs ⊕ rhs.
ir::Expr combine(Reducer reducer, const ir::Expr& lhs, const ir::Expr& rhs);
/// Axes named i0, i1, … over a shape.
std::vector<Axis> axesOf(const Shape& shape, const std::string& prefix = "i");

/// Builds one PrimFunc. Parameters are the inputs in the order of declaration, then the outputs.
/// Tensor names must be unique within a function; a taken name gets a numeric suffix.
class ComputeBuilder {
public:
    Tensor input(std::string name, const Shape& shape, ir::DataType type = ir::DataType::f(32));
    /// name[axes] = element(axes).
    Tensor compute(std::string name, const std::vector<Axis>& axes,
                   const std::function<ir::Expr(const Axes&)>& element);
    Tensor compute(std::string name, const Shape& shape,
                   const std::function<ir::Expr(const Axes&)>& element) {
        return compute(std::move(name), axesOf(shape), element);
    }
    /// name[spatial] = ⊕ over `reduce` of element(spatial, reduce).
    Tensor reduce(std::string name, const std::vector<Axis>& spatial,
                  const std::vector<Axis>& reduce, Reducer reducer,
                  const std::function<ir::Expr(const Axes&, const Axes&)>& element);
    /// Index of the largest (or smallest) element along one axis, first occurrence; int32 or int64.
    Tensor argReduce(std::string name, const std::vector<Axis>& spatial, const Axis& reduce,
                     bool largest, ir::DataType indexType,
                     const std::function<ir::Expr(const Axes&, const Axes&)>& element);
    /// Marks an input whose memory layout may be chosen at compile time (a weight).
    void markLayoutFree(const Tensor& input);
    [[nodiscard]] bool isLayoutFree(const Tensor& input) const;

    /// The function `main` with `global_symbol`, `tirx.noalias` (and `layout_free_buffers`).
    ir::PrimFunc finish(const std::vector<Tensor>& outputs, const std::string& name = "main") const;

private:
    std::string uniqueName(std::string name);
    struct Stage {
        ir::Buffer buffer;
        ir::Stmt nest;
    };
    std::vector<ir::Buffer> inputs_;
    std::vector<const ir::BufferNode*> layoutFree_;
    std::vector<Stage> stages_;
    std::vector<std::string> names_;
};

} // namespace tilewright::op
