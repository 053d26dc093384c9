// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/run_isolated.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::session {

namespace {

json::Value failure(std::string_view kind, std::string_view message) {
    json::Object object;
    object.set("kind", kind);
    object.set("message", message);
    return json::Value(json::Object{{"error", json::Value(std::move(object))}});
}

json::Value outcomeOf(const std::function<json::Value()>& work) {
    try {
        return json::Value(json::Object{{"result", work()}});
    } catch (const base::UserError& error) {
        std::string places;
        for (const base::Location& location : error.diagnostic().locations)
            places += base::toString(location) + ": ";
        return failure(error.diagnostic().kind, places + error.diagnostic().message);
    } catch (const std::exception& error) {
        return failure("internal", error.what());
    }
}

[[noreturn]] void runChild(int descriptor, pid_t parent, const std::function<json::Value()>& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(1);
    const std::string text = json::dump(outcomeOf(work));
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        done += static_cast<std::size_t>(written);
    }
    // Exit handlers and static destructors are the parent's business.
    ::_exit(0);
}

std::string readAll(int descriptor) {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

std::string endOf(int status) {
    if (WIFSIGNALED(status))
        return base::concat("ended by signal ", WTERMSIG(status), " (",
                            ::strsignal(WTERMSIG(status)), ")");
    return base::concat("ended with exit code ", WEXITSTATUS(status), " without a result");
}

} // namespace

json::Value runIsolated(std::string_view what, const std::function<json::Value()>& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw base::UserError("spawn", base::concat("no pipe: ", std::strerror(errno)));
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        const int code = errno;
        ::close(ends[0]);
        ::close(ends[1]);
        throw base::UserError("spawn", base::concat("no child process: ", std::strerror(code)));
    }
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], parent, work);
    }
    ::close(ends[1]);
    const std::string text = readAll(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty())
        throw base::UserError("run-crash", base::concat(what, " ", endOf(status)));
    json::Value outcome = json::parse(text, "the child's result");
    if (const json::Value* error = outcome.find("error"))
        throw base::UserError(error->at("kind").asString(), error->at("message").asString());
    return outcome.at("result");
}

} // namespace tilewright::session
