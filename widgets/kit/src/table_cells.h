// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

#include <tilewright/ui/theme.h>

namespace tilewright::ui {

/// Paints a cell from the roles of table_roles.h.
class TableCell : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit TableCell(QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    void setFooter(bool footer) { footer_ = footer; }
    /// The row under the pointer, or -1.
    void setHoverRow(int row) { hoverRow_ = row; }
    int hoverRow() const { return hoverRow_; }

private:
    void paintGround(QPainter* painter, const QStyleOptionViewItem& option,
                     const ThemeColors& colors, const QModelIndex& index) const;
    void paintParts(QPainter* painter, const QRectF& area, const QModelIndex& index,
                    const ThemeColors& colors) const;
    void paintBar(QPainter* painter, const QRectF& area, const QModelIndex& index,
                  const ThemeColors& colors, bool selected) const;
    void paintText(QPainter* painter, QRectF area, const QModelIndex& index,
                   const ThemeColors& colors, const QStyleOptionViewItem& option) const;

    bool footer_ = false;
    int hoverRow_ = -1;
};

/// A step line of `values` in `area`, with a dot at its end.
void paintSparkline(QPainter* painter, const QRectF& area, const QVector<double>& values,
                    const QColor& color);

/// A header whose text of the sorted columns has the text colour and an arrow in the text.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(QWidget* parent = nullptr);
    struct Mark {
        int column = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };
    void setMarks(const QVector<Mark>& marks);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    QSize sectionSizeFromContents(int logicalIndex) const override;

private:
    QString titleOf(int section) const;
    QVector<Mark> marks_;
};

} // namespace tilewright::ui
