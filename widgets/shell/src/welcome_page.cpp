// SPDX-License-Identifier: GPL-3.0-or-later
#include "welcome_page.h"

#include "status_strip.h"
#include "welcome_parts.h"

#include <tilewright/ui/commands.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/machine_facts.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/recent_files.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/unit_text.h>

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kPageWidth = 984;
constexpr int kGap = 24;
constexpr int kShownRecent = 6;

QString dayText(const QDateTime& time) {
    const qint64 days = time.date().daysTo(QDate::currentDate());
    const QLocale locale;
    if (days == 0)
        return WelcomePage::tr("today %1")
            .arg(locale.toString(time.time(), QStringLiteral("HH:mm")));
    if (days == 1)
        return WelcomePage::tr("yesterday");
    return locale.toString(time.date(), QStringLiteral("d MMM"));
}

QString shortFolder(const QString& path) {
    QString folder = QFileInfo(path).path();
    if (folder.startsWith(QDir::homePath()))
        folder = QLatin1Char('~') + folder.mid(QDir::homePath().size());
    return folder;
}

QLabel* label(const QString& text, const char* role, QWidget* parent) {
    auto* made = new QLabel(text, parent);
    if (role)
        made->setProperty("role", role);
    return made;
}

/// The found text of a check, or an em dash.
const session::EnvironmentCheck* checkNamed(const ChecksPtr& checks, const char* name) {
    if (checks)
        for (const session::EnvironmentCheck& check : *checks)
            if (check.name == name)
                return &check;
    return nullptr;
}

} // namespace

WelcomePage::WelcomePage(Commands* commands, RecentFiles* recent, MachineFacts* facts,
                         const QString& version, QWidget* parent)
    : QWidget(parent), commands_(commands), recent_(recent), facts_(facts),
      recentPanel_(new Panel(tr("Recent"), this)),
      machinePanel_(new Panel(tr("This machine"), this)) {
    setObjectName(QStringLiteral("welcomePage"));
    setAccessibleName(tr("Welcome"));
    auto* column = new QWidget;
    column->setProperty("kind", "plain");
    column->setMaximumWidth(kPageWidth);
    auto* grid = new QGridLayout(column);
    grid->setContentsMargins(24, 48, 24, 16);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(8);
    auto* title = new QLabel(QStringLiteral("Tilewright"), column);
    QFont font = Theme::fontOf(this, Theme::Big);
    title->setFont(font);
    title->setObjectName(QStringLiteral("welcomeTitle"));
    grid->addWidget(title, 0, 0, 1, 2);
    auto* line =
        label(tr("Tune tensor programs for your CPUs and boards, see why they are slow, and "
                 "compare the results."),
              "secondary", column);
    line->setWordWrap(true);
    grid->addWidget(line, 1, 0, 1, 2);
    grid->setRowMinimumHeight(2, 12);
    grid->addWidget(makeChoices(), 3, 0, Qt::AlignTop);
    grid->addWidget(makeSide(), 3, 1, Qt::AlignTop);
    grid->setRowStretch(4, 1);
    grid->addWidget(makeFoot(version), 5, 0, 1, 2);
    grid->setColumnStretch(0, 12);
    grid->setColumnStretch(1, 11);
    auto* inner = new QWidget;
    inner->setProperty("kind", "plain");
    auto* centre = new QHBoxLayout(inner);
    centre->setContentsMargins(0, 0, 0, 0);
    centre->addStretch(1);
    centre->addWidget(column, 100);
    centre->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(inner);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    connect(recent_, &RecentFiles::changed, this, &WelcomePage::showRecent);
    connect(facts_, &MachineFacts::ready, this, &WelcomePage::showFacts);
    showRecent();
    showFacts();
}

