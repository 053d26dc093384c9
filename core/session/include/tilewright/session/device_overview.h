// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/measure/device_list.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

enum class DeviceKind : std::uint8_t { Local, Ssh, Emulator, Command };
/// By its command: what starts with `ssh` or `qemu-…` is recognised.
DeviceKind deviceKind(const measure::Device& device);

/// How the last test of a device went; kept between runs.
struct StoredDeviceTest {
    std::int64_t timeMs = 0; ///< since 1970 UTC
    bool ok = false;
    bool verified = false;
    std::string status;  ///< `ok`, `run-timeout`, `device-lost`, …
    std::string message; ///< of a failure
    std::optional<double> medianSeconds;
    std::optional<double> roundTripSeconds;
};

/// A device with what is known of it.
struct DeviceRow {
    measure::Device device;
    DeviceKind kind = DeviceKind::Local;
    std::optional<StoredDeviceTest> test;   ///< nothing: never tested
    std::int64_t records = 0;               ///< measured on it, in the work directory
    std::int64_t failed = 0;                ///< of these
    std::optional<std::int64_t> lastSeenMs; ///< newest record or good test
};

/// A fact about a device, such as its governor, as a name and a value.
enum class DeviceFactKind : std::uint8_t {
    Processor,
    Features, ///< vector features that matter
    Caches,
    Cores,
    Memory, ///< free and total bytes
    Governor,
    Temperature,
    Clock,
};
struct DeviceFact {
    DeviceFactKind kind = DeviceFactKind::Processor;
    std::string value; ///< words; empty when not known, then `reason` says why
    std::string reason;
    bool warn = false;  ///< stands in the way of steady timings
    std::string advice; ///< what to do about it
};
/// Looks at this machine. Takes some milliseconds; changes nothing.
std::vector<DeviceFact> localDeviceFacts();

struct DeviceFiles {
    std::filesystem::path list;  ///< empty = measure::defaultDeviceListPath()
    std::filesystem::path tests; ///< empty = `$XDG_STATE_HOME/tilewright/device-tests.json`
};

/// `local` first, then the devices of the list, with their last tests and their records in a work
/// directory (may be empty). Throws UserError: `device-list`.
std::vector<DeviceRow> readDevices(const DeviceFiles& files,
                                   const std::filesystem::path& workDir = {});

/// Why a device cannot be added, as a problem of one field; nothing when it can.
struct DeviceProblem {
    std::string field; ///< `key`, `command`, `target`, `runners`
    std::string message;
};
std::optional<DeviceProblem> checkDevice(const measure::Device& device, const DeviceFiles& files,
                                         bool replace);

/// Adds a device to the list, or replaces the one of that name. Throws UserError: `usage` with what
/// checkDevice says, `not-writable`, `device-list`.
void saveDevice(const measure::Device& device, const DeviceFiles& files, bool replace);
/// Takes a device off the list; `local` cannot go. Returns the device, for undo.
std::optional<measure::Device> removeDevice(const std::string& key, const DeviceFiles& files);

/// Keeps what `tilewright device test KEY --json` printed; returns it.
StoredDeviceTest storeDeviceTest(const json::Value& result, const DeviceFiles& files);

/// A ready-made device: an emulator that is installed here. Nothing when it is not.
std::optional<measure::Device> riscvEmulator();

/// `tilewright device add …` that does the same.
std::string addDeviceCommand(const measure::Device& device);

} // namespace tilewright::session
