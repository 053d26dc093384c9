// SPDX-License-Identifier: GPL-3.0-or-later
#include "advice_list.h"

#include <tilewright/ui/live_text.h>
#include <tilewright/ui/operator_table.h>
#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

namespace tilewright::ui {

namespace {

enum Role { TaskRole = Qt::UserRole + 1, RecordRole, EvidenceRole, GainRole, WarningRole };

constexpr int kPadding = 6;

/// Two lines: glyph, headline and gain; evidence and record.
class AdviceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        const QFontMetrics lines(Theme::fontOf(option.widget, Theme::Body));
        const QFontMetrics small(Theme::fontOf(option.widget, Theme::Dense));
        return {120, lines.height() + small.height() + 2 * kPadding + 2};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::colorsOf(option.widget);
        const bool warning = index.data(WarningRole).toBool();
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, colors.selection);
        const QFont body = Theme::fontOf(option.widget, Theme::Body);
        const QFont dense = Theme::fontOf(option.widget, Theme::Dense);
        const QFontMetrics bodyMetrics(body);
        const QFontMetrics denseMetrics(dense);
        const QRect area = option.rect.adjusted(12, kPadding, -12, -kPadding);
        painter->setFont(body);
        painter->setPen(warning ? colors.warning : colors.accent);
        painter->drawText(QRect(area.left(), area.top(), 18, bodyMetrics.height()), Qt::AlignCenter,
                          warning ? QStringLiteral("⚠") : QStringLiteral("ⓘ"));
        const QRect text = area.adjusted(26, 0, 0, 0);
        const QString gain = index.data(GainRole).toString();
        const int gainWidth = bodyMetrics.horizontalAdvance(gain) + 8;
        painter->setPen(colors.text);
        painter->drawText(QRect(text.left(), text.top(), text.width(), bodyMetrics.height()),
                          Qt::AlignRight | Qt::AlignVCenter, gain);
        painter->drawText(
            QRect(text.left(), text.top(), text.width() - gainWidth, bodyMetrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            bodyMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight,
                                   text.width() - gainWidth));
        painter->setFont(dense);
        const int second = text.top() + bodyMetrics.height() + 2;
        const QString record = recordText(index);
        const int recordWidth = denseMetrics.horizontalAdvance(record) + 8;
        painter->setPen(colors.accent);
        painter->drawText(QRect(text.left(), second, text.width(), denseMetrics.height()),
                          Qt::AlignRight | Qt::AlignVCenter, record);
        painter->setPen(colors.secondary);
        painter->drawText(
            QRect(text.left(), second, text.width() - recordWidth, denseMetrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            denseMetrics.elidedText(index.data(EvidenceRole).toString(), Qt::ElideRight,
                                    text.width() - recordWidth));
        painter->setPen(colors.line);
        painter->drawLine(option.rect.left() + 38, option.rect.bottom(), option.rect.right() - 12,
                          option.rect.bottom());
        painter->restore();
    }

    bool editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override {
        if (event->type() != QEvent::MouseButtonRelease)
            return false;
        const QFontMetrics metrics(Theme::fontOf(option.widget, Theme::Dense));
        const QString record = recordText(index);
        const QRect link(option.rect.right() - 12 - metrics.horizontalAdvance(record),
                         option.rect.center().y(), metrics.horizontalAdvance(record) + 12,
                         option.rect.height() / 2);
        if (record.isEmpty() ||
            !link.contains(static_cast<QMouseEvent*>(event)->position().toPoint()))
            return false;
        auto* list = qobject_cast<AdviceList*>(parent());
        emit list->recordChosen(index.data(RecordRole).toLongLong());
        return true;
    }

private:
    static QString recordText(const QModelIndex& index) {
        const qint64 record = index.data(RecordRole).toLongLong();
        return record >= 0 ? AdviceList::tr("record %1").arg(groupedCount(record)) : QString();
    }
};

} // namespace

AdviceList::AdviceList(QWidget* parent) : QListWidget(parent) {
    setObjectName(QStringLiteral("adviceList"));
    setItemDelegate(new AdviceDelegate(this));
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    connect(this, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item && item->data(TaskRole).toLongLong() >= 0)
            emit taskChosen(item->data(TaskRole).toLongLong());
    });
    connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        if (item->data(RecordRole).toLongLong() >= 0)
            emit recordChosen(item->data(RecordRole).toLongLong());
    });
    setAccessibleName(tr("Advice"));
}

void AdviceList::setReport(const BottleneckReportPtr& report) {
    report_ = report;
    fill();
}

void AdviceList::fill() {
    const QSignalBlocker quiet(this);
    clear();
    if (!report_)
        return;
    for (const session::Advice& advice : report_->advice) {
        auto* item = new QListWidgetItem(OperatorTable::adviceTitle(advice), this);
        const QString evidence = OperatorTable::adviceEvidence(advice);
        item->setData(TaskRole, static_cast<qint64>(advice.task));
        item->setData(RecordRole, static_cast<qint64>(advice.record));
        item->setData(EvidenceRole, evidence);
        item->setData(GainRole, advice.gainSeconds
                                    ? QStringLiteral("≤ ") + latencyWithUnit(advice.gainSeconds)
                                    : QString());
        item->setData(WarningRole, advice.level == session::AdviceLevel::Warning);
        item->setToolTip(QStringLiteral("%1\n%2").arg(item->text(), evidence));
        item->setData(Qt::AccessibleTextRole,
                      QStringLiteral("%1, %2, %3")
                          .arg(item->text(), evidence, item->data(GainRole).toString()));
    }
}

void AdviceList::markTask(qint64 task) {
    const QSignalBlocker quiet(this);
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(TaskRole).toLongLong() == task) {
            setCurrentRow(row);
            return;
        }
    setCurrentRow(-1);
    clearSelection();
}

void AdviceList::changeEvent(QEvent* event) {
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Advice"));
        fill();
    }
}

} // namespace tilewright::ui
