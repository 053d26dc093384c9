// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_follower.h"

#include <tilewright/database/work_dir.h>
#include <tilewright/session/control_socket.h>
#include <tilewright/session/device_peaks.h>
#include <tilewright/session/doctor.h>
#include <tilewright/session/plan_session.h>
#include <tilewright/target/parse_target.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <utility>

namespace tilewright::ui {

namespace {

constexpr std::chrono::milliseconds kPublishEvery{250};

json::Value statusRequest() {
    json::Object request;
    request.set("command", "status");
    return json::Value(std::move(request));
}

/// Whether a process is there and is more than the remains of one.
bool processRuns(std::int64_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::size_t name = text.rfind(')');
    return name != std::string::npos && name + 2 < text.size() && text[name + 2] != 'Z';
}

/// The last lines of a log, for a message.
std::string endOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    constexpr std::size_t most = 1000;
    const std::size_t end = text.find_last_not_of(" \n\r\t");
    if (end == std::string::npos)
        return {};
    return text.substr(end > most ? end - most : 0, std::min(end + 1, most + 1));
}

} // namespace

SessionFollower::SessionFollower(std::filesystem::path workDir, database::SessionId session,
                                 Reports reports)
    : workDir_(std::move(workDir)), session_(session), reports_(std::move(reports)),
      model_(workDir_.string()) {}

SessionFollower::~SessionFollower() {
    thread_.request_stop();
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void SessionFollower::follow() {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void SessionFollower::replay(double speed) {
    thread_ = std::jthread([this, speed](const std::stop_token& stop) { runReplay(stop, speed); });
}

void SessionFollower::expectEngine(std::int64_t pid, const std::filesystem::path& log) {
    {
        const std::lock_guard lock(mutex_);
        startedPid_ = pid;
        startedLog_ = log;
        startedMs_ = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count() -
                     1000;
    }
    changed_.notify_all();
}

void SessionFollower::sleep(const std::stop_token& stop, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    const std::int64_t before = startedPid_;
    changed_.wait_for(lock, stop, time, [&] { return startedPid_ != before; });
}

void SessionFollower::publish(bool always) {
    const auto now = Clock::now();
    if (model_.revision() == publishedRevision_ ||
        (!always && now - lastPublished_ < kPublishEvery))
        return;
    lastPublished_ = now;
    publishedRevision_ = model_.revision();
    reports_.snapshot(model_.snapshot());
}

void SessionFollower::setRoof() {
    const std::string target = model_.snapshot()->target;
    if (target.empty())
        return;
    try {
        const auto peaks =
            session::readPeaks(session::peaksCacheFile(), target::parseTarget(target));
        if (!peaks || peaks->bestFlopRate() <= 0)
            return;
        model_.setRoof([peaks = *peaks](double flop, double bytes) {
            const session::MemoryRoof* memory = peaks.memoryRoof(bytes);
            const double moving = memory && memory->byteRate > 0 ? bytes / memory->byteRate : 0;
            return std::max(flop / peaks.bestFlopRate(), moving);
        });
    } catch (const std::exception&) {
        // Peaks that cannot be read are peaks that are not known.
    }
}

bool SessionFollower::load() {
    std::string message;
    try {
        std::error_code error;
        if (std::filesystem::exists(database::storeFile(workDir_), error))
            model_ = session::loadLiveModel(workDir_, session_);
        else
            model_ = session::LiveModel(workDir_.string());
        setRoof();
        loaded_ = true;
    } catch (const std::exception& error) {
        message = error.what();
    }
    if (message != problem_) {
        problem_ = message;
        reports_.unreadable(message);
    }
    if (!message.empty())
        return false;
    publishedRevision_ = -1;
    publish(true);
    return true;
}

bool SessionFollower::engineListens() const {
    return static_cast<bool>(
        session::askEngine(session::controlSocketPath(workDir_), statusRequest()));
}

void SessionFollower::checkStart() {
    std::int64_t pid = 0;
    std::int64_t startedMs = 0;
    std::filesystem::path log;
    {
        const std::lock_guard lock(mutex_);
        if (startedPid_ == 0 || processRuns(startedPid_))
            return;
        pid = std::exchange(startedPid_, 0);
        log = startedLog_;
        startedMs = startedMs_;
    }
    // It may have listened and ended between two looks: then the store tells of it.
    load();
    const bool ran = model_.snapshot()->lastMs >= startedMs;
    reports_.startFailed(pid > 0 && !ran ? endOf(log) : std::string());
}

void SessionFollower::run(const std::stop_token& stop) {
    load();
    bool first = true;
    while (!stop.stop_requested()) {
        if (engineListens())
            attach(stop);
        else if (std::exchange(first, false))
            reports_.engine(false);
        if (stop.stop_requested())
            return;
        bool expecting = false;
        {
            const std::lock_guard lock(mutex_);
            expecting = startedPid_ != 0;
        }
        if (expecting)
            checkStart();
        sleep(stop, std::chrono::milliseconds(expecting ? 50 : 1000));
    }
}

void SessionFollower::attach(const std::stop_token& stop) {
    {
        const std::lock_guard lock(mutex_);
        startedPid_ = 0;
    }
    const auto status = session::askEngine(session::controlSocketPath(workDir_), statusRequest());
    const json::Value* running = status ? status->find("session") : nullptr;
    const bool shown = !session_.valid() ||
                       (running && running->isInteger() && running->asInt() == session_.value);
    reports_.engine(true);
    if (!load() && !problem_.empty())
        model_ = session::LiveModel(workDir_.string());
    bool ended = false;
    const auto followed = session::followEngine(
        session::controlSocketPath(workDir_), 1,
        [&](const json::Value& event) {
            if (shown) {
                model_.consume(event);
                const std::string state = model_.state();
                ended = state == "finished" || state == "stopped" || state == "failed";
                publish(ended);
            }
            return !stop.stop_requested();
        },
        [&] {
            publish(false);
            return !stop.stop_requested();
        });
    if (stop.stop_requested())
        return;
    reports_.engine(false);
    // What is stored is the truth: also what the engine had no time to tell.
    load();
    const session::LiveSnapshotPtr snapshot = model_.snapshot();
    const bool interrupted = snapshot->state == "running" || snapshot->state == "paused" ||
                             snapshot->state == "interrupted";
    if (interrupted) {
        model_.engineLost();
        publish(true);
        reports_.lost(followed ? std::string() : followed.error().message);
    } else if (shown && ended) {
        session::keepTuningSpeed(*snapshot);
    }
}

void SessionFollower::runReplay(const std::stop_token& stop, double speed) {
    std::vector<json::Value> events;
    try {
        const database::StoreReader reader(workDir_);
        events = session::historyEvents(reader, session_);
    } catch (const std::exception& error) {
        reports_.unreadable(error.what());
        return;
    }
    constexpr std::int64_t longestMs = 2000;
    std::int64_t lastMs = 0;
    for (const json::Value& event : events) {
        const json::Value* time = event.find("time");
        const std::int64_t now = time && time->isInteger() ? time->asInt() : lastMs;
        if (lastMs > 0 && now > lastMs) {
            const auto pause = static_cast<std::int64_t>(
                static_cast<double>(std::min(now - lastMs, longestMs)) / speed);
            publish(false);
            if (pause > 0)
                sleep(stop, std::chrono::milliseconds(pause));
        }
        if (stop.stop_requested())
            return;
        lastMs = std::max(lastMs, now);
        model_.consume(event);
        publish(false);
    }
    setRoof();
    publish(true);
    reports_.replayed();
}

} // namespace tilewright::ui
