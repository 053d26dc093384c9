// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>

#include <string>

namespace tilewright::session {

/// A work directory as one HTML file that needs nothing else: summary, tasks with their curves
/// (inline SVG), best records, failures, sessions and environment. Text from the store is escaped.
std::string htmlReport(const database::StoreReader& reader);

} // namespace tilewright::session