QWidget* WelcomePage::makeChoices() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    struct Choice {
        const char* id;
        const char* icon;
        QString line;
    };
    const Choice choices[] = {
        {"file.trySample", "sample", tr("a small network, 9 tasks, tuned in about a minute")},
        {"file.openModel", "model",
         tr("import an ONNX file and see its tasks before anything runs")},
        {"file.openResults", "records", tr("a database or tuning records, view-only")},
        {"file.replayDemo", "replay",
         tr("a finished session at ten times the speed: a tour of every view")}};
    bool first = true;
    for (const Choice& choice : choices) {
        const QString id = QLatin1String(choice.id);
        const QString key =
            first ? tr("Enter")
                  : commands_->shortcuts(id).value(0).toString(QKeySequence::NativeText);
        const QString icon = first ? QStringLiteral("star") : QLatin1String(choice.icon);
        auto* card =
            new ChoiceCard(icon, commands_->action(id)->iconText(), choice.line, key, first, box);
        card->setObjectName(QStringLiteral("welcome.%1").arg(id));
        connect(card, &ChoiceCard::clicked, this, [this, id] { commands_->trigger(id); });
        if (first)
            setFocusProxy(card);
        column->addWidget(card);
        first = false;
    }
    column->addSpacing(8);
    auto* hint = new DropHint(tr("Drop an .onnx, .json or .twdb file here"),
                              tr("a model opens, results open view-only, two result files open in "
                                 "Compare"),
                              box);
    hint->setObjectName(QStringLiteral("dropHint"));
    column->addWidget(hint);
    return box;
}

QWidget* WelcomePage::makeSide() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    recentPanel_->setObjectName(QStringLiteral("recentPanel"));
    recentPanel_->setMaximizable(false);
    QToolButton* clear = recentPanel_->addTool(tr("Clear missing"));
    connect(clear, &QToolButton::clicked, recent_, &RecentFiles::clearMissing);
    machinePanel_->setObjectName(QStringLiteral("machinePanel"));
    machinePanel_->setMaximizable(false);
    QToolButton* more = machinePanel_->addTool(tr("Diagnostics"));
    connect(more, &QToolButton::clicked, this,
            [this] { commands_->trigger(QStringLiteral("tools.diagnostics")); });
    column->addWidget(recentPanel_);
    column->addWidget(machinePanel_);
    return box;
}

QWidget* WelcomePage::makeFoot(const QString& version) {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 8, 0, 0);
    row->addWidget(label(tr("Version %1").arg(version), "secondary", foot));
    row->addStretch(1);
    for (const char* id : {"help.shortcuts", "help.manual"}) {
        const QAction* action = commands_->action(QLatin1String(id));
        auto* link =
            new QPushButton(QStringLiteral("%1  %2").arg(action->iconText(),
                                                         commands_->shortcuts(QLatin1String(id))
                                                             .value(0)
                                                             .toString(QKeySequence::NativeText)),
                            foot);
        link->setProperty("kind", "tool");
        link->setObjectName(QStringLiteral("welcome.%1").arg(QLatin1String(id)));
        connect(link, &QPushButton::clicked, this,
                [this, id] { commands_->trigger(QLatin1String(id)); });
        row->addWidget(link);
    }
    return foot;
}

void WelcomePage::setOverview(const QString& path, const StoreOverviewPtr& overview) {
    overviews_.insert(path, overview);
    showRecent();
}

QString WelcomePage::stateOf(const QString& path, bool& resumable) const {
    const StoreOverviewPtr overview = overviews_.value(path);
    resumable = false;
    if (!overview)
        return {};
    const auto records = static_cast<int>(overview->records);
    if (overview->sessions.empty())
        return records > 0 ? tr("%n record(s)", nullptr, records) : tr("not tuned");
    const session::SessionSummary& last = overview->sessions.back();
    if (last.state == "interrupted" || last.state == "stopped") {
        resumable = true;
        const int percent = last.budget > 0 ? static_cast<int>(100 * last.trials / last.budget) : 0;
        return last.state == "stopped"
                   ? tr("session %1 stopped at %2 % · resume").arg(last.id).arg(percent)
                   : tr("session %1 interrupted at %2 % · resume").arg(last.id).arg(percent);
    }
    if (last.state == "finished" && last.bestSeconds)
        return tr("session %1 finished, %2")
            .arg(last.id)
            .arg(ratioText(last.defaultSeconds, last.bestSeconds));
    return tr("session %1: %2")
        .arg(last.id)
        .arg(sessionStateText(QString::fromStdString(last.state)));
}

