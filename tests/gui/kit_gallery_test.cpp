// SPDX-License-Identifier: GPL-3.0-or-later
// Shows each part of the kit with made-up data, light and dark; with TW_GRAB_DIR set it leaves the
// pictures there.
#include <tilewright/ui/chip.h>
#include <tilewright/ui/code_view.h>
#include <tilewright/ui/command_palette.h>
#include <tilewright/ui/curve_plot.h>
#include <tilewright/ui/diff_view.h>
#include <tilewright/ui/dumbbell_plot.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/filter_bar.h>
#include <tilewright/ui/funnel_plot.h>
#include <tilewright/ui/graph_view.h>
#include <tilewright/ui/inspector.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/pareto_plot.h>
#include <tilewright/ui/roofline_plot.h>
#include <tilewright/ui/samples_plot.h>
#include <tilewright/ui/scatter_plot.h>
#include <tilewright/ui/stack_plot.h>
#include <tilewright/ui/stat_strip.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/timeline_plot.h>
#include <tilewright/ui/trace_diff_view.h>

#include <QAction>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <random>

using namespace tilewright::ui;

namespace {

CurveData curve() {
    CurveData data;
    std::mt19937 random(7);
    std::lognormal_distribution<double> noise(0.3, 0.5);
    double best = 1e9;
    data.kinds = {{"build", "■", Tone::Normal},
                  {"run", "✕", Tone::Normal},
                  {"run-timeout", "◷", Tone::Warning},
                  {"wrong-result", "≠", Tone::Error}};
    for (int i = 1; i <= 256; ++i) {
        if (i % 19 == 0) {
            data.failures.append({static_cast<double>(i), (i / 19) % 4, i});
            continue;
        }
        const double y = 700 + 5000 * std::exp(-i / 60.0) * noise(random) + 300 * noise(random);
        data.trials.append({static_cast<double>(i), y, i});
        if (y < best) {
            best = y;
            data.best.append(data.trials.last());
        }
    }
    data.rounds = {64, 128, 192};
    data.references = {{2340, "default 2 340", Tone::Secondary},
                       {948, "session 9  948", Tone::Secondary},
                       {870, "library 870", Tone::Secondary}};
    data.bestLabel = "best 871 ± 4";
    data.xTitle = "trial of conv2d_3";
    return data;
}

QStandardItemModel* tasks(QObject* parent) {
    auto* model = new QStandardItemModel(11, 8, parent);
    const QStringList titles = {"task",      "best (µs)",    "±",     "speed-up",
                                "share (%)", "headroom (%)", "curve", "state"};
    for (int c = 0; c < titles.size(); ++c) {
        model->setHeaderData(c, Qt::Horizontal, titles[c]);
        if (c > 0 && c < 6)
            model->setHeaderData(c, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                                 Qt::TextAlignmentRole);
    }
    for (int r = 0; r < 11; ++r) {
        const double share = 26.1 / (1 + r * 0.6);
        const double values[] = {0,     1140.0 / (r + 1), 11.0 / (r + 1), 2.7 + r * 0.1,
                                 share, share * 0.6};
        model->setData(model->index(r, 0), QStringLiteral("conv2d_%1").arg(r));
        model->setData(model->index(r, 0), QStringLiteral("×%1").arg(1 + r % 4), SuffixRole);
        model->setData(model->index(r, 0), r, IdRole);
        for (int c = 1; c < 6; ++c) {
            model->setData(model->index(r, c), numberText(values[c]));
            model->setData(model->index(r, c), values[c], SortRole);
            model->setData(model->index(r, c), values[c], ExportRole);
            model->setData(model->index(r, c), int(Qt::AlignRight | Qt::AlignVCenter),
                           Qt::TextAlignmentRole);
        }
        model->setData(model->index(r, 2), int(Tone::Secondary), ToneRole);
        model->setData(model->index(r, 4), share / 26.1, BarRole);
        model->setData(model->index(r, 5), share / 26.1, BarRole);
        model->setData(model->index(r, 5), int(Tone::Secondary), BarToneRole);
        QVector<double> spark;
        for (int i = 0; i < 20; ++i)
            spark.append(1 / (1 + 0.3 * (i / (1 + r % 3))));
        model->setData(model->index(r, 6), QVariant::fromValue(spark), SparklineRole);
        model->setData(model->index(r, 7), r == 1 ? "running" : r == 9 ? "frozen" : "idle");
        model->setData(model->index(r, 7), r == 1 ? "▶" : r == 9 ? "‖" : "○", GlyphRole);
        model->setData(model->index(r, 7), int(r == 1 ? Tone::Accent : Tone::Normal), ToneRole);
    }
    return model;
}

QWidget* tablePage() {
    auto* panel = new Panel("Tasks");
    panel->setNote("11 of 13 match the filter");
    auto* table = new TableView;
    table->setModel(tasks(table));
    table->setDefaultSort(4, Qt::DescendingOrder);
    auto* total = new QStandardItemModel(1, 8, table);
    total->setData(total->index(0, 0), "total");
    total->setData(total->index(0, 4), "100");
    total->setData(total->index(0, 4), int(Qt::AlignRight | Qt::AlignVCenter),
                   Qt::TextAlignmentRole);
    table->setFooterModel(total);
    table->selectRow(1);
    panel->addTool("Columns")->setMenu(table->columnsMenu());
    panel->addTool("Export")->setMenu(table->exportMenu());
    panel->setContent(table);
    return panel;
}

QWidget* curvePage() {
    auto* panel = new Panel("Tuning curve");
    panel->setNote("conv2d_3");
    auto* plot = new CurvePlot;
    plot->setAxisTitles("trial", "latency (µs)");
    plot->setData(curve());
    plot->selectPoint(curve().best.last().id);
    panel->addTool("⋯")->setMenu(plot->toolsMenu());
    panel->setContent(plot);
    return panel;
}

QWidget* smallPlots() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    const auto add = [&](const QString& title, PlotView* plot, int row, int column) {
        auto* panel = new Panel(title);
        panel->setContent(plot);
        grid->addWidget(panel, row, column);
    };
    auto* stack = new StackPlot;
    StackData layers;
    for (int i = 0; i <= 40; ++i)
        layers.x.append(i * 0.5);
    const QStringList names = {"conv2d_9", "conv2d_1", "conv2d_6", "conv2d_3", "other", "untuned"};
    for (int s = 0; s < names.size(); ++s) {
        StackSeries series;
        series.name = names[s];
        series.kind = s == 4   ? StackSeries::Other
                      : s == 5 ? StackSeries::Untuned
                               : StackSeries::Task;
        for (int i = 0; i <= 40; ++i)
            series.values.append(s == 5 ? 1.0 : 2 + 5 * std::exp(-i / (4.0 + s)));
        series.id = s;
        layers.series.append(series);
    }
    layers.reference = 40.1;
    layers.referenceLabel = "default 40.1";
    layers.totalLabel = "13.1";
    stack->setAxisTitles("wall time (min)", "total (ms)");
    stack->setData(layers);
    add("Model total by task", stack, 0, 0);
    auto* funnel = new FunnelPlot;
    funnel->setStages({{"sampled", 1402, 0, {}, Tone::Secondary, 0},
                       {"applied", 1371, 31, {}, Tone::Secondary, 1},
                       {"postproc", 1204, 167, "▽ verify", Tone::Secondary, 2},
                       {"built", 1171, 33, "■ build", Tone::Error, 3},
                       {"ran", 1129, 42, {}, Tone::Secondary, 4},
                       {"correct", 1127, 2, {}, Tone::Secondary, 5}});
    add("Where candidates are lost", funnel, 0, 1);
    auto* scatter = new ScatterPlot;
    QVector<ScatterPoint> points;
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 0.12);
    for (int i = 0; i < 400; ++i) {
        const double x = (i % 100) / 100.0;
        points.append({x, qBound(0.0, x + noise(random), 1.0), 1 + i / 100, i});
    }
    scatter->setAxisTitles("predicted (of best)", "measured");
    scatter->setPoints(points, "round");
    add("Cost model", scatter, 1, 0);
    auto* samples = new SamplesPlot;
    SamplesData measured;
    for (int i = 0; i < 30; ++i) {
        measured.values.append(871 + 60 * noise(random) + (i == 4 || i == 20 ? 28 : 0));
        measured.rejected.append(i == 4 || i == 20);
    }
    measured.median = 871;
    measured.lowerQuartile = 867;
    measured.upperQuartile = 875;
    samples->setAxisTitles("sample", "latency (µs)");
    samples->setData(measured);
    add("Samples", samples, 1, 1);
    return page;
}

