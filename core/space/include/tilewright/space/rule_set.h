// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/space/postproc.h>
#include <tilewright/space/schedule_rule.h>
#include <tilewright/target/cpu_features.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::space {

/// A mutator's name and how often it is chosen; the sum is 1.
struct MutatorProbability {
    std::string name;
    double probability = 0;
};

/// Rules, postprocessors and mutators that belong together.
struct RuleSet {
    std::string kind; ///< `llvm`, `avx512`, …
    std::vector<ScheduleRulePtr> rules;
    std::vector<PostprocPtr> postprocs;
    std::vector<MutatorProbability> mutators;
};

/// The default set of a target: `llvm`, `avx512`, `vnni`, `rvv`, `asimd`, `dotprod`. The sets that
/// TVM adds tensor intrinsics to hold the same rules here without them, so blocks of float type get
/// the same space. Throws UserError (kind `target`) for targets without a set.
std::string ruleSetKind(const target::Target& target, const target::CpuFeatureSource& features);
/// Throws UserError (kind `rules`) naming the accepted kinds.
RuleSet makeRuleSet(std::string_view kind);
RuleSet makeRuleSet(const target::Target& target, const target::CpuFeatureSource& features);
/// Kinds that makeRuleSet accepts, for help texts.
std::vector<std::string> ruleSetKinds();

} // namespace tilewright::space
