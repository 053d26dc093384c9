// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/start_options.h>

#include <QCommandLineParser>
#include <QCoreApplication>

namespace tilewright::ui {

namespace {

class StartText {
    Q_DECLARE_TR_FUNCTIONS(StartText)
};

QString checkedValue(const QCommandLineParser& parser, const QString& name,
                     const QStringList& accepted, QString& error) {
    const QString value = parser.value(name);
    if (!value.isEmpty() && !accepted.contains(value))
        error = StartText::tr("--%1: '%2' is not known; accepted: %3")
                    .arg(name, value, accepted.join(QStringLiteral(", ")));
    return value;
}

} // namespace

StartOptions parseStartOptions(const QStringList& arguments, const QString& version) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        StartText::tr("The window of Tilewright: tune, inspect and compare."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  StartText::tr("Prints this help."));
    const QCommandLineOption versionOption(QStringLiteral("version"),
                                           StartText::tr("Prints the version."));
    const QCommandLineOption compare(
        QStringLiteral("compare"),
        StartText::tr("Opens two results (A and the first FILE) in Compare."), QStringLiteral("A"));
    const QCommandLineOption safe(
        QStringLiteral("safe-mode"),
        StartText::tr("Starts with the default layout and restores nothing."));
    const QCommandLineOption theme(QStringLiteral("theme"), StartText::tr("light, dark or system."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption language(QStringLiteral("lang"), StartText::tr("en or zh_CN."),
                                      QStringLiteral("NAME"));
    const QCommandLineOption workspace(
        QStringLiteral("workspace"),
        StartText::tr(
            "Shows this page first: model, tune, bottlenecks, records, compare, profile, devices."),
        QStringLiteral("NAME"));
    const QCommandLineOption sample(QStringLiteral("sample"),
                                    StartText::tr("Opens the sample network."));
    parser.addOptions({help, versionOption, compare, safe, theme, language, workspace, sample});
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        StartText::tr("ONNX models, work directories, .twdb databases, pairs of TVM record files."),
        QStringLiteral("[FILE…]"));
    StartOptions options;
    if (!parser.parse(arguments)) {
        options.error = parser.errorText();
        return options;
    }
    if (parser.isSet(help))
        options.text = parser.helpText();
    else if (parser.isSet(versionOption))
        options.text = QStringLiteral("tilewright-gui %1\n").arg(version);
    options.files = parser.positionalArguments();
    options.safeMode = parser.isSet(safe);
    options.sample = parser.isSet(sample);
    const QStringList themes{QStringLiteral("light"), QStringLiteral("dark"),
                             QStringLiteral("system")};
    options.theme = checkedValue(parser, QStringLiteral("theme"), themes, options.error);
    options.language = checkedValue(parser, QStringLiteral("lang"),
                                    {QStringLiteral("en"), QStringLiteral("zh_CN")}, options.error);
    const QStringList pages{QStringLiteral("model"),       QStringLiteral("tune"),
                            QStringLiteral("bottlenecks"), QStringLiteral("records"),
                            QStringLiteral("compare"),     QStringLiteral("profile"),
                            QStringLiteral("devices")};
    options.workspace = checkedValue(parser, QStringLiteral("workspace"), pages, options.error);
    if (parser.isSet(compare)) {
        if (options.files.size() != 1)
            options.error = StartText::tr("--compare needs two results: --compare A B");
        else
            options.compare = {parser.value(compare), options.files.takeFirst()};
    }
    return options;
}

} // namespace tilewright::ui
