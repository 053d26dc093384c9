// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/database/store_writer.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/languages.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/log_file.h>
#include <tilewright/ui/main_window.h>
#include <tilewright/ui/recent_files.h>
#include <tilewright/ui/start_options.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/workspace.h>

#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtCore/QSettings>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtGui/QAccessible>
#include <QtGui/QAction>
#include <QtGui/QDropEvent>
#include <QtGui/QUndoStack>
#include <QtTest/QTest>
#include <QtWidgets/QDialog>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTextBrowser>
#include <QtWidgets/QToolButton>

#include <fstream>
#include <memory>

using namespace tilewright;
using namespace tilewright::ui;

namespace {

void makeStore(const QString& dir, const QString& name) {
    database::StoreWriter writer(dir.toStdString());
    const database::Workload workload = writer.commitWorkload("module", name.toStdString());
    database::Task task;
    task.name = name.toStdString();
    task.workload = workload.id;
    task.target = R"({"kind":"llvm"})";
    task.id = writer.commitTask(task);
    for (int i = 0; i < 5; ++i) {
        database::TuningRecord record;
        record.workload = workload.id;
        record.task = task.id;
        record.trace = R"([[["GetSBlock",[],["C","main"],["b0"]]],[]])";
        record.target = task.target;
        record.trial = i + 1;
        record.measurement = database::measurementOf({1e-3 / (i + 1)});
        record.measurement.present = true;
        writer.commitRecord(record);
    }
}

/// A window with its own folders, theme and languages.
struct Fixture {
    QTemporaryDir home;
    Theme theme;
    Languages languages;
    std::unique_ptr<MainWindow> window;

    explicit Fixture(bool safe = false) { open(safe); }
    void open(bool safe = false) {
        window = std::make_unique<MainWindow>(WindowSetup{AppPaths::below(home.path()),
                                                          QStringLiteral("1.0"), &theme, &languages,
                                                          nullptr, safe});
        window->show();
    }
    QString store(const char* name) {
        const QString dir = home.filePath(QLatin1String(name));
        makeStore(dir, QLatin1String(name));
        return dir;
    }
};

bool says(const QWidget& window, const QString& text) {
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->text().contains(text))
            return true;
    return false;
}

} // namespace

class ShellTest : public QObject {
    Q_OBJECT

private slots:
    void row87_everyCommandHasItsOwnKeyAndAMenuEntry() {
        Fixture fixture;
        const Commands& commands = *fixture.window->commands();
        QVERIFY(commands.conflicts().isEmpty());
        for (const QAction* action : commands.actions()) {
            QVERIFY2(!action->iconText().isEmpty(), qPrintable(action->objectName()));
            QCOMPARE(commands.action(action->objectName()), action);
        }
        // The keys of the map, as people know them.
        QCOMPARE(commands.shortcuts("session.start").value(0), QKeySequence("F5"));
        QCOMPARE(commands.shortcuts("session.cancel").value(0), QKeySequence("Ctrl+Shift+F5"));
        QCOMPARE(commands.shortcuts("tools.palette").value(0), QKeySequence("Ctrl+K"));
        QCOMPARE(commands.shortcuts("view.back").value(0), QKeySequence("Alt+Left"));
    }

    void row87_changedKeysAreKeptAndConflictsReported() {
        Fixture fixture;
        Commands& commands = *fixture.window->commands();
        commands.setShortcuts("session.pause", {QKeySequence("F5")});
        QCOMPARE(commands.conflicts().size(), 1);
        commands.setShortcuts("session.pause", {QKeySequence("Ctrl+Alt+P")});
        QVERIFY(commands.conflicts().isEmpty());
        fixture.window->closeQuietly();
        fixture.open();
        QCOMPARE(fixture.window->commands()->shortcuts("session.pause").value(0),
                 QKeySequence("Ctrl+Alt+P"));
        fixture.window->commands()->resetShortcuts();
        QCOMPARE(fixture.window->commands()->shortcuts("session.pause").value(0),
                 QKeySequence("F6"));
    }

