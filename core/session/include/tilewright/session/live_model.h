// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/json/value.h>
#include <tilewright/session/live_snapshot.h>

#include <memory>
#include <string>

namespace tilewright::session {

/// What the machine can do at most, for headroom. Zero = not known.
struct MachineRoof {
    double flopPerSecond = 0;
    double bytesPerSecond = 0;
};

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
    void setRoof(const MachineRoof& roof);

    /// What is known now. Points of tasks that did not change are shared with the last snapshot.
    [[nodiscard]] LiveSnapshotPtr snapshot();
    /// Counts what changed a snapshot; equal = the same snapshot.
    [[nodiscard]] std::int64_t revision() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tilewright::session
