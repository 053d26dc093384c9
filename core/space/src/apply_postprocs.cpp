// SPDX-License-Identifier: Apache-2.0
#include <tilewright/space/postproc.h>

#include <tilewright/base/concat.h>

namespace tilewright::space {

schedule::Outcome<void> applyPostprocs(const SpaceContext& context,
                                       const std::vector<PostprocPtr>& postprocs,
                                       schedule::Schedule& schedule) {
    schedule.enterPostproc();
    for (const PostprocPtr& postproc : postprocs) {
        // A primitive that refuses inside a postprocessor drops the candidate, not the search.
        try {
            schedule::Outcome<void> outcome = postproc->apply(context, schedule);
            if (!outcome)
                return outcome;
        } catch (const schedule::ScheduleError& error) {
            schedule::Failure failure = error.failure();
            failure.message = base::concat(postproc->name(), ": ", failure.message);
            return base::Unexpected<schedule::Failure>(std::move(failure));
        }
    }
    return {};
}

} // namespace tilewright::space
