// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace tilewright::test {

inline std::string sharedDir() {
    const char* set = std::getenv("TW_SHARED");
    return set && *set ? set : TW_SOURCE_DIR "/../shared";
}

/// A module whose features were recorded with TVM 0.27.
struct RecordedFeatures {
    std::string name;
    json::Value request; ///< as for `features --batch`
    json::Value rows;
    json::Value workloadColumns;
    bool isGpu = false;
};

/// The cases whose trace uses only instructions that the schedule module knows today.
inline std::vector<RecordedFeatures> readRecordedFeatures() {
    static const std::set<std::string> kOther = {
        "Blockize",      "Tensorize", "Bind",      "SetScope",      "StorageAlign",
        "ReadAt",        "WriteAt",   "PadEinsum", "RollingBuffer", "ReIndex",
        "LoopPartition", "Merge",     "CacheIndex"};
    std::map<std::string, json::Value> workloads;
    std::ifstream scripts(sharedDir() + "/conformance/workloads.jsonl");
    for (std::string line; std::getline(scripts, line);) {
        json::Value value = json::parse(line);
        std::string name = value.at("name").asString();
        workloads[std::move(name)] = std::move(value);
    }
    std::vector<RecordedFeatures> cases;
    std::ifstream file(sharedDir() + "/conformance/features.jsonl");
    for (std::string line; std::getline(file, line);) {
        const json::Value value = json::parse(line);
        bool known = true;
        for (const json::Value& step : value.at("trace").at(std::size_t{0}).asArray())
            known = known && kOther.count(step.at(std::size_t{0}).asString()) == 0;
        if (!known)
            continue;
        const json::Value& workload = workloads.at(value.at("workload").asString());
        json::Object request;
        request.set("workload_line", workload.at("workload_line"));
        request.set("module", workload.at("script"));
        request.set("trace", value.at("trace"));
        cases.push_back({value.at("name").asString(), json::Value(std::move(request)),
                         value.at("features"), value.at("features_with_workload_tail"),
                         value.at("target").at("kind").asString() == "cuda"});
    }
    return cases;
}

inline ir::Module moduleOf(const RecordedFeatures& recorded) {
    return schedule::applyTrace(schedule::caseModule(recorded.request),
                                recorded.request.at("trace"))
        .module;
}

} // namespace tilewright::test
