// SPDX-License-Identifier: Apache-2.0
// A build worker that compiles nothing: what it does is the name of the function it is asked for.
#include <tilewright/runtime/builder_agent.h>
#include <tilewright/runtime/parent_watch.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

using namespace tilewright::runtime;

namespace {

tilewright::base::Result<Built, Failure> compile(const Build& request) {
    if (request.function == "build_crash")
        std::abort();
    if (request.function == "build_hang")
        while (true)
            ::sleep(1);
    if (request.function == "build_refuse")
        return tilewright::base::Unexpected(Failure{"build", "no such instruction"});
    if (request.function == "build_throw")
        throw std::runtime_error("thrown while compiling");
    std::ifstream file(std::getenv("TW_FAKE_IMAGE"), std::ios::binary);
    std::ostringstream image;
    image << file.rdbuf();
    Built built;
    built.image = image.str();
    built.function = request.function;
    return built;
}

} // namespace

int main() {
    const int out = claimStandardOutput();
    endWithParent(STDIN_FILENO);
    return serveBuilder(STDIN_FILENO, out, "fake-builder", compile) ? 0 : 1;
}
