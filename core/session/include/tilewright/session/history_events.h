// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/json/value.h>
#include <tilewright/session/live_model.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::session {

/// The events of a stored session in the order of time, as its engine would have sent them: what
/// LiveModel takes. Records of earlier sessions of the same tasks come first, at the session's
/// start, because they count against its budget. An invalid id is the newest session. Stops when
/// `visit` returns false. Returns the session's number, 0 when the store has none.
std::int64_t visitHistory(const database::StoreReader& reader, database::SessionId session,
                          const std::function<bool(const json::Value& event)>& visit);

/// All of them; for replaying.
std::vector<json::Value> historyEvents(const database::StoreReader& reader,
                                       database::SessionId session = {});

/// Opens a work directory and brings a model up to what it holds. Changes nothing there and starts
/// nothing. Throws UserError naming the file.
LiveModel loadLiveModel(const std::filesystem::path& workDir, database::SessionId session = {});

} // namespace tilewright::session
