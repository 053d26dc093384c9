// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/compile_input.h>

#include "model_header.h"

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/graph/compile_model.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/visit.h>
#include <tilewright/json/dump.h>
#include <tilewright/lower/layout_rewrite.h>
#include <tilewright/measure/arg_info.h>
#include <tilewright/session/choose_schedule.h>
#include <tilewright/session/record_json.h>

#include <algorithm>

namespace tilewright::session {

namespace {

/// Leaves packing of weights in the kernel: without a model around it the weights arrive at run
/// time, in the layout that the user knows.
class PackingKeeper : public ir::Rewriter {
public:
    ir::Module run(ir::Module module) {
        const std::string entry = module.entryName();
        const ir::PrimFunc function = module.find(entry);
        TW_CHECK(function) << "a schedule without a function";
        const ir::Stmt body = rewrite(function->body);
        module.set(entry, ir::edited(function, [&](ir::PrimFuncNode& node) { node.body = body; }));
        return module;
    }

protected:
    using Rewriter::rewriteNode;
    ir::Stmt rewriteNode(const ir::BlockNode& node) override {
        ir::Stmt made = Rewriter::rewriteNode(node);
        const auto* block = ir::as<ir::BlockNode>(made);
        if (!block || !block->annotations.contains(kPreprocess))
            return made;
        return ir::edited(block, [](ir::BlockNode& b) { b.annotations.erase(kPreprocess); });
    }

private:
    static constexpr std::string_view kPreprocess = "meta_schedule.layout_rewrite_preproc";
};

graph::TensorType typeOf(const measure::ArgInfo& arg, const std::string& name) {
    const auto element = graph::elementTypeFromName(arg.dtype);
    if (!element)
        throw base::UserError("input", base::concat("parameter ", name, " is of type ", arg.dtype,
                                                    ", which no library takes"));
    return {*element, arg.shape};
}

/// A model of one step: the kernel of a module with one output, its last parameter.
graph::Extraction singleKernel(const search::TuneTask& task) {
    const auto args = measure::argInfosOf(task.module);
    if (!args)
        throw base::UserError(args.error());
    const ir::PrimFunc function = task.module.find(task.module.entryName());
    const std::string shapeOfIt = "compiling takes a function of inputs and, last, one output";
    if (args->empty() || !args->back().isOutput)
        throw base::UserError("input", base::concat(task.name, ": ", shapeOfIt));
    graph::Extraction extraction;
    extraction.graph.name = task.name;
    graph::ModelStep step;
    step.task = 0;
    for (std::size_t i = 0; i < args->size(); ++i) {
        const std::string name = function->params[i].buffer->name;
        const bool last = i + 1 == args->size();
        if (!last && (*args)[i].isOutput)
            throw base::UserError("input",
                                  base::concat(task.name, ": ", name, " is written; ", shapeOfIt));
        const graph::ValueId id = extraction.graph.addTyped(name, typeOf((*args)[i], name));
        if (last) {
            step.output = id;
            extraction.graph.outputs.push_back(id);
            extraction.graph.outputNames.push_back(name);
        } else {
            step.inputs.push_back(id);
            extraction.graph.inputs.push_back(id);
        }
    }
    extraction.steps.push_back(std::move(step));
    graph::ExtractedTask extracted;
    extracted.name = task.name;
    extracted.module = task.module;
    extracted.weight = 1;
    extraction.tasks.push_back(std::move(extracted));
    return extraction;
}

CompiledOperator describe(const TuningInput& input, std::size_t i, const ChosenSchedule& chosen) {
    CompiledOperator row;
    row.name = input.tasks[i].name;
    row.weight = input.tasks[i].weight;
    row.flop = input.tasks[i].flop;
    row.nodes = input.nodes[i];
    if (chosen.record)
        row.record = chosen.record->value;
    row.seconds = chosen.seconds;
    row.reason = chosen.reason;
    return row;
}

json::Value toJson(const CompiledOperator& row) {
    json::Object object;
    object.set("name", row.name);
    object.set("weight", row.weight);
    object.set("source", row.record ? "record" : "default");
    object.set("record", row.record ? json::Value(*row.record) : json::Value());
    object.set("median_us", microseconds(row.seconds));
    object.set("reason", row.reason.empty() ? json::Value() : json::Value(row.reason));
    object.set("nodes", json::Value::array(row.nodes));
    return json::Value(std::move(object));
}

/// One compilation: chooses, compiles, and falls back where a chosen schedule has no machine code.
class InputCompiler {
public:
    InputCompiler(const TuningInput& input, const CompileRequest& request)
        : input_(input), request_(request) {}

