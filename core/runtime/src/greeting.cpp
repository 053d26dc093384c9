// SPDX-License-Identifier: Apache-2.0
#include "greeting.h"

#include <tilewright/base/concat.h>
#include <tilewright/runtime/cpu_features.h>
#include <tilewright/runtime/kernel_abi.h>

#include <algorithm>
#include <sched.h>
#include <unistd.h>

namespace tilewright::runtime {

namespace {

std::uint32_t usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0
               ? static_cast<std::uint32_t>(CPU_COUNT(&set))
               : 1;
}

} // namespace

Frame greet(const Hello& hello, const std::string& product) {
    if (hello.newestVersion < kOldestProtocolVersion || hello.oldestVersion > kProtocolVersion)
        return toFrame(
            Failure{"protocol",
                    base::concat("the engine speaks protocol versions ", hello.oldestVersion,
                                 " to ", hello.newestVersion, ", ", product, " speaks ",
                                 kOldestProtocolVersion, " to ", kProtocolVersion)},
            0);
    HelloReply reply;
    reply.version = std::min(hello.newestVersion, kProtocolVersion);
    reply.kernelAbi = TW_KERNEL_ABI;
    reply.product = product;
    reply.architecture = hostArchitecture();
    reply.features = hostCpuFeatures();
    reply.pageBytes = static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
    reply.cores = usableCores();
    reply.memoryBytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * reply.pageBytes;
    reply.processId = static_cast<std::uint64_t>(::getpid());
    return toFrame(reply, 0);
}

} // namespace tilewright::runtime
