// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/app_paths.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace tilewright::ui {

namespace {

/// The variable when it is an absolute path, as the rules demand, else the fallback below home.
QString baseDir(const char* variable, const char* fallback) {
    const QString set = qEnvironmentVariable(variable);
    const QString base =
        QDir::isAbsolutePath(set) ? set : QDir::homePath() + QLatin1String(fallback);
    return base + QStringLiteral("/tilewright");
}

AppPaths made(AppPaths paths) {
    QDir().mkpath(QFileInfo(paths.configFile).path());
    for (const QString& folder : {paths.dataDir, paths.stateDir, paths.cacheDir})
        QDir().mkpath(folder);
    return paths;
}

} // namespace

AppPaths AppPaths::ofUser() {
    return made({baseDir("XDG_CONFIG_HOME", "/.config") + QStringLiteral("/tilewright.ini"),
                 baseDir("XDG_DATA_HOME", "/.local/share"),
                 baseDir("XDG_STATE_HOME", "/.local/state"), baseDir("XDG_CACHE_HOME", "/.cache")});
}

AppPaths AppPaths::below(const QString& folder) {
    return made({folder + QStringLiteral("/config/tilewright.ini"),
                 folder + QStringLiteral("/data"), folder + QStringLiteral("/state"),
                 folder + QStringLiteral("/cache")});
}

QString sharedFile(const QString& name) {
    const QDir programs(QCoreApplication::applicationDirPath());
    for (const char* share : {"../share/tilewright/", "../../share/tilewright/"}) {
        const QFileInfo file(programs.filePath(QLatin1String(share) + name));
        if (file.exists())
            return file.canonicalFilePath();
    }
    return {};
}

} // namespace tilewright::ui
