// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/snapshot.h>

#include <QObject>
#include <QString>
#include <QThread>

#include <memory>

namespace tilewright::ui {

using SnapshotPtr = std::shared_ptr<const session::Snapshot>;

/// Reads work directories in a thread of its own and hands whole snapshots over by signal. Lives in
/// the window's thread; a newer request replaces an older one that is still under way.
class WorkDirSource : public QObject {
    Q_OBJECT

public:
    explicit WorkDirSource(QObject* parent = nullptr);
    ~WorkDirSource() override;
    /// Asks for a snapshot; answered by one of the signals.
    void open(const QString& workDir);

signals:
    void snapshotReady(tilewright::ui::SnapshotPtr snapshot);
    void failed(const QString& message);

private:
    QThread thread_;
    QObject* worker_;
    int newest_ = 0;
};

} // namespace tilewright::ui
