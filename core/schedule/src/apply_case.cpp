// SPDX-License-Identifier: Apache-2.0
#include <tilewright/schedule/apply_case.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/tvm_json.h>
#include <tilewright/json/base64.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/schedule.h>

namespace tilewright::schedule {

ApplyResult applyTrace(const ir::Module& module, const Trace& trace, const std::string& function) {
    Schedule schedule(module);
    if (!function.empty())
        schedule.setWorkOn(function);
    ApplyResult result;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const Schedule before = schedule;
        auto applied = replayRange(trace, i, i + 1, schedule);
        if (applied)
            continue;
        const Failure& failure = applied.error().failure;
        result.error = base::Diagnostic(failure.kind, failure.message,
                                        {base::TraceLocation{static_cast<int>(i)}});
        result.step = static_cast<int>(i);
        result.module = before.module();
        result.trace = before.trace();
        return result;
    }
    result.module = schedule.module();
    result.trace = schedule.trace();
    return result;
}

namespace {

/// The instruction a diagnostic points at; -1 when it points at none.
int instructionOf(const base::Diagnostic& diagnostic) {
    for (const base::Location& location : diagnostic.locations)
        if (const auto* place = std::get_if<base::TraceLocation>(&location))
            return place->instruction;
    return -1;
}

} // namespace

ApplyResult applyTrace(const ir::Module& module, const json::Value& trace,
                       const std::string& function) {
    try {
        return applyTrace(module, Trace::fromJson(trace), function);
    } catch (const base::UserError& error) {
        // What stands before the malformed instruction still applies.
        ApplyResult result;
        const int step = instructionOf(error.diagnostic());
        result.module = module;
        if (step > 0 && trace.isArray() && trace.size() == 2) {
            json::Array kept(trace.at(std::size_t{0}).asArray().begin(),
                             trace.at(std::size_t{0}).asArray().begin() + step);
            json::Array decisions;
            for (const json::Value& entry : trace.at(std::size_t{1}).asArray())
                if (entry.isArray() && entry.size() == 2 && entry.at(std::size_t{0}).isInteger() &&
                    entry.at(std::size_t{0}).asInt() < step)
                    decisions.push_back(entry);
            json::Array pair;
            pair.emplace_back(std::move(kept));
            pair.emplace_back(std::move(decisions));
            result = applyTrace(module, json::Value(std::move(pair)), function);
            if (!result.ok())
                return result;
        }
        result.error = error.diagnostic();
        result.step = std::max(step, 0);
        return result;
    }
}

ir::Module caseModule(const json::Value& request) {
    if (const auto* line = request.find("workload_line"); line && !line->isNull()) {
        const json::Value parsed = line->isString() ? json::parse(line->asString()) : *line;
        const auto graph = json::decodeBase64(parsed.at(std::size_t{1}).asString());
        if (!graph || graph->size() < 8)
            throw base::ParseError("workload-line", "the second element is no base64 text");
        // The graph stands behind its length, 8 bytes little-endian.
        return ir::moduleFromTvmJson(std::string_view(*graph).substr(8));
    }
    return ir::parseModule(request.at("module").asString());
}

namespace {

json::Object answerOf(const json::Value& request) {
    json::Object answer;
    const ir::Module module = caseModule(request);
    const ApplyResult result = applyTrace(module, request.at("trace"));
    answer.set("status", result.ok() ? "ok" : "error");
    answer.set("script", ir::print(result.module));
    answer.set("trace", result.trace.toJson());
    if (!result.ok()) {
        json::Object error;
        error.set("kind", result.error->kind);
        error.set("message", result.error->message);
        error.set("step", result.step);
        answer.set("error", json::Value(std::move(error)));
    }
    return answer;
}

} // namespace

json::Value applyCase(const json::Value& request) {
    json::Object answer;
    const auto refuse = [&](const std::string& kind, const std::string& message) {
        json::Object error;
        error.set("kind", kind);
        error.set("message", message);
        error.set("step", nullptr);
        answer.set("status", "error");
        answer.set("error", json::Value(std::move(error)));
    };
    try {
        answer = answerOf(request);
    } catch (const base::UserError& error) {
        refuse(error.diagnostic().kind, error.what());
    } catch (const std::exception& error) {
        refuse("InternalError", error.what());
    }
    json::Object named;
    const json::Value* name = request.find("name");
    named.set("name", name ? *name : json::Value());
    for (const auto& [key, value] : answer)
        named.set(key, value);
    return json::Value(std::move(named));
}

} // namespace tilewright::schedule
