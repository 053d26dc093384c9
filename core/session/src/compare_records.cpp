// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/compare_records.h>

#include <tilewright/base/concat.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/record_view.h>

#include <map>

namespace tilewright::session {

namespace {

struct Loaded {
    RecordView view;
    database::Session session;
    database::Task task;
};

Loaded load(const RecordRef& ref) {
    const database::StoreReader reader(ref.workDir);
    Loaded loaded{RecordView(reader, database::RecordId(ref.record)), {}, {}};
    for (database::Session& session : reader.sessions())
        if (session.id == loaded.view.record().session)
            loaded.session = std::move(session);
    for (database::Task& task : reader.tasks())
        if (task.id == loaded.view.record().task)
            loaded.task = std::move(task);
    return loaded;
}

std::string settingsText(const std::string& environment) {
    if (environment.empty())
        return {};
    const json::Value value = json::parse(environment);
    const auto text = [&](std::string_view key) {
        const json::Value* member = value.find(key);
        return member && member->isString() ? member->asString() : std::string();
    };
    std::string result = text("cpu");
    const std::string llvm = text("llvm");
    if (!llvm.empty())
        result += base::concat(result.empty() ? "LLVM " : " · LLVM ", llvm);
    const std::string governor = text("governor");
    return governor.empty() ? result : base::concat(result, " · ", governor);
}

RecordFacts factsOf(const RecordRef& ref, const Loaded& loaded, Statistic statistic) {
    const database::TuningRecord& record = loaded.view.record();
    RecordFacts facts;
    facts.ref = ref;
    facts.task = record.taskName.empty() ? record.workloadName : record.taskName;
    facts.status = database::toString(record.status);
    facts.message = record.message;
    facts.target = loaded.view.target().toText();
    facts.settings = settingsText(loaded.session.environment);
    facts.session = record.session.valid() ? record.session.value : -1;
    facts.trial = record.trial;
    facts.round = record.round;
    if (record.status == database::RecordStatus::Ok)
        facts.seconds = statisticOf(record.measurement.seconds, statistic);
    if (record.measurement.low && record.measurement.high)
        facts.plusMinus = (*record.measurement.high - *record.measurement.low) / 2;
    facts.samples = static_cast<std::int64_t>(record.measurement.seconds.size());
    facts.flop = loaded.task.flop;
    facts.bytes = loaded.task.bytes;
    facts.timeMs = record.timeMs;
    facts.device = record.device;
    return facts;
}

std::vector<SettingDifference> settingsOf(const Loaded& left, const Loaded& right) {
    std::vector<SettingDifference> settings =
        compareSettings(left.session.environment, right.session.environment,
                        {"cpu", "cpu_name", "cores", "llvm", "governor"});
    const auto add = [&](std::string name, std::string a, std::string b, bool matters) {
        const bool differs = a != b;
        settings.push_back(
            {std::move(name), std::move(a), std::move(b), differs, differs && matters});
    };
    add("target", left.view.target().toText(), right.view.target().toText(), true);
    add("device", left.view.record().device, right.view.record().device, true);
    add("samples", std::to_string(left.view.record().measurement.seconds.size()),
        std::to_string(right.view.record().measurement.seconds.size()), false);
    return settings;
}

std::string withoutScheduleName(std::string line) {
    const std::size_t at = line.find("sch.");
    if (at != std::string::npos)
        line.erase(at, 4);
    return line;
}

std::vector<SideRow> instructionTexts(const TraceDiff& diff) {
    std::vector<SideRow> rows;
    for (const TraceRow& row : diff.rows) {
        const std::string left = withoutScheduleName(row.leftText);
        const std::string right = withoutScheduleName(row.rightText);
        SideBySide words = row.left && row.right ? alignTexts(left, right) : SideBySide();
        SideRow out = words.rows.size() == 1 ? std::move(words.rows.front()) : SideRow();
        out.left = left;
        out.right = right;
        rows.push_back(std::move(out));
    }
    return rows;
}

std::vector<double> samplesOf(const Loaded& loaded) {
    const database::TuningRecord& record = loaded.view.record();
    return record.status == database::RecordStatus::Ok ? record.measurement.seconds
                                                       : std::vector<double>();
}

} // namespace

RecordComparison compareRecords(const std::vector<RecordRef>& records, double threshold,
                                Statistic statistic) {
    RecordComparison comparison;
    std::vector<Loaded> loaded;
    for (const RecordRef& ref : records) {
        loaded.push_back(load(ref));
        comparison.records.push_back(factsOf(ref, loaded.back(), statistic));
        comparison.judgements.push_back(loaded.size() == 1 ? Judgement()
                                                           : judgeSamples(samplesOf(loaded.front()),
                                                                          samplesOf(loaded.back()),
                                                                          threshold, statistic));
    }
    if (loaded.size() < 2)
        return comparison;
    comparison.settings = settingsOf(loaded[0], loaded[1]);
    comparison.notComparable = incomparableReason(comparison.settings);
    if (!comparison.notComparable.empty())
        comparison.judgements[1].verdict = Verdict::NotComparable;
    for (std::size_t i = 1; i < loaded.size(); ++i)
        if (loaded[i].view.record().workloadHash != loaded[0].view.record().workloadHash) {
            comparison.refusal = base::concat("different tasks: record ", records[0].record,
                                              " is of ", comparison.records[0].task, ", record ",
                                              records[i].record, " of ", comparison.records[i].task,
                                              "; their schedules have nothing to be aligned by");
            comparison.judgements[i].verdict = Verdict::NotComparable;
            return comparison;
        }
    std::vector<schedule::Trace> traces;
    for (const Loaded& one : loaded)
        traces.push_back(one.view.trace());
    comparison.trace = diffTraces(traces[0], traces[1]);
    comparison.instructions = instructionTexts(comparison.trace);
    try {
        const ir::Module module = loaded[0].view.module();
        comparison.decisions = decisionTable(traces, &module);
    } catch (const base::UserError&) {
        comparison.decisions = decisionTable(traces, nullptr); // an imported module without text
    }
    return comparison;
}

} // namespace tilewright::session
