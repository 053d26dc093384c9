// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/maintenance.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/session/module_codec.h>

#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace tilewright::cli {

namespace {

const std::string kOutput = "-o,--output";

json::Object result(std::string_view schema) {
    json::Object object;
    object.set("schema", schema);
    return object;
}

json::Array skippedJson(const std::vector<database::SkippedLine>& lines) {
    json::Array rows;
    for (const database::SkippedLine& line : lines) {
        json::Object row;
        row.set("file", line.file);
        row.set("line", line.line);
        row.set("reason", line.reason);
        rows.emplace_back(std::move(row));
    }
    return rows;
}

void warn(std::string_view what, const std::vector<database::SkippedLine>& lines) {
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i)
        std::cerr << what << ": " << lines[i].file << ':' << lines[i].line << ": "
                  << lines[i].reason << '\n';
    if (lines.size() > most)
        std::cerr << what << ": and " << lines.size() - most << " more\n";
}

int import(const Arguments& arguments) {
    const std::string dir = requiredOption(arguments, "--work-dir");
    std::error_code error;
    if (!std::filesystem::is_directory(arguments.value("SRC"), error))
        throw base::UserError("unreadable-file",
                              "there is no such folder; accepted is one with TVM's pair "
                              "database_workload.json and database_tuning_record.json (or the same "
                              "as .sqlite)",
                              {base::TextLocation{arguments.value("SRC"), 0, 0}});
    database::StoreWriter store(
        dir, session::makeModuleCodec(arguments.valueOr("--module-equality", "structural")));
    const database::TvmImportReport report = database::importTvm(arguments.value("SRC"), store);
    warn("skipped", report.skipped);
    warn("module kept unread", report.unreadableModules);
    if (!arguments.has("--json")) {
        std::cout << report.workloads << " workloads and " << report.records
                  << " records imported, " << report.duplicates << " were there already, "
                  << report.skipped.size() << " lines skipped\n";
        return kSuccess;
    }
    json::Object object = result("tilewright/import/1");
    object.set("workloads", report.workloads);
    object.set("records", report.records);
    object.set("duplicates", report.duplicates);
    object.set("skipped", skippedJson(report.skipped));
    object.set("unreadable_modules", skippedJson(report.unreadableModules));
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

int exportPair(const Arguments& arguments) {
    const std::string format = arguments.valueOr("--format", "tvm");
    if (format != "tvm")
        throw base::UserError("usage",
                              base::concat("--format: '", format, "' is not known; accepted: tvm"));
    const std::string out = requiredOption(arguments, kOutput);
    const database::StoreReader reader(arguments.value("DIR"));
    database::TvmExportOptions options;
    options.era = arguments.value("--era");
    options.query.filter = arguments.value("--filter");
    const database::TvmExportReport report =
        database::exportTvm(reader, session::makeModuleCodec(), out, options);
    warn("skipped", report.skipped);
    if (!arguments.has("--json")) {
        std::cout << report.workloads << " workloads and " << report.records
                  << " records written to " << out << '\n';
        return kSuccess;
    }
    json::Object object = result("tilewright/export/1");
    object.set("workloads", report.workloads);
    object.set("records", report.records);
    object.set("skipped", skippedJson(report.skipped));
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

int merge(const Arguments& arguments) {
    // Every source is opened before anything is written.
    for (const std::string& source : arguments.values("SRC"))
        static_cast<void>(database::StoreReader(source));
    database::StoreWriter store(arguments.value("DIR"), session::makeModuleCodec());
    database::MergeReport sum;
    for (const std::string& source : arguments.values("SRC")) {
        const database::MergeReport one = database::mergeStore(source, store);
        sum.workloads += one.workloads;
        sum.records += one.records;
        sum.duplicates += one.duplicates;
        sum.damaged += one.damaged;
    }
    if (!arguments.has("--json")) {
        std::cout << sum.workloads << " new workloads and " << sum.records << " records merged, "
                  << sum.duplicates << " were there already, " << sum.damaged
                  << " damaged ones skipped\n";
        return kSuccess;
    }
    json::Object object = result("tilewright/merge/1");
    object.set("workloads", sum.workloads);
    object.set("records", sum.records);
    object.set("duplicates", sum.duplicates);
    object.set("damaged", sum.damaged);
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

/// A copy to try something on; gone at the end.
class ScratchStore {
public:
    explicit ScratchStore(const std::filesystem::path& workDir)
        : dir_(std::filesystem::temp_directory_path() /
               base::concat("tilewright-", getpid(), "-prune")) {
        std::filesystem::create_directories(dir_);
        database::backupStore(workDir, dir_ / database::kStoreFileName);
    }
    ~ScratchStore() {
        std::error_code error;
        std::filesystem::remove_all(dir_, error);
    }
    ScratchStore(const ScratchStore&) = delete;
    ScratchStore& operator=(const ScratchStore&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return dir_; }

private:
    std::filesystem::path dir_;
};

int prune(const Arguments& arguments) {
    const std::string dir = arguments.value("DIR");
    static_cast<void>(database::StoreReader(dir)); // an error must not make a store
    database::PruneOptions options;
    options.keepBest = static_cast<int>(arguments.integerOr("--keep-best", 1, 0, 1'000'000'000));
    options.dropFailed = !arguments.has("--keep-failed");
    options.dropDeletedOnly = arguments.has("--deleted-only");
    const bool dry = arguments.has("--dry-run");
    std::int64_t gone = 0;
    if (dry) {
        const ScratchStore scratch(dir);
        database::StoreWriter store(scratch.path(), session::makeModuleCodec());
        gone = database::pruneStore(store, options);
    } else {
        database::StoreWriter store(dir, session::makeModuleCodec());
        gone = database::pruneStore(store, options);
    }
    if (!arguments.has("--json")) {
        std::cout << gone << (dry ? " records would go\n" : " records removed\n");
        return kSuccess;
    }
    json::Object object = result("tilewright/prune/1");
    object.set("removed", gone);
    object.set("dry_run", dry);
    printJson(json::Value(std::move(object)));
    return kSuccess;
}

int check(const Arguments& arguments) {
    const std::vector<database::StoreProblem> problems =
        database::checkStore(arguments.value("DIR"));
    json::Array rows;
    for (const database::StoreProblem& problem : problems) {
        std::string text;
        if (!problem.table.empty())
            text = base::concat(
                problem.table,
                problem.row != 0 ? base::concat(" row ", problem.row) : std::string(), ": ");
        text += problem.message;
        if (!arguments.has("--json"))
            std::cerr << database::storeFile(arguments.value("DIR")).string() << ": " << text
                      << '\n';
        rows.emplace_back(std::move(text));
    }
    const bool ok = problems.empty();
    if (arguments.has("--json")) {
        json::Object object = result("tilewright/check/1");
        object.set("ok", ok);
        object.set("problems", std::move(rows));
        printJson(json::Value(std::move(object)));
        if (!ok)
            std::cerr << database::storeFile(arguments.value("DIR")).string() << ": "
                      << problems.size() << " problems\n";
    } else if (ok) {
        std::cout << database::storeFile(arguments.value("DIR")).string() << ": sound\n";
    }
    return ok ? kSuccess : kDatabase;
}

int backup(const Arguments& arguments) {
    const std::string out = requiredOption(arguments, kOutput);
    database::backupStore(arguments.value("DIR"), out);
    if (arguments.has("--json")) {
        json::Object object = result("tilewright/backup/1");
        object.set("file", out);
        printJson(json::Value(std::move(object)));
    } else {
        std::cout << "copied to " << out << '\n';
    }
    return kSuccess;
}

CommandSpec importSpec() {
    CommandSpec spec;
    spec.name = "db import";
    spec.summary = "Import the pair of files that TVM left in a folder";
    spec.positionals = {{"SRC", "A folder with database_workload.json and "
                                "database_tuning_record.json of any TVM release"}};
    spec.options = {required(workDirOption()),
                    oneOf({"--module-equality", "MODE",
                           "structural (default), ignore-tensor or anchor-block, for a new store"},
                          {"structural", "ignore-tensor", "anchor-block"}),
                    jsonOption()};
    spec.examples = {"tilewright db import tvm-work --work-dir work"};
    spec.run = import;
    return spec;
}

CommandSpec exportSpec() {
    CommandSpec spec;
    spec.name = "db export";
    spec.summary = "Write records as TVM's pair of files";
    spec.positionals = {workDirPositional()};
    spec.options = {
        oneOf({"--format", "FORMAT", "tvm (default)"}, {"tvm"}),
        required({kOutput, "FOLDER", "Where to; existing files are not overwritten"}),
        {"--era", "RELEASE",
         "Spell it as this TVM release does, 0.12 to 0.27 or newest (default: as stored). "
         "Modules that did not come from TVM need 0.22 or newer"},
        {"--filter", "EXPR", "Only records that fit"},
        jsonOption()};
    spec.examples = {"tilewright db export work --format tvm -o out",
                     "tilewright db export work --format tvm -o out --era 0.22"};
    spec.run = exportPair;
    return spec;
}

} // namespace

std::vector<CommandSpec> databaseCommands() {
    CommandSpec mergeSpec;
    mergeSpec.name = "db merge";
    mergeSpec.summary = "Add the records of other work directories; duplicates are left out";
    mergeSpec.positionals = {{"DIR", "The work directory to add to; made when missing"},
                             {"SRC", "Work directories to read", true, true}};
    mergeSpec.options = {jsonOption()};
    mergeSpec.examples = {"tilewright db merge all board1 board2"};
    mergeSpec.run = merge;

    CommandSpec pruneSpec;
    pruneSpec.name = "db prune";
    pruneSpec.summary = "Remove records for good, all but the best and the marked ones";
    pruneSpec.positionals = {workDirPositional()};
    pruneSpec.options = {{"--keep-best", "N", "Of each workload and target (default 1)"},
                         {"--keep-failed", "", "Keep failed trials"},
                         {"--deleted-only", "", "Remove only records that were deleted"},
                         {"--dry-run", "", "Only say how many would go"},
                         jsonOption()};
    pruneSpec.examples = {"tilewright db prune work --keep-best 10 --dry-run"};
    pruneSpec.run = prune;

    CommandSpec checkSpec;
    checkSpec.name = "db check";
    checkSpec.summary = "Look for damage; exit 6 when there is some";
    checkSpec.positionals = {workDirPositional()};
    checkSpec.options = {jsonOption()};
    checkSpec.examples = {"tilewright db check work"};
    checkSpec.run = check;

    CommandSpec backupSpec;
    backupSpec.name = "db backup";
    backupSpec.summary = "Copy the database, also while an engine writes";
    backupSpec.positionals = {workDirPositional()};
    backupSpec.options = {
        required({kOutput, "FILE", "The copy; an existing file is not overwritten"}), jsonOption()};
    backupSpec.examples = {"tilewright db backup work -o work-monday.twdb"};
    backupSpec.run = backup;
    return {importSpec(), exportSpec(), mergeSpec, pruneSpec, checkSpec, backupSpec};
}

} // namespace tilewright::cli
