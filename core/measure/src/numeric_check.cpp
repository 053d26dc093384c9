// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/numeric_check.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/hash.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilewright::measure {

namespace {

double rootMeanSquare(const runtime::Tensor& tensor) {
    double sum = 0;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        const double value = tensor.valueAt(i);
        if (std::isfinite(value))
            sum += value * value;
    }
    return tensor.elements() > 0 ? std::sqrt(sum / static_cast<double>(tensor.elements())) : 0;
}

double epsilonOf(runtime::ElementType type) {
    if (type.code == runtime::TypeCode::BFloat)
        return 0x1p-7;
    return type.bits == 16 ? 0x1p-10 : type.bits == 32 ? 0x1p-23 : 0x1p-52;
}

} // namespace

double relativeTolerance(runtime::ElementType type, std::int64_t reductionLength) {
    if (!type.isFloating())
        return 0;
    // 64 units leave room for the polynomials of exp and erf; the root is how rounding errors of
    // sums in different orders grow.
    const double length = static_cast<double>(std::max<std::int64_t>(1, reductionLength));
    const double constant = type.bits >= 32 ? 64 : 8;
    return epsilonOf(type) * (constant + 4 * std::sqrt(length));
}

runtime::Fill NumericCheck::fillOf(const ArgInfo& arg, std::size_t index, std::uint64_t seed) {
    if (arg.isOutput)
        return {runtime::FillKind::Poison, 0, 0, 0};
    const auto type = runtime::parseElementType(arg.dtype);
    return runtime::checkFill(type.value_or(runtime::ElementType{}),
                              base::hashCombine(seed, static_cast<std::uint64_t>(index)));
}

base::Result<std::vector<runtime::Tensor>>
NumericCheck::makeArguments(const std::vector<ArgInfo>& args, std::uint64_t seed) {
    std::vector<runtime::Tensor> tensors;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto type = runtime::parseElementType(args[i].dtype);
        if (!type)
            return base::Unexpected(base::Diagnostic(
                "tensor-type",
                base::concat("argument ", i, ": no tensor can hold elements of type ",
                             args[i].dtype)));
        auto tensor = runtime::Tensor::allocate(*type, args[i].shape);
        if (!tensor)
            return base::Unexpected(tensor.error());
        runtime::fillTensor(*tensor, fillOf(args[i], i, seed));
        tensors.push_back(std::move(*tensor));
    }
    return tensors;
}

NumericCheck::NumericCheck(const std::vector<ArgInfo>& args, std::uint64_t seed,
                           std::vector<runtime::Tensor> afterReference,
                           std::int64_t reductionLength)
    : seed_(seed) {
    TW_CHECK(args.size() == afterReference.size());
    auto reference = std::make_shared<Reference>();
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!args[i].isOutput)
            continue;
        reference->outputs.push_back(static_cast<std::uint32_t>(i));
        reference->expected.push_back(std::move(afterReference[i]));
        const runtime::Tensor& expected = reference->expected.back();
        const double relative = relativeTolerance(expected.type(), reductionLength);
        reference->tolerances.push_back({relative, relative * rootMeanSquare(expected)});
    }
    reference_ = std::move(reference);
}

std::shared_ptr<const NumericCheck> NumericCheck::withContents(std::size_t index,
                                                               Contents contents) const {
    auto variant = std::make_shared<NumericCheck>(*this);
    variant->contents_.emplace_back(index, std::move(contents));
    return variant;
}

std::string NumericCheck::contentsOf(std::size_t index) const {
    for (const auto& [argument, contents] : contents_)
        if (argument == index)
            return contents();
    return {};
}

NumericCheck::Verdict NumericCheck::compare(const std::vector<std::string>& contents) const {
    Verdict verdict;
    if (contents.size() != reference_->expected.size())
        return {false, HUGE_VAL,
                base::concat("expected ", reference_->expected.size(), " outputs, found ",
                             contents.size())};
    for (std::size_t i = 0; i < reference_->expected.size(); ++i) {
        const runtime::Tensor& expected = reference_->expected[i];
        auto actual = runtime::Tensor::allocate(expected.type(), expected.shape());
        if (!actual || static_cast<std::int64_t>(contents[i].size()) != expected.bytes())
            return {false, HUGE_VAL,
                    base::concat("argument ", reference_->outputs[i], ": expected ",
                                 expected.bytes(), " bytes, found ", contents[i].size())};
        std::memcpy(actual->data(), contents[i].data(), contents[i].size());
        const auto comparison =
            runtime::compareTensors(*actual, expected, reference_->tolerances[i]);
        verdict.maxRelativeError = std::max(verdict.maxRelativeError, comparison.maxRelative);
        if (!comparison.equal && verdict.passed) {
            verdict.passed = false;
            verdict.message =
                base::concat("argument ", reference_->outputs[i], ": ", comparison.message);
        }
    }
    return verdict;
}

} // namespace tilewright::measure
