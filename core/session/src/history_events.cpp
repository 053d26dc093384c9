// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/history_events.h>

#include "event_members.h"
#include "event_reading.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/json/parse.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace tilewright::session {

namespace {

/// Longer silences of sessions that keep no marks of their runs are interruptions.
constexpr std::int64_t kLongestSilenceMs = 600'000;

/// Merges what a store holds of a session into one stream of events.
class HistoryMerger {
public:
    HistoryMerger(const database::StoreReader& reader, const database::Session& session,
                  const std::function<bool(const json::Value&)>& visit)
        : reader_(reader), session_(session), visit_(visit), rounds_(reader.rounds(session.id)),
          marks_(reader.taskEvents(session.id)) {
        const auto byTime = [](const auto& a, const auto& b) { return a.timeMs < b.timeMs; };
        std::stable_sort(rounds_.begin(), rounds_.end(), byTime);
        std::stable_sort(marks_.begin(), marks_.end(), byTime);
        hasRunMarks_ = std::any_of(marks_.begin(), marks_.end(), [](const database::TaskEvent& e) {
            return e.kind == "session";
        });
        chooseTasks();
    }

    void run() {
        opening();
        database::RecordQuery query;
        query.order = database::RecordOrder::Time;
        reader_.forEachRecord(query, [&](const database::TuningRecord& record) {
            const bool earlier = !record.session.valid() || record.session < session_.id;
            if ((!earlier && record.session != session_.id) || !names_.contains(record.task))
                return going_;
            if (session_.endedMs > 0 && earlier && record.timeMs > session_.endedMs)
                return going_;
            if (!earlier)
                before(record);
            json::Object event = make("record", record.timeMs);
            event.set("task", names_.at(record.task));
            addRecordMembers(event, record);
            send(std::move(event));
            return going_;
        });
        flush(INT64_MAX);
        closing();
    }

private:
    void chooseTasks() {
        std::vector<database::Task> stored = reader_.tasks();
        const json::Value options = parsedOrNull(session_.options);
        const json::Value* planned = options.find("tasks");
        std::map<std::string, std::vector<const database::Task*>> byName;
        for (const database::Task& task : stored)
            byName[task.name].push_back(&task);
        std::vector<std::string> order;
        if (planned && planned->isArray())
            for (const json::Value& name : planned->asArray())
                if (name.isString())
                    order.push_back(name.asString());
        if (order.empty())
            for (const database::Task& task : stored)
                if (std::find(order.begin(), order.end(), task.name) == order.end())
                    order.push_back(task.name);
        for (const std::string& name : order) {
            const database::Task* chosen = nullptr;
            for (const database::Task* task : byName[name])
                if (!chosen || hasRound(task->id))
                    chosen = task;
            json::Object row;
            row.set("name", name);
            if (chosen) {
                names_[chosen->id] = name;
                row.set("id", chosen->id.value);
                row.set("weight", chosen->weight);
                row.set("flop", chosen->flop);
                row.set("bytes", chosen->bytes);
            }
            plan_.emplace_back(std::move(row));
        }
    }

    [[nodiscard]] bool hasRound(database::TaskId task) const {
        return std::any_of(rounds_.begin(), rounds_.end(),
                           [&](const database::Round& round) { return round.task == task; });
    }

    [[nodiscard]] static json::Object make(std::string_view kind, std::int64_t timeMs) {
        json::Object event;
        event.set("event", kind);
        event.set("time", timeMs);
        return event;
    }

    void send(json::Object event) {
        if (going_)
            going_ = visit_(json::Value(std::move(event)));
    }

    void opening() {
        json::Object event = make("session", session_.startedMs);
        addSessionMembers(event, session_);
        event.set("tasks", std::move(plan_));
        if (!hasRunMarks_) {
            event.set("run_ms", session_.startedMs);
            event.set("state", "running");
        }
        send(std::move(event));
        lastMs_ = session_.startedMs;
    }

    void newRun(std::int64_t timeMs) {
        started_.clear();
        json::Object event = make("session", timeMs);
        event.set("run_ms", timeMs);
        event.set("state", "running");
        send(std::move(event));
    }

