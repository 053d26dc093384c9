// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QEvent>
#include <QPointer>
#include <QTimer>
#include <QVector>
#include <QWidget>

#include <functional>

#include <tilewright/ui/theme.h>

class QAbstractTableModel;
class QCPAxis;
class QCPAxisRect;
class QCustomPlot;
class QIODevice;
class QMenu;
class QRubberBand;
class QCPPainter;
class QMouseEvent;
class QSettings;
class QToolButton;
class QWheelEvent;

namespace tilewright::ui {

class PaintedItem;

/// A thing of a plot that the pointer and the keys can reach.
struct PlotHit {
    double x = 0; ///< in axis coordinates
    double y = 0;
    qint64 id = -1;
    QCPAxisRect* area = nullptr; ///< null: the main axis rectangle
    bool improvement = false;    ///< Shift+←/→ walks these
};

/// A number with three significant digits and thin-space groups; "—" when it is not finite.
QString numberText(double value);
/// A count with thin-space groups.
QString countText(qint64 value);

/// Rows behind a plot, for *Show as table*, export and screen readers.
struct PlotTable {
    QStringList columns; ///< with unit
    QVector<QVariantList> rows;
    QVector<qint64> ids;
};

/// What all plots have in common. Wheel: zoom both axes (Ctrl: x, Shift: y); drag: pan; right drag:
/// zoom box; double-click or 0: fit; L: log y; F: follow; hover: tooltip and cross-hair; click:
/// select; double-click on a point: open; legend click: hide, Alt+click: only this; ←/→: previous
/// and next point, with Shift improvements; Ctrl+C: image; Ctrl+E: export. Replots are coalesced to
/// four a second while data stream in. Exports are always light.
class PlotView : public QWidget {
    Q_OBJECT

public:
    enum class Format { Svg, Png, Pdf };

    explicit PlotView(QWidget* parent = nullptr);
    ~PlotView() override;

    /// Titles carry the unit: "latency (µs)".
    virtual void setAxisTitles(const QString& x, const QString& y);
    /// What the plot is of, for screen readers and file names: "Tuning curve of conv2d_3".
    void setSubject(const QString& subject);
    QString subject() const { return subject_; }
    /// "Tuning curve of conv2d_3, 812 points, best 118 µs".
    QString accessibleSummary() const;
    /// The selected point in words, or an empty string.
    QString selectedText() const;

    void selectPoint(qint64 id);
    qint64 selectedPoint() const { return selected_; }
    /// Text of a point's tooltip by id; without it the table's row is shown.
    void setTooltipProvider(std::function<QString(qint64 id)> provider);

    bool isLogY() const;
    virtual void setLogY(bool on);
    bool isFollowing() const { return following_; }
    void setFollowing(bool on);
    /// Whether the plot grows, and so has a Follow mode with its chip.
    void setFollowable(bool on);
    void setLegendVisible(bool on);
    /// Remembers log and follow under plots/<key>.
    void setSettingsKey(const QString& key, QSettings* settings = nullptr);

    /// The data behind the plot; owned by `parent`.
    QAbstractTableModel* makeTableModel(QObject* parent) const;
    bool exportPlot(QIODevice* device, Format format, const QSize& size = {}) const;
    /// Tools for a panel header: log, fit, table, export. Owned by the plot.
    QMenu* toolsMenu();
    /// Time the last replot took, in ms.
    double lastReplotMs() const { return lastReplotMs_; }
    /// Replots since construction; streams are coalesced to at most four a second.
    int replotCount() const { return replotCount_; }
    QCustomPlot* customPlot() const { return plot_; }

public slots:
    void fit();
    void copyImage();
    void exportToFile();
    void showAsTable();

signals:
    void pointSelected(qint64 id);
    void pointActivated(qint64 id);
    void followingChanged(bool following);
    void failed(const QString& message);
    /// Add actions before the context menu opens; id is -1 where there is no point.
    void contextMenuFor(qint64 id, QMenu* menu);

protected:
    QCustomPlot* plot() const { return plot_; }
    QCPAxisRect* mainArea() const;
    const ThemeColors& colors() const { return *colors_; }
    QFont textFont() const;
    /// Call after new data: replots, at most four times a second.
    void requestReplot();
    /// Replots now, for what a person did.
    void replotNow();
    /// What can be hovered and chosen; sorted by x inside.
    void setHits(QVector<PlotHit> hits);
    const QVector<PlotHit>& hits() const { return hits_; }

