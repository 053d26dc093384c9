// SPDX-License-Identifier: Apache-2.0
// The table of contents of search strategies.
#include <tilewright/search/search_strategy.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::search {

std::unique_ptr<SearchStrategy> makeSearchStrategy(std::string_view kind) {
    if (kind == "evolutionary")
        return makeEvolutionarySearch();
    if (kind == "replay-trace")
        return makeReplayTrace();
    throw base::UserError(
        "strategy", base::concat("no search strategy '", kind,
                                 "'; accepted are: ", base::join(searchStrategyKinds(), ", ")));
}

std::vector<std::string> searchStrategyKinds() {
    return {"evolutionary", "replay-trace"};
}

} // namespace tilewright::search