    /// What comes before a record of the session: marks, ended rounds, the start of its own round.
    void before(const database::TuningRecord& record) {
        flush(record.timeMs);
        if (!hasRunMarks_ && record.timeMs - lastMs_ > kLongestSilenceMs) {
            json::Object gap = make("session", lastMs_ + 1);
            gap.set("state", "interrupted");
            send(std::move(gap));
            newRun(record.timeMs - 1);
        }
        lastMs_ = record.timeMs;
        if (!record.round || record.origin != database::RecordOrigin::Trial)
            return;
        const auto known = started_.find(record.task);
        if (known != started_.end() && known->second == *record.round)
            return;
        if (known != started_.end() && *record.round < known->second && !hasRunMarks_)
            newRun(record.timeMs);
        started_[record.task] = *record.round;
        json::Object event = make("round", std::max(lastMs_, lastRoundMs_));
        event.set("task", names_.at(record.task));
        event.set("state", "started");
        event.set("round", *record.round);
        send(std::move(event));
    }

    void flush(std::int64_t untilMs) {
        while (going_) {
            const bool mark = nextMark_ < marks_.size() && marks_[nextMark_].timeMs <= untilMs;
            const bool round = nextRound_ < rounds_.size() && rounds_[nextRound_].timeMs < untilMs;
            if (mark && (!round || marks_[nextMark_].timeMs <= rounds_[nextRound_].timeMs))
                sendMark(marks_[nextMark_++]);
            else if (round)
                sendRound(rounds_[nextRound_++]);
            else
                return;
        }
    }

    void sendMark(const database::TaskEvent& mark) {
        json::Object event = make(mark.kind, mark.timeMs);
        if (const auto name = names_.find(mark.task); name != names_.end())
            event.set("task", name->second);
        const json::Value info = parsedOrNull(mark.info);
        if (info.isObject())
            for (const json::Member& member : info.asObject())
                event.set(member.key, member.value);
        if (event.contains("run_ms"))
            started_.clear();
        lastMs_ = std::max(lastMs_, mark.timeMs);
        send(std::move(event));
    }

    void sendRound(const database::Round& round) {
        const auto name = names_.find(round.task);
        if (name == names_.end())
            return;
        json::Object event = make("round", round.timeMs);
        event.set("task", name->second);
        event.set("task_id", round.task.value);
        event.set("state", "ended");
        event.set("round", round.round);
        event.set("trials", round.trials);
        event.set("info", parsedOrNull(round.info));
        lastRoundMs_ = round.timeMs;
        send(std::move(event));
    }

    void closing() {
        const std::string state = reader_.effectiveState(session_);
        const std::int64_t ended = std::max(session_.endedMs, std::max(lastMs_, lastRoundMs_));
        json::Object event = make("session", ended);
        event.set("state", state);
        event.set("budget", session_.budget);
        send(std::move(event));
    }

    const database::StoreReader& reader_;
    const database::Session& session_;
    const std::function<bool(const json::Value&)>& visit_;
    std::vector<database::Round> rounds_;
    std::vector<database::TaskEvent> marks_;
    std::unordered_map<database::TaskId, std::string> names_;
    std::unordered_map<database::TaskId, int> started_; ///< the round of a task now going on
    json::Array plan_;
    std::size_t nextMark_ = 0;
    std::size_t nextRound_ = 0;
    std::int64_t lastMs_ = 0;
    std::int64_t lastRoundMs_ = 0;
    bool hasRunMarks_ = false;
    bool going_ = true;
};

} // namespace

std::int64_t visitHistory(const database::StoreReader& reader, database::SessionId session,
                          const std::function<bool(const json::Value& event)>& visit) {
    std::vector<database::Session> sessions = reader.sessions();
    const database::Session* chosen = nullptr;
    for (const database::Session& known : sessions)
        if (session.valid() ? known.id == session : !chosen || known.id > chosen->id)
            chosen = &known;
    if (!chosen)
        return 0;
    HistoryMerger(reader, *chosen, visit).run();
    return chosen->id.value;
}

std::vector<json::Value> historyEvents(const database::StoreReader& reader,
                                       database::SessionId session) {
    std::vector<json::Value> events;
    visitHistory(reader, session, [&](const json::Value& event) {
        events.push_back(event);
        return true;
    });
    return events;
}

LiveModel loadLiveModel(const std::filesystem::path& workDir, database::SessionId session) {
    LiveModel model(workDir.string());
    const database::StoreReader reader(workDir);
    visitHistory(reader, session, [&](const json::Value& event) {
        model.consume(event);
        return true;
    });
    return model;
}

} // namespace tilewright::session
