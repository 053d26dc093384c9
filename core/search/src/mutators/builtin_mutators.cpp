// SPDX-License-Identifier: Apache-2.0
// The table of contents of mutators.
#include <tilewright/search/mutator.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::search {

namespace {

constexpr int kMaxJobsPerCore = 16;

MutatorPtr makeMutator(std::string_view name, const space::SpaceContext& context,
                       const ir::Module& module) {
    if (name == "MutateTileSize")
        return mutateTileSize();
    if (name == "MutateComputeLocation")
        return mutateComputeLocation(module);
    if (name == "MutateUnroll")
        return mutateUnroll();
    if (name == "MutateParallel")
        return mutateParallel(module, std::int64_t{context.numCores()} * kMaxJobsPerCore);
    throw base::UserError("mutator",
                          base::concat("no mutator '", name,
                                       "'; accepted are: MutateTileSize, MutateComputeLocation, "
                                       "MutateUnroll, MutateParallel"));
}

} // namespace

std::vector<WeightedMutator> makeMutators(const std::vector<space::MutatorProbability>& set,
                                          const space::SpaceContext& context,
                                          const ir::Module& module) {
    std::vector<WeightedMutator> mutators;
    for (const space::MutatorProbability& entry : set)
        mutators.push_back({makeMutator(entry.name, context, module), entry.probability});
    return mutators;
}

} // namespace tilewright::search
