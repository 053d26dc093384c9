// SPDX-License-Identifier: Apache-2.0

// Time of feature extraction: `feature_bench [NAME-PART]`.

#include "recorded_features.h"

#include <tilewright/cost/per_store_feature.h>

#include <cstdio>
#include <ctime>

using namespace tilewright;

namespace {

/// CPU time of this thread in microseconds: does not count what other programs take.
double cpuMicroseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

} // namespace

int main(int argc, char** argv) {
    const std::string part = argc > 1 ? argv[1] : "llvm_sketch";
    double total = 0;
    int count = 0;
    for (const test::RecordedFeatures& recorded : test::readRecordedFeatures()) {
        if (recorded.name.find(part) == std::string::npos)
            continue;
        const ir::Module module = test::moduleOf(recorded);
        const double begin = cpuMicroseconds();
        int runs = 0;
        for (; cpuMicroseconds() - begin < 2e4; ++runs)
            (void)cost::extractPerStoreFeatures(module);
        const double each = (cpuMicroseconds() - begin) / runs;
        std::printf("%-45s %8.1f us\n", recorded.name.c_str(), each);
        total += each;
        ++count;
    }
    if (count > 0)
        std::printf("mean of %d: %.1f us\n", count, total / count);
    return count > 0 ? 0 : 1;
}
