// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/code_view.h>
#include <tilewright/ui/command_palette.h>
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/diff_view.h>
#include <tilewright/ui/filter_bar.h>
#include <tilewright/ui/graph_view.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/pareto_plot.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/trace_diff_view.h>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include <ctime>
#include <random>

using namespace tilewright::ui;

namespace {

/// Rows of (name, number); a number below zero is a missing one.
QStandardItemModel* makeModel(const QVector<std::pair<QString, double>>& rows, QObject* parent) {
    auto* model = new QStandardItemModel(static_cast<int>(rows.size()), 2, parent);
    model->setHeaderData(0, Qt::Horizontal, "task");
    model->setHeaderData(1, Qt::Horizontal, "latency (µs)");
    model->setHeaderData(1, Qt::Horizontal, "latency_s", ExportRole);
    for (int row = 0; row < rows.size(); ++row) {
        const bool known = rows[row].second >= 0;
        model->setData(model->index(row, 0), rows[row].first);
        model->setData(model->index(row, 0), row, IdRole);
        model->setData(model->index(row, 1), known ? numberText(rows[row].second * 1e6) : "—");
        if (known) {
            model->setData(model->index(row, 1), rows[row].second, SortRole);
            model->setData(model->index(row, 1), rows[row].second, ExportRole);
        }
    }
    return model;
}

/// A million rows that sort themselves by an index.
class MillionRows : public QAbstractTableModel {
public:
    MillionRows() : order_(1000000) {
        for (int i = 0; i < order_.size(); ++i)
            order_[i] = i;
    }
    int rowCount(const QModelIndex& = {}) const override { return static_cast<int>(order_.size()); }
    int columnCount(const QModelIndex& = {}) const override { return 8; }
    QVariant data(const QModelIndex& index, int role) const override {
        ++asked_;
        return role == Qt::DisplayRole ? QVariant(order_[index.row()]) : QVariant();
    }
    void sort(int, Qt::SortOrder order) override {
        emit layoutAboutToBeChanged();
        std::sort(order_.begin(), order_.end(),
                  [order](int a, int b) { return order == Qt::AscendingOrder ? a < b : a > b; });
        emit layoutChanged();
    }
    mutable qint64 asked_ = 0;

private:
    QVector<int> order_;
};

CurveData manyTrials(int count) {
    CurveData data;
    std::mt19937 random(1);
    std::lognormal_distribution<double> latency(6, 1);
    for (int i = 0; i < count; ++i) {
        data.trials.append({static_cast<double>(i), latency(random), i});
        if (data.best.isEmpty() || data.trials.last().y < data.best.last().y)
            data.best.append(data.trials.last());
    }
    return data;
}

QString shown(const TableView& table, int row, int column) {
    return table.view()->model()->index(row, column).data().toString();
}

void clickHeader(const TableView& table, int column, Qt::KeyboardModifiers keys = {}) {
    const QHeaderView* header = table.view()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, keys,
                      QPoint(header->sectionViewportPosition(column) + 10, 10));
}

} // namespace

class KitTest : public QObject {
    Q_OBJECT

private slots:
    void iconsAreInTheLibrary() {
        QVERIFY(!themedIcon("start").isNull());
        QVERIFY(!iconPixmap("start", Qt::red, 16).isNull());
        QVERIFY(themedIcon("no such icon").isNull());
    }

    void row37_barsAndSparklinesKeepTheirText() {
        auto* model = makeModel({{"a", 1e-6}}, this);
        model->setData(model->index(0, 1), 0.5, BarRole);
        TableView table;
        table.setModel(model);
        table.show();
        const QPixmap with = table.view()->viewport()->grab();
        model->setData(model->index(0, 1), QVariant(), BarRole);
        QVERIFY(with.toImage() != table.view()->viewport()->grab().toImage());
        QCOMPARE(shown(table, 0, 1), QString("1.00"));
    }

