// SPDX-License-Identifier: Apache-2.0
#include "crash_report.h"

#include <tilewright/runtime/messages.h>

#include <csignal>
#include <cstddef>
#include <unistd.h>

namespace tilewright::runner {

namespace {

constexpr std::size_t kCrashFrameBytes = runtime::kFrameHeaderBytes + sizeof(std::int32_t);

// A signal handler can only reach memory at fixed places. Written once, before handlers exist.
int reportFd = -1;
unsigned char crashFrame[kCrashFrameBytes];
alignas(64) char handlerStack[64 << 10];

void reportAndDie(int signal) {
    unsigned char frame[kCrashFrameBytes];
    for (std::size_t i = 0; i < kCrashFrameBytes; ++i)
        frame[i] = crashFrame[i];
    frame[runtime::kFrameHeaderBytes] = static_cast<unsigned char>(signal);
    // Whether it arrives or not, the process ends.
    if (::write(reportFd, frame, sizeof frame) < 0)
        reportFd = -1;
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

} // namespace

void reportCrashesTo(int outFd) {
    reportFd = outFd;
    const runtime::Frame frame = runtime::toFrame(runtime::Crashed{}, 0);
    const std::string bytes = runtime::encodeFrameHeader(frame) + frame.payload;
    for (std::size_t i = 0; i < kCrashFrameBytes && i < bytes.size(); ++i)
        crashFrame[i] = static_cast<unsigned char>(bytes[i]);
    stack_t stack{};
    stack.ss_sp = handlerStack;
    stack.ss_size = sizeof handlerStack;
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = reportAndDie;
    action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

} // namespace tilewright::runner
