// SPDX-License-Identifier: Apache-2.0
#include "row_text.h"
#include "sqlite_connection.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/metadata.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <array>
#include <functional>

namespace tilewright::database {
namespace {

/// One kind of mark: how it is read, written and taken away. A mark is a value under (key, extra).
/// All are kept as text; null = not there.
struct MarkKind {
    std::string_view name;
    std::string_view read;   ///< ?1 key, ?2 extra
    std::string_view write;  ///< ?1 key, ?2 extra, ?3 value
    std::string_view remove; ///< ?1 key, ?2 extra
};

constexpr std::array kKinds = {
    MarkKind{"tag", "SELECT '1' FROM tags WHERE record = ?1 AND tag = ?2",
             "INSERT OR IGNORE INTO tags(record, tag) SELECT ?1, ?2 WHERE ?3 IS NOT NULL",
             "DELETE FROM tags WHERE record = ?1 AND tag = ?2"},
    MarkKind{"note", "SELECT note FROM notes WHERE record = ?1 AND ?2 = ''",
             "INSERT OR REPLACE INTO notes(record, note) SELECT ?1, ?3 WHERE ?2 = ''",
             "DELETE FROM notes WHERE record = ?1 AND ?2 = ''"},
    MarkKind{"session-note", "SELECT note FROM session_notes WHERE session = ?1 AND ?2 = ''",
             "INSERT OR REPLACE INTO session_notes(session, note) SELECT ?1, ?3 WHERE ?2 = ''",
             "DELETE FROM session_notes WHERE session = ?1 AND ?2 = ''"},
    MarkKind{"star", "SELECT '1' FROM stars WHERE record = ?1 AND ?2 = ''",
             "INSERT OR IGNORE INTO stars(record) SELECT ?1 WHERE ?2 = '' AND ?3 IS NOT NULL",
             "DELETE FROM stars WHERE record = ?1 AND ?2 = ''"},
    MarkKind{"pin", "SELECT CAST(record AS TEXT) FROM pins WHERE name = ?2 AND ?1 = 0",
             "INSERT OR REPLACE INTO pins(name, record) SELECT ?2, CAST(?3 AS INTEGER) WHERE ?1 = "
             "0",
             "DELETE FROM pins WHERE name = ?2 AND ?1 = 0"},
    MarkKind{"delete", "SELECT CAST(time_ms AS TEXT) FROM deletions WHERE record = ?1 AND ?2 = ''",
             "INSERT OR REPLACE INTO deletions(record, time_ms) SELECT ?1, CAST(?3 AS INTEGER) "
             "WHERE ?2 = ''",
             "DELETE FROM deletions WHERE record = ?1 AND ?2 = ''"},
    MarkKind{"session-name", "SELECT name FROM sessions WHERE id = ?1 AND ?2 = ''",
             "UPDATE sessions SET name = ?3 WHERE id = ?1 AND ?2 = ''", ""},
};

const MarkKind& kindNamed(std::string_view name) {
    for (const MarkKind& kind : kKinds)
        if (kind.name == name)
            return kind;
    throw base::ParseError("undo", base::concat("the undo step '", name, "' is not known"));
}

struct Mark {
    std::string_view kind;
    std::int64_t key;
    std::string extra;
    json::Value value; ///< text or null
};

json::Value readMark(Connection& connection, const Mark& mark) {
    Statement& row = connection.cached(kindNamed(mark.kind).read);
    row.bind(1, mark.key).bind(2, mark.extra);
    json::Value value;
    if (row.step())
        value = row.string(0);
    row.reset();
    return value;
}

void writeMark(Connection& connection, const Mark& mark) {
    const MarkKind& kind = kindNamed(mark.kind);
    if (mark.value.isNull()) {
        if (!kind.remove.empty())
            connection.cached(kind.remove).bind(1, mark.key).bind(2, mark.extra).run();
        return;
    }
    connection.cached(kind.write)
        .bind(1, mark.key)
        .bind(2, mark.extra)
        .bind(3, mark.value.asString())
        .run();
}

void requireRow(Connection& connection, std::string_view table, std::int64_t id) {
    Statement row(connection, base::concat("SELECT 1 FROM ", table, " WHERE id = ?1"));
    if (!row.bind(1, id).step())
        throw base::UserError("database-row", base::concat("there is no row ", id, " in ", table),
                              {base::TextLocation{connection.file().string(), 0, 0}});
}

/// Writes the marks and a step that can take them back.
void apply(StoreWriter& writer, const std::string& label, const std::vector<Mark>& marks) {
    Connection& connection = writer.connection();
    TransactionScope transaction(connection);
    json::Value changes{json::Array()};
    for (const Mark& mark : marks) {
        const bool ofSession = mark.kind.starts_with("session");
        if (mark.kind != "pin")
            requireRow(connection, ofSession ? "sessions" : "records", mark.key);
        else if (!mark.value.isNull())
            requireRow(connection, "records", std::stoll(mark.value.asString()));
        json::Value before = readMark(connection, mark);
        if (before == mark.value)
            continue;
        changes.push(json::Array{mark.kind, mark.key, mark.extra, before, mark.value});
        writeMark(connection, mark);
    }
    if (changes.size() > 0) {
        // What was undone cannot be redone after something else was done.
        connection.execute("DELETE FROM undo_steps WHERE undone = 1");
        connection
            .cached("INSERT INTO undo_steps(time_ms, label, changes, undone) VALUES(?1, ?2, ?3, 0)")
            .bind(1, nowMs())
            .bind(2, label)
            .bind(3, json::dump(changes))
            .run();
    }
    transaction.commit();
}

std::string counted(std::string_view what, std::size_t records) {
    return base::concat(what, " ", records, records == 1 ? " record" : " records");
}

std::string stepLabel(Connection& connection, bool undone) {
    return connection.scalarText(undone ? "SELECT label FROM undo_steps WHERE undone = 1 ORDER BY "
                                          "id LIMIT 1"
                                        : "SELECT label FROM undo_steps WHERE undone = 0 ORDER BY "
                                          "id DESC LIMIT 1");
}

/// Plays a step backwards or forwards; false when there is none.
bool playStep(Connection& connection, bool undo) {
    TransactionScope transaction(connection);
    Statement find(connection, undo ? "SELECT id, changes FROM undo_steps WHERE undone = 0 ORDER "
                                      "BY id DESC LIMIT 1"
                                    : "SELECT id, changes FROM undo_steps WHERE undone = 1 ORDER "
                                      "BY id LIMIT 1");
    if (!find.step())
        return false;
    const std::int64_t id = find.integer(0);
    const json::Value changes = json::parse(find.text(1), connection.file().string());
    find.reset();
    for (const json::Value& change : changes.asArray())
        writeMark(connection, {change.at(0).asString(), change.at(1).asInt(),
                               change.at(2).asString(), change.at(undo ? 3 : 4)});
    connection.cached("UPDATE undo_steps SET undone = ?2 WHERE id = ?1")
        .bind(1, id)
        .bind(2, undo)
        .run();
    transaction.commit();
    return true;
}

std::vector<Mark> marksOf(std::span<const RecordId> records, std::string_view kind,
                          std::string_view extra, const json::Value& value) {
    std::vector<Mark> marks;
    marks.reserve(records.size());
    for (const RecordId record : records)
        marks.push_back({kind, record.value, std::string(extra), value});
    return marks;
}

json::Value textOrNull(std::string_view text) {
    return text.empty() ? json::Value() : json::Value(text);
}

} // namespace

void MetadataEditor::addTag(std::span<const RecordId> records, std::string_view tag) {
    apply(writer_, counted(base::concat("tag '", tag, "' on"), records.size()),
          marksOf(records, "tag", tag, "1"));
}

void MetadataEditor::removeTag(std::span<const RecordId> records, std::string_view tag) {
    apply(writer_, counted(base::concat("take tag '", tag, "' off"), records.size()),
          marksOf(records, "tag", tag, {}));
}

void MetadataEditor::setNote(RecordId record, std::string_view note) {
    apply(writer_, base::concat("note on record ", record.value),
          {{"note", record.value, "", textOrNull(note)}});
}

void MetadataEditor::setSessionNote(SessionId session, std::string_view note) {
    apply(writer_, base::concat("note on session ", session.value),
          {{"session-note", session.value, "", textOrNull(note)}});
}

void MetadataEditor::setStarred(std::span<const RecordId> records, bool starred) {
    apply(writer_, counted(starred ? "star" : "take the star off", records.size()),
          marksOf(records, "star", "", starred ? json::Value("1") : json::Value()));
}

void MetadataEditor::setPin(std::string_view name, std::optional<RecordId> record) {
    apply(writer_, base::concat(record ? "pin '" : "unpin '", name, "'"),
          {{"pin", 0, std::string(name),
            record ? json::Value(std::to_string(record->value)) : json::Value()}});
}

void MetadataEditor::setDeleted(std::span<const RecordId> records, bool deleted) {
    apply(writer_, counted(deleted ? "delete" : "restore", records.size()),
          marksOf(records, "delete", "",
                  deleted ? json::Value(std::to_string(nowMs())) : json::Value()));
}

void MetadataEditor::renameSession(SessionId session, std::string_view name) {
    apply(writer_, base::concat("rename session ", session.value),
          {{"session-name", session.value, "", json::Value(name)}});
}

std::string MetadataEditor::undoLabel() const {
    return stepLabel(writer_.connection(), false);
}
std::string MetadataEditor::redoLabel() const {
    return stepLabel(writer_.connection(), true);
}
bool MetadataEditor::undo() {
    return playStep(writer_.connection(), true);
}
bool MetadataEditor::redo() {
    return playStep(writer_.connection(), false);
}

} // namespace tilewright::database
