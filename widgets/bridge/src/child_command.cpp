// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/child_command.h>

#include <tilewright/ui/live_session.h>

namespace tilewright::ui {

ChildCommand::ChildCommand(QObject* parent) : QObject(parent) {}

ChildCommand::~ChildCommand() {
    end();
}

void ChildCommand::start(const QStringList& arguments) {
    cancel();
    const QString program = LiveSession::enginePath();
    if (program.isEmpty()) {
        emit failed(tr("The program tilewright was not found beside this one."));
        return;
    }
    process_ = new QProcess(this);
    connect(process_, &QProcess::finished, this, &ChildCommand::ended);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return; // finished() follows
        const QString why = process_->errorString();
        end();
        emit failed(why);
    });
    running_ = true;
    timer_.start();
    process_->start(program, arguments, QIODevice::ReadOnly);
    emit started();
}

void ChildCommand::cancel() {
    if (!running_)
        return;
    end();
    emit failed({});
}

void ChildCommand::end() {
    running_ = false;
    if (!process_)
        return;
    QProcess* process = process_;
    process_ = nullptr;
    process->disconnect(this);
    if (process->state() != QProcess::NotRunning) {
        process->kill();
        process->waitForFinished(500);
    }
    process->deleteLater();
}

void ChildCommand::ended(int exitCode, QProcess::ExitStatus status) {
    const QByteArray output = process_->readAllStandardOutput();
    const QString problem = lastErrorLine(process_->readAllStandardError());
    end();
    if (status == QProcess::CrashExit)
        emit failed(problem.isEmpty() ? tr("The command ended by a crash.") : problem);
    else if (exitCode != 0 && output.trimmed().isEmpty())
        emit failed(problem.isEmpty() ? tr("The command ended with code %1.").arg(exitCode)
                                      : problem);
    else
        emit finished(output, exitCode);
}

QString lastErrorLine(const QByteArray& text) {
    QString line = QString::fromUtf8(text).trimmed().section(QLatin1Char('\n'), -1);
    const QString prefix = QStringLiteral("tilewright: ");
    if (line.startsWith(prefix))
        line.remove(0, prefix.size());
    return line;
}

} // namespace tilewright::ui
