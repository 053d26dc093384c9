// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph_panel.h"

#include <tilewright/ui/graph_view.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QFontMetricsF>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr qint64 kMembers = 1000000; ///< ids of members begin here
constexpr qint64 kMembersOfOne = 1000;
constexpr double kMemberHeight = 22;
constexpr double kMemberGap = 4;
constexpr double kHeadHeight = 26; ///< of an opened box

QString percent(double share) {
    return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', 1));
}

std::optional<double> secondsOf(const session::OverviewTask& task) {
    return task.bestSeconds ? task.bestSeconds : task.defaultSeconds;
}

bool isSmall(session::GraphNodeKind kind) {
    return kind == session::GraphNodeKind::Input || kind == session::GraphNodeKind::Output ||
           kind == session::GraphNodeKind::Glue;
}

/// A line that turns at right angles half-way between layers.
QVector<QPointF> elbows(const std::vector<session::LayoutPoint>& route, bool beside) {
    QVector<QPointF> points;
    for (const session::LayoutPoint& point : route) {
        const QPointF next(point.x, point.y);
        if (!points.isEmpty() && !beside && std::abs(points.last().x() - next.x()) > 0.5) {
            const double middle = (points.last().y() + next.y()) / 2;
            points.append({points.last().x(), middle});
            points.append({next.x(), middle});
        }
        points.append(next);
    }
    return points;
}

} // namespace

GraphPanel::Metric GraphPanel::metricOf(const session::OverviewTask& task, Overlay overlay) {
    const std::optional<double> seconds = secondsOf(task);
    switch (overlay) {
    case Share:
        return {percent(task.estimatedShare), task.estimatedShare};
    case Latency:
        if (!seconds)
            break;
        return {latencyWithUnit(*seconds * task.weight), *seconds * task.weight};
    case Roof: {
        if (!seconds || *seconds <= 0 || task.weight <= 0)
            break;
        const double share = task.estimatedSeconds / task.weight / *seconds;
        return {percent(share), share};
    }
    case SpeedUp: {
        if (!task.bestSeconds || !task.defaultSeconds || *task.bestSeconds <= 0)
            break;
        const double factor = *task.defaultSeconds / *task.bestSeconds;
        return {factorText(factor), factor};
    }
    }
    return {QStringLiteral("—"), std::nullopt};
}

GraphPanel::GraphPanel(ModelSource* source, QWidget* parent)
    : Panel({}, parent), source_(source), graph_(new GraphView(this)),
      overlays_(new QActionGroup(this)) {
    setObjectName(QStringLiteral("graphPanel"));
    graph_->setObjectName(QStringLiteral("taskGraph"));
    overlayButton_ = addTool(QString());
    overlayButton_->setObjectName(QStringLiteral("graphOverlay"));
    auto* menu = new QMenu(overlayButton_);
    for (const Overlay overlay : {Share, Latency, Roof, SpeedUp}) {
        QAction* action = menu->addAction(QString());
        action->setCheckable(true);
        action->setData(overlay);
        overlays_->addAction(action);
        connect(action, &QAction::triggered, this, [this, overlay] { setOverlay(overlay); });
    }
    overlayButton_->setMenu(menu);
    overlayButton_->setPopupMode(QToolButton::InstantPopup);
    find_ = addTool(QString(), QStringLiteral("search"));
    find_->setObjectName(QStringLiteral("graphFind"));
    expand_ = addTool(QString(), QStringLiteral("chevron-down"));
    expand_->setObjectName(QStringLiteral("graphExpand"));
    fit_ = addTool(QString(), QStringLiteral("fit"));
    export_ = addTool(QString(), QStringLiteral("export"));
    setContent(graph_);
    setContentMargin(0);
    connect(fit_, &QToolButton::clicked, graph_, &GraphView::fit);
    connect(export_, &QToolButton::clicked, graph_, &GraphView::exportToFile);
    connect(find_, &QToolButton::clicked, this, &GraphPanel::startSearch);
    connect(expand_, &QToolButton::clicked, this, &GraphPanel::toggleExpanded);
    connect(graph_, &GraphView::groupToggled, this, &GraphPanel::toggle);
    connect(source_, &ModelSource::layoutReady, this, [this](const GraphLayoutPtr& layout) {
        if (!overview_ || !overview_->graph ||
            layout->centers.size() != overview_->graph->nodes.size())
            return;
        const bool first = layout_ == nullptr;
        layout_ = layout;
        showGraph(!first);
    });
    connect(graph_, &GraphView::nodeSelected, this, [this](qint64 id) {
        if (!overview_ || !overview_->graph || id < 0)
            return;
        const qint64 node = id >= kMembers ? (id - kMembers) / kMembersOfOne : id;
        emit taskSelected(overview_->graph->nodes[static_cast<std::size_t>(node)].task);
    });
    retranslate();
}

