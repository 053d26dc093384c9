// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/json/value.h>

#include <functional>
#include <optional>
#include <string>

namespace tilewright::session {

/// What became of checking one task's best record.
struct Verification {
    enum class Outcome : std::uint8_t {
        Right,   ///< within the tolerance of the reference
        Wrong,   ///< another result
        Failed,  ///< could not be replayed, built or run, or there is no reference
        Skipped, ///< this machine cannot run it, or there is no record
    };
    std::string task;
    std::optional<database::RecordId> record;
    Outcome outcome = Outcome::Skipped;
    std::optional<double> maxRelativeError;
    std::string message; ///< why, unless right
};

/// `right`, `wrong`, `failed`, `skipped`.
std::string_view toString(Verification::Outcome outcome);

struct VerifySummary {
    int right = 0;
    int wrong = 0;
    int failed = 0;
    int skipped = 0;
    [[nodiscard]] bool ok() const { return wrong == 0 && failed == 0; }
};

/// Compiles the best record of every task again, runs it in a process of its own and compares it
/// with the module as imported, run on the same inputs. `onResult` is told of each.
VerifySummary verifyStore(const database::StoreReader& reader,
                          const std::function<void(const Verification&)>& onResult);

json::Value toJson(const Verification& verification);

} // namespace tilewright::session
