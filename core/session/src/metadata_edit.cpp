// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/metadata_edit.h>

#include "event_reading.h"
#include "owned_store.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/database/metadata.h>
#include <tilewright/session/module_codec.h>

namespace tilewright::session {

namespace {

std::vector<std::string> takeBack(database::MetadataEditor& editor, bool undo) {
    const std::string label = undo ? editor.undoLabel() : editor.redoLabel();
    if (label.empty())
        throw base::UserError("usage",
                              undo ? "there is nothing to undo" : "there is nothing to do again");
    static_cast<void>(undo ? editor.undo() : editor.redo());
    return {base::concat(undo ? "undid: " : "did again: ", label)};
}

void editRecords(database::MetadataEditor& editor, const MetadataEdit& edit,
                 std::vector<std::string>& done) {
    const auto& ids = edit.records;
    const std::string on = base::concat(ids.size(), ids.size() == 1 ? " record" : " records");
    for (const std::string& tag : edit.addTags) {
        editor.addTag(ids, tag);
        done.push_back(base::concat("tagged ", on, " with ", tag));
    }
    for (const std::string& tag : edit.removeTags) {
        editor.removeTag(ids, tag);
        done.push_back(base::concat("took tag ", tag, " from ", on));
    }
    if (edit.note) {
        for (const database::RecordId id : ids)
            editor.setNote(id, *edit.note);
        done.push_back(base::concat("noted on ", on));
    }
    if (edit.starred) {
        editor.setStarred(ids, *edit.starred);
        done.push_back(base::concat(*edit.starred ? "starred " : "unstarred ", on));
    }
    if (edit.pin) {
        if (ids.size() > 1)
            throw base::UserError("usage", "--pin names one record");
        editor.setPin(*edit.pin, ids.empty() ? std::nullopt : std::optional(ids[0]));
        done.push_back(ids.empty() ? base::concat("unpinned ", *edit.pin)
                                   : base::concat("pinned ", ids[0].value, " as ", *edit.pin));
    }
    if (edit.deleted) {
        editor.setDeleted(ids, *edit.deleted);
        done.push_back(base::concat(*edit.deleted ? "deleted " : "restored ", on));
    }
}

std::vector<std::string> textsIn(const json::Value& value, std::string_view key) {
    std::vector<std::string> texts;
    if (const json::Value* list = value.find(key); list && list->isArray())
        for (const json::Value& item : list->asArray())
            texts.push_back(item.asString());
    return texts;
}

std::optional<std::string> optionalText(const json::Value& value, std::string_view key) {
    const json::Value* text = value.find(key);
    return text && text->isString() ? std::optional(text->asString()) : std::nullopt;
}

} // namespace

std::vector<std::string> applyEdit(database::StoreWriter& store, const MetadataEdit& edit) {
    database::MetadataEditor editor(store);
    if (edit.undo || edit.redo)
        return takeBack(editor, edit.undo);
    std::vector<std::string> done;
    editRecords(editor, edit, done);
    if (edit.sessionName) {
        editor.renameSession(edit.session, *edit.sessionName);
        done.push_back(base::concat("renamed session ", edit.session.value));
    }
    if (edit.sessionNote) {
        editor.setSessionNote(edit.session, *edit.sessionNote);
        done.push_back(base::concat("noted on session ", edit.session.value));
    }
    if (done.empty())
        throw base::UserError("usage", "nothing to change: give --tag, --untag, --note, --star, "
                                       "--unstar, --pin, --delete or --restore");
    return done;
}

std::vector<std::string> editMetadata(const std::filesystem::path& workDir,
                                      const MetadataEdit& edit) {
    if (const auto answer = askOwner(workDir, toJson(edit), std::chrono::minutes(2)))
        return textsIn(*answer, "changes");
    database::StoreWriter store(workDir, makeModuleCodec());
    return applyEdit(store, edit);
}

json::Value toJson(const MetadataEdit& edit) {
    json::Object object;
    object.set("command", "edit");
    json::Array ids;
    for (const database::RecordId id : edit.records)
        ids.emplace_back(id.value);
    object.set("records", std::move(ids));
    object.set("tag", json::Value::array(edit.addTags));
    object.set("untag", json::Value::array(edit.removeTags));
    const auto set = [&](std::string_view key, const auto& value) {
        if (value)
            object.set(key, *value);
    };
    set("note", edit.note);
    set("star", edit.starred);
    set("delete", edit.deleted);
    set("pin", edit.pin);
    if (edit.session.valid())
        object.set("session", edit.session.value);
    set("session_name", edit.sessionName);
    set("session_note", edit.sessionNote);
    object.set("undo", edit.undo);
    object.set("redo", edit.redo);
    return json::Value(std::move(object));
}

MetadataEdit metadataEditFromJson(const json::Value& value) {
    MetadataEdit edit;
    if (const json::Value* ids = value.find("records"); ids && ids->isArray())
        for (const json::Value& id : ids->asArray())
            edit.records.emplace_back(id.asInt());
    edit.addTags = textsIn(value, "tag");
    edit.removeTags = textsIn(value, "untag");
    edit.note = optionalText(value, "note");
    edit.starred = flagIn(value, "star");
    edit.deleted = flagIn(value, "delete");
    edit.pin = optionalText(value, "pin");
    if (const auto id = integerIn(value, "session"))
        edit.session = database::SessionId(*id);
    edit.sessionName = optionalText(value, "session_name");
    edit.sessionNote = optionalText(value, "session_note");
    edit.undo = flagIn(value, "undo").value_or(false);
    edit.redo = flagIn(value, "redo").value_or(false);
    return edit;
}

} // namespace tilewright::session
