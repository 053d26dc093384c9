// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/profile_report.h>
#include <tilewright/ui/async_source.h>
#include <tilewright/ui/child_command.h>

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace tilewright::ui {

/// What the Profile page shows of a work directory.
struct ProfileSnapshot {
    std::vector<session::ProfileReport> profiles; ///< newest first
    std::optional<session::SearchProfile> search;
};
using ProfileSnapshotPtr = std::shared_ptr<const ProfileSnapshot>;

/// Profiles of whole models: stored ones, and making new ones in a child process.
class ProfileSource : public AsyncSource {
    Q_OBJECT

public:
    explicit ProfileSource(QObject* parent = nullptr);
    ~ProfileSource() override;

    /// Reads what is stored; answered by ready() or failed().
    void read(const QString& workDir, qint64 session);
    void close();
    [[nodiscard]] ProfileSnapshotPtr snapshot() const { return snapshot_; }

    /// Compiles the input with the best records of a work directory and profiles it; answered by
    /// profiled() or profileFailed(). The result is stored unless an engine owns the directory;
    /// then it is kept here until the window is closed.
    void run(const QString& input, const QString& workDir, const QString& target,
             double seconds = 1.5);
    void cancel();
    [[nodiscard]] bool isRunning() const { return child_.isRunning(); }
    [[nodiscard]] qint64 elapsed() const { return child_.elapsed(); }
    /// The same as a command line.
    [[nodiscard]] static QString commandLine(const QString& input, const QString& workDir,
                                             const QString& target);
    /// A profile's timeline for Chrome's viewer.
    [[nodiscard]] static QByteArray chromeTrace(const session::ProfileReport& report);

signals:
    void ready();
    void failed(const QString& message);
    void started();
    /// The newest profile is the first of the snapshot.
    void profiled(bool stored);
    /// Cancelled when the message is empty.
    void profileFailed(const QString& message);

private:
    void take(const QByteArray& output);

    ProfileSnapshotPtr snapshot_;
    ChildCommand child_;
    QString input_;
    QString workDir_;
    QString target_;
};

} // namespace tilewright::ui
