// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include "notices_view.h"
#include "project_tree.h"
#include "status_strip.h"
#include "tool_strip.h"
#include "welcome_page.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/file_opener.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/recent_files.h>

#include <QAction>
#include <QCryptographicHash>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>
#include <QUndoStack>
#include <QUrl>

namespace tilewright::ui {

namespace {

QString pathOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

} // namespace

void MainWindow::connectFileCommands() {
    const auto handle = [this](const char* id, std::function<void()> handler) {
        commands_->handle(QLatin1String(id), this, std::move(handler));
    };
    handle("file.newWindow", [this] { emit newWindowWanted(); });
    handle("file.openModel", [this] { chooseModel(); });
    handle("file.openResults", [this] { chooseResults(); });
    handle("file.openFolder", [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Open work directory"));
        if (!folder.isEmpty())
            openFiles({folder});
    });
    handle("file.trySample", [this] { trySample(); });
    handle("file.replayDemo", [this] { replayDemo(); });
    handle("file.importTvm", [this] { choosePair(); });
    handle("file.exportTvm", [this] {
        const QString folder =
            QFileDialog::getExistingDirectory(this, tr("Folder for the two TVM files"));
        if (!folder.isEmpty())
            tools_->exportTvm(state_->workDir(), folder);
    });
    handle("file.exportReport", [this] { exportReport(); });
    handle("file.checkDatabase", [this] {
        status_->setNote(tr("Checking the database…"));
        tools_->check(state_->workDir());
    });
    handle("file.backupDatabase", [this] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Back up database"),
                                                          QStringLiteral("tuning-backup.twdb"),
                                                          tr("Databases (*.twdb)"));
        if (!file.isEmpty())
            tools_->backup(state_->workDir(), file);
    });
    handle("file.close", [this] { closeResults(); });
    handle("file.quit", [this] { close(); });
}

void MainWindow::connectFiles() {
    connect(opener_, &FileOpener::recognised, this, &MainWindow::openTargets);
    connect(opener_, &FileOpener::importProgress, this, [this](qint64 done, qint64 total) {
        if (total > 0)
            status_->setNote(tr("Importing… %1 %").arg(100 * done / total));
    });
    connect(opener_, &FileOpener::imported, this, &MainWindow::imported);
    connect(opener_, &FileOpener::importCancelled, this, [this] {
        status_->setNote({});
        message_->showMessage(MessageBar::Info, tr("Import cancelled; nothing was taken over."));
        importing_ = false;
    });
    const auto failed = [this](const QString& message) {
        status_->setNote({});
        importing_ = false;
        addProblem(2, QStringLiteral("TW-E0601"), message);
    };
    connect(opener_, &FileOpener::failed, this, failed);
    connect(opener_, &FileOpener::found, this, [this](const QStringList& present) {
        recent_->setPresent(present);
        for (const QString& path : present)
            tools_->readOverview(path.endsWith(QLatin1String(".onnx")) ? workDirOf(path) : path);
    });
    connect(tools_, &StoreTools::failed, this, failed);
    connect(tools_, &StoreTools::overviewReady, this,
            [this](const QString& workDir, const StoreOverviewPtr& overview) {
                overviewRead(workDir, overview);
            });
    connect(tools_, &StoreTools::overviewFailed, this,
            [this](const QString& workDir, const QString& message) {
                // A recent entry that cannot be read, or a model that was never tuned.
                if (workDir != state_->workDir() || !QFileInfo::exists(workDir))
                    return;
                addProblem(2, QStringLiteral("TW-E0602"), message);
                updateSessionCommands();
            });
    connect(tools_, &StoreTools::checked, this, [this](const QStringList& problems) {
        status_->setNote({});
        if (problems.isEmpty())
            message_->showMessage(MessageBar::Info, tr("The database is sound."));
        for (const QString& problem : problems)
            addProblem(2, QStringLiteral("TW-E0603"), problem);
    });
    connect(tools_, &StoreTools::backedUp, this, [this](const QString& file) {
        message_->showMessage(MessageBar::Info, tr("Copied to %1").arg(file));
    });
    connect(
        tools_, &StoreTools::tvmExported, this,
        [this](const QString& folder, qint64, qint64 records, const QStringList& skipped) {
            message_->showMessage(
                skipped.isEmpty() ? MessageBar::Info : MessageBar::Warning,
                tr("%n record(s) written to %1", nullptr, static_cast<int>(records)).arg(folder));
            for (const QString& line : skipped)
                addProblem(1, QStringLiteral("TW-W0604"), line);
        });
    connect(tools_, &StoreTools::reportExported, this, [this](const QString& file, qint64) {
        lastReport_ = file;
        messageAction_.clear();
        message_->showMessage(MessageBar::Info, tr("Report written to %1").arg(file), tr("Open"));
    });
    connect(recent_, &RecentFiles::changed, this, &MainWindow::showTitle);
}

