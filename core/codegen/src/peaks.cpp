// SPDX-License-Identifier: Apache-2.0
#include <tilewright/codegen/peaks.h>

#include "machine.h"

#include <tilewright/base/concat.h>
#include <tilewright/target/host.h>

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace tilewright::codegen {

namespace {

/// `float symbol(const float* data, int64_t rounds)`: a loop whose body `step` makes from a list of
/// running vectors; returns one element of their sum.
using Step = std::function<void(llvm::IRBuilder<>&, llvm::Value* data, llvm::Value* round,
                                std::vector<llvm::Value*>&)>;

void emitLoop(llvm::Module& module, const std::string& symbol, int lanes, int accumulators,
              const Step& step) {
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<> b(context);
    auto* vector = llvm::FixedVectorType::get(b.getFloatTy(), static_cast<unsigned>(lanes));
    auto* type = llvm::FunctionType::get(b.getFloatTy(), {b.getPtrTy(), b.getInt64Ty()}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol, module);
    auto* entry = llvm::BasicBlock::Create(context, "entry", function);
    auto* body = llvm::BasicBlock::Create(context, "body", function);
    auto* done = llvm::BasicBlock::Create(context, "done", function);
    b.SetInsertPoint(entry);
    llvm::Value* seed = b.CreateVectorSplat(static_cast<unsigned>(lanes),
                                            b.CreateLoad(b.getFloatTy(), function->getArg(0)));
    b.CreateBr(body);
    b.SetInsertPoint(body);
    llvm::PHINode* round = b.CreatePHI(b.getInt64Ty(), 2);
    round->addIncoming(b.getInt64(0), entry);
    std::vector<llvm::PHINode*> phis;
    std::vector<llvm::Value*> values;
    for (int i = 0; i < accumulators; ++i) {
        phis.push_back(b.CreatePHI(vector, 2));
        phis.back()->addIncoming(seed, entry);
        values.push_back(phis.back());
    }
    step(b, function->getArg(0), round, values);
    for (int i = 0; i < accumulators; ++i)
        phis[static_cast<std::size_t>(i)]->addIncoming(values[static_cast<std::size_t>(i)], body);
    llvm::Value* next = b.CreateAdd(round, b.getInt64(1));
    round->addIncoming(next, body);
    b.CreateCondBr(b.CreateICmpSLT(next, function->getArg(1)), body, done);
    b.SetInsertPoint(done);
    llvm::Value* sum = values[0];
    for (std::size_t i = 1; i < values.size(); ++i)
        sum = b.CreateFAdd(sum, values[i]);
    b.CreateRet(b.CreateExtractElement(sum, std::uint64_t{0}));
}

std::string multiplySymbol(int bits) {
    return base::concat("multiply", bits);
}

void emitMultiplyAdds(llvm::Module& module, int bits, int accumulators) {
    emitLoop(
        module, multiplySymbol(bits), bits / 32, accumulators,
        [](llvm::IRBuilder<>& b, llvm::Value*, llvm::Value*, std::vector<llvm::Value*>& values) {
            llvm::Type* type = values[0]->getType();
            for (llvm::Value*& v : values)
                v = b.CreateIntrinsic(
                    llvm::Intrinsic::fma, {type},
                    {v, llvm::ConstantFP::get(type, 0.999), llvm::ConstantFP::get(type, 0.001)});
        });
}

constexpr int kReadVectors = 12;

void emitReads(llvm::Module& module, int bits) {
    const int lanes = bits / 32;
    emitLoop(
        module, "read", lanes, kReadVectors,
        [lanes](llvm::IRBuilder<>& b, llvm::Value* data, llvm::Value* round,
                std::vector<llvm::Value*>& values) {
            llvm::Value* start = b.CreateInBoundsGEP(
                b.getFloatTy(), data,
                b.CreateMul(round, b.getInt64(static_cast<std::uint64_t>(lanes) * kReadVectors)));
            for (std::size_t i = 0; i < values.size(); ++i) {
                llvm::Value* at = b.CreateConstInBoundsGEP1_64(
                    b.getFloatTy(), start, i * static_cast<std::uint64_t>(lanes));
                auto* load = b.CreateAlignedLoad(values[i]->getType(), at, llvm::Align(16));
                values[i] = b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, values[i], load);
            }
        });
}

/// Code of our own, loaded into this process.
class LoadedCode {
public:
    explicit LoadedCode(const std::string& bytes) {
        const int file = memfd_create("peaks", MFD_CLOEXEC);
        if (file < 0 ||
            ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            throw base::UserError("link", "no memory file for the measuring code");
        handle_ = dlopen(base::concat("/proc/self/fd/", file).c_str(), RTLD_NOW | RTLD_LOCAL);
        close(file);
        if (!handle_)
            throw base::UserError("link", base::concat("loading measuring code: ", dlerror()));
    }
    ~LoadedCode() { dlclose(handle_); }
    LoadedCode(const LoadedCode&) = delete;
    LoadedCode& operator=(const LoadedCode&) = delete;

    using Loop = float (*)(const float*, std::int64_t);
    [[nodiscard]] Loop loop(const std::string& symbol) const {
        return reinterpret_cast<Loop>(dlsym(handle_, symbol.c_str()));
    }

private:
    void* handle_ = nullptr;
};

using Clock = std::chrono::steady_clock;

/// Least seconds of one call, over windows of about two milliseconds.
double bestSeconds(const std::function<void()>& call, double budget) {
    const auto time = [&](std::int64_t times) {
        const auto start = Clock::now();
        for (std::int64_t i = 0; i < times; ++i)
            call();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::int64_t times = 1;
    while (time(times) < 2e-3 && times < (std::int64_t{1} << 30))
        times *= 2;
    double best = 1e9;
    const auto start = Clock::now();
    do {
        best = std::min(best, time(times) / static_cast<double>(times));
    } while (std::chrono::duration<double>(Clock::now() - start).count() < budget);
    return best;
}

MachinePeaks measure(double seconds) {
    const target::HostInfo host = target::detectHost();
    const Machine machine(target::hostTarget(host), Effort::Quick);
    const int widest = machine.lowering().vectorBits;
    const int accumulators = machine.lowering().vectorRegisters / 2 + 4;
    llvm::LLVMContext context;
    llvm::Module module("peaks", context);
    machine.prepare(module);
    std::vector<int> widths;
    for (int bits = 128; bits <= widest; bits *= 2)
        widths.push_back(bits);
    for (int bits : widths)
        emitMultiplyAdds(module, bits, accumulators);
    emitReads(module, widest);
    machine.mark(module);
    const LoadedCode code(linkShared(machine.emit(module, llvm::CodeGenFileType::ObjectFile)));

    struct Level {
        const char* name;
        std::int64_t bytes;
    };
    // Half of a level holds the array and little else; memory: far beyond the last level.
    const std::int64_t l1 = host.l1DataBytes > 0 ? host.l1DataBytes : 32 << 10;
    const std::int64_t l2 = host.l2Bytes > 0 ? host.l2Bytes : 512 << 10;
    const std::int64_t l3 = host.l3Bytes;
    std::vector<Level> levels{{"L1", l1 / 2}, {"L2", l2 / 2}};
    if (l3 > 0)
        levels.push_back({"L3", std::max(l3 / 4, 2 * l2)});
    levels.push_back({"memory", std::clamp<std::int64_t>(4 * l3, 128 << 20, 512 << 20)});
    const auto free = [](float* p) { std::free(p); };
    const auto most = static_cast<std::size_t>(levels.back().bytes);
    const std::unique_ptr<float, decltype(free)> data(
        static_cast<float*>(std::aligned_alloc(64, most)), free);
    if (!data)
        throw base::UserError("memory", base::concat("no ", most >> 20, " MiB to measure with"));
    std::memset(data.get(), 0, most);
    data.get()[0] = 0.5F;

    const double share =
        std::max(seconds, 0.1) / static_cast<double>(widths.size() + levels.size());
    MachinePeaks peaks;
    for (int bits : widths) {
        const auto loop = code.loop(multiplySymbol(bits));
        constexpr std::int64_t kRounds = 20000;
        const double t = bestSeconds([&] { (void)loop(data.get(), kRounds); }, share);
        peaks.compute.push_back({bits, 2.0 * (bits / 32) * accumulators * kRounds / t / 1e9});
    }
    for (const Level& level : levels) {
        const auto loop = code.loop("read");
        const std::int64_t rounds = level.bytes / (widest / 8 * kReadVectors);
        const double t = bestSeconds([&] { (void)loop(data.get(), rounds); }, share);
        peaks.read.push_back({level.name, level.bytes,
                              static_cast<double>(rounds * (widest / 8) * kReadVectors) / t / 1e9});
    }
    return peaks;
}

} // namespace

double MachinePeaks::bestGflops() const {
    double best = 0;
    for (const Compute& c : compute)
        best = std::max(best, c.gflops);
    return best;
}

base::Result<MachinePeaks> measurePeaks(double seconds) {
    try {
        return measure(seconds);
    } catch (const base::UserError& error) {
        return base::Unexpected(error.diagnostic());
    }
}

} // namespace tilewright::codegen
