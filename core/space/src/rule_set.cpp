// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/rule_set.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <algorithm>

namespace tilewright::space {

namespace {

/// What differs among the CPU sets.
struct CpuSettings {
    int jobsPerCore;
    int innermostFactor;
    std::vector<std::int64_t> unrollSteps;
};

RuleSet cpuRuleSet(std::string_view kind, const CpuSettings& settings) {
    AutoInlineOptions inlining;
    inlining.disallowOp = {ir::Op::Exp};
    MultiLevelTilingOptions tiling;
    tiling.structure = "SSRSRS";
    tiling.maxInnermostFactor = settings.innermostFactor;
    tiling.reuseWrite = {ReuseRequirement::May, {1, 2}, "global"};
    ParallelizeVectorizeUnrollOptions loops;
    loops.maxJobsPerCore = settings.jobsPerCore;
    loops.maxVectorizeExtent = settings.innermostFactor;
    loops.unrollMaxSteps = settings.unrollSteps;
    RuleSet set;
    set.kind = kind;
    set.rules = {applyCustomRule(),
                 inlineConstantScalars(),
                 autoInline(std::move(inlining)),
                 addRFactor(settings.jobsPerCore, settings.innermostFactor),
                 multiLevelTiling(std::move(tiling)),
                 parallelizeVectorizeUnroll(std::move(loops)),
                 randomComputeLocation()};
    set.postprocs = {disallowDynamicLoop(), rewriteParallelVectorizeUnroll(),
                     rewriteReductionBlock(), rewriteLayout()};
    set.mutators = {{"MutateTileSize", 0.9},
                    {"MutateComputeLocation", 0.05},
                    {"MutateUnroll", 0.03},
                    {"MutateParallel", 0.02}};
    return set;
}

struct Row {
    std::string_view kind;
    CpuSettings settings;
};

const std::vector<Row>& rows() {
    static const CpuSettings wide{16, 64, {0, 16, 64, 512}};
    static const CpuSettings arm{8, 32, {0, 8, 32, 256}};
    static const std::vector<Row> table = {{"llvm", wide}, {"avx512", wide}, {"vnni", wide},
                                           {"rvv", wide},  {"asimd", arm},   {"dotprod", arm}};
    return table;
}

} // namespace

std::string ruleSetKind(const target::Target& target, const target::CpuFeatureSource& features) {
    const auto has = [&](std::string_view feature) { return features.hasFeature(target, feature); };
    if (target.kind() == "llvm") {
        const std::string architecture = target.architecture();
        if (architecture.starts_with("riscv"))
            return has("v") ? "rvv" : "llvm";
        if (architecture == "aarch64" || architecture.starts_with("arm")) {
            if (has("dotprod"))
                return "dotprod";
            return has("neon") ? "asimd" : "llvm";
        }
        if (has("avx512vnni") || has("avxvnni"))
            return "vnni";
        return has("avx512bw") && has("avx512f") ? "avx512" : "llvm";
    }
    throw base::UserError("target", base::concat("no schedule rules for target kind '",
                                                 target.kind(), "'; accepted is llvm"));
}

RuleSet makeRuleSet(std::string_view kind) {
    for (const Row& row : rows())
        if (row.kind == kind)
            return cpuRuleSet(kind, row.settings);
    throw base::UserError("rules", base::concat("no rule set '", kind, "'; accepted are: ",
                                                base::join(ruleSetKinds(), ", ")));
}

RuleSet makeRuleSet(const target::Target& target, const target::CpuFeatureSource& features) {
    return makeRuleSet(ruleSetKind(target, features));
}

std::vector<std::string> ruleSetKinds() {
    std::vector<std::string> kinds;
    for (const Row& row : rows())
        kinds.emplace_back(row.kind);
    return kinds;
}

} // namespace tilewright::space
