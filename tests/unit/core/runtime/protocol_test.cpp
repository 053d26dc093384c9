// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/base/random_state.h>
#include <tilewright/runtime/messages.h>
#include <tilewright/runtime/runner_agent.h>

#include <QtTest/QTest>

#include <array>
#include <cstdio>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using runtime::Frame;
using runtime::MessageType;

namespace {

std::string bytesOf(const Frame& frame) {
    return runtime::encodeFrameHeader(frame) + frame.payload;
}

runtime::SetArguments someArguments() {
    runtime::SetArguments message;
    message.arguments.push_back({{runtime::TypeCode::Float, 32},
                                 {4, 5},
                                 runtime::timingFill({runtime::TypeCode::Float, 32}, 3),
                                 {}});
    message.arguments.push_back({{runtime::TypeCode::Int, 8}, {3}, {}, "abc"});
    message.reuse = true;
    return message;
}

/// Feeds bytes to an agent on pipes and returns the frames that it answers.
std::vector<Frame> converse(const std::string& input) {
    std::array<int, 2> in{}, out{};
    if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0)
        return {};
    std::thread agent([&] {
        static_cast<void>(runtime::serveRunner(in[0], out[1], {}));
        ::close(out[1]);
    });
    std::thread writer([&] {
        if (::write(in[1], input.data(), input.size()) < 0)
            std::perror("write");
        ::close(in[1]);
    });
    std::vector<Frame> frames;
    runtime::FrameStream stream(out[0], -1);
    while (true) {
        auto frame = stream.read();
        if (!frame || !frame->has_value())
            break;
        frames.push_back(std::move(**frame));
    }
    writer.join();
    agent.join();
    ::close(in[0]);
    ::close(out[0]);
    return frames;
}

std::string failureText(const Frame& frame) {
    return frame.type == MessageType::Failure
               ? runtime::fromFrame<runtime::Failure>(frame).value().message
               : std::string();
}

} // namespace

class ProtocolTest : public QObject {
    Q_OBJECT
private slots:
    void lettersFieldsLittleEndian() {
        const Frame frame = runtime::toFrame(runtime::Failure{"run", "x"}, 0x0102030405060708ULL);
        const std::string bytes = bytesOf(frame);
        const unsigned char expected[] = {12, 0, 0, 0, 1, 0, 100, 0,   8,   7, 6, 5, 4, 3,
                                          2,  1, 3, 0, 0, 0, 'r', 'u', 'n', 1, 0, 0, 0, 'x'};
        QCOMPARE(bytes.size(), sizeof expected);
        QVERIFY(bytes == std::string(reinterpret_cast<const char*>(expected), sizeof expected));
    }

    void assemblesFramesFromAnyPieces() {
        std::string bytes;
        for (std::uint64_t id = 1; id <= 5; ++id)
            bytes += bytesOf(runtime::toFrame(someArguments(), id));
        for (std::size_t piece = 1; piece < 40; ++piece) {
            runtime::FrameAssembler assembler;
            std::uint64_t id = 0;
            for (std::size_t at = 0; at < bytes.size(); at += piece) {
                assembler.append(std::string_view(bytes).substr(at, piece));
                while (true) {
                    auto frame = assembler.next();
                    QVERIFY(frame);
                    if (!frame->has_value())
                        break;
                    QCOMPARE((*frame)->id, ++id);
                    const auto back = runtime::fromFrame<runtime::SetArguments>(**frame);
                    QVERIFY(back);
                    QCOMPARE(back->arguments[1].data, std::string("abc"));
                    QCOMPARE(back->arguments[0].fill, someArguments().arguments[0].fill);
                }
            }
            QCOMPARE(id, std::uint64_t{5});
            QVERIFY(assembler.empty());
        }
    }

    void keepsSamples() {
        runtime::Measured measured;
        measured.timing.samples = {{1e-3, 0.5, 7}, {2e-3, 0.25, 8}};
        measured.timing.full = true;
        measured.residentBytes = 99;
        const auto back =
            runtime::fromFrame<runtime::Measured>(runtime::toFrame(measured, 1)).value();
        QVERIFY(back.timing.samples == measured.timing.samples);
        QVERIFY(back.timing.full);
        QCOMPARE(back.residentBytes, std::uint64_t{99});
    }

