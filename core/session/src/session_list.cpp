// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/session_list.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/schema.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/work_dir.h>
#include <tilewright/json/parse.h>

#include <set>

namespace tilewright::session {

namespace {

std::optional<double> number(const json::Object& object, std::string_view key) {
    const json::Value* value = object.find(key);
    if (!value || !value->isNumber())
        return std::nullopt;
    return value->asDouble();
}

/// Adds up the tasks of the result object that an engine leaves at its end.
void addTotals(const std::string& result, SessionSummary& summary) {
    if (result.empty())
        return;
    json::Value parsed;
    try {
        parsed = json::parse(result);
    } catch (const base::UserError&) {
        return; // written by somebody else; the sums are a convenience
    }
    const json::Value* tasks = parsed.isObject() ? parsed.asObject().find("tasks") : nullptr;
    if (!tasks || !tasks->isArray())
        return;
    double defaults = 0;
    double best = 0;
    for (const json::Value& task : tasks->asArray()) {
        if (!task.isObject())
            return;
        const double weight = number(task.asObject(), "weight").value_or(1);
        const auto untuned = number(task.asObject(), "default_us");
        const auto tuned = number(task.asObject(), "best_us");
        if (!untuned)
            return; // a sum with a hole would lie
        defaults += weight * *untuned * 1e-6;
        best += weight * tuned.value_or(*untuned) * 1e-6;
    }
    if (defaults > 0) {
        summary.defaultSeconds = defaults;
        summary.bestSeconds = best;
    }
}

} // namespace

std::shared_ptr<const StoreOverview> readOverview(const std::filesystem::path& workDir) {
    const database::StoreReader reader(workDir);
    auto overview = std::make_shared<StoreOverview>();
    overview->workDir = workDir;
    overview->schemaVersion = reader.schemaVersion();
    overview->olderSchema = reader.schemaVersion() < database::currentSchemaVersion();
    const database::StoreCounts counts = reader.counts();
    overview->records = counts.records;
    overview->failed =
        counts.records - counts.byStatus[static_cast<std::size_t>(database::RecordStatus::Ok)];
    overview->tasks = counts.tasks;
    std::set<std::string> targets;
    for (const database::Task& task : reader.tasks())
        targets.insert(task.target);
    overview->targets = static_cast<std::int64_t>(targets.size());
    for (const database::Session& session : reader.sessions()) {
        SessionSummary& summary = overview->sessions.emplace_back();
        summary.id = session.id.value;
        summary.name = session.name;
        summary.input = session.input;
        summary.target = session.target;
        summary.state = reader.effectiveState(session);
        summary.startedMs = session.startedMs;
        summary.endedMs = session.endedMs;
        summary.budget = session.budget;
        database::RecordQuery query;
        query.filter = base::concat("session:", session.id.value, " trial>=1");
        summary.trials = reader.countRecords(query);
        addTotals(session.result, summary);
    }
    for (const auto& [name, id] : reader.pins()) {
        const auto record = reader.record(id);
        if (record)
            overview->pins.push_back(
                {name, id.value, record->taskName, record->measurement.median});
    }
    std::error_code ignored;
    const std::filesystem::path folder =
        std::filesystem::is_directory(workDir, ignored) ? workDir : workDir.parent_path();
    overview->owner = database::DirectoryLock::owner(folder);
    return overview;
}

} // namespace tilewright::session
