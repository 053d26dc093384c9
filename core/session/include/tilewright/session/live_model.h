// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/session/live_snapshot.h>

#include <functional>
#include <memory>
#include <string>

namespace tilewright::session {

/// The least seconds that one call of so many FLOP and bytes can take on the machine; 0 = not
/// known.
using RoofSeconds = std::function<double(double flop, double bytes)>;

/// Turns events of an engine, or the same ones made from a store (history_events.h), into
/// snapshots. Events may come again (an engine replays what it still has): known ones change
/// nothing. Owned by one thread; the snapshots are for any.
class LiveModel {
public:
    explicit LiveModel(std::string workDir = {});
    LiveModel(LiveModel&&) noexcept;
    LiveModel& operator=(LiveModel&&) noexcept;
    ~LiveModel();

    /// Takes one event: an object with `event`, `t`, `time`. Ignores kinds it does not know, so
    /// that a newer engine can be followed. Throws nothing for members of the wrong kind.
    void consume(const json::Value& event);
    /// The engine is gone without a word: running becomes interrupted.
    void engineLost();
    /// For headroom.
    void setRoof(RoofSeconds roof);

    /// What is known now. Points of tasks that did not change are shared with the last snapshot.
    [[nodiscard]] LiveSnapshotPtr snapshot();
    /// The session's state now, without making a snapshot.
    [[nodiscard]] const std::string& state() const;
    /// Counts what changed a snapshot; equal = the same snapshot.
    [[nodiscard]] std::int64_t revision() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::session
