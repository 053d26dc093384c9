// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/line_writer.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tilewright::json {

LineWriter::LineWriter(std::filesystem::path file, Mode mode)
    : file_(std::move(file)),
      descriptor_(::open(
          file_.c_str(),
          O_WRONLY | O_CREAT | O_CLOEXEC | (mode == Mode::Append ? O_APPEND : O_TRUNC), 0644)) {
    if (descriptor_ < 0)
        refuse();
}

LineWriter::LineWriter(LineWriter&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::move(other.buffer_)) {}

LineWriter::~LineWriter() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void LineWriter::refuse() const {
    const int error = errno;
    throw base::UserError(error == ENOSPC ? "disk-full" : "file-write",
                          base::concat("cannot write the file: ", std::strerror(error)),
                          {base::TextLocation{file_.string(), 0, 0}});
}

void LineWriter::write(const Value& value, Style style) {
    buffer_.clear();
    dumpTo(buffer_, value, style);
    writeText(buffer_);
}

void LineWriter::writeText(std::string_view line) {
    if (line.data() != buffer_.data())
        buffer_.assign(line);
    buffer_.push_back('\n');
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t done = ::write(descriptor_, rest.data(), rest.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            refuse();
        rest.remove_prefix(static_cast<std::size_t>(done));
    }
}

void LineWriter::sync() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL)
        refuse();
}

} // namespace tilewright::json
