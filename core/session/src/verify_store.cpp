// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/verify_store.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/cpu_plan.h>
#include <tilewright/measure/local_builder.h>
#include <tilewright/measure/measure_batch.h>
#include <tilewright/measure/numeric_check.h>
#include <tilewright/search/packed_check.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/reference_check.h>
#include <tilewright/target/host.h>

namespace tilewright::session {

namespace {

using Outcome = Verification::Outcome;

class Verifier {
public:
    explicit Verifier(const database::StoreReader& reader)
        : reader_(reader), host_(target::detectHost()), builder_(builderSettings()),
          runner_(runnerSettings()) {}

    Verification verify(const database::TaskSummary& summary) {
        Verification result;
        result.task = summary.task.name;
        result.record = summary.best;
        if (!summary.best) {
            result.message = "no record that ran";
            return result;
        }
        try {
            check(RecordView(reader_, *summary.best), result);
        } catch (const base::UserError& error) {
            result.outcome = Outcome::Failed;
            result.message = error.what();
        }
        return result;
    }

private:
    static measure::BuilderSettings builderSettings() {
        measure::BuilderSettings settings;
        settings.maxWorkers = 1;
        return settings;
    }
    static measure::RunnerSettings runnerSettings() {
        measure::RunnerSettings settings;
        settings.devices = {measure::localDevice()};
        settings.timeoutSeconds = 120;
        return settings;
    }

    void check(const RecordView& view, Verification& result) {
        const target::Target target = view.target();
        if (!target.isCpu() || target.architecture() != host_.architecture) {
            result.message = base::concat("made for ", target.toText(), ", which is not here");
            return;
        }
        search::TuneTask task;
        task.name = result.task;
        task.module = view.module();
        const auto plain = lower::removeLayoutRewrites(view.scheduledModule());
        const auto args = measure::argInfosOf(plain.module);
        const auto userArgs = measure::argInfosOf(task.module);
        if (!args || !userArgs)
            throw base::UserError((args ? userArgs : args).error());
        const search::ReferenceCheck reference =
            makeReferenceCheck(task, builder_, runnerSettings());
        if (!reference.check)
            throw base::UserError("reference", base::concat("no reference: ", reference.reason));
        measure::BatchInput input;
        input.build.module = plain.module;
        input.build.target = target;
        input.run.args = *args;
        input.run.threads = target.numCores().value_or(1);
        input.run.check = search::packedCheck(reference.check, *userArgs, *args, plain.rewrites);
        input.run.time = false;
        measure::BatchOptions options;
        options.overlap = false;
        const measure::BatchResult outcome =
            measure::measureBatch(builder_, runner_, {std::move(input)}, options).front();
        judge(outcome, target, result);
    }

    void judge(const measure::BatchResult& outcome, const target::Target& target,
               Verification& result) const {
        if (outcome.run.maxRelativeError >= 0)
            result.maxRelativeError = outcome.run.maxRelativeError;
        if (!outcome.run.failure) {
            result.outcome = outcome.run.verified ? Outcome::Right : Outcome::Failed;
            if (!outcome.run.verified)
                result.message = "the check was not made";
            return;
        }
        const measure::Failure& failure = *outcome.run.failure;
        result.message = base::concat(measure::toString(failure.status), ": ", failure.message);
        if (failure.status == measure::Status::WrongResult)
            result.outcome = Outcome::Wrong;
        else if (failure.status == measure::Status::Run && target.mcpu() != host_.cpuName)
            result.outcome = Outcome::Skipped; // code for another CPU, refused when loaded
        else
            result.outcome = Outcome::Failed;
    }

    const database::StoreReader& reader_;
    target::HostInfo host_;
    measure::LocalBuilder builder_;
    measure::DeviceRunner runner_;
};

} // namespace

std::string_view toString(Outcome outcome) {
    switch (outcome) {
    case Outcome::Right:
        return "right";
    case Outcome::Wrong:
        return "wrong";
    case Outcome::Failed:
        return "failed";
    case Outcome::Skipped:
        return "skipped";
    }
    return "";
}

VerifySummary verifyStore(const database::StoreReader& reader,
                          const std::function<void(const Verification&)>& onResult) {
    VerifySummary summary;
    Verifier verifier(reader);
    for (const database::TaskSummary& task : reader.taskSummaries()) {
        const Verification result = verifier.verify(task);
        switch (result.outcome) {
        case Outcome::Right:
            ++summary.right;
            break;
        case Outcome::Wrong:
            ++summary.wrong;
            break;
        case Outcome::Failed:
            ++summary.failed;
            break;
        case Outcome::Skipped:
            ++summary.skipped;
            break;
        }
        onResult(result);
    }
    return summary;
}

json::Value toJson(const Verification& verification) {
    json::Object object;
    object.set("task", verification.task);
    object.set("record",
               verification.record ? json::Value(verification.record->value) : json::Value());
    object.set("outcome", toString(verification.outcome));
    object.set("max_rel_err", verification.maxRelativeError
                                  ? json::Value(*verification.maxRelativeError)
                                  : json::Value());
    object.set("message",
               verification.message.empty() ? json::Value() : json::Value(verification.message));
    return json::Value(std::move(object));
}

} // namespace tilewright::session
