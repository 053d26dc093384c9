// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include "builtin_views.h"
#include "notices_view.h"
#include "project_tree.h"
#include "settings_window.h"
#include "side_windows.h"
#include "tool_strip.h"
#include "welcome_page.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/command_palette.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/filter_bar.h>
#include <tilewright/ui/languages.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/log_file.h>
#include <tilewright/ui/machine_facts.h>
#include <tilewright/ui/recent_files.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/tune_facts.h>
#include <tilewright/ui/workspace.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QSettings>
#include <QSysInfo>
#include <QUndoStack>
#include <QUrl>
#include <QWhatsThis>

namespace tilewright::ui {

namespace {

const QString kFilters = QStringLiteral("filters");
constexpr int kDefaultTrials = 128;

QVector<SavedFilter> storedFilters(QSettings& settings) {
    QVector<SavedFilter> filters;
    const int count = settings.beginReadArray(kFilters);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        filters.append({settings.value(QStringLiteral("name")).toString(),
                        settings.value(QStringLiteral("text")).toString()});
    }
    settings.endArray();
    return filters;
}

void storeFilters(QSettings& settings, const QVector<SavedFilter>& filters) {
    settings.remove(kFilters);
    settings.beginWriteArray(kFilters, static_cast<int>(filters.size()));
    for (int i = 0; i < filters.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("name"), filters[i].name);
        settings.setValue(QStringLiteral("text"), filters[i].text);
    }
    settings.endArray();
}

QWidget* firstFocusable(QWidget* root) {
    if (!root || !root->isVisible())
        return nullptr;
    if ((root->focusPolicy() & Qt::TabFocus) && root->isEnabled())
        return root;
    for (QWidget* child : root->findChildren<QWidget*>())
        if ((child->focusPolicy() & Qt::TabFocus) && child->isEnabled() && child->isVisibleTo(root))
            return child;
    return nullptr;
}

} // namespace

void MainWindow::connectCommands() {
    connectFileCommands();
    connectEditCommands();
    connectViewCommands();
    connectSessionCommands();
    connectHelpCommands();
}

void MainWindow::connectEditCommands() {
    const auto handle = [this](const char* id, std::function<void()> handler) {
        commands_->handle(QLatin1String(id), this, std::move(handler));
    };
    handle("edit.undo", [this] { undo_->undo(); });
    handle("edit.redo", [this] { undo_->redo(); });
    const auto texts = [this] {
        QAction* undo = commands_->action(QStringLiteral("edit.undo"));
        QAction* redo = commands_->action(QStringLiteral("edit.redo"));
        undo->setEnabled(undo_->canUndo());
        redo->setEnabled(undo_->canRedo());
        undo->setText(undo_->canUndo() ? tr("Undo %1").arg(undo_->undoText()) : tr("Undo"));
        redo->setText(undo_->canRedo() ? tr("Redo %1").arg(undo_->redoText()) : tr("Redo"));
    };
    connect(undo_, &QUndoStack::indexChanged, this, texts);
    texts();
    handle("edit.filter", [this] { toolStrip_->filter()->edit(); });
    handle("edit.clearFilter", [this] { state_->setFilter({}); });
    handle("edit.saveFilter", [this] { saveFilter(); });
    handle("edit.goTo", [this] { goToRecord(); });
    handle("edit.settings", [this] {
        auto* window = findChild<SettingsWindow*>();
        if (!window)
            window = new SettingsWindow(commands_, setup_.theme, setup_.languages, settings_, this);
        window->setAttribute(Qt::WA_DeleteOnClose);
        window->show();
        window->raise();
    });
    handle("tools.palette", [this] { showPalette(); });
    struct Choice {
        const char* id;
        Statistic statistic;
    };
    for (const Choice choice :
         {Choice{"tools.statMedian", Statistic::Median}, Choice{"tools.statMin", Statistic::Min},
          Choice{"tools.statMean", Statistic::Mean}, Choice{"tools.statP95", Statistic::P95}}) {
        QAction* action = commands_->action(QLatin1String(choice.id));
        const auto show = [this, action, choice] {
            action->setChecked(state_->statistic() == choice.statistic);
        };
        handle(choice.id, [this, choice, show] {
            state_->setStatistic(choice.statistic);
            show();
        });
        connect(state_, &AppState::statisticChanged, action, show);
        show();
    }
}

