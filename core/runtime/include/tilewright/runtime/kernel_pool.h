// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/kernel_abi.h>

#include <functional>
#include <memory>

namespace tilewright::runtime {

/// The threads that run a kernel's parallel loops: persistent workers that spin for some
/// microseconds after a loop (so that the next loop of the same kernel finds them awake) and then
/// sleep. Worker w always gets the w-th chunk of a range, so that it finds its data in its caches.
/// One kernel at a time: the pool is used by one calling thread, which is worker 0.
class KernelPool {
public:
    /// Starts numThreads - 1 workers; numThreads < 1 counts as 1. `onWorkerStart` runs first on
    /// each new thread (pinning, signal stacks).
    explicit KernelPool(int numThreads, std::function<void(int worker)> onWorkerStart = {});
    /// Stops and joins the workers and frees all workspaces.
    ~KernelPool();
    KernelPool(const KernelPool&) = delete;
    KernelPool& operator=(const KernelPool&) = delete;

    /// The form in which kernels take the pool; lives as long as the pool.
    [[nodiscard]] tw_pool* handle();
    [[nodiscard]] int numThreads() const;

    /// Runs a loop as a kernel would; the convenience of C++ callers.
    int32_t run(std::int64_t extent,
                const std::function<int32_t(std::int64_t begin, std::int64_t end)>& body);

    /// Frees the workspaces. Not while a kernel runs.
    void releaseWorkspaces();
    /// Bytes that all workspaces hold.
    [[nodiscard]] std::int64_t workspaceBytes() const;

private:
    class State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::runtime
