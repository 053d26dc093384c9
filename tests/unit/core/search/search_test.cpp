// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/diagnostic.h>
#include <tilewright/op/operator.h>
#include <tilewright/search/search_strategy.h>
#include <tilewright/search/task_scheduler.h>
#include <tilewright/search/tune.h>
#include <tilewright/target/parse_target.h>

#include <QtTest/QTest>

#include <numeric>

using namespace tilewright;

namespace {

search::TuneContext makeContext(base::ThreadPool& pool,
                                const char* operatorText = "MATMUL:n=24,m=32,k=20") {
    search::TuneContext context =
        search::makeTuneContext("task", op::buildNamed(operatorText).module,
                                target::parseTarget("llvm -mcpu=core-avx2 -num-cores=2"),
                                space::makeRuleSet("llvm"), base::RandomState(5));
    context.threads = &pool;
    return context;
}

std::vector<schedule::Trace> designSpaces(search::TuneContext& context) {
    std::vector<schedule::Trace> traces;
    for (const schedule::Schedule& sketch :
         context.generator->generateDesignSpace(context.space, context.module, context.random))
        traces.push_back(sketch.trace().simplified(true));
    return traces;
}

std::int64_t productOf(const schedule::Value& decision) {
    std::int64_t product = 1;
    for (const schedule::Value& tile : *decision.asList())
        product *= tile.toInt(0);
    return product;
}

std::vector<std::uint64_t> searchWith(int threads, int rounds) {
    base::ThreadPool pool(threads);
    search::TuneContext context = makeContext(pool);
    const auto model = cost::makeRandomModel(3);
    search::StrategyInputs inputs;
    inputs.designSpaces = designSpaces(context);
    inputs.context = &context;
    inputs.bestRecorded = [](int) { return std::vector<schedule::Trace>(); };
    inputs.costModel = model.get();
    inputs.maxTrials = 1000;
    inputs.numTrialsPerIter = 16;
    search::EvolutionarySearchSettings settings;
    settings.populationSize = 48;
    settings.initMinUnmeasured = 20;
    const auto strategy = search::makeEvolutionarySearch(settings);
    strategy->preTuning(std::move(inputs));
    std::vector<std::uint64_t> hashes;
    for (int round = 0; round < rounds; ++round) {
        const auto batch = strategy->generateMeasureCandidates(16);
        if (!batch)
            break;
        for (const search::MeasureCandidate& pick : *batch)
            hashes.push_back(pick.candidate->hash);
        strategy->notifyRunnerResults(static_cast<int>(batch->size()));
    }
    return hashes;
}

} // namespace

