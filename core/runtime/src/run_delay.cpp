// SPDX-License-Identifier: Apache-2.0
#include "run_delay.h"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <memory>

namespace tilewright::runtime {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// The second figure of a schedstat file: nanoseconds waited on a run queue.
double delayOf(const char* path) {
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr)
        return -1;
    unsigned long long ran = 0;
    unsigned long long waited = 0;
    const int fields = std::fscanf(file, "%llu %llu", &ran, &waited);
    std::fclose(file);
    return fields == 2 ? static_cast<double>(waited) * 1e-9 : -1;
}

} // namespace

double runDelaySeconds() {
    const std::unique_ptr<DIR, CloseFolder> folder(::opendir("/proc/self/task"));
    if (!folder)
        return -1;
    double sum = 0;
    while (const dirent* entry = ::readdir(folder.get())) {
        if (entry->d_name[0] == '.')
            continue;
        char path[96];
        std::snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", entry->d_name);
        const double delay = delayOf(path);
        if (delay < 0)
            return -1;
        sum += delay;
    }
    return sum;
}

} // namespace tilewright::runtime