    void row87_helpOpensThePageOfTheView() {
        Fixture fixture;
        fixture.window->openResults(fixture.store("matmul"));
        fixture.window->commands()->trigger("help.manual");
        auto* manual = fixture.window->findChild<QTextBrowser*>("manualText");
        QVERIFY(manual);
        QTRY_VERIFY(manual->toPlainText().startsWith("Records"));
    }

    void row04_resultsOpenViewOnly() {
        Fixture fixture;
        fixture.window->openFiles({fixture.store("matmul")});
        QTRY_COMPARE(fixture.window->currentWorkspace(), QString("records"));
        QTest::qWait(300);
        QVERIFY(!fixture.window->live()->engineAlive());
        QVERIFY(!QFile::exists(fixture.home.filePath("matmul/tuning.twdb-wal-started")));
    }

    void row90_droppedFilesOpenAndTwoAreCompared() {
        Fixture fixture;
        const QString first = fixture.store("one");
        const QString second = fixture.store("two");
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(first), QUrl::fromLocalFile(second)});
        QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &drop);
        QTest::qWait(2000);
        QEXPECT_FAIL("", "known defect: the first of two dropped stores is not pinned", Abort);
        QCOMPARE(fixture.window->state()->baselines().size(), 1);
        QCOMPARE(fixture.window->currentWorkspace(), QString("compare"));
        QCOMPARE(fixture.window->state()->workDir(), second);
    }

    void row90_whatCannotBeOpenedIsNamed() {
        Fixture fixture;
        fixture.window->openFiles({fixture.home.filePath("nowhere.twdb")});
        QTRY_VERIFY(says(*fixture.window, "nowhere.twdb"));
    }

    void row76_tvmPairOpensInEitherOrder() {
        Fixture fixture;
        const QString workloads = fixture.home.filePath("w.json");
        const QString records = fixture.home.filePath("r.json");
        std::ofstream(workloads.toStdString()) << "[\"123\", \"e30=\"]\n";
        std::ofstream(records.toStdString())
            << R"([0,[[[["GetSBlock",[],["C","main"],["b0"]]],[]],[0.001],{"kind":"llvm"},[]]])"
            << "\nrubbish\n";
        fixture.window->openFiles({records, workloads});
        QTRY_COMPARE(fixture.window->currentWorkspace(), QString("records"));
        QTRY_VERIFY(says(*fixture.window, "skipped"));
    }

    void row90_undoTakesBackFilterAndPins() {
        Fixture fixture;
        AppState& state = *fixture.window->state();
        state.setFilter("task:a");
        state.setBaselines({{"/x", 1, -1, "session 1"}});
        fixture.window->commands()->trigger("edit.undo");
        QVERIFY(state.baselines().isEmpty());
        QCOMPARE(state.filter(), QString("task:a"));
        fixture.window->commands()->trigger("edit.undo");
        QCOMPARE(state.filter(), QString());
        fixture.window->commands()->trigger("edit.redo");
        QCOMPARE(state.filter(), QString("task:a"));
    }

    void row90_historyGoesBackAndForward() {
        Fixture fixture;
        AppState& state = *fixture.window->state();
        state.setTask(3);
        state.setTask(4);
        QVERIFY(fixture.window->commands()->action("view.back")->isEnabled());
        fixture.window->commands()->trigger("view.back");
        QCOMPARE(state.task(), qint64{3});
        fixture.window->commands()->trigger("view.forward");
        QCOMPARE(state.task(), qint64{4});
    }

    void row90_damagedOrForeignLayoutNeverStopsTheStart() {
        Fixture fixture;
        fixture.window->openResults(fixture.store("matmul"));
        fixture.window->closeQuietly();
        fixture.window.reset();
        const QString file = fixture.home.filePath("state/layout.ini");
        QVERIFY(QFile::exists(file));
        {
            QSettings layout(file, QSettings::IniFormat);
            layout.setValue("layout/state", QByteArray("rubbish"));
        }
        fixture.open();
        QVERIFY(says(*fixture.window, "layout"));
        fixture.window->closeQuietly();
        fixture.window.reset();
        // As a process leaves it that ended in the middle of a restore.
        QFile guard(fixture.home.filePath("state/restoring"));
        QVERIFY(guard.open(QIODevice::WriteOnly));
        guard.close();
        fixture.open();
        QVERIFY(!guard.exists());
        fixture.window->commands()->trigger("view.resetLayout");
    }

    void row90_docksAreHiddenAndComeBack() {
        Fixture fixture;
        fixture.window->openResults(fixture.store("matmul"));
        auto* dock = fixture.window->findChild<QDockWidget*>("projectDock");
        QTRY_VERIFY(dock->isVisible());
        fixture.window->commands()->trigger("view.project");
        QVERIFY(!dock->isVisible());
        fixture.window->commands()->trigger("view.resetLayout");
        QVERIFY(dock->isVisible());
    }

    void row89_themeAndTextSizeSwitchAtRunTime() {
        Fixture fixture;
        fixture.window->commands()->trigger("view.themeDark");
        QVERIFY(fixture.theme.isDark());
        fixture.window->commands()->trigger("view.themeLight");
        QVERIFY(!fixture.theme.isDark());
        const double before = fixture.theme.zoom();
        fixture.window->commands()->trigger("view.zoomIn");
        QVERIFY(fixture.theme.zoom() > before);
        fixture.window->commands()->trigger("view.zoomReset");
        QCOMPARE(fixture.theme.zoom(), 1.0);
    }

    void row89_languageSwitchesAtRunTime() {
        Fixture fixture;
        fixture.window->openResults(fixture.store("matmul"));
        fixture.languages.set("zh_CN");
        QTRY_COMPARE(fixture.window->currentWorkspace(), QString("records"));
        fixture.languages.set("en");
        QTest::qWait(50);
        QCOMPARE(fixture.window->commands()->action("session.pause")->iconText(), QString("Pause"));
    }

    void row90_crashIsToldAtTheNextStart() {
        QTemporaryDir home;
        const AppPaths paths = AppPaths::below(home.path());
        QFile note(paths.stateDir + "/last-state-999999.json");
        QVERIFY(note.open(QIODevice::WriteOnly));
        note.write(R"({"pid":999999,"work_dir":"/w","session":12,"state":"running",)"
                   R"("trials":1402,"budget":2800})");
        note.close();
        Theme theme;
        Languages languages;
        MainWindow window({paths, "1.0", &theme, &languages, nullptr, false});
        window.show();
        QVERIFY(says(window, "session 12 kept running"));
        QVERIFY(!note.exists());
    }

    void logRotates() {
        QTemporaryDir dir;
        LogFile log(dir.path(), 200);
        for (int i = 0; i < 100; ++i)
            log.write("note", "a line of some length, to fill the file");
        QVERIFY(QFile::exists(dir.filePath("window.log.4")));
        QVERIFY(!QFile::exists(dir.filePath("window.log.5")));
    }

    void commandLineIsRead() {
        const auto options = parseStartOptions(
            {"tilewright-gui", "--safe-mode", "--theme", "dark", "--lang", "zh_CN", "a.onnx"}, "1");
        QVERIFY(options.error.isEmpty() && options.safeMode);
        QCOMPARE(options.theme, QString("dark"));
        QCOMPARE(options.files, QStringList{"a.onnx"});
        const auto compare = parseStartOptions({"x", "--compare", "a", "b"}, "1");
        QCOMPARE(compare.compare, (QStringList{"a", "b"}));
        QVERIFY(!parseStartOptions({"x", "--theme", "pink"}, "1").error.isEmpty());
        QVERIFY(!parseStartOptions({"x", "--nonsense"}, "1").error.isEmpty());
    }

    void row88_everyControlHasANameAndIsReachedByTab() {
        Fixture fixture;
        fixture.window->openResults(fixture.store("matmul"));
        QTest::qWait(200);
        QStringList unnamed;
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            const auto* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (!face || face->text(QAccessible::Name).isEmpty())
                unnamed.append(QStringLiteral("%1 %2").arg(
                    QLatin1String(widget->metaObject()->className()), widget->objectName()));
        }
        unnamed.removeDuplicates();
        QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join("; ")));
    }
};

QTEST_MAIN(ShellTest)
#include "shell_test.moc"
