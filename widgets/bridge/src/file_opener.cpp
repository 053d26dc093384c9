// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/file_opener.h>

#include <tilewright/database/store_writer.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/session/module_codec.h>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include <optional>

namespace tilewright::ui {

namespace {

enum Tag { Recognise = 1, Import, Look };
constexpr int kTickMs = 100;
constexpr int kMaxProblems = 1000;

/// A folder name that changes when one of the files does.
QString fingerprint(const session::OpenTarget& target) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const auto& path : {target.path, target.recordFile}) {
        const QFileInfo file(QString::fromStdString(path.string()));
        hash.addData(file.absoluteFilePath().toUtf8());
        hash.addData(QByteArray::number(file.size()));
        hash.addData(QByteArray::number(file.lastModified().toMSecsSinceEpoch()));
    }
    return QString::fromLatin1(hash.result().toHex().left(16));
}

void addProblems(const std::vector<database::SkippedLine>& lines, ImportSummary& summary) {
    for (const database::SkippedLine& line : lines) {
        if (summary.problems.size() >= kMaxProblems)
            return;
        summary.problems.append(QStringLiteral("%1:%2: %3")
                                    .arg(QString::fromStdString(line.file))
                                    .arg(line.line)
                                    .arg(QString::fromStdString(line.reason)));
    }
}

/// Nothing = given up.
std::optional<ImportSummary> readPair(const session::OpenTarget& target, const QString& folder,
                                      const database::ImportProgress& progress) {
    ImportSummary summary;
    summary.workDir = folder;
    const QString finished = folder + QStringLiteral("/imported");
    if (QFileInfo::exists(finished)) {
        const database::StoreReader reader(folder.toStdString());
        summary.records = reader.counts().records;
        summary.workloads = reader.counts().workloads;
        summary.fromCache = true;
        return summary;
    }
    QDir(folder).removeRecursively(); // what an import that was cut short left
    QDir().mkpath(folder);
    std::optional<database::TvmImportReport> report;
    {
        database::StoreWriter writer(folder.toStdString(), session::makeModuleCodec("structural"));
        report = target.kind == session::OpenKind::TvmSqlite
                     ? database::importTvm(target.path, writer)
                     : database::importTvmPair(target.path, target.recordFile, writer, progress);
    }
    if (!report) {
        QDir(folder).removeRecursively();
        return std::nullopt;
    }
    summary.workloads = report->workloads;
    summary.records = report->records;
    summary.skipped = static_cast<qint64>(report->skipped.size());
    addProblems(report->skipped, summary);
    addProblems(report->unreadableModules, summary);
    // With problems it is read again next time, so that they are told again.
    QFile mark(finished);
    if (summary.problems.isEmpty() && mark.open(QIODevice::WriteOnly))
        mark.write("1\n");
    return summary;
}

} // namespace

FileOpener::FileOpener(QString cacheDir, QObject* parent)
    : AsyncSource(parent), cacheDir_(std::move(cacheDir)), ticker_(new QTimer(this)) {
    qRegisterMetaType<ImportSummary>();
    ticker_->setInterval(kTickMs);
    connect(ticker_, &QTimer::timeout, this, [this] {
        if (progress_)
            emit importProgress(progress_->done, progress_->total);
    });
}

FileOpener::~FileOpener() {
    cancelImport();
}

void FileOpener::recognise(const QStringList& files) {
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.emplace_back(QFileInfo(file).absoluteFilePath().toStdString());
    request<std::vector<session::OpenTarget>>(
        Recognise, [paths] { return session::recogniseFiles(paths); },
        [this](std::vector<session::OpenTarget> targets) {
            emit recognised(QVector<session::OpenTarget>(targets.begin(), targets.end()));
        },
        [this](const QString& message) { emit failed(message); });
}

void FileOpener::importPair(const session::OpenTarget& target) {
    cancelImport();
    auto progress = std::make_shared<Progress>();
    progress_ = progress;
    ticker_->start();
    const auto finish = [this, progress] {
        if (progress_ == progress) {
            progress_.reset();
            ticker_->stop();
        }
    };
    request<std::optional<ImportSummary>>(
        Import,
        [target, progress, cache = cacheDir_] {
            return readPair(target, QStringLiteral("%1/%2").arg(cache, fingerprint(target)),
                            [progress](std::int64_t done, std::int64_t total) {
                                progress->done = done;
                                progress->total = total;
                                return !progress->stop;
                            });
        },
        [this, finish](std::optional<ImportSummary> summary) {
            finish();
            if (summary)
                emit imported(*summary);
            else
                emit importCancelled();
        },
        [this, finish](const QString& message) {
            finish();
            emit failed(message);
        });
}

void FileOpener::cancelImport() {
    if (progress_)
        progress_->stop = true;
}

void FileOpener::look(const QStringList& paths) {
    request<QStringList>(
        Look,
        [paths] {
            QStringList present;
            for (const QString& path : paths)
                if (QFileInfo::exists(path))
                    present.append(path);
            return present;
        },
        [this](const QStringList& present) { emit found(present); });
}

} // namespace tilewright::ui
