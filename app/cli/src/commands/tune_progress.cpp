// SPDX-License-Identifier: Apache-2.0
#include "tune_progress.h"

#include "../print_json.h"

#include <tilewright/base/concat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace tilewright::cli {

namespace {

constexpr std::chrono::seconds kLineEvery{10};

} // namespace

TuneProgress::TuneProgress(bool quiet, std::int64_t budget)
    : on_(!quiet), terminal_(isatty(STDERR_FILENO) != 0), budget_(budget) {}

void TuneProgress::noteTask(const std::string& task) {
    if (std::find(tasks_.begin(), tasks_.end(), task) == tasks_.end())
        tasks_.push_back(task);
}

void TuneProgress::noteRecord(const json::Value& event) {
    const std::string& task = event.at("task").asString();
    noteTask(task);
    if (event.at("trial").isInteger()) {
        ++trials_;
        allTrials_ = std::max(allTrials_, event.at("trial").asInt());
    }
    if (event.at("status").asString() != "ok" || !event.at("median_us").isNumber())
        return;
    const double us = event.at("median_us").asDouble();
    const auto [best, fresh] = best_.try_emplace(task, us);
    best->second = std::min(best->second, us);
}

std::string TuneProgress::timeLeft() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (trials_ < 2 || allTrials_ >= budget_)
        return {};
    const double left =
        seconds / static_cast<double>(trials_) * static_cast<double>(budget_ - allTrials_);
    char text[48];
    if (left < 100)
        std::snprintf(text, sizeof text, ", %.0f s left", left);
    else
        std::snprintf(text, sizeof text, ", %.0f min left", std::ceil(left / 60));
    return text;
}

std::string TuneProgress::lineOf(const json::Value& event) const {
    const std::string& task = event.at("task").asString();
    const auto place = std::find(tasks_.begin(), tasks_.end(), task) - tasks_.begin() + 1;
    const auto best = best_.find(task);
    return base::concat(
        allTrials_, " of ", budget_, " trials, task ", place,
        taskCount_ > 0 ? base::concat(" of ", taskCount_) : std::string(), " (", task, "): best ",
        best == best_.end() ? std::string("none yet") : durationText(json::Value(best->second)),
        timeLeft());
}

void TuneProgress::show(const json::Value& event) {
    const std::string& kind = event.at("event").asString();
    if (kind == "session") {
        if (const json::Value* tasks = event.find("tasks"); tasks && tasks->isArray())
            taskCount_ = tasks->asArray().size();
        return;
    }
    if (kind != "record")
        return;
    noteRecord(event);
    if (!on_)
        return;
    const auto now = Clock::now();
    if (!terminal_ && now - last_ < kLineEvery)
        return;
    last_ = now;
    const std::string line = lineOf(event);
    if (terminal_)
        std::fprintf(stderr, "\r\033[K%s", line.c_str());
    else
        std::fprintf(stderr, "%s\n", line.c_str());
    std::fflush(stderr);
    shown_ = terminal_;
}

void TuneProgress::clear() {
    if (!shown_)
        return;
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
    shown_ = false;
}

} // namespace tilewright::cli
