// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace tilewright::codegen {

namespace {

/// An anonymous file in memory that the linker can open by name.
class MemoryFile {
public:
    explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
        if (descriptor_ < 0)
            throw base::UserError("link", base::concat("no memory file: ", std::strerror(errno)));
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const { return base::concat("/proc/self/fd/", descriptor_); }
    void write(const std::string& bytes) const {
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t n = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                throw base::UserError(
                    "link", base::concat("writing an object file: ", std::strerror(errno)));
            done += static_cast<std::size_t>(n);
        }
    }

private:
    int descriptor_;
};

/// A file name of our own in the temporary folder, removed at the end.
class TemporaryPath {
public:
    TemporaryPath() {
        const char* folder = std::getenv("TMPDIR");
        path_ = base::concat(folder && *folder ? folder : "/tmp", "/tilewright-XXXXXX");
        const int descriptor = mkstemp(path_.data());
        if (descriptor < 0)
            throw base::UserError(
                "link", base::concat("cannot write to ", path_, ": ", std::strerror(errno)));
        close(descriptor);
    }
    ~TemporaryPath() { unlink(path_.c_str()); }
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::mutex& linkerMutex() {
    static std::mutex mutex; // the linker's own state is global
    return mutex;
}

} // namespace

std::string linkShared(const std::string& object) {
    const MemoryFile input("kernel.o");
    input.write(object);
    const TemporaryPath output;
    const std::string inputPath = input.path();
    const std::vector<const char*> arguments{"ld.lld",
                                             "-shared",
                                             inputPath.c_str(),
                                             "-o",
                                             output.path().c_str(),
                                             "--threads=1",
                                             "--hash-style=gnu",
                                             "-z",
                                             "noexecstack",
                                             "--build-id=none",
                                             "-O0"};
    std::string messages;
    {
        const std::lock_guard lock(linkerMutex());
        static bool usable = true;
        if (!usable)
            throw base::UserError("link", "the linker failed earlier and cannot run again in "
                                          "this process");
        llvm::raw_string_ostream errors(messages);
        const lld::Result result =
            lld::lldMain(arguments, llvm::nulls(), errors, {{lld::Gnu, &lld::elf::link}});
        usable = result.canRunAgain;
        if (result.retCode != 0)
            throw base::UserError("link", base::concat("linking failed: ", messages));
    }
    std::ifstream stream(output.path(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (bytes.empty())
        throw base::UserError("link", base::concat("cannot read back ", output.path()));
    return bytes;
}

} // namespace tilewright::codegen