void GraphPanel::setOverview(const ModelOverviewPtr& overview) {
    // The same boxes after a look at newer results stay where they are.
    const bool other = !overview_ || !overview || !overview_->graph || !overview->graph ||
                       !layout_ || *overview_->graph != *overview->graph;
    overview_ = overview;
    if (!other) {
        showGraph(true);
        return;
    }
    layout_.reset();
    expanded_.clear();
    showGraph(false);
    askForLayout();
}

void GraphPanel::askForLayout() {
    if (!overview_ || !overview_->graph)
        return;
    sizes_.clear();
    for (int n = 0; n < static_cast<int>(overview_->graph->nodes.size()); ++n)
        sizes_.push_back(sizeOf(n));
    std::vector<session::LayoutEdge> edges;
    for (const session::GraphEdge& edge : overview_->graph->edges)
        edges.push_back({edge.from, edge.to});
    source_->layout(sizes_, edges);
}

session::LayoutNode GraphPanel::sizeOf(int node) const {
    const session::GraphNode& box = overview_->graph->nodes[static_cast<std::size_t>(node)];
    const QFontMetricsF metrics(Theme::fontOf(this, Theme::Dense));
    const double line = metrics.height();
    const double label = metrics.horizontalAdvance(QString::fromStdString(box.label));
    if (isSmall(box.kind))
        return {std::clamp(label + 22, 56.0, 180.0), line + 8};
    double width = label + 34 + (box.repeats > 1 ? 26 : 0);
    double height = 2 * line + 10;
    if (expanded_.contains(node)) {
        for (const session::GraphOperator& op : box.operators)
            width = std::max(
                width,
                metrics.horizontalAdvance(QString::fromStdString(op.op + "  " + op.name)) + 44);
        height = kHeadHeight + 6 +
                 static_cast<double>(box.operators.size()) * (kMemberHeight + kMemberGap);
    }
    return {std::clamp(width, 142.0, 300.0), height};
}

GraphNode GraphPanel::boxOf(int node) const {
    const session::GraphNode& box = overview_->graph->nodes[static_cast<std::size_t>(node)];
    const session::LayoutNode& size = sizes_[static_cast<std::size_t>(node)];
    const session::LayoutPoint& center = layout_->centers[static_cast<std::size_t>(node)];
    GraphNode shown;
    shown.id = node;
    shown.rect = {center.x - size.width / 2, center.y - size.height / 2, size.width, size.height};
    shown.label = QString::fromStdString(box.label);
    QStringList names;
    for (const session::GraphOperator& op : box.operators)
        names << QString::fromStdString(op.op.empty() ? op.name : op.op + " " + op.name);
    shown.tooltip = names.join(QLatin1Char('\n'));
    if (box.kind == session::GraphNodeKind::Skipped)
        shown.secondary = tr("not supported");
    if (box.task < 0)
        return shown;
    const session::OverviewTask& task = overview_->tasks[static_cast<std::size_t>(box.task)];
    const Metric metric = metricOf(task, overlay_);
    if (box.repeats > 1)
        shown.count = QStringLiteral("×%1").arg(box.repeats);
    const auto seconds = secondsOf(task);
    shown.secondary = overlay_ != Latency && seconds ? latencyWithUnit(*seconds * task.weight)
                                                     : QString::fromStdString(task.shape);
    shown.valueText = metric.text;
    shown.value = metric.value && strongest_ > 0 ? *metric.value / strongest_ : -1;
    shown.tooltip = QStringLiteral("%1\n%2\n%3")
                        .arg(shown.label, QString::fromStdString(task.shape), shown.tooltip);
    shown.group = !box.operators.empty();
    shown.expanded = expanded_.contains(node);
    return shown;
}

