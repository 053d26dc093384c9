// SPDX-License-Identifier: GPL-3.0-or-later
#include "notices_view.h"

#include <tilewright/ui/icon.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/unit_text.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLocale>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTreeWidget>

namespace tilewright::ui {

namespace {

constexpr int kMaxProblems = 500;
constexpr std::size_t kMaxEvents = 1000;
constexpr int kMaxLogLines = 2000;

enum Column { CodeColumn, TextColumn, ActionColumn, TimeColumn };

QString levelGlyph(int level) {
    return level >= 2   ? QStringLiteral("✕")
           : level == 1 ? QStringLiteral("⚠")
                        : QStringLiteral("ⓘ");
}

Tone levelTone(int level) {
    return level >= 2 ? Tone::Error : level == 1 ? Tone::Warning : Tone::Secondary;
}

QString levelWord(int level) {
    return level >= 2   ? NoticesView::tr("error")
           : level == 1 ? NoticesView::tr("warning")
                        : NoticesView::tr("note");
}

QString clockText(const QDateTime& time) {
    return QLocale().toString(time.time(), QStringLiteral("HH:mm:ss"));
}

QString eventText(const session::LiveEvent& event) {
    const QString detail = QString::fromStdString(event.detail);
    if (event.kind == "task-started")
        return NoticesView::tr("started");
    if (event.kind == "task-ended")
        return NoticesView::tr("ended: %1").arg(detail);
    if (event.kind == "improved")
        return NoticesView::tr("improved from %1 to %2")
            .arg(durationText(event.before), durationText(event.after));
    if (event.kind == "order")
        return NoticesView::tr("order: %1").arg(detail);
    if (event.kind == "wrong-result")
        return NoticesView::tr("wrong result: %1").arg(detail);
    if (event.kind == "error")
        return NoticesView::tr("error: %1").arg(detail);
    if (event.kind == "session")
        return NoticesView::tr("session %1").arg(detail);
    return QStringLiteral("%1 %2").arg(QString::fromStdString(event.kind), detail);
}

} // namespace

NoticesView::NoticesView(QWidget* parent)
    : QTabWidget(parent), problemList_(makeList(QStringLiteral("problems"), tr("Problems"), 4)),
      log_(new QPlainTextEdit(this)),
      eventList_(makeList(QStringLiteral("events"), tr("Events"), 3)) {
    setObjectName(QStringLiteral("notices"));
    setAccessibleName(tr("Problems, log and events"));
    setDocumentMode(true);
    tabBar()->setAccessibleName(tr("Problems, log and events"));
    log_->setObjectName(QStringLiteral("log"));
    log_->setAccessibleName(tr("Log"));
    log_->setReadOnly(true);
    log_->setProperty("kind", "code");
    log_->setLineWrapMode(QPlainTextEdit::NoWrap);
    log_->setMaximumBlockCount(kMaxLogLines);
    log_->setTabChangesFocus(true);
    addTab(problemList_, {});
    addTab(log_, tr("Log"));
    addTab(eventList_, tr("Events"));
    showCounts();
    connect(problemList_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const QString action = item->data(0, Qt::UserRole).toString();
        if (!action.isEmpty())
            emit actionTriggered(action);
    });
    connect(problemList_, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item, int column) {
                const QString action = item->data(0, Qt::UserRole).toString();
                if (column == ActionColumn && !action.isEmpty())
                    emit actionTriggered(action);
            });
    problemList_->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* copy = new QAction(tr("Copy details"), problemList_);
    connect(copy, &QAction::triggered, this, [this] {
        QStringList lines;
        for (const QTreeWidgetItem* item : problemList_->selectedItems())
            lines.append(QStringLiteral("%1 %2 %3")
                             .arg(item->text(TimeColumn), item->text(CodeColumn),
                                  item->toolTip(TextColumn)));
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    });
    auto* clear = new QAction(tr("Clear"), problemList_);
    connect(clear, &QAction::triggered, this, &NoticesView::clearProblems);
    problemList_->addActions({copy, clear});
    connect(eventList_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const qint64 record = item->data(0, Qt::UserRole).toLongLong(); record > 0)
            emit recordChosen(record);
    });
}

