// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/database/record.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tilewright::database {

/// One run of the engine, or several that continue each other. Times in ms since 1970 UTC.
struct Session {
    SessionId id;
    std::string name;
    std::string input;       ///< what was tuned, as given
    std::string target;      ///< as given
    std::string options;     ///< JSON object: every parameter
    std::string state;       ///< queued, running, paused, stopping, stopped, finished, failed
    std::string result;      ///< JSON object printed at the end, or empty
    std::string environment; ///< JSON object: CPU, LLVM, governor, flags
    std::int64_t startedMs = 0;
    std::int64_t endedMs = 0; ///< 0 = not ended
    std::int64_t budget = 0;  ///< trials
    std::int64_t seed = 0;
};

/// A round of one task: a batch proposed, built, run, learnt from.
struct Round {
    SessionId session;
    TaskId task;
    int round = 0; ///< of the task, from 0
    std::int64_t timeMs = 0;
    int trials = 0;
    std::string info; ///< JSON object: seconds per phase, candidates, rejections by reason
};

/// Something that happened to a task or session: skipped, frozen, boosted, warned.
struct TaskEvent {
    SessionId session;
    TaskId task;
    std::int64_t timeMs = 0;
    std::string kind;
    std::string info; ///< JSON object
};

/// A trained cost model, opaque here.
struct ModelBlob {
    SessionId session;
    TaskId task; ///< invalid = shared by all tasks
    std::string kind;
    std::int64_t timeMs = 0;
    std::string data;
    std::string info; ///< JSON object: training size, errors
};

/// A profile of a whole model.
struct Profile {
    SessionId session;
    std::string name;
    std::int64_t timeMs = 0;
    std::string info; ///< JSON object
};

/// Says that an engine is alive. Stale when its process is gone or the machine was restarted.
struct Heartbeat {
    int pid = 0;
    std::string bootId;
    std::string host;
    std::string socket;
    std::string state;
    SessionId session;
    std::int64_t timeMs = 0;
};

/// Whether the process that wrote it still runs on this machine in this boot.
bool isAlive(const Heartbeat& heartbeat);
/// The heartbeat of this process, time and boot id filled in.
Heartbeat ownHeartbeat();

} // namespace tilewright::database
