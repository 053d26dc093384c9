// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/runner_agent.h>

#include <tilewright/base/concat.h>
#include <tilewright/runtime/kernel_library.h>
#include <tilewright/runtime/kernel_pool.h>
#include <tilewright/runtime/messages.h>

#include "cache_flush.h"
#include "greeting.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <unistd.h>

namespace tilewright::runtime {

std::uint64_t residentBytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr)
        return 0;
    unsigned long long total = 0;
    unsigned long long resident = 0;
    const int fields = std::fscanf(file, "%llu %llu", &total, &resident);
    std::fclose(file);
    return fields == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

namespace {

/// An argument that is kept between candidates, with the fill that its contents came from.
struct Argument {
    Tensor tensor;
    std::optional<Fill> fill;
};

class RunnerAgent {
public:
    RunnerAgent(int inFd, int outFd, const RunnerAgentOptions& options)
        : stream_(inFd, outFd), options_(options) {}

    base::Result<void, base::Diagnostic> serve() {
        while (true) {
            auto frame = stream_.read();
            if (!frame) {
                stream_.write(toFrame(Failure{"protocol", frame.error().message}, 0));
                return base::Unexpected(frame.error());
            }
            if (!frame->has_value())
                return {};
            const Frame& request = **frame;
            Frame reply = answer(request);
            reply.id = request.id;
            if (!stream_.write(reply) || request.type == MessageType::Quit)
                return {};
        }
    }

private:
    Frame answer(const Frame& request) {
        if (!greeted_ && request.type != MessageType::Hello && request.type != MessageType::Quit)
            return failure("protocol", "the first message must be Hello");
        switch (request.type) {
        case MessageType::Hello:
            return with<Hello>(request, [this](const Hello& hello) { return greetBack(hello); });
        case MessageType::LoadLibrary:
            return with<LoadLibrary>(request, [this](const LoadLibrary& m) { return load(m); });
        case MessageType::SetArguments:
            return with<SetArguments>(request,
                                      [this](const SetArguments& m) { return setArguments(m); });
        case MessageType::Measure:
            return with<Measure>(request, [this](const Measure& m) { return measure(m); });
        case MessageType::Execute:
            return with<Execute>(request, [this](const Execute& m) { return execute(m); });
        case MessageType::Quit:
            return toFrame(Done{}, 0);
        default:
            return failure("protocol", base::concat("a runner does not answer messages of type ",
                                                    static_cast<int>(request.type)));
        }
    }

    template <class Message, class Handler>
    static Frame with(const Frame& request, const Handler& handler) {
        const auto message = fromFrame<Message>(request);
        return message ? handler(*message) : failure("protocol", message.error().message);
    }

    static Frame failure(std::string kind, std::string message) {
        return toFrame(Failure{std::move(kind), std::move(message)}, 0);
    }

    /// The status word of a library's or tensor's diagnostic.
    static Frame failure(const base::Diagnostic& diagnostic) {
        return failure(diagnostic.kind == "out-of-memory" ? "run-oom" : "run", diagnostic.message);
    }

    Frame greetBack(const Hello& hello) {
        Frame reply = greet(hello, options_.product);
        greeted_ = reply.type == MessageType::HelloReply;
        return reply;
    }

    Frame load(const LoadLibrary& message) {
        kernel_ = nullptr;
        library_.reset();
        auto library = KernelLibrary::fromImage(message.image);
        if (!library)
            return failure(library.error());
        const tw_kernel kernel = library->kernel(message.function);
        if (kernel == nullptr)
            return failure(
                "run", base::concat("the library has no kernel named \"", message.function, '"'));
        library_.emplace(std::move(*library));
        kernel_ = kernel;
        return toFrame(Done{}, 0);
    }

    Frame setArguments(const SetArguments& message) {
        std::int64_t total = 0;
        for (const ArgumentSetting& setting : message.arguments) {
            const auto count = elementCount(setting.shape);
            total += count ? *count * setting.type.bytes() : 0;
        }
        if (options_.maxArgumentBytes > 0 && total > options_.maxArgumentBytes)
            return failure("run-oom",
                           base::concat("arguments take ", total, " bytes, the limit is ",
                                        options_.maxArgumentBytes));
        // Arguments of another task are freed before new ones are made, so that memory holds one
        // set.
        if (arguments_.size() > message.arguments.size())
            arguments_.resize(message.arguments.size());
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (!sameForm(arguments_[i].tensor, message.arguments[i]))
                arguments_[i] = {};
        arguments_.resize(message.arguments.size());
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (auto problem = setArgument(arguments_[i], message.arguments[i], message.reuse)) {
                arguments_.clear();
                return *problem;
            }
        return toFrame(Done{}, 0);
    }

