// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/graph/constant_tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::ir {
struct IndexMap;
class Module;
} // namespace tilewright::ir

namespace tilewright::graph {

struct Extraction;

/// A named tensor that goes into or comes out of a model.
struct PlanTensor {
    std::string name;
    TensorType type;
    bool operator==(const PlanTensor&) const = default;
};

/// Where an argument of a kernel call is.
struct PlanBuffer {
    enum class Place : std::uint8_t {
        Input,    ///< the model's input `index`
        Output,   ///< the model's output `index`
        Constant, ///< the plan's constant `index`
        Scratch   ///< `offset` bytes (a multiple of 64) into the scratch memory
    };
    Place place = Place::Scratch;
    std::int64_t index = 0;
    std::int64_t offset = 0;
    bool operator==(const PlanBuffer&) const = default;
};

/// One kernel call.
struct PlanCall {
    std::string kernel; ///< symbol
    std::string task;   ///< name of the task it belongs to
    std::vector<PlanBuffer> arguments;
    std::vector<std::string> nodes; ///< the model's nodes it covers
    bool operator==(const PlanCall&) const = default;
};

/// A run of a whole model: kernel calls over inputs, outputs, constants and one scratch memory
/// whose parts are used again when their values are dead.
struct ExecutionPlan {
    std::string name;
    std::vector<PlanTensor> inputs;
    std::vector<PlanTensor> outputs;
    std::vector<PlanTensor> constants; ///< types as the kernels take them
    std::vector<PlanCall> calls;
    std::int64_t scratchBytes = 0;
    bool operator==(const ExecutionPlan&) const = default;
};

/// What one task's kernel looks like from outside: its symbol, and the parameters whose layout
/// its schedule changed.
struct KernelInterface {
    struct Rewrite {
        std::size_t param = 0;
        const ir::IndexMap* map = nullptr; ///< element i of the model's tensor stands at map(i)
        Dims shape;                        ///< shape after it
    };
    std::string symbol;
    std::vector<Rewrite> rewrites;
};

/// A plan together with the contents of its constants.
struct PlannedModel {
    ExecutionPlan plan;
    std::vector<ConstantPtr> constants;
};

/// Plans a run. `kernels` has one entry a task. Throws UserError when nodes were skipped.
PlannedModel planExecution(const Extraction& extraction,
                           const std::vector<KernelInterface>& kernels);

/// A constant with element i moved to map(i), in a tensor of `shape`; places that no element
/// goes to are zero.
ConstantPtr rewriteLayout(const ConstantTensor& tensor, const ir::IndexMap& map, const Dims& shape);

/// The plan as JSON (schema `tilewright-model-1`), and back. Reading throws ParseError.
std::string planToJson(const ExecutionPlan& plan, std::string_view note = {});
ExecutionPlan planFromJson(std::string_view text, const std::string& fileName);

} // namespace tilewright::graph
