// SPDX-License-Identifier: GPL-3.0-or-later
// The part of PlotView that makes pictures, tables and descriptions.
#include <tilewright/ui/plot_view.h>

#include "export_file.h"

#include "plot_parts.h"

#include <tilewright/ui/table_view.h>

#include <QAbstractTableModel>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDialog>
#include <QMenu>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr double kPixelsPerInch = 96.0;
constexpr int kPdfResolution = 600;
constexpr double kPngScale = 2.0;

/// The rows of a plot as a model of the window's tables.
class PlotTableModel : public QAbstractTableModel {
public:
    PlotTableModel(PlotTable table, QObject* parent)
        : QAbstractTableModel(parent), table_(std::move(table)) {}

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
    }

    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        const QVariant value = table_.rows[index.row()].value(index.column());
        const bool number = value.typeId() == QMetaType::Double;
        switch (role) {
        case Qt::DisplayRole:
            return number            ? numberText(value.toDouble())
                   : value.isValid() ? value.toString()
                                     : QStringLiteral("—");
        case SortRole:
        case ExportRole:
            return value;
        case IdRole:
            return index.row() < table_.ids.size() ? QVariant(table_.ids[index.row()]) : QVariant();
        case Qt::TextAlignmentRole:
            return value.canConvert<double>() && value.typeId() != QMetaType::QString
                       ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                       : QVariant();
        default:
            return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal)
            return {};
        if (role == Qt::DisplayRole)
            return table_.columns[section];
        if (role == Qt::TextAlignmentRole && !table_.rows.isEmpty())
            return data(index(0, section), Qt::TextAlignmentRole);
        return {};
    }

private:
    PlotTable table_;
};

} // namespace

QAbstractTableModel* PlotView::makeTableModel(QObject* parent) const {
    return new PlotTableModel(table(), parent);
}

void PlotView::exportWith(const std::function<void()>& work) const {
    // Exports are for paper: light, without sampling, without what the pointer shows.
    auto* self = const_cast<PlotView*>(this);
    const ThemeColors& shown = *colors_;
    const int hovered = hovered_;
    self->hovered_ = -1;
    self->restyle(lightColors());
    self->setExporting(true);
    work();
    self->setExporting(false);
    self->restyle(shown);
    self->hovered_ = hovered;
}

bool PlotView::exportPlot(QIODevice* device, Format format, const QSize& wanted) const {
    const QSize size = wanted.isValid() ? wanted : plot_->size().expandedTo(QSize(320, 200));
    bool good = true;
    exportWith([&] {
        // The first pass gives the layout this size, so that labels are placed for it.
        plot_->toPixmap(size.width(), size.height());
        if (format == Format::Png) {
            good = plot_->toPixmap(size.width(), size.height(), kPngScale).save(device, "PNG");
            return;
        }
        QCPPainter painter;
        QSvgGenerator svg;
        QPdfWriter pdf(device);
        if (format == Format::Svg) {
            svg.setOutputDevice(device);
            svg.setSize(size);
            svg.setViewBox(QRect(QPoint(), size));
            svg.setResolution(static_cast<int>(kPixelsPerInch));
            svg.setTitle(accessibleSummary());
            good = painter.begin(&svg);
        } else {
            pdf.setTitle(accessibleSummary());
            pdf.setResolution(kPdfResolution);
            pdf.setPageMargins(QMarginsF());
            pdf.setPageSize(QPageSize(QSizeF(size) / kPixelsPerInch, QPageSize::Inch, QString(),
                                      QPageSize::ExactMatch));
            good = painter.begin(&pdf);
            painter.scale(kPdfResolution / kPixelsPerInch, kPdfResolution / kPixelsPerInch);
        }
        if (!good)
            return;
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        painter.fillRect(QRect(QPoint(), size), lightColors().surface);
        plot_->toPainter(&painter, size.width(), size.height());
        good = painter.end();
    });
    return good;
}

void PlotView::copyImage() {
    exportWith([this] { QApplication::clipboard()->setPixmap(plot_->toPixmap(0, 0, kPngScale)); });
}

void PlotView::exportToFile() {
    const QString problem =
        ui::exportToFile(this, tr("Export plot"),
                         {{tr("SVG drawing (*.svg)"), QStringLiteral(".svg")},
                          {tr("PNG picture (*.png)"), QStringLiteral(".png")},
                          {tr("PDF document (*.pdf)"), QStringLiteral(".pdf")}},
                         [this](QIODevice* device, int kind) {
                             return exportPlot(device, static_cast<Format>(kind));
                         });
    if (!problem.isEmpty())
        emit failed(problem);
}

void PlotView::showAsTable() {
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("plotTable"));
    dialog->setWindowTitle(subject_.isEmpty() ? tr("Data of the plot") : subject_);
    auto* table = new TableView(dialog);
    table->setObjectName(QStringLiteral("plotTableView"));
    table->setAccessibleName(accessibleSummary());
    table->setModel(makeTableModel(table));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(table);
    connect(table, &TableView::currentRowChanged, this, [this](const QModelIndex& index) {
        const QVariant id = index.data(IdRole);
        if (!id.isValid())
            return;
        selectPoint(id.toLongLong());
        emit pointSelected(id.toLongLong());
    });
    dialog->resize(640, 420);
    dialog->show();
}

void PlotView::fillToolsMenu(QMenu* menu) {
    const auto add = [&](const QString& text, const char* keys, auto slot) {
        QAction* action = menu->addAction(text, this, slot);
        action->setShortcut(QKeySequence(QLatin1String(keys)));
        // The plot itself handles these keys; the menu only names them.
        action->setShortcutContext(Qt::WidgetShortcut);
        return action;
    };
    add(tr("Fit"), "0", &PlotView::fit);
    QAction* log = add(tr("Logarithmic y axis"), "L", [this] { setLogY(!isLogY()); });
    log->setCheckable(true);
    log->setChecked(isLogY());
    log->setVisible(logWanted());
    if (followable_) {
        QAction* follow = add(tr("Follow new data"), "F", [this] { setFollowing(!following_); });
        follow->setCheckable(true);
        follow->setChecked(following_);
    }
    menu->addSeparator();
    menu->addAction(tr("Show as table"), this, &PlotView::showAsTable);
    add(tr("Copy image"), "Ctrl+C", &PlotView::copyImage);
    add(tr("Export as SVG, PNG or PDF…"), "Ctrl+E", &PlotView::exportToFile);
}

QMenu* PlotView::toolsMenu() {
    if (!tools_) {
        tools_ = new QMenu(tr("Plot"), this);
        connect(tools_, &QMenu::aboutToShow, this, [this] {
            tools_->clear();
            fillToolsMenu(tools_);
        });
        fillToolsMenu(tools_);
    }
    return tools_;
}

} // namespace tilewright::ui
