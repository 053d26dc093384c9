// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

namespace tilewright::codegen {

namespace {

/// What explicit vectors and register buffers leave to do: registers become SSA values, address
/// arithmetic is shared and leaves the loops.
llvm::FunctionPassManager quickPasses(bool loops) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(
        llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
    if (loops) {
        // No interleaving: it multiplies the code, and candidates are compiled by the thousand.
        passes.addPass(llvm::LoopVectorizePass(llvm::LoopVectorizeOptions(true, false)));
        passes.addPass(llvm::InstCombinePass());
        passes.addPass(llvm::SimplifyCFGPass());
        passes.addPass(
            llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
    }
    passes.addPass(llvm::EarlyCSEPass(true));
    return passes;
}

} // namespace

void Machine::optimize(llvm::Module& module, Effort effort, bool loops) const {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.SLPVectorization = effort == Effort::Full;
    llvm::PassBuilder builder(machine_.get(), tuning);
    llvm::LoopAnalysisManager loopAnalyses;
    llvm::FunctionAnalysisManager functionAnalyses;
    llvm::CGSCCAnalysisManager callGraphAnalyses;
    llvm::ModuleAnalysisManager moduleAnalyses;
    builder.registerModuleAnalyses(moduleAnalyses);
    builder.registerCGSCCAnalyses(callGraphAnalyses);
    builder.registerFunctionAnalyses(functionAnalyses);
    builder.registerLoopAnalyses(loopAnalyses);
    builder.crossRegisterProxies(loopAnalyses, functionAnalyses, callGraphAnalyses, moduleAnalyses);
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(quickPasses(loops)));
    if (effort == Effort::Full)
        passes.addPass(builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2));
    passes.run(module, moduleAnalyses);
}

} // namespace tilewright::codegen
