// SPDX-License-Identifier: Apache-2.0
#include "primitives/annotate.h"

#include <tilewright/base/concat.h>

namespace tilewright::schedule {

namespace {

const ir::Annotations& annotationsOf(const ScheduleState& state, SrefId target) {
    return state.isLoop(target) ? state.loop(target)->annotations
                                : state.block(target)->annotations;
}

void setAnnotations(ScheduleState& state, SrefId target, ir::Annotations annotations) {
    if (state.isLoop(target))
        state.replace(target, ir::edited(state.loop(target), [&](ir::ForNode& n) {
                          n.annotations = std::move(annotations);
                      }));
    else
        state.replace(target, ir::edited(state.block(target), [&](ir::BlockNode& n) {
                          n.annotations = std::move(annotations);
                      }));
}

} // namespace

Outcome<void> annotate(ScheduleState& state, SrefId target, const std::string& key,
                       ir::AttrValue value) {
    if (annotationsOf(state, target).contains(key))
        return {};
    ir::Annotations annotations = annotationsOf(state, target);
    annotations.set(key, std::move(value));
    setAnnotations(state, target, std::move(annotations));
    return {};
}

Outcome<void> unannotate(ScheduleState& state, SrefId target, const std::string& key) {
    ir::Annotations annotations = annotationsOf(state, target);
    if (!annotations.erase(key))
        return fail("IndexError", base::concat("there is no annotation ", key));
    setAnnotations(state, target, std::move(annotations));
    return {};
}

} // namespace tilewright::schedule