    /// Index in hits() of what is at a pixel of the plot, or -1; by default the nearest point.
    virtual int hitAt(const QPointF& position) const;
    /// What a point's tooltip says without a provider; by default its row of table().
    virtual QString defaultTooltip(const PlotHit& hit) const;
    /// Whether the pointer has a cross-hair with the values on the axes.
    virtual bool crossHairWanted() const { return true; }
    /// Whether a logarithmic y axis makes sense.
    virtual bool logWanted() const { return false; }
    /// Axes that wheel and drag change.
    virtual QList<QCPAxis*> xAxes() const;
    virtual QList<QCPAxis*> yAxes() const;
    /// Puts the theme's colours in; called at construction's end by applyTheme(), on each switch,
    /// and with the light theme around an export.
    virtual void recolour() {}
    /// Sets the axes to show all data.
    virtual void fitAxes() = 0;
    virtual PlotTable table() const { return {}; }
    /// "812 points, best 118 µs".
    virtual QString summaryText() const { return {}; }
    /// The selected point changed: mark it.
    virtual void markSelected() {}
    /// Before painting each frame, when geometry is known.
    virtual void layoutItems() {}
    /// An export begins or ends: no sampling, and so on.
    virtual void setExporting(bool) {}

    /// Plots of more points are sampled in vector exports too, so that files stay readable.
    static constexpr int kVectorPoints = 20000;

    /// Colours of axes, grid and background; call from constructors once all axes exist.
    void applyTheme();
    void styleAxis(QCPAxis* axis) const;
    QPointF pixelOf(const PlotHit& hit) const;
    /// The selected hit, or null.
    const PlotHit* selectedHit() const;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool handleMouse(QMouseEvent* event, QEvent::Type type);
    bool handleWheel(QWheelEvent* event);
    void hover(const QPoint& position, const QPoint& global);
    bool legendClicked(const QPoint& position, bool solo);
    void stepSelection(int direction, bool improvements);
    void showMenu(const QPoint& position);
    void fillToolsMenu(QMenu* menu);
    void paintOverlay(QCPPainter* painter);
    void zoomTo(const QRect& box);
    void userMovedAxes();
    QString tooltipOf(const PlotHit& hit) const;
    void choose(int hit, bool open);
    void dragTo(const QPoint& position);
    void restyle(const ThemeColors& colors);
    void placeChip();
    void zoomAxes(const QList<QCPAxis*>& axes, double factor, const QPointF& around);
    void exportWith(const std::function<void()>& work) const;
    void saveSettings() const;

    QCustomPlot* plot_;
    QToolButton* followChip_;
    PaintedItem* overlay_;
    QRubberBand* band_ = nullptr;
    int hovered_ = -1;
    QPointF pointer_{-1, -1};
    const ThemeColors* colors_;
    QString subject_;
    QVector<PlotHit> hits_;
    std::function<QString(qint64)> tooltip_;
    qint64 selected_ = -1;
    QTimer replotTimer_;
    QElapsedTimer sinceReplot_;
    double lastReplotMs_ = 0;
    int replotCount_ = 0;
    bool following_ = true;
    bool followable_ = false;
    bool dirty_ = false;
    QPoint pressed_;
    QPoint last_;
    Qt::MouseButton pressedButton_ = Qt::NoButton;
    bool dragging_ = false;
    QPointer<QMenu> tools_;
    QPointer<QSettings> settings_;
    QString settingsKey_;
};

} // namespace tilewright::ui
