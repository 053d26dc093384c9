// SPDX-License-Identifier: Apache-2.0

// Time of replaying design-space traces: `replay_bench DESIGNSPACE.jsonl WORKLOADS.jsonl NAME`.

#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/schedule.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <string>

using namespace tilewright;

namespace {

std::string scriptOf(const char* file, const std::string& workload) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const json::Value value = json::parse(line);
        if (value.at("name").asString() == workload)
            return value.at("script").asString();
    }
    return {};
}

/// CPU time of this thread in microseconds: does not count what other programs take.
double cpuMicroseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

void measure(const std::string& name, const ir::Module& module, const json::Value& traceJson) {
    const schedule::Trace trace = schedule::Trace::fromJson(traceJson);
    const schedule::Schedule start(module);
    const double begin = cpuMicroseconds();
    int runs = 0;
    std::string why;
    for (; cpuMicroseconds() - begin < 3e5; ++runs) {
        schedule::Schedule copy = start;
        const auto outcome = schedule::replay(trace, copy);
        if (!outcome)
            why = ", refused: " + outcome.error().instructionName + ": " +
                  outcome.error().failure.message;
    }
    const double replayTime = (cpuMicroseconds() - begin) / runs;
    const double copyBegin = cpuMicroseconds();
    for (int i = 0; i < 1000; ++i) {
        const schedule::Schedule copy = start;
        (void)copy;
    }
    const double copyTime = (cpuMicroseconds() - copyBegin) / 1000;
    std::printf("%s: %zu instructions, %.1f us a replay, %.2f us a copy%s\n", name.c_str(),
                trace.size(), replayTime, copyTime, why.c_str());

    std::map<std::string, std::pair<int, double>> byKind;
    for (int run = 0; run < 100; ++run) {
        schedule::Schedule copy = start;
        for (std::size_t i = 0; i < trace.size(); ++i) {
            const double before = cpuMicroseconds();
            if (!schedule::replayRange(trace, i, i + 1, copy))
                break;
            auto& row = byKind[std::string(trace[i].kind->name)];
            row.first += 1;
            row.second += cpuMicroseconds() - before;
        }
    }
    for (const auto& [kind, row] : byKind)
        std::printf("    %-24s %3d x %7.2f us\n", kind.c_str(), row.first / 100,
                    row.second / row.first);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4)
        return 2;
    std::ifstream file(argv[1]);
    for (std::string line; std::getline(file, line);) {
        const json::Value value = json::parse(line);
        const std::string name = value.at("name").asString();
        if (name.find(argv[3]) == std::string::npos)
            continue;
        const ir::Module module =
            ir::parseModule(scriptOf(argv[2], value.at("workload").asString()));
        int index = 0;
        for (const json::Value& sketch : value.at("sketches").asArray())
            measure(name + " #" + std::to_string(index++), module, sketch.at("trace"));
    }
    return 0;
}
