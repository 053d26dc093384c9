// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/profiler.h>
#include <tilewright/base/random_state.h>
#include <tilewright/base/thread_pool.h>
#include <tilewright/ir/module.h>
#include <tilewright/search/mutator.h>
#include <tilewright/space/postproc.h>
#include <tilewright/space/space_generator.h>

#include <string>
#include <vector>

namespace tilewright::search {

/// Everything that tuning one task needs to know: MetaSchedule's tune context.
struct TuneContext {
    std::string taskName;
    ir::Module module;
    space::SpaceContext space;
    space::SpaceGeneratorPtr generator;
    std::vector<space::PostprocPtr> postprocs;
    std::vector<WeightedMutator> mutators;
    base::RandomState random{1};
    base::ThreadPool* threads = nullptr; ///< shared by all tasks, not owned
    base::Profiler* profiler = nullptr;  ///< null = do not measure, not owned
};

/// A context with the default rules, postprocessors and mutators of a rule set.
TuneContext makeTuneContext(std::string taskName, ir::Module module, target::Target target,
                            const space::RuleSet& rules, base::RandomState random);

} // namespace tilewright::search
