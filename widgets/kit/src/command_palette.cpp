// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/command_palette.h>

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>

#include <QAbstractListModel>
#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int kWidth = 560;
constexpr int kHeight = 380;
constexpr int kRow = 28;
constexpr int kMostShown = 200;

enum PaletteRole { DetailRole = Qt::UserRole + 1, IconRole, EnabledRole };

/// How well the letters of `wanted` match `text`: lower is better, -1 is not at all.
int matchCost(const QString& text, const QString& wanted) {
    if (wanted.isEmpty())
        return 0;
    const qsizetype whole = text.indexOf(wanted, 0, Qt::CaseInsensitive);
    if (whole == 0)
        return 0;
    if (whole > 0)
        return text[whole - 1].isLetterOrNumber() ? 3 : 1;
    qsizetype at = 0;
    int cost = 10;
    for (const QChar c : wanted) {
        if (c.isSpace())
            continue;
        const qsizetype next = text.indexOf(c, at, Qt::CaseInsensitive);
        if (next < 0)
            return -1;
        const bool start = next == 0 || !text[next - 1].isLetterOrNumber();
        cost += start ? 0 : next == at ? 1 : 4;
        at = next + 1;
    }
    return cost;
}

class PaletteDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return QSize(100, qMax(kRow, option.fontMetrics.height() + 10));
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::colorsOf(option.widget);
        const bool enabled = index.data(EnabledRole).toBool();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(colors.selection);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 4, 4);
        }
        QRect area = option.rect.adjusted(12, 0, -12, 0);
        const QString icon = index.data(IconRole).toString();
        if (!icon.isEmpty())
            painter->drawPixmap(
                QPoint(area.left(), area.center().y() - 7),
                iconPixmap(icon, colors.secondary, 16, painter->device()->devicePixelRatioF()));
        area.setLeft(area.left() + 24);
        painter->setFont(Theme::fontOf(option.widget, Theme::Dense));
        painter->setPen(colors.secondary);
        const QString detail = index.data(DetailRole).toString();
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, detail);
        area.setRight(area.right() - painter->fontMetrics().horizontalAdvance(detail) - 12);
        painter->setFont(Theme::fontOf(option.widget, Theme::Body));
        painter->setPen(enabled ? colors.text : colors.disabled);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                            area.width()));
        painter->restore();
    }
};

} // namespace

class PaletteModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    struct Item {
        QString text;
        QString detail;
        QString icon;
        QPointer<QAction> action;
        std::function<void()> run;
        int used = 0;
    };

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(shown_.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        const Item& item = items_[shown_[index.row()]];
        switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return item.text;
        case DetailRole:
            return item.detail;
        case IconRole:
            return item.icon;
        case EnabledRole:
            return !item.action || item.action->isEnabled();
        default:
            return {};
        }
    }

    void setPart(bool actions, QVector<Item> items) {
        QVector<Item> kept;
        for (const Item& item : std::as_const(items_))
            if (static_cast<bool>(item.run) == actions)
                kept.append(item);
        items_ = actions ? items + kept : kept + items;
        filter(QString());
    }

    void filter(const QString& text) {
        beginResetModel();
        QVector<std::pair<int, int>> ranked;
        for (int i = 0; i < items_.size(); ++i) {
            const int cost = matchCost(items_[i].text, text.trimmed());
            if (cost >= 0 && (items_[i].run || items_[i].action))
                ranked.append({cost * 1000 - items_[i].used, i});
        }
        std::stable_sort(ranked.begin(), ranked.end());
        shown_.clear();
        for (const auto& one : std::as_const(ranked))
            if (shown_.size() < kMostShown)
                shown_.append(one.second);
        endResetModel();
    }

    bool run(int row) {
        Item& item = items_[shown_[row]];
        if (item.action && !item.action->isEnabled())
            return false;
        item.used = ++uses_;
        const QPointer<QAction> action = item.action;
        const std::function<void()> work = item.run;
        if (action)
            action->trigger();
        else if (work)
            work();
        return true;
    }

private:
    QVector<Item> items_;
    QVector<int> shown_;
    int uses_ = 0;
};

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), text_(new QLineEdit(this)),
      list_(new QListView(this)), none_(new QLabel(this)), model_(new PaletteModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands"));
    text_->setObjectName(QStringLiteral("paletteText"));
    text_->setPlaceholderText(tr("Type a command, a task or a record number"));
    text_->setAccessibleName(tr("Find a command"));
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setAccessibleName(tr("Commands found"));
    list_->setFrameShape(QFrame::NoFrame);
    none_->setAlignment(Qt::AlignCenter);
    none_->setProperty("role", "secondary");
    none_->hide();
    auto* frame = new QFrame(this);
    frame->setProperty("kind", "palette");
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(frame);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(text_);
    layout->addWidget(list_, 1);
    layout->addWidget(none_, 1);
    resize(kWidth, kHeight);
    text_->installEventFilter(this);
    connect(text_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListView::clicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::setActions(const QList<QAction*>& actions) {
    QVector<PaletteModel::Item> items;
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || action->text().isEmpty())
            continue;
        PaletteModel::Item item;
        item.text = action->text().remove(QLatin1Char('&'));
        item.detail = action->shortcut().toString(QKeySequence::NativeText);
        item.icon = action->property("iconName").toString();
        item.action = action;
        items.append(item);
    }
    model_->setPart(true, items);
}

void CommandPalette::setEntries(const QVector<PaletteEntry>& entries) {
    QVector<PaletteModel::Item> items;
    for (const PaletteEntry& entry : entries) {
        PaletteModel::Item item;
        item.text = entry.text;
        item.detail = entry.detail;
        item.icon = entry.iconName;
        item.run = entry.run;
        items.append(item);
    }
    model_->setPart(false, items);
}

void CommandPalette::popUp() {
    text_->clear();
    filter(QString());
    if (const QWidget* over = parentWidget()) {
        resize(qMin(kWidth, over->width() - 32), qMin(kHeight, over->height() - 120));
        move(over->mapToGlobal(QPoint((over->width() - width()) / 2, 80)));
    }
    show();
    text_->setFocus();
}

int CommandPalette::shownCount() const {
    return model_->rowCount();
}

void CommandPalette::filter(const QString& text) {
    model_->filter(text);
    list_->setVisible(model_->rowCount() > 0);
    none_->setVisible(model_->rowCount() == 0);
    none_->setText(tr("Nothing is called “%1”.").arg(text));
    list_->setCurrentIndex(model_->index(0, 0));
}

void CommandPalette::runCurrent() {
    const QModelIndex current = list_->currentIndex();
    if (!current.isValid() || !current.data(EnabledRole).toBool())
        return;
    hide();
    model_->run(current.row());
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != text_ || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int rows = model_->rowCount();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 8
                     : key == Qt::Key_PageUp   ? -8
                                               : 0;
    if (step != 0 && rows > 0) {
        const int row = qBound(0, list_->currentIndex().row() + step, rows - 1);
        list_->setCurrentIndex(model_->index(row, 0));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        runCurrent();
        return true;
    }
    if (key == Qt::Key_Escape) {
        hide();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace tilewright::ui
