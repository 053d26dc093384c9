// SPDX-License-Identifier: Apache-2.0
#include <tilewright/database/schema.h>

#include <array>

namespace tilewright::database {
namespace {

// Integers called `sum` are tw_sum over the other columns in their order. Times are in ms since
// 1970 UTC, durations in seconds. Hashes are 64 bits, kept as signed integers.
constexpr std::string_view kVersion1 = R"sql(
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE targets(id INTEGER PRIMARY KEY, key TEXT NOT NULL, json TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE INDEX targets_by_key ON targets(key);

CREATE TABLE arg_infos(id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE, sum INTEGER NOT NULL)
    STRICT;

CREATE TABLE workloads(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, name TEXT NOT NULL,
    module TEXT NOT NULL, tvm_line TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE INDEX workloads_by_hash ON workloads(hash);

CREATE TABLE tasks(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
    workload INTEGER NOT NULL REFERENCES workloads(id),
    target INTEGER REFERENCES targets(id), weight REAL NOT NULL, flop REAL NOT NULL,
    bytes REAL NOT NULL, info TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE INDEX tasks_by_workload ON tasks(workload);

CREATE TABLE environments(id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE sessions(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
    input TEXT NOT NULL, target TEXT NOT NULL, options TEXT NOT NULL, state TEXT NOT NULL,
    result TEXT NOT NULL, environment INTEGER REFERENCES environments(id),
    started_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, budget INTEGER NOT NULL,
    seed INTEGER NOT NULL) STRICT;

CREATE TABLE records(id INTEGER PRIMARY KEY AUTOINCREMENT,
    workload INTEGER NOT NULL REFERENCES workloads(id), task INTEGER REFERENCES tasks(id),
    target INTEGER REFERENCES targets(id), args INTEGER REFERENCES arg_infos(id),
    status INTEGER NOT NULL, origin INTEGER NOT NULL, message TEXT, median_s REAL, low_s REAL,
    high_s REAL, rank_s REAL, n INTEGER NOT NULL, complete INTEGER NOT NULL, trial INTEGER,
    round INTEGER, session INTEGER REFERENCES sessions(id), time_ms INTEGER NOT NULL, device TEXT,
    predicted REAL, build_s REAL, run_s REAL, verified INTEGER, sum INTEGER NOT NULL) STRICT;
CREATE INDEX records_by_rank ON records(workload, rank_s) WHERE rank_s IS NOT NULL;
CREATE INDEX records_by_task ON records(task, status, median_s);
CREATE INDEX records_by_median ON records(median_s);
CREATE INDEX records_by_trial ON records(trial) WHERE trial IS NOT NULL;
CREATE INDEX records_failed ON records(status) WHERE status <> 0;

CREATE TABLE traces(record INTEGER PRIMARY KEY REFERENCES records(id), json TEXT NOT NULL,
    sum INTEGER NOT NULL) STRICT;
CREATE TABLE samples(record INTEGER PRIMARY KEY REFERENCES records(id), seconds BLOB NOT NULL,
    other_cpu BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;

CREATE TABLE rounds(id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions(id),
    task INTEGER REFERENCES tasks(id), round INTEGER NOT NULL, time_ms INTEGER NOT NULL,
    trials INTEGER NOT NULL, info TEXT NOT NULL) STRICT;
CREATE INDEX rounds_by_session ON rounds(session);

CREATE TABLE task_events(id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions(id), task INTEGER REFERENCES tasks(id),
    time_ms INTEGER NOT NULL, kind TEXT NOT NULL, info TEXT NOT NULL) STRICT;
CREATE INDEX task_events_by_session ON task_events(session);

CREATE TABLE models(id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions(id),
    task INTEGER REFERENCES tasks(id), kind TEXT NOT NULL, time_ms INTEGER NOT NULL,
    data BLOB NOT NULL, info TEXT NOT NULL) STRICT;
CREATE INDEX models_by_session ON models(session, kind);

CREATE TABLE states(session INTEGER NOT NULL REFERENCES sessions(id), name TEXT NOT NULL,
    value BLOB NOT NULL, PRIMARY KEY(session, name)) STRICT;

CREATE TABLE profiles(id INTEGER PRIMARY KEY, session INTEGER REFERENCES sessions(id),
    name TEXT NOT NULL, time_ms INTEGER NOT NULL, info TEXT NOT NULL) STRICT;

CREATE TABLE heartbeat(id INTEGER PRIMARY KEY CHECK(id = 1), pid INTEGER NOT NULL,
    boot_id TEXT NOT NULL, host TEXT NOT NULL, socket TEXT NOT NULL, state TEXT NOT NULL,
    session INTEGER, time_ms INTEGER NOT NULL) STRICT;

CREATE TABLE tags(record INTEGER NOT NULL REFERENCES records(id), tag TEXT NOT NULL,
    PRIMARY KEY(record, tag)) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags(tag);
CREATE TABLE notes(record INTEGER PRIMARY KEY REFERENCES records(id), note TEXT NOT NULL) STRICT;
CREATE TABLE session_notes(session INTEGER PRIMARY KEY REFERENCES sessions(id),
    note TEXT NOT NULL) STRICT;
CREATE TABLE stars(record INTEGER PRIMARY KEY REFERENCES records(id)) STRICT;
CREATE TABLE pins(name TEXT PRIMARY KEY, record INTEGER NOT NULL REFERENCES records(id)) STRICT;
CREATE TABLE deletions(record INTEGER PRIMARY KEY REFERENCES records(id),
    time_ms INTEGER NOT NULL) STRICT;
CREATE TABLE undo_steps(id INTEGER PRIMARY KEY AUTOINCREMENT, time_ms INTEGER NOT NULL,
    label TEXT NOT NULL, changes TEXT NOT NULL, undone INTEGER NOT NULL) STRICT;
)sql";

constexpr std::array kMigrations = {kVersion1};

} // namespace

std::span<const std::string_view> schemaMigrations() {
    return kMigrations;
}

int currentSchemaVersion() {
    return static_cast<int>(kMigrations.size());
}

} // namespace tilewright::database