class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void tileMutationsKeepTheExtent() {
        base::ThreadPool pool(1);
        search::TuneContext context = makeContext(pool);
        const auto traces = designSpaces(context);
        QVERIFY(!traces.empty());
        const auto mutator = search::mutateTileSize();
        base::RandomState random(9);
        int changed = 0;
        for (int i = 0; i < 200; ++i) {
            const schedule::Trace& trace = traces[static_cast<std::size_t>(i) % traces.size()];
            const auto mutated = mutator->apply(trace, random);
            if (!mutated)
                continue;
            ++changed;
            int differing = 0;
            for (std::size_t k = 0; k < mutated->size(); ++k) {
                if (!trace[k].is("SamplePerfectTile"))
                    continue;
                QCOMPARE(productOf(mutated->decision(k)), productOf(trace.decision(k)));
                QVERIFY(mutated->decision(k).asList()->back().toInt(0) <=
                        std::max<std::int64_t>(64, trace.decision(k).asList()->back().toInt(0)));
                differing += mutated->decision(k) == trace.decision(k) ? 0 : 1;
            }
            QCOMPARE(differing, 1);
        }
        QVERIFY(changed > 150);
    }

    void unrollAndParallelMutationsChangeTheirOwnChoice() {
        base::ThreadPool pool(1);
        search::TuneContext context = makeContext(pool);
        const auto traces = designSpaces(context);
        base::RandomState random(2);
        const auto unrolled = search::mutateUnroll()->apply(traces[0], random);
        QVERIFY(unrolled.has_value());
        QVERIFY(!(*unrolled == traces[0]));
        const auto parallel = search::mutateParallel(context.module, 32)->apply(traces[0], random);
        if (parallel)
            QVERIFY(!(*parallel == traces[0]));
    }

    void candidatesAreTheSameOnAnyNumberOfThreads() {
        const auto one = searchWith(1, 3);
        QVERIFY(one.size() >= 32);
        QCOMPARE(searchWith(2, 3), one);
        QCOMPARE(searchWith(5, 3), one);
    }

    void noCandidateIsProposedTwice() {
        auto hashes = searchWith(2, 4);
        const std::size_t count = hashes.size();
        std::sort(hashes.begin(), hashes.end());
        hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
        QCOMPARE(hashes.size(), count);
    }

    void anEmptySpaceEndsWithItsReason() {
        base::ThreadPool pool(1);
        search::TuneContext context = makeContext(pool);
        const auto model = cost::makeRandomModel(1);
        for (const std::string& kind : search::searchStrategyKinds()) {
            search::StrategyInputs inputs;
            inputs.context = &context;
            inputs.costModel = model.get();
            inputs.bestRecorded = [](int) { return std::vector<schedule::Trace>(); };
            inputs.maxTrials = 10;
            const auto strategy = search::makeSearchStrategy(kind);
            strategy->preTuning(std::move(inputs));
            QVERIFY(!strategy->generateMeasureCandidates(10));
            QVERIFY(!strategy->endReason().empty());
        }
    }

    void gradientWarmsUpThenFollowsTheLatency() {
        const auto scheduler = search::makeGradient();
        base::RandomState random(1);
        std::vector<search::TaskProgress> tasks(3);
        QCOMPARE(scheduler->nextTask(tasks, random), 0);
        for (std::size_t i = 0; i < 3; ++i) {
            tasks[i].rounds = 1;
            tasks[i].bestHistoryMs = {i == 1 ? 50.0 : 1.0};
        }
        QCOMPARE(scheduler->nextTask(tasks, random), 1);
        tasks[1].open = false;
        tasks[2].weight = 100;
        QCOMPARE(scheduler->nextTask(tasks, random), 2);
        for (search::TaskProgress& task : tasks)
            task.open = false;
        QCOMPARE(scheduler->nextTask(tasks, random), -1);
    }

    void roundRobinTakesTurns() {
        const auto scheduler = search::makeRoundRobin();
        base::RandomState random(1);
        std::vector<search::TaskProgress> tasks(3);
        tasks[1].open = false;
        QCOMPARE(scheduler->nextTask(tasks, random), 0);
        QCOMPARE(scheduler->nextTask(tasks, random), 2);
        QCOMPARE(scheduler->nextTask(tasks, random), 0);
    }

    void smallBudgetsGoRound() {
        search::TuneOptions options;
        options.maxTrialsGlobal = 100;
        QCOMPARE(search::effectiveBatch(options, 5), 5);
        options.maxTrialsGlobal = 10000;
        QCOMPARE(search::effectiveBatch(options, 5), 64);
        options.numTrialsPerIter = 7;
        QCOMPARE(search::effectiveBatch(options, 5), 7);
    }

    void unknownKindsNameTheAccepted() {
        QVERIFY_EXCEPTION_THROWN(search::makeSearchStrategy("nosuch"), base::UserError);
        QVERIFY_EXCEPTION_THROWN(search::makeTaskScheduler("nosuch"), base::UserError);
        QVERIFY_EXCEPTION_THROWN(space::makeRuleSet("nosuch"), base::UserError);
    }
};

QTEST_GUILESS_MAIN(SearchTest)
#include "search_test.moc"
