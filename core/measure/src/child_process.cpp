// SPDX-License-Identifier: Apache-2.0
#include <tilewright/measure/child_process.h>

#include <tilewright/base/concat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace tilewright::measure {

namespace {

/// A waiting thread looks at its stop token this often.
constexpr int kStopCheckMs = 20;
constexpr int kPipeBytes = 1 << 20;
constexpr off_t kMaxErrorBytes = 1 << 20;

class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { reset(); }
    [[nodiscard]] int get() const { return fd_; }
    void reset() {
        if (fd_ >= 0)
            ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_;
};

/// Blocks SIGPIPE in this thread and swallows one that a write raised: the process may rely on it.
class PipeSignalGuard {
public:
    PipeSignalGuard() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~PipeSignalGuard() {
        if (!sigismember(&before_, SIGPIPE)) {
            const timespec now{};
            while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    PipeSignalGuard(const PipeSignalGuard&) = delete;
    PipeSignalGuard& operator=(const PipeSignalGuard&) = delete;

private:
    sigset_t pipe_{};
    sigset_t before_{};
};

IoStatus waitFor(int fd, short events, Deadline deadline, const std::stop_token& stop) {
    while (true) {
        if (stop.stop_requested())
            return IoStatus::Stopped;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0)
            return IoStatus::Timeout;
        pollfd entry{fd, events, 0};
        const int ready =
            ::poll(&entry, 1, static_cast<int>(std::min<long long>(left.count(), kStopCheckMs)));
        if (ready > 0)
            return IoStatus::Done;
        if (ready < 0 && errno != EINTR)
            return IoStatus::Closed;
    }
}

/// Everything a child needs between vfork and exec, made before: there it may only call the system.
struct ChildPlan {
    std::string program;
    std::vector<char*> arguments;
    std::vector<char*> environment;
    std::vector<std::string> places; // where PATH may have it
    int in = -1;
    int out = -1;
    int error = -1;
    cpu_set_t cpus{};
    bool pinned = false;
    rlim_t memory = 0;
    bool dieWithThread = false;
    pid_t parent = 0;
    sigset_t signals{};
    volatile int failure = 0;
};

void execPlan(ChildPlan& plan) {
    ::setpgid(0, 0);
    if (plan.dieWithThread) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != plan.parent)
            ::_exit(127);
    }
    if (::dup2(plan.in, STDIN_FILENO) < 0 || ::dup2(plan.out, STDOUT_FILENO) < 0 ||
        (plan.error >= 0 && ::dup2(plan.error, STDERR_FILENO) < 0)) {
        plan.failure = errno;
        ::_exit(127);
    }
    // Whatever this process or a library of it left open without O_CLOEXEC.
    ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
    if (plan.pinned)
        ::sched_setaffinity(0, sizeof plan.cpus, &plan.cpus);
    if (plan.memory > 0) {
        const rlimit limit{plan.memory, plan.memory};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    // Handlers cannot be inherited, but ignored signals are: a worker starts with defaults.
    struct sigaction defaults {};
    defaults.sa_handler = SIG_DFL;
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGTSTP})
        ::sigaction(signal, &defaults, nullptr);
    ::sigprocmask(SIG_SETMASK, &plan.signals, nullptr);
    for (const std::string& place : plan.places) {
        ::execve(place.c_str(), plan.arguments.data(), plan.environment.data());
        if (errno != ENOENT && errno != ENOTDIR)
            break;
    }
    plan.failure = errno;
    ::_exit(127);
}

/// Runs the plan in a child that shares our memory until exec; forking an engine that holds
/// hundreds of megabytes would copy its page tables each time.
__attribute__((noinline)) pid_t startChild(ChildPlan& plan) {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &plan.signals);
    plan.parent = ::getpid();
    const pid_t child = ::vfork();
    if (child == 0)
        execPlan(plan);
    ::pthread_sigmask(SIG_SETMASK, &plan.signals, nullptr);
    return child;
}

std::vector<std::string> placesOf(const std::string& program) {
    if (program.find('/') != std::string::npos)
        return {program};
    std::vector<std::string> places;
    const char* path = ::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        places.push_back(base::concat(rest.substr(0, colon), '/', program));
        rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    }
    return places;
}

bool makePipe(Descriptor& readEnd, Descriptor& writeEnd) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    readEnd = Descriptor(ends[0]);
    writeEnd = Descriptor(ends[1]);
    // Kernels and tensors are larger than the usual 64 KiB; a refusal only costs time.
    ::fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);
    return true;
}

} // namespace

std::string ExitStatus::toString() const {
    if (signal != 0)
        return base::concat("signal ", signal, " (", ::strsignal(signal), ")");
    return base::concat("exit code ", code);
}

struct ChildProcess::State {
    pid_t process = -1;
    Descriptor input;
    Descriptor output;
    Descriptor errors;
    std::optional<ExitStatus> exit;
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this != &other) {
        if (state_)
            kill();
        state_ = std::move(other.state_);
    }
    return *this;
}
ChildProcess::~ChildProcess() {
    if (state_)
        kill();
}

