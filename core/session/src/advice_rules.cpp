// SPDX-License-Identifier: Apache-2.0
#include "advice_rules.h"

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/codegen/llvm_cpu_features.h>
#include <tilewright/ir/make.h>
#include <tilewright/ir/stmt.h>
#include <tilewright/ir/visit.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/task_text.h>
#include <tilewright/target/cpu_features.h>

#include <algorithm>
#include <cstdio>

namespace tilewright::session {

namespace {

constexpr double kMovementLimit = 0.10;
constexpr double kIdleLimit = 0.10;
/// An operator below this share of the model is not worth a line.
constexpr double kLeastShare = 0.01;
constexpr std::int64_t kStagnantTrials = 64;

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

Advice about(const OperatorRow& row, const char* rule, AdviceLevel level) {
    Advice advice;
    advice.rule = rule;
    advice.level = level;
    advice.task = row.task;
    advice.record = row.record;
    advice.subject = row.name;
    advice.trials = row.trials;
    advice.failed = row.failed;
    advice.share = row.share;
    return advice;
}

void addVectorAdvice(const OperatorRow& row, const LoopFacts& facts, int lanes,
                     std::vector<Advice>& out) {
    if (lanes <= 1 || row.flop <= 0)
        return;
    if (facts.vectorExtents.empty()) {
        Advice& advice = out.emplace_back(about(row, "not-vectorized", AdviceLevel::Warning));
        advice.lanes = lanes;
        advice.what = base::concat("No loop is vectorised over ", lanes, " lanes");
        advice.evidence = base::concat(row.name, " · no vectorised loop in the best schedule, ",
                                       percent(row.share), " of the time");
        advice.gainSeconds = row.headroomSeconds;
        return;
    }
    const auto odd = std::find_if(facts.vectorExtents.begin(), facts.vectorExtents.end(),
                                  [&](std::int64_t extent) { return extent % lanes != 0; });
    if (odd == facts.vectorExtents.end())
        return;
    Advice& advice = out.emplace_back(about(row, "unaligned-tail", AdviceLevel::Note));
    const std::int64_t used = *odd % lanes;
    advice.extent = *odd;
    advice.lanes = lanes;
    advice.rest = used;
    advice.what = base::concat("A vector loop of ", *odd, " leaves lanes empty");
    advice.evidence = base::concat(row.name, " · ", *odd, " elements on ", lanes,
                                   " lanes: the last vector holds ", used);
    const double filled =
        static_cast<double>(*odd) / (static_cast<double>((*odd + lanes - 1) / lanes) * lanes);
    if (row.headroomSeconds && row.totalSeconds)
        advice.gainSeconds = std::min(*row.headroomSeconds, *row.totalSeconds * (1 - filled));
}

void addParallelAdvice(const OperatorRow& row, const LoopFacts& facts, int cores,
                       std::vector<Advice>& out) {
    if (cores <= 1 || !row.totalSeconds)
        return;
    const std::int64_t extent = facts.mostParallel();
    const double rounds = static_cast<double>((extent + cores - 1) / cores);
    const double idle =
        extent < 1 ? 1 - 1.0 / cores : 1 - static_cast<double>(extent) / (rounds * cores);
    if (idle < kIdleLimit)
        return;
    Advice& advice = out.emplace_back(
        about(row, extent <= 1 ? "no-parallel-loop" : "parallel-extent", AdviceLevel::Warning));
    advice.extent = extent;
    advice.lanes = cores;
    advice.rest = extent % cores == 0 ? cores : extent % cores;
    advice.share = idle;
    advice.what = extent <= 1 ? base::concat("Runs on one of ", cores, " cores")
                              : base::concat("Parallel extent ", extent, " on ", cores,
                                             " cores: ", percent(idle), " idle");
    advice.evidence =
        extent <= 1 ? base::concat(row.name, " · the best schedule has no parallel loop")
                    : base::concat(row.name, " · the last chunk runs on ", advice.rest, " cores");
    advice.gainSeconds = *row.totalSeconds * idle;
    if (row.headroomSeconds)
        advice.gainSeconds = std::min(*advice.gainSeconds, *row.headroomSeconds);
}

} // namespace

std::int64_t LoopFacts::mostParallel() const {
    return parallelExtents.empty()
               ? 0
               : *std::max_element(parallelExtents.begin(), parallelExtents.end());
}

LoopFacts loopFacts(const ir::Module& module) {
    LoopFacts facts;
    const ir::PrimFunc function = module.find(module.entryName());
    if (!function)
        return facts;
    ir::walk(function->body, [&](const ir::Node& node) {
        if (const auto* loop = ir::as<ir::ForNode>(&node)) {
            const std::int64_t extent = ir::constInt(loop->extent).value_or(0);
            if (loop->forKind == ir::ForKind::Parallel)
                facts.parallelExtents.push_back(extent);
            if (loop->forKind == ir::ForKind::Vectorized)
                facts.vectorExtents.push_back(extent);
        }
        return true;
    });
    return facts;
}

std::vector<Advice> loopAdvice(const OperatorRow& row, const LoopFacts& facts, int lanes,
                               int cores) {
    std::vector<Advice> out;
    addVectorAdvice(row, facts, lanes, out);
    addParallelAdvice(row, facts, cores, out);
    return out;
}

std::vector<Advice> modelAdvice(const BottleneckReport& report) {
    std::vector<Advice> out;
    double moving = 0;
    double movingSeconds = 0;
    const OperatorRow* worst = nullptr;
    for (const OperatorRow& row : report.rows) {
        if (isDataMovement(row.tag)) {
            moving += row.share;
            movingSeconds += row.totalSeconds.value_or(0);
            if (!worst || row.share > worst->share)
                worst = &row;
        }
        if (row.share < kLeastShare)
            continue;
        if (!row.tuned && row.trials > 0 && row.bestSeconds) {
            Advice& advice = out.emplace_back(about(row, "default-is-best", AdviceLevel::Note));
            advice.what = "No trial beats the default schedule";
            advice.evidence =
                base::concat(row.name, " · ", row.trials, " trials, ", row.failed, " failed");
            advice.gainSeconds = row.headroomSeconds;
        }
        const auto curve = static_cast<std::int64_t>(row.curve.size());
        if (curve <= kStagnantTrials || row.curve.front() <= 0)
            continue;
        const double before = row.curve[static_cast<std::size_t>(curve - kStagnantTrials - 1)];
        const double gained = before > 0 ? 1 - row.curve.back() / before : 0;
        if (gained >= 0.005)
            continue;
        Advice& advice = out.emplace_back(about(row, "stagnated", AdviceLevel::Note));
        advice.share = gained;
        advice.extent = kStagnantTrials;
        advice.what = base::concat("Stagnated: −", percent(gained), " in the last ",
                                   kStagnantTrials, " trials");
        advice.evidence = base::concat(row.name, " · ", row.trials, " trials");
        advice.gainSeconds = row.headroomSeconds;
    }
    if (moving > kMovementLimit && worst) {
        Advice& advice = out.emplace_back(about(*worst, "layout-transforms", AdviceLevel::Warning));
        advice.share = moving;
        advice.what = base::concat("Moving data takes ", percent(moving), " of the time");
        advice.evidence =
            base::concat("most of it ", worst->name, " · no arithmetic is done there");
        advice.gainSeconds = movingSeconds;
    }
    return out;
}

std::vector<Advice> adviceFor(const BottleneckReport& report, const database::StoreReader& reader,
                              const target::Target& target) {
    std::vector<Advice> out = modelAdvice(report);
    const auto features = codegen::llvmCpuFeatures();
    const int lanes = target::simdWidthBits(target, *features) / 32;
    const int cores = std::max(1, target.numCores().value_or(1));
    for (const OperatorRow& row : report.rows) {
        if (row.record < 0 || row.share < kLeastShare)
            continue;
        try {
            const RecordView view(reader, database::RecordId(row.record));
            for (Advice& advice : loopAdvice(row, loopFacts(view.scheduledModule()), lanes, cores))
                out.push_back(std::move(advice));
        } catch (const base::UserError&) {
            continue; // imported traces of another era
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const Advice& a, const Advice& b) {
        return a.gainSeconds.value_or(0) > b.gainSeconds.value_or(0);
    });
    return out;
}

} // namespace tilewright::session
