// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_commands.h"

#include <tilewright/base/diagnostic.h>
#include <tilewright/database/store_reader.h>
#include <tilewright/session/control_socket.h>
#include <tilewright/session/plan_session.h>

#include <QDateTime>
#include <QDir>
#include <QProcess>

#include <stdexcept>

namespace tilewright::ui {

namespace {

struct Started {
    qint64 pid = 0;
    QString log;
};

/// A new log file; of the older ones the newest four stay.
QString newLog(const QString& workDir) {
    QDir dir(workDir);
    if (!dir.mkpath(QStringLiteral("logs")) || !dir.cd(QStringLiteral("logs")))
        throw std::runtime_error(
            EngineCommands::tr("%1: no folder for logs can be made").arg(workDir).toStdString());
    const QStringList known =
        dir.entryList({QStringLiteral("engine-*.log")}, QDir::Files, QDir::Name);
    for (qsizetype i = 0; i + 4 < known.size(); ++i)
        dir.remove(known.at(i));
    const QString time =
        QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    return dir.absoluteFilePath(QStringLiteral("engine-%1.log").arg(time));
}

Started startDetached(const QString& program, const QStringList& arguments, const QString& workDir,
                      const QString& directory) {
    if (program.isEmpty())
        throw std::runtime_error(
            EngineCommands::tr("The program tilewright was found neither beside this one nor in "
                               "the path.")
                .toStdString());
    Started started;
    started.log = newLog(workDir);
    QProcess process;
    process.setProgram(program);
    process.setArguments(arguments);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(started.log);
    if (!directory.isEmpty() && QDir(directory).exists())
        process.setWorkingDirectory(directory);
    if (!process.startDetached(&started.pid))
        throw std::runtime_error(EngineCommands::tr("%1 cannot be started: %2")
                                     .arg(program, process.errorString())
                                     .toStdString());
    return started;
}

/// Throws what the engine answers instead of yes.
bool say(const QString& workDir, json::Object request) {
    const auto answer = session::askEngine(session::controlSocketPath(workDir.toStdString()),
                                           json::Value(std::move(request)));
    if (!answer)
        throw std::runtime_error(
            EngineCommands::tr("No engine works on this directory now.").toStdString());
    const json::Value* ok = answer->find("ok");
    const json::Value* error = answer->find("error");
    if (!ok || !ok->isBool() || !ok->asBool())
        throw std::runtime_error(error && error->isString() ? error->asString() : "refused");
    return true;
}

} // namespace

void EngineCommands::start(const QString& program, const QStringList& arguments,
                           const QString& workDir, const QString& directory) {
    request<Started>(
        nextTag_++, [=] { return startDetached(program, arguments, workDir, directory); },
        [this, workDir](const Started& outcome) {
            emit started(workDir, outcome.pid, outcome.log);
        },
        [this](const QString& message) { emit failed(message); });
}

void EngineCommands::planAgain(
    const QString& workDir, qint64 session,
    std::function<void(const QStringList& arguments, const QString& directory)> done) {
    request<session::SessionPlan>(
        nextTag_++,
        [workDir, session] {
            const database::StoreReader reader(workDir.toStdString());
            const database::Session* chosen = nullptr;
            const std::vector<database::Session> sessions = reader.sessions();
            for (const database::Session& known : sessions)
                if (session < 0 || known.id.value == session)
                    chosen = &known;
            if (!chosen)
                throw std::runtime_error(
                    EngineCommands::tr("There is no session to go on with.").toStdString());
            return session::planOfSession(*chosen, workDir.toStdString());
        },
        [done = std::move(done)](const session::SessionPlan& plan) {
            QStringList arguments;
            for (const std::string& argument : session::tuneArguments(plan))
                arguments.append(QString::fromStdString(argument));
            done(arguments, QString::fromStdString(plan.directory.string()));
        },
        [this](const QString& message) { emit failed(message); });
}

void EngineCommands::ask(const QString& workDir, const QString& command) {
    request<bool>(
        nextTag_++,
        [workDir, command] {
            json::Object request;
            request.set("command", command.toStdString());
            return say(workDir, std::move(request));
        },
        [](bool) {}, [this](const QString& message) { emit failed(message); });
}

void EngineCommands::orderTask(const QString& workDir, const QString& order, const QString& task) {
    request<bool>(
        nextTag_++,
        [workDir, order, task] {
            json::Object request;
            request.set("command", "task");
            request.set("task", task.toStdString());
            request.set("order", order.toStdString());
            return say(workDir, std::move(request));
        },
        [](bool) {}, [this](const QString& message) { emit failed(message); });
}

} // namespace tilewright::ui
