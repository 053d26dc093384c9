// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/control_socket.h>

#include <iostream>

namespace tilewright::cli {

namespace {

json::Value ask(const Arguments& arguments, json::Object request) {
    const auto answer = session::askEngine(session::controlSocketPath(arguments.value("DIR")),
                                           json::Value(std::move(request)));
    if (!answer)
        throw base::UserError(base::Diagnostic(
            answer.error().kind, arguments.value("DIR") + ": no engine tunes this directory now (" +
                                     answer.error().message + ")"));
    const json::Value* ok = answer->find("ok");
    if (!ok || !ok->isBool() || !ok->asBool()) {
        const json::Value* error = answer->find("error");
        throw base::UserError("usage", error && error->isString() ? error->asString()
                                                                  : "the engine refused");
    }
    return *answer;
}

json::Object command(std::string_view name) {
    json::Object request;
    request.set("command", name);
    return request;
}

int list(const Arguments& arguments) {
    json::Array engines;
    for (const auto& socket : session::listControlSockets()) {
        const auto status = session::askEngine(socket, json::Value(command("status")));
        if (status)
            engines.push_back(*status);
    }
    if (arguments.has("--json")) {
        json::Object object;
        object.set("schema", "tilewright/sessions/1");
        object.set("sessions", std::move(engines));
        printJson(json::Value(std::move(object)));
        return kSuccess;
    }
    std::vector<std::vector<std::string>> rows;
    for (const json::Value& engine : engines)
        rows.push_back({engine.at("work_dir").asString(), engine.at("state").asString(),
                        std::to_string(engine.at("pid").asInt()), engine.at("input").asString()});
    printTable({"work directory", "state", "pid", "input"}, rows);
    return kSuccess;
}

template <char Which> int simple(const Arguments& arguments) {
    constexpr std::string_view name = Which == 'p'   ? "pause"
                                      : Which == 'r' ? "resume"
                                      : Which == 's' ? "stop"
                                                     : "cancel";
    static_cast<void>(ask(arguments, command(name)));
    return kSuccess;
}

int task(const Arguments& arguments) {
    json::Object request = command("task");
    request.set("task", arguments.value("TASK"));
    request.set("order", arguments.value("ORDER"));
    static_cast<void>(ask(arguments, std::move(request)));
    return kSuccess;
}

int events(const Arguments& arguments) {
    const auto followed =
        session::followEngine(session::controlSocketPath(arguments.value("DIR")),
                              arguments.integerOr("--from", 1, 1), [](const json::Value& event) {
                                  printJson(event);
                                  return static_cast<bool>(std::cout);
                              });
    if (!followed)
        throw base::UserError(followed.error());
    return kSuccess;
}

CommandSpec simpleSpec(const std::string& name, const std::string& summary, CommandFunction run) {
    CommandSpec spec;
    spec.name = "session " + name;
    spec.summary = summary;
    spec.positionals = {workDirPositional()};
    spec.examples = {"tilewright session " + name + " work"};
    spec.run = run;
    return spec;
}

} // namespace

std::vector<CommandSpec> sessionCommands() {
    CommandSpec listSpec;
    listSpec.name = "session list";
    listSpec.summary = "List the engines that run now";
    listSpec.options = {jsonOption()};
    listSpec.examples = {"tilewright session list"};
    listSpec.run = list;

    CommandSpec taskSpec;
    taskSpec.name = "session task";
    taskSpec.summary = "Skip, freeze, boost or resume one task of a running session";
    taskSpec.positionals = {workDirPositional(),
                            {"TASK", "Name of the task"},
                            {"ORDER", "skip, freeze, boost or resume"}};
    taskSpec.examples = {"tilewright session task work fused_conv_relu boost"};
    taskSpec.run = task;

    CommandSpec eventsSpec =
        simpleSpec("events", "Print the events of a running session as JSON lines", events);
    eventsSpec.options = {{"--from", "SEQ", "First sequence number (default 1)"}};

    return {
        listSpec,
        simpleSpec("pause", "Finish the batch in flight and wait", simple<'p'>),
        simpleSpec("resume", "Go on after a pause", simple<'r'>),
        simpleSpec("stop", "Finish the batch in flight and end; can be resumed later", simple<'s'>),
        simpleSpec("cancel", "End at once; what is in flight is not kept", simple<'c'>),
        taskSpec,
        eventsSpec};
}

} // namespace tilewright::cli
