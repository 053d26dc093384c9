// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/kernel_pool.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <sched.h>
#include <thread>
#include <vector>

namespace tilewright::runtime {

namespace {

constexpr std::size_t kCacheLine = 64;
/// Rounds of waiting before a thread sleeps: roughly 50 µs, several times a futex wake-up.
constexpr int kSpinRounds = 1500;

void relaxCpu() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

int allowedCpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return std::max(1, CPU_COUNT(&set));
}

/// Scratch memory of one worker. Only that worker grows it.
class Workspaces {
public:
    Workspaces() = default;
    Workspaces(const Workspaces&) = delete;
    Workspaces& operator=(const Workspaces&) = delete;
    ~Workspaces() { release(); }

    void* get(std::int64_t bytes, std::int32_t slot) {
        if (slot < 0 || slot >= TW_MAX_SLOTS || bytes < 0)
            return nullptr;
        Block& block = blocks_[static_cast<std::size_t>(slot)];
        if (block.memory == nullptr || block.bytes < bytes) {
            std::free(block.memory);
            const std::int64_t rounded = (bytes + TW_ALIGNMENT) / TW_ALIGNMENT * TW_ALIGNMENT;
            block.memory = std::aligned_alloc(TW_ALIGNMENT, static_cast<std::size_t>(rounded));
            block.bytes = block.memory != nullptr ? rounded : 0;
        }
        return block.memory;
    }

    void release() {
        for (Block& block : blocks_) {
            std::free(block.memory);
            block = {};
        }
    }

    [[nodiscard]] std::int64_t bytes() const {
        std::int64_t sum = 0;
        for (const Block& block : blocks_)
            sum += block.bytes;
        return sum;
    }

private:
    struct Block {
        void* memory = nullptr;
        std::int64_t bytes = 0;
    };
    std::array<Block, TW_MAX_SLOTS> blocks_;
};

/// Which pool's worker this thread is at the moment. Generated bodies take no pool argument, so the
/// thread itself has to know.
thread_local const void* currentPool = nullptr;
thread_local int currentWorker = 0;

/// Waits until `word` differs from `seen`: spins first, then sleeps.
std::uint32_t waitForChange(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                            int spinRounds) {
    for (int i = 0; i < spinRounds; ++i) {
        const std::uint32_t now = word.load(std::memory_order_acquire);
        if (now != seen)
            return now;
        relaxCpu();
    }
    while (true) {
        const std::uint32_t now = word.load(std::memory_order_acquire);
        if (now != seen)
            return now;
        word.wait(seen, std::memory_order_acquire);
    }
}

} // namespace

class KernelPool::State {
public:
    State(int numThreads, std::function<void(int)> onWorkerStart)
        : workers_(static_cast<std::size_t>(std::max(1, numThreads))),
          onWorkerStart_(std::move(onWorkerStart)),
          // Spinning takes the core from the very thread that is waited for when there are fewer
          // cores than threads.
          spinRounds_(allowedCpus() >= static_cast<int>(workers_.size()) ? kSpinRounds : 0) {
        handle_.parallel_for = &State::parallelForEntry;
        handle_.workspace = &State::workspaceEntry;
        handle_.num_threads = static_cast<std::int32_t>(workers_.size());
        handle_.reserved = 0;
        handle_.owner = this;
        threads_.reserve(workers_.size() - 1);
        for (std::size_t i = 1; i < workers_.size(); ++i)
            threads_.emplace_back([this, i] { serve(static_cast<int>(i)); });
    }

    ~State() {
        stopping_.store(true, std::memory_order_relaxed);
        for (std::size_t i = 1; i < workers_.size(); ++i)
            start(workers_[i]);
        threads_.clear();
    }

    tw_pool* handle() { return &handle_; }
    [[nodiscard]] int numThreads() const { return static_cast<int>(workers_.size()); }

    void releaseWorkspaces() {
        for (Worker& worker : workers_)
            worker.workspaces.release();
    }
    [[nodiscard]] std::int64_t workspaceBytes() const {
        std::int64_t sum = 0;
        for (const Worker& worker : workers_)
            sum += worker.workspaces.bytes();
        return sum;
    }

private:
    /// A worker's order and answer. `started` and `finished` count orders; they differ while the
    /// worker runs. The order's fields are written before `started` is raised.
    struct alignas(kCacheLine) Worker {
        std::atomic<std::uint32_t> started{0};
        tw_parallel_body body = nullptr;
        void* closure = nullptr;
        std::int64_t begin = 0;
        std::int64_t end = 0;
        alignas(kCacheLine) std::atomic<std::uint32_t> finished{0};
        std::int32_t code = TW_OK;
        alignas(kCacheLine) Workspaces workspaces;
    };

