// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/recent_files.h>

#include <QSettings>

#include <algorithm>

namespace tilewright::ui {

namespace {

const QString kArray = QStringLiteral("recent");

} // namespace

RecentFiles::RecentFiles(QSettings* settings, QObject* parent)
    : QObject(parent), settings_(settings) {
    const int count = settings_->beginReadArray(kArray);
    for (int i = 0; i < std::min(count, kMaxFiles); ++i) {
        settings_->setArrayIndex(i);
        RecentFile file;
        file.path = settings_->value(QStringLiteral("path")).toString();
        file.kind = settings_->value(QStringLiteral("kind")).toString();
        file.opened = settings_->value(QStringLiteral("opened")).toDateTime();
        if (!file.path.isEmpty())
            files_.append(file);
    }
    settings_->endArray();
}

void RecentFiles::add(const QString& path, const QString& kind) {
    files_.removeIf([&](const RecentFile& file) { return file.path == path; });
    files_.prepend({path, kind, QDateTime::currentDateTime(), false});
    if (files_.size() > kMaxFiles)
        files_.resize(kMaxFiles);
    store();
}

void RecentFiles::setPresent(const QStringList& present) {
    bool differs = false;
    for (RecentFile& file : files_) {
        const bool missing = !present.contains(file.path);
        differs = differs || missing != file.missing;
        file.missing = missing;
    }
    if (differs)
        emit changed();
}

void RecentFiles::clearMissing() {
    if (files_.removeIf([](const RecentFile& file) { return file.missing; }) > 0)
        store();
}

void RecentFiles::clear() {
    files_.clear();
    store();
}

void RecentFiles::store() {
    settings_->remove(kArray);
    settings_->beginWriteArray(kArray, static_cast<int>(files_.size()));
    for (int i = 0; i < files_.size(); ++i) {
        settings_->setArrayIndex(i);
        settings_->setValue(QStringLiteral("path"), files_[i].path);
        settings_->setValue(QStringLiteral("kind"), files_[i].kind);
        settings_->setValue(QStringLiteral("opened"), files_[i].opened);
    }
    settings_->endArray();
    settings_->sync();
    emit changed();
}

} // namespace tilewright::ui
