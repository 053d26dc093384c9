// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/model_library.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/model_abi.h>

#include <algorithm>
#include <chrono>

namespace tilewright::graph {

namespace {

runtime::ElementType toRuntime(ElementType type) {
    const auto parsed = runtime::parseElementType(toString(type));
    TW_CHECK(parsed.has_value()) << toString(type);
    return *parsed;
}

base::Result<void> codeError(const std::string& kernel, std::int32_t code) {
    if (code == TW_OK)
        return {};
    return base::Unexpected(
        base::Diagnostic("run", base::concat(kernel, " ended with code ", code,
                                             code == TW_NO_MEMORY ? " (out of memory)" : "")));
}

} // namespace

base::Result<ModelLibrary> ModelLibrary::open(const std::string& path) {
    auto library = runtime::KernelLibrary::open(path);
    if (!library)
        return base::Unexpected(library.error());
    ModelLibrary model(std::move(*library));
    try {
        auto bound = model.bind(path);
        if (!bound)
            return base::Unexpected(bound.error());
    } catch (const base::UserError& error) {
        return base::Unexpected(error.diagnostic());
    }
    return model;
}

base::Result<void> ModelLibrary::bind(const std::string& path) {
    const auto refuse = [&](const std::string& what) {
        return base::Unexpected(base::Diagnostic(
            "model-metadata",
            base::concat(path, ": ", what, "; a library made by tilewright compile is wanted")));
    };
    const auto* metadata = static_cast<const char*>(library_.symbol(TW_MODEL_METADATA_SYMBOL));
    run_ = library_.kernel(TW_MODEL_RUN_SYMBOL);
    if (metadata == nullptr || run_ == nullptr)
        return refuse("this library holds no model");
    plan_ = planFromJson(metadata, path);
    for (const PlanCall& call : plan_.calls) {
        kernels_.push_back(library_.kernel(call.kernel));
        if (kernels_.back() == nullptr)
            return refuse(base::concat("kernel ", call.kernel, " is missing"));
    }
    for (std::size_t i = 0; i < plan_.constants.size(); ++i) {
        constants_.push_back(library_.symbol(base::concat(TW_MODEL_CONSTANT_PREFIX, i)));
        if (constants_.back() == nullptr)
            return refuse(base::concat("constant ", i, " is missing"));
    }
    return {};
}

base::Result<void> ModelLibrary::checkInputs(std::span<const runtime::Tensor> inputs) const {
    if (inputs.size() != plan_.inputs.size())
        return base::Unexpected(base::Diagnostic(
            "shape-mismatch",
            base::concat(inputs.size(), " inputs given, the model has ", plan_.inputs.size())));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PlanTensor& want = plan_.inputs[i];
        if (inputs[i].type() == toRuntime(want.type.dtype) && inputs[i].shape() == want.type.shape)
            continue;
        return base::Unexpected(base::Diagnostic(
            "shape-mismatch",
            base::concat("input \"", want.name, "\" is ", runtime::toString(inputs[i].type()),
                         runtime::toString(inputs[i].shape()), ", the model takes ",
                         toString(want.type))));
    }
    return {};
}

base::Result<std::vector<runtime::Tensor>> ModelLibrary::makeOutputs() const {
    std::vector<runtime::Tensor> outputs;
    for (const PlanTensor& output : plan_.outputs) {
        auto tensor = runtime::Tensor::allocate(toRuntime(output.type.dtype), output.type.shape);
        if (!tensor)
            return base::Unexpected(tensor.error());
        outputs.push_back(std::move(*tensor));
    }
    return outputs;
}

base::Result<void> ModelLibrary::run(std::span<const runtime::Tensor> inputs,
                                     std::span<runtime::Tensor> outputs,
                                     runtime::KernelPool& pool) const {
    TW_CHECK(inputs.size() == plan_.inputs.size() && outputs.size() == plan_.outputs.size());
    std::vector<void*> data;
    for (const runtime::Tensor& tensor : inputs)
        data.push_back(const_cast<void*>(tensor.data())); // kernels only read inputs
    for (runtime::Tensor& tensor : outputs)
        data.push_back(tensor.data());
    return codeError("the model", run_(data.data(), pool.handle()));
}

base::Result<void> ModelLibrary::runTimed(std::span<const runtime::Tensor> inputs,
                                          std::span<runtime::Tensor> outputs,
                                          runtime::KernelPool& pool, std::vector<double>& seconds) {
    TW_CHECK(inputs.size() == plan_.inputs.size() && outputs.size() == plan_.outputs.size());
    if (scratch_.bytes() < plan_.scratchBytes) {
        auto memory = runtime::Tensor::allocate(toRuntime(ElementType::UInt8),
                                                {std::max<std::int64_t>(plan_.scratchBytes, 1)});
        if (!memory)
            return base::Unexpected(memory.error());
        scratch_ = std::move(*memory);
    }
    seconds.assign(plan_.calls.size(), 0.0);
    std::vector<void*> data;
    for (std::size_t c = 0; c < plan_.calls.size(); ++c) {
        data.clear();
        for (const PlanBuffer& buffer : plan_.calls[c].arguments) {
            const auto index = static_cast<std::size_t>(buffer.index);
            switch (buffer.place) {
            case PlanBuffer::Place::Input:
                data.push_back(const_cast<void*>(inputs[index].data()));
                break;
            case PlanBuffer::Place::Output:
                data.push_back(outputs[index].data());
                break;
            case PlanBuffer::Place::Constant:
                data.push_back(const_cast<void*>(constants_[index]));
                break;
            case PlanBuffer::Place::Scratch:
                data.push_back(static_cast<char*>(scratch_.data()) + buffer.offset);
                break;
            }
        }
        const auto start = std::chrono::steady_clock::now();
        const std::int32_t code = kernels_[c](data.data(), pool.handle());
        const auto end = std::chrono::steady_clock::now();
        seconds[c] = std::chrono::duration<double>(end - start).count();
        if (code != TW_OK)
            return codeError(plan_.calls[c].kernel, code);
    }
    return {};
}

} // namespace tilewright::graph
