// SPDX-License-Identifier: Apache-2.0
#include <tilewright/op/compute.h>

#include <tilewright/analysis/block_access.h>
#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <algorithm>
#include <limits>

namespace tilewright::op {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

ir::Expr Tensor::operator()(const Axes& indices) const {
    TW_CHECK(indices.size() == rank())
        << name() << " has rank " << rank() << ", indexed with " << indices.size();
    return makeLoad(buffer_, indices);
}

Shape Tensor::shape() const {
    Shape extents;
    for (const Expr& extent : buffer_->shape) {
        const auto value = constInt(extent);
        TW_CHECK(value.has_value()) << "symbolic extent in " << name();
        extents.push_back(*value);
    }
    return extents;
}

ir::Expr identity(Reducer reducer, DataType type) {
    switch (reducer) {
    case Reducer::Sum:
        return makeConst(0, type);
    case Reducer::Prod:
        return makeConst(1, type);
    case Reducer::Max:
    case Reducer::Min:
        break;
    }
    const double sign = reducer == Reducer::Max ? -1 : 1;
    if (type.code == TypeCode::Float && type.bits == 16)
        return makeFloat(sign * 65504.0, type);
    if (type.code == TypeCode::BFloat)
        return makeFloat(sign * 3.3895313892515355e38, type);
    if (type.code == TypeCode::Float && type.bits == 32)
        return makeFloat(sign * static_cast<double>(std::numeric_limits<float>::max()), type);
    if (type.isFloating())
        return makeFloat(sign * std::numeric_limits<double>::max(), type);
    if (type.isInt()) {
        const auto highest = std::numeric_limits<std::int64_t>::max() >> (64 - type.bits);
        return makeInt(sign < 0 ? -highest - 1 : highest, type);
    }
    if (sign < 0)
        return makeInt(0, type);
    const auto highest =
        type.isBool() ? 1 : static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - type.bits));
    return makeInt(highest, type);
}

ir::Expr combine(Reducer reducer, const Expr& lhs, const Expr& rhs) {
    switch (reducer) {
    case Reducer::Sum:
        return add(lhs, rhs);
    case Reducer::Prod:
        return mul(lhs, rhs);
    case Reducer::Max:
        return maximum(lhs, rhs);
    case Reducer::Min:
        return minimum(lhs, rhs);
    }
    return lhs;
}

std::vector<Axis> axesOf(const Shape& shape, const std::string& prefix) {
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < shape.size(); ++i)
        axes.push_back({base::concat(prefix, i), shape[i]});
    return axes;
}

namespace {

struct Nest {
    std::vector<Var> loops;
    std::vector<Expr> extents;
    std::vector<IterVar> iters;
    Axes spatial;
    Axes reduce;
};

void addAxes(Nest& nest, const std::vector<Axis>& axes, IterType type) {
    for (const Axis& axis : axes) {
        const bool wide = axis.extent > std::numeric_limits<std::int32_t>::max();
        const DataType indexType = DataType::i(wide ? 64 : 32);
        Expr extent = makeInt(axis.extent, indexType);
        nest.loops.push_back(makeVar(axis.name, indexType));
        nest.extents.push_back(extent);
        Var iter = makeVar("v_" + axis.name, indexType);
        (type == IterType::CommReduce ? nest.reduce : nest.spatial).push_back(iter);
        nest.iters.push_back({Range::fromExtent(extent), iter, type});
    }
}

Stmt closeNest(const Nest& nest, const std::string& name, Stmt init, Stmt body) {
    Block block = built<BlockNode>([&](BlockNode& b) {
        b.name = name;
        b.iterVars = nest.iters;
        b.init = std::move(init);
        b.body = std::move(body);
    });
    block = analysis::withDetectedAccess(block);
    std::vector<Expr> bindings(nest.loops.begin(), nest.loops.end());
    Stmt stmt = makeBlockRealize(std::move(bindings), makeBool(true), block);
    for (std::size_t i = nest.loops.size(); i-- > 0;)
        stmt = makeFor(nest.loops[i], makeInt(0, nest.extents[i]->dtype), nest.extents[i],
                       ForKind::Serial, std::move(stmt));
    return stmt;
}

std::vector<Expr> extentsOf(const std::vector<Axis>& axes) {
    std::vector<Expr> extents;
    for (const Axis& axis : axes)
        extents.push_back(makeInt(axis.extent));
    return extents;
}

} // namespace

std::string ComputeBuilder::uniqueName(std::string name) {
    std::string candidate = name;
    for (int i = 1; std::find(names_.begin(), names_.end(), candidate) != names_.end(); ++i)
        candidate = base::concat(name, '_', i);
    names_.push_back(candidate);
    return candidate;
}

Tensor ComputeBuilder::input(std::string name, const Shape& shape, DataType type) {
    inputs_.push_back(makeBuffer(uniqueName(std::move(name)), type, shape));
    return Tensor(inputs_.back());
}

Tensor ComputeBuilder::compute(std::string name, const std::vector<Axis>& axes,
                               const std::function<Expr(const Axes&)>& element) {
    Nest nest;
    addAxes(nest, axes, IterType::DataPar);
    const Expr value = element(nest.spatial);
    Buffer buffer = makeBuffer(uniqueName(std::move(name)), value->dtype, extentsOf(axes));
    Stmt body = makeStore(buffer, value, nest.spatial);
    stages_.push_back({buffer, closeNest(nest, buffer->name, nullptr, std::move(body))});
    return Tensor(buffer);
}

