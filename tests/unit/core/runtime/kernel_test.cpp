// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/runtime/cpu_features.h>
#include <tilewright/runtime/kernel_library.h>
#include <tilewright/runtime/kernel_pool.h>
#include <tilewright/runtime/tensor_fill.h>
#include <tilewright/runtime/timing.h>

#include <QtTest/QTest>

#include <atomic>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

using namespace tilewright;

namespace {

std::string fileBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

std::string kernels(const char* variant = "") {
    return base::concat(TW_TEST_KERNELS, variant, ".so");
}

} // namespace

class KernelTest : public QObject {
    Q_OBJECT
private slots:
    void runsEachIndexOnce_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3, 5})
            QTest::addRow("%d threads", threads) << threads;
    }
    void runsEachIndexOnce() {
        QFETCH(int, threads);
        runtime::KernelPool pool(threads);
        QCOMPARE(pool.handle()->num_threads, threads);
        for (const std::int64_t extent : {0, 1, 2, 3, 7, 100, 1001}) {
            std::vector<std::atomic<int>> hits(static_cast<std::size_t>(extent));
            std::atomic<int> calls{0};
            const auto body = [&](std::int64_t begin, std::int64_t end) {
                ++calls;
                for (std::int64_t i = begin; i < end; ++i)
                    ++hits[static_cast<std::size_t>(i)];
                return begin < end ? TW_OK : TW_BAD_ARGUMENT;
            };
            QCOMPARE(pool.run(extent, body), TW_OK);
            QVERIFY(calls <= threads);
            for (const auto& hit : hits)
                QCOMPARE(hit.load(), 1);
        }
    }

    void survivesManyLoopsWithPauses() {
        runtime::KernelPool pool(2);
        std::atomic<std::int64_t> sum{0};
        for (int round = 0; round < 3000; ++round) {
            pool.run(2, [&](std::int64_t begin, std::int64_t end) {
                sum += end - begin;
                return TW_OK;
            });
            if (round % 500 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        QCOMPARE(sum.load(), std::int64_t{6000});
    }

    void runsNestedLoopsOnOneWorkerAndPassesCodesOn() {
        runtime::KernelPool pool(3);
        std::atomic<int> inner{0};
        const auto code = pool.run(3, [&](std::int64_t begin, std::int64_t) -> std::int32_t {
            const auto caller = std::this_thread::get_id();
            pool.run(10, [&](std::int64_t from, std::int64_t to) -> std::int32_t {
                inner += from == 0 && to == 10 && std::this_thread::get_id() == caller;
                return TW_OK;
            });
            return begin == 2 ? 77 : TW_OK;
        });
        QCOMPARE(code, 77);
        QCOMPARE(inner.load(), 3);
    }

    void givesEachWorkerItsOwnWorkspace() {
        runtime::KernelPool pool(3);
        std::array<void*, 3> places{};
        tw_pool* handle = pool.handle();
        void* shared = handle->workspace(handle, 1000, 0);
        QVERIFY(shared);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(shared) % 64, std::uintptr_t{0});
        QCOMPARE(handle->workspace(handle, 500, 0), shared);
        pool.run(3, [&](std::int64_t begin, std::int64_t) -> std::int32_t {
            places[static_cast<std::size_t>(begin)] = handle->workspace(handle, 4096, 1);
            return TW_OK;
        });
        QCOMPARE(std::set<void*>(places.begin(), places.end()).size(), std::size_t{3});
        QVERIFY(!handle->workspace(handle, std::int64_t{1} << 60, 2));
        QVERIFY(!handle->workspace(handle, 8, TW_MAX_SLOTS));
        QVERIFY(pool.workspaceBytes() >= 1000 + 3 * 4096);
        pool.releaseWorkspaces();
        QCOMPARE(pool.workspaceBytes(), std::int64_t{0});
    }

    void loadsFromFileAndMemory() {
        const std::string image = fileBytes(kernels());
        QVERIFY(!image.empty());
        runtime::KernelPool pool(2);
        for (auto library : {0, 1}) {
            auto loaded = library == 0 ? runtime::KernelLibrary::open(kernels())
                                       : runtime::KernelLibrary::fromImage(image);
            QVERIFY2(loaded, loaded ? "" : loaded.error().toString().c_str());
            QVERIFY(!loaded->kernel("no_such_kernel"));
            for (const char* name : {"add", "add_workspace"}) {
                const tw_kernel kernel = loaded->kernel(name);
                QVERIFY(kernel);
                std::vector<float> a(4096, 1), b(4096, 2), c(4096, 0);
                std::iota(a.begin(), a.end(), 0.0f);
                void* data[] = {a.data(), b.data(), c.data()};
                QCOMPARE(kernel(data, pool.handle()), TW_OK);
                QCOMPARE(c[4095], 4097.0f);
            }
        }
    }

    void refusesForeignLibraries() {
        const auto messageOf = [](const base::Result<runtime::KernelLibrary>& library) {
            return library ? std::string() : library.error().message;
        };
        const auto abi = runtime::KernelLibrary::open(kernels("_abi99"));
        QVERIFY(messageOf(abi).find("ABI is 99; accepted is 1") != std::string::npos);
        QVERIFY(!runtime::KernelLibrary::fromImage("garbage"));
        std::string image = fileBytes(kernels());
        image[18] = static_cast<char>(243);
        image[19] = 0;
        QVERIFY(messageOf(runtime::KernelLibrary::fromImage(image)).find("architecture") !=
                std::string::npos);
        QVERIFY(!runtime::KernelLibrary::fromImage(fileBytes(kernels()).substr(0, 2000)));
        QVERIFY(!runtime::KernelLibrary::open("/nonexistent.so"));
    }

    void namesMissingFeatures() {
        QCOMPARE(runtime::missingFeatures("+avx2,fma,-avx512f,fast-hops", {"fma"}),
                 (std::vector<std::string>{"avx2"}));
        QVERIFY(runtime::missingFeatures("", {}).empty());
    }

    void timesToTheLengthAsked() {
        int calls = 0;
        const auto run = [&]() -> std::int32_t {
            ++calls;
            const double end = runtime::monotonicSeconds() + 50e-6;
            while (runtime::monotonicSeconds() < end) {
            }
            return TW_OK;
        };
        runtime::TimingConfig config;
        config.number = 1;
        config.repeat = 3;
        config.minRepeatMs = 5;
        const runtime::Timing timing = runtime::timeCalls(run, {}, config);
        QVERIFY(timing.full);
        QCOMPARE(timing.samples.size(), std::size_t{3});
        for (const runtime::TimingSample& sample : timing.samples) {
            QVERIFY(sample.seconds >= 49e-6);
            QVERIFY(sample.seconds * sample.number >= 5e-3);
            QVERIFY(sample.otherCpu >= 0 && sample.otherCpu <= 1);
        }
    }

    void spendsShortSamplesOnAWorseKernel() {
        const auto run = []() -> std::int32_t {
            const double end = runtime::monotonicSeconds() + 100e-6;
            while (runtime::monotonicSeconds() < end) {
            }
            return TW_OK;
        };
        runtime::TimingConfig config;
        config.minRepeatMs = 20;
        config.repeat = 3;
        config.bestSeconds = 10e-6;
        const runtime::Timing worse = runtime::timeCalls(run, {}, config);
        QVERIFY(!worse.full);
        QCOMPARE(worse.samples.size(), std::size_t{1});
        config.bestSeconds = 80e-6;
        config.worseFactor = 1e6; // so that a busy machine does not matter
        config.nearFactor = 1.1;
        const runtime::Timing notQuite = runtime::timeCalls(run, {}, config);
        QVERIFY(!notQuite.full);
        QCOMPARE(notQuite.samples.size(), std::size_t{2});
        QVERIFY(notQuite.samples[1].seconds * notQuite.samples[1].number >=
                config.secondSampleMs * 1e-3);
        config.bestSeconds = 1;
        config.maxOtherCpu = 1;
        const runtime::Timing near = runtime::timeCalls(run, {}, config);
        QVERIFY(near.full);
        QCOMPARE(near.samples.size(), std::size_t{3});
    }

    void stopsTimingAtAFailingCall() {
        int calls = 0;
        const runtime::Timing timing = runtime::timeCalls(
            [&]() -> std::int32_t { return ++calls == 4 ? TW_NO_MEMORY : TW_OK; }, {}, {});
        QCOMPARE(timing.code, TW_NO_MEMORY);
        QVERIFY(!timing.full);
        QCOMPARE(calls, 4);
    }
};

QTEST_GUILESS_MAIN(KernelTest)
#include "kernel_test.moc"
