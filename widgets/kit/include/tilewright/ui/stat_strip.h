// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include <tilewright/ui/table_roles.h>

class QPainter;

namespace tilewright::ui {

/// One number of a StatStrip. `from` is the quiet start of a change ("40.1"), `value` the big part
/// ("13.1 ms"), `note` the small text after it ("± 0.1", "▼ faster") in the colour of `noteTone`.
struct Stat {
    QString caption;
    QString value;
    QString from;
    QString note;
    Tone tone = Tone::Normal;
    Tone noteTone = Tone::Secondary;
    bool big = false; ///< 20 pt semibold; otherwise an 11 pt figure at the right
    QString tooltip;  ///< what it means and how it is computed
};

/// The line of numbers on top of a page: big ones at the left, quiet ones at the right.
class StatStrip : public QWidget {
    Q_OBJECT

public:
    explicit StatStrip(QWidget* parent = nullptr);
    void setStats(const QVector<Stat>& stats);
    const QVector<Stat>& stats() const { return stats_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Cell {
        QRectF area;
        int stat = -1;
    };
    double widthOf(const Stat& stat) const;
    QVector<Cell> cells() const;
    void paintStat(QPainter& painter, const Stat& stat, const QRectF& area) const;

    QVector<Stat> stats_;
};

} // namespace tilewright::ui
