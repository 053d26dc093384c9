// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::runtime {

/// Numbers of the messages that travel between the engine and its workers; see messages.h.
enum class MessageType : std::uint16_t {
    Hello = 1,
    HelloReply = 2,
    LoadLibrary = 3,
    SetArguments = 4,
    Measure = 5,
    Measured = 6,
    Execute = 7,
    Executed = 8,
    Quit = 9,
    Done = 10,
    Build = 20,
    Built = 21,
    Failure = 100,
    Crashed = 101,
};

/// The version of frames and messages that this program writes, and the oldest it reads.
inline constexpr std::uint16_t kProtocolVersion = 1;
inline constexpr std::uint16_t kOldestProtocolVersion = 1;
/// Largest payload of a frame, in bytes.
inline constexpr std::uint32_t kMaxPayload = 1U << 30;
/// Bytes before the payload: u32 payload length, u16 version, u16 type, u64 request id.
inline constexpr std::size_t kFrameHeaderBytes = 16;

/// One message as it travels. A reply carries the id of its request.
struct Frame {
    MessageType type = MessageType::Failure;
    std::uint64_t id = 0;
    std::string payload;
    std::uint16_t version = kProtocolVersion;
    bool operator==(const Frame&) const = default;
};

/// The frame's header as bytes; the payload follows it unchanged.
std::string encodeFrameHeader(const Frame& frame);

/// Gathers bytes from a stream and cuts them into frames. A frame longer than kMaxPayload or of a
/// version that this program does not know is an error (kind `protocol`) after which the stream is
/// of no use. Memory grows with the bytes that came, never with the length that was announced.
class FrameAssembler {
public:
    void append(std::string_view bytes) { pending_.append(bytes); }
    /// The next complete frame, nothing when more bytes are needed.
    base::Result<std::optional<Frame>> next();
    /// True when no byte of a further frame has come.
    [[nodiscard]] bool empty() const { return pending_.size() == consumed_; }

private:
    std::string pending_;
    std::size_t consumed_ = 0;
};

/// Blocking frame input and output on two descriptors, for the worker's side of a pipe.
class FrameStream {
public:
    FrameStream(int inFd, int outFd) : in_(inFd), out_(outFd) {}
    /// The next frame; nothing at the end of the stream. Errors: `protocol`, also when the stream
    /// ends inside a frame.
    base::Result<std::optional<Frame>> read();
    /// False when the other side is gone.
    bool write(const Frame& frame);

private:
    int in_;
    int out_;
    FrameAssembler assembler_;
};

} // namespace tilewright::runtime
