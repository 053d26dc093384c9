// SPDX-License-Identifier: Apache-2.0
#include "../commands.h"
#include "../exit_code.h"
#include "../print_json.h"
#include "input_options.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/control_socket.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

namespace tilewright::cli {

namespace {

json::Value ask(const Arguments& arguments, json::Object request) {
    const std::string dir = arguments.value("DIR");
    if (std::error_code unknown; !std::filesystem::is_directory(dir, unknown))
        throw base::UserError("database-missing", dir + ": there is no such work directory");
    const auto answer =
        session::askEngine(session::controlSocketPath(dir), json::Value(std::move(request)));
    if (!answer)
        throw base::UserError(answer.error().kind, dir + ": no engine of yours tunes this "
                                                         "directory now");
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

/// An order to an engine, what is said once it took it, and the state that it leads to.
struct Order {
    std::string_view name;
    std::string_view said;
    std::string_view state; ///< empty: the engine ends
};
constexpr std::array kOrders = {
    Order{"pause", "pausing: the batch in flight is finished first", "paused"},
    Order{"resume", "going on", "running"},
    Order{"stop", "stopping: the batch in flight is finished first", ""},
    Order{"cancel", "cancelled: what is in flight is not kept", ""}};

void confirm(const Arguments& arguments, std::string_view order, const std::string& said) {
    if (!arguments.has("--json")) {
        std::cout << arguments.value("DIR") << ": " << said << '\n';
        return;
    }
    json::Object object;
    object.set("schema", "tilewright/order/1");
    object.set("ok", true);
    object.set("order", order);
    object.set("message", said);
    printJson(json::Value(std::move(object)));
}

/// Until the engine is in the state; without one until it is gone.
void waitFor(const Arguments& arguments, std::string_view state) {
    const auto socket = session::controlSocketPath(arguments.value("DIR"));
    for (;;) {
        const auto status = session::askEngine(socket, json::Value(command("status")));
        if (!status)
            return;
        if (!state.empty() && status->at("state").asString() == state)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

template <std::size_t Which> int simple(const Arguments& arguments) {
    constexpr Order order = kOrders[Which];
    static_cast<void>(ask(arguments, command(order.name)));
    std::string said(order.said);
    if (arguments.has("--wait")) {
        waitFor(arguments, order.state);
        said = order.state.empty() ? "ended" : order.state;
    }
    confirm(arguments, order.name, said);
    return kSuccess;
}

int task(const Arguments& arguments) {
    const std::string name = arguments.value("TASK");
    const std::string order = arguments.value("ORDER");
    json::Object request = command("task");
    request.set("task", name);
    request.set("order", order);
    static_cast<void>(ask(arguments, std::move(request)));
    confirm(arguments, order, "task " + name + ": " + order + " from the next batch on");
    return kSuccess;
}

int events(const Arguments& arguments) {
    static_cast<void>(ask(arguments, command("status")));
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
    spec.options = {jsonOption()};
    spec.examples = {"tilewright session " + name + " work"};
    spec.run = run;
    return spec;
}

CommandSpec endingSpec(const std::string& name, const std::string& summary, CommandFunction run) {
    CommandSpec spec = simpleSpec(name, summary, run);
    spec.options.push_back({"--wait", "", "Return only when the engine has ended"});
    spec.examples.push_back("tilewright session " + name + " work --wait");
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
    taskSpec.options = {jsonOption()};
    taskSpec.examples = {"tilewright session task work fused_conv_relu boost"};
    taskSpec.run = task;

    CommandSpec eventsSpec =
        simpleSpec("events", "Print the events of a running session as JSON lines", events);
    eventsSpec.options = {{"--from", "SEQ", "First sequence number (default 1)"}};

    return {listSpec,
            simpleSpec("pause", "Finish the batch in flight and wait", simple<0>),
            simpleSpec("resume", "Go on after a pause", simple<1>),
            endingSpec("stop", "Finish the batch in flight and end; tune goes on later", simple<2>),
            endingSpec("cancel", "End at once; what is in flight is not kept", simple<3>),
            taskSpec,
            eventsSpec};
}

} // namespace tilewright::cli
