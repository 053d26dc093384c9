// SPDX-License-Identifier: Apache-2.0

// The models learn a ranking, are deterministic, and survive being saved.

#include <tilewright/base/diagnostic.h>
#include <tilewright/base/random_state.h>
#include <tilewright/cost/cost_model.h>

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>

using namespace tilewright;

namespace {

constexpr std::size_t kColumns = 12;
constexpr std::uint64_t kTask = 7;

/// Candidates of two rows of which the third column decides how fast they are.
struct Population {
    std::vector<cost::FeaturePtr> features;
    std::vector<double> seconds;

    Population(std::size_t count, std::int64_t seed) {
        base::RandomState random(seed);
        for (std::size_t i = 0; i < count; ++i) {
            auto matrix = std::make_shared<cost::FeatureMatrix>();
            matrix->columns = kColumns;
            constexpr std::size_t rows = 2;
            double slowness = 0;
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t c = 0; c < kColumns; ++c) {
                    const double value = random.sampleUnit();
                    if (c == 2)
                        slowness += value / static_cast<double>(rows);
                    matrix->values.push_back(static_cast<float>(value));
                }
            features.push_back(std::move(matrix));
            seconds.push_back(1e-3 * (0.05 + slowness));
        }
    }

    [[nodiscard]] std::vector<cost::TrainingSample> samples() const {
        std::vector<cost::TrainingSample> result;
        for (std::size_t i = 0; i < features.size(); ++i)
            result.push_back({features[i], seconds[i]});
        return result;
    }
};

/// Share of pairs that the scores order as the times do.
double pairAccuracy(const std::vector<double>& scores, const std::vector<double>& seconds) {
    int right = 0;
    int all = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            if (std::abs(seconds[i] - seconds[j]) < 5e-5)
                continue;
            ++all;
            right += (scores[i] > scores[j]) == (seconds[i] < seconds[j]) ? 1 : 0;
        }
    return all == 0 ? 0 : static_cast<double>(right) / all;
}

template <class Fn> bool throwsUserError(Fn&& fn) {
    try {
        fn();
    } catch (const base::UserError& error) {
        return error.diagnostic().kind == "cost-model";
    }
    return false;
}

} // namespace

class CostModelTest : public QObject {
    Q_OBJECT
private slots:
    void xgbLearnsARanking();
    void xgbIsRandomUntilWarm();
    void xgbIsDeterministic();
    void xgbSurvivesSaving();
    void xgbGoesOnLearningAfterLoading();
    void xgbTakesFailuresAndEmptyCandidates();
    void xgbRefusesForeignBytes();
    void randomModelIsSeeded();
};

void CostModelTest::xgbLearnsARanking() {
    const auto model = cost::makeXgbModel();
    QCOMPARE(model->kind(), std::string_view("xgb"));
    model->update(kTask, Population(300, 1).samples());
    QVERIFY(model->isTrained());
    const Population fresh(100, 2);
    const std::vector<double> scores = model->predict(kTask, fresh.features);
    const double accuracy = pairAccuracy(scores, fresh.seconds);
    QVERIFY2(accuracy > 0.85, qPrintable(QString::number(accuracy)));
}

void CostModelTest::xgbIsRandomUntilWarm() {
    cost::XgbSettings settings;
    settings.warmupSamples = 50;
    const auto model = cost::makeXgbModel(settings);
    model->update(kTask, Population(20, 1).samples());
    QVERIFY(!model->isTrained());
    const Population fresh(200, 2);
    const std::vector<double> scores = model->predict(kTask, fresh.features);
    QCOMPARE(scores.size(), std::size_t{200});
    for (const double score : scores)
        QVERIFY(score >= 0 && score < 1);
    model->update(kTask, Population(40, 3).samples());
    QVERIFY(model->isTrained());
}

void CostModelTest::xgbIsDeterministic() {
    const Population known(150, 5);
    const Population fresh(40, 6);
    std::vector<double> first;
    for (const int threads : {1, 1, 2}) {
        cost::XgbSettings settings;
        settings.threads = threads;
        const auto model = cost::makeXgbModel(settings);
        const auto samples = known.samples();
        model->update(kTask, std::span(samples).first(100));
        model->update(kTask, std::span(samples).subspan(100));
        const std::vector<double> scores = model->predict(kTask, fresh.features);
        if (first.empty())
            first = scores;
        else
            QCOMPARE(scores, first);
    }
}

