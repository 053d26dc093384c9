// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_writer.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::database {

/// Changes what people add to records: tags, notes, stars, pins, soft deletes, names. Every call is
/// one transaction and one step that undo takes back; measurements are never touched.
class MetadataEditor {
public:
    explicit MetadataEditor(StoreWriter& writer) : writer_(writer) {}

    void addTag(std::span<const RecordId> records, std::string_view tag);
    void removeTag(std::span<const RecordId> records, std::string_view tag);
    /// An empty note takes it away.
    void setNote(RecordId record, std::string_view note);
    void setSessionNote(SessionId session, std::string_view note);
    void setStarred(std::span<const RecordId> records, bool starred);
    /// A pin is a named baseline; without a record the pin goes.
    void setPin(std::string_view name, std::optional<RecordId> record);
    void setDeleted(std::span<const RecordId> records, bool deleted);
    void renameSession(SessionId session, std::string_view name);

    /// What undo() / redo() would take back or do again (`delete 214 records`), empty = nothing.
    [[nodiscard]] std::string undoLabel() const;
    [[nodiscard]] std::string redoLabel() const;
    bool undo();
    bool redo();

private:
    StoreWriter& writer_;
};

} // namespace tilewright::database
