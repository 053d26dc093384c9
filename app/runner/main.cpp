// SPDX-License-Identifier: Apache-2.0
#include "crash_report.h"

#include <tilewright/base/check.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/runtime/parent_watch.h>
#include <tilewright/runtime/runner_agent.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr const char* kProduct = "tilewright-runner " TW_VERSION;

constexpr const char* kUsage =
    "tilewright-runner: measures compiled kernels for a tilewright engine.\n"
    "\n"
    "usage: tilewright-runner [--memory-limit MIB] [--version] [--help]\n"
    "\n"
    "Reads requests from standard input and answers on standard output in tilewright's framed\n"
    "protocol; it is started by the engine, directly or through a device's command:\n"
    "\n"
    "    ssh board tilewright-runner\n"
    "    qemu-riscv64 -L /usr/riscv64-linux-gnu tilewright-runner-riscv64\n"
    "\n"
    "  --memory-limit MIB   refuse kernels and arguments that need more address space than this\n";

void limitAddressSpace(unsigned long long mebibytes) {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = static_cast<rlim_t>(mebibytes) << 20;
    ::setrlimit(RLIMIT_AS, &limit);
}

/// The system should end this process first when memory is short: it is replaced at once.
void preferForOutOfMemory() {
    if (std::FILE* file = std::fopen("/proc/self/oom_score_adj", "we")) {
        std::fputs("800", file);
        std::fclose(file);
    }
}

int usageError(const char* what) {
    std::fprintf(stderr, "tilewright-runner: %s\n%s", what, kUsage);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--version") == 0) {
            std::puts(kProduct);
            return 0;
        }
        if (std::strcmp(argv[i], "--help") == 0) {
            std::fputs(kUsage, stdout);
            return 0;
        }
        if (std::strcmp(argv[i], "--memory-limit") == 0 && i + 1 < argc) {
            char* end = nullptr;
            const unsigned long long mebibytes = std::strtoull(argv[++i], &end, 10);
            if (*end != '\0' || mebibytes == 0)
                return usageError("--memory-limit takes a positive number of MiB");
            limitAddressSpace(mebibytes);
            continue;
        }
        return usageError("unknown argument");
    }
    if (::isatty(STDIN_FILENO))
        return usageError("standard input is a terminal; an engine starts this program");
    const int out = tilewright::runtime::claimStandardOutput();
    if (out < 0)
        return usageError("standard output is closed");
    preferForOutOfMemory();
    tilewright::runner::reportCrashesTo(out);
    tilewright::runtime::endWithParent(STDIN_FILENO);
    try {
        tilewright::runtime::RunnerAgentOptions options;
        options.product = kProduct;
        const auto served = tilewright::runtime::serveRunner(STDIN_FILENO, out, options);
        if (!served) {
            std::fprintf(stderr, "tilewright-runner: %s\n", served.error().message.c_str());
            return 3;
        }
    } catch (const std::bad_alloc&) {
        std::fputs("tilewright-runner: out of memory\n", stderr);
        return 9;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tilewright-runner: %s\n", error.what());
        return 70;
    }
    return 0;
}
