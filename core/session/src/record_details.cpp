// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/record_details.h>

#include <tilewright/base/concat.h>
#include <tilewright/cost/per_store_feature.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/measure/statistics.h>
#include <tilewright/session/compare_sessions.h>
#include <tilewright/session/record_view.h>

#include <algorithm>

namespace tilewright::session {

namespace {

void describeSamples(RecordDetails& details, const database::TuningRecord& record) {
    const database::Measurement& measurement = record.measurement;
    details.median = measurement.median;
    details.low = measurement.low;
    details.high = measurement.high;
    details.fullMeasure = measurement.full;
    if (record.status != database::RecordStatus::Ok)
        return;
    details.samples = measurement.seconds;
    details.otherCpu = measurement.otherCpu;
    details.outliers.assign(details.samples.size(), false);
    if (details.samples.size() < 4)
        return;
    const double first = measure::quantile(details.samples, 0.25);
    const double third = measure::quantile(details.samples, 0.75);
    details.quartileLow = first;
    details.quartileHigh = third;
    const double reach = 1.5 * (third - first);
    for (std::size_t i = 0; i < details.samples.size(); ++i)
        details.outliers[i] =
            details.samples[i] < first - reach || details.samples[i] > third + reach;
}

void describeEnvironment(RecordDetails& details, const database::StoreReader& reader,
                         const RecordView& view) {
    auto& environment = details.environment;
    for (const database::Session& session : reader.sessions()) {
        if (!(session.id == view.record().session) || session.environment.empty())
            continue;
        const json::Value value = json::parse(session.environment);
        if (value.isObject())
            for (const auto& [name, member] : value.asObject())
                environment.emplace_back(name, member.isString() ? member.asString()
                                                                 : json::dump(member));
    }
    environment.emplace_back("target", view.target().toText());
    if (!view.record().device.empty())
        environment.emplace_back("device", view.record().device);
    environment.emplace_back("repeat policy",
                             base::concat(details.facts.samples,
                                          details.facts.samples == 1 ? " sample" : " samples",
                                          details.fullMeasure ? "" : ", cut short"));
}

void compareWithBaseline(RecordDetails& details, const RecordRef& self, const RecordRef& baseline,
                         Statistic statistic) {
    if (self == baseline) {
        details.baselineText = "this is the baseline";
        return;
    }
    RecordComparison comparison;
    try {
        comparison = compareRecords({baseline, self}, 0.01, statistic);
    } catch (const base::UserError& error) {
        details.baselineText = error.diagnostic().message;
        return;
    }
    details.baseline = comparison.records[0];
    details.judgement = comparison.judgements[1];
    details.settings = std::move(comparison.settings);
    if (!comparison.refusal.empty()) {
        details.baselineText = comparison.refusal;
        return;
    }
    details.baselineText = comparison.notComparable;
    details.decisions = std::move(comparison.decisions);
}

void describeTrace(RecordDetails& details, const RecordView& view) {
    try {
        const schedule::Trace trace = view.trace();
        details.python = trace.toPython();
        if (!details.decisions.rows.empty())
            return;
        try {
            const ir::Module module = view.module();
            details.decisions = decisionTable({trace}, &module);
        } catch (const base::UserError&) {
            details.decisions = decisionTable({trace}, nullptr);
        }
    } catch (const base::UserError& error) {
        details.decisionProblem = error.diagnostic().message;
    }
}

} // namespace

std::shared_ptr<const RecordDetails> readRecordDetails(const std::filesystem::path& workDir,
                                                       std::int64_t record,
                                                       const std::optional<RecordRef>& baseline,
                                                       Statistic statistic) {
    auto details = std::make_shared<RecordDetails>();
    const RecordRef self{workDir, record};
    RecordComparison alone = compareRecords({self}, 0.01, statistic);
    details->facts = std::move(alone.records.front());
    const database::StoreReader reader(workDir);
    const RecordView view(reader, database::RecordId(record));
    const database::TuningRecord& stored = view.record();
    details->marks = view.marks();
    for (const auto& [name, pinned] : reader.pins())
        if (pinned.value == record)
            details->pins.push_back(name);
    const auto best = reader.bestRecord(stored.workload, stored.target);
    details->best = best && best->id == stored.id;
    details->origin = database::toString(stored.origin);
    details->verified = stored.verified;
    details->predicted = stored.predicted;
    details->buildSeconds = stored.buildSeconds;
    details->runSeconds = stored.runSeconds;
    describeSamples(*details, stored);
    describeEnvironment(*details, reader, view);
    if (baseline)
        compareWithBaseline(*details, self, *baseline, statistic);
    describeTrace(*details, view);
    return details;
}

RecordFeatures readRecordFeatures(const std::filesystem::path& workDir, std::int64_t record) {
    const database::StoreReader reader(workDir);
    const RecordView view(reader, database::RecordId(record));
    cost::PerStoreFeatureOptions options;
    options.isGpu = view.target().isGpu();
    const cost::FeatureMatrix matrix =
        cost::extractPerStoreFeatures(view.scheduledModule(), options);
    RecordFeatures features;
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        const auto begin =
            matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.columns);
        features.stores.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(matrix.columns));
    }
    return features;
}

std::vector<std::pair<std::int64_t, double>>
baselineSeconds(const std::filesystem::path& workDir, const std::filesystem::path& baselineDir,
                std::int64_t session, std::int64_t record, Statistic statistic) {
    std::vector<std::pair<std::int64_t, double>> seconds;
    if (record >= 0) {
        const database::StoreReader theirs(baselineDir);
        const RecordView view(theirs, database::RecordId(record));
        const auto value = statisticOf(view.record().measurement.seconds, statistic);
        if (!value || view.record().status != database::RecordStatus::Ok)
            return seconds;
        const database::StoreReader ours(workDir);
        for (const database::Workload& workload :
             ours.workloadsWithHash(view.record().workloadHash))
            for (const database::Task& task : ours.tasks())
                if (task.workload == workload.id)
                    seconds.emplace_back(task.id.value, *value);
        return seconds;
    }
    SessionCompareOptions options;
    options.statistic = statistic;
    const SessionComparison comparison =
        compareSessions({baselineDir, session, false}, {workDir, -1, false}, options);
    for (const OperatorComparison& row : comparison.operators)
        if (row.rightTask >= 0 && row.left)
            seconds.emplace_back(row.rightTask, *row.left);
    return seconds;
}

} // namespace tilewright::session