    void sortsStablyWithMissingLast() {
        TableView table;
        table.setModel(makeModel({{"b", 2e-6}, {"a", -1}, {"c", 1e-6}, {"d", 2e-6}}, this));
        table.resize(400, 200);
        table.show();
        clickHeader(table, 1);
        QCOMPARE(shown(table, 0, 0) + shown(table, 1, 0) + shown(table, 2, 0) + shown(table, 3, 0),
                 QString("cbda"));
        clickHeader(table, 1);
        QCOMPARE(shown(table, 0, 0) + shown(table, 1, 0) + shown(table, 2, 0) + shown(table, 3, 0),
                 QString("bdca"));
        clickHeader(table, 0, Qt::ShiftModifier);
        clickHeader(table, 0, Qt::ShiftModifier);
        QCOMPARE(shown(table, 0, 0) + shown(table, 1, 0), QString("db"));
    }

    void row39_columnsAreRememberedAndReset() {
        QTemporaryDir dir;
        QSettings settings(dir.filePath("s.ini"), QSettings::IniFormat);
        {
            TableView table;
            table.setModel(makeModel({{"a", 1e-6}, {"b", 2e-6}}, this));
            table.setSettingsKey("tasks", &settings);
            table.columnsMenu()->actions().at(0)->trigger();
            QVERIFY(!table.isColumnShown(0));
            table.sortBy(1, Qt::DescendingOrder);
        }
        TableView table;
        table.setModel(makeModel({{"a", 1e-6}, {"b", 2e-6}}, this));
        table.setSettingsKey("tasks", &settings);
        QVERIFY(!table.isColumnShown(0));
        QCOMPARE(shown(table, 0, 0), QString("b"));
        table.columnsMenu()->actions().last()->trigger();
        QVERIFY(table.isColumnShown(0));
    }

    void row41_millionRowsAreNeverAllAsked() {
        MillionRows model;
        TableView table;
        table.setModelSorts(true);
        QElapsedTimer timer;
        timer.start();
        table.setModel(&model);
        table.resize(800, 500);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.grab();
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY2(model.asked_ < 60000, qPrintable(QString::number(model.asked_)));
        clickHeader(table, 0);
        clickHeader(table, 0);
        QCOMPARE(shown(table, 0, 0), QString("999999"));
        table.view()->selectAll();
        QCOMPARE(table.selectedRows().size(), 1000000);
    }

