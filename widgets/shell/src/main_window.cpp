// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include "breadcrumb.h"
#include "builtin_views.h"
#include "notices_view.h"
#include "project_tree.h"
#include "side_windows.h"
#include "status_strip.h"
#include "tool_strip.h"
#include "undo_steps.h"
#include "welcome_page.h"
#include "workspace_rail.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/commands.h>
#include <tilewright/ui/file_opener.h>
#include <tilewright/ui/languages.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/log_file.h>
#include <tilewright/ui/machine_facts.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/panel.h>
#include <tilewright/ui/recent_files.h>
#include <tilewright/ui/records_view.h>
#include <tilewright/ui/theme.h>
#include <tilewright/ui/tune_facts.h>
#include <tilewright/ui/workspace.h>

#include <QAction>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QUndoStack>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr int kNarrowWidth = 1280;
constexpr int kGap = 8;
constexpr int kOverviewMs = 400;
constexpr int kProjectWidth = 192;
constexpr int kInspectorWidth = 300;
constexpr int kNoticesHeight = 120;

/// A bar of the window that cannot be moved away.
QToolBar* fixedBar(QMainWindow* window, Qt::ToolBarArea area, const QString& name,
                   QWidget* content) {
    auto* bar = new QToolBar(window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->toggleViewAction()->setVisible(false);
    bar->setStyleSheet(QStringLiteral("QToolBar { padding: 0; border: 0; spacing: 0; }"));
    content->setSizePolicy(area == Qt::LeftToolBarArea
                               ? QSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding)
                               : QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed));
    bar->addWidget(content);
    window->addToolBar(area, bar);
    return bar;
}

/// The content of a dock with the window's gap around it; `sides` are those that need one.
QWidget* padded(QWidget* content, QMargins margins) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(margins);
    layout->addWidget(content);
    return box;
}

} // namespace

