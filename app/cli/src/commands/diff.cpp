// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"
#include "record_argument.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/session/record_json.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/text_diff.h>
#include <tilewright/session/trace_diff.h>

#include <iostream>

namespace tilewright::cli {

namespace {

using session::RecordForm;
using session::TraceChange;

std::string title(const session::RecordView& view) {
    const database::TuningRecord& record = view.record();
    const bool ok = record.status == database::RecordStatus::Ok;
    return base::concat("record ", record.id.value, " (",
                        ok ? durationText(session::microseconds(record.measurement.median))
                           : std::string(database::toString(record.status)),
                        ")");
}

void printDecisions(const session::TraceDiff& diff) {
    std::vector<std::vector<std::string>> rows;
    for (const session::TraceRow& row : diff.rows)
        if (!row.postprocess && row.leftDecision != row.rightDecision)
            rows.push_back({row.subject, row.leftDecision.empty() ? "-" : row.leftDecision,
                            row.rightDecision.empty() ? "-" : row.rightDecision});
    if (!rows.empty())
        printTable({"decision", "left", "right"}, rows);
}

void printTrace(const session::TraceDiff& diff) {
    bool post = false;
    for (const session::TraceRow& row : diff.rows) {
        if (row.postprocess && !post)
            std::cout << "  # postprocessing\n";
        post = row.postprocess;
        switch (row.change) {
        case TraceChange::Equal:
            std::cout << "  " << row.rightText << '\n';
            break;
        case TraceChange::OnlyLeft:
            std::cout << "- " << row.leftText << '\n';
            break;
        case TraceChange::OnlyRight:
            std::cout << "+ " << row.rightText << '\n';
            break;
        case TraceChange::Moved:
            std::cout << "> " << row.rightText << "  # moved\n";
            break;
        case TraceChange::Decision:
        case TraceChange::Attributes:
            std::cout << "- " << row.leftText << "\n+ " << row.rightText << '\n';
            break;
        }
    }
}

int diffTraceForms(const Arguments& arguments, const session::RecordView& left,
                   const session::RecordView& right, const std::string& form) {
    if (left.record().workload != right.record().workload)
        throw base::UserError(
            "usage",
            base::concat("records ", left.record().id.value, " and ", right.record().id.value,
                         " belong to different workloads (", left.record().taskName, ", workload ",
                         left.record().workload.value, "; ", right.record().taskName, ", workload ",
                         right.record().workload.value,
                         "): their traces cannot be aligned; --as tir and asm can"));
    const session::TraceDiff diff = session::diffTraces(left.trace(), right.trace());
    const int code = diff.equal() ? kSuccess : kAnswerIsNo;
    if (arguments.has("--json")) {
        json::Object object = session::toJson(diff, form == "decisions");
        object.set("schema", "tilewright/diff/1");
        object.set("as", form);
        object.set("left", session::recordToJson(left.record()));
        object.set("right", session::recordToJson(right.record()));
        printJson(json::Value(std::move(object)));
        return code;
    }
    std::cout << "left " << title(left) << ", right " << title(right) << '\n';
    if (!diff.structure.empty())
        std::cout << "structure differs: " << diff.structure << '\n';
    if (form == "decisions")
        printDecisions(diff);
    else
        printTrace(diff);
    if (code == kSuccess)
        std::cout << "the traces are equal\n";
    return code;
}

int diffTexts(const Arguments& arguments, const session::RecordView& left,
              const session::RecordView& right, const std::string& form) {
    std::string leftText = left.text(*session::recordFormFromName(form));
    std::string rightText = right.text(*session::recordFormFromName(form));
    if (form == "asm") {
        leftText = session::normalizedAssembly(leftText);
        rightText = session::normalizedAssembly(rightText);
    }
    const std::string unified =
        session::unifiedDiff(leftText, rightText, title(left), title(right));
    if (arguments.has("--json")) {
        json::Array lines;
        for (const session::TextLine& line : session::diffLines(leftText, rightText)) {
            json::Object row;
            row.set("mark", std::string(1, line.mark));
            row.set("left", line.left > 0 ? json::Value(line.left) : json::Value());
            row.set("right", line.right > 0 ? json::Value(line.right) : json::Value());
            row.set("text", line.text);
            lines.emplace_back(std::move(row));
        }
        json::Object object;
        object.set("schema", "tilewright/diff/1");
        object.set("as", form);
        object.set("left", session::recordToJson(left.record()));
        object.set("right", session::recordToJson(right.record()));
        object.set("lines", std::move(lines));
        printJson(json::Value(std::move(object)));
    } else {
        std::cout << unified;
    }
    return unified.empty() ? kSuccess : kAnswerIsNo;
}

int run(const Arguments& arguments) {
    const std::string form = arguments.valueOr("--as", "decisions");
    const database::RecordId a = recordArgument(arguments, "A");
    const database::RecordId b = recordArgument(arguments, "B");
    const bool ofTraces = form == "decisions" || form == "trace";
    if (!ofTraces && form != "tir" && form != "asm")
        throw base::UserError(
            "usage", base::concat("--as: '", form, "' is none of decisions, trace, tir, asm"));
    const database::StoreReader reader(arguments.value("DIR"));
    const session::RecordView left(reader, a);
    const session::RecordView right(reader, b);
    return ofTraces ? diffTraceForms(arguments, left, right, form)
                    : diffTexts(arguments, left, right, form);
}

} // namespace

CommandSpec diffCommand() {
    CommandSpec spec;
    spec.name = "diff";
    spec.summary = "Say how two records differ; exit 1 when they do";
    spec.positionals = {workDirPositional(), {"A", "A record's number"}, {"B", "Another's"}};
    spec.options = {oneOf({"--as", "FORM", "decisions (default), trace, tir or asm"},
                          {"decisions", "trace", "tir", "asm"}),
                    jsonOption()};
    spec.examples = {"tilewright diff work 12 57", "tilewright diff work 12 57 --as trace",
                     "tilewright diff work 12 57 --as asm"};
    spec.run = run;
    return spec;
}

} // namespace tilewright::cli
