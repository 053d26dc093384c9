// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/live_session.h>

namespace tilewright::ui {

class LiveSession::Follower {};

LiveSession::LiveSession(QObject* parent) : QObject(parent) {}
LiveSession::~LiveSession() = default;
void LiveSession::open(const QString&) {}
QString LiveSession::workDir() const {
    return {};
}
QString LiveSession::state() const {
    return {};
}
bool LiveSession::engineAlive() const {
    return false;
}
LiveSnapshotPtr LiveSession::snapshot() const {
    return {};
}
void LiveSession::showSession(qint64) {}
void LiveSession::start(const QStringList&, const QString&) {}
void LiveSession::startAgain() {}
void LiveSession::pause() {}
void LiveSession::resume() {}
void LiveSession::stop() {}
void LiveSession::cancel() {}
void LiveSession::taskCommand(const QString&, const QString&) {}
void LiveSession::replay(const QString&, double) {}
QString LiveSession::enginePath() {
    return {};
}
QString LiveSession::logFile() const {
    return {};
}

} // namespace tilewright::ui
