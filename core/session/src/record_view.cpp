// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/record_view.h>

#include <tilewright/base/concat.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/schedule/apply_case.h>
#include <tilewright/session/record_json.h>
#include <tilewright/target/host.h>

namespace tilewright::session {

namespace {

std::string recordName(const database::TuningRecord& record) {
    return base::concat("record ", record.id.value);
}

json::Value parsed(const std::string& text) {
    return text.empty() ? json::Value() : json::parse(text, {.dialect = json::Dialect::Tvm});
}

template <class Emit> std::string emitted(const RecordView& view, Emit emit) {
    // What was measured: weights come in the layout the kernel wants.
    const ir::Module module = lower::removeLayoutRewrites(view.scheduledModule()).module;
    const base::Result<std::string> text = emit(module, view.target());
    if (!text)
        throw base::UserError(base::Diagnostic(
            text.error().kind, base::concat(recordName(view.record()), ": ", text.error().message),
            text.error().locations));
    return *text;
}

} // namespace

std::optional<RecordForm> recordFormFromName(std::string_view name) {
    if (name == "trace")
        return RecordForm::Trace;
    if (name == "python")
        return RecordForm::Python;
    if (name == "tir")
        return RecordForm::Tir;
    if (name == "llvm")
        return RecordForm::Llvm;
    if (name == "asm")
        return RecordForm::Asm;
    if (name == "json")
        return RecordForm::Json;
    return std::nullopt;
}

RecordView::RecordView(const database::StoreReader& reader, database::RecordId id) {
    auto record = reader.record(id);
    if (!record)
        throw base::UserError("database-record",
                              base::concat(reader.file().string(), ": there is no record ",
                                           id.value, "; 'records' lists what there is"));
    record_ = std::move(*record);
    if (auto workload = reader.workload(record_.workload))
        workload_ = std::move(*workload);
    marks_ = reader.marks(id);
}

schedule::Trace RecordView::trace() const {
    return schedule::Trace::fromJson(json::parse(
        record_.trace, {.dialect = json::Dialect::Tvm, .fileName = recordName(record_)}));
}

ir::Module RecordView::module() const {
    if (workload_.module.empty())
        throw base::UserError(
            "database-module",
            base::concat(recordName(record_), ": the module of workload ", record_.workload.value,
                         " could not be read when it was imported; the trace can still be shown"));
    return ir::parseModule(workload_.module, base::concat("workload ", record_.workload.value));
}

ir::Module RecordView::scheduledModule() const {
    const schedule::Trace steps = trace();
    schedule::ApplyResult result = schedule::applyTrace(module(), steps);
    if (!result.ok()) {
        const auto step = static_cast<std::size_t>(result.step);
        const std::string name = step < steps.size() ? std::string(steps[step].kind->name) : "";
        throw base::UserError("replay",
                              base::concat(recordName(record_), ": instruction ", result.step, " (",
                                           name, ") was refused: ", result.error->message));
    }
    return std::move(result.module);
}

target::Target RecordView::target() const {
    if (record_.target.empty())
        return target::hostTarget();
    return target::Target::fromJson(parsed(record_.target));
}

json::Value RecordView::toJson() const {
    json::Object object = recordToJson(record_).asObject();
    object.set("schema", "tilewright/record-details/1");
    json::Array samples;
    for (const double seconds : record_.measurement.seconds)
        if (seconds < database::kFailedSeconds)
            samples.emplace_back(seconds * 1e6);
    object.set("samples_us", std::move(samples));
    object.set("other_cpu", json::Value::array(record_.measurement.otherCpu));
    object.set("full", record_.measurement.full);
    object.set("round", record_.round ? json::Value(*record_.round) : json::Value());
    object.set("device", record_.device);
    object.set("predicted", record_.predicted ? json::Value(*record_.predicted) : json::Value());
    object.set("build_s",
               record_.buildSeconds ? json::Value(*record_.buildSeconds) : json::Value());
    object.set("run_s", record_.runSeconds ? json::Value(*record_.runSeconds) : json::Value());
    object.set("workload_hash", std::to_string(record_.workloadHash));
    object.set("tags", json::Value::array(marks_.tags));
    object.set("note", marks_.note);
    object.set("starred", marks_.starred);
    object.set("deleted", marks_.deleted);
    object.set("target", parsed(record_.target));
    object.set("args_info", parsed(record_.argsInfo));
    object.set("trace", parsed(record_.trace));
    return json::Value(std::move(object));
}

std::string RecordView::text(RecordForm form) const {
    switch (form) {
    case RecordForm::Trace:
        return record_.trace;
    case RecordForm::Python:
        return trace().toPython();
    case RecordForm::Tir:
        return ir::print(scheduledModule());
    case RecordForm::Llvm:
        return emitted(*this, [](const ir::Module& module, const target::Target& target) {
            return codegen::emitLlvmIr(module, target);
        });
    case RecordForm::Asm:
        return emitted(*this, [](const ir::Module& module, const target::Target& target) {
            return codegen::emitAssembly(module, target);
        });
    case RecordForm::Json:
        return json::dump(toJson(), json::Style::Pretty);
    }
    return {};
}

} // namespace tilewright::session
