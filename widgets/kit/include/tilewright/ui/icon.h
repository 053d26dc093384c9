// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

#include <tilewright/ui/table_roles.h>

namespace tilewright::ui {

class Theme;

/// An icon of resources/icons, named without ending, in the colour of `tone`; disabled ones grey,
/// checked ones accent. It reads the theme each time it is drawn, so it follows a switch by itself.
/// With a null theme the application's is used. An unknown name gives an empty icon.
QIcon themedIcon(const QString& name, const Theme* theme = nullptr, Tone tone = Tone::Normal);
/// A pixmap of `size` × `size` device-independent pixels in `color`.
QPixmap iconPixmap(const QString& name, const QColor& color, int size, double pixelRatio = 1.0);

} // namespace tilewright::ui