void MainWindow::overviewRead(const QString& workDir, const StoreOverviewPtr& overview) {
    for (const RecentFile& file : recent_->files())
        if (file.path == workDir || workDirOf(file.path) == workDir)
            welcome_->setOverview(file.path, overview);
    if (workDir != state_->workDir())
        return;
    overview_ = overview;
    toolStrip_->setOverview(overview);
    project_->setOverview(overview);
    status_->setDatabaseText(
        tr("schema %1, %n record(s)", nullptr, static_cast<int>(overview->records))
            .arg(overview->schemaVersion));
    if (overview->olderSchema)
        addProblem(0, QStringLiteral("TW-N0605"),
                   tr("This database has schema %1. It is shown as it is; before anything is "
                      "written, it is copied beside itself and brought up to date.")
                       .arg(overview->schemaVersion));
    if (!overview->sessions.empty()) {
        const session::SessionSummary& last = overview->sessions.back();
        const QFileInfo input(QString::fromStdString(last.input));
        if (state_->modelPath().isEmpty() && input.exists() &&
            input.suffix() == QLatin1String("onnx"))
            state_->setModelPath(input.absoluteFilePath());
        if (state_->target().isEmpty())
            state_->setTarget(QString::fromStdString(last.target));
    }
    updateSessionCommands();
    if (resumeWhenOpen_ == workDir) {
        resumeWhenOpen_.clear();
        startSession();
    }
}

QString MainWindow::workDirOf(const QString& model) const {
    const QByteArray hash = QCryptographicHash::hash(QFileInfo(model).absoluteFilePath().toUtf8(),
                                                     QCryptographicHash::Sha1);
    return QStringLiteral("%1/work/%2-%3")
        .arg(setup_.paths.dataDir, QFileInfo(model).completeBaseName(),
             QString::fromLatin1(hash.toHex().left(8)));
}

void MainWindow::openFiles(const QStringList& files) {
    if (files.isEmpty())
        return;
    status_->setNote(tr("Opening…"));
    opener_->recognise(files);
}

void MainWindow::openTargets(const QVector<session::OpenTarget>& targets) {
    status_->setNote({});
    QStringList results;
    for (const session::OpenTarget& target : targets) {
        switch (target.kind) {
        case session::OpenKind::Model:
        case session::OpenKind::Module:
            openModel(pathOf(target.path));
            break;
        case session::OpenKind::Results:
            results.append(pathOf(target.path));
            break;
        case session::OpenKind::TvmPair:
        case session::OpenKind::TvmSqlite:
            importing_ = true;
            messageAction_ = QString();
            message_->showMessage(MessageBar::Info,
                                  tr("Importing %1").arg(QFileInfo(pathOf(target.path)).fileName()),
                                  tr("Cancel"));
            recentWhenImported_ = pathOf(target.path);
            opener_->importPair(target);
            break;
        case session::OpenKind::Missing:
        case session::OpenKind::Unknown:
            addProblem(2, QStringLiteral("TW-E0606"),
                       tr("%1 cannot be opened: %2")
                           .arg(pathOf(target.path), QString::fromStdString(target.reason)));
            break;
        }
    }
    if (results.size() >= 2)
        compareResults(results[0], results[1]);
    else if (results.size() == 1)
        openResults(results[0]);
}

void MainWindow::imported(const ImportSummary& summary) {
    status_->setNote({});
    importing_ = false;
    const int skipped = static_cast<int>(summary.skipped);
    openResults(summary.workDir);
    recent_->add(recentWhenImported_, QStringLiteral("results"));
    if (skipped > 0)
        message_->showMessage(
            MessageBar::Warning,
            tr("%1 records imported; %n line(s) skipped, see Problems", nullptr, skipped)
                .arg(QLocale().toString(summary.records)));
    else
        message_->showMessage(MessageBar::Info, tr("%n record(s) imported", nullptr,
                                                   static_cast<int>(summary.records)));
    QVector<Problem> problems = notices_->problems();
    for (const QString& line : summary.problems)
        problems.append(
            {1, QStringLiteral("TW-W0607"), line, QDateTime::currentDateTime(), {}, {}});
    notices_->setProblems(problems);
}