void WelcomePage::showRecent() {
    auto* list = new QWidget;
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(0);
    const auto files = recent_->files();
    for (int i = 0; i < std::min<int>(kShownRecent, static_cast<int>(files.size())); ++i) {
        const RecentFile& file = files[i];
        bool resumable = false;
        const QString state = file.missing ? tr("file not found") : stateOf(file.path, resumable);
        const QString path = file.path;
        auto* entry = new RecentRow(file.kind == QLatin1String("model") ? QStringLiteral("model")
                                                                        : QStringLiteral("records"),
                                    QFileInfo(path).fileName(), shortFolder(path),
                                    dayText(file.opened), state, resumable, file.missing, list);
        entry->setObjectName(QStringLiteral("recent.%1").arg(i));
        entry->setToolTip(path);
        connect(entry, &RecentRow::clicked, this, [this, path] { emit recentChosen(path); });
        connect(entry, &RecentRow::linkClicked, this, [this, path] { emit resumeChosen(path); });
        column->addWidget(entry);
    }
    if (files.isEmpty()) {
        auto* none = label(tr("Nothing opened yet. What you open appears here with its state."),
                           "secondary", list);
        none->setWordWrap(true);
        none->setContentsMargins(8, 8, 8, 8);
        column->addWidget(none);
    }
    recentPanel_->setContent(list);
}

void WelcomePage::showFacts() {
    auto* list = new QWidget;
    auto* grid = new QGridLayout(list);
    grid->setContentsMargins(12, 8, 12, 8);
    grid->setVerticalSpacing(6);
    int row = 0;
    const auto add = [&](const QString& name, const QString& value) {
        grid->addWidget(label(name, "secondary", list), row, 0);
        auto* text = new QLabel(value, list);
        text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        text->setWordWrap(true);
        grid->addWidget(text, row++, 1);
    };
    const ChecksPtr checks = facts_->checks();
    const auto found = [&](const char* name) {
        const session::EnvironmentCheck* check = checkNamed(checks, name);
        return check ? QString::fromStdString(check->found)
                     : (checks ? QStringLiteral("—") : tr("looking…"));
    };
    const QLocale locale;
    const QString unknown = checks ? tr("not measured") : tr("looking…");
    add(tr("Processor"), found("cpu"));
    add(tr("Vectors"), found("vectors"));
    add(tr("Peak of one core, measured"),
        facts_->peakGflops() > 0
            ? tr("%1 GFLOPS f32").arg(locale.toString(facts_->peakGflops(), 'f', 1))
            : unknown);
    add(tr("Memory, measured"),
        facts_->memoryGbps() > 0 ? tr("%1 GB/s").arg(locale.toString(facts_->memoryGbps(), 'f', 1))
                                 : unknown);
    add(tr("Frequency governor"), found("governor"));
    if (checks)
        for (const session::EnvironmentCheck& check : *checks)
            if (check.state >= session::CheckState::Warn && !check.advice.empty()) {
                auto* warning = label(QStringLiteral("⚠ %1: %2")
                                          .arg(QString::fromStdString(check.name),
                                               QString::fromStdString(check.advice)),
                                      "warning", list);
                warning->setObjectName(QStringLiteral("machineWarning"));
                warning->setWordWrap(true);
                grid->addWidget(warning, row++, 0, 1, 2);
                break;
            }
    grid->setColumnStretch(1, 1);
    machinePanel_->setContent(list);
}

} // namespace tilewright::ui
