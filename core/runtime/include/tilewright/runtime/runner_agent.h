// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <cstdint>
#include <string>

namespace tilewright::runtime {

struct RunnerAgentOptions {
    /// Name and version told in the handshake.
    std::string product = "tilewright-runner";
    /// Arguments above this many bytes are refused as `run-oom`; 0: no limit of our own.
    std::int64_t maxArgumentBytes = 0;
};

/// Answers requests of messages.h on two descriptors until Quit or the end of the input: loads
/// kernels, makes arguments, times and executes. Returns the error when the other side does not
/// speak the protocol. Runs kernels in this process: a crash of one ends it.
base::Result<void, base::Diagnostic> serveRunner(int inFd, int outFd,
                                                 const RunnerAgentOptions& options);

/// Memory of this process that is in RAM, in bytes; 0 where the system does not tell.
std::uint64_t residentBytes();

} // namespace tilewright::runtime
