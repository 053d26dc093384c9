// SPDX-License-Identifier: Apache-2.0
#include <tilewright/base/concat.h>
#include <tilewright/codegen/compile.h>
#include <tilewright/ir/parser.h>
#include <tilewright/runtime/builder_agent.h>
#include <tilewright/runtime/parent_watch.h>
#include <tilewright/runtime/runner_agent.h>
#include <tilewright/target/parse_target.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <unistd.h>

namespace {

using namespace tilewright;
using Clock = std::chrono::steady_clock;

constexpr const char* kProduct = "tilewright-builder " TW_VERSION;

constexpr const char* kUsage =
    "tilewright-builder: compiles candidates for a tilewright engine.\n"
    "\n"
    "usage: tilewright-builder [--version] [--help]\n"
    "\n"
    "Reads requests from standard input and answers on standard output in tilewright's framed\n"
    "protocol; it is started by the engine.\n";

codegen::CodegenOptions optionsOf(const std::vector<std::string>& texts) {
    codegen::CodegenOptions options;
    for (const std::string& text : texts) {
        if (text == "effort=full")
            options.effort = codegen::Effort::Full;
        else if (text == "effort=quick")
            options.effort = codegen::Effort::Quick;
        else if (text == "verify=on")
            options.verify = true;
        else if (text != "verify=off")
            throw base::UserError("build", base::concat("unknown build option \"", text,
                                                        "\"; accepted are effort=quick|full, "
                                                        "verify=on|off"));
    }
    return options;
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Keeps the target of the last request: candidates of a batch share it.
class Compiler {
public:
    base::Result<runtime::Built, runtime::Failure> operator()(const runtime::Build& request) {
        const auto start = Clock::now();
        if (request.target != targetText_) {
            target_ = target::parseTarget(request.target);
            targetText_ = request.target;
        }
        const ir::Module module = ir::parseModule(request.script, "candidate");
        runtime::Built built;
        built.parseSeconds = secondsSince(start);
        auto object = codegen::compileModule(module, target_, optionsOf(request.options));
        built.compileSeconds = secondsSince(start) - built.parseSeconds;
        if (!object)
            return base::Unexpected(runtime::Failure{"build", object.error().toString()});
        built.function = object->entry.empty() ? request.function : object->entry;
        built.image = std::move(object->bytes);
        built.residentBytes = runtime::residentBytes();
        return built;
    }

private:
    std::string targetText_ = "llvm";
    target::Target target_;
};

int usageError(const char* what) {
    std::fprintf(stderr, "tilewright-builder: %s\n%s", what, kUsage);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::printf("%s, LLVM %s\n", kProduct, codegen::llvmVersion().c_str());
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
        std::fputs(kUsage, stdout);
        return 0;
    }
    if (argc > 1)
        return usageError("unknown argument");
    if (::isatty(STDIN_FILENO))
        return usageError("standard input is a terminal; an engine starts this program");
    const int out = runtime::claimStandardOutput();
    if (out < 0)
        return usageError("standard output is closed");
    runtime::endWithParent(STDIN_FILENO);
    int code = 0;
    try {
        Compiler compiler;
        const auto served = runtime::serveBuilder(STDIN_FILENO, out, kProduct,
                                                  [&](const auto& m) { return compiler(m); });
        if (!served) {
            std::fprintf(stderr, "tilewright-builder: %s\n", served.error().message.c_str());
            code = 3;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tilewright-builder: %s\n", error.what());
        code = 70;
    }
    std::fflush(stderr);
    // The compiler's global destructors take longer than a build.
    ::_exit(code);
}