QVector<GraphNode> GraphPanel::membersOf(int node, const GraphNode& box) const {
    QVector<GraphNode> members;
    double y = box.rect.top() + kHeadHeight;
    for (const session::GraphOperator& op :
         overview_->graph->nodes[static_cast<std::size_t>(node)].operators) {
        GraphNode member;
        member.id = kMembers + node * kMembersOfOne + members.size();
        member.parent = node;
        member.rect = {box.rect.left() + 8, y, box.rect.width() - 16, kMemberHeight};
        member.label = QString::fromStdString(op.op.empty() ? op.name : op.op + "  " + op.name);
        member.tooltip = QString::fromStdString(op.name);
        members.append(member);
        y += kMemberHeight + kMemberGap;
    }
    return members;
}

QVector<GraphEdge> GraphPanel::edges() const {
    QVector<GraphEdge> shown;
    for (std::size_t e = 0; e < overview_->graph->edges.size(); ++e) {
        const session::GraphEdge& edge = overview_->graph->edges[e];
        GraphEdge line;
        line.from = edge.from;
        line.to = edge.to;
        line.dashed = edge.repeat;
        const std::vector<session::LayoutPoint>& route = layout_->routes[e];
        // Routes beside the layers have their corners already.
        const bool beside = edge.repeat || (route.size() == 4 && route[0].y == route[1].y);
        line.points = elbows(route, beside);
        shown.append(line);
    }
    return shown;
}

void GraphPanel::showGraph(bool keepView) {
    QString strongestText;
    for (QAction* action : overlays_->actions()) {
        action->setChecked(action->data().toInt() == overlay_);
        if (action->isChecked())
            overlayButton_->setText(action->text());
    }
    if (!overview_ || !overview_->graph || !layout_) {
        graph_->setGraph({}, {}, false);
        graph_->setLegend({}, {}, {});
        setNote(overview_ && overview_->graph ? tr("placing boxes…") : QString());
        return;
    }
    strongest_ = 0;
    for (const session::OverviewTask& task : overview_->tasks) {
        const Metric metric = metricOf(task, overlay_);
        if (metric.value && *metric.value > strongest_) {
            strongest_ = *metric.value;
            strongestText = metric.text;
        }
    }
    QVector<GraphNode> nodes;
    for (int n = 0; n < static_cast<int>(overview_->graph->nodes.size()); ++n) {
        nodes.append(boxOf(n));
        if (nodes.last().expanded)
            nodes += membersOf(n, GraphNode(nodes.last()));
    }
    graph_->setGraph(nodes, edges(), keepView);
    graph_->setSubject(tr("Task graph"));
    graph_->setLegend(strongest_ > 0 ? overlayButton_->text() : QString(), QStringLiteral("0"),
                      strongestText);
    setNote({});
}

void GraphPanel::selectTask(int task) {
    if (overview_ && overview_->graph)
        graph_->selectNode(overview_->graph->nodeOfTask(task));
}

void GraphPanel::setOverlay(Overlay overlay) {
    overlay_ = overlay;
    showGraph(true);
}

void GraphPanel::toggle(qint64 node) {
    if (!overview_ || !overview_->graph || node < 0 || node >= kMembers ||
        overview_->graph->nodes[static_cast<std::size_t>(node)].operators.empty())
        return;
    if (!expanded_.remove(static_cast<int>(node)))
        expanded_.insert(static_cast<int>(node));
    askForLayout();
}

void GraphPanel::toggleExpanded() {
    const qint64 id = graph_->selectedNode();
    toggle(id >= kMembers ? (id - kMembers) / kMembersOfOne : id);
}

void GraphPanel::startSearch() {
    graph_->setSearchVisible(true);
}

void GraphPanel::retranslate() {
    setTitle(tr("Task graph"));
    overlayButton_->setAccessibleName(tr("Number on the boxes"));
    overlayButton_->setToolTip(tr("Which number the boxes show; their fill repeats it"));
    const auto describe = [](QToolButton* tool, const QString& text) {
        tool->setAccessibleName(text);
        tool->setToolTip(text);
    };
    describe(find_, tr("Find tasks, nodes and operators; Enter goes on"));
    describe(expand_, tr("Open or close the selected box to its operators"));
    describe(fit_, tr("Show the whole graph (0)"));
    describe(export_, tr("Export the graph"));
    const QStringList names{tr("Estimated share"), tr("Latency"), tr("% of roof"), tr("Speed-up")};
    for (int i = 0; i < names.size(); ++i)
        overlays_->actions().at(i)->setText(names.at(i));
    showGraph(true);
}

void GraphPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::FontChange)
        askForLayout();
}

} // namespace tilewright::ui
