// SPDX-License-Identifier: Apache-2.0
#include <tilewright/interp/interpreter.h>

#include "compiler.h"
#include "scalar_type.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>

namespace tilewright::interp {

using ir::as;

namespace {

[[noreturn]] void mismatch(std::string message) {
    throw base::UserError("argument-mismatch", std::move(message));
}

/// How a tensor of this element type is called in memory.
bool fits(runtime::ElementType type, ir::DataType expected) {
    using Code = runtime::TypeCode;
    if (type.bits != expected.bits)
        return false;
    switch (expected.code) {
    case ir::TypeCode::Int:
        return type.code == Code::Int;
    case ir::TypeCode::UInt:
        return type.code == Code::UInt;
    case ir::TypeCode::Float:
        return type.code == Code::Float;
    case ir::TypeCode::BFloat:
        return type.code == Code::BFloat;
    case ir::TypeCode::Bool:
        return type.code == Code::Bool;
    default:
        return false;
    }
}

} // namespace

struct Interpreter::Program {
    struct TensorParam {
        ir::Buffer buffer;
        int slot;
    };
    struct ScalarParam {
        std::string name;
        int slot;
        bool isReal;
    };
    /// Extent of a parameter that is no plain variable: checked when all variables are known.
    struct Check {
        std::size_t tensor;
        std::size_t dimension;
        IntPtr code;
    };
    std::vector<TensorParam> tensors;
    std::vector<ScalarParam> scalars;
    std::vector<std::pair<std::size_t, std::pair<std::size_t, int>>> bindings;
    std::vector<Check> checks;
    std::vector<int> zeroVars; ///< element offsets
    std::vector<std::pair<int, std::pair<std::size_t, std::size_t>>> strideVars;
    StmtPtr body;
    int ints = 0;
    int reals = 0;
    int views = 0;
    int memories = 0;

    void bindTensor(Frame& frame, std::size_t index, runtime::Tensor& tensor) const;
};

void Interpreter::Program::bindTensor(Frame& frame, std::size_t index,
                                      runtime::Tensor& tensor) const {
    const TensorParam& param = tensors[index];
    const ir::BufferNode& buffer = *param.buffer;
    if (!fits(tensor.type(), buffer.dtype))
        mismatch(base::concat("parameter ", buffer.name, " is of type ", toString(buffer.dtype),
                              ", the tensor of ", runtime::toString(tensor.type())));
    if (tensor.shape().size() != buffer.shape.size())
        mismatch(base::concat("parameter ", buffer.name, " has ", buffer.shape.size(),
                              " dimensions, the tensor ", tensor.shape().size()));
    View& view = frame.views[static_cast<std::size_t>(param.slot)];
    view.data = static_cast<std::uint8_t*>(tensor.data());
    view.elements = tensor.elements();
    std::int64_t stride = 1;
    for (std::size_t i = tensor.shape().size(); i-- > 0;) {
        view.shape[i] = tensor.shape()[i];
        view.strides[i] = stride;
        stride *= tensor.shape()[i];
    }
}

Interpreter::Interpreter(const ir::PrimFunc& function) {
    auto program = std::make_unique<Program>();
    Compiler compiler;
    std::vector<std::pair<std::size_t, std::size_t>> later;
    for (const ir::Param& param : function->params) {
        if (param.buffer) {
            program->tensors.push_back({param.buffer, compiler.defineBuffer(param.buffer.get())});
        } else if (!param.var->dtype.isHandle()) {
            program->scalars.push_back({param.var->name, compiler.defineVar(param.var.get()),
                                        param.var->dtype.isFloating()});
        }
    }
    for (std::size_t t = 0; t < program->tensors.size(); ++t) {
        const ir::BufferNode& buffer = *program->tensors[t].buffer;
        for (std::size_t d = 0; d < buffer.shape.size(); ++d) {
            const auto* var = as<ir::VarNode>(buffer.shape[d]);
            if (var && !compiler.isDefined(var))
                program->bindings.push_back({t, {d, compiler.defineVar(var)}});
            else
                later.emplace_back(t, d);
        }
    }
    for (std::size_t t = 0; t < program->tensors.size(); ++t) {
        const ir::BufferNode& buffer = *program->tensors[t].buffer;
        for (std::size_t d = 0; d < buffer.strides.size(); ++d) {
            const auto* var = as<ir::VarNode>(buffer.strides[d]);
            if (var && !compiler.isDefined(var))
                program->strideVars.push_back({compiler.defineVar(var), {t, d}});
        }
        const auto* offset = as<ir::VarNode>(buffer.elemOffset);
        if (offset && !compiler.isDefined(offset))
            program->zeroVars.push_back(compiler.defineVar(offset));
    }
    for (const auto& [t, d] : later)
        program->checks.push_back({t, d, compiler.ints(program->tensors[t].buffer->shape[d])});
    program->body = compiler.stmt(function->body);
    program->ints = compiler.intSlots();
    program->reals = compiler.realSlots();
    program->views = compiler.bufferSlots();
    program->memories = compiler.memorySlots();
    program_ = std::move(program);
}

Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter::~Interpreter() = default;

void Interpreter::run(std::span<runtime::Tensor* const> tensors,
                      std::span<const std::int64_t> scalars, const RunOptions& options) const {
    const Program& program = *program_;
    if (tensors.size() != program.tensors.size())
        mismatch(base::concat("the function takes ", program.tensors.size(), " tensors, not ",
                              tensors.size()));
    if (scalars.size() != program.scalars.size())
        mismatch(base::concat("the function takes ", program.scalars.size(), " numbers, not ",
                              scalars.size()));
    Frame frame;
    frame.ints.resize(static_cast<std::size_t>(program.ints));
    frame.reals.resize(static_cast<std::size_t>(program.reals));
    frame.views.resize(static_cast<std::size_t>(program.views));
    frame.memory.resize(static_cast<std::size_t>(program.memories));
    frame.iterationsLeft = options.maxIterations > 0 ? options.maxIterations : -1;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
        const auto slot = static_cast<std::size_t>(program.scalars[i].slot);
        if (program.scalars[i].isReal)
            frame.reals[slot] = static_cast<double>(scalars[i]);
        else
            frame.ints[slot] = scalars[i];
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        program.bindTensor(frame, i, *tensors[i]);
    for (const auto& [tensor, place] : program.bindings)
        frame.ints[static_cast<std::size_t>(place.second)] = tensors[tensor]->shape()[place.first];
    for (const auto& [slot, place] : program.strideVars)
        frame.ints[static_cast<std::size_t>(slot)] =
            frame.views[static_cast<std::size_t>(program.tensors[place.first].slot)]
                .strides[place.second];
    for (const Program::Check& check : program.checks) {
        const std::int64_t expected = check.code->eval(frame, 0);
        const std::int64_t found = tensors[check.tensor]->shape()[check.dimension];
        if (expected != found)
            mismatch(base::concat("dimension ", check.dimension, " of parameter ",
                                  program.tensors[check.tensor].buffer->name, " is ", expected,
                                  ", of the tensor ", found));
    }
    program.body->exec(frame);
}

void run(const ir::PrimFunc& function, std::span<runtime::Tensor* const> tensors,
         std::span<const std::int64_t> scalars, const RunOptions& options) {
    Interpreter(function).run(tensors, scalars, options);
}

} // namespace tilewright::interp
