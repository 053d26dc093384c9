// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::cli {

/// How far a tuning run is, on standard error: a line that is written over on a terminal, else a
/// line now and then.
class TuneProgress {
public:
    TuneProgress(bool quiet, std::int64_t budget);
    ~TuneProgress() { clear(); }
    TuneProgress(const TuneProgress&) = delete;
    TuneProgress& operator=(const TuneProgress&) = delete;

    void show(const json::Value& event);
    /// Takes the line away; call it before anything else is printed.
    void clear();
    /// Trials that this run added.
    [[nodiscard]] std::int64_t trials() const { return trials_; }

private:
    using Clock = std::chrono::steady_clock;
    void noteTask(const std::string& task);
    void noteRecord(const json::Value& event);
    [[nodiscard]] std::string lineOf(const json::Value& event) const;
    [[nodiscard]] std::string timeLeft() const;

    bool on_;
    bool terminal_;
    bool shown_ = false;
    std::int64_t budget_;
    std::int64_t trials_ = 0;        ///< of this run
    std::int64_t allTrials_ = 0;     ///< with those of runs before, as trial numbers tell
    std::size_t taskCount_ = 0;      ///< 0 = not known
    std::vector<std::string> tasks_; ///< seen so far
    std::map<std::string, double> best_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = Clock::now();
};

} // namespace tilewright::cli
