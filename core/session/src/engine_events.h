// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "event_log.h"

#include <tilewright/search/tune.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::session {

/// Turns what happens in the loop into events: stored in the log, handed to the sink. Lives in the
/// tuning thread.
class EngineEvents final : public search::TuneObserver {
public:
    using Sink = std::function<void(const json::Value&)>;
    EngineEvents(EventLog& log, Sink sink, const std::vector<search::TuneTask>& tasks)
        : log_(log), sink_(std::move(sink)), tasks_(tasks) {}

    void taskStarted(std::size_t task) override;
    void taskEnded(std::size_t task, const std::string& reason) override;
    void roundStarted(std::size_t task, int round, int candidates) override;
    void roundEnded(std::size_t task, const database::Round& round) override;
    void recordCommitted(std::size_t task, const database::TuningRecord& record) override;
    void phaseChanged(std::string_view phase) override;
    void sessionChanged(std::string_view state);
    /// The first event of a run: everything about the session, and what there is to tune.
    void sessionStarted(const database::Session& session, std::int64_t runMs);
    /// An order of the user is carried out from now on.
    void taskOrdered(const std::string& task, search::TaskOrder order);
    /// A record that a request made or changed, of a task that this run need not have.
    void recordMade(const database::TuningRecord& record);
    /// Marks of records changed: tags, notes, stars, pins, deletions.
    void metadataChanged();
    void error(std::string_view message);

    /// Called after each event, for the heartbeat.
    std::function<void()> afterEvent;
    /// Called with each record of a task of the run, before afterEvent.
    std::function<void(const std::string& task, const database::TuningRecord& record)> onRecord;

private:
    void send(json::Object event);
    [[nodiscard]] json::Object event(std::string_view kind) const;
    [[nodiscard]] json::Object taskEvent(std::string_view kind, std::size_t task) const;
    void sendRecord(json::Object object, const database::TuningRecord& record);

    EventLog& log_;
    Sink sink_;
    const std::vector<search::TuneTask>& tasks_;
    std::string phase_;
};

} // namespace tilewright::session
