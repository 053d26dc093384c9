// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/graph_layout.h>
#include <tilewright/session/task_graph.h>

#include <QPointF>
#include <QSet>
#include <QString>
#include <QVector>
#include <QWidget>

#include <memory>
#include <vector>

namespace tilewright::ui {

struct ThemeColors;

/// What a box says besides its name.
struct GraphBoxText {
    QString left;         ///< `7.02 ms`
    QString right;        ///< `17.5 %`
    double strength = -1; ///< 0 … 1: fill; below 0 = none
    QString tooltip;
};

/// The task graph: boxes, pan, zoom, search, keyboard. Boxes are placed by whoever owns it: it
/// asks with layoutWanted() and gets an answer with setLayout().
class TaskGraphView : public QWidget {
    Q_OBJECT

public:
    explicit TaskGraphView(QWidget* parent = nullptr);
    ~TaskGraphView() override;

    /// Null clears.
    void setGraph(std::shared_ptr<const session::TaskGraph> graph);
    void setLayout(std::shared_ptr<const session::GraphLayout> layout);
    /// One a node; what the overlay is called, for the legend.
    void setTexts(const QVector<GraphBoxText>& texts, const QString& overlay,
                  const QString& strongest);
    /// Selects a box without a signal and brings it into view; -1 clears.
    void selectNode(int node);
    [[nodiscard]] int selectedNode() const { return selected_; }
    /// Marks the boxes that match; returns how many. The first is brought into view.
    int search(const QString& text);
    void nextMatch(int step);
    [[nodiscard]] int matchCount() const { return static_cast<int>(matches_.size()); }
    /// Opens or closes a box's operators.
    void toggleExpanded(int node);
    [[nodiscard]] bool isExpanded(int node) const { return expanded_.contains(node); }
    [[nodiscard]] double zoom() const { return zoom_; }
    /// Where a box is, in this widget; empty before the layout came.
    [[nodiscard]] QRectF boxOnScreen(int node) const;
    [[nodiscard]] bool hasLayout() const { return layout_ != nullptr; }
    QSize sizeHint() const override { return {380, 480}; }

public slots:
    void fit();
    void zoomIn() { zoomBy(1.25, rect().center()); }
    void zoomOut() { zoomBy(0.8, rect().center()); }

signals:
    void layoutWanted(const std::vector<tilewright::session::LayoutNode>& nodes,
                      const std::vector<tilewright::session::LayoutEdge>& edges);
    void nodeSelected(int node);
    /// Enter or double-click.
    void nodeActivated(int node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void askForLayout();
    [[nodiscard]] session::LayoutNode sizeOf(int node) const;
    [[nodiscard]] QRectF boxOf(int node) const; ///< in the layout's coordinates
    [[nodiscard]] QPointF toScreen(const QPointF& point) const;
    [[nodiscard]] QPointF fromScreen(const QPointF& point) const;
    [[nodiscard]] int nodeAt(const QPointF& screen) const;
    void zoomBy(double factor, const QPointF& around);
    void bringIntoView(int node);
    void choose(int node);
    void step(int direction);
    void describe();
    // task_graph_paint.cpp
    void paintEdges(QPainter& painter, const QRectF& visible, const ThemeColors& colors) const;
    void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) const;
    void paintNode(QPainter& painter, int node, const ThemeColors& colors) const;
    void paintOperators(QPainter& painter, int node, const QRectF& box,
                        const ThemeColors& colors) const;
    void paintLegend(QPainter& painter, const ThemeColors& colors) const;

    std::shared_ptr<const session::TaskGraph> graph_;
    std::shared_ptr<const session::GraphLayout> layout_;
    std::vector<session::LayoutNode> sizes_; ///< of the boxes, as the layout was asked for
    QVector<GraphBoxText> texts_;
    QString overlay_;
    QString strongest_;
    QSet<int> expanded_;
    std::vector<int> matches_;
    int match_ = -1;
    int selected_ = -1;
    double zoom_ = 1;
    QPointF offset_; ///< of the layout's origin, in this widget
    QPointF pressed_;
    QPointF last_;
    bool dragging_ = false;
    bool moved_ = false; ///< by a person: a new size does not fit again
};

} // namespace tilewright::ui
