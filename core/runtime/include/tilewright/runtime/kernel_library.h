// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/base/result.h>
#include <tilewright/runtime/kernel_abi.h>

#include <string>
#include <string_view>
#include <utility>

namespace tilewright::runtime {

/// A loaded shared library of kernels. Unloads on destruction, so symbols must not outlive it.
class KernelLibrary {
public:
    /// Loads from a file. Errors: `library` with the path: not a shared object, made for another
    /// architecture, other kernel ABI number, or CPU features that this CPU lacks.
    static base::Result<KernelLibrary> open(const std::string& path);
    /// Loads from the bytes of an ELF shared object, without a file where the system allows it.
    static base::Result<KernelLibrary> fromImage(std::string_view image);

    KernelLibrary(KernelLibrary&& other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)), fd_(std::exchange(other.fd_, -1)),
          name_(std::move(other.name_)) {}
    KernelLibrary& operator=(KernelLibrary&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(fd_, other.fd_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~KernelLibrary();

    /// The address of an exported symbol; null when there is none.
    [[nodiscard]] void* symbol(const std::string& name) const;
    /// The kernel of that name; null when there is none.
    [[nodiscard]] tw_kernel kernel(const std::string& name) const;

private:
    KernelLibrary() = default;
    static base::Result<KernelLibrary> load(const std::string& path, std::string name, int fd);

    void* handle_ = nullptr;
    int fd_ = -1; // stays open: the loader knows the library by the path that names this descriptor
    std::string name_;
};

} // namespace tilewright::runtime