QWidget* bigPlots() {
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    const auto add = [&](const QString& title, QWidget* plot, int row, int column) {
        auto* panel = new Panel(title);
        panel->setContent(plot);
        grid->addWidget(panel, row, column);
    };
    auto* pareto = new ParetoPlot;
    pareto->setAxisTitles({}, "weighted latency (ms)");
    QVector<ParetoBar> bars;
    const double times[] = {2.28, 2.15, 2.13, 1.49, 0.78, 0.33, 0.32, 0.3, 0.12, 0.31};
    double sum = 0;
    for (int i = 0; i < 10; ++i) {
        sum += times[i];
        bars.append({i == 9 ? "+5" : QStringLiteral("c%1").arg(i),
                     QStringLiteral("conv2d_%1").arg(i), times[i], times[i] * 0.5, sum / 10.21, i});
    }
    pareto->setBars(bars, "5 of 14 ops: 86 %");
    pareto->selectPoint(0);
    add("Where the time goes", pareto, 0, 0);
    auto* roofline = new RooflinePlot;
    roofline->setAxisTitles("FLOP / byte (compulsory tensor traffic)", "GFLOPS");
    roofline->setData({{"L1 1 180 GB/s", 1180, 0, false},
                       {"LLC 168 GB/s", 168, 0, false},
                       {"DRAM 34.1 GB/s", 34.1, 0, false},
                       {"FMA fp32, 8 cores: 742 GFLOPS measured", 0, 742, true},
                       {"scalar: 46.4", 0, 46.4, false}},
                      {{"c9", 24, 326, 120, "2.71×", 0.2, false, true, 9},
                       {"c4", 10.4, 148, 0, "", 0.01, false, true, 4},
                       {"c3", 166, 304, 135, "2.24×", 0.22, false, false, 3},
                       {"c1", 83, 430, 150, "", 0.21, false, false, 1},
                       {"dense", 0.5, 15.5, 0, "", 0.01, true, true, 20},
                       {"pool", 0.25, 4.1, 0, "", 0.004, true, false, 21}});
    roofline->selectPoint(3);
    add("Roofline", roofline, 0, 1);
    auto* dumbbells = new DumbbellPlot;
    dumbbells->setAxisTitles("latency (µs)", {});
    dumbbells->setRows({{"conv2d_3", 941.2, 760.4, Tone::Faster, "▼", 3},
                        {"conv2d_6", 561.0, 495.3, Tone::Faster, "▼", 6},
                        {"conv2d_8", 318.0, 331.5, Tone::Slower, "▲", 8},
                        {"conv2d_1", 541.0, 537.2, Tone::Secondary, "≈", 1},
                        {"conv2d_10", std::nullopt, 75.3, Tone::Warning, "⊘", 10}});
    dumbbells->selectPoint(3);
    add("Latency per call", dumbbells, 1, 0);
    auto* fall = new WaterfallPlot;
    fall->setAxisTitles({}, "model total (ms)");
    fall->setSteps({{"A", 0, 10.91, true, Tone::Secondary, "10.91", 0},
                    {"c3", 10.91, 10.37, false, Tone::Faster, "−0.54", 1},
                    {"c6", 10.37, 10.17, false, Tone::Faster, "−0.20", 2},
                    {"c8", 10.17, 10.19, false, Tone::Slower, "+0.02", 3},
                    {"B", 0, 10.19, true, Tone::Secondary, "10.19", 4}});
    add("What changed in the model total", fall, 1, 1);
    auto* timeline = new TimelinePlot;
    timeline->setAxisTitles("time (ms)", {});
    QVector<TimelineSpan> spans;
    QStringList lanes = {"main", "worker 1", "worker 2", "worker 3"};
    for (int lane = 0; lane < 4; ++lane)
        for (int i = 0; i < 12; ++i)
            spans.append({lane,
                          i * 0.9,
                          i * 0.9 + 0.85 - lane * 0.05,
                          QStringLiteral("c%1").arg(i),
                          i % 5 == 4 ? 4 : 0,
                          i,
                          {}});
    timeline->setData(lanes, spans);
    timeline->selectPoint(3);
    add("One run on 4 threads", timeline, 2, 0);
    auto* graph = new GraphView;
    QVector<GraphNode> nodes;
    QVector<GraphEdge> edges;
    for (int i = 0; i < 5; ++i) {
        GraphNode node;
        node.id = i;
        node.rect = QRectF(100, i * 66, 138, 40);
        node.label = QStringLiteral("conv2d_%1").arg(i);
        node.secondary = "7.02 ms";
        node.valueText = QStringLiteral("%1 %").arg(20 - 4 * i);
        node.count = i % 2 ? "×3" : "";
        node.value = 1 - i * 0.2;
        node.group = i == 3;
        nodes.append(node);
        if (i > 0)
            edges.append({i - 1, i, {QPointF(169, i * 66 - 26), QPointF(169, i * 66)}, false, {}});
    }
    edges.append({0, 3, {{238, 20}, {300, 20}, {300, 218}, {238, 218}}, true, "+ skip"});
    graph->setGraph(nodes, edges);
    graph->setLegend("share of default", "0", "24 %");
    graph->selectNode(1);
    add("Task graph", graph, 2, 1);
    return page;
}