    static bool sameForm(const Tensor& tensor, const ArgumentSetting& setting) {
        return tensor.data() != nullptr && tensor.type() == setting.type &&
               tensor.shape() == setting.shape;
    }

    static std::optional<Frame> setArgument(Argument& argument, const ArgumentSetting& setting,
                                            bool reuse) {
        if (!sameForm(argument.tensor, setting)) {
            auto tensor = Tensor::allocate(setting.type, setting.shape);
            if (!tensor)
                return failure(tensor.error());
            argument = {std::move(*tensor), std::nullopt};
        }
        if (!setting.data.empty()) {
            const auto bytes = static_cast<std::size_t>(argument.tensor.bytes());
            if (setting.data.size() != bytes)
                return failure("protocol",
                               base::concat("an argument of ", bytes, " bytes came with data of ",
                                            setting.data.size()));
            std::memcpy(argument.tensor.data(), setting.data.data(), bytes);
            argument.fill.reset();
        } else if (!reuse || argument.fill != setting.fill) {
            fillTensor(argument.tensor, setting.fill);
            argument.fill = setting.fill;
        }
        return std::nullopt;
    }

    KernelPool& poolOf(int threads) {
        if (!pool_ || pool_->numThreads() != std::max(1, threads))
            pool_ = std::make_unique<KernelPool>(threads);
        return *pool_;
    }

    std::vector<void*> pointers() {
        std::vector<void*> data;
        for (Argument& argument : arguments_)
            data.push_back(argument.tensor.data());
        return data;
    }

    static Frame codeFailure(std::int32_t code) {
        if (code == TW_NO_MEMORY)
            return failure("run-oom", "the kernel found no memory for its workspace");
        return failure("run", base::concat("the kernel returned code ", code));
    }

    Frame measure(const Measure& message) {
        if (kernel_ == nullptr)
            return failure("protocol", "no kernel is loaded");
        KernelPool& pool = poolOf(message.threads);
        std::vector<void*> data = pointers();
        const auto run = [&] { return kernel_(data.data(), pool.handle()); };
        std::function<void()> prepare;
        CacheSweep sweep;
        if (message.config.cache == CacheState::Cold) {
            prepare = [&] { sweep.run(pool); };
        } else if (message.config.cache == CacheState::FlushArguments) {
            prepare = [&] {
                for (std::size_t i = 1; i < arguments_.size(); ++i)
                    flushFromCaches(arguments_[i].tensor.data(), arguments_[i].tensor.bytes());
            };
        }
        Measured reply;
        reply.timing = timeCalls(run, prepare, message.config);
        releaseLargeWorkspaces(pool);
        if (reply.timing.code != TW_OK)
            return codeFailure(reply.timing.code);
        reply.residentBytes = residentBytes();
        return toFrame(reply, 0);
    }

    Frame execute(const Execute& message) {
        if (kernel_ == nullptr)
            return failure("protocol", "no kernel is loaded");
        for (const std::uint32_t position : message.outputs)
            if (position >= arguments_.size())
                return failure("protocol", base::concat("argument ", position, " was asked for of ",
                                                        arguments_.size()));
        KernelPool& pool = poolOf(message.threads);
        std::vector<void*> data = pointers();
        Executed reply;
        reply.code = kernel_(data.data(), pool.handle());
        releaseLargeWorkspaces(pool);
        if (reply.code != TW_OK)
            return codeFailure(reply.code);
        for (const std::uint32_t position : message.outputs) {
            const Tensor& tensor = arguments_[position].tensor;
            reply.hashes.push_back(hashTensor(tensor));
            if (message.returnData)
                reply.data.emplace_back(static_cast<const char*>(tensor.data()),
                                        static_cast<std::size_t>(tensor.bytes()));
        }
        return toFrame(std::move(reply), 0);
    }

    /// Workspaces follow the largest candidate so far; without this memory would only grow.
    static void releaseLargeWorkspaces(KernelPool& pool) {
        constexpr std::int64_t kKeepBytes = 8 << 20;
        if (pool.workspaceBytes() > kKeepBytes)
            pool.releaseWorkspaces();
    }

    FrameStream stream_;
    RunnerAgentOptions options_;
    bool greeted_ = false;
    std::optional<KernelLibrary> library_;
    tw_kernel kernel_ = nullptr;
    std::vector<Argument> arguments_;
    std::unique_ptr<KernelPool> pool_;
};

} // namespace

base::Result<void, base::Diagnostic> serveRunner(int inFd, int outFd,
                                                 const RunnerAgentOptions& options) {
    return RunnerAgent(inFd, outFd, options).serve();
}

} // namespace tilewright::runtime
