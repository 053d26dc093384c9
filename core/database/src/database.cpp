// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/database.h>

namespace tilewright::database {

void Database::dumpPruned(Database& destination) {
    for (const Workload& workload : getAllWorkloads()) {
        std::vector<TuningRecord> best = getTopK(workload.id, 1);
        if (best.empty())
            continue;
        best.front().workload = destination.commitWorkload(workload.module, workload.name).id;
        // Ids of tasks and sessions mean nothing elsewhere.
        best.front().task = TaskId();
        best.front().session = SessionId();
        destination.commitTuningRecord(best.front());
    }
}

DatabaseRegistry::DatabaseRegistry() {
    add("memory", [](const DatabaseOptions& o) { return makeMemoryDatabase(o.codec); });
    add("json", [](const DatabaseOptions& o) { return openJsonDatabase(o.workDir, o.codec); });
    add("sqlite", [](const DatabaseOptions& o) {
        return openSqliteDatabase(o.workDir, o.codec, o.readOnly);
    });
    add("union", [](const DatabaseOptions& o) { return makeUnionDatabase(o.members); });
    add("ordered-union",
        [](const DatabaseOptions& o) { return makeOrderedUnionDatabase(o.members); });
}

void DatabaseRegistry::add(std::string kind, Factory factory) {
    factories_.insert_or_assign(std::move(kind), std::move(factory));
}

std::unique_ptr<Database> DatabaseRegistry::create(std::string_view kind,
                                                   const DatabaseOptions& options) const {
    const auto found = factories_.find(kind);
    if (found == factories_.end())
        throw base::UserError("database-kind",
                              base::concat("the database kind '", kind, "' is not known; ",
                                           "accepted: ", base::join(kinds(), ", ")));
    return found->second(options);
}

std::vector<std::string> DatabaseRegistry::kinds() const {
    std::vector<std::string> names;
    for (const auto& [name, factory] : factories_)
        names.push_back(name);
    return names;
}

} // namespace tilewright::database