void MainWindow::connectViewCommands() {
    const auto handle = [this](const char* id, std::function<void()> handler) {
        commands_->handle(QLatin1String(id), this, std::move(handler));
    };
    for (const ViewEntry& view : builtinViews()) {
        const QString name = QLatin1String(view.name);
        commands_->handle(QStringLiteral("workspace.%1").arg(name), this, [this, name] {
            // A tick that a second press took away comes back.
            showWorkspace(name);
        });
    }
    handle("view.back", [this] { state_->back(); });
    handle("view.forward", [this] { state_->forward(); });
    commands_->action(QStringLiteral("view.back"))->setEnabled(false);
    commands_->action(QStringLiteral("view.forward"))->setEnabled(false);
    for (const char* name : {"project", "inspector", "notices"})
        commands_->handle(QStringLiteral("view.%1").arg(QLatin1String(name)), this,
                          [this, name] { toggleDock(QLatin1String(name)); });
    handle("view.nextPane", [this] { cyclePanes(1); });
    handle("view.previousPane", [this] { cyclePanes(-1); });
    handle("view.fullScreen", [this] { isFullScreen() ? showNormal() : showFullScreen(); });
    handle("view.zoomIn", [this] { setZoom(setup_.theme->zoom() * 1.1); });
    handle("view.zoomOut", [this] { setZoom(setup_.theme->zoom() / 1.1); });
    handle("view.zoomReset", [this] { setZoom(1); });
    for (const char* id : {"view.themeSystem", "view.themeLight", "view.themeDark"})
        handle(id, [this, id] { setThemeMode(QLatin1String(id)); });
    const auto ticks = [this] {
        const Theme::Mode mode = setup_.theme->mode();
        commands_->action(QStringLiteral("view.themeSystem"))->setChecked(mode == Theme::System);
        commands_->action(QStringLiteral("view.themeLight"))->setChecked(mode == Theme::Light);
        commands_->action(QStringLiteral("view.themeDark"))->setChecked(mode == Theme::Dark);
    };
    connect(setup_.theme, &Theme::changed, this, ticks);
    ticks();
    handle("view.resetLayout", [this] { resetLayout(); });
}

void MainWindow::connectFilterBar() {
    FilterBar* bar = toolStrip_->filter();
    bar->setPlaceholder(tr("Filter… e.g. lat<600us"));
    bar->setFilter(state_->filter());
    connect(bar, &FilterBar::filterEdited, state_, &AppState::setFilter);
    connect(state_, &AppState::filterChanged, bar, [bar](const QString& filter) {
        if (bar->filter() != filter)
            bar->setFilter(filter);
    });
    const auto apply = [this] { filterFacts_->applyFilter(state_->workDir(), state_->filter()); };
    connect(state_, &AppState::filterChanged, bar, apply);
    connect(state_, &AppState::workDirChanged, bar, apply);
    connect(filterFacts_, &TuneFacts::filtered, bar, [this, bar](const FilteredRecords& outcome) {
        if (outcome.filter != state_->filter())
            return;
        bar->setProblem(outcome.problem);
        const qint64 total = overview_ ? overview_->records : -1;
        const auto kept = static_cast<qint64>(outcome.records.size());
        bar->setCounts(kept, outcome.filter.isEmpty() || !outcome.problem.isEmpty() ? -1 : total);
    });
    offerFilterWords();
}

void MainWindow::offerFilterWords() {
    QStringList words{
        QStringLiteral("task:"),      QStringLiteral("status:ok"), QStringLiteral("status:build"),
        QStringLiteral("status:run"), QStringLiteral("lat<"),      QStringLiteral("gflops>"),
        QStringLiteral("trial>"),     QStringLiteral("round:"),    QStringLiteral("session:"),
        QStringLiteral("device:"),    QStringLiteral("tag:"),      QStringLiteral("best:5"),
        QStringLiteral("trace~")};
    if (const session::LiveSnapshotPtr snapshot = live_->snapshot())
        for (const session::LiveTask& task : snapshot->tasks)
            words.append(QStringLiteral("task:%1").arg(QString::fromStdString(task.name)));
    toolStrip_->filter()->setCompletions(words);
}

