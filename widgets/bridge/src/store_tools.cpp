// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/store_tools.h>

#include <tilewright/database/maintenance.h>
#include <tilewright/database/tvm_files.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/report.h>

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <stdexcept>

namespace tilewright::ui {

namespace {

enum Tag { Check = 1, Backup, ExportTvm, ExportReport, FirstOverview };

} // namespace

StoreTools::StoreTools(QObject* parent) : AsyncSource(parent) {
    qRegisterMetaType<StoreOverviewPtr>();
}

int StoreTools::tagOf(const QString& workDir) {
    if (!overviewPaths_.contains(workDir))
        overviewPaths_.append(workDir);
    return FirstOverview + static_cast<int>(overviewPaths_.indexOf(workDir));
}

void StoreTools::readOverview(const QString& workDir) {
    request<StoreOverviewPtr>(
        tagOf(workDir), [path = workDir.toStdString()] { return session::readOverview(path); },
        [this, workDir](const StoreOverviewPtr& overview) { emit overviewReady(workDir, overview); },
        [this, workDir](const QString& message) { emit overviewFailed(workDir, message); });
}

void StoreTools::check(const QString& workDir) {
    request<QStringList>(
        Check,
        [path = workDir.toStdString()] {
            QStringList lines;
            for (const database::StoreProblem& problem : database::checkStore(path))
                lines.append(problem.table.empty()
                                 ? QString::fromStdString(problem.message)
                                 : QStringLiteral("%1 %2: %3")
                                       .arg(QString::fromStdString(problem.table))
                                       .arg(problem.row)
                                       .arg(QString::fromStdString(problem.message)));
            return lines;
        },
        [this](const QStringList& lines) { emit checked(lines); },
        [this](const QString& message) { emit failed(message); });
}

void StoreTools::backup(const QString& workDir, const QString& destination) {
    request<bool>(
        Backup,
        [from = workDir.toStdString(), destination] {
            // The file dialog has asked before; the copy itself refuses to overwrite.
            QFile::remove(destination);
            database::backupStore(from, destination.toStdString());
            return true;
        },
        [this, destination](bool) { emit backedUp(destination); },
        [this](const QString& message) { emit failed(message); });
}

void StoreTools::exportTvm(const QString& workDir, const QString& folder) {
    request<database::TvmExportReport>(
        ExportTvm,
        [from = workDir.toStdString(), to = folder.toStdString()] {
            const database::StoreReader reader(from);
            return database::exportTvm(reader, session::makeModuleCodec(), to);
        },
        [this, folder](const database::TvmExportReport& report) {
            QStringList skipped;
            for (const database::SkippedLine& line : report.skipped)
                skipped.append(QString::fromStdString(line.reason));
            emit tvmExported(folder, report.workloads, report.records, skipped);
        },
        [this](const QString& message) { emit failed(message); });
}

void StoreTools::exportReport(const QString& workDir, const QString& file) {
    request<qint64>(
        ExportReport,
        [from = workDir.toStdString(), file] {
            const std::string html = session::htmlReport(database::StoreReader(from));
            QSaveFile out(file);
            const auto size = static_cast<qint64>(html.size());
            if (!out.open(QIODevice::WriteOnly) || out.write(html.data(), size) != size ||
                !out.commit())
                throw std::runtime_error(
                    QStringLiteral("%1: %2").arg(file, out.errorString()).toStdString());
            return size;
        },
        [this, file](qint64 bytes) { emit reportExported(file, bytes); },
        [this](const QString& message) { emit failed(message); });
}

} // namespace tilewright::ui
