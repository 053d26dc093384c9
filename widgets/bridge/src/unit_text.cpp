// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/unit_text.h>

#include <QLocale>

namespace tilewright::ui {

namespace {

QString nothing() {
    return QStringLiteral("—");
}

} // namespace

QString durationText(std::optional<double> seconds) {
    if (!seconds)
        return nothing();
    const double us = *seconds * 1e6;
    const QLocale locale;
    if (us < 1000)
        return QStringLiteral("%1 µs").arg(locale.toString(us, 'g', 4));
    if (us < 1e6)
        return QStringLiteral("%1 ms").arg(locale.toString(us / 1e3, 'g', 4));
    return QStringLiteral("%1 s").arg(locale.toString(us / 1e6, 'g', 4));
}

QString ratioText(std::optional<double> numerator, std::optional<double> denominator) {
    if (!numerator || !denominator || *denominator <= 0)
        return nothing();
    return QStringLiteral("%1×").arg(QLocale().toString(*numerator / *denominator, 'f', 2));
}

} // namespace tilewright::ui
