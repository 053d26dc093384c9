// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::measure {

/// A machine that runs candidates: a command that starts a runner on it and passes standard input
/// and output through. Transport, authentication, queueing and scale are the command's.
struct Device {
    /// The name by which commands and records mean it.
    std::string key;
    /// A shell command, such as `ssh board tilewright-runner`. `{runner}` and `{runner-riscv64}`
    /// stand for this installation's runners. Empty: this machine.
    std::string command;
    /// The target that fits it, as text; empty when the user gives one.
    std::string target;
    /// Runners that may work at the same time.
    int runners = 1;
    std::string description;
    bool operator==(const Device&) const = default;
};

/// The device `local`: this machine.
Device localDevice();

/// Reads the JSON of a device list:
///
///     {"schema": "tilewright/devices/1",
///      "devices": [{"key": "board", "command": "ssh board tilewright-runner",
///                   "target": "llvm -mtriple=riscv64-linux-gnu …", "runners": 2}]}
///
/// Throws ParseError (kind `device-list`) with file and what is accepted: unknown members, keys
/// that are missing or taken twice, runners that are no number from 1 to 1000.
std::vector<Device> parseDeviceList(std::string_view text, const std::string& fileName);

/// The JSON that parseDeviceList reads.
std::string printDeviceList(const std::vector<Device>& devices);

/// `$XDG_CONFIG_HOME/tilewright/devices.json`, else `~/.config/tilewright/devices.json`.
std::string defaultDeviceListPath();

/// `local` and the devices of a file. An empty path means the default, which may be missing; a file
/// that was asked for and cannot be read is a UserError (kind `file`).
std::vector<Device> loadDevices(const std::string& path = {});

/// The devices of a comma-separated list of keys; throws UserError (kind `device`) naming the known
/// keys.
std::vector<Device> selectDevices(const std::vector<Device>& devices, std::string_view keys);

} // namespace tilewright::measure
