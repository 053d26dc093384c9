// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace tilewright::ui {

/// A command of `tilewright` that takes seconds (peaks, profile, device test), run as a child
/// process: it cannot block, crash or slow down the window. One at a time; lives in the window's
/// thread. The child ends with this object.
class ChildCommand : public QObject {
    Q_OBJECT

public:
    explicit ChildCommand(QObject* parent = nullptr);
    ~ChildCommand() override;

    /// Starts `tilewright <arguments>`; what ran before is cancelled. Answered by finished() or
    /// failed(), exactly once.
    void start(const QStringList& arguments);
    /// Ends the child; failed() says so with an empty message.
    void cancel();
    [[nodiscard]] bool isRunning() const { return running_; }
    /// Since start(), in ms.
    [[nodiscard]] qint64 elapsed() const { return running_ ? timer_.elapsed() : 0; }

signals:
    void started();
    /// It ended; `output` is its standard output, `exitCode` as the command line documents.
    void finished(const QByteArray& output, int exitCode);
    /// It could not be started, crashed, or was cancelled (empty message).
    void failed(const QString& message);

private:
    void ended(int exitCode, QProcess::ExitStatus status);
    void end();

    QProcess* process_ = nullptr;
    QElapsedTimer timer_;
    bool running_ = false;
};

/// What a command that failed wrote to standard error: its last line without `tilewright: `.
QString lastErrorLine(const QByteArray& text);

} // namespace tilewright::ui