    void row83_copyAndExportAreExact() {
        TableView table;
        table.setModel(makeModel({{"say \"hi\", you", 1.184e-4}, {"tab\tbed", -1}}, this));
        table.show();
        table.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.selectRow(0);
        QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 QString("task\tlatency_s\nsay \"hi\", you\t0.0001184\n"));
        QTest::keyClick(table.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("say \"hi\", you\t0.0001184\n"));
        const auto written = [&table](TableView::Format format) {
            QBuffer buffer;
            buffer.open(QIODevice::WriteOnly);
            table.exportTable(&buffer, format);
            return QString::fromUtf8(buffer.data());
        };
        QCOMPARE(written(TableView::Format::Csv),
                 QString("task,latency_s\n\"say \"\"hi\"\", you\",0.0001184\ntab\tbed,\n"));
        QCOMPARE(written(TableView::Format::Json),
                 QString("[\n  {\"task\": \"say \\\"hi\\\", you\", \"latency_s\": 0.0001184},\n"
                         "  {\"task\": \"tab\\u0009bed\", \"latency_s\": null}\n]\n"));
    }

    void selectionSurvivesAReset() {
        QStandardItemModel* model = makeModel({{"a", 1e-6}, {"b", 2e-6}}, this);
        TableView table;
        table.setModel(model);
        table.show();
        QSignalSpy spy(&table, &TableView::currentRowChanged);
        QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {}, QPoint(20, 36));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(table.currentIndex().row(), 1);
        table.selectRow(0);
        QCOMPARE(spy.size(), 1); // its own doing is not announced
        QCOMPARE(table.currentIndex().row(), 0);
    }

    void row20_curveShowsTrialsBestAndFailures() {
        CurvePlot plot;
        plot.setAxisTitles("trial", "latency (µs)");
        plot.setSubject("Tuning curve of conv2d_3");
        CurveData data = manyTrials(812);
        data.bestLabel = "best 118 µs";
        data.kinds = {{"build", "■", Tone::Normal}};
        data.failures = {{5.5, 0, 9000}};
        plot.setData(data);
        plot.resize(600, 320);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QCOMPARE(plot.accessibleSummary(),
                 QString("Tuning curve of conv2d_3, 812 point(s), 1 failed, best 118 µs"));
        QVERIFY(plot.isLogY()); // more than a factor of ten between the extremes
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&plot);
        QVERIFY(access && access->text(QAccessible::Name).startsWith("Tuning curve of conv2d_3"));
        QSignalSpy spy(&plot, &PlotView::pointSelected);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(spy.size(), 1);
        QVERIFY(!access->text(QAccessible::Value).isEmpty());
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(plot.selectedPoint(), data.best[1].id);
        QTest::keyClick(&plot, Qt::Key_L);
        QVERIFY(!plot.isLogY());
        QAbstractTableModel* rows = plot.makeTableModel(this);
        QCOMPARE(rows->rowCount(), 813);
        QCOMPARE(rows->headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("latency (µs)"));
    }

    void row25_followDoesNotFightThePerson() {
        CurvePlot plot;
        plot.setData(manyTrials(100));
        plot.resize(500, 300);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        auto* chip = plot.findChild<QToolButton*>("followChip");
        QVERIFY(plot.isFollowing() && !chip->isVisible());
        QTest::keyClick(&plot, Qt::Key_Plus);
        QVERIFY(!plot.isFollowing() && chip->isVisible());
        const QPixmap before = plot.grab();
        plot.setData(manyTrials(101));
        QVERIFY(!plot.isFollowing());
        QTest::keyClick(&plot, Qt::Key_F);
        QVERIFY(plot.isFollowing() && !chip->isVisible());
    }

    void replotsOf200000PointsAreFastAndFew() {
        CurvePlot plot;
        plot.resize(1200, 700);
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        const CurveData data = manyTrials(200000);
        plot.setData(data);
        QTest::qWait(400);
        QVector<double> times;
        for (int i = 0; i < 5; ++i) {
            const std::clock_t start = std::clock();
            plot.fit();
            times.append(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        }
        std::sort(times.begin(), times.end());
        // Processor time, since tests run beside others; the bench prints it on a quiet machine,
        // where 20 ms is the figure to hold.
        qInfo("replot of 200,000 points: %.1f ms", times[2]);
        QVERIFY2(times[2] < 200, qPrintable(QString::number(times[2])));
        const int before = plot.replotCount();
        for (int i = 0; i < 20; ++i) {
            plot.setData(manyTrials(50 + i));
            QTest::qWait(25);
        }
        QVERIFY2(plot.replotCount() - before <= 6, qPrintable(QString::number(plot.replotCount())));
    }

    void row84_exportsAreLightInAllFormats() {
        Theme theme;
        theme.setMode(Theme::Dark);
        ParetoPlot plot;
        plot.setAxisTitles({}, "weighted latency (ms)");
        plot.setBars({{"c3", "conv2d_3", 2.28, 0.9, 0.4, 3}, {"c1", "conv2d_1", 2.1, 1, 1, 1}});
        plot.resize(500, 300);
        plot.show();
        const auto written = [&plot](PlotView::Format format) {
            QBuffer buffer;
            buffer.open(QIODevice::WriteOnly);
            return plot.exportPlot(&buffer, format) ? buffer.data() : QByteArray();
        };
        const QByteArray svg = written(PlotView::Format::Svg);
        QVERIFY(svg.contains("<svg") && svg.contains(">c3<"));
        QVERIFY(svg.contains("weighted latency (ms)"));
        QVERIFY(written(PlotView::Format::Pdf).startsWith("%PDF"));
        QImage png;
        QVERIFY(png.loadFromData(written(PlotView::Format::Png), "PNG"));
        QCOMPARE(png.pixelColor(2, 2), lightColors().surface);
        QCOMPARE(plot.grab().toImage().pixelColor(2, 2), darkColors().surface);
    }

    void row89_themeAndZoomSwitchAtRunTime() {
        Theme theme;
        Panel panel("Tasks");
        panel.resize(300, 200);
        panel.show();
        QSignalSpy spy(&theme, &Theme::changed);
        const QImage light = panel.grab().toImage();
        theme.setMode(Theme::Dark);
        QCOMPARE(spy.size(), 1);
        QVERIFY(panel.grab().toImage() != light);
        QCOMPARE(Theme::of(&panel), &theme);
        const double before = theme.font(Theme::Body).pointSizeF();
        theme.zoomIn();
        QVERIFY(theme.font(Theme::Body).pointSizeF() > before);
        QVERIFY(QApplication::font().pointSizeF() > before);
        theme.resetZoom();
        theme.setMode(Theme::Light);
        QCOMPARE(panel.grab().toImage(), light);
    }

    void row42_filterBarShowsChipsAndProblems() {
        FilterBar bar;
        bar.resize(700, 30);
        bar.show();
        QSignalSpy spy(&bar, &FilterBar::filterEdited);
        auto* text = bar.findChild<QLineEdit*>("filterText");
        QTest::keyClicks(text, "task:conv2d* lat<120us");
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(bar.filter(), QString("task:conv2d* lat<120us"));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(filterTerms("a \"b c\" (d or e)"), QStringList({"a", "\"b c\"", "(d or e)"}));
        bar.setProblem("no such word", 13, 9);
        QCOMPARE(bar.problem(), QString("no such word"));
        QTest::keyClick(text, Qt::Key_Backspace); // takes the last chip back for editing
        QCOMPARE(text->text(), QString("lat<120us"));
        QTest::keyClick(text, Qt::Key_Escape);
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(bar.filter().isEmpty());
    }

    void row87_paletteFindsByLetters() {
        QWidget window;
        window.resize(900, 600);
        window.show();
        QAction resume("&Resume session", nullptr);
        QAction compare("Compare selection", nullptr);
        QSignalSpy spy(&resume, &QAction::triggered);
        CommandPalette palette(&window);
        palette.setActions({&compare, &resume});
        bool opened = false;
        palette.setEntries({{"record 8 412", "record", {}, [&opened] { opened = true; }}});
        palette.popUp();
        QCOMPARE(palette.shownCount(), 3);
        auto* text = palette.findChild<QLineEdit*>("paletteText");
        QTest::keyClicks(text, "rsm");
        QCOMPARE(palette.shownCount(), 1);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(spy.size(), 1);
        palette.popUp();
        QTest::keyClicks(text, "8 412");
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(opened);
    }

    void row64_codeViewLoadsFastAndFinds() {
        QString text;
        for (int i = 0; i < 50000; ++i)
            text += QStringLiteral("\tvfmadd231ps\t%1(%rsi), %ymm1, %ymm0\n").arg(i);
        CodeView view;
        view.setLanguage(CodeView::Asm);
        view.resize(600, 400);
        view.show();
        QElapsedTimer timer;
        timer.start();
        view.setCode(text);
        view.grab();
        qInfo("50,000 lines: %lld ms", timer.elapsed());
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(view.findNext("\t49998("));
        QCOMPARE(view.textCursor().blockNumber(), 49998);
        QVERIFY(!view.findNext("no such text"));
    }

    void row60_diffFoldsAndWalks() {
        QVector<DiffRow> rows;
        for (int i = 0; i < 40; ++i)
            rows.append({"same", "same", RowChange::Equal, {}, {}, i + 1, i + 1});
        rows[20] = {"left", "", RowChange::OnlyLeft, {}, {}, 21, -1};
        rows[30] = {"a 8", "a 16", RowChange::Changed, {{2, 1}}, {{2, 2}}, 31, 30};
        DiffView view;
        view.setRows(rows);
        view.resize(700, 300);
        view.show();
        QCOMPARE(view.differenceCount(), 2);
        QVERIFY(view.left()->blockCount() < 40);
        QCOMPARE(view.left()->blockCount(), view.right()->blockCount());
        view.nextDifference();
        view.nextDifference();
        QCOMPARE(view.currentDifference(), 1);
        QCOMPARE(view.right()->textCursor().block().text(), QString("a 16"));
        view.setFoldEqual(false);
        QCOMPARE(view.left()->blockCount(), 40);
        QVERIFY(view.unifiedText().contains("- a 8\n+ a 16\n"));
    }

    void row59_changedDecisionsComeFirst() {
        TraceDiff diff;
        diff.sides = {"A", "B"};
        diff.decisions = {
            {"w", "28", {{{"4", false}}, {{"4", false}}}, "", false, 0},
            {"h", "28", {{{"7", true}}, {{"14", true}}}, "parallel 56 → 112", true, 1}};
        diff.instructions = {
            {{{"x", false}}, {{"x", false}}, RowChange::Equal, 1, 1, false, {}},
            {{{"y 7", true}}, {{"y 14", true}}, RowChange::Changed, 2, 2, false, {}}};
        TraceDiffView view;
        view.setDiff(diff);
        view.resize(900, 300);
        view.show();
        QCOMPARE(shown(*view.decisionTable(), 0, 1), QString("h"));
        view.setDifferencesOnly(true);
        QCOMPARE(view.decisionTable()->view()->model()->rowCount(), 1);
        QSignalSpy spy(&view, &TraceDiffView::instructionSelected);
        QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy[0][0].toInt(), 1);
        QCOMPARE(view.decisionTable()->currentIndex().row(), 0);
        QVERIFY(view.unifiedText().contains("- y 7\n+ y 14\n"));
    }

    void row14_graphSelectsFindsAndFolds() {
        GraphView view;
        QVector<GraphNode> nodes(2);
        nodes[0].id = 10;
        nodes[0].rect = QRectF(0, 0, 120, 40);
        nodes[0].label = "conv2d_0";
        nodes[1].id = 11;
        nodes[1].rect = QRectF(0, 100, 120, 40);
        nodes[1].label = "dense_0";
        nodes[1].group = true;
        view.resize(300, 300);
        view.setGraph(nodes, {{10, 11, {{60, 40}, {60, 100}}, false, {}}});
        view.show();
        QSignalSpy chosen(&view, &GraphView::nodeSelected);
        QSignalSpy folded(&view, &GraphView::groupToggled);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(view.selectedNode(), 11);
        QTest::keyClick(&view, Qt::Key_Space);
        QCOMPARE(folded.size(), 1);
        QCOMPARE(view.search("conv"), 1);
        QVERIFY(view.nextMatch());
        QCOMPARE(view.selectedNode(), 10);
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QVERIFY(view.exportSvg(&buffer));
        QVERIFY(buffer.data().contains("dense_0"));
    }

    void panelsMaximiseAndDetach() {
        QSplitter page;
        auto* first = new Panel("A");
        auto* second = new Panel("B");
        first->setContent(new QWidget);
        page.addWidget(first);
        page.addWidget(second);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        auto* header = first->findChild<QWidget*>("panelTitle")->parentWidget();
        QTest::mouseDClick(header, Qt::LeftButton);
        QVERIFY(first->isMaximized() && !second->isVisible());
        QTest::keyClick(first, Qt::Key_M, Qt::ControlModifier);
        QTRY_VERIFY(!first->isMaximized() && second->isVisible());
        first->toggleDetached();
        QVERIFY(first->isDetached());
        first->toggleDetached();
        QVERIFY(!first->isDetached());
        QCOMPARE(first->content()->parentWidget(), first);
    }
};

QTEST_MAIN(KitTest)
#include "kit_test.moc"
