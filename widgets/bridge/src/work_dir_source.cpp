// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/work_dir_source.h>

#include <exception>

namespace tilewright::ui {

WorkDirSource::WorkDirSource(QObject* parent) : QObject(parent), worker_(new QObject) {
    qRegisterMetaType<SnapshotPtr>();
    worker_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
    thread_.start();
}

WorkDirSource::~WorkDirSource() {
    thread_.quit();
    thread_.wait();
}

void WorkDirSource::open(const QString& workDir) {
    const int tag = ++newest_;
    QMetaObject::invokeMethod(worker_, [this, tag, path = workDir.toStdString()] {
        SnapshotPtr snapshot;
        QString message;
        try {
            snapshot = session::readSnapshot(path);
        } catch (const std::exception& error) {
            message = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(this, [this, tag, snapshot, message] {
            if (tag != newest_)
                return;
            if (snapshot)
                emit snapshotReady(snapshot);
            else
                emit failed(message);
        });
    });
}

} // namespace tilewright::ui
