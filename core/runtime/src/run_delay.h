// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilewright::runtime {

/// Seconds that all threads of this process have been ready to run while others had the cores,
/// since they started; negative where the system does not tell. Takes some µs a thread.
double runDelaySeconds();

} // namespace tilewright::runtime