    void refusesOtherVersionsAndHugeFramesInWords() {
        Frame frame = runtime::toFrame(runtime::Quit{}, 1);
        frame.version = 9;
        runtime::FrameAssembler assembler;
        assembler.append(bytesOf(frame));
        const auto refused = assembler.next();
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("version 9") != std::string::npos);
        runtime::FrameAssembler other;
        std::string huge = bytesOf(runtime::toFrame(runtime::Quit{}, 1));
        huge[3] = 0x7f;
        other.append(huge);
        QVERIFY(!other.next());
        runtime::Hello hello;
        hello.oldestVersion = 5;
        hello.newestVersion = 6;
        const auto frames = converse(bytesOf(runtime::toFrame(hello, 1)));
        QCOMPARE(frames.size(), std::size_t{1});
        QVERIFY(failureText(frames[0]).find("5 to 6") != std::string::npos);
    }

    void refusesCutAndPaddedMessages() {
        const Frame good = runtime::toFrame(someArguments(), 1);
        for (std::size_t size = 0; size < good.payload.size(); ++size) {
            Frame cut = good;
            cut.payload.resize(size);
            QVERIFY(!runtime::fromFrame<runtime::SetArguments>(cut));
        }
        Frame padded = good;
        padded.payload.push_back('\0');
        QVERIFY(!runtime::fromFrame<runtime::SetArguments>(padded));
        Frame counted = good; // a count of four thousand million arguments
        counted.payload.replace(0, 4, "\xff\xff\xff\xff");
        QVERIFY(!runtime::fromFrame<runtime::SetArguments>(counted));
    }

    void answersGarbageWithoutEnding() {
        const std::string hello = bytesOf(runtime::toFrame(runtime::Hello{}, 1));
        Frame unknown = runtime::toFrame(runtime::Quit{}, 2);
        unknown.type = static_cast<MessageType>(77);
        const auto frames =
            converse(bytesOf(runtime::toFrame(someArguments(), 1)) + hello + bytesOf(unknown) +
                     bytesOf(runtime::toFrame(runtime::Measure{}, 3)) +
                     bytesOf(runtime::toFrame(runtime::LoadLibrary{"f", "no elf"}, 4)) +
                     bytesOf(runtime::toFrame(runtime::Quit{}, 5)));
        QCOMPARE(frames.size(), std::size_t{6});
        QVERIFY(failureText(frames[0]).find("Hello") != std::string::npos);
        QCOMPARE(frames[1].type, MessageType::HelloReply);
        QVERIFY(failureText(frames[2]).find("77") != std::string::npos);
        QVERIFY(!failureText(frames[3]).empty());
        QVERIFY(failureText(frames[4]).find("ELF") != std::string::npos);
        QCOMPARE(frames[5].type, MessageType::Done);
        QCOMPARE(frames[5].id, std::uint64_t{5});
    }

    void survivesRandomMutations() {
        const std::string good = bytesOf(runtime::toFrame(runtime::Hello{}, 1)) +
                                 bytesOf(runtime::toFrame(someArguments(), 2)) +
                                 bytesOf(runtime::toFrame(runtime::Execute{1, {0, 1}, true}, 3));
        base::RandomState random(20260101);
        for (int round = 0; round < 1500; ++round) {
            std::string bytes = good;
            for (int i = 0; i < 4; ++i)
                bytes[static_cast<std::size_t>(
                    random.sampleInt(0, static_cast<std::int64_t>(bytes.size())))] =
                    static_cast<char>(random.sampleInt(0, 256));
            runtime::FrameAssembler assembler;
            assembler.append(bytes);
            while (true) {
                auto frame = assembler.next();
                if (!frame || !frame->has_value())
                    break;
                if ((*frame)->type == MessageType::SetArguments)
                    static_cast<void>(runtime::fromFrame<runtime::SetArguments>(**frame));
                if ((*frame)->type == MessageType::Hello)
                    static_cast<void>(runtime::fromFrame<runtime::Hello>(**frame));
            }
        }
    }

    void runnerNeedsOnlyTheCLibrary() {
        std::FILE* pipe = ::popen("readelf -d '" TW_BIN_DIR "/tilewright-runner' 2>/dev/null", "r");
        QVERIFY(pipe);
        std::string text;
        std::array<char, 4096> block{};
        while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe))
            text.append(block.data(), got);
        if (::pclose(pipe) != 0)
            QSKIP("no readelf, or the runner was built elsewhere");
        for (std::size_t at = text.find("Shared library: ["); at != std::string::npos;
             at = text.find("Shared library: [", at + 1)) {
            const std::string name = text.substr(at + 17, text.find(']', at) - at - 17);
            const bool allowed = name.starts_with("libc.") || name.starts_with("libm.") ||
                                 name.starts_with("libdl.") || name.starts_with("libpthread.") ||
                                 name.starts_with("ld-linux") || name.starts_with("lib") == false;
            QVERIFY2(allowed || text.find("asan") != std::string::npos, name.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(ProtocolTest)
#include "protocol_test.moc"