void MainWindow::showPalette() {
    auto* palette = findChild<CommandPalette*>();
    if (!palette)
        palette = new CommandPalette(this);
    QList<QAction*> actions = commands_->actions();
    if (Workspace* view = views_.value(current_))
        for (QAction* action : view->actions())
            if (!commands_->action(action->objectName()))
                actions.append(action);
    palette->setActions(actions);
    QVector<PaletteEntry> entries;
    if (const session::LiveSnapshotPtr snapshot = live_->snapshot())
        for (const session::LiveTask& task : snapshot->tasks)
            entries.append({QString::fromStdString(task.name), tr("task"), QStringLiteral("tune"),
                            [this, id = task.id] { state_->setTask(id); }});
    if (overview_)
        for (const session::SessionSummary& session : overview_->sessions)
            entries.append({tr("session %1").arg(session.id), QString::fromStdString(session.input),
                            QStringLiteral("tune"),
                            [this, id = session.id] { state_->setSession(id); }});
    for (const RecentFile& file : recent_->files())
        entries.append({QFileInfo(file.path).fileName(), file.path, QStringLiteral("file"),
                        [this, path = file.path] { openRecent(path, false); }});
    for (const QString& language : Languages::available())
        entries.append({Languages::nativeName(language), tr("language"), QStringLiteral("language"),
                        [this, language] {
                            settings_->setValue(QStringLiteral("ui/language"), language);
                            setup_.languages->set(language);
                        }});
    palette->setEntries(entries);
    palette->popUp();
}

void MainWindow::setThemeMode(const QString& id) {
    const Theme::Mode mode = id == QLatin1String("view.themeSystem")  ? Theme::System
                             : id == QLatin1String("view.themeLight") ? Theme::Light
                                                                      : Theme::Dark;
    settings_->setValue(QStringLiteral("ui/theme"), id.mid(10).toLower());
    setup_.theme->setMode(mode);
    emit setup_.theme->changed(); // the ticks, also when the mode was this one before
}

void MainWindow::setZoom(double zoom) {
    setup_.theme->setZoom(zoom);
    settings_->setValue(QStringLiteral("ui/zoom"), setup_.theme->zoom());
}

