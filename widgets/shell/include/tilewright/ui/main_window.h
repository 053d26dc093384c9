// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/open_target.h>
#include <tilewright/ui/app_paths.h>
#include <tilewright/ui/crash_note.h>
#include <tilewright/ui/layout_store.h>
#include <tilewright/ui/store_tools.h>
#include <tilewright/ui/view_context.h>

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QSet>

#include <memory>

class QDockWidget;
class QMenu;
class QSettings;
class QStackedWidget;
class QTimer;
class QUndoStack;

namespace tilewright::ui {

class Breadcrumb;
class Commands;
class FileOpener;
class Languages;
class LogFile;
class MachineFacts;
class ManualWindow;
class MessageBar;
class NoticesView;
class Panel;
class ProjectTree;
class RecentFiles;
class StatusStrip;
class Theme;
class ToolStrip;
class TuneFacts;
class WelcomePage;
class Workspace;
class WorkspaceRail;
struct ImportSummary;
struct Problem;

/// What the application gives to each of its windows; all outlive the window.
struct WindowSetup {
    AppPaths paths;
    QString version;
    Theme* theme = nullptr;
    Languages* languages = nullptr;
    LogFile* log = nullptr; ///< may be null
    bool safeMode = false;
};

/// The window: menus, toolbar, seven workspaces, docks and status line around one AppState and one
/// LiveSession. Knows the views by their factories only.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const WindowSetup& setup, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens models, results and TVM pairs, whatever they turn out to be. Two results are compared.
    void openFiles(const QStringList& files);
    void openModel(const QString& path);
    /// View-only: nothing starts.
    void openResults(const QString& workDir);
    void compareResults(const QString& baseline, const QString& candidate);
    void trySample();
    void replayDemo();
    void closeResults();

    /// `model`, `tune`, …; empty shows the welcome page. One that does not exist is ignored.
    void showWorkspace(const QString& name);
    [[nodiscard]] QString currentWorkspace() const { return current_; }
    /// The view, made on first use; null when there is none by this name.
    Workspace* workspace(const QString& name);
    /// Content of the Inspector dock; the window takes it over.
    void setInspector(QWidget* inspector);

    void addProblem(int level, const QString& code, const QString& text,
                    const QString& action = {});
    [[nodiscard]] AppState* state() const { return state_; }
    [[nodiscard]] LiveSession* live() const { return live_; }
    [[nodiscard]] Commands* commands() const { return commands_; }
    [[nodiscard]] QUndoStack* undoStack() const { return undo_; }
    [[nodiscard]] RecentFiles* recent() const { return recent_; }
    /// Where a session of a model is kept.
    [[nodiscard]] QString workDirOf(const QString& model) const;
    void resetLayout();
    /// Ends without asking; a running session goes on.
    void closeQuietly();

signals:
    void newWindowWanted();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window.cpp
    void buildContents();
    void buildMenus();
    void buildDocks();
    void buildPages();
    void rebuild();
    void restoreLayout();
    void showTitle();
    void setFrameVisible(bool visible);
    void connectState();
    void connectFilterBar();
    void toggleDock(const QString& name);
    [[nodiscard]] bool hasView(const QString& id) const;
    void readOverview();
    void tellCrash();
    // main_window_commands.cpp
    void connectCommands();
    void connectFileCommands();
    void connectEditCommands();
    void connectViewCommands();
    void connectSessionCommands();
    void connectHelpCommands();
    void startSession();
    void invokeInView(const char* view, const char* slot);
    void offerFilterWords();
    void runForView(const QString& id);
    bool triggerInView(const QString& workspace, const QString& id);
    void updateSessionCommands();
    void showPalette();
    void cyclePanes(int direction);
    void saveFilter();
    void goToRecord();
    void showManual();
    void showDiagnostics();
    [[nodiscard]] QString diagnosticsText() const;
    [[nodiscard]] QString commandLine() const;
    void setThemeMode(const QString& id);
    void setZoom(double zoom);
    void loadFilters();
    void removeFilter(const QString& name);
    // main_window_files.cpp
    void connectFiles();
    void openTargets(const QVector<session::OpenTarget>& targets);
    void imported(const ImportSummary& summary);
    void chooseModel();
    void chooseResults();
    void choosePair();
    void overviewRead(const QString& workDir, const StoreOverviewPtr& overview);
    void messageActed();
    void exportReport();
    void fillRecentMenu(QMenu* menu);
    void openRecent(const QString& path, bool resume);
    void lookAtRecent();
    // main_window_session.cpp
    void liveChanged();
    void liveStateChanged(const QString& state);
    void notifyEnd(const QString& state);
    void writeNote();
    bool askToClose();

    WindowSetup setup_;
    QSettings* settings_;
    LayoutStore layout_;
    CrashNote note_;
    AppState* state_;
    LiveSession* live_;
    QUndoStack* undo_;
    FileOpener* opener_;
    StoreTools* tools_;
    MachineFacts* facts_;
    TuneFacts* filterFacts_;
    RecentFiles* recent_;
    Commands* commands_;
    ViewContext context_;
    StoreOverviewPtr overview_;
    QTimer* noteTimer_;
    QTimer* overviewTimer_;

    QStackedWidget* pages_ = nullptr;
    MessageBar* message_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    ToolStrip* toolStrip_ = nullptr;
    Breadcrumb* crumbs_ = nullptr;
    WorkspaceRail* rail_ = nullptr;
    ProjectTree* project_ = nullptr;
    NoticesView* notices_ = nullptr;
    StatusStrip* status_ = nullptr;
    Panel* inspectorPanel_ = nullptr;
    QHash<QString, Workspace*> views_;
    QHash<QString, QDockWidget*> docks_;
    QList<QWidget*> frame_; ///< what rebuild() makes anew, beside docks and pages
    QPointer<ManualWindow> manual_;
    QPointer<QWidget> inspector_;
    QString current_;
    QString messageAction_;
    QString lastLiveState_;
    QString resumeWhenOpen_;
    QString recentWhenImported_;
    QString lastReport_;
    QString abandoned_; ///< what a window that ended unexpectedly had open
    bool importing_ = false;
    QSet<QString> shownDocks_{QStringLiteral("project"), QStringLiteral("inspector"),
                              QStringLiteral("notices")};
    bool narrow_ = false;
    bool closing_ = false;
    bool built_ = false;
};

} // namespace tilewright::ui
