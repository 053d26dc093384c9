// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/reference_run.h>

#include "device_session.h"

#include <tilewright/measure/numeric_check.h>

#include <cstring>

namespace tilewright::measure {

namespace {

Failure asFailure(const base::Diagnostic& diagnostic) {
    return {Status::Run, diagnostic.message};
}

} // namespace

base::Result<std::vector<runtime::Tensor>, Failure>
runOnce(Builder& builder, const BuilderInput& input, const RunnerSettings& settings,
        std::uint64_t seed, int threads, std::span<const ArgumentContents> contents,
        const std::stop_token& stop) {
    const auto args = argInfosOf(input.module);
    if (!args)
        return base::Unexpected(Failure{Status::Build, args.error().message});
    const auto built = builder.build(std::span(&input, 1), stop);
    if (built[0].failure)
        return base::Unexpected(*built[0].failure);
    auto tensors = NumericCheck::makeArguments(*args, seed);
    if (!tensors)
        return base::Unexpected(asFailure(tensors.error()));

    std::vector<runtime::ArgumentSetting> arguments;
    std::vector<std::uint32_t> outputs;
    for (std::size_t i = 0; i < args->size(); ++i) {
        runtime::ArgumentSetting setting{
            (*tensors)[i].type(), (*args)[i].shape, NumericCheck::fillOf((*args)[i], i, seed), {}};
        for (const ArgumentContents& given : contents)
            if (given.index == i)
                setting.data = given.bytes;
        arguments.push_back(std::move(setting));
        if ((*args)[i].isOutput)
            outputs.push_back(static_cast<std::uint32_t>(i));
    }
    DeviceSession session(localDevice(), settings);
    auto executed =
        session.executeOnce(*built[0].artifact, std::move(arguments), outputs, threads, stop);
    session.shutDown();
    if (!executed)
        return base::Unexpected(executed.error());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        runtime::Tensor& tensor = (*tensors)[outputs[i]];
        if (i >= executed->size() ||
            static_cast<std::int64_t>((*executed)[i].size()) != tensor.bytes())
            return base::Unexpected(Failure{Status::Run, "an output came back in another size"});
        std::memcpy(tensor.data(), (*executed)[i].data(), (*executed)[i].size());
    }
    return std::move(*tensors);
}

} // namespace tilewright::measure
