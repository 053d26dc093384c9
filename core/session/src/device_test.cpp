// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/device_test.h>

#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/op/operator.h>
#include <tilewright/session/reference_check.h>
#include <tilewright/space/default_schedule.h>
#include <tilewright/target/cpu_features.h>

#include <algorithm>
#include <chrono>

namespace tilewright::session {

DeviceTest testDevice(const measure::Device& device, const target::Target& target) {
    search::TuneTask task;
    task.name = "GMM";
    task.module = op::buildNamed("GMM:n=64,m=64,k=64").module;
    measure::BuilderSettings builderSettings;
    builderSettings.maxWorkers = 1;
    measure::LocalBuilder builder(builderSettings);
    DeviceTest test;
    const auto failed = [&](measure::Status status, std::string message) {
        test.status = status;
        test.message = std::move(message);
        return test;
    };
    const search::ReferenceCheck reference = makeReferenceCheck(task, builder, {});
    if (!reference.check)
        return failed(measure::Status::Build, reference.reason);
    const auto features = codegen::llvmCpuFeatures();
    const int bits = std::max(64, target::simdWidthBits(target, *features));
    measure::BatchInput input;
    input.build.module = space::defaultSchedule(task.module, bits).module();
    input.build.target = target;
    const auto args = measure::argInfosOf(input.build.module);
    if (!args)
        return failed(measure::Status::Build, args.error().message);
    input.run.args = *args;
    input.run.check = reference.check;
    measure::RunnerSettings settings;
    settings.devices = {device};
    settings.timeoutSeconds = 120; // emulators and boards far away
    settings.evaluator.adaptive = false;
    settings.evaluator.repeat = 5;
    settings.evaluator.minRepeatMs = 2;
    measure::DeviceRunner runner(settings);
    const auto start = std::chrono::steady_clock::now();
    measure::BatchOptions options;
    options.overlap = false;
    const measure::BatchResult result =
        measure::measureBatch(builder, runner, {std::move(input)}, options).front();
    test.roundTripSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
        result.buildSeconds;
    if (result.run.failure)
        return failed(result.run.failure->status, result.run.failure->message);
    test.verified = result.run.verified;
    test.medianSeconds = result.run.medianSeconds();
    if (!test.verified)
        test.message = "the result was not verified";
    return test;
}

} // namespace tilewright::session
