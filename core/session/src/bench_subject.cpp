// SPDX-License-Identifier: Apache-2.0
#include "bench_subject.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/measure/pack_argument.h>
#include <tilewright/session/reference_check.h>

#include <algorithm>
#include <cstring>

namespace tilewright::session {

namespace {

runtime::Tensor allocate(const std::string& dtype, const std::vector<std::int64_t>& shape) {
    const auto type = runtime::parseElementType(dtype);
    if (!type)
        throw base::UserError("tensor-type", base::concat("no tensor holds ", dtype));
    auto tensor = runtime::Tensor::allocate(*type, shape);
    if (!tensor)
        throw base::UserError(tensor.error());
    return std::move(*tensor);
}

/// An operator of the suite: its own inputs and float64 reference.
class SuiteSubject final : public BenchSubject {
public:
    SuiteSubject(const op::SuiteOperator& op, const std::vector<op::ParamPacking>& packings,
                 std::vector<measure::ArgInfo> params)
        : op_(op), packings_(packings), params_(std::move(params)) {
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            inputs_.push_back(op::suiteInput(op, i));
        reference_ = op::suiteReference(op, inputs_);
    }

    std::vector<runtime::Tensor>
    makeArguments(const std::vector<measure::ArgInfo>& args,
                  const std::vector<lower::LayoutRewrite>& rewrites) const override {
        std::vector<runtime::Tensor> tensors;
        for (std::size_t i = 0; i < args.size(); ++i)
            tensors.push_back(i < inputs_.size() ? input(i, args[i], rewrites)
                                                 : allocate(args[i].dtype, args[i].shape));
        return tensors;
    }
    double errorOf(const std::vector<measure::ArgInfo>& args,
                   const std::vector<runtime::Tensor>& after) const override {
        TW_CHECK(args.size() == inputs_.size() + 1);
        return op::maxRelativeError(after.back().as<float>(), reference_);
    }
    double useful() const override { return op_.useful; }
    std::string_view variant(bool packs) const override {
        if (!op_.extent.empty())
            return "nchw";
        return packs || !packings_.empty() ? "best" : "plain";
    }

private:
    /// The user's tensor, in the layout of the operator's function, then of the kernel.
    runtime::Tensor input(std::size_t i, const measure::ArgInfo& arg,
                          const std::vector<lower::LayoutRewrite>& rewrites) const {
        const auto rewrite =
            std::find_if(rewrites.begin(), rewrites.end(),
                         [&](const lower::LayoutRewrite& r) { return r.param == i; });
        const auto packing = std::find_if(packings_.begin(), packings_.end(),
                                          [&](const op::ParamPacking& p) { return p.param == i; });
        runtime::Tensor tensor = allocate(arg.dtype, op_.inputs[i]);
        std::memcpy(tensor.data(), inputs_[i].data(), inputs_[i].size() * sizeof(float));
        if (packing != packings_.end())
            tensor = measure::packTensor(tensor, packing->map, params_[i].shape);
        if (rewrite != rewrites.end())
            tensor = measure::packTensor(tensor, rewrite->map, arg.shape);
        return tensor;
    }

    op::SuiteOperator op_;
    std::vector<op::ParamPacking> packings_;
    std::vector<measure::ArgInfo> params_; ///< of the operator's function, before scheduling
    std::vector<std::vector<float>> inputs_;
    std::vector<double> reference_;
};

/// Anything else: inputs from a seed, compared with the module as imported.
class ModuleSubject final : public BenchSubject {
public:
    ModuleSubject(const search::TuneTask& task, measure::Builder& builder) {
        const search::ReferenceCheck reference = makeReferenceCheck(task, builder, {});
        if (!reference.check)
            throw base::UserError("reference", base::concat("no reference: ", reference.reason));
        check_ = reference.check;
        userArgs_ = *measure::argInfosOf(task.module);
    }

    std::vector<runtime::Tensor>
    makeArguments(const std::vector<measure::ArgInfo>& args,
                  const std::vector<lower::LayoutRewrite>& rewrites) const override {
        auto tensors = measure::NumericCheck::makeArguments(userArgs_, check_->seed());
        if (!tensors)
            throw base::UserError(tensors.error());
        for (const lower::LayoutRewrite& rewrite : rewrites)
            (*tensors)[rewrite.param] = measure::packTensor((*tensors)[rewrite.param], rewrite.map,
                                                            args[rewrite.param].shape);
        return std::move(*tensors);
    }
    double errorOf(const std::vector<measure::ArgInfo>&,
                   const std::vector<runtime::Tensor>& after) const override {
        std::vector<std::string> contents;
        for (const std::uint32_t output : check_->outputs())
            contents.emplace_back(static_cast<const char*>(after[output].data()),
                                  static_cast<std::size_t>(after[output].bytes()));
        return check_->compare(contents).maxRelativeError;
    }

private:
    std::shared_ptr<const measure::NumericCheck> check_;
    std::vector<measure::ArgInfo> userArgs_;
};

} // namespace

std::unique_ptr<BenchSubject> makeBenchSubject(const TuningInput& input, std::size_t index,
                                               measure::Builder& builder) {
    const search::TuneTask& task = input.tasks[index];
    if (input.kind != InputKind::Suite)
        return std::make_unique<ModuleSubject>(task, builder);
    auto args = measure::argInfosOf(task.module);
    if (!args)
        throw base::UserError(args.error());
    return std::make_unique<SuiteSubject>(input.suite[index], input.packings[index],
                                          std::move(*args));
}

} // namespace tilewright::session
