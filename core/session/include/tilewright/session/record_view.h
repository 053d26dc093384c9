// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/store_reader.h>
#include <tilewright/ir/module.h>
#include <tilewright/json/value.h>
#include <tilewright/schedule/trace.h>
#include <tilewright/target/target.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// The forms in which a record can be looked at.
enum class RecordForm : std::uint8_t {
    Trace,  ///< TVM's file form `[instructions, decisions]`
    Python, ///< the schedule as text
    Tir,    ///< the scheduled module as TVMScript
    Llvm,   ///< LLVM IR after optimisation
    Asm,    ///< assembly
    Json    ///< the record with its samples, marks and trace
};
/// `trace`, `python`, `tir`, `llvm`, `asm`, `json`.
std::optional<RecordForm> recordFormFromName(std::string_view name);

/// A stored record with what it takes to replay it. A value, independent of the store.
class RecordView {
public:
    /// Throws UserError: `database-record` when there is no such record.
    RecordView(const database::StoreReader& reader, database::RecordId id);

    [[nodiscard]] const database::TuningRecord& record() const { return record_; }
    [[nodiscard]] const database::Workload& workload() const { return workload_; }
    [[nodiscard]] const database::RecordMarks& marks() const { return marks_; }
    /// Throws ParseError for a trace that this build cannot read.
    [[nodiscard]] schedule::Trace trace() const;
    /// The module before scheduling. Throws UserError (`database-module`) when the store has only
    /// TVM's line of it and that could not be read.
    [[nodiscard]] ir::Module module() const;
    /// The module after the trace. Throws UserError naming the refused instruction.
    [[nodiscard]] ir::Module scheduledModule() const;
    /// The record's target; the host when it has none.
    [[nodiscard]] target::Target target() const;
    /// Text in a form. Throws like the functions above, and UserError of code generation.
    [[nodiscard]] std::string text(RecordForm form) const;
    /// `json` as a value.
    [[nodiscard]] json::Value toJson() const;

private:
    database::TuningRecord record_;
    database::Workload workload_;
    database::RecordMarks marks_;
};

} // namespace tilewright::session
