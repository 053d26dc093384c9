// SPDX-License-Identifier: Apache-2.0
#include "store_error.h"

#include <tilewright/base/concat.h>
#include <tilewright/database/session_rows.h>
#include <tilewright/database/work_dir.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tilewright::database {
namespace {

std::string firstLine(const char* file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

} // namespace

std::filesystem::path storeFile(const std::filesystem::path& workDir) {
    return workDir.extension() == ".twdb" && !std::filesystem::is_directory(workDir)
               ? workDir
               : workDir / kStoreFileName;
}

bool isNetworkFileSystem(std::int64_t magic) {
    constexpr std::array<std::int64_t, 10> kNetwork = {
        0x6969,     // NFS
        0x517B,     // SMB
        0xFF534D42, // CIFS
        0xFE534D42, // SMB2
        0x5346414F, // AFS
        0x73757245, // Coda
        0x00C36400, // Ceph
        0x0BD00BD0, // Lustre
        0x47504653, // GPFS
        0x7461636F, // OCFS2
    };
    for (const std::int64_t network : kNetwork)
        if ((magic & 0xFFFFFFFF) == network)
            return true;
    return false;
}

void requireLocalFileSystem(const std::filesystem::path& dir) {
    struct statfs info {};
    if (::statfs(dir.c_str(), &info) == 0 && isNetworkFileSystem(info.f_type))
        refuseStore("database-network", dir,
                    "the folder is on a network file system, where a database can be damaged; "
                    "use a local folder and copy it afterwards (db backup)");
}

DirectoryLock::DirectoryLock(const std::filesystem::path& dir, std::chrono::milliseconds patience) {
    descriptor_ = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0)
        refuseStore(errno == ENOENT ? "database-missing" : "database-unreadable", dir,
                    base::concat("the work directory cannot be opened: ", std::strerror(errno)));
    const auto giveUp = std::chrono::steady_clock::now() + patience;
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error == EINTR)
            continue;
        if (error == EWOULDBLOCK && std::chrono::steady_clock::now() < giveUp) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            continue;
        }
        ::close(std::exchange(descriptor_, -1));
        if (error != EWOULDBLOCK)
            refuseStore(
                "database-readonly", dir,
                base::concat("the work directory cannot be locked: ", std::strerror(error)));
        const auto pid = owner(dir);
        refuseStore("database-locked", dir / kStoreFileName,
                    base::concat("the work directory is in use by ",
                                 pid ? base::concat("process ", *pid) : "another process",
                                 "; stop it (session stop), or watch it (session events)"));
    }
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

DirectoryLock::~DirectoryLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::optional<int> DirectoryLock::owner(const std::filesystem::path& dir) {
    struct stat status {};
    if (::stat(dir.c_str(), &status) != 0)
        return std::nullopt;
    // A line is `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`.
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, advisory, access, place;
        int pid = 0;
        words >> number >> kind >> advisory >> access >> pid >> place;
        if (kind != "FLOCK" || pid <= 0)
            continue;
        unsigned deviceMajor = 0, deviceMinor = 0;
        unsigned long inode = 0;
        if (std::sscanf(place.c_str(), "%x:%x:%lu", &deviceMajor, &deviceMinor, &inode) == 3 &&
            inode == status.st_ino && deviceMajor == major(status.st_dev) &&
            deviceMinor == minor(status.st_dev))
            return pid;
    }
    return std::nullopt;
}

bool isAlive(const Heartbeat& heartbeat) {
    if (heartbeat.pid <= 0 || heartbeat.bootId != firstLine("/proc/sys/kernel/random/boot_id"))
        return false;
    return ::kill(heartbeat.pid, 0) == 0 || errno == EPERM;
}

Heartbeat ownHeartbeat() {
    Heartbeat heartbeat;
    heartbeat.pid = ::getpid();
    heartbeat.bootId = firstLine("/proc/sys/kernel/random/boot_id");
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) == 0)
        heartbeat.host = name.data();
    heartbeat.timeMs = std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count();
    return heartbeat;
}

} // namespace tilewright::database
