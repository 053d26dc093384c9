// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/frame.h>

#include <tilewright/base/concat.h>
#include <tilewright/runtime/wire.h>

#include <array>
#include <cerrno>
#include <unistd.h>

namespace tilewright::runtime {

std::string encodeFrameHeader(const Frame& frame) {
    WireWriter writer;
    writer(static_cast<std::uint32_t>(frame.payload.size()));
    writer(frame.version);
    writer(frame.type);
    writer(frame.id);
    return std::move(writer).take();
}

base::Result<std::optional<Frame>> FrameAssembler::next() {
    const std::string_view rest = std::string_view(pending_).substr(consumed_);
    if (rest.size() < kFrameHeaderBytes)
        return std::optional<Frame>();
    WireReader reader(rest.substr(0, kFrameHeaderBytes));
    Frame frame;
    std::uint32_t length = 0;
    reader(length);
    reader(frame.version);
    reader(frame.type);
    reader(frame.id);
    if (frame.version < kOldestProtocolVersion || frame.version > kProtocolVersion)
        return base::Unexpected(base::Diagnostic(
            "protocol", base::concat("a frame of protocol version ", frame.version,
                                     " came; this program reads versions ", kOldestProtocolVersion,
                                     " to ", kProtocolVersion)));
    if (length > kMaxPayload)
        return base::Unexpected(base::Diagnostic(
            "protocol", base::concat("a frame announces ", length, " bytes; at most ", kMaxPayload,
                                     " are accepted")));
    if (rest.size() - kFrameHeaderBytes < length)
        return std::optional<Frame>();
    frame.payload.assign(rest.substr(kFrameHeaderBytes, length));
    consumed_ += kFrameHeaderBytes + length;
    if (consumed_ == pending_.size()) {
        // A large kernel or tensor is not worth keeping memory for.
        if (pending_.capacity() > (1U << 20))
            std::string().swap(pending_);
        pending_.clear();
        consumed_ = 0;
    } else if (consumed_ > pending_.size() / 2) {
        pending_.erase(0, consumed_);
        consumed_ = 0;
    }
    return std::optional<Frame>(std::move(frame));
}

base::Result<std::optional<Frame>> FrameStream::read() {
    std::array<char, 1 << 16> buffer;
    while (true) {
        auto frame = assembler_.next();
        if (!frame || frame->has_value())
            return frame;
        const ssize_t got = ::read(in_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            if (assembler_.empty())
                return std::optional<Frame>();
            return base::Unexpected(
                base::Diagnostic("protocol", "the stream ended inside a frame"));
        }
        assembler_.append({buffer.data(), static_cast<std::size_t>(got)});
    }
}

bool FrameStream::write(const Frame& frame) {
    const std::string header = encodeFrameHeader(frame);
    for (std::string_view bytes : {std::string_view(header), std::string_view(frame.payload)})
        while (!bytes.empty()) {
            const ssize_t written = ::write(out_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    return true;
}

} // namespace tilewright::runtime