QWidget* textPage() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 8, 8);
    auto* trace = new TraceDiffView;
    TraceDiff diff;
    diff.sides = {"record 6 127", "record 8 412"};
    diff.note = "2 of 3 changed, products check ✓";
    diff.banner = "Structure differs: B adds cache_read(weight)";
    diff.bannerDetail = "11 of 12 instructions align, 1 moved. No decision is hidden by it.";
    diff.decisions = {
        {"h",
         "28",
         {{{"7", true}, {"·", false}, {"2", true}, {"·2·1", false}},
          {{"14", true}, {"·", false}, {"1", true}, {"·2·1", false}}},
         "parallel extent 56 → 112",
         true,
         1},
        {"unroll", "", {{{"64", true}}, {{"512", true}}}, "unroll steps 64 → 512", true, 3},
        {"w", "28", {{{"4·1·7·1", false}}, {{"4·1·7·1", false}}}, "", false, 2}};
    diff.instructions = {{{{"b0 = get_block(\"conv2d\")", false}},
                          {{"b0 = get_block(\"conv2d\")", false}},
                          RowChange::Equal,
                          1,
                          1,
                          false,
                          {}},
                         {{{"tile(h)  ", false}, {"7·2", true}, {"·2·1", false}},
                          {{"tile(h)  ", false}, {"14·1", true}, {"·2·1", false}},
                          RowChange::Changed,
                          5,
                          5,
                          false,
                          {}},
                         {{{"tile(w)  4·1·7·1", false}},
                          {{"tile(w)  4·1·7·1", false}},
                          RowChange::Equal,
                          6,
                          6,
                          false,
                          {}},
                         {{{"annotate(b0, \"unroll\", ", false}, {"64", true}, {")", false}},
                          {{"annotate(b0, \"unroll\", ", false}, {"512", true}, {")", false}},
                          RowChange::Attributes,
                          14,
                          15,
                          false,
                          {}},
                         {{},
                          {{"b2 = cache_read(b0, 1, \"global\")", false}},
                          RowChange::OnlyRight,
                          -1,
                          12,
                          false,
                          {}}};
    trace->setDiff(diff);
    trace->nextDifference();
    column->addWidget(trace, 2);
    auto* panel = new Panel("Code");
    auto* code = new DiffView;
    code->setLanguage(CodeView::Tir);
    code->setTitles("IR after the schedule, 46 lines", "IR after the schedule, 49 lines");
    QVector<DiffRow> rows;
    rows.append({"for n_h in T.parallel(56):",
                 "for n_h in T.parallel(112):",
                 RowChange::Changed,
                 {{22, 2}},
                 {{22, 3}},
                 1,
                 1});
    rows.append({"",
                 "    W_l = T.alloc_buffer((3, 3, 8, 64), \"float32\")",
                 RowChange::OnlyRight,
                 {},
                 {},
                 -1,
                 2});
    for (int i = 0; i < 16; ++i)
        rows.append({QStringLiteral("    x_%1 = A[h + %1] * 2.5  # equal").arg(i),
                     QStringLiteral("    x_%1 = A[h + %1] * 2.5  # equal").arg(i),
                     RowChange::Equal,
                     {},
                     {},
                     i + 2,
                     i + 3});
    rows.append({"    for co in T.vectorized(8):",
                 "    for co in T.vectorized(16):",
                 RowChange::Changed,
                 {{27, 1}},
                 {{27, 2}},
                 18,
                 19});
    code->setRows(rows);
    panel->setContent(code);
    column->addWidget(panel, 2);
    auto* assembly = new CodeView;
    assembly->setLanguage(CodeView::Asm);
    assembly->setCode("main:                     # @main\n\tpushq\t%rbp\n\tvmovups\t(%rdi,%rax,4), "
                      "%ymm0\n\tvfmadd231ps\t32(%rsi), %ymm1, %ymm0\n.LBB0_1:\n\taddq\t$16, "
                      "%rax\n\tjne\t.LBB0_1\n\tretq\n");
    column->addWidget(assembly, 1);
    return page;
}