void MainWindow::openModel(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    message_->clear();
    undo_->clear();
    state_->setModelPath(absolute);
    state_->setWorkDir(workDirOf(absolute));
    recent_->add(absolute, QStringLiteral("model"));
    showWorkspace(QStringLiteral("model"));
    updateSessionCommands();
}

void MainWindow::openResults(const QString& path) {
    QString workDir = QFileInfo(path).absoluteFilePath();
    if (QFileInfo(workDir).fileName() == QLatin1String("tuning.twdb"))
        workDir = QFileInfo(workDir).path(); // the engine's socket goes by the directory
    message_->clear();
    undo_->clear();
    state_->setModelPath({});
    state_->setTarget({});
    state_->setWorkDir(workDir);
    if (!workDir.startsWith(setup_.paths.cacheDir))
        recent_->add(workDir, QStringLiteral("results"));
    showWorkspace(QStringLiteral("records"));
    updateSessionCommands();
}

void MainWindow::compareResults(const QString& baseline, const QString& candidate) {
    openResults(candidate);
    Baseline pinned;
    pinned.workDir = QFileInfo(baseline).absoluteFilePath();
    pinned.label = QFileInfo(baseline).fileName();
    state_->setBaselines({pinned});
    undo_->clear();
    showWorkspace(QStringLiteral("compare"));
}

void MainWindow::trySample() {
    const QString sample = sharedFile(QStringLiteral("samples/small_cnn.onnx"));
    if (sample.isEmpty()) {
        addProblem(2, QStringLiteral("TW-E0608"), tr("The sample is not installed."));
        return;
    }
    openModel(sample);
}

void MainWindow::replayDemo() {
    const QString demo = sharedFile(QStringLiteral("samples/demo"));
    if (demo.isEmpty()) {
        addProblem(2, QStringLiteral("TW-E0608"), tr("The demo run is not installed."));
        return;
    }
    message_->clear();
    state_->setModelPath(sharedFile(QStringLiteral("samples/small_cnn.onnx")));
    state_->setWorkDir(demo);
    live_->replay(demo);
    showWorkspace(QStringLiteral("tune"));
    updateSessionCommands();
}

void MainWindow::closeResults() {
    message_->clear();
    state_->setModelPath({});
    state_->setTarget({});
    state_->setWorkDir({});
    state_->setBaselines({});
    state_->setFilter({});
    undo_->clear();
    showWorkspace({});
    updateSessionCommands();
    lookAtRecent();
}

void MainWindow::chooseModel() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open model"), {}, tr("Models (*.onnx *.py)"));
    if (!file.isEmpty())
        openFiles({file});
}

void MainWindow::chooseResults() {
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open results"), {}, tr("Results (*.twdb *.json *.sqlite);;All files (*)"));
    openFiles(files);
}

void MainWindow::choosePair() {
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Choose the two TVM files, or one of them"), {},
                                      tr("TVM records (*.json *.sqlite)"));
    openFiles(files);
}

void MainWindow::exportReport() {
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export report"), QStringLiteral("report.html"), tr("Web pages (*.html)"));
    if (!file.isEmpty())
        tools_->exportReport(state_->workDir(), file);
}

void MainWindow::messageActed() {
    if (importing_) {
        opener_->cancelImport();
        return;
    }
    message_->clear();
    if (!abandoned_.isEmpty())
        openFiles({std::exchange(abandoned_, {})});
    else if (!messageAction_.isEmpty())
        commands_->trigger(messageAction_);
    else if (!lastReport_.isEmpty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(lastReport_));
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    for (const RecentFile& file : recent_->files()) {
        QAction* action = menu->addAction(file.path);
        action->setEnabled(!file.missing);
        connect(action, &QAction::triggered, this,
                [this, path = file.path] { openRecent(path, false); });
    }
    if (recent_->files().isEmpty())
        menu->addAction(tr("Nothing yet"))->setEnabled(false);
    menu->addSeparator();
    menu->addAction(tr("Clear list"), recent_, &RecentFiles::clear);
}

void MainWindow::openRecent(const QString& path, bool resume) {
    if (resume)
        resumeWhenOpen_ = path.endsWith(QLatin1String(".onnx")) ? workDirOf(path) : path;
    openFiles({path});
}

void MainWindow::lookAtRecent() {
    QStringList paths;
    for (const RecentFile& file : recent_->files())
        paths.append(file.path);
    if (!paths.isEmpty())
        opener_->look(paths);
}

} // namespace tilewright::ui
