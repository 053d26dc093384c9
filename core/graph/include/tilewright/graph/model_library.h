// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/graph/execution_plan.h>
#include <tilewright/runtime/kernel_library.h>
#include <tilewright/runtime/kernel_pool.h>
#include <tilewright/runtime/tensor.h>

#include <span>
#include <string>
#include <vector>

namespace tilewright::graph {

/// A compiled model, loaded. Movable; one run at a time.
class ModelLibrary {
public:
    /// Loads a library that compileModel made. Errors: `library` when it is none, was made for
    /// another ABI or needs CPU features that are missing, `model-metadata` when its metadata
    /// are missing or damaged.
    static base::Result<ModelLibrary> open(const std::string& path);

    [[nodiscard]] const ExecutionPlan& plan() const { return plan_; }

    /// Checks number, types and shapes of tensors for the model's inputs; the error
    /// (`shape-mismatch`) names the input, what was found and what is wanted.
    [[nodiscard]] base::Result<void> checkInputs(std::span<const runtime::Tensor> inputs) const;
    /// Makes tensors for the outputs.
    [[nodiscard]] base::Result<std::vector<runtime::Tensor>> makeOutputs() const;

    /// Runs the model once. Inputs and outputs in the plan's order. Error `run`: the code of the
    /// kernel that failed.
    base::Result<void> run(std::span<const runtime::Tensor> inputs,
                           std::span<runtime::Tensor> outputs, runtime::KernelPool& pool) const;

    /// Runs the model call by call; `seconds` receives the time of each call of the plan.
    base::Result<void> runTimed(std::span<const runtime::Tensor> inputs,
                                std::span<runtime::Tensor> outputs, runtime::KernelPool& pool,
                                std::vector<double>& seconds);

private:
    explicit ModelLibrary(runtime::KernelLibrary library) : library_(std::move(library)) {}
    base::Result<void> bind(const std::string& path);

    runtime::KernelLibrary library_;
    ExecutionPlan plan_;
    tw_kernel run_ = nullptr;
    std::vector<tw_kernel> kernels_; ///< one a call
    std::vector<const void*> constants_;
    runtime::Tensor scratch_; ///< for runTimed
};

} // namespace tilewright::graph
