// SPDX-License-Identifier: Apache-2.0

// Time of replaying design-space traces: `replay_bench DESIGNSPACE.jsonl WORKLOADS.jsonl NAME`.

#include <tilewright/ir/parser.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/schedule.h>

#include <chrono>
#include <cstdio>
#include <fstream>
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

void measure(const std::string& name, const ir::Module& module, const json::Value& traceJson) {
    const schedule::Trace trace = schedule::Trace::fromJson(traceJson);
    const schedule::Schedule start(module);
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    int runs = 0;
    bool ok = true;
    std::string why;
    while (std::chrono::duration<double>(Clock::now() - begin).count() < 1.0) {
        schedule::Schedule copy = start;
        const auto outcome = schedule::replay(trace, copy);
        if (!outcome) {
            ok = false;
            why = outcome.error().instructionName + ": " + outcome.error().failure.message;
        }
        ++runs;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto copyBegin = Clock::now();
    for (int i = 0; i < 1000; ++i) {
        const schedule::Schedule copy = start;
        (void)copy;
    }
    const double copySeconds = std::chrono::duration<double>(Clock::now() - copyBegin).count();
    std::printf("%s: %zu instructions, %.1f us a replay, %.2f us a copy%s%s\n", name.c_str(),
                trace.size(), seconds / runs * 1e6, copySeconds * 1e3,
                ok ? "" : ", refused: ", why.c_str());
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
