// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/runtime/element_type.h>
#include <tilewright/runtime/frame.h>
#include <tilewright/runtime/tensor_fill.h>
#include <tilewright/runtime/timing.h>
#include <tilewright/runtime/wire.h>

#include <cstdint>
#include <string>
#include <vector>

/// What the engine asks of its workers and what they answer. Requests and their replies:
///
///     Hello         HelloReply     first on every connection; nothing else is answered before it
///     LoadLibrary   Done           replaces the library that was loaded
///     SetArguments  Done           makes and fills the arguments of the next calls
///     Measure       Measured       times the loaded kernel on the arguments
///     Execute       Executed       calls it once and returns or hashes arguments
///     Build         Built          compiles (build workers only)
///     Quit          Done           the worker ends
///
/// Any request may be answered by Failure instead; the connection goes on. Crashed is the last
/// frame of a worker that a fatal signal ends. `fields` names a message's parts in their order on
/// the wire.
namespace tilewright::runtime {

struct Hello {
    static constexpr MessageType kType = MessageType::Hello;
    std::uint16_t oldestVersion = kOldestProtocolVersion;
    std::uint16_t newestVersion = kProtocolVersion;
    std::string product;
    template <class Archive> void fields(Archive& a) {
        a(oldestVersion), a(newestVersion), a(product);
    }
};

struct HelloReply {
    static constexpr MessageType kType = MessageType::HelloReply;
    std::uint16_t version = kProtocolVersion;
    std::uint32_t kernelAbi = 0;
    std::string product;
    std::string architecture;
    std::vector<std::string> features;
    std::uint32_t pageBytes = 0;
    std::uint32_t cores = 0;
    std::uint64_t memoryBytes = 0;
    std::uint64_t processId = 0;
    template <class Archive> void fields(Archive& a) {
        a(version), a(kernelAbi), a(product), a(architecture), a(features), a(pageBytes), a(cores);
        a(memoryBytes), a(processId);
    }
};

struct LoadLibrary {
    static constexpr MessageType kType = MessageType::LoadLibrary;
    std::string function;
    /// Bytes of an ELF shared object.
    std::string image;
    template <class Archive> void fields(Archive& a) { a(function), a(image); }
};

struct ArgumentSetting {
    ElementType type;
    std::vector<std::int64_t> shape;
    Fill fill;
    /// The contents in place of the fill, when not empty.
    std::string data;
    template <class Archive> void fields(Archive& a) {
        a(type.code), a(type.bits), a(shape), a(fill.kind), a(fill.seed), a(fill.low), a(fill.high);
        a(data);
    }
};

struct SetArguments {
    static constexpr MessageType kType = MessageType::SetArguments;
    std::vector<ArgumentSetting> arguments;
    /// Keep arguments whose type, shape and fill are as they were, contents included. Good for
    /// timing; a numeric check refills.
    bool reuse = false;
    template <class Archive> void fields(Archive& a) { a(arguments), a(reuse); }
};

struct Measure {
    static constexpr MessageType kType = MessageType::Measure;
    TimingConfig config;
    std::int32_t threads = 1;
    template <class Archive> void fields(Archive& a) {
        a(config.number), a(config.repeat), a(config.minRepeatMs), a(config.cache);
        a(config.bestSeconds), a(config.worseFactor), a(config.firstSampleMs);
        a(config.nearFactor), a(config.secondSampleMs);
        a(config.maxOtherCpu), a(config.maxRetakes), a(threads);
    }
};

struct Measured {
    static constexpr MessageType kType = MessageType::Measured;
    Timing timing;
    /// Memory of the worker that is in RAM, after the measurement.
    std::uint64_t residentBytes = 0;
    template <class Archive> void fields(Archive& a) {
        std::vector<double> seconds;
        std::vector<double> otherCpu;
        std::vector<std::int32_t> numbers;
        for (const TimingSample& sample : timing.samples) {
            seconds.push_back(sample.seconds);
            otherCpu.push_back(sample.otherCpu);
            numbers.push_back(sample.number);
        }
        a(seconds), a(otherCpu), a(numbers), a(timing.full), a(timing.code), a(residentBytes);
        timing.samples.resize(seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i)
            timing.samples[i] = {seconds[i], i < otherCpu.size() ? otherCpu[i] : 0,
                                 i < numbers.size() ? numbers[i] : 0};
    }
};

struct Execute {
    static constexpr MessageType kType = MessageType::Execute;
    std::int32_t threads = 1;
    /// Positions of the arguments to answer with.
    std::vector<std::uint32_t> outputs;
    /// Answer with contents; otherwise with hashes only.
    bool returnData = true;
    template <class Archive> void fields(Archive& a) { a(threads), a(outputs), a(returnData); }
};

struct Executed {
    static constexpr MessageType kType = MessageType::Executed;
    std::int32_t code = 0;
    std::vector<std::uint64_t> hashes;
    std::vector<std::string> data;
    template <class Archive> void fields(Archive& a) { a(code), a(hashes), a(data); }
};

struct Build {
    static constexpr MessageType kType = MessageType::Build;
    /// TVMScript of the scheduled module, before lowering.
    std::string script;
    std::string target;
    /// Name of the kernel in the library.
    std::string function;
    /// `key=value` options of code generation.
    std::vector<std::string> options;
    template <class Archive> void fields(Archive& a) {
        a(script), a(target), a(function), a(options);
    }
};

struct Built {
    static constexpr MessageType kType = MessageType::Built;
    /// Bytes of an ELF shared object, and the kernel's symbol in it.
    std::string image;
    std::string function;
    double parseSeconds = 0;
    double compileSeconds = 0;
    std::uint64_t residentBytes = 0;
    template <class Archive> void fields(Archive& a) {
        a(image), a(function), a(parseSeconds), a(compileSeconds), a(residentBytes);
    }
};

struct Quit {
    static constexpr MessageType kType = MessageType::Quit;
    template <class Archive> void fields(Archive&) {}
};

struct Done {
    static constexpr MessageType kType = MessageType::Done;
    template <class Archive> void fields(Archive&) {}
};

struct Failure {
    static constexpr MessageType kType = MessageType::Failure;
    /// A status word (`run`, `run-oom`, `build`) or `protocol`.
    std::string kind;
    std::string message;
    template <class Archive> void fields(Archive& a) { a(kind), a(message); }
};

struct Crashed {
    static constexpr MessageType kType = MessageType::Crashed;
    std::int32_t signal = 0;
    template <class Archive> void fields(Archive& a) { a(signal); }
};

/// Packs a message into a frame.
template <class Message> Frame toFrame(Message message, std::uint64_t id) {
    WireWriter writer;
    message.fields(writer);
    Frame frame;
    frame.type = Message::kType;
    frame.id = id;
    frame.payload = std::move(writer).take();
    return frame;
}

/// Unpacks a frame of the message's type; error `protocol` when the payload is malformed.
template <class Message> base::Result<Message> fromFrame(const Frame& frame) {
    TW_CHECK(frame.type == Message::kType);
    WireReader reader(frame.payload);
    Message message;
    message.fields(reader);
    if (!reader.finished())
        return base::Unexpected(base::Diagnostic(
            "protocol", "a message is cut off or longer than its type says: type=" +
                            std::to_string(static_cast<int>(Message::kType))));
    return message;
}

} // namespace tilewright::runtime
