// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::measure {

using Deadline = std::chrono::steady_clock::time_point;

/// How a process ended.
struct ExitStatus {
    /// The exit code; -1 when a signal ended it.
    int code = -1;
    /// The signal, 0 when it exited.
    int signal = 0;
    /// `signal 11 (Segmentation fault)`, `exit code 3`.
    [[nodiscard]] std::string toString() const;
};

struct SpawnOptions {
    /// Program and arguments; the program is looked up in PATH when it has no slash.
    std::vector<std::string> command;
    /// `NAME=value` on top of this process's environment.
    std::vector<std::string> environment;
    /// CPUs it may use; empty: those of this process.
    std::vector<int> cpus;
    /// Address space in bytes; 0: unlimited.
    std::uint64_t memoryLimitBytes = 0;
    /// The system kills it when the thread that called spawn ends. Only for threads that live as
    /// long as the process is wanted.
    bool dieWithThread = false;
    /// Keep what it writes to standard error for errorTail(); otherwise it goes to ours.
    bool captureErrors = true;
};

enum class IoStatus : std::uint8_t { Done, Timeout, Closed, Stopped };

/// A child with pipes on its standard input and output, in a process group of its own. Descriptors
/// of this process do not leak into it. Destroying it kills the group and reaps the child. Owned by
/// one thread.
class ChildProcess {
public:
    /// Starts a program; error `spawn` when it cannot be started, with the system's reason.
    static base::Result<ChildProcess> spawn(const SpawnOptions& options);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    [[nodiscard]] int processId() const;
    /// Writes all bytes, waiting while the pipe is full.
    IoStatus write(std::string_view bytes, Deadline deadline, const std::stop_token& stop);
    /// Appends what there is to read to `buffer`, waiting until there is something.
    IoStatus read(std::string& buffer, Deadline deadline, const std::stop_token& stop);
    /// Ends the child's input.
    void closeInput();
    /// Its status when it has ended.
    std::optional<ExitStatus> poll();
    /// Waits for its end, at most until the deadline.
    std::optional<ExitStatus> wait(Deadline deadline);
    /// Kills its whole group and reaps it.
    ExitStatus kill();
    /// The last part of what it wrote to standard error, at most `bytes` long.
    [[nodiscard]] std::string errorTail(std::size_t bytes = 2000) const;
    /// Forgets captured errors when there are many, so that a talkative child cannot fill memory.
    void trimErrors();

private:
    struct State;
    explicit ChildProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Where a program of ours lies: in `folder` when given, beside this executable, in
/// ../libexec/tilewright, else just its name, for PATH.
std::string findProgram(const std::string& name, const std::string& folder = {});

} // namespace tilewright::measure
