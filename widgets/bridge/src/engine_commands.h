// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/async_source.h>

#include <QStringList>

#include <functional>

namespace tilewright::ui {

/// What is said to engines, and how they are started, in a worker thread.
class EngineCommands : public AsyncSource {
    Q_OBJECT

public:
    explicit EngineCommands(QObject* parent = nullptr) : AsyncSource(parent) {}

    /// Starts the program as a process of its own that outlives this one; its standard error goes
    /// to a new file below `logs/` of the work directory, of which the newest five are kept.
    void start(const QString& program, const QStringList& arguments, const QString& workDir,
               const QString& directory);
    /// Works out how a stored session (-1 = the newest) goes on.
    void
    planAgain(const QString& workDir, qint64 session,
              std::function<void(const QStringList& arguments, const QString& directory)> done);
    /// Sends `pause`, `resume`, `stop` or `cancel`.
    void ask(const QString& workDir, const QString& command);
    void orderTask(const QString& workDir, const QString& order, const QString& task);

signals:
    void started(const QString& workDir, qint64 pid, const QString& log);
    void failed(const QString& message);

private:
    int nextTag_ = 0; ///< every command counts: none replaces another
};

} // namespace tilewright::ui
