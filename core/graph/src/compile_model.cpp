// SPDX-License-Identifier: Apache-2.0
#include <tilewright/graph/compile_model.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/graph/execution_plan.h>
#include <tilewright/graph/model_abi.h>
#include <tilewright/ir/make.h>
#include <tilewright/lower/layout_rewrite.h>

namespace tilewright::graph {

namespace {

Dims shapeOfParam(const ir::PrimFuncNode& function, std::size_t param) {
    Dims shape;
    for (const ir::Expr& extent : function.params.at(param).buffer->shape) {
        const auto value = ir::constInt(extent);
        TW_CHECK(value.has_value()) << "a kernel with a symbolic shape";
        shape.push_back(*value);
    }
    return shape;
}

codegen::CallArgument toArgument(const PlanBuffer& buffer, std::size_t inputs) {
    using Kind = codegen::CallArgument::Kind;
    switch (buffer.place) {
    case PlanBuffer::Place::Input:
        return {Kind::Parameter, buffer.index, 0};
    case PlanBuffer::Place::Output:
        return {Kind::Parameter, static_cast<std::int64_t>(inputs) + buffer.index, 0};
    case PlanBuffer::Place::Constant:
        return {Kind::Constant, buffer.index, 0};
    case PlanBuffer::Place::Scratch:
        break;
    }
    return {Kind::Scratch, 0, buffer.offset};
}

/// The pieces of one library; owns what codegen only views.
class ModelAssembler {
public:
    explicit ModelAssembler(const ModelSource& source) : source_(source) {}

    base::Result<std::string> run(const target::Target& target) {
        addKernels();
        planned_ = planExecution(*source_.extraction, interfaces_);
        addConstants();
        addEntry();
        // The effort of candidates: what was timed is what is shipped.
        auto object = codegen::compileLibrary(library_, target, {.effort = codegen::Effort::Quick});
        if (!object)
            return base::Unexpected(object.error());
        return std::move(object->bytes);
    }

private:
    void addKernels() {
        const auto& tasks = source_.extraction->tasks;
        TW_CHECK(source_.schedules.size() == tasks.size())
            << source_.schedules.size() << " schedules for " << tasks.size() << " tasks";
        cleaned_.reserve(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            cleaned_.push_back(lower::removeLayoutRewrites(source_.schedules[i]));
            const ir::Module& module = cleaned_.back().module;
            const ir::PrimFunc function = module.find(module.entryName());
            TW_CHECK(function) << "a schedule without a function";
            KernelInterface kernel;
            kernel.symbol = base::concat("tw_kernel_", tasks[i].name);
            for (const lower::LayoutRewrite& rewrite : cleaned_.back().rewrites)
                kernel.rewrites.push_back(
                    {rewrite.param, &rewrite.map, shapeOfParam(*function, rewrite.param)});
            library_.kernels.push_back({kernel.symbol, function});
            interfaces_.push_back(std::move(kernel));
        }
    }

    void addConstants() {
        for (std::size_t i = 0; i < planned_.constants.size(); ++i) {
            const auto& bytes = planned_.constants[i]->bytes;
            library_.constants.push_back(
                {base::concat(TW_MODEL_CONSTANT_PREFIX, i),
                 std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                 true});
        }
        metadata_ = planToJson(planned_.plan, source_.note);
        metadata_.push_back('\0');
        library_.constants.push_back({TW_MODEL_METADATA_SYMBOL, metadata_, true});
    }

    void addEntry() {
        codegen::LibraryEntry entry;
        entry.symbol = TW_MODEL_RUN_SYMBOL;
        entry.scratchBytes = planned_.plan.scratchBytes;
        for (const PlanCall& call : planned_.plan.calls) {
            codegen::KernelCall made{call.kernel, {}};
            for (const PlanBuffer& buffer : call.arguments)
                made.arguments.push_back(toArgument(buffer, planned_.plan.inputs.size()));
            entry.calls.push_back(std::move(made));
        }
        library_.entries.push_back(std::move(entry));
    }

    const ModelSource& source_;
    std::vector<lower::WithoutLayoutRewrites> cleaned_;
    std::vector<KernelInterface> interfaces_;
    PlannedModel planned_;
    std::string metadata_;
    codegen::Library library_;
};

} // namespace

base::Result<std::string> compileModel(const ModelSource& source, const target::Target& target) {
    TW_CHECK(source.extraction != nullptr);
    try {
        return ModelAssembler(source).run(target);
    } catch (const base::UserError& error) {
        return base::Unexpected(error.diagnostic());
    }
}

} // namespace tilewright::graph