Tensor ComputeBuilder::reduce(std::string name, const std::vector<Axis>& spatial,
                              const std::vector<Axis>& reduceAxes, Reducer reducer,
                              const std::function<Expr(const Axes&, const Axes&)>& element) {
    Nest nest;
    addAxes(nest, spatial, IterType::DataPar);
    addAxes(nest, reduceAxes, IterType::CommReduce);
    const Expr value = element(nest.spatial, nest.reduce);
    Buffer buffer = makeBuffer(uniqueName(std::move(name)), value->dtype, extentsOf(spatial));
    Stmt init = makeStore(buffer, identity(reducer, value->dtype), nest.spatial);
    Stmt body =
        makeStore(buffer, combine(reducer, makeLoad(buffer, nest.spatial), value), nest.spatial);
    stages_.push_back({buffer, closeNest(nest, buffer->name, std::move(init), std::move(body))});
    return Tensor(buffer);
}

Tensor ComputeBuilder::argReduce(std::string name, const std::vector<Axis>& spatial,
                                 const Axis& reduceAxis, bool largest, DataType indexType,
                                 const std::function<Expr(const Axes&, const Axes&)>& element) {
    Nest nest;
    addAxes(nest, spatial, IterType::DataPar);
    addAxes(nest, {reduceAxis}, IterType::CommReduce);
    const Expr value = element(nest.spatial, nest.reduce);
    const std::vector<Expr> extents = extentsOf(spatial);
    Buffer index = makeBuffer(uniqueName(name + "_v0"), indexType, extents);
    Buffer best = makeBuffer(uniqueName(name + "_v1"), value->dtype, extents);
    const Expr oldValue = makeLoad(best, nest.spatial);
    const Expr oldIndex = makeLoad(index, nest.spatial);
    const Expr newIndex = cast(indexType, nest.reduce[0]);
    const Expr better = largest ? greater(oldValue, value) : less(oldValue, value);
    const Expr keep =
        logicalOr(better, logicalAnd(equal(oldValue, value), less(oldIndex, newIndex)));
    // Both values are computed before either is stored, as in a tuple reduction.
    Var nextIndex = makeVar("v_" + index->name, indexType);
    Var nextValue = makeVar("v_" + best->name, value->dtype);
    Stmt init =
        makeSeq({makeStore(index, makeInt(-1, indexType), nest.spatial),
                 makeStore(best, identity(largest ? Reducer::Max : Reducer::Min, value->dtype),
                           nest.spatial)});
    Stmt body = makeSeq({Stmt(new BindNode(nextIndex, makeSelect(keep, oldIndex, newIndex))),
                         Stmt(new BindNode(nextValue, makeSelect(better, oldValue, value))),
                         makeStore(index, nextIndex, nest.spatial),
                         makeStore(best, nextValue, nest.spatial)});
    Stmt loops = closeNest(nest, name, std::move(init), std::move(body));
    stages_.push_back({best, nullptr});
    stages_.push_back({index, std::move(loops)});
    return Tensor(index);
}

void ComputeBuilder::markLayoutFree(const Tensor& tensor) {
    if (!isLayoutFree(tensor))
        layoutFree_.push_back(tensor.buffer().get());
}

bool ComputeBuilder::isLayoutFree(const Tensor& tensor) const {
    return std::find(layoutFree_.begin(), layoutFree_.end(), tensor.buffer().get()) !=
           layoutFree_.end();
}

ir::PrimFunc ComputeBuilder::finish(const std::vector<Tensor>& outputs,
                                    const std::string& name) const {
    std::vector<Buffer> params = inputs_;
    for (const Tensor& output : outputs)
        params.push_back(output.buffer());
    const auto isParam = [&](const Buffer& buffer) {
        return std::find(params.begin(), params.end(), buffer) != params.end();
    };
    std::vector<Stmt> nests;
    std::vector<Buffer> allocations;
    for (const Stage& stage : stages_) {
        if (stage.nest)
            nests.push_back(stage.nest);
        if (!isParam(stage.buffer))
            allocations.push_back(stage.buffer);
    }
    TW_CHECK(!nests.empty()) << "a function that computes nothing";
    Block root = built<BlockNode>([&](BlockNode& b) {
        b.name = "root";
        b.allocBuffers = allocations;
        b.body = makeSeq(std::move(nests));
    });
    return built<PrimFuncNode>([&](PrimFuncNode& f) {
        AttrValue::List free;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const Buffer& buffer = params[i];
            f.params.push_back({makeVar(buffer->name + "_handle", DataType::handle()), buffer});
            if (isLayoutFree(Tensor(buffer)))
                free.emplace_back(static_cast<std::int64_t>(i));
        }
        f.body = makeBlockRealize({}, makeBool(true), root);
        f.attrs.set("global_symbol", name);
        f.attrs.set("tirx.noalias", true);
        f.attrs.set("s_tir", true);
        if (!free.empty())
            f.attrs.set("layout_free_buffers", std::move(free));
    });
}

} // namespace tilewright::op
