// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/session/metadata_edit.h>
#include <tilewright/session/record_json.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <iostream>
#include <tuple>

namespace tilewright::cli {

namespace {

/// A workload by its number, its hash or its name, which must be of one only.
database::WorkloadId findWorkload(const database::StoreReader& reader, const std::string& text) {
    std::vector<std::string> known;
    std::vector<database::WorkloadId> named;
    for (const database::Workload& workload : reader.workloads()) {
        if (std::to_string(workload.id.value) == text || std::to_string(workload.hash) == text)
            return workload.id;
        if (!workload.name.empty() && workload.name == text)
            named.push_back(workload.id);
        known.push_back(workload.name.empty()
                            ? std::to_string(workload.id.value)
                            : base::concat(workload.id.value, " (", workload.name, ")"));
    }
    if (named.size() == 1)
        return named.front();
    if (named.size() > 1) {
        std::vector<std::string> numbers;
        for (const database::WorkloadId id : named)
            numbers.push_back(std::to_string(id.value));
        throw base::UserError("option", base::concat("--workload: '", text,
                                                     "' is ambiguous; workloads of "
                                                     "this name: ",
                                                     base::join(numbers, ", ")));
    }
    if (known.size() > 12)
        known.resize(12), known.emplace_back("...");
    throw base::UserError("option", base::concat("--workload: there is no workload '", text,
                                                 "'; there are: ", base::join(known, ", ")));
}

std::string timeText(std::int64_t timeMs) {
    const std::time_t seconds = timeMs / 1000;
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

std::vector<std::string> recordRow(const database::TuningRecord& record) {
    const json::Value json = session::recordToJson(record);
    const bool ok = record.status == database::RecordStatus::Ok;
    const std::int64_t samples = ok ? json.at("n").asInt() : 0;
    return {std::to_string(record.id.value),
            record.taskName,
            std::to_string(record.workload.value),
            std::string(database::toString(record.status)),
            ok ? durationText(json.at("median_us")) : std::string("n/a"),
            intervalText(json.at("lo_us"), json.at("hi_us"), samples),
            std::to_string(samples),
            record.trial ? std::to_string(*record.trial)
                         : std::string(database::toString(record.origin)),
            timeText(record.timeMs)};
}

void warnOfDamage(const database::StoreReader& reader,
                  const std::vector<database::DamagedRow>& damaged) {
    if (damaged.empty())
        return;
    std::cerr << reader.file().string() << ": " << damaged.size()
              << " damaged records skipped, first: " << damaged[0].table << " row "
              << damaged[0].row << ": " << damaged[0].reason << '\n';
}

/// The fastest of each task first; only for the few records of `--top-k`.
std::vector<database::TuningRecord> fastestFirst(const database::StoreReader& reader,
                                                 const database::RecordQuery& query,
                                                 std::vector<database::DamagedRow>& damaged) {
    database::RecordPage page = reader.records(query);
    damaged = std::move(page.damaged);
    std::stable_sort(page.records.begin(), page.records.end(), [](const auto& a, const auto& b) {
        return std::tie(a.taskName, a.workload.value, a.measurement.median) <
               std::tie(b.taskName, b.workload.value, b.measurement.median);
    });
    return std::move(page.records);
}

void print(const Arguments& arguments, const database::StoreReader& reader,
           const database::RecordQuery& query) {
    std::vector<database::DamagedRow> damaged;
    std::vector<std::vector<std::string>> rows;
    const bool asJson = arguments.has("--json");
    const bool marks = query.includeDeleted && !asJson;
    const auto take = [&](const database::TuningRecord& record) {
        if (asJson) {
            printJson(session::recordToJson(record));
        } else {
            rows.push_back(recordRow(record));
            if (marks && reader.marks(record.id).deleted)
                rows.back()[3] += " (deleted)";
        }
        return static_cast<bool>(std::cout);
    };
    if (query.topK > 0)
        for (const database::TuningRecord& record : fastestFirst(reader, query, damaged))
            take(record);
    else
        reader.forEachRecord(query, take, &damaged);
    if (!asJson)
        printTable(
            {"id", "task", "workload", "status", "median", "95 % interval", "n", "trial", "time"},
            rows);
    const auto failed = std::count_if(rows.begin(), rows.end(),
                                      [](const auto& row) { return !row[3].starts_with("ok"); });
    if (failed > 0)
        std::cerr << failed << " failed: the errors are in --json, and in show DIR ID --as json\n";
    warnOfDamage(reader, damaged);
}

int list(const Arguments& arguments) {
    if (!arguments.has("DIR"))
        throw base::UserError("usage", "DIR is required");
    const database::StoreReader reader(arguments.value("DIR"));
    database::RecordQuery query;
    query.filter = arguments.value("--filter");
    query.topK = static_cast<int>(arguments.integerOr("--top-k", 0, 1, 1'000'000'000));
    query.includeDeleted = arguments.has("--deleted");
    query.withSamples = true;
    if (arguments.has("--workload"))
        query.workload = findWorkload(reader, arguments.value("--workload"));
    if (query.topK > 0)
        query.order = database::RecordOrder::Task;
    print(arguments, reader, query);
    return kSuccess;
}

std::vector<database::RecordId> recordIds(const Arguments& arguments,
                                          const database::StoreReader& reader) {
    std::vector<database::RecordId> ids;
    for (const std::string& text : arguments.values("ID")) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            throw base::UserError("usage", base::concat("ID: '", text, "' is not a record number"));
        if (!reader.record(database::RecordId{number}))
            throw base::UserError("database-record", base::concat(reader.file().string(),
                                                                  ": there is no record ", number));
        ids.emplace_back(number);
    }
    if (arguments.has("--filter")) {
        database::RecordQuery query;
        query.filter = arguments.value("--filter");
        query.includeDeleted = arguments.has("--restore");
        for (const std::int64_t id : reader.recordIds(query))
            ids.emplace_back(id);
    }
    return ids;
}

/// What the options ask for.
session::MetadataEdit readEdit(const Arguments& arguments, std::vector<database::RecordId> ids) {
    session::MetadataEdit edit;
    edit.undo = arguments.has("--undo");
    edit.redo = arguments.has("--redo");
    edit.records = std::move(ids);
    edit.addTags = arguments.values("--tag");
    edit.removeTags = arguments.values("--untag");
    if (arguments.has("--note"))
        edit.note = arguments.value("--note");
    if (arguments.has("--star") || arguments.has("--unstar"))
        edit.starred = arguments.has("--star");
    if (arguments.has("--pin"))
        edit.pin = arguments.value("--pin");
    if (arguments.has("--delete") || arguments.has("--restore"))
        edit.deleted = arguments.has("--delete");
    return edit;
}

int edit(const Arguments& arguments) {
    const std::string dir = arguments.value("DIR");
    // Opened for reading first: an editor must not make a store where there is none.
    const database::StoreReader reader(dir);
    const std::vector<database::RecordId> ids = recordIds(arguments, reader);
    const bool undoes = arguments.has("--undo");
    const bool redoes = arguments.has("--redo");
    if (ids.empty() && !undoes && !redoes)
        throw base::UserError("usage",
                              arguments.has("--filter")
                                  ? "no record fits the filter"
                                  : "at least one ID, --filter, --undo or --redo is required");
    const std::vector<std::string> done = session::editMetadata(dir, readEdit(arguments, ids));
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/edit/1");
        object.set("changes", json::Value::array(done));
        printJson(json::Value(std::move(object)));
    } else {
        for (const std::string& line : done)
            std::cout << line << '\n';
    }
    return kSuccess;
}

/// The filter language, for help and manual.
std::string filterNotes() {
    std::string text =
        "A filter holds terms; terms in a row mean 'and', beside 'or', 'not' and parentheses. "
        "FIELD:VALUE and FIELD=VALUE compare text by glob and numbers by value, a comma separates "
        "alternatives; FIELD~REGEX searches; < <= > >= != compare numbers. Durations take ns, us, "
        "ms, s; ages s, m, h, d, w. A bare word is searched in the task's name; starred alone "
        "is starred:yes. Fields:";
    for (const database::FilterField& field : database::filterFields())
        text += base::concat("\n  ", field.name, ": ", field.meaning);
    return text;
}

} // namespace

std::vector<CommandSpec> recordsCommands() {
    CommandSpec listSpec;
    listSpec.name = "records";
    listSpec.summary = "List the records of a work directory";
    PositionalSpec dir = workDirPositional();
    dir.required = false; // `records edit` has its own
    listSpec.positionals = {dir};
    listSpec.options = {{"--workload", "W", "Only of this workload: its number, hash or name"},
                        {"--top-k", "K", "Of each task the K fastest, fully measured"},
                        {"--filter", "EXPR",
                         "Such as 'status=ok and median_us<100 and task~conv', 'status:run,build'"},
                        {"--deleted", "", "Deleted ones too"},
                        jsonOption()};
    listSpec.examples = {"tilewright records work --top-k 3",
                         "tilewright records work --filter 'task:c2d* lat<120us' --json"};
    listSpec.notes = filterNotes();
    listSpec.run = list;

    CommandSpec editSpec;
    editSpec.name = "records edit";
    editSpec.summary = "Tag, note, star, pin, delete records; undo that";
    editSpec.positionals = {workDirPositional(), {"ID", "Record numbers", false, true}};
    editSpec.options = {{"--filter", "EXPR", "Every record that fits"},
                        {"--tag", "TAG", "Add a tag; may be repeated", true},
                        {"--untag", "TAG", "Take a tag away; may be repeated", true},
                        {"--note", "TEXT", "Set the note; empty takes it away"},
                        {"--star", "", "Star"},
                        {"--unstar", "", "Take the star away"},
                        {"--pin", "NAME", "Pin as a baseline of this name"},
                        {"--delete", "", "Delete; --restore and --undo bring it back"},
                        {"--restore", "", "Bring back what was deleted"},
                        {"--undo", "", "Take the last change back"},
                        {"--redo", "", "Do it again"},
                        jsonOption()};
    editSpec.examples = {"tilewright records edit work 12 15 --tag candidate --star",
                         "tilewright records edit work --filter 'status:run' --delete",
                         "tilewright records edit work --undo"};
    editSpec.run = edit;
    return {listSpec, editSpec};
}

} // namespace tilewright::cli
