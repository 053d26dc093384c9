// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QVector>
#include <QWidget>

class QIODevice;
class QLineEdit;
class QMenu;
class QPainter;

namespace tilewright::ui {

struct ThemeColors;

/// A node of a laid-out graph; rectangles in px at zoom 1.
struct GraphNode {
    qint64 id = -1;
    QRectF rect;
    QString label;
    QString secondary; ///< second line, left: "7.02 ms"
    QString valueText; ///< second line, right: "17.5 %"
    QString count;     ///< "×3"
    double value = -1; ///< 0..1: fill; negative: none
    QString tooltip;
    bool group = false; ///< can be expanded to its members
    bool expanded = false;
    qint64 parent = -1; ///< id of the expanded group it lies in
};

/// An edge with the points of its line, from the producer to the consumer.
struct GraphEdge {
    qint64 from = -1;
    qint64 to = -1;
    QVector<QPointF> points;
    bool dashed = false;
    QString label; ///< "+ skip"
};

/// Shows a laid-out graph: wheel zooms, drag pans, 0 fits, arrows walk along the edges, typing in
/// the search box finds, a click selects, a double-click activates or expands a group. Draws only
/// what is visible, so tens of thousands of nodes are fine.
class GraphView : public QWidget {
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);

    /// Replaces the graph; zoom and selection are kept when `keepView`.
    void setGraph(const QVector<GraphNode>& nodes, const QVector<GraphEdge>& edges,
                  bool keepView = false);
    /// What the fill means, with its ends: "share of default", "0", "24 %".
    void setLegend(const QString& title, const QString& low, const QString& high);
    void setSubject(const QString& subject);
    qint64 selectedNode() const { return selected_; }
    /// Selects without a signal and brings it into view.
    void selectNode(qint64 id);
    /// Nodes whose label, secondary text or tooltip contain the text are ringed; returns how many.
    int search(const QString& text);
    bool nextMatch(int direction = 1);
    /// Shows or hides the search box (also Ctrl+F and /).
    void setSearchVisible(bool on);
    double zoom() const { return zoom_; }
    /// SVG of the whole graph, light.
    bool exportSvg(QIODevice* device) const;
    bool exportPng(QIODevice* device) const;
    QSize sizeHint() const override;

public slots:
    void fit();
    void exportToFile();

signals:
    void nodeSelected(qint64 id);
    void nodeActivated(qint64 id);
    /// A group's fold mark was clicked or Space pressed on it.
    void groupToggled(qint64 id);
    void contextMenuFor(qint64 id, QMenu* menu);
    void failed(const QString& message);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF bounds() const;
    QPointF toGraph(const QPointF& position) const;
    int nodeAt(const QPointF& position) const;
    int indexOf(qint64 id) const;
    void zoomAround(const QPointF& position, double factor);
    void ensureVisible(int node);
    void choose(int node);
    void walk(int key);
    void paintGraph(QPainter& painter, const ThemeColors& colors, const QRectF& visible,
                    bool detailed) const;
    void paintNode(QPainter& painter, const ThemeColors& colors, int node, bool detailed) const;
    void paintEdge(QPainter& painter, const ThemeColors& colors, const GraphEdge& edge) const;
    void paintLegend(QPainter& painter, const ThemeColors& colors) const;

    QVector<GraphNode> nodes_;
    QVector<GraphEdge> edges_;
    QVector<int> matches_;
    QString legendTitle_;
    QString legendLow_;
    QString legendHigh_;
    QString subject_;
    QLineEdit* searchBox_;
    qint64 selected_ = -1;
    double zoom_ = 1;
    QPointF origin_; ///< graph point at the widget's top left
    QPointF pressed_;
    QPointF last_;
    bool dragging_ = false;
    bool fitted_ = true;
    int match_ = -1;
};

} // namespace tilewright::ui
