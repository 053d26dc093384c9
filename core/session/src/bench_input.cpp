// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/bench_input.h>

#include "bench_protocol.h"
#include "bench_subject.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/runtime/kernel_library.h>
#include <tilewright/runtime/kernel_pool.h>
#include <tilewright/session/choose_schedule.h>
#include <tilewright/session/compile_input.h>
#include <tilewright/session/profile_model.h>
#include <tilewright/session/run_isolated.h>
#include <tilewright/target/parse_target.h>

#include <cmath>
#include <filesystem>
#include <map>

namespace tilewright::session {

namespace {

constexpr double kTolerance = 1e-4;

/// A kernel ready to be loaded.
struct Kernel {
    measure::Artifact artifact;
    std::vector<measure::ArgInfo> args;
    std::vector<lower::LayoutRewrite> rewrites;
};

json::Value timingJson(const ProtocolTiming& timing) {
    return json::Value(json::Object{{"median_us", timing.medianUs},
                                    {"min_us", timing.minUs},
                                    {"p10_us", timing.p10Us},
                                    {"p90_us", timing.p90Us},
                                    {"samples", timing.samples},
                                    {"inner", timing.inner},
                                    {"other_cpu", timing.otherCpu}});
}

void check(std::int32_t code) {
    if (code != TW_OK)
        throw base::UserError("run", base::concat("the kernel ended with code ", code));
}

/// In the child: checks the result, then times every cache state.
json::Value measureKernel(const Kernel& kernel, const BenchSubject& subject, int threads,
                          const std::vector<bool>& cold, double patience) {
    auto library = runtime::KernelLibrary::fromImage(kernel.artifact.image);
    if (!library)
        throw base::UserError(library.error());
    const tw_kernel entry = library->kernel(kernel.artifact.function);
    if (entry == nullptr)
        throw base::UserError("library", "the kernel is missing in its library");
    std::vector<runtime::Tensor> arguments = subject.makeArguments(kernel.args, kernel.rewrites);
    std::vector<void*> data;
    for (runtime::Tensor& argument : arguments)
        data.push_back(argument.data());
    runtime::KernelPool pool(threads);
    const auto call = [&] { return entry(data.data(), pool.handle()); };
    check(call());
    const double error = subject.errorOf(kernel.args, arguments);
    json::Array timings;
    for (const bool state : cold)
        timings.push_back(timingJson(timeByProtocol([&] { call(); }, state, patience)));
    return json::Value(
        json::Object{{"error", std::isfinite(error) ? json::Value(error) : json::Value()},
                     {"patience", patience},
                     {"timings", json::Value(std::move(timings))}});
}

class Bench {
public:
    Bench(const TuningInput& input, const BenchRequest& request,
          const std::function<void(const json::Value&)>& onLine)
        : input_(input), request_(request), onLine_(onLine), chooser_(request.workDir),
          builder_(builderSettings()), patience_(request.patienceSeconds) {}

    bool run() {
        if (input_.model) {
            for (const int threads : request_.threads)
                benchModel(threads);
            return allRight_;
        }
        for (std::size_t i = 0; i < input_.tasks.size(); ++i)
            benchTask(i);
        return allRight_;
    }

private:
    static measure::BuilderSettings builderSettings() {
        measure::BuilderSettings settings;
        settings.maxWorkers = 1;
        return settings;
    }

    /// Targets whose records are wanted, the most fitting first.
    [[nodiscard]] std::vector<target::Target> targetsFor(int threads) const {
        if (request_.target)
            return {*request_.target};
        const target::Target host = target::parseTarget("host");
        return {host.with("num-cores", json::Value(threads)), host};
    }

    [[nodiscard]] ChosenSchedule choose(const ir::Module& module, int threads) const {
        return request_.target ? chooser_.choose(module, *request_.target)
                               : chooser_.chooseFor(module, targetsFor(threads));
    }

    void benchTask(std::size_t i) {
        std::unique_ptr<BenchSubject> subject;
        try {
            subject = makeBenchSubject(input_, i, builder_);
        } catch (const base::UserError& error) {
            for (const int threads : request_.threads)
                skip(i, threads, error.what());
            return;
        }
        for (const int threads : request_.threads) {
            try {
                benchThreads(i, *subject, threads);
            } catch (const base::UserError& error) {
                skip(i, threads, error.what());
            }
        }
    }

