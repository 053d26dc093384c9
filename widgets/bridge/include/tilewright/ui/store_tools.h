// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/session_list.h>
#include <tilewright/ui/async_source.h>

#include <QStringList>

#include <memory>

namespace tilewright::ui {

using StoreOverviewPtr = std::shared_ptr<const session::StoreOverview>;

/// What can be asked of a work directory as a whole: overview, check, copies, report.
class StoreTools : public AsyncSource {
    Q_OBJECT

public:
    explicit StoreTools(QObject* parent = nullptr);

    /// Answered by overviewReady() or overviewFailed(). Of several for one path the last counts.
    void readOverview(const QString& workDir);
    /// Each step is answered by its signal, or by failed() with what was tried.
    void check(const QString& workDir);
    void backup(const QString& workDir, const QString& destination);
    void exportTvm(const QString& workDir, const QString& folder);
    void exportReport(const QString& workDir, const QString& file);

signals:
    void overviewReady(const QString& workDir, tilewright::ui::StoreOverviewPtr overview);
    void overviewFailed(const QString& workDir, const QString& message);
    /// Empty = sound. One problem a line: `table row 12: message`.
    void checked(const QStringList& problems);
    void backedUp(const QString& destination);
    void tvmExported(const QString& folder, qint64 workloads, qint64 records,
                     const QStringList& skipped);
    void reportExported(const QString& file, qint64 bytes);
    void failed(const QString& message);

private:
    int tagOf(const QString& workDir);
    QStringList overviewPaths_; ///< a path's place makes its tag
};

} // namespace tilewright::ui
