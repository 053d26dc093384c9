// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/open_target.h>
#include <tilewright/ui/async_source.h>

#include <QStringList>
#include <QVector>

#include <atomic>
#include <memory>

class QTimer;

namespace tilewright::ui {

/// What came of reading a pair of TVM files.
struct ImportSummary {
    QString workDir; ///< the store that was made, in the cache
    qint64 workloads = 0;
    qint64 records = 0;
    /// `file:line: reason` of what was skipped; at most a thousand, `skipped` has the count.
    QStringList problems;
    qint64 skipped = 0;
    bool fromCache = false; ///< the same files were read before
};

/// Finds out what files are and reads TVM's pairs into stores that the other views can show. The
/// files themselves are never changed.
class FileOpener : public AsyncSource {
    Q_OBJECT

public:
    /// Stores made from imports go below `cacheDir`.
    explicit FileOpener(QString cacheDir, QObject* parent = nullptr);
    ~FileOpener() override;

    /// Answered by recognised().
    void recognise(const QStringList& files);
    /// Reads a target of kind TvmPair or TvmSqlite; answered by imported(), importCancelled() or
    /// failed(). A pair that was read before and has not changed since is found again at once.
    void importPair(const session::OpenTarget& target);
    void cancelImport();
    /// Says which of these paths are still there; answered by found().
    void look(const QStringList& paths);

signals:
    void recognised(const QVector<tilewright::session::OpenTarget>& targets);
    /// Bytes; at most ten times a second.
    void importProgress(qint64 done, qint64 total);
    void imported(const tilewright::ui::ImportSummary& summary);
    void importCancelled();
    void found(const QStringList& present);
    void failed(const QString& message);

private:
    struct Progress {
        std::atomic<std::int64_t> done{0};
        std::atomic<std::int64_t> total{0};
        std::atomic<bool> stop{false};
    };

    QString cacheDir_;
    std::shared_ptr<Progress> progress_;
    QTimer* ticker_;
};

} // namespace tilewright::ui