    CompiledInput run(const std::string& libraryName) {
        openExtraction();
        const ScheduleChooser chooser(request_.workDir);
        for (std::size_t i = 0; i < input_.tasks.size(); ++i) {
            const ChosenSchedule chosen = chooser.choose(input_.tasks[i].module, request_.target);
            compiled_.operators.push_back(describe(input_, i, chosen));
            schedules_.push_back(chosen.module);
        }
        auto library = compile();
        if (!library && compiled_.tunedCount() > 0 && replaceUncompilable())
            library = compile();
        if (!library)
            throw base::UserError(library.error());
        compiled_.library = std::move(*library);
        compiled_.header = modelHeader(libraryName, compiled_.inputs, compiled_.outputs);
        return std::move(compiled_);
    }

private:
    void openExtraction() {
        if (input_.tasks.empty() && !input_.model)
            throw base::UserError("input", base::concat(input_.text, ": nothing to compile"));
        if (input_.model) {
            requireWhole();
            extraction_ = *input_.model;
        } else {
            if (input_.tasks.size() != 1)
                throw base::UserError("input",
                                      base::concat("compiling takes a model, or one operator; ",
                                                   input_.text, " has ", input_.tasks.size()));
            extraction_ = singleKernel(input_.tasks.front());
        }
        const graph::Graph& graph = extraction_.graph;
        for (const graph::ValueId id : graph.inputs)
            compiled_.inputs.push_back({graph.value(id).name, graph.value(id).type});
        for (std::size_t i = 0; i < graph.outputs.size(); ++i)
            compiled_.outputs.push_back({graph.outputNames[i], graph.value(graph.outputs[i]).type});
    }

    void requireWhole() const {
        if (input_.skipped.empty())
            return;
        std::vector<std::string> nodes;
        for (const graph::SkippedNode& node : input_.skipped)
            nodes.push_back(base::concat(node.node, " (", node.op, "): ", node.reason));
        throw base::UserError(
            "unsupported-operator",
            base::concat("the model cannot be compiled whole: ", base::join(nodes, "; ")),
            {base::TextLocation{input_.text, 0, 0}});
    }

    base::Result<std::string> compile() {
        graph::ModelSource source;
        source.extraction = &extraction_;
        for (const ir::Module& module : schedules_)
            source.schedules.push_back(input_.model ? module : PackingKeeper().run(module));
        json::Array rows;
        for (const CompiledOperator& row : compiled_.operators)
            rows.push_back(toJson(row));
        source.note = json::dump(json::Value(json::Object{
            {"target", request_.target.toJson()}, {"operators", json::Value(std::move(rows))}}));
        return graph::compileModel(source, request_.target);
    }

    /// Puts the default schedule where a record's kernel does not compile; false when all do.
    bool replaceUncompilable() {
        bool any = false;
        for (std::size_t i = 0; i < schedules_.size(); ++i) {
            CompiledOperator& row = compiled_.operators[i];
            if (!row.record)
                continue;
            const auto object = codegen::compileModule(
                lower::removeLayoutRewrites(schedules_[i]).module, request_.target);
            if (object)
                continue;
            row.reason = base::concat("record ", *row.record,
                                      " cannot be compiled: ", object.error().message);
            row.record.reset();
            row.seconds.reset();
            schedules_[i] = defaultScheduleFor(input_.tasks[i].module, request_.target);
            any = true;
        }
        return any;
    }

    const TuningInput& input_;
    const CompileRequest& request_;
    graph::Extraction extraction_;
    std::vector<ir::Module> schedules_;
    CompiledInput compiled_;
};

} // namespace

std::size_t CompiledInput::tunedCount() const {
    return static_cast<std::size_t>(
        std::count_if(operators.begin(), operators.end(),
                      [](const CompiledOperator& row) { return row.record.has_value(); }));
}

CompiledInput compileInput(const TuningInput& input, const CompileRequest& request,
                           const std::string& libraryName) {
    return InputCompiler(input, request).run(libraryName);
}

json::Value toJson(const CompiledInput& compiled) {
    json::Object object;
    object.set("schema", "tilewright/compile/1");
    object.set("tuned", compiled.tunedCount());
    object.set("fallback", compiled.operators.size() - compiled.tunedCount());
    object.set("bytes", compiled.library.size());
    json::Array rows;
    for (const CompiledOperator& row : compiled.operators)
        rows.push_back(toJson(row));
    object.set("operators", std::move(rows));
    return json::Value(std::move(object));
}

} // namespace tilewright::session
