// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../op_context.h"

#include <tilewright/op/compute.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::graph {

/// TensorIR's type for ours.
ir::DataType toIr(ElementType type);

/// A kernel in the making: the nodes of one fused group become stages of one function. What the
/// group reads becomes parameters, in the order of first use; constants of one element become
/// literals.
class KernelContext {
public:
    /// `anchorNode`: the index of the node whose constant operands may change their layout.
    KernelContext(const Graph& graph, int anchorNode) : graph_(graph), anchor_(anchorNode) {}

    op::ComputeBuilder& builder() { return builder_; }
    /// Starts a node: the calls below are about it.
    void enter(int nodeIndex);
    /// Ends it: its result is this stage.
    void leave(const op::Tensor& result);

    [[nodiscard]] const Node& node() const;
    [[nodiscard]] const OpContext& rules() const { return *rules_; }
    [[nodiscard]] const Attributes& attributes() const { return node().attributes; }
    /// Shape and type of the node's result; a scalar counts as [1].
    [[nodiscard]] op::Shape outputShape() const;
    [[nodiscard]] ir::DataType outputType() const;

    /// The whole operand i as a tensor.
    op::Tensor input(std::size_t i);
    /// The element of operand i that belongs to the result's element `at`, repeated as numpy
    /// does.
    ir::Expr element(std::size_t i, const op::Axes& at);
    /// The value of operand i when it is a constant of one element.
    [[nodiscard]] std::optional<double> scalar(std::size_t i) const;
    /// The same when it becomes a literal of the kernel. A weight that happens to have one
    /// element (shape [1], an arbitrary value) stays a parameter, so that kernels that differ
    /// in it only are one task.
    [[nodiscard]] std::optional<double> literal(std::size_t i) const;
    [[nodiscard]] std::size_t inputCount() const { return node().inputs.size(); }
    [[nodiscard]] bool has(std::size_t i) const {
        return i < node().inputs.size() && node().inputs[i].valid();
    }

    /// A name for the node's stage.
    [[nodiscard]] std::string stageName() const;

    [[nodiscard]] const std::vector<ValueId>& parameters() const { return parameters_; }
    [[nodiscard]] const op::Tensor& result(ValueId id) const { return tensors_.at(id); }
    [[noreturn]] void fail(const std::string& reason) const { rules_->fail(reason); }

private:
    const Graph& graph_;
    int anchor_;
    int current_ = -1;
    std::optional<OpContext> rules_;
    op::ComputeBuilder builder_;
    std::map<ValueId, op::Tensor> tensors_;
    std::vector<ValueId> parameters_;
};

/// Adds the stages of the current node; throws UserError when the case is not supported.
using LegalizeRule = op::Tensor (*)(KernelContext&);
using LegalizeTable = std::map<std::string, LegalizeRule, std::less<>>;

/// The rule of an operator, or null.
LegalizeRule findLegalizeRule(std::string_view op);

void addElementwiseRules(LegalizeTable& table);
void addMovementRules(LegalizeTable& table);
void addReductionRules(LegalizeTable& table);
void addContractionRules(LegalizeTable& table);
void addPoolingRules(LegalizeTable& table);

} // namespace tilewright::graph
