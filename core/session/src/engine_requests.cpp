// SPDX-License-Identifier: Apache-2.0
// What a run does for watchers beside tuning: edits of marks, measurements by hand, orders.
#include "engine_run.h"

#include "event_members.h"
#include "event_reading.h"

#include <tilewright/database/store_reader.h>
#include <tilewright/json/dump.h>
#include <tilewright/session/measure_record.h>
#include <tilewright/session/metadata_edit.h>

namespace tilewright::session {

void Engine::Run::keepMark(const std::string& kind, json::Object info, const std::string& task) {
    database::TaskEvent mark;
    mark.session = session_.id;
    mark.kind = kind;
    mark.timeMs = std::chrono::duration_cast<std::chrono::milliseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
    mark.info = json::dump(json::Value(std::move(info)));
    if (!task.empty()) {
        const database::StoreReader reader(store_->connection());
        for (const database::Task& known : reader.tasks())
            if (known.name == task)
                mark.task = known.id;
    }
    store_->commitTaskEvent(mark);
}

void Engine::Run::keepRunState(std::string_view state, EngineEvents& events) {
    json::Object mark;
    mark.set("state", state);
    keepMark("session", std::move(mark));
    events.sessionChanged(state);
}

void Engine::Run::watchRequests(EngineEvents& events) {
    requests_.onQueued = [this] { control.wake(); };
    control.betweenRounds = [this, &events] { serveRequests(true, events); };
    control.onOrder = [this, &events](const std::string& task, search::TaskOrder order) {
        json::Object mark;
        mark.set("order", toString(order));
        keepMark("order", std::move(mark), task);
        events.taskOrdered(task, order);
    };
    events.onRecord = [this](const std::string& task, const database::TuningRecord& record) {
        if (gains_.take(task, record))
            control.setOrder(task, search::TaskOrder::Skip);
    };
}

void Engine::Run::serveRequests(bool betweenRounds, EngineEvents& events) {
    if (serving_)
        return; // an event of a request that is being carried out
    serving_ = true;
    requests_.serve(betweenRounds,
                    [&](const json::Value& request) { return carryOut(request, events); });
    serving_ = false;
}

json::Value Engine::Run::carryOut(const json::Value& request, EngineEvents& events) {
    json::Object answer;
    answer.set("ok", true);
    if (textIn(request, "command") == "edit") {
        answer.set("changes",
                   json::Value::array(applyEdit(*store_, metadataEditFromJson(request))));
        events.metadataChanged();
    } else {
        const database::TuningRecord record =
            measureManually(*store_, manualMeasurementFromJson(request));
        events.recordMade(record);
        answer.set("record", record.id.value);
    }
    return json::Value(std::move(answer));
}

} // namespace tilewright::session