QTreeWidget* NoticesView::makeList(const QString& name, const QString& title, int columns) {
    auto* list = new QTreeWidget(this);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setColumnCount(columns);
    list->setHeaderHidden(true);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(columns == 4 ? TextColumn : 2, QHeaderView::Stretch);
    return list;
}

void NoticesView::addProblem(const Problem& problem) {
    const auto same = std::find_if(problems_.begin(), problems_.end(), [&](const Problem& other) {
        return other.code == problem.code && other.text == problem.text;
    });
    if (same != problems_.end())
        problems_.erase(same);
    problems_.prepend(problem);
    if (!problems_[0].time.isValid())
        problems_[0].time = QDateTime::currentDateTime();
    if (problems_.size() > kMaxProblems)
        problems_.resize(kMaxProblems);
    showProblems();
}

void NoticesView::setProblems(const QVector<Problem>& problems) {
    problems_ = problems;
    showProblems();
}

void NoticesView::clearProblems() {
    problems_.clear();
    showProblems();
}

void NoticesView::showProblems() {
    const ThemeColors& colors = Theme::colorsOf(this);
    problemList_->clear();
    for (const Problem& problem : problems_) {
        auto* item = new QTreeWidgetItem(
            problemList_, {QStringLiteral("%1 %2").arg(levelGlyph(problem.level), problem.code),
                           problem.text.section(QLatin1Char('\n'), 0, 0), problem.actionText,
                           clockText(problem.time)});
        item->setForeground(CodeColumn, toneColor(colors, levelTone(problem.level)));
        item->setForeground(ActionColumn, colors.accent);
        item->setForeground(TimeColumn, colors.secondary);
        item->setToolTip(TextColumn, problem.text);
        item->setData(CodeColumn, Qt::UserRole, problem.action);
        item->setData(CodeColumn, Qt::AccessibleTextRole,
                      QStringLiteral("%1 %2").arg(levelWord(problem.level), problem.code));
    }
    showCounts();
}

void NoticesView::showCounts() {
    setTabText(0, problems_.isEmpty() ? tr("Problems") : tr("Problems (%1)").arg(problems_.size()));
}

void NoticesView::addLogLine(const QString& line) {
    log_->appendPlainText(line);
}

void NoticesView::setEvents(const session::LiveSnapshotPtr& snapshot) {
    const std::size_t count = snapshot ? snapshot->events.size() : 0;
    const std::int64_t session = snapshot ? snapshot->session : -1;
    if (session != shownSession_ || count < shownEvents_) {
        eventList_->clear();
        shownEvents_ = 0;
        shownSession_ = session;
    }
    if (count == shownEvents_)
        return;
    const ThemeColors& colors = Theme::colorsOf(this);
    const std::size_t first =
        std::max(shownEvents_, count > kMaxEvents ? count - kMaxEvents : std::size_t{0});
    for (std::size_t i = first; i < count; ++i) {
        const session::LiveEvent& event = snapshot->events[i];
        auto* item = new QTreeWidgetItem({clockText(QDateTime::fromMSecsSinceEpoch(event.timeMs)),
                                          QString::fromStdString(event.task), eventText(event)});
        item->setForeground(0, colors.secondary);
        item->setData(0, Qt::UserRole, static_cast<qint64>(event.record));
        eventList_->insertTopLevelItem(0, item);
    }
    while (eventList_->topLevelItemCount() > static_cast<int>(kMaxEvents))
        delete eventList_->takeTopLevelItem(eventList_->topLevelItemCount() - 1);
    shownEvents_ = count;
}

} // namespace tilewright::ui
