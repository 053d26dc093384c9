// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/crash_note.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <cerrno>
#include <csignal>

namespace tilewright::ui {

namespace {

const QString kPattern = QStringLiteral("last-state-*.json");

bool isRunning(qint64 pid) {
    return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

} // namespace

CrashNote::CrashNote(QString folder)
    : folder_(std::move(folder)), file_(QStringLiteral("%1/last-state-%2.json")
                                            .arg(folder_)
                                            .arg(QCoreApplication::applicationPid())) {}

void CrashNote::write(const LastState& state) const {
    const QJsonObject object{{QStringLiteral("pid"), QCoreApplication::applicationPid()},
                             {QStringLiteral("work_dir"), state.workDir},
                             {QStringLiteral("session"), state.session},
                             {QStringLiteral("state"), state.sessionState},
                             {QStringLiteral("trials"), state.trials},
                             {QStringLiteral("budget"), state.budget},
                             {QStringLiteral("restoring"), state.restoring}};
    QSaveFile file(file_);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
        file.commit();
    }
}

void CrashNote::remove() const {
    QFile::remove(file_);
}

std::optional<LastState> CrashNote::takeAbandoned() const {
    std::optional<LastState> newest;
    for (const QFileInfo& found :
         QDir(folder_).entryInfoList({kPattern}, QDir::Files, QDir::Time | QDir::Reversed)) {
        QFile file(found.filePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
        const qint64 pid = object.value(QLatin1String("pid")).toInteger();
        if (isRunning(pid) && pid != QCoreApplication::applicationPid())
            continue;
        LastState state;
        state.workDir = object.value(QLatin1String("work_dir")).toString();
        state.session = object.value(QLatin1String("session")).toInteger(-1);
        state.sessionState = object.value(QLatin1String("state")).toString();
        state.trials = object.value(QLatin1String("trials")).toInteger();
        state.budget = object.value(QLatin1String("budget")).toInteger();
        state.restoring = object.value(QLatin1String("restoring")).toBool();
        newest = state;
        file.remove();
    }
    return newest;
}

} // namespace tilewright::ui
