// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::base {

/// Accumulates wall-clock seconds per scope name, as MetaSchedule's profiler does; the names are
/// paths such as `EvoSearch/Evolve/Mutation`. Thread-safe.
class Profiler {
public:
    Profiler() : start_(Clock::now()) {}

    /// Adds the time between its construction and destruction. A null profiler measures nothing.
    class Scope {
    public:
        Scope(Profiler* profiler, std::string_view name)
            : profiler_(profiler), name_(name), start_(Clock::now()) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() {
            if (profiler_)
                profiler_->add(name_, secondsSince(start_));
        }

    private:
        Profiler* profiler_;
        std::string_view name_;
        std::chrono::steady_clock::time_point start_;
    };

    void add(std::string_view name, double seconds);
    /// Seconds of one scope, 0 when it never ran.
    [[nodiscard]] double seconds(std::string_view name) const;
    /// Seconds since construction.
    [[nodiscard]] double total() const { return secondsSince(start_); }
    /// All scopes, longest first.
    [[nodiscard]] std::vector<std::pair<std::string, double>> rows() const;
    /// Columns ID, Name, Time (min), Percentage; `Total` first.
    [[nodiscard]] std::string table() const;

private:
    using Clock = std::chrono::steady_clock;
    static double secondsSince(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }
    Clock::time_point start_;
    mutable std::mutex mutex_; ///< guards rows_
    std::vector<std::pair<std::string, double>> rows_;
};

} // namespace tilewright::base
