// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_writer.h>
#include <tilewright/json/value.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::session {

/// Changes of what people add to records and sessions. What is not given stays.
struct MetadataEdit {
    std::vector<database::RecordId> records;
    std::vector<std::string> addTags;
    std::vector<std::string> removeTags;
    std::optional<std::string> note; ///< empty takes it away
    std::optional<bool> starred;
    std::optional<bool> deleted;
    std::optional<std::string> pin; ///< name of a baseline: the one record, or none = unpin
    database::SessionId session;    ///< that the next two are for
    std::optional<std::string> sessionName;
    std::optional<std::string> sessionNote;
    bool undo = false; ///< take the last change back; nothing else may be given
    bool redo = false;
};

/// Carries it out; returns what was done, one sentence each. Throws UserError (kind `usage`) when
/// there is nothing to do, undo or redo, or a pin names several records.
std::vector<std::string> applyEdit(database::StoreWriter& store, const MetadataEdit& edit);

/// Carries it out in a work directory: through its engine while one owns it, else with the
/// directory's lock. Throws UserError: as applyEdit, `database-…`.
std::vector<std::string> editMetadata(const std::filesystem::path& workDir,
                                      const MetadataEdit& edit);

json::Value toJson(const MetadataEdit& edit);
/// Throws UserError (kind `usage`) for members of the wrong kind.
MetadataEdit metadataEditFromJson(const json::Value& value);

} // namespace tilewright::session
