// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/icon.h>

#include <tilewright/ui/theme.h>

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QPointer>
#include <QSvgRenderer>

// A static library's resources register themselves only when asked to. The macro must stand outside
// of namespaces.
static void registerKitResources() {
    Q_INIT_RESOURCE(kit);
}

namespace tilewright::ui {

namespace {

QString pathOf(const QString& name) {
    registerKitResources();
    return QStringLiteral(":/tilewright/icons/%1.svg").arg(name);
}

QByteArray svgOf(const QString& name) {
    QFile file(pathOf(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(QString name, const Theme* theme, Tone tone)
        : name_(std::move(name)), theme_(theme), tone_(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State state) override {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, iconPixmap(name_, color(mode, state), rect.width(), ratio));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return iconPixmap(name_, color(mode, state), qMin(size.width(), size.height()));
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }
    bool isNull() override { return name_.isEmpty(); }

private:
    QColor color(QIcon::Mode mode, QIcon::State state) const {
        const ThemeColors& colors = theme_ ? theme_->colors() : Theme::colorsOf(nullptr);
        if (mode == QIcon::Disabled)
            return colors.disabled;
        if (state == QIcon::On)
            return colors.accent;
        return toneColor(colors, tone_);
    }

    QString name_;
    QPointer<const Theme> theme_;
    Tone tone_;
};

} // namespace

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double pixelRatio) {
    const QString key = QStringLiteral("tw/%1/%2/%3/%4")
                            .arg(name, color.name(QColor::HexArgb))
                            .arg(size)
                            .arg(pixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray svg = svgOf(name);
    if (svg.isEmpty())
        return {};
    svg.replace("currentColor", color.name().toLatin1());
    pixmap = QPixmap(QSize(size, size) * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, size, size));
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon themedIcon(const QString& name, const Theme* theme, Tone tone) {
    if (!QFile::exists(pathOf(name)))
        return {};
    return QIcon(new ThemedIconEngine(name, theme, tone));
}

} // namespace tilewright::ui