MainWindow::MainWindow(const WindowSetup& setup, QWidget* parent)
    : QMainWindow(parent), setup_(setup),
      settings_(new QSettings(setup.paths.configFile, QSettings::IniFormat, this)),
      layout_(setup.paths.stateDir), note_(setup.paths.stateDir), state_(new AppState(this)),
      live_(new LiveSession(this)), undo_(new QUndoStack(this)),
      opener_(new FileOpener(setup.paths.cacheDir + QStringLiteral("/imports"), this)),
      tools_(new StoreTools(this)), facts_(new MachineFacts(this)),
      filterFacts_(new TuneFacts(this)), recent_(new RecentFiles(&layout_.settings(), this)),
      commands_(new Commands(this, settings_)), noteTimer_(new QTimer(this)),
      overviewTimer_(new QTimer(this)) {
    setObjectName(QStringLiteral("window"));
    setMinimumSize(1024, 640);
    resize(1440, 900);
    setAcceptDrops(true);
    setDockNestingEnabled(false);
    setDockOptions(QMainWindow::AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    context_.state = state_;
    context_.live = live_;
    context_.settings = settings_;
    context_.undo = undo_;
    context_.trigger = [this](const QString& id) { runForView(id); };
    context_.problem = [this](int level, const QString& code, const QString& text) {
        addProblem(level, code, text);
    };
    new StateUndo(state_, undo_);
    overviewTimer_->setSingleShot(true);
    overviewTimer_->setInterval(kOverviewMs);
    connectCommands();
    connectFiles();
    connectState();
    buildContents();
    showWorkspace(QString());
    restoreLayout();
    tellCrash();
    // Not before the window stands: the checks start programs.
    QTimer::singleShot(0, facts_, &MachineFacts::examine);
    QTimer::singleShot(0, this, &MainWindow::lookAtRecent);
    writeNote();
    noteTimer_->start(5000);
}

MainWindow::~MainWindow() {
    // Views use the bridge objects up to their end.
    qDeleteAll(views_);
    views_.clear();
}

void MainWindow::buildContents() {
    setStyleSheet(QStringLiteral("QMainWindow::separator { width: %1px; height: %1px; "
                                 "background: transparent; }")
                      .arg(kGap));
    buildMenus();
    toolStrip_ = new ToolStrip(commands_, state_);
    frame_.append(fixedBar(this, Qt::TopToolBarArea, QStringLiteral("topBar"), toolStrip_));
    connectFilterBar();
    rail_ = new WorkspaceRail(commands_);
    frame_.append(fixedBar(this, Qt::LeftToolBarArea, QStringLiteral("leftBar"), rail_));
    for (const ViewEntry& view : builtinViews())
        rail_->add(QLatin1String(view.name), view.number);
    buildPages();
    buildDocks();
    status_ = new StatusStrip;
    auto* bar = new QStatusBar(this);
    bar->setSizeGripEnabled(false);
    bar->setStyleSheet(QStringLiteral("QStatusBar { padding: 0; border: 0; min-height: 28px; }"));
    bar->addWidget(status_, 1);
    setStatusBar(bar);
    built_ = true;
}

void MainWindow::buildMenus() {
    QHash<QString, QMenu*> menus;
    QString lastPart;
    for (QAction* action : commands_->actions()) {
        const QString id = action->objectName();
        const QString group = Commands::groupOf(id);
        QMenu*& menu = menus[group];
        if (!menu) {
            menu = menuBar()->addMenu(Commands::groupTitle(group));
            menu->setObjectName(QStringLiteral("menu.%1").arg(group));
            menu->setToolTipsVisible(true);
        }
        static const QStringList kSectionStarts{
            QStringLiteral("file.importTvm"),     QStringLiteral("file.exportReport"),
            QStringLiteral("file.checkDatabase"), QStringLiteral("file.close"),
            QStringLiteral("edit.copy"),          QStringLiteral("edit.rename"),
            QStringLiteral("edit.filter"),        QStringLiteral("edit.settings"),
            QStringLiteral("view.back"),          QStringLiteral("view.project"),
            QStringLiteral("view.maximise"),      QStringLiteral("view.zoomIn"),
            QStringLiteral("view.themeSystem"),   QStringLiteral("view.resetLayout"),
            QStringLiteral("session.skipTask"),   QStringLiteral("session.copyCommand"),
            QStringLiteral("records.remeasure"),  QStringLiteral("records.nextDifference"),
            QStringLiteral("tools.statMedian"),   QStringLiteral("tools.diagnostics"),
            QStringLiteral("help.about")};
        if (kSectionStarts.contains(id))
            menu->addSeparator();
        if (id.startsWith(QLatin1String("workspace.")) && !hasView(id))
            continue;
        menu->addAction(action);
        if (id == QLatin1String("file.openFolder")) {
            QMenu* recent = menu->addMenu(tr("Open recent"));
            recent->setObjectName(QStringLiteral("menu.recent"));
            connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
        }
        if (id == QLatin1String("view.themeDark")) {
            QMenu* languages = menu->addMenu(tr("Language"));
            languages->setObjectName(QStringLiteral("menu.language"));
            for (const QString& language : Languages::available()) {
                QAction* choice = languages->addAction(Languages::nativeName(language));
                choice->setObjectName(QStringLiteral("language.%1").arg(language));
                choice->setCheckable(true);
                choice->setChecked(language == setup_.languages->current());
                connect(choice, &QAction::triggered, this, [this, language] {
                    settings_->setValue(QStringLiteral("ui/language"), language);
                    setup_.languages->set(language);
                });
            }
        }
    }
}

bool MainWindow::hasView(const QString& id) const {
    for (const ViewEntry& view : builtinViews())
        if (id == QStringLiteral("workspace.%1").arg(QLatin1String(view.name)))
            return true;
    return false;
}

void MainWindow::buildPages() {
    auto* centre = new QWidget;
    centre->setObjectName(QStringLiteral("page"));
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(kGap, 0, kGap, 0);
    column->setSpacing(kGap);
    message_ = new MessageBar(centre);
    message_->setObjectName(QStringLiteral("message"));
    connect(message_, &MessageBar::actionTriggered, this, &MainWindow::messageActed);
    crumbs_ = new Breadcrumb(state_, centre);
    pages_ = new QStackedWidget(centre);
    pages_->setObjectName(QStringLiteral("pages"));
    welcome_ = new WelcomePage(commands_, recent_, facts_, setup_.version);
    connect(welcome_, &WelcomePage::recentChosen, this,
            [this](const QString& path) { openRecent(path, false); });
    connect(welcome_, &WelcomePage::resumeChosen, this,
            [this](const QString& path) { openRecent(path, true); });
    pages_->addWidget(welcome_);
    column->addWidget(crumbs_);
    column->addWidget(message_);
    column->addWidget(pages_, 1);
    setCentralWidget(centre);
}

void MainWindow::buildDocks() {
    const auto dock = [this](const QString& name, Qt::DockWidgetArea area, QWidget* content,
                             const QString& title, QMargins margins) {
        auto* made = new QDockWidget(title, this);
        made->setObjectName(name + QStringLiteral("Dock"));
        made->setAccessibleName(title);
        made->setFeatures(QDockWidget::DockWidgetClosable);
        made->setTitleBarWidget(new QWidget(made)); // panels have their own headers
        made->setWidget(padded(content, margins));
        addDockWidget(area, made);
        docks_.insert(name, made);
        QAction* action = commands_->action(QStringLiteral("view.%1").arg(name));
        connect(made, &QDockWidget::visibilityChanged, action,
                [made, action] { action->setChecked(!made->isHidden()); });
    };
    auto* projectPanel = new Panel(tr("Project"));
    projectPanel->setMaximizable(false);
    project_ = new ProjectTree(state_);
    projectPanel->setContent(project_);
    connect(project_, &ProjectTree::modelChosen, this, &MainWindow::openModel);
    connect(project_, &ProjectTree::deviceChosen, this,
            [this] { commands_->trigger(QStringLiteral("workspace.devices")); });
    connect(project_, &ProjectTree::filterRemoved, this, &MainWindow::removeFilter);
    inspectorPanel_ = new Panel(tr("Inspector"));
    inspectorPanel_->setMaximizable(false);
    inspectorPanel_->setObjectName(QStringLiteral("inspectorPanel"));
    notices_ = new NoticesView;
    auto* noticesPanel = new QFrame;
    noticesPanel->setProperty("kind", "panel");
    auto* column = new QVBoxLayout(noticesPanel);
    column->setContentsMargins(1, 1, 1, 1);
    column->addWidget(notices_);
    connect(notices_, &NoticesView::actionTriggered, commands_, &Commands::trigger);
    connect(notices_, &NoticesView::recordChosen, this, [this](qint64 record) {
        state_->setRecords({record});
        showWorkspace(QStringLiteral("records"));
    });
    if (setup_.log) {
        for (const QString& line : setup_.log->lastLines())
            notices_->addLogLine(line);
        connect(setup_.log, &LogFile::lineAdded, notices_, &NoticesView::addLogLine);
    }
    dock(QStringLiteral("project"), Qt::LeftDockWidgetArea, projectPanel, tr("Project"),
         {kGap, kGap, 0, 0});
    dock(QStringLiteral("inspector"), Qt::RightDockWidgetArea, inspectorPanel_, tr("Inspector"),
         {0, kGap, kGap, 0});
    dock(QStringLiteral("notices"), Qt::BottomDockWidgetArea, noticesPanel,
         tr("Problems, log and events"), {kGap, 0, kGap, kGap});
    resizeDocks({docks_[QStringLiteral("project")], docks_[QStringLiteral("inspector")]},
                {kProjectWidth, kInspectorWidth}, Qt::Horizontal);
    resizeDocks({docks_[QStringLiteral("notices")]}, {kNoticesHeight}, Qt::Vertical);
    setInspector(createInspector(context_, inspectorPanel_));
    loadFilters();
}

void MainWindow::setInspector(QWidget* inspector) {
    inspector_ = inspector;
    inspectorPanel_->setContent(inspector);
}

void MainWindow::runForView(const QString& id) {
    if (id == QLatin1String("records.open")) {
        showWorkspace(QStringLiteral("records"));
        return;
    }
    if (id.startsWith(QLatin1String("inspector."))) {
        if (docks_[QStringLiteral("inspector")]->isHidden())
            toggleDock(QStringLiteral("inspector"));
        return;
    }
    commands_->trigger(id);
}

void MainWindow::rebuild() {
    const QString current = current_;
    const QByteArray layout = saveState(LayoutStore::kVersion);
    const QVector<Problem> problems = notices_->problems();
    qDeleteAll(views_);
    views_.clear();
    current_.clear();
    qDeleteAll(docks_);
    docks_.clear();
    qDeleteAll(frame_);
    frame_.clear();
    menuBar()->clear();
    delete takeCentralWidget();
    commands_->retranslate();
    buildContents();
    notices_->setProblems(problems);
    toolStrip_->setOverview(overview_);
    project_->setOverview(overview_);
    restoreState(layout, LayoutStore::kVersion);
    showWorkspace(current);
    liveStateChanged(live_->state());
    liveChanged();
    lookAtRecent();
}

void MainWindow::restoreLayout() {
    if (setup_.safeMode)
        return;
    switch (layout_.restore(*this)) {
    case LayoutStore::Outcome::Refused:
        resetLayout();
        addProblem(1, QStringLiteral("TW-W0901"),
                   tr("The saved layout could not be used; the default one is shown."));
        break;
    case LayoutStore::Outcome::Crashed:
        resetLayout();
        addProblem(1, QStringLiteral("TW-W0902"),
                   tr("The last start ended while the layout was restored; the default one is "
                      "shown."));
        break;
    default:
        break;
    }
    setFrameVisible(!current_.isEmpty());
}

void MainWindow::resetLayout() {
    layout_.reset();
    for (QDockWidget* dock : std::as_const(docks_)) {
        dock->setFloating(false);
        dock->setVisible(!current_.isEmpty());
    }
    addDockWidget(Qt::LeftDockWidgetArea, docks_[QStringLiteral("project")]);
    addDockWidget(Qt::RightDockWidgetArea, docks_[QStringLiteral("inspector")]);
    addDockWidget(Qt::BottomDockWidgetArea, docks_[QStringLiteral("notices")]);
    resizeDocks({docks_[QStringLiteral("project")], docks_[QStringLiteral("inspector")]},
                {kProjectWidth, kInspectorWidth}, Qt::Horizontal);
    resizeDocks({docks_[QStringLiteral("notices")]}, {kNoticesHeight}, Qt::Vertical);
    shownDocks_ = {QStringLiteral("project"), QStringLiteral("inspector"),
                   QStringLiteral("notices")};
    setFrameVisible(!current_.isEmpty());
}

Workspace* MainWindow::workspace(const QString& name) {
    if (const auto it = views_.constFind(name); it != views_.constEnd())
        return it.value();
    for (const ViewEntry& entry : builtinViews()) {
        if (name != QLatin1String(entry.name))
            continue;
        Workspace* view = entry.create(context_, pages_);
        if (view->accessibleName().isEmpty())
            view->setAccessibleName(view->title());
        pages_->addWidget(view);
        views_.insert(name, view);
        return view;
    }
    return nullptr;
}

void MainWindow::showWorkspace(const QString& name) {
    Workspace* view = name.isEmpty() ? nullptr : workspace(name);
    if (!name.isEmpty() && !view)
        return;
    if (Workspace* before = views_.value(current_); before && before != view)
        before->closed();
    current_ = name;
    pages_->setCurrentWidget(view ? static_cast<QWidget*>(view) : welcome_);
    rail_->setCurrent(name);
    commands_->setCurrentView(view);
    for (const ViewEntry& entry : builtinViews()) {
        const QString id = QStringLiteral("workspace.%1").arg(QLatin1String(entry.name));
        commands_->action(id)->setChecked(name == QLatin1String(entry.name));
    }
    setFrameVisible(view != nullptr);
    if (view)
        view->opened();
    else
        welcome_->setFocus();
    showTitle();
}

void MainWindow::setFrameVisible(bool visible) {
    crumbs_->setVisible(visible);
    for (auto it = docks_.cbegin(); it != docks_.cend(); ++it) {
        const bool wanted =
            shownDocks_.contains(it.key()) && !(narrow_ && it.key() == QLatin1String("inspector"));
        it.value()->setVisible(visible && wanted);
        commands_->action(QStringLiteral("view.%1").arg(it.key()))->setEnabled(visible);
    }
}

void MainWindow::toggleDock(const QString& name) {
    QDockWidget* dock = docks_.value(name);
    const bool show = dock->isHidden();
    dock->setVisible(show);
    if (show)
        shownDocks_.insert(name);
    else
        shownDocks_.remove(name);
}

void MainWindow::showTitle() {
    const QString source = !state_->modelPath().isEmpty() ? state_->modelPath() : state_->workDir();
    const QString name = QFileInfo(source).fileName();
    const session::LiveSnapshotPtr snapshot = live_->snapshot();
    if (name.isEmpty())
        setWindowTitle(tr("Tilewright"));
    else if (live_->state() == QLatin1String("running") && snapshot && snapshot->budget > 0)
        setWindowTitle(
            tr("%1 % – %2 – Tilewright").arg(100 * snapshot->trials / snapshot->budget).arg(name));
    else
        setWindowTitle(tr("%1 – Tilewright").arg(name));
}

void MainWindow::connectState() {
    connect(state_, &AppState::workDirChanged, this, [this](const QString& workDir) {
        live_->open(workDir);
        overview_.reset();
        toolStrip_->setOverview(overview_);
        project_->setOverview(overview_);
        readOverview();
        showTitle();
    });
    connect(state_, &AppState::modelChanged, this, [this](const QString& model) {
        project_->setModels(model.isEmpty() ? QStringList() : QStringList{model});
        showTitle();
    });
    connect(state_, &AppState::sessionChanged, live_, &LiveSession::showSession);
    connect(state_, &AppState::taskChanged, this, [this] { liveChanged(); });
    connect(state_, &AppState::historyChanged, this, [this] {
        commands_->action(QStringLiteral("view.back"))->setEnabled(state_->canGoBack());
        commands_->action(QStringLiteral("view.forward"))->setEnabled(state_->canGoForward());
    });
    connect(live_, &LiveSession::snapshotChanged, this, &MainWindow::liveChanged);
    connect(live_, &LiveSession::stateChanged, this, &MainWindow::liveStateChanged);
    connect(live_, &LiveSession::engineLost, this, [this](const QString& why) {
        addProblem(2, QStringLiteral("TW-E0301"),
                   tr("The engine ended unexpectedly: %1. All measured trials are kept; Start goes "
                      "on.")
                       .arg(why),
                   QStringLiteral("session.start"));
    });
    connect(live_, &LiveSession::commandFailed, this,
            [this](const QString& message) { addProblem(2, QStringLiteral("TW-E0302"), message); });
    connect(overviewTimer_, &QTimer::timeout, this, [this] {
        if (!state_->workDir().isEmpty())
            tools_->readOverview(state_->workDir());
    });
    connect(noteTimer_, &QTimer::timeout, this, &MainWindow::writeNote);
    connect(setup_.languages, &Languages::changed, this, &MainWindow::rebuild,
            Qt::QueuedConnection);
}

void MainWindow::readOverview() {
    overviewTimer_->start();
}

void MainWindow::addProblem(int level, const QString& code, const QString& text,
                            const QString& action) {
    Problem problem;
    problem.level = level;
    problem.code = code;
    problem.text = text;
    if (QAction* command = commands_->action(action)) {
        problem.action = action;
        problem.actionText = command->iconText();
    }
    notices_->addProblem(problem);
    if (setup_.log)
        setup_.log->write(level >= 2   ? QStringLiteral("error")
                          : level == 1 ? QStringLiteral("warning")
                                       : QStringLiteral("note"),
                          QStringLiteral("%1 %2").arg(code, text));
    if (level >= 2 || current_.isEmpty()) {
        messageAction_ = problem.action;
        message_->showMessage(level >= 2   ? MessageBar::Error
                              : level == 1 ? MessageBar::Warning
                                           : MessageBar::Info,
                              text, problem.actionText);
    }
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        commands_->action(QStringLiteral("view.fullScreen"))->setChecked(isFullScreen());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    const bool narrow = width() < kNarrowWidth;
    if (narrow == narrow_ || !built_)
        return;
    narrow_ = narrow;
    if (!current_.isEmpty())
        docks_[QStringLiteral("inspector")]->setVisible(
            !narrow && shownDocks_.contains(QStringLiteral("inspector")));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    event->acceptProposedAction();
    openFiles(files);
}

} // namespace tilewright::ui
