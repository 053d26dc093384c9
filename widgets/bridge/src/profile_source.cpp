// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/profile_source.h>

#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>

#include <QDateTime>
#include <QFileInfo>

namespace tilewright::ui {

namespace {

enum Tag { Read = 1, Take };

struct Taken {
    session::ProfileReport report;
    bool stored = false;
};

QStringList profileArguments(const QString& input, const QString& workDir, const QString& target) {
    QStringList arguments{QStringLiteral("profile"), input};
    if (!workDir.isEmpty())
        arguments << QStringLiteral("--work-dir") << workDir;
    if (!target.isEmpty())
        arguments << QStringLiteral("--target") << target;
    return arguments;
}

} // namespace

ProfileSource::ProfileSource(QObject* parent) : AsyncSource(parent) {
    connect(&child_, &ChildCommand::started, this, &ProfileSource::started);
    connect(&child_, &ChildCommand::failed, this, &ProfileSource::profileFailed);
    connect(&child_, &ChildCommand::finished, this,
            [this](const QByteArray& output, int) { take(output); });
}

ProfileSource::~ProfileSource() {
    shutDown();
}

void ProfileSource::read(const QString& workDir, qint64 session) {
    request<ProfileSnapshotPtr>(
        Read,
        [path = workDir.toStdString(), session]() -> ProfileSnapshotPtr {
            auto snapshot = std::make_shared<ProfileSnapshot>();
            snapshot->profiles = session::storedProfiles(path);
            for (session::ProfileReport& report : snapshot->profiles)
                session::completeProfile(report, path);
            snapshot->search = session::readSearchProfile(path, session);
            return snapshot;
        },
        [this](const ProfileSnapshotPtr& snapshot) {
            snapshot_ = snapshot;
            emit ready();
        },
        [this](const QString& message) { emit failed(message); });
}

void ProfileSource::close() {
    forget(Read);
    snapshot_.reset();
}

void ProfileSource::run(const QString& input, const QString& workDir, const QString& target,
                        double seconds) {
    input_ = input;
    workDir_ = workDir;
    target_ = target;
    QStringList arguments = profileArguments(input, workDir, target);
    arguments << QStringLiteral("--seconds") << QString::number(seconds)
              << QStringLiteral("--json");
    child_.start(arguments);
}

void ProfileSource::cancel() {
    child_.cancel();
}

void ProfileSource::take(const QByteArray& output) {
    request<Taken>(
        Take,
        [text = output.toStdString(), name = QFileInfo(input_).fileName().toStdString(),
         workDir = workDir_.toStdString(), target = target_.toStdString()] {
            Taken taken;
            json::Value profile = json::parse(text);
            if (!target.empty())
                profile["target"] = target;
            taken.report = session::parseProfile(profile);
            taken.report.name = name;
            taken.report.timeMs = QDateTime::currentMSecsSinceEpoch();
            if (!workDir.empty())
                taken.stored = session::storeProfile(workDir, name, profile);
            session::completeProfile(taken.report, workDir);
            return taken;
        },
        [this](const Taken& taken) {
            auto next = std::make_shared<ProfileSnapshot>();
            if (snapshot_)
                *next = *snapshot_;
            next->profiles.insert(next->profiles.begin(), taken.report);
            snapshot_ = next;
            emit profiled(taken.stored);
        },
        [this](const QString& message) { emit profileFailed(message); });
}

QString ProfileSource::commandLine(const QString& input, const QString& workDir,
                                   const QString& target) {
    QStringList words{QStringLiteral("tilewright")};
    for (QString word : profileArguments(input, workDir, target)) {
        if (word.contains(QLatin1Char(' ')) || word.contains(QLatin1Char('\'')))
            word = QStringLiteral("'%1'").arg(
                word.replace(QLatin1Char('\''), QStringLiteral("'\\''")));
        words << word;
    }
    return words.join(QLatin1Char(' '));
}

QByteArray ProfileSource::chromeTrace(const session::ProfileReport& report) {
    return QByteArray::fromStdString(
        json::dump(session::chromeTrace(report), json::Style::Compact));
}

} // namespace tilewright::ui
