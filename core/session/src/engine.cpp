// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/engine.h>

#include "engine_run.h"

namespace tilewright::session {

Engine::Engine(EngineOptions options, EventSink sink)
    : run_(std::make_unique<Run>(std::move(options), std::move(sink))) {}
Engine::~Engine() = default;

json::Value Engine::run() {
    return run_->run();
}
bool Engine::hasHopelessTask() const {
    return run_->hasHopelessTask();
}
void Engine::requestPause() {
    run_->control.pause();
}
void Engine::requestResume() {
    run_->control.resume();
}
void Engine::requestStop() {
    run_->control.stop();
}
void Engine::requestCancel() {
    run_->control.cancel();
}

} // namespace tilewright::session
