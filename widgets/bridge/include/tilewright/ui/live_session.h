// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace tilewright::session {
struct LiveSnapshot;
} // namespace tilewright::session

namespace tilewright::ui {

using LiveSnapshotPtr = std::shared_ptr<const session::LiveSnapshot>;

/// The session of a work directory, followed: from the store when nothing runs, from the engine
/// when one does. The engine is a process of its own that outlives the window. Lives in the
/// window's thread; nothing here blocks.
///
/// States: empty (nothing open), `loading`, `unreadable` (see problem()), `draft` (a directory
/// without a session), `queued` (an engine was started and does not answer yet), `running`,
/// `paused`, `stopping`, `stopped`, `finished`, `failed`, `interrupted` (the engine is gone without
/// a word), `replay`.
class LiveSession : public QObject {
    Q_OBJECT

public:
    explicit LiveSession(QObject* parent = nullptr);
    ~LiveSession() override;

    /// Shows a work directory (or a `.twdb` file): attaches when its engine is alive, else shows
    /// what is stored. Never starts work. An empty path closes.
    void open(const QString& workDir);
    [[nodiscard]] QString workDir() const;
    [[nodiscard]] QString state() const;
    /// Whether an engine is at work on the directory now.
    [[nodiscard]] bool engineAlive() const;
    /// What is known now; null before the first answer.
    [[nodiscard]] LiveSnapshotPtr snapshot() const;
    /// Why the directory cannot be read; empty when it can.
    [[nodiscard]] QString problem() const;
    /// Which of the directory's sessions is shown; -1 = the newest one.
    void showSession(qint64 session);

    /// Starts `tilewright tune …` with these arguments (without `tune` and `--work-dir`) as a
    /// process of its own and follows it.
    void start(const QStringList& tuneArguments, const QString& workDir);
    /// Goes on with the session that is shown (stopped or interrupted) with its own parameters.
    void startAgain();
    void pause();
    void resume();
    /// Ends after the batch in flight.
    void stop();
    /// Ends at once; what is in flight is not kept.
    void cancel();
    /// `verb`: skip, freeze, boost, thaw.
    void taskCommand(const QString& verb, const QString& task);

    /// Feeds a finished session through the same path as a live one, `speed` times as fast.
    void replay(const QString& workDir, double speed = 10);

    /// The program that is started: `$TILEWRIGHT`, else `tilewright` beside this program, else from
    /// the path. Empty when there is none.
    [[nodiscard]] static QString enginePath();
    /// Where the engine's standard error goes, for *Open log*.
    [[nodiscard]] QString logFile() const;

signals:
    /// At most four times a second.
    void snapshotChanged();
    void stateChanged(const QString& state);
    /// The engine ended without saying so: what is stored is kept, startAgain() goes on.
    void engineLost(const QString& why);
    void commandFailed(const QString& message);

    void engineAliveChanged(bool alive);

private:
    struct Private;
    void setState(const QString& state);
    void deriveState();
    void take(LiveSnapshotPtr snapshot);
    void makeFollower();
    void retireFollower();
    void openAs(const QString& workDir, qint64 session);
    void startIn(QStringList arguments, const QString& workDir, const QString& directory);
    std::unique_ptr<Private> d_;
};

} // namespace tilewright::ui
