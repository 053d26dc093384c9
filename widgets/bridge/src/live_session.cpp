// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/live_session.h>

#include "engine_commands.h"
#include "session_follower.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <utility>

namespace tilewright::ui {

struct LiveSession::Private {
    QString workDir;
    qint64 session = -1;
    LiveSnapshotPtr snapshot;
    QString state;
    QString problem;
    QString logFile;
    bool engineAlive = false;
    bool replaying = false;
    bool starting = false;
    quint64 generation = 0; ///< reports of an older follower are dropped
    std::unique_ptr<SessionFollower> follower;
    std::vector<std::thread> ending; ///< followers on their way out
    EngineCommands* commands = nullptr;
};

LiveSession::LiveSession(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    d_->commands = new EngineCommands(this);
    connect(d_->commands, &EngineCommands::failed, this, [this](const QString& message) {
        d_->starting = false;
        emit commandFailed(message);
        deriveState();
    });
    connect(d_->commands, &EngineCommands::started, this,
            [this](const QString& workDir, qint64 pid, const QString& log) {
                d_->logFile = log;
                if (workDir == d_->workDir && d_->follower)
                    d_->follower->expectEngine(pid, log.toStdString());
            });
}

LiveSession::~LiveSession() {
    ++d_->generation;
    retireFollower();
    for (std::thread& thread : d_->ending)
        thread.join();
}

/// Ending takes up to a fifth of a second: not in the window's thread.
void LiveSession::retireFollower() {
    if (!d_->follower)
        return;
    d_->ending.emplace_back([old = std::shared_ptr<SessionFollower>(
                                 std::move(d_->follower))]() mutable { old.reset(); });
    constexpr std::size_t most = 8;
    if (d_->ending.size() > most) {
        d_->ending.front().join();
        d_->ending.erase(d_->ending.begin());
    }
}

QString LiveSession::workDir() const {
    return d_->workDir;
}
QString LiveSession::state() const {
    return d_->state;
}
bool LiveSession::engineAlive() const {
    return d_->engineAlive;
}
LiveSnapshotPtr LiveSession::snapshot() const {
    return d_->snapshot;
}
QString LiveSession::problem() const {
    return d_->problem;
}
QString LiveSession::logFile() const {
    return d_->logFile;
}

void LiveSession::setState(const QString& state) {
    if (state == d_->state)
        return;
    d_->state = state;
    emit stateChanged(state);
}

void LiveSession::deriveState() {
    if (d_->workDir.isEmpty())
        return setState({});
    if (!d_->problem.isEmpty())
        return setState(QStringLiteral("unreadable"));
    if (d_->replaying)
        return setState(QStringLiteral("replay"));
    if (d_->starting)
        return setState(QStringLiteral("queued"));
    if (!d_->snapshot)
        return setState(QStringLiteral("loading"));
    const QString state = QString::fromStdString(d_->snapshot->state);
    if (state.isEmpty())
        return setState(QStringLiteral("draft"));
    const bool ending = d_->snapshot->asked == "stop" || d_->snapshot->asked == "cancel";
    if (ending && (state == QLatin1String("running") || state == QLatin1String("paused")))
        return setState(QStringLiteral("stopping"));
    setState(state);
}

void LiveSession::take(LiveSnapshotPtr snapshot) {
    d_->snapshot = std::move(snapshot);
    if (d_->engineAlive)
        d_->starting = false;
    emit snapshotChanged();
    deriveState();
}

void LiveSession::makeFollower() {
    retireFollower();
    const quint64 generation = ++d_->generation;
    // Reports come from the follower's thread; each is carried to this one.
    const auto carry = [this, generation](auto work) {
        QMetaObject::invokeMethod(this, [this, generation, work = std::move(work)] {
            if (generation == d_->generation)
                work();
        });
    };
    SessionFollower::Reports reports;
    reports.snapshot = [=, this](session::LiveSnapshotPtr snapshot) {
        carry([this, snapshot] { take(snapshot); });
    };
    reports.engine = [=, this](bool alive) {
        carry([this, alive] {
            d_->engineAlive = alive;
            d_->starting = d_->starting && !alive;
            emit engineAliveChanged(alive);
            deriveState();
        });
    };
    reports.lost = [=, this](const std::string& why) {
        carry([this, why] {
            emit engineLost(why.empty() ? tr("The engine ended without a word. Every finished "
                                             "trial is kept.")
                                        : QString::fromStdString(why));
        });
    };
    reports.unreadable = [=, this](const std::string& message) {
        carry([this, message] {
            d_->problem = QString::fromStdString(message);
            deriveState();
        });
    };
    reports.startFailed = [=, this](const std::string& message) {
        carry([this, message] {
            d_->starting = false;
            deriveState();
            if (message.empty())
                return;
            emit commandFailed(
                tr("The engine did not start: %1").arg(QString::fromStdString(message)));
        });
    };
    reports.replayed = [=, this] {
        carry([this] {
            d_->replaying = false;
            deriveState();
        });
    };
    const database::SessionId session(d_->session);
    d_->follower = std::make_unique<SessionFollower>(d_->workDir.toStdString(), session, reports);
}

void LiveSession::openAs(const QString& workDir, qint64 session) {
    d_->workDir = workDir;
    d_->session = session;
    d_->snapshot.reset();
    d_->problem.clear();
    d_->engineAlive = false;
    d_->replaying = false;
    d_->starting = false;
    emit snapshotChanged();
}

void LiveSession::open(const QString& workDir) {
    if (workDir == d_->workDir && d_->follower && !d_->replaying)
        return;
    openAs(workDir, -1);
    if (workDir.isEmpty()) {
        ++d_->generation;
        retireFollower();
    } else {
        makeFollower();
        d_->follower->follow();
    }
    deriveState();
}

void LiveSession::showSession(qint64 session) {
    if (session == d_->session || d_->workDir.isEmpty() || d_->replaying)
        return;
    d_->session = session;
    makeFollower();
    d_->follower->follow();
}

void LiveSession::start(const QStringList& tuneArguments, const QString& workDir) {
    startIn(tuneArguments, workDir, {});
}

void LiveSession::startIn(QStringList arguments, const QString& workDir, const QString& directory) {
    if (!arguments.isEmpty() && arguments.constFirst() == QLatin1String("tune"))
        arguments.removeFirst();
    const qsizetype given = arguments.indexOf(QStringLiteral("--work-dir"));
    if (given >= 0)
        arguments.remove(given, std::min<qsizetype>(2, arguments.size() - given));
    arguments.prepend(QStringLiteral("tune"));
    arguments << QStringLiteral("--work-dir") << workDir << QStringLiteral("--quiet");
    if (workDir != d_->workDir || d_->session >= 0 || d_->replaying || !d_->follower) {
        openAs(workDir, -1);
        makeFollower();
        d_->follower->follow();
    }
    d_->starting = true;
    deriveState();
    d_->commands->start(enginePath(), arguments, workDir, directory);
}

void LiveSession::startAgain() {
    if (d_->workDir.isEmpty())
        return;
    d_->commands->planAgain(d_->workDir, d_->session,
                            [this](const QStringList& arguments, const QString& directory) {
                                startIn(arguments, d_->workDir, directory);
                            });
}

void LiveSession::pause() {
    d_->commands->ask(d_->workDir, QStringLiteral("pause"));
}
void LiveSession::resume() {
    d_->commands->ask(d_->workDir, QStringLiteral("resume"));
}
void LiveSession::stop() {
    d_->commands->ask(d_->workDir, QStringLiteral("stop"));
}
void LiveSession::cancel() {
    d_->commands->ask(d_->workDir, QStringLiteral("cancel"));
}
void LiveSession::taskCommand(const QString& verb, const QString& task) {
    d_->commands->orderTask(d_->workDir,
                            verb == QLatin1String("thaw") ? QStringLiteral("resume") : verb, task);
}

void LiveSession::replay(const QString& workDir, double speed) {
    openAs(workDir, -1);
    d_->replaying = true;
    makeFollower();
    d_->follower->replay(speed);
    deriveState();
}

QString LiveSession::enginePath() {
    const QString wished = qEnvironmentVariable("TILEWRIGHT");
    if (!wished.isEmpty())
        return wished;
    const QString beside =
        QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("tilewright"));
    if (QFileInfo(beside).isExecutable())
        return beside;
    return QStandardPaths::findExecutable(QStringLiteral("tilewright"));
}

} // namespace tilewright::ui
