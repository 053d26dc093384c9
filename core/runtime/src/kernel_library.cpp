// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/kernel_library.h>

#include <tilewright/base/concat.h>
#include <tilewright/runtime/cpu_features.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::runtime {

namespace {

base::Unexpected<base::Diagnostic> libraryError(const std::string& name, std::string message) {
    return base::Unexpected(
        base::Diagnostic("library", std::move(message), {base::TextLocation{name, 0, 0}}));
}

bool writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::uint16_t expectedMachine() {
#if defined(__x86_64__)
    return 62;
#elif defined(__riscv)
    return 243;
#elif defined(__aarch64__)
    return 183;
#else
    return 0;
#endif
}

/// Reads a little-endian integer of `bytes` bytes; 0 outside of `text`.
std::uint64_t integerAt(std::string_view text, std::size_t offset, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && offset + i < text.size(); ++i)
        value |= std::uint64_t{static_cast<unsigned char>(text[offset + i])} << (8 * i);
    return value;
}

/// Says in words what the loader would only call "invalid ELF header", and refuses what it would
/// die of: segments that lie beyond the end of the file. `head` are the first bytes of `size`.
std::string imageProblem(std::string_view head, std::uint64_t size) {
    constexpr std::size_t kHeaderBytes = 64;
    constexpr std::size_t kSegmentBytes = 56;
    if (head.size() < kHeaderBytes || head.substr(0, 4) != "\x7f"
                                                           "ELF")
        return "an ELF shared object is expected";
    if (head[4] != 2 || head[5] != 1)
        return "a 64-bit little-endian ELF shared object is expected";
    const std::uint64_t machine = integerAt(head, 18, 2);
    if (expectedMachine() != 0 && machine != expectedMachine())
        return base::concat(
            "the kernel was compiled for another architecture: ELF machine=", machine,
            ", this machine is ", hostArchitecture(), " (", expectedMachine(), ")");
    const std::uint64_t table = integerAt(head, 32, 8);
    const std::uint64_t count = integerAt(head, 56, 2);
    if (integerAt(head, 54, 2) != kSegmentBytes || table > head.size() ||
        count > (head.size() - table) / kSegmentBytes)
        return "the ELF file is cut off or damaged: its segment table is out of place";
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t at = static_cast<std::size_t>(table + i * kSegmentBytes);
        const std::uint64_t offset = integerAt(head, at + 8, 8);
        const std::uint64_t bytes = integerAt(head, at + 32, 8);
        if (integerAt(head, at, 4) == 1 && (offset > size || bytes > size - offset))
            return base::concat("the ELF file is cut off: a segment ends at byte ", offset + bytes,
                                " of ", size);
    }
    return {};
}

/// The problem of a file, if it is one that can be read.
std::string fileProblem(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return base::concat("the library cannot be opened: ", std::strerror(errno));
    std::string head(1 << 16, '\0');
    const ssize_t got = ::pread(fd, head.data(), head.size(), 0);
    const off_t size = ::lseek(fd, 0, SEEK_END);
    ::close(fd);
    if (got < 0 || size < 0)
        return base::concat("the library cannot be read: ", std::strerror(errno));
    head.resize(static_cast<std::size_t>(got));
    return imageProblem(head, static_cast<std::uint64_t>(size));
}

} // namespace

base::Result<KernelLibrary> KernelLibrary::load(const std::string& path, std::string name, int fd) {
    KernelLibrary library;
    library.fd_ = fd;
    library.name_ = std::move(name);
    library.handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ == nullptr) {
        const char* reason = ::dlerror();
        return libraryError(library.name_, base::concat("the library cannot be loaded: ",
                                                        reason ? reason : "no reason given"));
    }
    const auto* abi = static_cast<const std::uint32_t*>(library.symbol(TW_LIBRARY_ABI_SYMBOL));
    if (abi == nullptr)
        return libraryError(library.name_, base::concat("no kernel library: it does not export ",
                                                        TW_LIBRARY_ABI_SYMBOL));
    if (*abi != TW_KERNEL_ABI)
        return libraryError(library.name_, base::concat("the library's kernel ABI is ", *abi,
                                                        "; accepted is ", TW_KERNEL_ABI));
    if (const auto* needed = static_cast<const char*>(library.symbol(TW_LIBRARY_FEATURES_SYMBOL))) {
        const auto missing = missingFeatures(needed, hostCpuFeatures());
        if (!missing.empty())
            return libraryError(library.name_,
                                base::concat("the library needs CPU features that this machine "
                                             "lacks: ",
                                             base::join(missing, ", ")));
    }
    return library;
}

base::Result<KernelLibrary> KernelLibrary::open(const std::string& path) {
    // A name without a slash would be looked up in the system's library path.
    const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
    if (std::string problem = fileProblem(place); !problem.empty())
        return libraryError(path, std::move(problem));
    return load(place, path, -1);
}

base::Result<KernelLibrary> KernelLibrary::fromImage(std::string_view image) {
    const std::string name = "kernel image";
    if (std::string problem = imageProblem(image, image.size()); !problem.empty())
        return libraryError(name, std::move(problem));
    const int fd = ::memfd_create("tilewright-kernel", MFD_CLOEXEC);
    if (fd >= 0) {
        if (!writeAll(fd, image)) {
            const int code = errno;
            ::close(fd);
            return libraryError(name, base::concat("no room for the image: ", std::strerror(code)));
        }
        auto library = load(base::concat("/proc/self/fd/", fd), name, fd);
        if (library || ::access("/proc/self/fd", R_OK) == 0)
            return library;
    }
    // No memfd or no /proc (some boards): a file that is unlinked once it is mapped.
    const char* folder = std::getenv("TMPDIR");
    std::string path = base::concat(folder ? folder : "/tmp", "/tilewright-kernel-XXXXXX");
    const int file = ::mkstemp(path.data());
    if (file < 0)
        return libraryError(path,
                            base::concat("the file cannot be created: ", std::strerror(errno)));
    const bool written = writeAll(file, image);
    ::close(file);
    auto library =
        written ? load(path, name, -1)
                : base::Result<KernelLibrary>(libraryError(path, "no room for the kernel's image"));
    ::unlink(path.c_str());
    return library;
}

KernelLibrary::~KernelLibrary() {
    if (handle_ != nullptr)
        ::dlclose(handle_);
    if (fd_ >= 0)
        ::close(fd_);
}

void* KernelLibrary::symbol(const std::string& name) const {
    return handle_ != nullptr ? ::dlsym(handle_, name.c_str()) : nullptr;
}

tw_kernel KernelLibrary::kernel(const std::string& name) const {
    return reinterpret_cast<tw_kernel>(symbol(name));
}

} // namespace tilewright::runtime