base::Result<ChildProcess> ChildProcess::spawn(const SpawnOptions& options) {
    TW_CHECK(!options.command.empty());
    const auto refuse = [&](const char* what, int code) {
        return base::Unexpected(
            base::Diagnostic("spawn", base::concat(what, ": ", std::strerror(code), ": ",
                                                   base::join(options.command, " "))));
    };
    auto state = std::make_unique<State>();
    Descriptor childIn;
    Descriptor childOut;
    if (!makePipe(childIn, state->input) || !makePipe(state->output, childOut))
        return refuse("no pipe for a child process", errno);
    ChildPlan plan;
    if (options.captureErrors) {
        state->errors = Descriptor(::memfd_create("tilewright-errors", MFD_CLOEXEC));
        if (state->errors.get() >= 0) {
            ::fcntl(state->errors.get(), F_SETFL, O_APPEND);
            plan.error = state->errors.get();
        }
    }
    plan.in = childIn.get();
    plan.out = childOut.get();
    plan.places = placesOf(options.command.front());
    for (const std::string& argument : options.command)
        plan.arguments.push_back(const_cast<char*>(argument.c_str()));
    plan.arguments.push_back(nullptr);
    // Later entries would lose against earlier ones of the same name in getenv.
    for (const std::string& entry : options.environment)
        plan.environment.push_back(const_cast<char*>(entry.c_str()));
    for (char** entry = environ; *entry != nullptr; ++entry)
        plan.environment.push_back(*entry);
    plan.environment.push_back(nullptr);
    CPU_ZERO(&plan.cpus);
    for (const int cpu : options.cpus)
        if (cpu >= 0 && cpu < CPU_SETSIZE)
            CPU_SET(cpu, &plan.cpus);
    plan.pinned = !options.cpus.empty();
    plan.memory = static_cast<rlim_t>(options.memoryLimitBytes);
    plan.dieWithThread = options.dieWithThread;
    state->process = startChild(plan);
    if (state->process < 0)
        return refuse("no child process can be made", errno);
    if (plan.failure != 0) {
        ::waitpid(state->process, nullptr, 0);
        return refuse("the program cannot be started", plan.failure);
    }
    ::fcntl(state->input.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(state->output.get(), F_SETFL, O_NONBLOCK);
    return ChildProcess(std::move(state));
}

int ChildProcess::processId() const {
    return state_->process;
}

IoStatus ChildProcess::write(std::string_view bytes, Deadline deadline,
                             const std::stop_token& stop) {
    const PipeSignalGuard guard;
    while (!bytes.empty()) {
        const ssize_t written = ::write(state_->input.get(), bytes.data(), bytes.size());
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
            continue;
        }
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0 || errno != EAGAIN)
            return IoStatus::Closed;
        const IoStatus status = waitFor(state_->input.get(), POLLOUT, deadline, stop);
        if (status != IoStatus::Done)
            return status;
    }
    return IoStatus::Done;
}

IoStatus ChildProcess::read(std::string& buffer, Deadline deadline, const std::stop_token& stop) {
    std::array<char, 1 << 16> block;
    while (true) {
        const ssize_t got = ::read(state_->output.get(), block.data(), block.size());
        if (got > 0) {
            buffer.append(block.data(), static_cast<std::size_t>(got));
            return IoStatus::Done;
        }
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0 || errno != EAGAIN)
            return IoStatus::Closed;
        const IoStatus status = waitFor(state_->output.get(), POLLIN, deadline, stop);
        if (status != IoStatus::Done)
            return status;
    }
}

void ChildProcess::closeInput() {
    state_->input.reset();
}

namespace {

ExitStatus statusOf(int word) {
    if (WIFSIGNALED(word))
        return {-1, WTERMSIG(word)};
    return {WEXITSTATUS(word), 0};
}

} // namespace

std::optional<ExitStatus> ChildProcess::poll() {
    if (!state_->exit) {
        int word = 0;
        const pid_t ended = ::waitpid(state_->process, &word, WNOHANG);
        if (ended == state_->process)
            state_->exit = statusOf(word);
        else if (ended < 0 && errno != EINTR)
            state_->exit = ExitStatus{};
    }
    return state_->exit;
}

std::optional<ExitStatus> ChildProcess::wait(Deadline deadline) {
    auto pause = std::chrono::microseconds(50);
    while (!poll() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(5000));
    }
    return state_->exit;
}

ExitStatus ChildProcess::kill() {
    // The group outlives its leader when the command was a shell or a wrapper.
    if (!state_->exit)
        ::kill(-state_->process, SIGKILL);
    while (!state_->exit) {
        int word = 0;
        const pid_t ended = ::waitpid(state_->process, &word, 0);
        if (ended == state_->process)
            state_->exit = statusOf(word);
        else if (errno != EINTR)
            state_->exit = ExitStatus{};
    }
    return *state_->exit;
}

std::string ChildProcess::errorTail(std::size_t bytes) const {
    const int fd = state_->errors.get();
    struct stat info {};
    if (fd < 0 || ::fstat(fd, &info) != 0 || info.st_size <= 0)
        return {};
    const auto size = static_cast<std::size_t>(info.st_size);
    std::string text(std::min(size, bytes), '\0');
    const ssize_t got =
        ::pread(fd, text.data(), text.size(), static_cast<off_t>(size - text.size()));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

void ChildProcess::trimErrors() {
    struct stat info {};
    const int fd = state_->errors.get();
    if (fd >= 0 && ::fstat(fd, &info) == 0 && info.st_size > kMaxErrorBytes &&
        ::ftruncate(fd, 0) != 0)
        state_->errors.reset();
}

std::string findProgram(const std::string& name, const std::string& folder) {
    std::vector<std::string> folders;
    if (!folder.empty())
        folders.push_back(folder);
    std::array<char, PATH_MAX> self{};
    const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size() - 1);
    if (length > 0) {
        std::string own(self.data(), static_cast<std::size_t>(length));
        own.erase(own.find_last_of('/') + 1);
        folders.push_back(own);
        folders.push_back(own + "../libexec/tilewright");
        folders.push_back(own + "../bin");
    }
    for (const std::string& place : folders) {
        const std::string path = base::concat(place, '/', name);
        if (::access(path.c_str(), X_OK) == 0)
            return path;
    }
    return name;
}

} // namespace tilewright::measure