void MainWindow::cyclePanes(int direction) {
    QList<QWidget*> panes{toolStrip_->filter(), docks_.value(QStringLiteral("project"))};
    panes.append(centralWidget());
    panes.append(docks_.value(QStringLiteral("inspector")));
    panes.append(docks_.value(QStringLiteral("notices")));
    const QWidget* focus = QApplication::focusWidget();
    qsizetype at = 0;
    for (qsizetype i = 0; i < panes.size(); ++i)
        if (focus && (panes[i] == focus || panes[i]->isAncestorOf(focus)))
            at = i;
    for (qsizetype step = 1; step <= panes.size(); ++step) {
        const qsizetype next = (at + direction * step + 2 * panes.size()) % panes.size();
        if (QWidget* target = firstFocusable(panes[next])) {
            target->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

void MainWindow::connectSessionCommands() {
    const auto handle = [this](const char* id, std::function<void()> handler) {
        commands_->handle(QLatin1String(id), this, std::move(handler));
    };
    handle("session.start", [this] { startSession(); });
    handle("session.new", [this] {
        showWorkspace(QStringLiteral("tune"));
        invokeInView("tune", "showNewSession");
    });
    handle("session.pause", [this] { live_->pause(); });
    handle("session.stop", [this] { live_->stop(); });
    handle("session.cancel", [this] { live_->cancel(); });
    for (const char* verb : {"skip", "freeze", "thaw", "boost"})
        commands_->handle(
            QStringLiteral("session.%1Task").arg(QLatin1String(verb)), this, [this, verb] {
                const session::LiveSnapshotPtr snapshot = live_->snapshot();
                const session::LiveTask* task = snapshot ? snapshot->task(state_->task()) : nullptr;
                if (task)
                    live_->taskCommand(QLatin1String(verb), QString::fromStdString(task->name));
            });
    handle("session.copyCommand", [this] {
        if (!triggerInView(QStringLiteral("tune"), QStringLiteral("session.copyCommand")))
            QApplication::clipboard()->setText(commandLine());
    });
    updateSessionCommands();
}

bool MainWindow::triggerInView(const QString& name, const QString& id) {
    Workspace* view = workspace(name);
    if (!view)
        return false;
    QList<QAction*> candidates = view->actions();
    candidates.append(view->QWidget::actions());
    candidates.append(view->findChildren<QAction*>(id));
    for (QAction* action : std::as_const(candidates))
        if (action->objectName() == id && action->isEnabled()) {
            action->trigger();
            return true;
        }
    return false;
}

void MainWindow::startSession() {
    const QString state = live_->state();
    if (state == QLatin1String("paused")) {
        live_->resume();
        return;
    }
    if (state == QLatin1String("running") || state == QLatin1String("stopping"))
        return;
    if (state == QLatin1String("stopped") || state == QLatin1String("interrupted")) {
        showWorkspace(QStringLiteral("tune"));
        live_->startAgain();
        return;
    }
    if (state_->modelPath().isEmpty() && state_->workDir().isEmpty())
        return;
    // The Tune page checks the machine, then starts the quick preset.
    showWorkspace(QStringLiteral("tune"));
    invokeInView("tune", "quickStart");
}

void MainWindow::invokeInView(const char* view, const char* slot) {
    if (Workspace* found = workspace(QLatin1String(view)))
        QMetaObject::invokeMethod(found, slot);
}

void MainWindow::updateSessionCommands() {
    const QString state = live_->state();
    const bool running = state == QLatin1String("running");
    const bool paused = state == QLatin1String("paused");
    const bool stopping = state == QLatin1String("stopping");
    const bool something = !state_->workDir().isEmpty() || !state_->modelPath().isEmpty();
    const auto enable = [this](const char* id, bool on) {
        commands_->action(QLatin1String(id))->setEnabled(on);
    };
    enable("session.start", something && !running && !stopping);
    enable("session.new", something);
    enable("session.pause", running);
    enable("session.stop", running || paused);
    enable("session.cancel", running || paused || stopping);
    enable("session.copyCommand", something);
    for (const char* id :
         {"session.skipTask", "session.freezeTask", "session.thawTask", "session.boostTask"})
        enable(id, (running || paused) && state_->task() >= 0);
    const bool open = !state_->workDir().isEmpty();
    for (const char* id : {"file.exportTvm", "file.exportReport", "file.checkDatabase",
                           "file.backupDatabase", "edit.goTo"})
        enable(id, open && overview_);
    enable("file.close", something);
}

QString MainWindow::commandLine() const {
    QStringList words{QStringLiteral("tilewright"), QStringLiteral("tune")};
    words.append(state_->modelPath().isEmpty() ? state_->workDir() : state_->modelPath());
    words << QStringLiteral("--target")
          << (state_->target().isEmpty() ? QStringLiteral("host") : state_->target())
          << QStringLiteral("--work-dir") << state_->workDir()
          << QStringLiteral("--max-trials-global") << QString::number(kDefaultTrials);
    for (QString& word : words)
        if (word.contains(QLatin1Char(' ')))
            word = QStringLiteral("'%1'").arg(word);
    return words.join(QLatin1Char(' '));
}

void MainWindow::saveFilter() {
    if (state_->filter().isEmpty())
        return;
    bool taken = false;
    const QString name = QInputDialog::getText(this, tr("Save filter"), tr("Name of the filter"),
                                               QLineEdit::Normal, state_->filter(), &taken);
    if (!taken || name.isEmpty())
        return;
    QVector<SavedFilter> filters = storedFilters(*settings_);
    filters.removeIf([&](const SavedFilter& filter) { return filter.name == name; });
    filters.append({name, state_->filter()});
    storeFilters(*settings_, filters);
    loadFilters();
}

void MainWindow::removeFilter(const QString& name) {
    QVector<SavedFilter> filters = storedFilters(*settings_);
    filters.removeIf([&](const SavedFilter& filter) { return filter.name == name; });
    storeFilters(*settings_, filters);
    loadFilters();
}

void MainWindow::loadFilters() {
    QVector<SavedFilter> filters = storedFilters(*settings_);
    if (filters.isEmpty())
        filters = {{tr("best 5 a task"), QStringLiteral("best:5")},
                   {tr("failed"), QStringLiteral("!status:ok")}};
    project_->setFilters(filters);
}

void MainWindow::goToRecord() {
    bool taken = false;
    const int record = QInputDialog::getInt(this, tr("Go to record"), tr("Number of the record"), 1,
                                            1, INT_MAX, 1, &taken);
    if (!taken)
        return;
    state_->setRecords({record});
    showWorkspace(QStringLiteral("records"));
}

void MainWindow::connectHelpCommands() {
    const auto handle = [this](const char* id, std::function<void()> handler) {
        commands_->handle(QLatin1String(id), this, std::move(handler));
    };
    handle("help.manual", [this] { showManual(); });
    handle("help.whatsThis", [] { QWhatsThis::enterWhatsThisMode(); });
    handle("help.shortcuts", [this] {
        auto* sheet = new ShortcutSheet(commands_, this);
        sheet->setAttribute(Qt::WA_DeleteOnClose);
        sheet->show();
    });
    handle("help.about", [this] {
        auto* about = new AboutWindow(setup_.version, this);
        about->setAttribute(Qt::WA_DeleteOnClose);
        about->show();
    });
    handle("tools.diagnostics", [this] { showDiagnostics(); });
    handle("tools.openLog",
           [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(setup_.paths.stateDir)); });
}

void MainWindow::showManual() {
    if (!manual_) {
        manual_ = new ManualWindow(this);
        manual_->setAttribute(Qt::WA_DeleteOnClose);
    }
    // The part with the focus may have a page of its own.
    QString page;
    for (const QWidget* at = QApplication::focusWidget(); at && page.isEmpty();
         at = at->parentWidget())
        page = at->property("helpPage").toString();
    if (page.isEmpty() && toolStrip_->filter()->isAncestorOf(QApplication::focusWidget()))
        page = QStringLiteral("filters");
    if (page.isEmpty())
        page = current_.isEmpty() ? QStringLiteral("start") : current_;
    manual_->showPage(page);
    manual_->show();
    manual_->raise();
}

QString MainWindow::diagnosticsText() const {
    QString text = QStringLiteral("Tilewright %1, Qt %2, %3, %4\n")
                       .arg(setup_.version, QLatin1String(qVersion()),
                            QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture());
    text += QStringLiteral("platform %1, language %2, zoom %3\n\n")
                .arg(QApplication::platformName(), setup_.languages->current())
                .arg(setup_.theme->zoom());
    text += facts_->text();
    text += QStringLiteral("\nengine   %1\n").arg(LiveSession::enginePath());
    text += QStringLiteral("config   %1\n").arg(setup_.paths.configFile);
    text += QStringLiteral("state    %1\n").arg(setup_.paths.stateDir);
    text += QStringLiteral("data     %1\n").arg(setup_.paths.dataDir);
    text += QStringLiteral("cache    %1\n").arg(setup_.paths.cacheDir);
    text += QStringLiteral("results  %1 (%2)\n").arg(state_->workDir(), live_->state());
    if (setup_.log)
        text += QStringLiteral("\n%1:\n%2\n")
                    .arg(setup_.log->path(),
                         setup_.log->lastLines()
                             .mid(std::max<qsizetype>(0, setup_.log->lastLines().size() - 50))
                             .join(QLatin1Char('\n')));
    return text;
}

void MainWindow::showDiagnostics() {
    auto* window = findChild<DiagnosticsWindow*>();
    if (!window) {
        window = new DiagnosticsWindow(this);
        window->setAttribute(Qt::WA_DeleteOnClose);
        connect(facts_, &MachineFacts::ready, window,
                [this, window] { window->setText(diagnosticsText()); });
    }
    window->setText(diagnosticsText());
    window->show();
    window->raise();
}

} // namespace tilewright::ui
