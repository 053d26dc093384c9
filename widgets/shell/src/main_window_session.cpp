// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include "breadcrumb.h"
#include "notices_view.h"
#include "project_tree.h"
#include "status_strip.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/unit_text.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTimer>

namespace tilewright::ui {

namespace {

constexpr int kStopWaitMs = 3000;

bool isActive(const QString& state) {
    return state == QLatin1String("running") || state == QLatin1String("paused") ||
           state == QLatin1String("stopping");
}

} // namespace

void MainWindow::liveChanged() {
    const session::LiveSnapshotPtr snapshot = live_->snapshot();
    status_->setSession(live_->state(), snapshot);
    notices_->setEvents(snapshot);
    showTitle();
    if (!snapshot) {
        crumbs_->setTaskName({});
        crumbs_->setSessionName({});
        return;
    }
    const session::LiveTask* task = snapshot->task(state_->task());
    crumbs_->setTaskName(task ? QString::fromStdString(task->name) : QString());
    crumbs_->setSessionName(snapshot->session > 0
                                ? (snapshot->name.empty() ? tr("session %1").arg(snapshot->session)
                                                          : QString::fromStdString(snapshot->name))
                                : QString());
    const int percent =
        snapshot->budget > 0 ? static_cast<int>(100 * snapshot->trials / snapshot->budget) : -1;
    project_->setLive(snapshot->session, live_->state(), percent);
    QVector<QPair<QString, QString>> devices;
    for (const session::DeviceActivity& device : snapshot->devices)
        devices.append({QString::fromStdString(device.name),
                        isActive(live_->state()) ? tr("running") : tr("idle")});
    if (devices.isEmpty())
        devices.append({tr("this machine"), tr("idle")});
    project_->setDevices(devices);
    updateSessionCommands();
}

void MainWindow::liveStateChanged(const QString& state) {
    offerFilterWords();
    status_->setSession(state, live_->snapshot());
    updateSessionCommands();
    showTitle();
    readOverview();
    if (isActive(lastLiveState_) && !isActive(state) && state != QLatin1String("loading"))
        notifyEnd(state);
    lastLiveState_ = state;
    if (state == QLatin1String("interrupted")) {
        messageAction_ = QStringLiteral("session.start");
        message_->showMessage(MessageBar::Warning,
                              tr("This session was interrupted. Everything measured is kept."),
                              tr("Resume"));
    }
    writeNote();
}

void MainWindow::notifyEnd(const QString& state) {
    const session::LiveSnapshotPtr snapshot = live_->snapshot();
    if (!snapshot || isActiveWindow() ||
        !settings_->value(QStringLiteral("ui/notify"), true).toBool())
        return;
    QApplication::alert(this);
    const QString title = tr("Session %1: %2").arg(snapshot->session).arg(sessionStateText(state));
    QString body = tr("%n trial(s)", nullptr, static_cast<int>(snapshot->trials));
    if (snapshot->speedUp())
        body = tr("The model is %1× faster than with default schedules (%2 → %3).")
                   .arg(QLocale().toString(*snapshot->speedUp(), 'f', 2),
                        durationText(snapshot->defaultTotal), durationText(snapshot->bestTotal));
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"),
        QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    call << QStringLiteral("Tilewright") << uint(0) << QGuiApplication::desktopFileName() << title
         << body << QStringList() << QVariantMap() << -1;
    bus.send(call);
}

void MainWindow::writeNote() {
    LastState state;
    state.workDir = state_->workDir();
    state.sessionState = live_->state();
    if (const session::LiveSnapshotPtr snapshot = live_->snapshot()) {
        state.session = snapshot->session;
        state.trials = snapshot->trials;
        state.budget = snapshot->budget;
    }
    note_.write(state);
}

void MainWindow::tellCrash() {
    const std::optional<LastState> last = note_.takeAbandoned();
    if (!last)
        return;
    const QLocale locale;
    const QString text =
        last->session > 0 && isActive(last->sessionState)
            ? tr("Tilewright closed unexpectedly; session %1 kept running (%2/%3 when last seen).")
                  .arg(last->session)
                  .arg(locale.toString(last->trials), locale.toString(last->budget))
            : tr("Tilewright closed unexpectedly. No result is lost.");
    addProblem(1, QStringLiteral("TW-W0903"), text);
    if (last->workDir.isEmpty())
        return;
    abandoned_ = last->workDir;
    message_->showMessage(MessageBar::Warning, text, tr("Open it again"));
}

bool MainWindow::askToClose() {
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("closeQuestion"));
    box.setIcon(QMessageBox::Question);
    box.setWindowTitle(tr("A session is running"));
    box.setText(
        tr("Session %1 is still running.").arg(live_->snapshot() ? live_->snapshot()->session : 0));
    box.setInformativeText(tr("It can go on without the window and is found again at the next "
                              "start."));
    QPushButton* keep = box.addButton(tr("Keep running in background"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(tr("Stop and quit"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    keep->setObjectName(QStringLiteral("closeKeep"));
    stop->setObjectName(QStringLiteral("closeStop"));
    cancel->setObjectName(QStringLiteral("closeCancel"));
    box.setDefaultButton(keep);
    box.setEscapeButton(cancel);
    box.exec();
    if (box.clickedButton() == keep)
        return true;
    if (box.clickedButton() != stop)
        return false;
    // The order must reach the engine; it ends by itself after the batch in flight.
    connect(live_, &LiveSession::stateChanged, this, [this](const QString& state) {
        if (!isActive(state) || state == QLatin1String("stopping"))
            closeQuietly();
    });
    QTimer::singleShot(kStopWaitMs, this, &MainWindow::closeQuietly);
    live_->stop();
    status_->setNote(tr("Stopping…"));
    return false;
}

void MainWindow::closeQuietly() {
    closing_ = true;
    close();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool works = live_->engineAlive() && isActive(live_->state());
    if (works && !closing_ && !askToClose()) {
        event->ignore();
        return;
    }
    layout_.save(*this);
    settings_->sync();
    noteTimer_->stop();
    note_.remove();
    event->accept();
    QMainWindow::closeEvent(event);
}

} // namespace tilewright::ui
