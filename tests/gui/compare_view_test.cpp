// SPDX-License-Identifier: Apache-2.0
// The Compare page, driven as a person does.
#include "../support/sample_session.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/cell_table_model.h>
#include <tilewright/ui/compare_source.h>
#include <tilewright/ui/compare_view.h>
#include <tilewright/ui/diff_view.h>
#include <tilewright/ui/dumbbell_plot.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/trace_diff_view.h>
#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest/QTest>
#include <QUndoStack>

#include <memory>

using namespace tilewright;
using namespace tilewright::ui;

namespace {

struct Page {
    explicit Page(const QString& dir)
        : settings(settingsDir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat) {
        context.state = &state;
        context.live = &live;
        context.settings = &settings;
        context.undo = &undo;
        context.trigger = [](const QString&) {};
        context.problem = [](int, const QString&, const QString&) {};
        state.setWorkDir(dir);
        view.reset(createCompareView(context, nullptr));
        view->resize(1380, 820);
        view->show();
        view->opened();
    }
    template <class T> T* find(const char* name) const {
        return view->findChild<T*>(QLatin1String(name));
    }
    QTemporaryDir settingsDir;
    AppState state;
    LiveSession live;
    QSettings settings;
    QUndoStack undo;
    ViewContext context;
    std::unique_ptr<Workspace> view;
};

constexpr int kWait = 20000;

} // namespace

class CompareViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { testing::makeSampleSessions(dir().toStdString()); }

    void row51_sessionAgainstSession() {
        Page page(dir());
        auto* table = page.find<TableView>("operatorComparison");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, kWait);
        QCOMPARE(page.find<QComboBox>("sideA")->currentText(), QString("Session 1 · model.onnx"));
        QVERIFY(page.find<QLabel>("verdictBig")->text().contains("faster"));
        // Sorted by weighted change; the plot shows the same rows.
        QCOMPARE(table->shownRows().first(), 0);
        auto* plot = page.find<DumbbellPlot>("dumbbells");
        QVERIFY(plot->accessibleSummary().contains("2"));
        QVERIFY(page.find<WaterfallPlot>("waterfall")->isVisible());
        QVERIFY(page.find<TableView>("settingComparison")->model()->rowCount() > 4);
    }

    void row54_thresholdMakesNoise() {
        Page page(dir());
        auto* table = page.find<TableView>("operatorComparison");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, kWait);
        const auto word = [&] { return table->model()->index(0, 5).data().toString(); };
        QTRY_COMPARE(word(), QString("faster"));
        page.find<QDoubleSpinBox>("threshold")->setValue(50);
        QTRY_COMPARE(word(), QString("within noise"));
    }

    void defaultSchedulesAsBaseline() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.find<QComboBox>("sideA")->count() > 2, kWait);
        auto* box = page.find<QComboBox>("sideA");
        box->setCurrentIndex(0);
        emit box->activated(0);
        QTRY_VERIFY_WITH_TIMEOUT(page.find<QLabel>("verdictBig")->text().contains("faster"), kWait);
        QTest::mouseClick(page.find<QToolButton>("swapSides"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page.find<QLabel>("verdictBig")->text().contains("slower"), kWait);
    }

    void row58_row59_tracesOfTwoRecords() {
        Page page(dir());
        page.state.setRecords({2, 3});
        auto* traces = page.find<TraceDiffView>("traceDiff");
        QTRY_VERIFY_WITH_TIMEOUT(traces->isVisible(), kWait);
        traces->setDifferencesOnly(false);
        QTRY_VERIFY(traces->decisionTable()->model()->rowCount() >= 2);
        QVERIFY(traces->differenceCount() > 0);
        QTest::mouseClick(page.find<QToolButton>("copyDiff"), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("≠ ")));
        for (QAction* action : page.view->actions())
            if (action->objectName() == QLatin1String("records.nextDifference"))
                action->trigger();
    }

    void row60_codeSideBySide() {
        Page page(dir());
        page.state.setRecords({2, 3});
        auto* code = page.find<DiffView>("codeDiff");
        QTRY_VERIFY_WITH_TIMEOUT(code->isVisible() && code->differenceCount() > 0, kWait);
        QTest::mouseClick(page.find<QToolButton>("form_4"), Qt::LeftButton); // assembly
        QTRY_VERIFY_WITH_TIMEOUT(code->left()->toPlainText().contains("ret"), kWait);
        const QString with = code->left()->toPlainText();
        page.find<QCheckBox>("normalize_comments")->setChecked(false);
        page.find<QCheckBox>("normalize_metadata")->setChecked(false);
        QTRY_VERIFY_WITH_TIMEOUT(code->left()->toPlainText() != with, kWait);
    }

    void row55_severalRecords() {
        Page page(dir());
        page.state.setRecords({2, 3, 4, 5});
        auto* traces = page.find<TraceDiffView>("traceDiff");
        QTRY_VERIFY_WITH_TIMEOUT(traces->isVisible(), kWait);
        QTRY_VERIFY(traces->decisionTable()->model()->columnCount() >= 6);
    }

    void row50_pinnedRecordIsTheBaseline() {
        Page page(dir());
        page.state.setBaselines({{dir(), -1, 2, QStringLiteral("record 2")}});
        page.state.setRecords({4});
        QTRY_VERIFY_WITH_TIMEOUT(page.find<TraceDiffView>("traceDiff")->isVisible(), kWait);
        QTest::mouseClick(page.find<QToolButton>("backToSessions"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(page.find<TableView>("operatorComparison")->isVisible(), kWait);
    }

    void otherTasksAreRefusedWithTheReason() {
        QTemporaryDir other;
        {
            database::StoreWriter store(other.path().toStdString(), {},
                                        database::Durability::Normal);
            database::TuningRecord record;
            record.workload = store.commitWorkload("another module", "other").id;
            record.trace = "[[],[]]";
            record.measurement = database::measurementOf({1e-6, 1e-6});
            store.commitRecord(record);
        }
        Page page(dir());
        page.state.setBaselines({{other.path(), -1, 1, QStringLiteral("other")}});
        page.state.setRecords({2});
        QTRY_VERIFY_WITH_TIMEOUT(
            page.find<QLabel>("verdictSmall")->text().contains("different tasks"), kWait);
        QVERIFY(!page.find<TraceDiffView>("traceDiff")->isVisible());
    }

    void emptyStates() {
        Page nothing{QString()};
        auto* empty = nothing.find<EmptyState>("compareEmpty");
        QVERIFY(empty->isVisible());
        QTemporaryDir other;
        { database::StoreWriter store(other.path().toStdString()); }
        Page fresh(other.path());
        QTRY_COMPARE_WITH_TIMEOUT(fresh.find<EmptyState>("compareEmpty")->title(),
                                  QString("Pick a baseline"), kWait);
    }

    void picturesForTheEye() {
        const QString folder = qEnvironmentVariable("TW_SHOTS");
        if (folder.isEmpty())
            QSKIP("TW_SHOTS names no folder");
        const QString work = qEnvironmentVariable("TW_SHOTS_DIR", dir());
        const QStringList ids = qEnvironmentVariable("TW_SHOTS_RECORDS", "2,3").split(',');
        for (const Theme::Mode mode : {Theme::Light, Theme::Dark}) {
            theme_->setMode(mode);
            const QString end =
                mode == Theme::Light ? QStringLiteral("light.png") : QStringLiteral("dark.png");
            Page page(work);
            QTRY_VERIFY_WITH_TIMEOUT(
                page.find<TableView>("operatorComparison")->model()->rowCount() > 0, kWait);
            QTest::qWait(800);
            page.view->grab().save(folder + QStringLiteral("/compare-sessions-") + end);
            page.state.setRecords({ids[0].toLongLong(), ids[1].toLongLong()});
            QTRY_VERIFY_WITH_TIMEOUT(page.find<TraceDiffView>("traceDiff")->isVisible(), kWait);
            QTest::qWait(1500);
            page.view->grab().save(folder + QStringLiteral("/compare-trace-") + end);
        }
    }

private:
    QString dir() const { return temporary_.path(); }
    QTemporaryDir temporary_;
    std::unique_ptr<Theme> theme_ = std::make_unique<Theme>();
};

QTEST_MAIN(CompareViewTest)
#include "compare_view_test.moc"
