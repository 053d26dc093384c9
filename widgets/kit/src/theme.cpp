// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/theme.h>

#include "theme_sheet.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QToolTip>
#include <QWidget>

namespace tilewright::ui {

namespace {

constexpr char kProperty[] = "tilewrightTheme";
constexpr double kSmallestZoom = 0.7;
constexpr double kLargestZoom = 3.0;

QVector<QColor> colorList(std::initializer_list<const char*> names) {
    QVector<QColor> colors;
    for (const char* name : names)
        colors.append(QColor(QLatin1String(name)));
    return colors;
}

ThemeColors makeColors(bool dark, std::initializer_list<const char*> names) {
    const QVector<QColor> c = colorList(names);
    ThemeColors t;
    t.dark = dark;
    QColor* const slots_[] = {&t.window,    &t.surface,   &t.raised,   &t.line,   &t.hover,
                              &t.text,      &t.secondary, &t.disabled, &t.accent, &t.onAccent,
                              &t.selection, &t.warning,   &t.error,    &t.faster, &t.slower};
    for (int i = 0; i < c.size(); ++i)
        *slots_[i] = c[i];
    return t;
}

double points(Theme::FontRole role) {
    switch (role) {
    case Theme::Body:
        return 10;
    case Theme::Dense:
        return 9.25;
    case Theme::PlotText:
        return 8.5;
    case Theme::Title:
        return 13;
    case Theme::Big:
        return 20;
    case Theme::Figure:
        return 11;
    case Theme::Code:
        return 9.5;
    }
    return 10;
}

QFont fontFor(Theme::FontRole role, double zoom) {
    QFont font = role == Theme::Code ? QFontDatabase::systemFont(QFontDatabase::FixedFont)
                                     : QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (role == Theme::Code)
        font.setStyleHint(QFont::Monospace);
    font.setPointSizeF(points(role) * zoom);
    if (role == Theme::Title || role == Theme::Big)
        font.setWeight(QFont::DemiBold);
    return font;
}

QPalette paletteOf(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.surface);
    p.setColor(QPalette::AlternateBase, c.raised);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.surface);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.error);
    p.setColor(QPalette::Highlight, c.selection);
    p.setColor(QPalette::HighlightedText, c.text);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.disabled);
    p.setColor(QPalette::Light, c.surface);
    p.setColor(QPalette::Midlight, c.hover);
    p.setColor(QPalette::Mid, c.line);
    p.setColor(QPalette::Dark, c.line);
    p.setColor(QPalette::Shadow, c.line);
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.disabled);
    return p;
}

} // namespace

const ThemeColors& lightColors() {
    static const ThemeColors colors = [] {
        ThemeColors t = makeColors(false, {"#F6F7F9", "#FFFFFF", "#EEF0F3", "#D9DDE3", "#E6E9EE",
                                           "#1B1F24", "#5B6470", "#9AA3AE", "#0B63C4", "#FFFFFF",
                                           "#D6E6FA", "#B26A00", "#B3261E", "#0072B2", "#D55E00"});
        t.categories =
            colorList({"#0072B2", "#D55E00", "#8822FF", "#554444", "#BB8877", "#773311"});
        t.codeColors =
            colorList({"#0B63C4", "#8822FF", "#1B1F24", "#8A5200", "#5B6470", "#773311"});
        return t;
    }();
    return colors;
}

const ThemeColors& darkColors() {
    static const ThemeColors colors = [] {
        ThemeColors t = makeColors(true, {"#1E1F22", "#26282C", "#2F3237", "#3C4046", "#383C42",
                                          "#E4E7EB", "#A0A8B3", "#6B727C", "#5AA9F5", "#10161D",
                                          "#234468", "#F0B04A", "#FF7A70", "#56B4E9", "#FF8A4C"});
        t.categories =
            colorList({"#56B4E9", "#FF8A4C", "#FFDDCC", "#BB33FF", "#778888", "#BBFF00"});
        t.codeColors =
            colorList({"#5AA9F5", "#C79BFF", "#E4E7EB", "#F0B04A", "#A0A8B3", "#FFDDCC"});
        return t;
    }();
    return colors;
}