QWidget* smallParts() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    auto* stats = new StatStrip;
    stats->setStats({{"Model latency, default → best so far",
                      "13.1 ms",
                      "40.1",
                      "± 0.1",
                      Tone::Normal,
                      Tone::Secondary,
                      true,
                      {}},
                     {"Speed-up", "3.07×", {}, "▼ faster", Tone::Faster, Tone::Faster, true, {}},
                     {"Trials", "1 204 / 2 800", {}, {}, Tone::Normal, Tone::Secondary, false, {}},
                     {"Elapsed", "19 min 40 s", {}, {}, Tone::Normal, Tone::Secondary, false, {}}});
    column->addWidget(stats);
    auto* filter = new FilterBar;
    filter->setFilter("task:conv2d* status:ok lat<1us");
    filter->setCounts(0, 18331);
    filter->setProblem("lat<1us excludes all", 23, 7);
    column->addWidget(filter);
    for (int level = 0; level < 3; ++level) {
        auto* bar = new MessageBar;
        bar->showMessage(static_cast<MessageBar::Level>(level),
                         "Paused: all of the first 64 trials failed, none gave a latency.",
                         "Open failing record");
        column->addWidget(bar);
    }
    auto* chips = new QHBoxLayout;
    for (const char* word : {"ok 368", "build 21", "run 9"}) {
        auto* chip = new Chip(word);
        chip->setCheckable(true);
        chip->setGlyph(word[0] == 'o' ? "✓" : word[0] == 'b' ? "■" : "✕");
        chip->setChecked(word[0] == 'o');
        chips->addWidget(chip);
    }
    chips->addStretch();
    column->addLayout(chips);
    auto* row = new QHBoxLayout;
    auto* panel = new Panel("Records");
    auto* empty = new EmptyState;
    empty->setIconName("filter");
    empty->setTitle("0 of 18 331 records match");
    empty->setText("lat<1us excludes all: the fastest conv2d_3 takes 760.4 µs. Without that chip, "
                   "368 records match.");
    empty->setActions({new QAction("Remove last chip", empty), new QAction("Clear filter", empty)});
    panel->setContent(empty);
    row->addWidget(panel, 2);
    auto* side = new Panel("Inspector");
    auto* inspector = new Inspector;
    inspector->setTitle("conv2d_3", "record 1 187 · session 12");
    inspector->setBadge("best");
    auto* facts = new FactList;
    facts->setFacts({{"Latency", "871 ± 4 µs, n = 30", Tone::Normal, {}, false, {}},
                     {"vs default", "−62.8 % ▼ faster", Tone::Faster, {}, false, {}},
                     {"Decisions", "against default", Tone::Normal, {}, true, {}},
                     {"vectorize", "16", Tone::Normal, {}, false, "8"}});
    inspector->addPage("summary", "Summary", facts);
    inspector->addPage("trace", "Trace", new QLabel("…"));
    side->setContent(inspector);
    row->addWidget(side, 1);
    column->addLayout(row, 1);
    return page;
}

} // namespace

