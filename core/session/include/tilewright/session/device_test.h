// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/device_list.h>
#include <tilewright/measure/status.h>
#include <tilewright/target/target.h>

#include <optional>
#include <string>

namespace tilewright::session {

/// How a small matmul did on a device.
struct DeviceTest {
    measure::Status status = measure::Status::Ok;
    std::string message; ///< of a failure
    bool verified = false;
    std::optional<double> medianSeconds;
    double roundTripSeconds = 0; ///< starting the runner, sending, running and checking
    [[nodiscard]] bool ok() const { return status == measure::Status::Ok && verified; }
};

/// Compiles a 64×64×64 matmul with the default schedule for a target, runs it on a device and
/// compares the result with this machine's.
DeviceTest testDevice(const measure::Device& device, const target::Target& target);

} // namespace tilewright::session