QColor toneColor(const ThemeColors& colors, Tone tone) {
    switch (tone) {
    case Tone::Normal:
        return colors.text;
    case Tone::Secondary:
        return colors.secondary;
    case Tone::Disabled:
        return colors.disabled;
    case Tone::Accent:
        return colors.accent;
    case Tone::Warning:
        return colors.warning;
    case Tone::Error:
        return colors.error;
    case Tone::Faster:
        return colors.faster;
    case Tone::Slower:
        return colors.slower;
    }
    return colors.text;
}

QColor sequenceColor(const ThemeColors& colors, double position) {
    static const QVector<QColor> stops =
        colorList({"#00204D", "#31446B", "#666970", "#958F78", "#CAB969", "#FFEA46"});
    double p = qBound(0.0, position, 1.0);
    if (colors.dark)
        p = 0.4 + 0.6 * p;
    const double scaled = p * static_cast<double>(stops.size() - 1);
    const int low = qMin(static_cast<int>(scaled), static_cast<int>(stops.size()) - 2);
    return mixed(stops[low], stops[low + 1], scaled - low);
}

QColor mixed(const QColor& under, const QColor& over, double opacity) {
    const auto channel = [opacity](int a, int b) { return qRound(a + (b - a) * opacity); };
    return QColor(channel(under.red(), over.red()), channel(under.green(), over.green()),
                  channel(under.blue(), over.blue()));
}

Theme::Theme(QObject* parent) : QObject(parent) {
    qApp->setProperty(kProperty, QVariant::fromValue<QObject*>(this));
    systemDark_ = QApplication::palette().color(QPalette::Window).lightness() < 128;
    apply();
}

Theme::~Theme() {
    if (qApp && qApp->property(kProperty).value<QObject*>() == this)
        qApp->setProperty(kProperty, QVariant());
}

Theme* Theme::of(const QWidget*) {
    return qobject_cast<Theme*>(qApp->property(kProperty).value<QObject*>());
}

const ThemeColors& Theme::colorsOf(const QWidget* widget) {
    const Theme* theme = of(widget);
    return theme ? theme->colors() : lightColors();
}

QFont Theme::fontOf(const QWidget* widget, FontRole role) {
    const Theme* theme = of(widget);
    return fontFor(role, theme ? theme->zoom() : 1.0);
}

const ThemeColors& Theme::colors() const {
    return dark_ ? darkColors() : lightColors();
}

void Theme::setMode(Mode mode) {
    mode_ = mode;
    if (mode == System && !asked_)
        askSystem();
    const bool dark = mode == Dark || (mode == System && systemDark_);
    if (dark == dark_)
        return;
    dark_ = dark;
    apply();
}

void Theme::setZoom(double zoom) {
    zoom = qBound(kSmallestZoom, zoom, kLargestZoom);
    if (qFuzzyCompare(zoom, zoom_))
        return;
    zoom_ = zoom;
    apply();
}

QFont Theme::font(FontRole role) const {
    return fontFor(role, zoom_);
}

void Theme::askSystem() {
    asked_ = true;
    // Qt 6.4 knows no colour scheme; the desktop portal does.
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
    const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
    const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(systemSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call =
        QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    call << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this,
            [this](QDBusPendingCallWatcher* done) {
                const QDBusPendingReply<QDBusVariant> reply = *done;
                done->deleteLater();
                if (reply.isError())
                    return;
                QVariant value = reply.value().variant();
                if (value.canConvert<QDBusVariant>())
                    value = value.value<QDBusVariant>().variant();
                setSystemDark(value.toUInt() == 1);
            });
}

void Theme::systemSettingChanged(const QString& group, const QString& key,
                                 const QDBusVariant& value) {
    if (group == QLatin1String("org.freedesktop.appearance") &&
        key == QLatin1String("color-scheme"))
        setSystemDark(value.variant().toUInt() == 1);
}

void Theme::setSystemDark(bool dark) {
    systemDark_ = dark;
    if (mode_ == System)
        setMode(System);
}

void Theme::apply() {
    if (QApplication::style()->objectName() != QLatin1String("fusion"))
        QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(paletteOf(colors()));
    QToolTip::setPalette(paletteOf(colors()));
    QApplication::setFont(font(Body));
    qApp->setStyleSheet(themeSheet(colors()));
    emit changed();
}

} // namespace tilewright::ui