void CostModelTest::xgbSurvivesSaving() {
    const auto model = cost::makeXgbModel();
    model->update(kTask, Population(120, 1).samples());
    model->update(kTask + 1, Population(30, 2).samples());
    const auto copy = cost::makeXgbModel();
    copy->load(model->save());
    QVERIFY(copy->isTrained());
    const Population fresh(50, 3);
    QCOMPARE(copy->predict(kTask, fresh.features), model->predict(kTask, fresh.features));

    const auto untrained = cost::makeXgbModel();
    const auto untrainedCopy = cost::makeXgbModel();
    untrainedCopy->load(untrained->save());
    QVERIFY(!untrainedCopy->isTrained());
    QCOMPARE(untrainedCopy->predict(kTask, fresh.features),
             untrained->predict(kTask, fresh.features));
}

void CostModelTest::xgbGoesOnLearningAfterLoading() {
    const Population more(100, 9);
    const Population fresh(50, 3);
    const auto model = cost::makeXgbModel();
    model->update(kTask, Population(120, 1).samples());
    const auto copy = cost::makeXgbModel();
    copy->load(model->save());
    model->update(kTask, more.samples());
    copy->update(kTask, more.samples());
    QCOMPARE(copy->predict(kTask, fresh.features), model->predict(kTask, fresh.features));
}

void CostModelTest::xgbTakesFailuresAndEmptyCandidates() {
    const auto model = cost::makeXgbModel();
    std::vector<cost::TrainingSample> samples = Population(150, 1).samples();
    for (std::size_t i = 0; i < samples.size(); i += 5)
        samples[i].seconds = cost::kFailedSeconds;
    samples.push_back({std::make_shared<const cost::FeatureMatrix>(), 1e-3});
    samples.push_back({nullptr, 1e-3});
    model->update(kTask, samples);
    QVERIFY(model->isTrained());
    std::vector<cost::FeaturePtr> asked = Population(3, 2).features;
    cost::FeatureMatrix empty;
    empty.columns = kColumns;
    asked.push_back(std::make_shared<const cost::FeatureMatrix>(empty));
    QCOMPARE(model->predict(kTask, asked).size(), std::size_t{4});
    QVERIFY(model->predict(kTask, {}).empty());

    // A task with nothing but failures still trains.
    const auto hopeless = cost::makeXgbModel();
    for (cost::TrainingSample& sample : samples)
        sample.seconds = cost::kFailedSeconds;
    hopeless->update(kTask, samples);
    QVERIFY(hopeless->isTrained());
}

void CostModelTest::xgbRefusesForeignBytes() {
    const auto model = cost::makeXgbModel();
    model->update(kTask, Population(120, 1).samples());
    const Population fresh(20, 3);
    const std::vector<double> before = model->predict(kTask, fresh.features);
    const std::string bytes = model->save();
    QVERIFY(throwsUserError([&] { model->load(""); }));
    QVERIFY(throwsUserError([&] { model->load("no model at all, certainly"); }));
    QVERIFY(throwsUserError([&] { model->load(bytes.substr(0, bytes.size() / 4)); }));
    QCOMPARE(model->predict(kTask, fresh.features), before);
}

void CostModelTest::randomModelIsSeeded() {
    const Population fresh(50, 3);
    const auto a = cost::makeRandomModel(11);
    const auto b = cost::makeRandomModel(11);
    const auto other = cost::makeRandomModel(12);
    QCOMPARE(a->kind(), std::string_view("random"));
    const std::vector<double> scores = a->predict(kTask, fresh.features);
    QCOMPARE(scores.size(), std::size_t{50});
    QCOMPARE(b->predict(kTask, fresh.features), scores);
    QVERIFY(other->predict(kTask, fresh.features) != scores);
    const auto copy = cost::makeRandomModel(1);
    copy->load(a->save());
    QCOMPARE(copy->predict(kTask, fresh.features), a->predict(kTask, fresh.features));
    a->update(kTask, fresh.samples());
    QVERIFY(!a->isTrained());
    QVERIFY(throwsUserError([&] { copy->load("x"); }));
}

QTEST_GUILESS_MAIN(CostModelTest)
#include "cost_model_test.moc"
