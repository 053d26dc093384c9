// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph_panel.h"

#include "task_graph_view.h"

#include <tilewright/ui/icon.h>
#include <tilewright/ui/live_text.h>

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace tilewright::ui {

namespace {

QString percent(double share) {
    return QStringLiteral("%1 %").arg(QLocale().toString(share * 100, 'f', 1));
}

std::optional<double> secondsOf(const session::OverviewTask& task) {
    return task.bestSeconds ? task.bestSeconds : task.defaultSeconds;
}

/// What an overlay says of a task: the number and how strong the box is filled.
struct Metric {
    QString text;
    std::optional<double> value;
};

Metric metricOf(const session::OverviewTask& task, GraphPanel::Overlay overlay) {
    const std::optional<double> seconds = secondsOf(task);
    switch (overlay) {
    case GraphPanel::Share:
        return {percent(task.estimatedShare), task.estimatedShare};
    case GraphPanel::Latency:
        if (!seconds)
            break;
        return {latencyWithUnit(*seconds * task.weight), *seconds * task.weight};
    case GraphPanel::Roof: {
        if (!seconds || *seconds <= 0 || task.weight <= 0)
            break;
        const double share = task.estimatedSeconds / task.weight / *seconds;
        return {percent(share), share};
    }
    case GraphPanel::SpeedUp: {
        if (!task.bestSeconds || !task.defaultSeconds || *task.bestSeconds <= 0)
            break;
        const double factor = *task.defaultSeconds / *task.bestSeconds;
        return {factorText(factor), factor};
    }
    }
    return {QStringLiteral("—"), std::nullopt};
}

} // namespace

GraphPanel::GraphPanel(ModelSource* source, QWidget* parent)
    : Panel({}, parent), source_(source), graph_(new TaskGraphView(this)),
      search_(new QLineEdit(this)), overlays_(new QActionGroup(this)) {
    setObjectName(QStringLiteral("graphPanel"));
    search_->setObjectName(QStringLiteral("graphSearch"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(120);
    addTool(search_);
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
    expand_ = addTool(QString(), QStringLiteral("chevron-down"));
    expand_->setObjectName(QStringLiteral("graphExpand"));
    fit_ = addTool(QString(), QStringLiteral("fit"));
    fit_->setObjectName(QStringLiteral("graphFit"));
    setContent(graph_);
    setContentMargin(0);
    connect(fit_, &QToolButton::clicked, graph_, &TaskGraphView::fit);
    connect(expand_, &QToolButton::clicked, this,
            [this] { graph_->toggleExpanded(graph_->selectedNode()); });
    connect(search_, &QLineEdit::textChanged, this, &GraphPanel::searchEdited);
    connect(search_, &QLineEdit::returnPressed, this, [this] { graph_->nextMatch(1); });
    connect(graph_, &TaskGraphView::layoutWanted, source_, &ModelSource::layout);
    connect(source_, &ModelSource::layoutReady, graph_, &TaskGraphView::setLayout);
    connect(graph_, &TaskGraphView::nodeSelected, this, [this](int node) {
        const bool known = overview_ && overview_->graph && node >= 0;
        emit taskSelected(known ? overview_->graph->nodes[static_cast<std::size_t>(node)].task
                                : -1);
    });
    retranslate();
}

void GraphPanel::setOverview(const ModelOverviewPtr& overview) {
    const bool other = !overview_ || !overview || overview_->graph != overview->graph;
    overview_ = overview;
    if (other)
        graph_->setGraph(overview ? overview->graph : nullptr);
    showTexts();
}

void GraphPanel::selectTask(int task) {
    if (overview_ && overview_->graph)
        graph_->selectNode(overview_->graph->nodeOfTask(task));
}

void GraphPanel::setOverlay(Overlay overlay) {
    overlay_ = overlay;
    showTexts();
}

void GraphPanel::startSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void GraphPanel::searchEdited(const QString& text) {
    const int found = graph_->search(text);
    if (text.trimmed().isEmpty())
        showTexts();
    else
        setNote(found > 0 ? tr("%n match(es), Enter for the next", nullptr, found)
                          : tr("no match"));
}

void GraphPanel::showTexts() {
    for (QAction* action : overlays_->actions()) {
        action->setChecked(action->data().toInt() == overlay_);
        if (action->isChecked())
            overlayButton_->setText(action->text());
    }
    QVector<GraphBoxText> texts;
    double strongest = 0;
    QString strongestText;
    if (overview_ && overview_->graph) {
        for (const session::OverviewTask& task : overview_->tasks) {
            const Metric metric = metricOf(task, overlay_);
            if (metric.value && *metric.value > strongest) {
                strongest = *metric.value;
                strongestText = metric.text;
            }
        }
        for (const session::GraphNode& node : overview_->graph->nodes) {
            GraphBoxText& text = texts.emplaceBack();
            QStringList names;
            for (const session::GraphOperator& op : node.operators)
                names << QString::fromStdString(op.name);
            text.tooltip = names.join(QLatin1Char('\n'));
            if (node.task < 0)
                continue;
            const session::OverviewTask& task =
                overview_->tasks[static_cast<std::size_t>(node.task)];
            const Metric metric = metricOf(task, overlay_);
            text.left = overlay_ == Latency ? QString::fromStdString(task.tag)
                                            : QString::fromStdString(task.shape);
            if (const auto seconds = secondsOf(task); seconds && overlay_ != Latency)
                text.left = latencyWithUnit(*seconds * task.weight);
            text.right = metric.text;
            text.strength = metric.value && strongest > 0 ? *metric.value / strongest : -1;
            text.tooltip = QStringLiteral("%1\n%2\n%3")
                               .arg(QString::fromStdString(task.name),
                                    QString::fromStdString(task.shape), text.tooltip);
        }
        setNote(tr("%n box(es)", nullptr, static_cast<int>(overview_->graph->nodes.size())));
    } else {
        setNote({});
    }
    graph_->setTexts(texts, overlayButton_->text(), strongestText);
}

void GraphPanel::retranslate() {
    setTitle(tr("Task graph"));
    search_->setPlaceholderText(tr("Find…"));
    search_->setAccessibleName(tr("Find in the task graph"));
    search_->setToolTip(tr("Searches names of tasks, nodes and operators; Enter goes on"));
    overlayButton_->setAccessibleName(tr("Number on the boxes"));
    overlayButton_->setToolTip(tr("Which number the boxes show; their fill repeats it"));
    expand_->setAccessibleName(tr("Show the operators of the selected box"));
    expand_->setToolTip(tr("Opens or closes the selected box to its operators (Enter)"));
    fit_->setAccessibleName(tr("Fit the graph"));
    fit_->setToolTip(tr("Shows the whole width (0)"));
    const QStringList names{tr("Estimated share"), tr("Latency"), tr("% of roof"), tr("Speed-up")};
    for (int i = 0; i < names.size(); ++i)
        overlays_->actions().at(i)->setText(names.at(i));
    showTexts();
}

void GraphPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace tilewright::ui