class KitGalleryTest : public QObject {
    Q_OBJECT

private slots:
    void showsEachPart_data() {
        QTest::addColumn<int>("page");
        QTest::addColumn<bool>("dark");
        const char* const names[] = {"table", "curve", "small-plots", "big-plots", "text", "parts"};
        for (int page = 0; page < 6; ++page)
            for (const bool dark : {false, true})
                QTest::addRow("%s-%s", names[page], dark ? "dark" : "light") << page << dark;
    }

    void showsEachPart() {
        QFETCH(int, page);
        QFETCH(bool, dark);
        Theme theme;
        theme.setMode(dark ? Theme::Dark : Theme::Light);
        QWidget* (*const makers[])() = {tablePage, curvePage, smallPlots,
                                        bigPlots,  textPage,  smallParts};
        const QSize sizes[] = {{760, 340},  {760, 380},  {700, 520},
                               {1200, 860}, {1200, 800}, {1000, 640}};
        QWidget window;
        window.setObjectName("window");
        window.setAttribute(Qt::WA_StyledBackground);
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(8, 8, 8, 8);
        layout->addWidget(makers[page]());
        window.resize(sizes[page]);
        window.show();
        QTest::qWait(400);
        const QPixmap picture = window.grab();
        QVERIFY(!picture.isNull());
        const QString folder = qEnvironmentVariable("TW_GRAB_DIR");
        if (!folder.isEmpty())
            QVERIFY(picture.save(QDir(folder).filePath(
                QStringLiteral("kit-%1.png").arg(QString::fromLatin1(QTest::currentDataTag())))));
    }
};

QTEST_MAIN(KitGalleryTest)
#include "kit_gallery_test.moc"
