// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/builder_agent.h>

#include <tilewright/base/concat.h>

#include "greeting.h"

#include <exception>

namespace tilewright::runtime {

namespace {

Frame failure(std::string kind, std::string message) {
    return toFrame(Failure{std::move(kind), std::move(message)}, 0);
}

Frame answerBuild(const Frame& request, const CompileFunction& compile) {
    const auto message = fromFrame<Build>(request);
    if (!message)
        return failure("protocol", message.error().message);
    try {
        auto built = compile(*message);
        return built ? toFrame(std::move(*built), 0) : toFrame(built.error(), 0);
    } catch (const std::exception& error) {
        return failure("build", error.what());
    }
}

Frame answer(const Frame& request, bool& greeted, const std::string& product,
             const CompileFunction& compile) {
    if (request.type == MessageType::Hello) {
        const auto hello = fromFrame<Hello>(request);
        if (!hello)
            return failure("protocol", hello.error().message);
        Frame reply = greet(*hello, product);
        greeted = reply.type == MessageType::HelloReply;
        return reply;
    }
    if (request.type == MessageType::Quit)
        return toFrame(Done{}, 0);
    if (!greeted)
        return failure("protocol", "the first message must be Hello");
    if (request.type == MessageType::Build)
        return answerBuild(request, compile);
    return failure("protocol", base::concat("a build worker does not answer messages of type ",
                                            static_cast<int>(request.type)));
}

} // namespace

base::Result<void, base::Diagnostic> serveBuilder(int inFd, int outFd, const std::string& product,
                                                  const CompileFunction& compile) {
    FrameStream stream(inFd, outFd);
    bool greeted = false;
    while (true) {
        auto frame = stream.read();
        if (!frame) {
            stream.write(failure("protocol", frame.error().message));
            return base::Unexpected(frame.error());
        }
        if (!frame->has_value())
            return {};
        Frame reply = answer(**frame, greeted, product, compile);
        reply.id = (*frame)->id;
        if (!stream.write(reply) || (*frame)->type == MessageType::Quit)
            return {};
    }
}

} // namespace tilewright::runtime
