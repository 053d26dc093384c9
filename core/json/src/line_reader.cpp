// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/line_reader.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tilewright::json {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
/// Where a text ends for us: /dev/zero has no end, and nobody writes such a file by hand.
constexpr std::size_t kLargestText = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view reason) {
    throw base::UserError("file-read", base::concat("cannot read the file: ", reason),
                          {base::TextLocation{file.string(), 0, 0}});
}

int openForReading(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        refuse(file, std::strerror(errno));
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        refuse(file, "it is a folder");
    }
    return descriptor;
}

} // namespace

LineReader::LineReader(std::filesystem::path file)
    : file_(std::move(file)), descriptor_(openForReading(file_)) {}

LineReader::LineReader(LineReader&& other) noexcept {
    *this = std::move(other);
}

LineReader& LineReader::operator=(LineReader&& other) noexcept {
    if (this == &other)
        return *this;
    if (descriptor_ >= 0)
        ::close(descriptor_);
    // The view of the line points into the buffer, which may move: remember it as offsets.
    const std::size_t at =
        other.line_.empty() ? 0
                            : static_cast<std::size_t>(other.line_.data() - other.buffer_.data());
    const std::size_t length = other.line_.size();
    file_ = std::move(other.file_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    buffer_ = std::move(other.buffer_);
    begin_ = other.begin_;
    line_ = std::string_view(buffer_).substr(at, length);
    number_ = other.number_;
    complete_ = other.complete_;
    end_ = other.end_;
    return *this;
}

LineReader::~LineReader() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

bool LineReader::fill() {
    if (end_)
        return false;
    if (begin_ > 0) {
        buffer_.erase(0, begin_);
        begin_ = 0;
    }
    const std::size_t size = buffer_.size();
    // Growing with the line keeps the work linear in its length.
    buffer_.resize(size + std::max(kChunk, size / 2));
    ssize_t got = 0;
    do {
        got = ::read(descriptor_, buffer_.data() + size, buffer_.size() - size);
    } while (got < 0 && errno == EINTR);
    const int error = errno;
    buffer_.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0)
        refuse(file_, std::strerror(error));
    end_ = got == 0;
    return got > 0;
}

bool LineReader::next() {
    std::size_t searched = begin_;
    std::size_t end = std::string::npos;
    while ((end = buffer_.find('\n', searched)) == std::string::npos) {
        const std::size_t pending = buffer_.size() - begin_;
        if (!fill())
            break;
        searched = begin_ + pending;
    }
    complete_ = end != std::string::npos;
    if (!complete_) {
        if (begin_ >= buffer_.size())
            return false;
        end = buffer_.size();
    }
    line_ = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = complete_ ? end + 1 : end;
    if (number_ == 0 && line_.starts_with("\xEF\xBB\xBF"))
        line_.remove_prefix(3);
    if (line_.ends_with('\r'))
        line_.remove_suffix(1);
    ++number_;
    return true;
}

std::string readTextFile(const std::filesystem::path& file) {
    const int descriptor = openForReading(file);
    std::string text;
    std::size_t size = 0;
    while (true) {
        text.resize(size + std::max(kChunk, size / 2));
        const ssize_t got = ::read(descriptor, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            const int error = errno;
            ::close(descriptor);
            refuse(file, std::strerror(error));
        }
        if (got == 0)
            break;
        size += static_cast<std::size_t>(got);
        if (size > kLargestText) {
            ::close(descriptor);
            refuse(file, "it is longer than 1 GiB");
        }
    }
    ::close(descriptor);
    text.resize(size);
    return text;
}

} // namespace tilewright::json
