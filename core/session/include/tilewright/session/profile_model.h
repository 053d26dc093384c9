// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/session/compile_input.h>

namespace tilewright::session {

/// Where the time of a compiled model goes. Runs it in a child process on made-up inputs for about
/// `seconds`, whole and call by call in alternation. Returns `{"schema", "rows": [{"name", "calls",
/// "median_us", "lo_us", "hi_us", "percent", "gflops", "source", "record", "nodes"}], "timeline":
/// [{"name", "start_us", "duration_us"}], "overhead_us", "end_to_end": {"median_us", "lo_us",
/// "hi_us", "n"}, "threads"}`; times of a row are of one call, the overhead is what the whole takes
/// more than its calls, the timeline is one run, the one nearest to the median. Rows by falling
/// share. Throws UserError as runModel.
json::Value profileModel(const CompiledInput& compiled, int threads, double seconds = 1.5);

} // namespace tilewright::session
