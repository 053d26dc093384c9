// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace tilewright::ui {

QString durationRangeText(double lowSeconds, double highSeconds) {
    const QLocale locale;
    const auto range = [&](double unit, int decimals) {
        const QString low = locale.toString(lowSeconds / unit, 'f', decimals);
        const QString high = locale.toString(highSeconds / unit, 'f', decimals);
        return low == high ? low : QStringLiteral("%1–%2").arg(low, high);
    };
    if (highSeconds < 100)
        return QCoreApplication::translate("StatusStrip", "%1 s").arg(range(1, 0));
    if (highSeconds < 100 * 60)
        return QCoreApplication::translate("StatusStrip", "%1 min").arg(range(60, 0));
    return QCoreApplication::translate("StatusStrip", "%1 h").arg(range(3600, 1));
}

} // namespace tilewright::ui
