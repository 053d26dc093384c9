// SPDX-License-Identifier: Apache-2.0
// Real sessions of the bundled sample under the Tune page: started, paused, killed, resumed, while
// windows come and go.
#include <tilewright/database/store_reader.h>
#include <tilewright/session/live_snapshot.h>
#include <tilewright/session/metadata_edit.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/tune_view.h>

#include <QAction>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <csignal>
#include <memory>

using namespace tilewright;
using namespace tilewright::ui;

namespace {

constexpr int kLong = 90'000;

struct Window {
    QTemporaryDir home;
    QSettings settings{home.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    AppState state;
    LiveSession live;
    QStringList problems;
    std::unique_ptr<Workspace> view;

    Window() {
        ViewContext context;
        context.state = &state;
        context.live = &live;
        context.settings = &settings;
        context.trigger = [](const QString&) {};
        context.problem = [this](int, const QString& code, const QString& text) {
            problems << code + QLatin1Char(' ') + text;
        };
        view.reset(createTuneView(context, nullptr));
        view->resize(1180, 760);
        view->show();
        view->opened();
    }
    TuneView* page() const { return qobject_cast<TuneView*>(view.get()); }
    qint64 trials() const { return live.snapshot() ? live.snapshot()->trials : 0; }
};

/// Trials that the store holds, with the kind of every one.
qint64 storedTrials(const QString& dir) {
    qint64 sum = 0;
    for (const auto& task : database::StoreReader(dir.toStdString()).taskSummaries())
        sum += task.trials;
    return sum;
}

int enginePid(const QString& dir) {
    const auto heartbeat = database::StoreReader(dir.toStdString()).heartbeat();
    return heartbeat ? heartbeat->pid : 0;
}

class TuneSessionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("TILEWRIGHT", TW_ENGINE);
        qputenv("XDG_CACHE_HOME", cache_.path().toUtf8());
    }
    void row02_startPauseResumeStop();
    void row03_killedEnginesLoseNothing();
    void row03_killedWindowsLoseNothing();
    void failedStartsAreExplained();

private:
    void begin(Window& window, const QString& dir, int trials, double minutes = 0);
    Theme theme_;
    QTemporaryDir cache_;
};

/// Through the New session page, with real clicks.
void TuneSessionTest::begin(Window& window, const QString& dir, int trials, double minutes) {
    window.state.setWorkDir(dir);
    window.state.setModelPath(QStringLiteral(TW_SAMPLE));
    window.state.setTarget(QStringLiteral("host -num-cores=1"));
    window.page()->showNewSession();
    auto* start = window.view->findChild<QPushButton*>(QStringLiteral("planStart"));
    auto* preflight = window.view->findChild<QWidget*>(QStringLiteral("preflight"));
    QTRY_VERIFY_WITH_TIMEOUT(preflight->findChild<QWidget*>(QStringLiteral("check.builder")),
                             kLong);
    window.view->findChild<QSpinBox*>(QStringLiteral("planTrials"))->setValue(trials);
    window.view->findChild<QDoubleSpinBox*>(QStringLiteral("planMinutes"))->setValue(minutes);
    QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled(), kLong);
    QTest::mouseClick(start, Qt::LeftButton);
}

