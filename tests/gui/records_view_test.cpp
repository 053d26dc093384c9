// SPDX-License-Identifier: Apache-2.0
// The Records page and the Inspector, driven as a person does.
#include "../support/sample_session.h"

#include <tilewright/database/store_reader.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/chip.h>
#include <tilewright/ui/code_view.h>
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/inspector.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/record_table_model.h>
#include <tilewright/ui/records_view.h>
#include <tilewright/ui/samples_plot.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/view_context.h>
#include <tilewright/ui/workspace.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest/QTest>
#include <QUndoStack>

#include <memory>

using namespace tilewright;
using namespace tilewright::ui;

namespace {

/// A page with all that the window would give it.
struct Page {
    explicit Page(const QString& dir, bool inspector = false)
        : settings(settingsDir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat) {
        context.state = &state;
        context.live = &live;
        context.settings = &settings;
        context.undo = &undo;
        context.trigger = [this](const QString& id) { triggered << id; };
        context.problem = [](int, const QString&, const QString&) {};
        state.setWorkDir(dir);
        view.reset(createRecordsView(context, nullptr));
        view->resize(1040, 780);
        view->show();
        view->activateWindow();
        static_cast<void>(QTest::qWaitForWindowActive(view.get()));
        view->opened();
        if (inspector) {
            side.reset(createInspector(context, nullptr));
            side->resize(380, 780);
            side->show();
        }
    }
    template <class T> T* find(const char* name) const {
        T* found = view->findChild<T*>(QLatin1String(name));
        if (!found && side)
            found = side->findChild<T*>(QLatin1String(name));
        return found;
    }
    RecordTableModel* model() const { return view->findChild<RecordTableModel*>(); }
    TableView* table() const { return find<TableView>("recordTable"); }
    QString cell(int row, int column) const {
        return model()->index(row, column).data(FullTextRole).toString();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        table()->view()->setFocus();
        QTest::keyClick(table()->view(), key, modifiers);
    }

    QTemporaryDir settingsDir;
    AppState state;
    LiveSession live;
    QSettings settings;
    QUndoStack undo;
    ViewContext context;
    QStringList triggered;
    std::unique_ptr<Workspace> view;
    std::unique_ptr<QWidget> side;
};

constexpr int kWait = 20000;

} // namespace

class RecordsViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { testing::makeSampleSessions(dir().toStdString()); }

    void row41_rowsComeSortedByLatency() {
        Page page(dir());
        QTRY_COMPARE_WITH_TIMEOUT(page.model()->rowCount(), 111, kWait);
        QAbstractItemModelTester tester(page.model());
        QVERIFY(page.model()
                    ->headerData(RecordTableModel::LatencyColumn, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .startsWith("median ("));
        for (int row = 1; row < page.model()->rowCount(); ++row)
            QVERIFY(page.model()
                        ->index(row - 1, RecordTableModel::LatencyColumn)
                        .data(SortRole)
                        .toDouble() <= page.model()
                                           ->index(row, RecordTableModel::LatencyColumn)
                                           .data(SortRole)
                                           .toDouble());
        // A click on a header sorts the whole store, not the page.
        auto* header = page.table()->view()->horizontalHeader();
        const int x = header->sectionViewportPosition(RecordTableModel::AgeColumn) + 12;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, header->height() / 2));
        QTRY_VERIFY(page.model()->result()->choice.sort.front().key == session::RecordKey::Time);
    }

    void row42_filterWithChipsAndProblem() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.state.setFilter(QStringLiteral("task:fused* lat<12us"));
        QTRY_VERIFY(page.model()->rowCount() > 0 && page.model()->rowCount() < 50);
        for (int row = 0; row < page.model()->rowCount(); ++row)
            QCOMPARE(page.cell(row, RecordTableModel::TaskColumn), QString("fused_scale_relu"));
        const int before = page.model()->rowCount();
        page.state.setFilter(QStringLiteral("task:fused* lat<12parsec"));
        auto* bar = page.view->findChild<MessageBar*>();
        QTRY_VERIFY(bar->hasMessage());
        QVERIFY2(bar->text().contains("12parsec"), qPrintable(bar->text()));
        QCOMPARE(page.model()->rowCount(), before); // what was shown stays
        page.state.setFilter(QStringLiteral("task:fused*"));
        QTRY_VERIFY(!bar->hasMessage());
        QCOMPARE(RecordSource::chipsOf("task:fused* lat<12us"),
                 (QStringList{"task:fused*", "lat<12us"}));
    }

    void row43_nothingMatchesSaysSo() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.state.setFilter(QStringLiteral("task:fused* lat<1ns"));
        auto* empty = page.find<EmptyState>("recordsEmpty");
        QTRY_COMPARE(empty->title(), QString("0 of 122 match"));
        QCOMPARE(empty->text(), QString("task:fused* lat<1ns"));
        QVERIFY(page.find<QLabel>("recordCounts")->text().startsWith("0 of 122"));
        const auto buttons = empty->findChildren<QPushButton*>();
        QVERIFY(buttons.size() >= 2);
        for (QPushButton* button : buttons)
            if (button->text() == QLatin1String("Remove last chip"))
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(page.state.filter(), QString("task:fused*"));
        QTRY_VERIFY(page.model()->rowCount() > 0);
    }

    void row44_statesAreToggles() {
        Page page(dir());
        QTRY_COMPARE_WITH_TIMEOUT(page.model()->rowCount(), 111, kWait);
        const int build = static_cast<int>(database::RecordStatus::Build);
        auto* chip = page.find<Chip>(qPrintable(QStringLiteral("status_%1").arg(build)));
        QVERIFY(chip && chip->isVisible() && !chip->isChecked());
        QVERIFY(chip->text().contains("10"));
        QTest::mouseClick(chip, Qt::LeftButton);
        QTRY_VERIFY(page.model()->rowCount() > 111);
        // Failed ones stand at the end, whichever way it is sorted.
        const int last = page.model()->rowCount() - 1;
        QCOMPARE(page.cell(last, RecordTableModel::StatusColumn), QString("build"));
        QCOMPARE(page.cell(last, RecordTableModel::LatencyColumn), QString("—"));
        page.table()->sortBy(RecordTableModel::LatencyColumn, Qt::DescendingOrder);
        QTRY_VERIFY(page.model()->result()->choice.sort.front().descending);
        QCOMPARE(page.cell(last, RecordTableModel::StatusColumn), QString("build"));
    }

    void row45_bestAndJump() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        QTest::mouseClick(page.find<QToolButton>("quick_best:5"), Qt::LeftButton);
        QCOMPARE(page.state.filter(), QString("best:5"));
        QTRY_COMPARE(page.model()->rowCount(), 10);
        QTest::mouseClick(page.find<QToolButton>("quick_best:1"), Qt::LeftButton);
        QTRY_COMPARE(page.model()->rowCount(), 2);
        // The number that Ctrl+G sets is hidden by the filter: the page says so.
        page.state.setRecords({1});
        auto* bar = page.view->findChild<MessageBar*>();
        QTRY_VERIFY(bar->hasMessage());
        QVERIFY(bar->text().contains("hidden"));
        page.state.setFilter({});
        page.state.setRecords({2});
        QTRY_COMPARE(page.table()->selectedRows().size(), 1);
        QCOMPARE(page.model()->idAt(page.table()->selectedRows().first().row()), 2);
    }

    void row46_marksCanBeTakenBack() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.table()->selectRow(1);
        const qint64 id = page.model()->idAt(1);
        page.key(Qt::Key_Space);
        const auto starred = [&] {
            const auto row = page.model()->result()->index->rowOf(id);
            return row && (page.model()->result()->index->marks(*row) & session::kMarkStarred) != 0;
        };
        QTRY_VERIFY(starred());
        QVERIFY(page.undo.canUndo());
        page.undo.undo();
        QTRY_VERIFY(!starred());
        const int before = page.model()->rowCount();
        page.table()->selectRow(0);
        page.key(Qt::Key_Delete);
        QTRY_COMPARE(page.model()->rowCount(), before - 1);
        auto* bar = page.view->findChild<MessageBar*>();
        QVERIFY(bar->text().startsWith("Deleted"));
        QTest::mouseClick(bar->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_COMPARE(page.model()->rowCount(), before);
    }

    void row50_pinnedBaselineShowsDelta() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.state.setFilter(QStringLiteral("task:scale"));
        QTRY_VERIFY(page.model()->rowCount() > 2 && page.model()->rowCount() < 80);
        page.state.setRecords({page.model()->idAt(2)});
        page.key(Qt::Key_B);
        QCOMPARE(page.state.baselines().size(), 1);
        QTRY_VERIFY(page.cell(0, RecordTableModel::DeltaColumn).contains(QStringLiteral("▼")));
        QTRY_VERIFY(page.cell(page.model()->rowCount() - 1, RecordTableModel::DeltaColumn)
                        .contains(QStringLiteral("▲")));
        page.key(Qt::Key_B);
        QVERIFY(page.state.baselines().isEmpty());
        QTRY_COMPARE(page.cell(0, RecordTableModel::DeltaColumn), QString("—"));
    }

    void row40_statisticIsLabelled() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.state.setStatistic(Statistic::P95);
        QTRY_VERIFY(
            page.model()
                ->headerData(RecordTableModel::LatencyColumn, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .startsWith("p95"));
        QCOMPARE(page.find<QComboBox>("statistic")->currentText(), QString("p95"));
        QVERIFY(page.cell(0, RecordTableModel::LatencyColumn) != QString("—"));
        QCOMPARE(page.model()
                     ->headerData(RecordTableModel::LatencyColumn, Qt::Horizontal, ExportRole)
                     .toString(),
                 QString("p95_s"));
    }

    void row39_columnsAndRow83_export() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        QVERIFY(!page.table()->isColumnShown(RecordTableModel::IdColumn));
        page.table()->setColumnShown(RecordTableModel::IdColumn, true);
        QVERIFY(page.table()->isColumnShown(RecordTableModel::IdColumn));
        page.table()->resetColumns();
        QVERIFY(!page.table()->isColumnShown(RecordTableModel::IdColumn));
        QBuffer out;
        out.open(QIODevice::WriteOnly);
        QVERIFY(page.table()->exportTable(&out, TableView::Format::Csv));
        QVERIFY(out.data().startsWith("median_s,") || out.data().contains("median_s"));
        page.table()->selectRow(0);
        page.key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("median_s")));
    }

    void row84_plotExports() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        auto* plot = page.find<CurvePlot>("recordPlot");
        QVERIFY(plot->data().trials.size() > 100);
        QVERIFY(!plot->data().failures.isEmpty());
        QBuffer svg;
        svg.open(QIODevice::WriteOnly);
        QVERIFY(plot->exportPlot(&svg, PlotView::Format::Svg));
        QVERIFY(svg.data().contains("<svg"));
    }

    void row47_inspectorShowsEverySide() {
        Page page(dir(), true);
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.table()->selectRow(0);
        page.state.setRecords({page.model()->idAt(0)});
        auto* latency = page.find<QLabel>("inspectorLatency");
        QTRY_VERIFY_WITH_TIMEOUT(!latency->text().isEmpty(), kWait);
        auto* frame = page.side->findChild<Inspector*>();
        frame->showPage(QStringLiteral("trace"));
        QTRY_VERIFY(
            page.find<CodeView>("traceCode")->toPlainText().contains("sample_perfect_tile"));
        frame->showPage(QStringLiteral("ir"));
        QTRY_VERIFY_WITH_TIMEOUT(page.find<CodeView>("irCode")->toPlainText().contains("T.grid") ||
                                     page.find<CodeView>("irCode")->toPlainText().contains("for "),
                                 kWait);
        frame->showPage(QStringLiteral("asm"));
        QTRY_VERIFY_WITH_TIMEOUT(page.find<CodeView>("asmCode")->toPlainText().contains("ret"),
                                 kWait);
        frame->showPage(QStringLiteral("features"));
        QTRY_VERIFY_WITH_TIMEOUT(page.find<TableView>("features")->model()->rowCount() >= 164,
                                 kWait);
    }

    void row47_decisionsAreEditedByHand() {
        Page page(dir(), true);
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        page.state.setRecords({2});
        page.side->findChild<Inspector*>()->showPage(QStringLiteral("decisions"));
        QTRY_VERIFY_WITH_TIMEOUT(page.find<QLineEdit>("decision_2") != nullptr, kWait);
        auto* edit = page.find<QLineEdit>("decision_2");
        auto* measure = page.find<QPushButton>("measureEdited");
        auto* message = page.find<QLabel>("legality");
        QVERIFY(!measure->isEnabled());
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, "3 5");
        QTRY_VERIFY2(message->text().contains("multiply to 15"), qPrintable(message->text()));
        QVERIFY(!measure->isEnabled());
        edit->selectAll();
        QTest::keyClicks(edit, "4 16");
        QTRY_VERIFY_WITH_TIMEOUT(measure->isEnabled(), kWait);
        QVERIFY(page.find<CodeView>("editedCode")->toPlainText().contains("def main"));
    }

    void row48_actionsAreThere() {
        Page page(dir());
        QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
        QStringList names;
        for (const QAction* action : page.view->actions())
            names << action->objectName();
        for (const char* name :
             {"records.open", "records.star", "records.pin", "records.compare", "records.remeasure",
              "records.verify", "records.tag", "records.note", "edit.delete"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        page.table()->selectRows({0, 1});
        for (QAction* action : page.view->actions())
            if (action->objectName() == QLatin1String("records.compare"))
                action->trigger();
        QCOMPARE(page.state.records().size(), 2);
        QVERIFY(page.triggered.contains("workspace.compare"));
    }

    void emptyForeignAndBrokenStores() {
        QTemporaryDir other;
        Page nothing{QString()};
        QTRY_COMPARE(nothing.find<EmptyState>("recordsEmpty")->title(), QString("No results open"));
        Page missing(other.filePath(QStringLiteral("nowhere")));
        QTRY_COMPARE_WITH_TIMEOUT(missing.find<EmptyState>("recordsEmpty")->title(),
                                  QString("These records cannot be read"), kWait);
        const QString fresh = other.filePath(QStringLiteral("fresh"));
        { database::StoreWriter store(fresh.toStdString()); }
        Page empty(fresh);
        QTRY_COMPARE_WITH_TIMEOUT(empty.find<EmptyState>("recordsEmpty")->title(),
                                  QString("No records yet"), kWait);
    }

    void picturesForTheEye() {
        const QString folder = qEnvironmentVariable("TW_SHOTS");
        if (folder.isEmpty())
            QSKIP("TW_SHOTS names no folder");
        const QString work = qEnvironmentVariable("TW_SHOTS_DIR", dir());
        for (const Theme::Mode mode : {Theme::Light, Theme::Dark}) {
            theme_->setMode(mode);
            const QString end =
                mode == Theme::Light ? QStringLiteral("light.png") : QStringLiteral("dark.png");
            Page page(work, true);
            QTRY_VERIFY_WITH_TIMEOUT(page.model()->rowCount() > 0, kWait);
            QTRY_VERIFY_WITH_TIMEOUT(page.model()->result()->index->complete(), kWait);
            page.state.setBaselines({{work, -1, page.model()->idAt(4), "record"}});
            page.state.setRecords({page.model()->idAt(0)});
            QTest::qWait(1500);
            page.view->grab().save(folder + QStringLiteral("/records-") + end);
            for (const char* tab : {"summary", "decisions", "ir", "samples", "environment"}) {
                page.side->findChild<Inspector*>()->showPage(QLatin1String(tab));
                QTest::qWait(500);
                page.side->grab().save(
                    folder + QStringLiteral("/inspector-%1-").arg(QLatin1String(tab)) + end);
            }
        }
    }

private:
    QString dir() const { return temporary_.path(); }
    QTemporaryDir temporary_;
    std::unique_ptr<Theme> theme_ = std::make_unique<Theme>();
};

QTEST_MAIN(RecordsViewTest)
#include "records_view_test.moc"