    void benchThreads(std::size_t i, const BenchSubject& subject, int threads) {
        const search::TuneTask& task = input_.tasks[i];
        const ChosenSchedule chosen = choose(task.module, threads);
        const Kernel kernel = build(chosen);
        const json::Value measured = runIsolated(base::concat("the kernel of ", task.name), [&] {
            return measureKernel(kernel, subject, threads, request_.cold, patience_);
        });
        patience_ = measured.at("patience").asDouble();
        for (std::size_t c = 0; c < request_.cold.size(); ++c) {
            json::Object line =
                headOf(task.name, subject.variant(!kernel.rewrites.empty()), threads);
            line.set("cache", request_.cold[c] ? "cold" : "warm");
            for (const json::Member& member : measured.at("timings").at(c).asObject())
                line.set(member.key, member.value);
            line.set("flops", task.flop);
            line.set("useful", subject.useful());
            line.set("bytes", task.bytes);
            const json::Value& error = measured.at("error");
            const bool right = error.isNumber() && error.asDouble() <= kTolerance;
            line.set("max_rel_err", error.isNumber() ? error : json::Value(1e30));
            line.set("ok", right);
            line.set("note", noteOf(chosen));
            allRight_ = allRight_ && right;
            onLine_(json::Value(std::move(line)));
        }
    }

    static std::string noteOf(const ChosenSchedule& chosen) {
        return chosen.record ? base::concat("record ", chosen.record->value)
                             : base::concat("default schedule: ", chosen.reason);
    }

    Kernel build(const ChosenSchedule& chosen) {
        lower::WithoutLayoutRewrites plain = lower::removeLayoutRewrites(chosen.module);
        auto args = measure::argInfosOf(plain.module);
        if (!args)
            throw base::UserError(args.error());
        const measure::BuilderInput input{plain.module, chosen.target};
        const measure::BuilderResult built = builder_.build({&input, 1}).front();
        if (built.failure)
            throw base::UserError("build", built.failure->message);
        return {*built.artifact, std::move(*args), std::move(plain.rewrites)};
    }

    [[nodiscard]] json::Object headOf(const std::string& op, std::string_view variant,
                                      int threads) const {
        json::Object line;
        line.set("peer", "tilewright");
        line.set("variant", variant);
        line.set("op", op);
        line.set("threads", threads);
        line.set("round", request_.round);
        return line;
    }

    void skip(std::size_t i, int threads, std::string_view why) {
        json::Object line = headOf(input_.tasks[i].name, "plain", threads);
        line.set("skipped", why);
        allRight_ = false;
        onLine_(json::Value(std::move(line)));
    }

    void benchModel(int threads) {
        json::Object line;
        line.set("peer", "tilewright");
        line.set("model", std::filesystem::path(input_.text).filename().string());
        line.set("threads", threads);
        line.set("round", request_.round);
        try {
            const CompileRequest compile{request_.workDir, targetsFor(threads).front()};
            const CompiledInput compiled = compileInput(input_, compile, "model.so");
            const json::Value profile = profileModel(compiled, threads);
            for (const json::Member& member : profile.at("end_to_end").asObject())
                if (member.key.ends_with("_us") && member.value.isNumber())
                    line.set(member.key.substr(0, member.key.size() - 3) + "_ms",
                             member.value.asDouble() / 1e3);
            line.set("samples", profile.at("end_to_end").at("n"));
            line.set("inputs", compiled.inputs.size());
            line.set("outputs", compiled.outputs.size());
            line.set("note", base::concat(compiled.tunedCount(), " of ", compiled.operators.size(),
                                          " operators tuned"));
        } catch (const base::UserError& error) {
            line.set("skipped", error.what());
            allRight_ = false;
        }
        onLine_(json::Value(std::move(line)));
    }

    const TuningInput& input_;
    const BenchRequest& request_;
    const std::function<void(const json::Value&)>& onLine_;
    ScheduleChooser chooser_;
    measure::LocalBuilder builder_;
    double patience_;
    bool allRight_ = true;
};

} // namespace

bool benchInput(const TuningInput& input, const BenchRequest& request,
                const std::function<void(const json::Value& line)>& onLine) {
    return Bench(input, request, onLine).run();
}

} // namespace tilewright::session