    static void start(Worker& worker) {
        worker.started.fetch_add(1, std::memory_order_release);
        worker.started.notify_one();
    }

    void serve(int index) {
        currentPool = this;
        currentWorker = index;
        if (onWorkerStart_)
            onWorkerStart_(index);
        Worker& worker = workers_[static_cast<std::size_t>(index)];
        std::uint32_t seen = 0;
        while (true) {
            seen = waitForChange(worker.started, seen, spinRounds_);
            if (stopping_.load(std::memory_order_relaxed))
                return;
            worker.code = worker.body(worker.closure, worker.begin, worker.end);
            worker.finished.store(seen, std::memory_order_release);
            worker.finished.notify_one();
        }
    }

    std::int32_t parallelFor(tw_parallel_body body, void* closure, std::int64_t extent) {
        if (extent <= 0)
            return TW_OK;
        const bool nested = currentPool == this;
        const auto chunks =
            std::min<std::int64_t>(extent, static_cast<std::int64_t>(workers_.size()));
        if (nested || chunks == 1)
            return body(closure, 0, extent);
        const auto bound = [&](std::int64_t chunk) {
            return chunk * (extent / chunks) + std::min(chunk, extent % chunks);
        };
        for (std::int64_t i = 1; i < chunks; ++i) {
            Worker& worker = workers_[static_cast<std::size_t>(i)];
            worker.body = body;
            worker.closure = closure;
            worker.begin = bound(i);
            worker.end = bound(i + 1);
            start(worker);
        }
        currentPool = this;
        currentWorker = 0;
        std::int32_t code = body(closure, 0, bound(1));
        currentPool = nullptr;
        for (std::int64_t i = 1; i < chunks; ++i) {
            Worker& worker = workers_[static_cast<std::size_t>(i)];
            const std::uint32_t order = worker.started.load(std::memory_order_relaxed);
            while (worker.finished.load(std::memory_order_acquire) != order)
                waitForChange(worker.finished, order - 1, spinRounds_);
            if (code == TW_OK)
                code = worker.code;
        }
        return code;
    }

    static std::int32_t parallelForEntry(tw_pool* pool, tw_parallel_body body, void* closure,
                                         std::int64_t extent) {
        return static_cast<State*>(pool->owner)->parallelFor(body, closure, extent);
    }

    static void* workspaceEntry(tw_pool* pool, std::int64_t bytes, std::int32_t slot) {
        auto* state = static_cast<State*>(pool->owner);
        const std::size_t index =
            currentPool == state ? static_cast<std::size_t>(currentWorker) : 0;
        return state->workers_[index].workspaces.get(bytes, slot);
    }

    tw_pool handle_{};
    std::vector<Worker> workers_;
    std::function<void(int)> onWorkerStart_;
    int spinRounds_;
    std::atomic<bool> stopping_{false};
    std::vector<std::jthread> threads_;
};

KernelPool::KernelPool(int numThreads, std::function<void(int)> onWorkerStart)
    : state_(std::make_unique<State>(numThreads, std::move(onWorkerStart))) {}
KernelPool::~KernelPool() = default;

tw_pool* KernelPool::handle() {
    return state_->handle();
}
int KernelPool::numThreads() const {
    return state_->numThreads();
}
void KernelPool::releaseWorkspaces() {
    state_->releaseWorkspaces();
}
std::int64_t KernelPool::workspaceBytes() const {
    return state_->workspaceBytes();
}

int32_t KernelPool::run(std::int64_t extent,
                        const std::function<int32_t(std::int64_t, std::int64_t)>& body) {
    using Body = const std::function<int32_t(std::int64_t, std::int64_t)>;
    const auto entry = [](void* closure, std::int64_t begin, std::int64_t end) -> std::int32_t {
        return (*static_cast<Body*>(closure))(begin, end);
    };
    return handle()->parallel_for(handle(), entry,
                                  const_cast<void*>(static_cast<const void*>(&body)), extent);
}

} // namespace tilewright::runtime