void TuneSessionTest::row02_startPauseResumeStop() {
    const QTemporaryDir dir;
    Window window;
    begin(window, dir.path(), 400);
    QTRY_VERIFY_WITH_TIMEOUT(window.live.state() == QLatin1String("running"), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(window.trials() >= 5, kLong);
    window.live.pause();
    QTRY_COMPARE_WITH_TIMEOUT(window.live.state(), QStringLiteral("paused"), kLong);
    // Paused: marks are changed at once although the engine owns the directory.
    session::MetadataEdit edit;
    edit.records = {database::RecordId(1)};
    edit.addTags = {"seen"};
    QCOMPARE(session::editMetadata(dir.path().toStdString(), edit).size(), std::size_t{1});
    QCOMPARE(database::StoreReader(dir.path().toStdString()).marks(database::RecordId(1)).tags,
             std::vector<std::string>{"seen"});
    const qint64 before = window.trials();
    QTest::qWait(500);
    QCOMPARE(window.trials(), before);
    // Row 5: an order from the table's menu shows at once and is carried out between rounds.
    auto* table = window.view->findChild<TableView*>(QStringLiteral("tuneTasks"));
    QMenu menu;
    emit table->contextMenuFor(table->model()->index(0, 0), &menu);
    for (QAction* action : menu.actions())
        if (action->objectName() == QLatin1String("task.freeze"))
            action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!window.live.snapshot()->tasks.at(0).ordered.empty(), kLong);
    window.live.resume();
    QTRY_COMPARE_WITH_TIMEOUT(window.live.state(), QStringLiteral("running"), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(
        window.live.snapshot()->tasks.at(0).state == session::LiveTaskState::Frozen, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(window.trials() > before, kLong);
    window.live.stop();
    QTRY_COMPARE_WITH_TIMEOUT(window.live.state(), QStringLiteral("stopped"), kLong);
    QCOMPARE(storedTrials(dir.path()), window.trials());
    auto* text = window.view->findChild<QLabel*>(QStringLiteral("finishedText"));
    QTRY_VERIFY(text->isVisible() && text->text().startsWith(QStringLiteral("Stopped")));
}

void TuneSessionTest::row03_killedEnginesLoseNothing() {
    const QTemporaryDir dir;
    Window window;
    const int kills =
        qEnvironmentVariableIntValue("TW_KILLS") > 0 ? qEnvironmentVariableIntValue("TW_KILLS") : 3;
    begin(window, dir.path(), 4000);
    qint64 known = 0;
    for (int kill = 0; kill < kills; ++kill) {
        QTRY_VERIFY_WITH_TIMEOUT(
            window.live.state() == QLatin1String("running") && window.trials() >= known + 3, kLong);
        known = window.trials();
        const int pid = enginePid(dir.path());
        QVERIFY(pid > 1);
        QCOMPARE(::kill(pid, SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(window.live.state(), QStringLiteral("interrupted"), kLong);
        QVERIFY(storedTrials(dir.path()) >= known); // what was shown is stored
        known = storedTrials(dir.path());
        auto* bar = window.view->findChild<MessageBar*>(QStringLiteral("tuneMessage"));
        QTRY_VERIFY(bar->text().contains(QStringLiteral("Interrupted")));
        bool clicked = false;
        for (auto* button : bar->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QLatin1String("Resume")) {
                QTest::mouseClick(button, Qt::LeftButton);
                clicked = true;
            }
        QVERIFY(clicked);
    }
    QTRY_VERIFY_WITH_TIMEOUT(
        window.live.state() == QLatin1String("running") && window.trials() > known, kLong);
    for (const QString& problem : window.problems)
        QVERIFY2(!problem.contains(QStringLiteral("locked")), qPrintable(problem));
    window.live.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(window.live.state(), QStringLiteral("stopped"), kLong);
}

void TuneSessionTest::row03_killedWindowsLoseNothing() {
    const QTemporaryDir dir;
    {
        Window first;
        begin(first, dir.path(), 60, 1);
        QTRY_VERIFY_WITH_TIMEOUT(first.trials() >= 2, kLong);
    }
    qint64 known = 2;
    for (int i = 0; i < 3; ++i) {
        Window window;
        window.state.setWorkDir(dir.path());
        window.live.open(dir.path());
        QTRY_VERIFY_WITH_TIMEOUT(window.trials() >= known, kLong);
        QTRY_VERIFY_WITH_TIMEOUT(
            window.live.engineAlive() || window.live.state() == QLatin1String("finished"), kLong);
        known = window.trials();
    }
    Window last;
    last.live.open(dir.path());
    QTRY_COMPARE_WITH_TIMEOUT(last.live.state(), QStringLiteral("finished"), 2 * kLong);
    QVERIFY(last.live.snapshot()->speedUp().value_or(0) > 1);
    QCOMPARE(last.live.snapshot()->missingTasks, 0);
    const QString shots = qEnvironmentVariable("TW_SHOTS");
    if (!shots.isEmpty())
        last.view->grab().save(QDir(shots).filePath(QStringLiteral("tune-finished.png")));
}

void TuneSessionTest::failedStartsAreExplained() {
    const QTemporaryDir dir;
    LiveSession live;
    QString said;
    connect(&live, &LiveSession::commandFailed, this, [&](const QString& text) { said = text; });
    live.start({QStringLiteral("/no/such/model.onnx")}, dir.path());
    QTRY_VERIFY_WITH_TIMEOUT(said.contains(QStringLiteral("/no/such/model.onnx")), kLong);
    QVERIFY(!live.logFile().isEmpty());
}

} // namespace

QTEST_MAIN(TuneSessionTest)
#include "tune_session_test.moc"
