// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/run_window.h>

#include <tilewright/ui/app_paths.h>
#include <tilewright/ui/languages.h>
#include <tilewright/ui/log_file.h>
#include <tilewright/ui/main_window.h>
#include <tilewright/ui/start_options.h>
#include <tilewright/ui/theme.h>

#include <QApplication>
#include <QIcon>
#include <QProcess>
#include <QSettings>

#include <cstdio>

namespace tilewright::ui {

namespace {

constexpr int kUsage = 2;

Theme::Mode themeMode(const QString& name) {
    return name == QLatin1String("dark")    ? Theme::Dark
           : name == QLatin1String("light") ? Theme::Light
                                            : Theme::System;
}

void open(MainWindow& window, const StartOptions& options) {
    if (!options.compare.isEmpty())
        window.compareResults(options.compare[0], options.compare[1]);
    else if (options.sample)
        window.trySample();
    else
        window.openFiles(options.files);
    if (!options.workspace.isEmpty())
        window.showWorkspace(options.workspace);
}

} // namespace

int runWindow(QApplication& application, const QString& version) {
    QApplication::setApplicationName(QStringLiteral("tilewright-gui"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tilewright"));
    QApplication::setApplicationVersion(version);
    QGuiApplication::setDesktopFileName(QStringLiteral(TW_APPLICATION_ID));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/tilewright/icons/tilewright.svg")));
    const AppPaths paths = AppPaths::ofUser();
    const QSettings settings(paths.configFile, QSettings::IniFormat);
    Languages languages;
    const StartOptions options = parseStartOptions(QApplication::arguments(), version);
    const auto chosen = [&](const QString& flag, const char* variable, const QString& key,
                            const QString& fallback) {
        if (!flag.isEmpty())
            return flag;
        const QString set = qEnvironmentVariable(variable);
        return !set.isEmpty() ? set : settings.value(key, fallback).toString();
    };
    languages.set(chosen(options.language, "TILEWRIGHT_LANG", QStringLiteral("ui/language"),
                         Languages::ofSystem()));
    if (!options.text.isEmpty()) {
        std::fputs(qPrintable(options.text), stdout);
        return 0;
    }
    if (!options.error.isEmpty()) {
        std::fprintf(stderr, "tilewright-gui: %s\n", qPrintable(options.error));
        return kUsage;
    }
    LogFile log(paths.stateDir);
    log.write(QStringLiteral("note"), QStringLiteral("Tilewright %1 starts").arg(version));
    Theme theme;
    theme.setMode(themeMode(chosen(options.theme, "TILEWRIGHT_THEME", QStringLiteral("ui/theme"),
                                   QStringLiteral("system"))));
    theme.setZoom(settings.value(QStringLiteral("ui/zoom"), 1.0).toDouble());
    MainWindow window({paths, version, &theme, &languages, &log, options.safeMode});
    // Each window is a process of its own: one that ends takes no other with it.
    QObject::connect(&window, &MainWindow::newWindowWanted, &application,
                     [] { QProcess::startDetached(QApplication::applicationFilePath(), {}); });
    window.show();
    open(window, options);
    return QApplication::exec();
}

} // namespace tilewright::ui
