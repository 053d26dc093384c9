// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::measure {

/// How a trial ended. The words (`toString`) are stored in databases and printed by every command.
enum class Status : std::uint8_t {
    Ok,
    Apply,        ///< the trace could not be replayed
    Postproc,     ///< a postprocessor refused the schedule
    Build,        ///< lowering or compiling was refused, or the compiler crashed
    BuildTimeout, ///< the compiler was killed after its time
    Run,          ///< the kernel could not be loaded, or returned an error
    RunCrash,     ///< a signal ended the kernel
    RunOom,       ///< the kernel asked for more memory than it may have
    RunTimeout,   ///< the kernel was killed after its time
    WrongResult,  ///< the kernel ran and computed something else
    DeviceLost,   ///< the device went away, and no other could take the trial
    Cancelled,    ///< the user did not want to wait
};

inline constexpr std::array kAllStatuses{
    Status::Ok,           Status::Apply,       Status::Postproc,   Status::Build,
    Status::BuildTimeout, Status::Run,         Status::RunCrash,   Status::RunOom,
    Status::RunTimeout,   Status::WrongResult, Status::DeviceLost, Status::Cancelled};

/// The stable word: `ok`, `build-timeout`, `wrong-result`, …
std::string_view toString(Status status);
/// The status of a word; nothing for other words.
std::optional<Status> parseStatus(std::string_view word);

/// Why a trial has no result.
struct Failure {
    Status status = Status::Run;
    /// For the user: what happened, with the compiler's or system's own words where there are some.
    std::string message;
    bool operator==(const Failure&) const = default;
};

} // namespace tilewright::measure
