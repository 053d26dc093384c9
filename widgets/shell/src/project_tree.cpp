// SPDX-License-Identifier: GPL-3.0-or-later
#include "project_tree.h"

#include "status_strip.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/unit_text.h>

#include <QContextMenuEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

namespace tilewright::ui {

namespace {

enum Role { SectionRole = Qt::UserRole + 1, NumberRole, TextRole };

QString sessionTitle(const session::SessionSummary& summary) {
    return summary.name.empty() ? ProjectTree::tr("session %1").arg(summary.id)
                                : QString::fromStdString(summary.name);
}

} // namespace

ProjectTree::ProjectTree(AppState* state, QWidget* parent) : QTreeWidget(parent), state_(state) {
    setObjectName(QStringLiteral("projectTree"));
    setAccessibleName(tr("Project"));
    setColumnCount(2);
    setHeaderHidden(true);
    setIndentation(14);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideMiddle);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { use(item); });
    connect(state_, &AppState::baselinesChanged, this, &ProjectTree::rebuild);
    connect(state_, &AppState::sessionChanged, this, &ProjectTree::rebuild);
    if (Theme* theme = Theme::of(this))
        connect(theme, &Theme::changed, this, &ProjectTree::rebuild);
    rebuild();
}

void ProjectTree::setOverview(StoreOverviewPtr overview) {
    overview_ = std::move(overview);
    rebuild();
}

void ProjectTree::setModels(const QStringList& paths) {
    models_ = paths;
    rebuild();
}

void ProjectTree::setDevices(const QVector<QPair<QString, QString>>& devices) {
    if (devices_ == devices)
        return;
    devices_ = devices;
    rebuild();
}

void ProjectTree::setFilters(const QVector<SavedFilter>& filters) {
    filters_ = filters;
    rebuild();
}

void ProjectTree::setLive(qint64 session, const QString& state, int percent) {
    if (liveSession_ == session && liveState_ == state && livePercent_ == percent)
        return;
    liveSession_ = session;
    liveState_ = state;
    livePercent_ = percent;
    rebuild();
}

QTreeWidgetItem* ProjectTree::section(Section which, const QString& title,
                                      const QString& whenEmpty) {
    auto* item = new QTreeWidgetItem(this, {title});
    item->setData(0, SectionRole, -1);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(0, whenEmpty);
    item->setExpanded(true);
    item->setFirstColumnSpanned(true);
    item->setData(0, NumberRole, which);
    return item;
}

QTreeWidgetItem* ProjectTree::add(QTreeWidgetItem* section, const QString& icon,
                                  const QString& text, const QString& note) {
    auto* item = new QTreeWidgetItem(section, {text, note});
    item->setIcon(0, themedIcon(icon, nullptr, Tone::Secondary));
    item->setForeground(1, Theme::colorsOf(this).secondary);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, SectionRole, section->data(0, NumberRole));
    item->setToolTip(0, text);
    return item;
}

void ProjectTree::rebuild() {
    clear();
    auto* models = section(Models, tr("Models"), tr("No model open"));
    for (const QString& path : models_) {
        auto* item = add(models, QStringLiteral("model"), QFileInfo(path).completeBaseName(),
                         overview_ && path == state_->modelPath() && overview_->tasks > 0
                             ? tr("%n task(s)", nullptr, static_cast<int>(overview_->tasks))
                             : QString());
        item->setData(0, TextRole, path);
        item->setToolTip(0, path);
    }
    addSessions();
    addBaselines();
    auto* devices = section(Devices, tr("Devices"), {});
    for (const auto& [name, state] : devices_)
        add(devices, QStringLiteral("devices"), name, state)->setData(0, TextRole, name);
    auto* filters = section(Filters, tr("Saved filters"), tr("Edit → Save filter keeps one here"));
    for (const SavedFilter& filter : filters_) {
        auto* item = add(filters, QStringLiteral("filter"), filter.name, {});
        item->setData(0, TextRole, filter.text);
        item->setToolTip(0, filter.text);
    }
}

