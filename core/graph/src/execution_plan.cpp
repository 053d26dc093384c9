// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/execution_plan.h>

#include "scratch_allocator.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/graph/extract_tasks.h>
#include <tilewright/ir/index_map.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tilewright::graph {

namespace {

class Planner {
public:
    Planner(const Extraction& extraction, const std::vector<KernelInterface>& kernels)
        : extraction_(extraction), graph_(extraction.graph), kernels_(kernels) {}

    PlannedModel run() {
        if (!extraction_.skipped.empty()) {
            const SkippedNode& first = extraction_.skipped.front();
            throw base::UserError(
                "unsupported-operator",
                base::concat("the model cannot be run: ", extraction_.skipped.size(),
                             " nodes were skipped, first ", first.node, " (", first.op,
                             "): ", first.reason));
        }
        TW_CHECK(kernels_.size() == extraction_.tasks.size());
        model_.plan.name = graph_.name;
        describeEnds();
        collectLifetimes();
        placeValues();
        for (const ModelStep& step : extraction_.steps)
            if (step.task >= 0)
                addCall(step);
        return std::move(model_);
    }

private:
    /// The value whose memory this one shares: reshapes move nothing.
    [[nodiscard]] ValueId root(ValueId id) const {
        const auto it = aliases_.find(id);
        return it == aliases_.end() ? id : it->second;
    }

    void describeEnds() {
        for (const ModelStep& step : extraction_.steps)
            if (step.task < 0)
                aliases_[step.output] = root(step.inputs[0]);
        for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
            const Value& value = graph_.value(graph_.inputs[i]);
            model_.plan.inputs.push_back({value.name, value.type});
            places_[graph_.inputs[i]] = {PlanBuffer::Place::Input, static_cast<std::int64_t>(i), 0};
        }
        for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
            model_.plan.outputs.push_back(
                {graph_.outputNames[i], graph_.value(graph_.outputs[i]).type});
            const ValueId owner = root(graph_.outputs[i]);
            TW_CHECK(!places_.contains(owner)) << "an output that is an input or another output";
            places_[owner] = {PlanBuffer::Place::Output, static_cast<std::int64_t>(i), 0};
        }
    }

    void collectLifetimes() {
        int call = 0;
        for (const ModelStep& step : extraction_.steps) {
            if (step.task < 0)
                continue;
            for (const ValueId id : step.inputs)
                touch(id, call);
            touch(step.output, call);
            ++call;
        }
    }

    void touch(ValueId id, int call) {
        const ValueId owner = root(id);
        if (graph_.value(owner).constant || places_.contains(owner))
            return;
        const auto [it, added] = requestOf_.emplace(owner, requests_.size());
        if (added)
            requests_.push_back(
                {static_cast<std::int64_t>(byteSize(graph_.value(owner).type)), call, call, 0});
        requests_[it->second].last = call;
    }

    void placeValues() {
        model_.plan.scratchBytes = placeScratch(requests_);
        for (const auto& [id, request] : requestOf_)
            places_[id] = {PlanBuffer::Place::Scratch, 0, requests_[request].offset};
    }

    void addCall(const ModelStep& step) {
        const KernelInterface& kernel = kernels_[static_cast<std::size_t>(step.task)];
        PlanCall call;
        call.kernel = kernel.symbol;
        call.task = extraction_.tasks[static_cast<std::size_t>(step.task)].name;
        call.nodes = step.nodes;
        for (std::size_t i = 0; i < step.inputs.size(); ++i)
            call.arguments.push_back(argument(kernel, i, step.inputs[i]));
        call.arguments.push_back(places_.at(root(step.output)));
        model_.plan.calls.push_back(std::move(call));
    }

    PlanBuffer argument(const KernelInterface& kernel, std::size_t param, ValueId id) {
        const KernelInterface::Rewrite* rewrite = nullptr;
        for (const auto& candidate : kernel.rewrites)
            if (candidate.param == param)
                rewrite = &candidate;
        const ValueId owner = root(id);
        const Value& value = graph_.value(owner);
        if (!value.constant) {
            TW_CHECK(rewrite == nullptr)
                << "a new layout for " << value.name << ", which is no constant";
            return places_.at(owner);
        }
        // Two kernels that want the same layout share the constant.
        const std::string layout = rewrite == nullptr
                                       ? std::string()
                                       : ir::print(*rewrite->map) + toString(rewrite->shape);
        const auto [it, added] =
            constants_.emplace(std::pair(value.constant.get(), layout), model_.constants.size());
        if (added) {
            ConstantPtr data = value.constant;
            if (rewrite != nullptr)
                data = rewriteLayout(*withShape(value.constant, id), *rewrite->map, rewrite->shape);
            model_.plan.constants.push_back({value.name, data->type});
            model_.constants.push_back(std::move(data));
        }
        return {PlanBuffer::Place::Constant, static_cast<std::int64_t>(it->second), 0};
    }

    /// The constant under the shape in which the kernel reads it.
    [[nodiscard]] ConstantPtr withShape(const ConstantPtr& constant, ValueId id) const {
        const TensorType& type = graph_.value(id).type;
        if (type == constant->type)
            return constant;
        return std::make_shared<const ConstantTensor>(ConstantTensor{type, constant->bytes});
    }

    const Extraction& extraction_;
    const Graph& graph_;
    const std::vector<KernelInterface>& kernels_;
    PlannedModel model_;
    std::map<ValueId, ValueId> aliases_;
    std::map<ValueId, PlanBuffer> places_;
    std::map<ValueId, std::size_t> requestOf_;
    std::vector<ScratchRequest> requests_;
    std::map<std::pair<const ConstantTensor*, std::string>, std::size_t> constants_;
};

} // namespace

PlannedModel planExecution(const Extraction& extraction,
                           const std::vector<KernelInterface>& kernels) {
    return Planner(extraction, kernels).run();
}

} // namespace tilewright::graph
