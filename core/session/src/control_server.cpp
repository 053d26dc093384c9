// SPDX-License-Identifier: Apache-2.0
#include "control_server.h"

#include <tilewright/base/concat.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <sys/socket.h>

namespace tilewright::session {

namespace {

json::Value accepted() {
    json::Object object;
    object.set("ok", true);
    return json::Value(std::move(object));
}

std::string textMember(const json::Value& request, std::string_view key) {
    const json::Value* value = request.find(key);
    return value && value->isString() ? value->asString() : std::string();
}

} // namespace

ControlServer::ControlServer(std::filesystem::path path, RunControl& control,
                             RequestQueue& requests, EventLog& events,
                             std::function<json::Value()> status, std::vector<std::string> tasks)
    : control_(control), requests_(requests), events_(events), status_(std::move(status)),
      tasks_(std::move(tasks)), socket_(std::move(path)),
      server_([this](const std::stop_token& stop) { serve(stop); }) {}

ControlServer::~ControlServer() {
    server_.request_stop();
    server_.join();
}

void ControlServer::serve(const std::stop_token& stop) {
    constexpr std::size_t maxTalks = 64;
    while (!stop.stop_requested()) {
        auto connection = socket_.accept(std::chrono::milliseconds(100));
        if (!connection || talks_.size() >= maxTalks) {
            if (talks_.size() >= maxTalks)
                talks_.erase(talks_.begin()); // joins: the oldest watcher makes room
            continue;
        }
        talks_.emplace_back(
            [this, socket = std::move(*connection)](const std::stop_token& talkStop) mutable {
                talk(std::move(socket), talkStop);
            });
    }
    talks_.clear();
}

void ControlServer::talk(LineSocket socket, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const auto line = socket.readLine(std::chrono::milliseconds(200));
        if (!line) {
            char probe = 0;
            if (recv(socket.descriptor(), &probe, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
                return; // the peer has hung up
            continue;
        }
        json::Value request;
        try {
            request = json::parse(*line);
        } catch (const base::UserError& error) {
            socket.writeLine(json::dump(refusal(error.what())));
            return;
        }
        if (textMember(request, "command") == "events") {
            const json::Value* from = request.find("from");
            std::int64_t seq = from && from->isInteger() ? from->asInt() : 1;
            while (!stop.stop_requested()) {
                const auto next = events_.next(seq, std::chrono::milliseconds(200));
                if (!next)
                    continue;
                if (!socket.writeLine(next->second))
                    return;
                seq = next->first + 1;
            }
            return;
        }
        if (!socket.writeLine(json::dump(answer(request, stop))))
            return;
    }
}

void ControlServer::sayAsked(std::string_view what) {
    json::Object event;
    event.set("event", "session");
    event.set("asked", what);
    events_.append(std::move(event));
}

json::Value ControlServer::answer(const json::Value& request, const std::stop_token& stop) {
    const std::string command = textMember(request, "command");
    if (command == "status")
        return status_();
    if (command == "pause") {
        control_.pause();
        sayAsked("pause");
    } else if (command == "resume") {
        control_.resume();
        sayAsked("");
    } else if (command == "stop") {
        control_.stop();
        sayAsked("stop");
    } else if (command == "cancel") {
        control_.cancel();
        sayAsked("cancel");
    } else if (command == "task") {
        return orderTask(request);
    } else if (command == "edit") {
        return requests_.submit(RequestQueue::Length::Short, request, stop);
    } else if (command == "measure") {
        return requests_.submit(RequestQueue::Length::Long, request, stop);
    } else {
        return refusal(base::concat("unknown command '", command,
                                    "'; accepted are status, pause, resume, stop, cancel, task, "
                                    "events, edit, measure"));
    }
    return accepted();
}

json::Value ControlServer::orderTask(const json::Value& request) {
    const std::string task = textMember(request, "task");
    if (std::find(tasks_.begin(), tasks_.end(), task) == tasks_.end())
        return refusal(base::concat("no task '", task, "'; there are: ", base::join(tasks_, ", ")));
    const std::string order = textMember(request, "order");
    if (order == "skip")
        control_.setOrder(task, search::TaskOrder::Skip);
    else if (order == "freeze")
        control_.setOrder(task, search::TaskOrder::Freeze);
    else if (order == "boost")
        control_.setOrder(task, search::TaskOrder::Boost);
    else if (order == "resume")
        control_.setOrder(task, search::TaskOrder::None);
    else
        return refusal(
            base::concat("unknown order '", order, "'; accepted are skip, freeze, boost, resume"));
    json::Object event;
    event.set("event", "order");
    event.set("task", task);
    event.set("order", order);
    event.set("asked", true); // carried out between rounds, and told again then
    events_.append(std::move(event));
    return accepted();
}

} // namespace tilewright::session
