// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilewright::runtime {

/// Prepares a worker's standard descriptors: the protocol keeps the pipe of standard output to
/// itself and fd 1 becomes standard error, so that stray prints cannot break frames. Returns the
/// descriptor to write frames to; negative when there is none.
int claimStandardOutput();

/// Ends this process soon after the writer of `inFd` is gone, also while a kernel hangs in the main
/// thread. A worker that reads on has a second to finish what came before.
void endWithParent(int inFd);

} // namespace tilewright::runtime
