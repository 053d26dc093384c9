// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/profile_report.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/store_writer.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/ir/parser.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/doctor.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/task_text.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>

namespace tilewright::session {

namespace {

/// Parts and whole are medians of different runs: below this they fit.
constexpr double kNoGap = 0.01;

std::string timeText(double seconds) {
    struct Unit {
        double size;
        const char* name;
    };
    constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
    const Unit* unit = std::begin(kUnits);
    while (unit + 1 != std::end(kUnits) && std::abs(seconds) < unit->size)
        ++unit;
    char text[48];
    std::snprintf(text, sizeof text, "%.4g %s", seconds / unit->size, unit->name);
    return text;
}

double microsecondsOr(const json::Value& object, std::string_view key, double otherwise) {
    const json::Value* value = object.find(key);
    return value && value->isNumber() ? value->asDouble() * 1e-6 : otherwise;
}

std::optional<double> halfInterval(const json::Value& object) {
    const json::Value* low = object.find("lo_us");
    const json::Value* high = object.find("hi_us");
    if (!low || !high || !low->isNumber() || !high->isNumber())
        return std::nullopt;
    return (high->asDouble() - low->asDouble()) / 2 * 1e-6;
}

ProfileRow parseRow(const json::Value& value, double whole) {
    ProfileRow row;
    row.name = value.at("name").asString();
    row.tag = opTag(row.name);
    row.calls = value.at("calls").asInt();
    const double one = value.at("median_us").asDouble() * 1e-6;
    row.seconds = one * static_cast<double>(row.calls);
    if (const auto half = halfInterval(value))
        row.plusMinus = *half * static_cast<double>(row.calls);
    row.share = whole > 0 ? row.seconds / whole : 0;
    if (const json::Value* record = value.find("record"); record && record->isInteger())
        row.record = record->asInt();
    if (const json::Value* nodes = value.find("nodes"); nodes && nodes->isArray())
        for (const json::Value& node : nodes->asArray())
            row.nodes.push_back(node.asString());
    const json::Value* gflops = value.find("gflops");
    if (gflops && gflops->isNumber() && gflops->asDouble() > 0)
        row.flopRate = gflops->asDouble() * 1e9;
    const json::Value* bytes = value.find("bytes");
    if (bytes && bytes->isNumber() && one > 0)
        row.byteRate = bytes->asDouble() / one;
    return row;
}

void parseTimeline(ProfileReport& report, const json::Value& profile) {
    const json::Value* timeline = profile.find("timeline");
    if (!timeline || !timeline->isArray())
        return;
    std::map<std::string, ProfileRow*> rows;
    for (ProfileRow& row : report.rows)
        rows[row.name] = &row;
    for (const json::Value& call : timeline->asArray()) {
        ProfileCall& added = report.timeline.emplace_back();
        added.name = call.at("name").asString();
        added.start = call.at("start_us").asDouble() * 1e-6;
        added.duration = call.at("duration_us").asDouble() * 1e-6;
        const auto row = rows.find(added.name);
        if (row == rows.end() || row->second->first > 0)
            continue;
        row->second->first = static_cast<int>(report.timeline.size());
        row->second->startSeconds = added.start;
    }
}

/// What the parts and the whole say about each other.
void reconcile(ProfileReport& report) {
    const double gap = report.sumSeconds + report.overheadSeconds - report.wholeSeconds;
    report.gapShare = report.wholeSeconds > 0 ? gap / report.wholeSeconds : 0;
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f %%", std::abs(report.gapShare) * 100);
    if (std::abs(report.gapShare) <= kNoGap) {
        report.reconciliation = Reconciliation::Closed;
        report.sentence = base::concat("Reconciled: operators ", timeText(report.sumSeconds),
                                       " + overhead ", timeText(report.overheadSeconds), " = ",
                                       timeText(report.wholeSeconds), " end to end");
        return;
    }
    report.reconciliation = Reconciliation::Surplus;
    report.sentence = base::concat("The operators, timed one by one, take ", percent,
                                   " longer than the whole run of ", timeText(report.wholeSeconds),
                                   ": each call is timed apart, with its own wake-up");
}

struct StoredTask {
    database::Task task;
    std::uint64_t hash = 0;
    TaskShape shape;
};

std::map<std::string, StoredTask> readTasks(const std::filesystem::path& workDir) {
    std::map<std::string, StoredTask> found;
    const database::StoreReader reader(workDir);
    std::map<std::int64_t, database::Workload> workloads;
    for (database::Workload& workload : reader.workloads())
        workloads[workload.id.value] = std::move(workload);
    for (const database::Task& task : reader.tasks()) {
        StoredTask& stored = found[task.name];
        stored.task = task;
        const database::Workload& workload = workloads[task.workload.value];
        stored.hash = workload.hash;
        if (workload.module.empty())
            continue;
        try {
            stored.shape =
                taskShape(ir::parseModule(workload.module, "workload"), opTag(task.name));
        } catch (const base::UserError&) {
            continue; // shown without its shape
        }
    }
    return found;
}

void addTaskFacts(ProfileRow& row, const StoredTask& stored) {
    row.task = stored.task.id.value;
    row.shape = stored.shape.shape;
    row.dtype = stored.shape.dtype;
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(stored.hash));
    row.hash = std::string(text).substr(0, 8);
    if (!row.byteRate && row.seconds > 0 && stored.task.bytes > 0)
        row.byteRate = stored.task.bytes * static_cast<double>(row.calls) / row.seconds;
}

void addRoof(ProfileRow& row, const DevicePeaks& peaks) {
    if (row.seconds <= 0 || !row.byteRate)
        return;
    const double one = row.seconds / static_cast<double>(row.calls);
    const double bytes = *row.byteRate * one;
    const double flop = row.flopRate.value_or(0) * one;
    const MemoryRoof* memory = peaks.memoryRoof(bytes);
    if (!memory || peaks.bestFlopRate() <= 0)
        return;
    const double computing = flop / peaks.bestFlopRate();
    const double reading = bytes / memory->byteRate;
    row.memoryBound = reading > computing;
    row.roofShare = std::max(computing, reading) / one;
    if (row.memoryBound)
        row.flopRate.reset();
}

std::int64_t nowMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

ProfileReport parseProfile(const json::Value& profile) {
    ProfileReport report;
    const json::Value& end = profile.at("end_to_end");
    report.wholeSeconds = end.at("median_us").asDouble() * 1e-6;
    report.wholePlusMinus = halfInterval(end);
    if (const json::Value* n = end.find("n"); n && n->isInteger())
        report.runs = n->asInt();
    if (const json::Value* threads = profile.find("threads"); threads && threads->isInteger())
        report.threads = static_cast<int>(threads->asInt());
    if (const json::Value* target = profile.find("target"); target && target->isString())
        report.target = target->asString();
    for (const json::Value& row : profile.at("rows").asArray())
        report.rows.push_back(parseRow(row, report.wholeSeconds));
    std::stable_sort(report.rows.begin(), report.rows.end(),
                     [](const ProfileRow& a, const ProfileRow& b) { return a.share > b.share; });
    for (const ProfileRow& row : report.rows) {
        report.sumSeconds += row.seconds;
        report.calls += row.calls;
    }
    report.overheadSeconds = std::max(
        0.0, microsecondsOr(profile, "overhead_us", report.wholeSeconds - report.sumSeconds));
    parseTimeline(report, profile);
    reconcile(report);
    return report;
}

void completeProfile(ProfileReport& report, const std::filesystem::path& workDir,
                     const std::filesystem::path& peaksFile) {
    std::error_code error;
    if (!workDir.empty() && std::filesystem::exists(database::storeFile(workDir), error)) {
        const std::map<std::string, StoredTask> tasks = readTasks(workDir);
        for (ProfileRow& row : report.rows)
            if (const auto it = tasks.find(row.name); it != tasks.end())
                addTaskFacts(row, it->second);
    }
    target::Target target = target::parseTarget(report.target.empty() ? "host" : report.target);
    target = target.with("num-cores", json::Value(report.threads));
    const auto peaks = readPeaks(peaksFile.empty() ? peaksCacheFile() : peaksFile, target);
    if (!peaks)
        return;
    for (ProfileRow& row : report.rows)
        addRoof(row, *peaks);
}

bool storeProfile(const std::filesystem::path& workDir, const std::string& name,
                  const json::Value& profile) {
    try {
        database::StoreWriter writer(workDir, makeModuleCodec("structural"));
        database::Profile row;
        const database::StoreReader reader(writer.connection());
        for (const database::Session& session : reader.sessions())
            row.session = session.id;
        row.name = name;
        row.timeMs = nowMs();
        row.info = json::dump(profile);
        writer.commitProfile(row);
        return true;
    } catch (const base::UserError& problem) {
        if (problem.diagnostic().kind == "database-locked")
            return false;
        throw;
    }
}

std::vector<ProfileReport> storedProfiles(const std::filesystem::path& workDir) {
    std::vector<ProfileReport> found;
    const database::StoreReader reader(workDir);
    std::int64_t id = 0;
    for (const database::Profile& stored : reader.profiles()) {
        ++id;
        try {
            ProfileReport report = parseProfile(json::parse(stored.info));
            report.id = id;
            report.name = stored.name;
            report.timeMs = stored.timeMs;
            found.push_back(std::move(report));
        } catch (const base::UserError&) {
            continue; // of another version
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

json::Value chromeTrace(const ProfileReport& report) {
    json::Array events;
    for (const ProfileCall& call : report.timeline) {
        json::Object event;
        event.set("name", call.name);
        event.set("ph", "X");
        event.set("ts", call.start * 1e6);
        event.set("dur", call.duration * 1e6);
        event.set("pid", 1);
        event.set("tid", 1);
        events.emplace_back(std::move(event));
    }
    json::Object object;
    object.set("traceEvents", std::move(events));
    object.set("displayTimeUnit", "ns");
    return json::Value(std::move(object));
}

} // namespace tilewright::session
