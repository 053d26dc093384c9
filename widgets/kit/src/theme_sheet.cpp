// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme_sheet.h"

#include <QFile>
#include <QRegularExpression>

static void registerKitResources() {
    Q_INIT_RESOURCE(kit);
}

namespace tilewright::ui {

namespace {

QColor named(const ThemeColors& c, const QString& name) {
    static const QHash<QString, QColor ThemeColors::*> fields = {
        {QStringLiteral("window"), &ThemeColors::window},
        {QStringLiteral("surface"), &ThemeColors::surface},
        {QStringLiteral("raised"), &ThemeColors::raised},
        {QStringLiteral("line"), &ThemeColors::line},
        {QStringLiteral("hover"), &ThemeColors::hover},
        {QStringLiteral("text"), &ThemeColors::text},
        {QStringLiteral("secondary"), &ThemeColors::secondary},
        {QStringLiteral("disabled"), &ThemeColors::disabled},
        {QStringLiteral("accent"), &ThemeColors::accent},
        {QStringLiteral("onaccent"), &ThemeColors::onAccent},
        {QStringLiteral("selection"), &ThemeColors::selection},
        {QStringLiteral("warning"), &ThemeColors::warning},
        {QStringLiteral("error"), &ThemeColors::error},
        {QStringLiteral("faster"), &ThemeColors::faster},
        {QStringLiteral("slower"), &ThemeColors::slower},
    };
    const auto field = fields.constFind(name);
    if (field != fields.constEnd())
        return c.*field.value();
    if (name == QLatin1String("warningtint"))
        return mixed(c.surface, c.warning, 0.16);
    if (name == QLatin1String("errortint"))
        return mixed(c.surface, c.error, 0.1);
    if (name == QLatin1String("accenthover"))
        return mixed(c.accent, c.text, 0.15);
    if (name == QLatin1String("handle"))
        return mixed(c.line, c.secondary, 0.25);
    return {};
}

} // namespace

QString themeSheet(const ThemeColors& colors) {
    registerKitResources();
    QFile file(QStringLiteral(":/tilewright/theme.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString text = QString::fromUtf8(file.readAll());
    static const QRegularExpression name(QStringLiteral("@(icon:)?([a-z-]+)"));
    QString sheet;
    qsizetype end = 0;
    for (auto it = name.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        sheet += QStringView(text).mid(end, match.capturedStart() - end);
        sheet += match.captured(1).isEmpty()
                     ? named(colors, match.captured(2)).name()
                     : QStringLiteral(":/tilewright/sheet/%1-%2.svg")
                           .arg(match.captured(2),
                                colors.dark ? QStringLiteral("dark") : QStringLiteral("light"));
        end = match.capturedEnd();
    }
    sheet += QStringView(text).mid(end);
    return sheet;
}

} // namespace tilewright::ui
