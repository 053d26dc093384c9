// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::database {

inline constexpr const char* kStoreFileName = "tuning.twdb";
inline constexpr const char* kTvmWorkloadFile = "database_workload.json";
inline constexpr const char* kTvmRecordFile = "database_tuning_record.json";

/// The store of a work directory; a path that already ends in `.twdb` is itself.
std::filesystem::path storeFile(const std::filesystem::path& workDir);

/// True for NFS, SMB, AFS, Ceph, Lustre and the like, where SQLite's locks and shared memory are
/// not reliable. `magic` is statfs' f_type.
bool isNetworkFileSystem(std::int64_t magic);
/// Throws UserError (kind `database-network`) when the directory is on such a file system.
void requireLocalFileSystem(const std::filesystem::path& dir);

/// The right to write a work directory: held by one process at a time, let go when it ends however
/// it ends. Movable. Child processes must not inherit it past exec.
class DirectoryLock {
public:
    /// Waits up to `patience` for a process that is just dying. Throws UserError: `database-locked`
    /// naming the owner's pid, `database-readonly`, `database-missing` when the directory is not
    /// there, `database-network`.
    explicit DirectoryLock(const std::filesystem::path& dir,
                           std::chrono::milliseconds patience = std::chrono::milliseconds(1500));
    DirectoryLock(DirectoryLock&& other) noexcept;
    DirectoryLock& operator=(DirectoryLock&& other) noexcept;
    ~DirectoryLock();

    /// The pid that holds a directory's lock now, if any; does not take it.
    static std::optional<int> owner(const std::filesystem::path& dir);

private:
    int descriptor_ = -1;
};

} // namespace tilewright::database
