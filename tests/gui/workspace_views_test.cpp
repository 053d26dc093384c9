// SPDX-License-Identifier: GPL-3.0-or-later
// The Model, Bottlenecks, Profile and Devices pages, driven like a person would.
#include <tilewright/database/store_writer.h>
#include <tilewright/ir/printer.h>
#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/session/device_overview.h>
#include <tilewright/session/module_codec.h>
#include <tilewright/session/profile_report.h>
#include <tilewright/session/tuning_input.h>
#include <tilewright/target/parse_target.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/bottlenecks_view.h>
#include <tilewright/ui/cell_table_model.h>
#include <tilewright/ui/devices_view.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/model_view.h>
#include <tilewright/ui/operator_table.h>
#include <tilewright/ui/overview_table.h>
#include <tilewright/ui/plot_view.h>
#include <tilewright/ui/profile_table.h>
#include <tilewright/ui/profile_view.h>
#include <tilewright/ui/stat_strip.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <fstream>

using namespace tilewright;
using namespace tilewright::ui;

namespace {

QString samplePath() {
    return QStringLiteral(TW_SOURCE_DIR) + QStringLiteral("/resources/samples/small_cnn.onnx");
}

/// The window around a page.
struct Window {
    AppState state;
    LiveSession live;
    QTemporaryDir dir;
    QSettings settings{dir.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
    QStringList triggered;
    QStringList problems;
    ViewContext context;

    Window() {
        context.state = &state;
        context.live = &live;
        context.settings = &settings;
        context.trigger = [this](const QString& id) { triggered << id; };
        context.problem = [this](int, const QString&, const QString& text) { problems << text; };
    }
};

void show(Workspace& view) {
    view.resize(1280, 800);
    view.show();
    view.opened();
}

template <class T> T* part(QWidget& view, const char* name) {
    T* found = view.findChild<T*>(QString::fromLatin1(name));
    if (!found)
        qWarning("no %s", name);
    return found;
}

/// Text of a cell as the table shows it.
QString cell(TableView* table, int row, int column) {
    return table->model()->index(row, column).data().toString();
}

int rowWith(TableView* table, int column, const QString& text) {
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (cell(table, row, column) == text)
            return row;
    return -1;
}

void clickRow(TableView* table, int row) {
    QTableView* view = table->view();
    const QList<int> shown = table->shownRows();
    const QModelIndex index = view->model()->index(static_cast<int>(shown.indexOf(row)), 0);
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
}

/// A store with results of the sample, as a session would leave it.
void fillStore(const QString& dir, bool results = true) {
    const session::TuningInput input = session::openInput(samplePath().toStdString());
    database::StoreWriter store(dir.toStdString(), session::makeModuleCodec());
    const std::string target =
        json::dump(target::parseTarget("host -num-cores=1").toJson(), json::Style::Tvm);
    database::Session session;
    session.input = samplePath().toStdString();
    session.target = "host -num-cores=1";
    session.state = "finished";
    session.result =
        R"({"wall_s":12,"seconds":{"search":5,"build":4,"run":2,"train":0.5,"other":0.5}})";
    session.id = store.beginSession(session);
    int number = 0;
    for (const search::TuneTask& task : input.tasks) {
        database::Task row;
        row.name = task.name;
        row.workload = store.commitWorkload(ir::print(task.module), task.name).id;
        row.target = target;
        row.weight = task.weight;
        row.flop = task.flop;
        row.bytes = task.bytes;
        row.id = store.commitTask(row);
        if (!results)
            continue;
        ++number;
        const auto add = [&](std::optional<std::int64_t> trial, double microseconds,
                             database::RecordStatus status) {
            database::TuningRecord record;
            record.task = row.id;
            record.workload = row.workload;
            record.session = session.id;
            record.target = target;
            record.trace = "[[],[]]";
            record.device = "local";
            record.trial = trial;
            record.origin = trial ? database::RecordOrigin::Trial : database::RecordOrigin::Default;
            record.status = status;
            std::vector<double> samples;
            for (int i = 0; i < 8 && status == database::RecordStatus::Ok; ++i)
                samples.push_back((microseconds + 0.1 * i) * 1e-6);
            record.measurement = database::measurementOf(std::move(samples));
            record.measurement.present = true;
            store.commitRecord(record);
        };
        add(std::nullopt, 100.0 * number, database::RecordStatus::Ok);
        add(1, 80.0 * number, database::RecordStatus::Ok);
        add(2, 0, database::RecordStatus::Build);
        add(3, 40.0 * number, database::RecordStatus::Ok);
    }
}

void writePeaks(const QString& cache) {
    QDir().mkpath(cache + QStringLiteral("/tilewright"));
    std::ofstream((cache + QStringLiteral("/tilewright/peaks.json")).toStdString())
        << R"({"cpu":"test","cpu_name":")" << target::detectHost().cpuName
        << R"(","compute":[{"vector_bits":128,"gflops":50},{"vector_bits":256,"gflops":100}],
        "read":[{"level":"L1","bytes":16384,"gb_per_s":90},
                {"level":"L2","bytes":262144,"gb_per_s":70},
                {"level":"memory","bytes":134217728,"gb_per_s":7}]})";
}

} // namespace

class WorkspaceViewsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(home_.isValid());
        for (const char* name : {"XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})
            qputenv(name, home_.filePath(QString::fromLatin1(name)).toLocal8Bit());
        theme_ = std::make_unique<Theme>();
    }

    void cleanupTestCase() { theme_.reset(); }

    void cellModelIsSound() {
        CellTableModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setColumns(
            {{QStringLiteral("a"), {}, {}, false}, {QStringLiteral("b"), {}, {}, true}});
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setRows({{textCell(QStringLiteral("x")), numberCell(QStringLiteral("1"), 1)}}, {7});
        QCOMPARE(resets.count(), 1);
        model.setRows({{textCell(QStringLiteral("y")), numberCell(QStringLiteral("2"), 2)}}, {7});
        QCOMPARE(resets.count(), 1);
        QCOMPARE(model.rowOf(7), 0);
        QCOMPARE(model.index(0, 1).data(SortRole).toDouble(), 2.0);
    }

    void row12_openOnnxImportReport() {
        Window window;
        ModelView view(window.context, nullptr);
        show(view);
        auto* empty = part<EmptyState>(view, "modelEmpty");
        QCOMPARE(empty->title(), QStringLiteral("No model open."));
        QTest::mouseClick(empty->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(window.triggered.value(0), QStringLiteral("file.openModel"));
        window.state.setModelPath(samplePath());
        auto* lines = part<TableView>(view, "importLines");
        QTRY_VERIFY_WITH_TIMEOUT(lines->model()->rowCount() > 3, 20000);
        QVERIFY(lines->isVisible());
        QCOMPARE(part<QLabel>(view, "modelTitle")->text(), QStringLiteral("small_cnn"));
        QVERIFY(part<QLabel>(view, "modelFacts")->text().contains(QStringLiteral("opset")));
        bool named = false;
        for (int row = 0; row < lines->model()->rowCount(); ++row)
            named = named ||
                    cell(lines, row, OverviewTable::OpColumn).startsWith(QStringLiteral("Conv-"));
        QVERIFY(named);
        window.state.setModelPath(QStringLiteral("/nonexistent.onnx"));
        QTRY_VERIFY_WITH_TIMEOUT(
            empty->isVisible() && empty->title() == QStringLiteral("This model cannot be opened."),
            20000);
    }

    void row13_taskTable() {
        Window window;
        ModelView view(window.context, nullptr);
        show(view);
        window.state.setTarget(QStringLiteral("host -num-cores=1"));
        window.state.setModelPath(samplePath());
        auto* tasks = part<TableView>(view, "overviewTasks");
        QTRY_VERIFY_WITH_TIMEOUT(tasks->model()->rowCount() >= 5, 20000);
        double sum = 0;
        for (int row = 0; row < tasks->model()->rowCount(); ++row) {
            const QModelIndex share = tasks->model()->index(row, OverviewTable::ShareColumn);
            sum += share.data(SortRole).toDouble();
            QVERIFY(share.data(BarRole).isValid() && !share.data().toString().isEmpty());
            QCOMPARE(cell(tasks, row, OverviewTable::StateColumn), QStringLiteral("no"));
            QVERIFY(!cell(tasks, row, OverviewTable::ShapeColumn).isEmpty());
        }
        QVERIFY(qAbs(sum - 1) < 1e-6);
        // Sorted by estimated share, largest first.
        const QList<int> shown = tasks->shownRows();
        QVERIFY(tasks->model()
                    ->index(shown.first(), OverviewTable::ShareColumn)
                    .data(SortRole)
                    .toDouble() >= tasks->model()
                                       ->index(shown.last(), OverviewTable::ShareColumn)
                                       .data(SortRole)
                                       .toDouble());
        // Results of a work directory say what is tuned.
        QTemporaryDir dir;
        fillStore(dir.path());
        window.state.setWorkDir(dir.path());
        QTRY_VERIFY_WITH_TIMEOUT(
            rowWith(tasks, OverviewTable::StateColumn, QStringLiteral("no")) < 0, 20000);
        clickRow(tasks, 0);
        QVERIFY(window.state.task() > 0);
    }

    void row14_graphClickToTask() {
        Window window;
        ModelView view(window.context, nullptr);
        show(view);
        window.state.setModelPath(samplePath());
        auto* graph = part<QWidget>(view, "taskGraph");
        auto* tasks = part<TableView>(view, "overviewTasks");
        QTRY_VERIFY_WITH_TIMEOUT(tasks->model()->rowCount() > 0, 20000);
        QTest::qWait(300);
        QTest::mouseClick(part<QToolButton>(view, "graphFind"), Qt::LeftButton);
        auto* search = part<QLineEdit>(view, "graphSearch");
        QTest::keyClicks(search, QStringLiteral("softmax"));
        QTRY_VERIFY(!tasks->selectedRows().isEmpty());
        QCOMPARE(cell(tasks, tasks->selectedRows().first().row(), OverviewTable::NameColumn),
                 QStringLiteral("softmax"));
        const QImage before = graph->grab().toImage();
        QTest::mouseClick(part<QToolButton>(view, "graphExpand"), Qt::LeftButton);
        QTRY_VERIFY(graph->grab().toImage() != before);
        // The keyboard walks along the edges.
        graph->setFocus();
        QTest::keyClick(graph, Qt::Key_Up);
        QTRY_VERIFY(cell(tasks, tasks->selectedRows().first().row(), OverviewTable::NameColumn) !=
                    QStringLiteral("softmax"));
        QVERIFY(!graph->accessibleName().isEmpty());
    }

    void row18_shapeOverride() {
        Window window;
        ModelView view(window.context, nullptr);
        show(view);
        window.state.setModelPath(samplePath());
        auto* tasks = part<TableView>(view, "overviewTasks");
        QTRY_VERIFY_WITH_TIMEOUT(tasks->model()->rowCount() > 0, 20000);
        QLineEdit* shape = nullptr;
        for (QLineEdit* edit : view.findChildren<QLineEdit*>())
            if (edit->objectName().startsWith(QStringLiteral("shape:")))
                shape = edit;
        QVERIFY(shape);
        auto* again = part<QPushButton>(view, "reextract");
        QVERIFY(!again->isEnabled());
        const QString plain = shape->text();
        shape->setFocus();
        shape->selectAll();
        QTest::keyClicks(shape, QStringLiteral("1, x"));
        QVERIFY(!again->isEnabled());
        QVERIFY(part<QLabel>(view, "shapeProblem")->isVisible());
        shape->selectAll();
        QTest::keyClicks(shape, plain + QStringLiteral(", 1"));
        QVERIFY(again->isEnabled());
        QTest::mouseClick(again, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(tasks->model()->rowCount(), 0, 20000);
    }

    void startOpensTheSessionPage() {
        Window window;
        ModelView view(window.context, nullptr);
        show(view);
        window.state.setModelPath(samplePath());
        auto* start = part<QPushButton>(view, "startTuning");
        QTRY_VERIFY_WITH_TIMEOUT(start->isVisible() && start->isEnabled(), 20000);
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(window.triggered.contains(QStringLiteral("session.new")));
    }

    void row31_rooflineWithoutPeaks() {
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        QCOMPARE(part<EmptyState>(view, "bottlenecksEmpty")->title(),
                 QStringLiteral("No results open."));
        window.state.setWorkDir(dir.path());
        auto* none = part<EmptyState>(view, "noPeaks");
        QTRY_VERIFY_WITH_TIMEOUT(none->isVisible(), 20000);
        QCOMPARE(none->title(), QStringLiteral("Peaks of this device not measured."));
        auto* table = part<TableView>(view, "operatorTable");
        QCOMPARE(cell(table, 0, OperatorTable::HeadroomColumn), QStringLiteral("—"));
        QVERIFY(!table->model()
                     ->index(0, OperatorTable::HeadroomColumn)
                     .data(Qt::ToolTipRole)
                     .toString()
                     .isEmpty());
        const QList<QPushButton*> buttons = none->findChildren<QPushButton*>();
        QVERIFY(buttons.size() >= 2);
        QTest::mouseClick(buttons.at(1), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!none->isVisible(), 20000);
        QVERIFY(cell(table, 0, OperatorTable::HeadroomColumn) != QStringLiteral("—"));
    }

    void row29_row30_paretoAndHeadroom() {
        writePeaks(QString::fromLocal8Bit(qgetenv("XDG_CACHE_HOME")));
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        window.state.setWorkDir(dir.path());
        auto* table = part<TableView>(view, "operatorTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 4, 20000);
        const QList<int> shown = table->shownRows();
        double last = 1e9;
        for (const int row : shown) {
            const double headroom =
                table->model()->index(row, OperatorTable::HeadroomColumn).data(SortRole).toDouble();
            QVERIFY(headroom <= last);
            last = headroom;
        }
        auto* strip = part<StatStrip>(view, "bottleneckStats");
        QVERIFY(strip->stats().size() >= 4);
        QCOMPARE(strip->stats().at(1).value, QStringLiteral("2.50×"));
        auto* pareto = part<PlotView>(view, "pareto");
        auto* roofline = part<PlotView>(view, "roofline");
        QVERIFY(pareto->makeTableModel(pareto)->rowCount() > 4);
        // One selection in all panels.
        clickRow(table, shown.at(1));
        const qint64 task = window.state.task();
        QVERIFY(task > 0);
        QCOMPARE(pareto->selectedPoint(), task);
        pareto->selectPoint(-1);
        emit pareto->pointSelected(table->model()->index(shown.at(0), 0).data(IdRole).toLongLong());
        QCOMPARE(table->selectedRows().first().row(), shown.at(0));
        QVERIFY(roofline->makeTableModel(roofline)->rowCount() > 0);
    }

    void row36_row40_latencyTableAndStatistic() {
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        window.state.setWorkDir(dir.path());
        auto* table = part<TableView>(view, "operatorTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 4, 20000);
        const auto header = [table] {
            return table->model()
                ->headerData(OperatorTable::LatencyColumn, Qt::Horizontal)
                .toString();
        };
        QVERIFY(header().startsWith(QStringLiteral("median")));
        // What only moves data has GB/s, never GFLOPS.
        const int row = rowWith(table, OperatorTable::NameColumn, QStringLiteral("transpose"));
        QVERIFY(row >= 0);
        QVERIFY(cell(table, row, OperatorTable::RateColumn).endsWith(QStringLiteral("GB/s")));
        const double median =
            table->model()->index(row, OperatorTable::LatencyColumn).data(SortRole).toDouble();
        window.state.setStatistic(Statistic::Min);
        QTRY_VERIFY_WITH_TIMEOUT(header().startsWith(QStringLiteral("minimum")), 20000);
        const int again = rowWith(table, OperatorTable::NameColumn, QStringLiteral("transpose"));
        QVERIFY(
            table->model()->index(again, OperatorTable::LatencyColumn).data(SortRole).toDouble() <
            median);
        // The record is a link to the Records page.
        emit table->linkActivated(table->model()->index(again, OperatorTable::RecordColumn));
        QVERIFY(window.triggered.contains(QStringLiteral("workspace.records")));
        QCOMPARE(window.state.records().size(), 1);
    }

    void row37_barsAndSparklines() {
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        window.state.setWorkDir(dir.path());
        auto* table = part<TableView>(view, "operatorTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 4, 20000);
        QVERIFY(table->model()->index(0, OperatorTable::ShareColumn).data(BarRole).isValid());
        QVERIFY(!table->model()->index(0, OperatorTable::ShareColumn).data().toString().isEmpty());
        QVERIFY(table->model()->index(0, OperatorTable::CurveColumn).data(SparklineRole).isValid());
    }

    void emptyAndOddStores() {
        QTemporaryDir dir;
        fillStore(dir.path(), false);
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        window.state.setWorkDir(dir.path());
        auto* empty = part<EmptyState>(view, "bottlenecksEmpty");
        QTRY_COMPARE_WITH_TIMEOUT(empty->title(), QStringLiteral("No operator has a latency yet."),
                                  20000);
        QTemporaryDir broken;
        std::ofstream(broken.filePath(QStringLiteral("tuning.twdb")).toStdString()) << "no store";
        window.state.setWorkDir(broken.path());
        QTRY_COMPARE_WITH_TIMEOUT(empty->title(), QStringLiteral("These results cannot be read."),
                                  20000);
    }

    void whatIfAnswers() {
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        BottlenecksView view(window.context, nullptr);
        show(view);
        window.state.setWorkDir(dir.path());
        auto* table = part<TableView>(view, "operatorTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 4, 20000);
        clickRow(table, table->shownRows().first());
        auto* slider = part<QSlider>(view, "whatIfSlider");
        QTRY_VERIFY(slider->isEnabled());
        slider->setValue(90);
        QVERIFY(
            part<QLabel>(view, "whatIfAnswer")->text().contains(QStringLiteral("% of the model")));
    }

    void row71_row72_profileReconciled() {
        QTemporaryDir dir;
        fillStore(dir.path());
        Window window;
        ProfileView view(window.context, nullptr);
        show(view);
        QCOMPARE(part<EmptyState>(view, "profileEmpty")->title(),
                 QStringLiteral("Profile the tuned model"));
        QVERIFY(session::storeProfile(dir.path().toStdString(), "small_cnn.onnx", json::parse(R"({
            "rows":[{"name":"transpose","calls":1,"median_us":20,"lo_us":19,"hi_us":21,"gflops":0,
                     "record":4,"nodes":[]},
                    {"name":"softmax","calls":2,"median_us":5,"gflops":1,"record":null,"nodes":[]}],
            "timeline":[{"name":"transpose","start_us":0,"duration_us":20},
                        {"name":"softmax","start_us":20,"duration_us":5}],
            "overhead_us":2,"end_to_end":{"median_us":32,"lo_us":31,"hi_us":33,"n":50},
            "threads":1,"target":"host -num-cores=1"})")));
        window.state.setModelPath(samplePath());
        window.state.setWorkDir(dir.path());
        auto* table = part<TableView>(view, "profileTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 20000);
        QVERIFY(
            part<QLabel>(view, "reconciliation")->text().contains(QStringLiteral("Reconciled")));
        QCOMPARE(part<QLabel>(view, "endToEnd")->text().simplified(), QStringLiteral("32.0 µs"));
        const int row = rowWith(table, ProfileTable::NameColumn, QStringLiteral("transpose"));
        QCOMPARE(cell(table, row, ProfileTable::RecordColumn), QStringLiteral("4"));
        QVERIFY(cell(table, row, ProfileTable::RateColumn).endsWith(QStringLiteral("GB/s")));
        clickRow(table, row);
        QVERIFY(window.state.task() > 0);
        auto* phases = part<TableView>(view, "searchPhases");
        QCOMPARE(phases->model()->rowCount(), 5);
        QVERIFY(part<PlotView>(view, "runTimeline")->isVisible());
    }

    void row80_devices() {
        QTemporaryDir dir;
        session::DeviceFiles files;
        files.list = dir.filePath(QStringLiteral("devices.json")).toStdString();
        files.tests = dir.filePath(QStringLiteral("tests.json")).toStdString();
        Window window;
        DevicesView view(window.context, nullptr);
        view.setFiles(files);
        show(view);
        auto* table = part<TableView>(view, "deviceTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, 20000);
        QCOMPARE(cell(table, 0, 0), QStringLiteral("local"));
        QTest::mouseClick(part<QPushButton>(view, "addBoard"), Qt::LeftButton);
        auto* name = part<QLineEdit>(view, "deviceName");
        auto* next = part<QPushButton>(view, "deviceNext");
        QVERIFY(name->isVisible() && !next->isEnabled());
        QTest::keyClicks(name, QStringLiteral("local"));
        QTRY_VERIFY(part<QLabel>(view, "deviceProblem")->isVisible());
        QVERIFY(!next->isEnabled());
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("board"));
        auto* command = part<QLineEdit>(view, "deviceCommand");
        command->selectAll();
        QTest::keyClicks(command, QStringLiteral("/nonexistent-runner"));
        QTRY_VERIFY(next->isEnabled());
        QTest::mouseClick(next, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 2, 20000);
        QCOMPARE(session::readDevices(files).size(), std::size_t(2));
    }

    void pagesAreNamed() {
        Window window;
        for (Workspace* page : {createModelView(window.context, nullptr),
                                createBottlenecksView(window.context, nullptr),
                                createProfileView(window.context, nullptr),
                                createDevicesView(window.context, nullptr)}) {
            QVERIFY(!page->title().isEmpty() && !page->iconName().isEmpty());
            QVERIFY(!page->helpPage().isEmpty());
            page->resize(1024, 700);
            page->show();
            page->opened();
            QVERIFY(page->minimumSizeHint().width() <= 1024 - 44);
            for (QPushButton* button : page->findChildren<QPushButton*>())
                if (button->isVisible())
                    QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(),
                             qPrintable(button->objectName()));
            page->closed();
            delete page;
        }
    }

    /// Not a check: writes pictures of the pages where TW_PICTURES says.
    void pictures() {
        const QString folder = qEnvironmentVariable("TW_PICTURES");
        if (folder.isEmpty())
            QSKIP("TW_PICTURES names no folder");
        const QString workDir = qEnvironmentVariable("TW_PICTURE_STORE");
        writePeaks(QString::fromLocal8Bit(qgetenv("XDG_CACHE_HOME")));
        for (const bool dark : {false, true}) {
            theme_->setMode(dark ? Theme::Dark : Theme::Light);
            for (const QSize size : {QSize(1396, 780), QSize(980, 580)}) {
                Window window;
                window.state.setTarget(QStringLiteral("host -num-cores=1"));
                window.state.setModelPath(samplePath());
                window.state.setWorkDir(workDir);
                QList<Workspace*> pages{createModelView(window.context, nullptr),
                                        createBottlenecksView(window.context, nullptr),
                                        createProfileView(window.context, nullptr),
                                        createDevicesView(window.context, nullptr)};
                for (Workspace* page : pages) {
                    page->resize(size);
                    page->show();
                    page->opened();
                }
                QTest::qWait(500);
                if (size.width() > 1000 && !dark) {
                    pages.at(2)->findChild<QAction*>(QStringLiteral("profile.run"))->trigger();
                    pages.at(3)->findChild<QAction*>(QStringLiteral("devices.testAll"))->trigger();
                    QTest::qWait(9000);
                }
                QTest::qWait(3000);
                auto* table = pages.at(1)->findChild<TableView*>(QStringLiteral("operatorTable"));
                if (table && table->model()->rowCount() > 0)
                    clickRow(table, table->shownRows().first());
                pages.at(3)->findChild<QPushButton*>(QStringLiteral("addBoard"))->click();
                QTest::qWait(500);
                for (Workspace* page : pages) {
                    page->grab().save(
                        QStringLiteral("%1/%2-%3-%4.png")
                            .arg(folder, page->objectName(),
                                 dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                 QString::number(size.width())));
                    delete page;
                }
            }
        }
    }

private:
    QTemporaryDir home_;
    std::unique_ptr<Theme> theme_;
};

QTEST_MAIN(WorkspaceViewsTest)
#include "workspace_views_test.moc"
