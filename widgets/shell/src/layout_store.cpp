// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/layout_store.h>

#include <QFile>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

namespace tilewright::ui {

namespace {

const QString kVersionKey = QStringLiteral("layout/version");
const QString kStateKey = QStringLiteral("layout/state");
const QString kGeometryKey = QStringLiteral("layout/geometry");

/// A window that was on a screen that is gone would be out of reach.
void bringIntoView(QMainWindow& window) {
    const QRect frame = window.frameGeometry();
    for (const QScreen* screen : QGuiApplication::screens())
        if (screen->availableGeometry().intersects(frame.adjusted(40, 40, -40, -40)))
            return;
    if (const QScreen* screen = QGuiApplication::primaryScreen())
        window.move(screen->availableGeometry().topLeft());
}

} // namespace

LayoutStore::LayoutStore(const QString& stateDir)
    : guard_(stateDir + QStringLiteral("/restoring")),
      settings_(new QSettings(stateDir + QStringLiteral("/layout.ini"), QSettings::IniFormat)) {}

LayoutStore::~LayoutStore() {
    delete settings_;
}

void LayoutStore::save(const QMainWindow& window) {
    settings_->setValue(kVersionKey, kVersion);
    settings_->setValue(kStateKey, window.saveState(kVersion));
    settings_->setValue(kGeometryKey, window.saveGeometry());
    settings_->sync();
}

LayoutStore::Outcome LayoutStore::restore(QMainWindow& window) {
    if (QFile::exists(guard_)) {
        // The process that began to restore never said that it was done.
        reset();
        return Outcome::Crashed;
    }
    if (!settings_->contains(kStateKey))
        return Outcome::Nothing;
    if (settings_->value(kVersionKey).toInt() != kVersion)
        return Outcome::OtherVersion;
    QFile guard(guard_);
    if (guard.open(QIODevice::WriteOnly))
        guard.close();
    window.restoreGeometry(settings_->value(kGeometryKey).toByteArray());
    const bool taken = window.restoreState(settings_->value(kStateKey).toByteArray(), kVersion);
    bringIntoView(window);
    QFile::remove(guard_);
    if (taken)
        return Outcome::Restored;
    reset();
    return Outcome::Refused;
}

void LayoutStore::reset() {
    QFile::remove(guard_);
    settings_->remove(QStringLiteral("layout"));
    settings_->sync();
}

} // namespace tilewright::ui
