// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilewright::runner {

/// From now on a fatal signal (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) writes a Crashed frame to
/// `outFd` before it ends the process, so that an engine behind ssh or an emulator can tell a crash
/// of the kernel from a lost device.
void reportCrashesTo(int outFd);

} // namespace tilewright::runner
