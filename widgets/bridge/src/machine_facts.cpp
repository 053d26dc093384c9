// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/machine_facts.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::ui {

namespace {

enum Tag { Examine = 1 };

struct Facts {
    ChecksPtr checks;
    double gflops = 0;
    double gbps = 0;
};

Facts examineMachine() {
    Facts facts;
    facts.checks = std::make_shared<const std::vector<session::EnvironmentCheck>>(
        session::examineEnvironment());
    QFile file(QString::fromStdString(session::peaksCacheFile().string()));
    if (!file.open(QIODevice::ReadOnly))
        return facts;
    const QJsonObject peaks = QJsonDocument::fromJson(file.readAll()).object();
    facts.gflops = peaks.value(QLatin1String("best_gflops")).toDouble();
    for (const QJsonValue& level : peaks.value(QLatin1String("read")).toArray())
        if (level.toObject().value(QLatin1String("level")).toString() == QLatin1String("memory"))
            facts.gbps = level.toObject().value(QLatin1String("gb_per_s")).toDouble();
    return facts;
}

} // namespace

MachineFacts::MachineFacts(QObject* parent) : AsyncSource(parent) {}

void MachineFacts::examine() {
    request<Facts>(Examine, examineMachine, [this](const Facts& facts) {
        checks_ = facts.checks;
        peakGflops_ = facts.gflops;
        memoryGbps_ = facts.gbps;
        emit ready();
    });
}

QString MachineFacts::text() const {
    QString text;
    if (!checks_)
        return text;
    for (const session::EnvironmentCheck& check : *checks_) {
        text += QStringLiteral("%1  %2  %3\n")
                    .arg(QString::fromStdString(std::string(session::toString(check.state))), -4)
                    .arg(QString::fromStdString(check.name), -10)
                    .arg(QString::fromStdString(check.found));
        if (!check.advice.empty())
            text += QStringLiteral("%1%2\n")
                        .arg(QString(), 18)
                        .arg(QString::fromStdString(check.advice));
    }
    return text;
}

} // namespace tilewright::ui
