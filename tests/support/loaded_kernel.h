// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loads compiled kernels into the test process and runs them with a pool of one worker.

#include <tilewright/codegen/compile.h>
#include <tilewright/runtime/kernel_abi.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilewright::test {

/// A pool that runs everything on the calling thread.
class SerialPool {
public:
    SerialPool() {
        pool_.parallel_for = [](tw_pool*, tw_parallel_body body, void* closure,
                                std::int64_t extent) -> std::int32_t {
            return extent > 0 ? body(closure, 0, extent) : TW_OK;
        };
        pool_.workspace = [](tw_pool* pool, std::int64_t bytes, std::int32_t slot) -> void* {
            auto* self = static_cast<SerialPool*>(pool->owner);
            auto& [memory, size] = self->slots_[slot];
            if (size < bytes) {
                std::free(memory);
                memory = std::aligned_alloc(64, static_cast<std::size_t>((bytes + 63) / 64 * 64));
                size = bytes;
            }
            return memory;
        };
        pool_.num_threads = 1;
        pool_.reserved = 0;
        pool_.owner = this;
    }
    ~SerialPool() {
        for (auto& [slot, entry] : slots_)
            std::free(entry.first);
    }
    SerialPool(const SerialPool&) = delete;
    SerialPool& operator=(const SerialPool&) = delete;
    tw_pool* get() { return &pool_; }

private:
    tw_pool pool_{};
    std::map<int, std::pair<void*, std::int64_t>> slots_;
};

/// A shared object loaded from a temporary file.
class LoadedKernel {
public:
    explicit LoadedKernel(const codegen::SharedObject& object) : entry_(object.entry) {
        char path[] = "/tmp/tilewright-test-XXXXXX";
        const int descriptor = mkstemp(path);
        FILE* file = fdopen(descriptor, "wb");
        std::fwrite(object.bytes.data(), 1, object.bytes.size(), file);
        std::fclose(file);
        handle_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        unlink(path);
        if (!handle_)
            throw std::runtime_error(dlerror());
    }
    ~LoadedKernel() { dlclose(handle_); }
    LoadedKernel(const LoadedKernel&) = delete;
    LoadedKernel& operator=(const LoadedKernel&) = delete;

    void* symbol(const std::string& name) const { return dlsym(handle_, name.c_str()); }
    int run(std::vector<void*> data, const std::string& name = {}) {
        auto* kernel = reinterpret_cast<tw_kernel>(symbol(name.empty() ? entry_ : name));
        if (!kernel)
            throw std::runtime_error("no such kernel: " + name);
        return kernel(data.data(), pool_.get());
    }

private:
    void* handle_ = nullptr;
    std::string entry_;
    SerialPool pool_;
};

/// 64-byte aligned array.
template <class T> class AlignedArray {
public:
    explicit AlignedArray(std::size_t count, T value = {}) : count_(count) {
        data_ = static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64));
        for (std::size_t i = 0; i < count; ++i)
            data_[i] = value;
    }
    ~AlignedArray() { std::free(data_); }
    AlignedArray(const AlignedArray&) = delete;
    AlignedArray& operator=(const AlignedArray&) = delete;
    T* data() { return data_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    T* data_;
    std::size_t count_;
};

} // namespace tilewright::test
