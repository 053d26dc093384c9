// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/measure/child_process.h>
#include <tilewright/runtime/messages.h>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace tilewright::measure {

/// Why a request to a worker has no answer.
struct WorkerError {
    enum class Kind : std::uint8_t {
        NotStarted, ///< the program could not be started, or did not greet in time
        Refused,    ///< the worker answered with a Failure; it lives on
        Timeout,    ///< killed after its time
        Crashed,    ///< the worker said that a signal ends it, or a signal ended it
        Exited,     ///< the worker's end of the pipe closed otherwise
        Protocol,   ///< bytes that are no answer; killed
        Stopped,    ///< the stop token asked; killed
    };
    Kind kind = Kind::Exited;
    std::string message;
    /// The kind of the worker's Failure message when refused.
    std::string refusedAs = {};
    /// How the process ended, where it did.
    std::optional<ExitStatus> exit = std::nullopt;
    /// The signal that the worker itself told of, which works through ssh and emulators; else 0.
    int toldSignal = 0;
};

template <class T> using WorkerResult = base::Result<T, WorkerError>;

/// A persistent child process that answers requests of runtime/messages.h one at a time. Starts
/// when first needed and again after it died. Owned by one thread.
class Worker {
public:
    explicit Worker(SpawnOptions options,
                    std::chrono::milliseconds startTimeout = std::chrono::seconds(20))
        : options_(std::move(options)), startTimeout_(startTimeout) {}

    /// Starts the process when there is none and greets it.
    WorkerResult<void> start(const std::stop_token& stop);
    [[nodiscard]] bool running() const { return child_.has_value(); }
    /// What the process told of itself; after start.
    [[nodiscard]] const runtime::HelloReply& greeting() const { return greeting_; }
    /// Requests answered by the process that runs now.
    [[nodiscard]] std::uint64_t answered() const { return answered_; }
    [[nodiscard]] int processId() const { return child_ ? child_->processId() : -1; }

    /// Sends a request and waits for its answer. After any error but Refused the process is gone.
    template <class Reply, class Request>
    WorkerResult<Reply> ask(Request request, Deadline deadline, const std::stop_token& stop) {
        auto frame =
            exchange(runtime::toFrame(std::move(request), ++lastId_), Reply::kType, deadline, stop);
        if (!frame)
            return base::Unexpected(frame.error());
        auto reply = runtime::fromFrame<Reply>(*frame);
        if (!reply)
            return base::Unexpected(end(WorkerError::Kind::Protocol, reply.error().message));
        return std::move(*reply);
    }

    /// Ends the process in peace when it is idle, by force when it does not listen.
    void shutDown();
    /// Ends the process by force.
    void discard();

private:
    WorkerResult<runtime::Frame> exchange(const runtime::Frame& request,
                                          runtime::MessageType expected, Deadline deadline,
                                          const std::stop_token& stop);
    WorkerError end(WorkerError::Kind kind, std::string message);
    WorkerError endAfter(IoStatus status);

    SpawnOptions options_;
    std::chrono::milliseconds startTimeout_;
    std::optional<ChildProcess> child_;
    runtime::FrameAssembler assembler_;
    runtime::HelloReply greeting_;
    std::uint64_t lastId_ = 0;
    std::uint64_t answered_ = 0;
};

} // namespace tilewright::measure