void ProjectTree::addSessions() {
    auto* sessions = section(Sessions, tr("Sessions"), tr("Nothing was tuned here yet"));
    if (!overview_)
        return;
    const auto& all = overview_->sessions;
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
        const bool live = it->id == liveSession_ && !liveState_.isEmpty();
        const QString state = live ? liveState_ : QString::fromStdString(it->state);
        QString note = sessionStateText(state);
        if (live && livePercent_ >= 0 && state == QLatin1String("running"))
            note = QStringLiteral("%1 %2 %").arg(sessionStateGlyph(state)).arg(livePercent_);
        else if (state == QLatin1String("finished") && it->bestSeconds)
            note = QStringLiteral("%1 %2").arg(sessionStateGlyph(state),
                                               ratioText(it->defaultSeconds, it->bestSeconds));
        auto* item = add(sessions, QStringLiteral("tune"), sessionTitle(*it), note);
        item->setData(0, NumberRole, static_cast<qint64>(it->id));
        item->setToolTip(0, QStringLiteral("%1\n%2\n%3")
                                .arg(QString::fromStdString(it->input),
                                     QString::fromStdString(it->target), sessionStateText(state)));
        const bool shown =
            it->id == state_->session() || (state_->session() < 0 && it == all.rbegin());
        if (shown)
            item->setSelected(true);
    }
}

void ProjectTree::addBaselines() {
    auto* baselines = section(Baselines, tr("Baselines"),
                              tr("B pins the selected record; a session's menu pins it"));
    const auto pinned = state_->baselines();
    for (int i = 0; i < pinned.size(); ++i) {
        auto* item = add(baselines, QStringLiteral("pin"), pinned[i].label, {});
        item->setData(0, NumberRole, i);
    }
    if (!overview_)
        return;
    for (const session::PinSummary& pin : overview_->pins) {
        auto* item = add(baselines, QStringLiteral("baseline"), QString::fromStdString(pin.name),
                         durationText(pin.medianSeconds));
        item->setData(0, NumberRole, -1);
        item->setData(0, TextRole, static_cast<qint64>(pin.record));
        item->setToolTip(0, QString::fromStdString(pin.task));
    }
}

void ProjectTree::use(QTreeWidgetItem* item) {
    switch (item->data(0, SectionRole).toInt()) {
    case Models:
        emit modelChosen(item->data(0, TextRole).toString());
        break;
    case Sessions:
        state_->setSession(item->data(0, NumberRole).toLongLong());
        break;
    case Baselines:
        if (item->data(0, NumberRole).toInt() < 0)
            state_->setRecords({item->data(0, TextRole).toLongLong()});
        break;
    case Devices:
        emit deviceChosen(item->data(0, TextRole).toString());
        break;
    case Filters:
        state_->setFilter(item->data(0, TextRole).toString());
        break;
    default:
        break;
    }
}

void ProjectTree::pin(QTreeWidgetItem* item) {
    Baseline baseline;
    baseline.workDir = state_->workDir();
    baseline.session = item->data(0, NumberRole).toLongLong();
    baseline.label = item->text(0);
    auto all = state_->baselines();
    if (!all.contains(baseline))
        all.append(baseline);
    state_->setBaselines(all);
}

void ProjectTree::contextMenuEvent(QContextMenuEvent* event) {
    QTreeWidgetItem* item =
        event->reason() == QContextMenuEvent::Keyboard ? currentItem() : itemAt(event->pos());
    if (!item)
        return;
    QMenu menu(this);
    const int which = item->data(0, SectionRole).toInt();
    const QString text = item->data(0, TextRole).toString();
    const QString name = item->text(0);
    if (which == Sessions) {
        menu.addAction(tr("Show"), this, [this, item] { use(item); });
        menu.addAction(tr("Pin as baseline"), this, [this, item] { pin(item); });
    } else if (which == Baselines && item->data(0, NumberRole).toInt() >= 0) {
        menu.addAction(tr("Unpin"), this, [this, index = item->data(0, NumberRole).toInt()] {
            auto all = state_->baselines();
            all.removeAt(index);
            state_->setBaselines(all);
        });
    } else if (which == Filters) {
        menu.addAction(tr("Apply"), this, [this, text] { state_->setFilter(text); });
        menu.addAction(tr("Remove"), this, [this, name] { emit filterRemoved(name); });
    } else if (which >= 0) {
        menu.addAction(tr("Open"), this, [this, item] { use(item); });
    }
    if (!menu.isEmpty())
        menu.exec(event->reason() == QContextMenuEvent::Keyboard
                      ? viewport()->mapToGlobal(visualItemRect(item).center())
                      : event->globalPos());
}

void ProjectTree::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentItem()) {
        use(currentItem());
        return;
    }
    if (event->key() == Qt::Key_B && currentItem() &&
        currentItem()->data(0, SectionRole).toInt() == Sessions) {
        pin(currentItem());
        return;
    }
    QTreeWidget::keyPressEvent(event);
}

} // namespace tilewright::ui
