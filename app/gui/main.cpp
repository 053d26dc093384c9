// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/main_window.h>

#include <QApplication>
#include <QCommandLineParser>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tilewright-gui"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tilewright"));
    QApplication::setApplicationVersion(QStringLiteral(TW_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "Shows tuning sessions and their records."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("DIR"),
                                 QApplication::translate("main", "A work directory"),
                                 QStringLiteral("[DIR]"));
    parser.process(application);
    tilewright::ui::MainWindow window;
    if (!parser.positionalArguments().isEmpty())
        window.openWorkDir(parser.positionalArguments().constFirst());
    window.show();
    return QApplication::exec();
}
