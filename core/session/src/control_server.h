// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "event_log.h"
#include "local_socket.h"
#include "request_queue.h"
#include "run_control.h"

#include <functional>
#include <thread>
#include <vector>

namespace tilewright::session {

/// Answers requests on the control socket, a thread a connection (there are few, and all belong to
/// the run's user). Requests are objects with `command`: `status`, `pause`, `resume`, `stop`,
/// `cancel`, `task` (with `task` and `order`: skip, freeze, boost, resume), `events` (with `from`),
/// `edit` (metadata_edit.h), `measure` (measure_record.h).
class ControlServer {
public:
    ControlServer(std::filesystem::path path, RunControl& control, RequestQueue& requests,
                  EventLog& events, std::function<json::Value()> status,
                  std::vector<std::string> tasks);
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

private:
    void serve(const std::stop_token& stop);
    void talk(LineSocket socket, const std::stop_token& stop);
    json::Value answer(const json::Value& request, const std::stop_token& stop);
    /// Tells watchers what was asked for and is not reached yet.
    void sayAsked(std::string_view what);
    json::Value orderTask(const json::Value& request);

    RunControl& control_;
    RequestQueue& requests_;
    EventLog& events_;
    std::function<json::Value()> status_;
    std::vector<std::string> tasks_;
    ListeningSocket socket_;
    std::vector<std::jthread> talks_; ///< owned by the serving thread
    std::jthread server_;
};

} // namespace tilewright::session
