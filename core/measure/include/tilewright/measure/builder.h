// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/module.h>
#include <tilewright/measure/status.h>
#include <tilewright/target/target.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace tilewright::measure {

/// A compiled candidate: the bytes of an ELF shared object and the kernel's name in it.
struct Artifact {
    std::string image;
    std::string function;
};

/// What to compile: a scheduled module, before lowering.
struct BuilderInput {
    ir::Module module;
    target::Target target;
};

/// Exactly one of `artifact` and `failure` is set (statuses build, build-timeout, cancelled).
struct BuilderResult {
    std::shared_ptr<const Artifact> artifact;
    std::optional<Failure> failure;
    /// Wall-clock time from the worker taking the input to its answer.
    double seconds = 0;
};

/// Compiles candidates; kind names as in MetaSchedule (`local`). One caller at a time.
class Builder {
public:
    virtual ~Builder() = default;
    [[nodiscard]] virtual std::string kind() const = 0;

    /// Called once an input, in any order, from a thread of the builder; must not block for long.
    using OnResult = std::function<void(std::size_t index, BuilderResult result)>;
    /// Builds all inputs and returns when every one was answered. When `stop` asks for it, what is
    /// not finished is answered with `cancelled` within a fraction of a second.
    virtual void build(std::span<const BuilderInput> inputs, const OnResult& onResult,
                       std::stop_token stop) = 0;

    /// Builds all inputs; results in the inputs' order.
    std::vector<BuilderResult> build(std::span<const BuilderInput> inputs,
                                     std::stop_token stop = {});
};

} // namespace tilewright::measure
