// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::session {

/// A connected stream socket that carries lines. Owned by one thread; closes on destruction.
class LineSocket {
public:
    explicit LineSocket(int descriptor) : descriptor_(descriptor) {}
    LineSocket(LineSocket&& other) noexcept;
    LineSocket& operator=(LineSocket&&) = delete;
    ~LineSocket();

    /// Connects to a path; nullopt when nobody listens there.
    static std::optional<LineSocket> connect(const std::filesystem::path& path);
    /// The next line without its end; nullopt at the end, on error, or after `timeout`.
    std::optional<std::string> readLine(std::chrono::milliseconds timeout);
    /// False when the peer is gone or does not take the line within a second.
    bool writeLine(std::string_view line);
    /// Whether the other end belongs to this process's user.
    [[nodiscard]] bool peerIsMe() const;
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
    std::string buffer_;
};

/// Listens at a path, replacing a socket that a dead process left; removes it on destruction.
/// Throws UserError (kind `session-socket`).
class ListeningSocket {
public:
    explicit ListeningSocket(std::filesystem::path path);
    ~ListeningSocket();
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;
    /// The next connection of this user; nullopt after `timeout`.
    std::optional<LineSocket> accept(std::chrono::milliseconds timeout);
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

} // namespace tilewright::session
