// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/worker.h>

#include <tilewright/base/concat.h>

#include <csignal>
#include <cstring>

namespace tilewright::measure {

namespace {

constexpr auto kEndPatience = std::chrono::milliseconds(500);

Deadline soon(std::chrono::milliseconds patience) {
    return std::chrono::steady_clock::now() + patience;
}

} // namespace

WorkerResult<void> Worker::start(const std::stop_token& stop) {
    if (child_)
        return {};
    auto child = ChildProcess::spawn(options_);
    if (!child)
        return base::Unexpected(WorkerError{WorkerError::Kind::NotStarted, child.error().message});
    child_.emplace(std::move(*child));
    assembler_ = {};
    answered_ = 0;
    runtime::Hello hello;
    hello.product = "tilewright";
    auto reply = ask<runtime::HelloReply>(hello, soon(startTimeout_), stop);
    if (reply) {
        greeting_ = std::move(*reply);
        answered_ = 0;
        return {};
    }
    WorkerError error = reply.error();
    discard();
    if (error.kind != WorkerError::Kind::Stopped) {
        error.kind = WorkerError::Kind::NotStarted;
        error.message = base::concat("the worker did not greet: ", error.message, ": ",
                                     base::join(options_.command, " "));
    }
    return base::Unexpected(std::move(error));
}

WorkerResult<runtime::Frame> Worker::exchange(const runtime::Frame& request,
                                              runtime::MessageType expected, Deadline deadline,
                                              const std::stop_token& stop) {
    TW_CHECK(child_.has_value()) << "a request to a worker that was not started";
    child_->trimErrors();
    IoStatus status = child_->write(runtime::encodeFrameHeader(request), deadline, stop);
    if (status == IoStatus::Done)
        status = child_->write(request.payload, deadline, stop);
    // A worker that went away may have said why before.
    if (status != IoStatus::Done && status != IoStatus::Closed)
        return base::Unexpected(endAfter(status));
    while (true) {
        auto next = assembler_.next();
        if (!next)
            return base::Unexpected(end(WorkerError::Kind::Protocol, next.error().message));
        if (!next->has_value()) {
            std::string bytes;
            status = child_->read(bytes, deadline, stop);
            if (status != IoStatus::Done)
                return base::Unexpected(endAfter(status));
            assembler_.append(bytes);
            continue;
        }
        runtime::Frame& frame = **next;
        if (frame.type == runtime::MessageType::Crashed) {
            const auto crash = runtime::fromFrame<runtime::Crashed>(frame);
            const int signal = crash ? crash->signal : 0;
            WorkerError error = end(WorkerError::Kind::Crashed, ExitStatus{-1, signal}.toString());
            error.toldSignal = signal;
            return base::Unexpected(std::move(error));
        }
        if (frame.type == runtime::MessageType::Failure) {
            auto failure = runtime::fromFrame<runtime::Failure>(frame);
            if (!failure || frame.id != request.id)
                return base::Unexpected(end(WorkerError::Kind::Protocol,
                                            failure ? failure->message : failure.error().message));
            ++answered_;
            return base::Unexpected(
                WorkerError{WorkerError::Kind::Refused, failure->message, failure->kind});
        }
        if (frame.id != request.id || frame.type != expected)
            return base::Unexpected(
                end(WorkerError::Kind::Protocol,
                    base::concat("an answer of type ", static_cast<int>(frame.type), " to request ",
                                 frame.id, " came; expected is type ", static_cast<int>(expected),
                                 " to request ", request.id)));
        ++answered_;
        return std::move(frame);
    }
}

WorkerError Worker::endAfter(IoStatus status) {
    if (status == IoStatus::Timeout)
        return end(WorkerError::Kind::Timeout, "killed after its time");
    if (status == IoStatus::Stopped)
        return end(WorkerError::Kind::Stopped, "stopped");
    return end(WorkerError::Kind::Exited, {});
}

WorkerError Worker::end(WorkerError::Kind kind, std::string message) {
    WorkerError error;
    error.kind = kind;
    // A process that ends by itself is given the time to do so: its own status says more than ours.
    if (kind == WorkerError::Kind::Exited || kind == WorkerError::Kind::Crashed)
        error.exit = child_->wait(soon(kEndPatience));
    if (!error.exit)
        child_->kill();
    if (kind == WorkerError::Kind::Exited && error.exit && error.exit->signal != 0)
        error.kind = WorkerError::Kind::Crashed;
    error.message = std::move(message);
    if (error.message.empty())
        error.message = error.exit ? error.exit->toString() : "the worker closed its output";
    if (const std::string tail = child_->errorTail();
        !tail.empty() && kind != WorkerError::Kind::Stopped)
        error.message += base::concat("\n", tail);
    child_.reset();
    return error;
}

void Worker::shutDown() {
    if (!child_)
        return;
    // Closing its input is the request to end; a busy one is killed with the object.
    child_->write(runtime::encodeFrameHeader(runtime::toFrame(runtime::Quit{}, ++lastId_)),
                  soon(std::chrono::milliseconds(20)), {});
    child_->closeInput();
    child_->wait(soon(std::chrono::milliseconds(200)));
    child_.reset();
}

void Worker::discard() {
    child_.reset();
}

} // namespace tilewright::measure
