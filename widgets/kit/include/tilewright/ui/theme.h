// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QVector>

#include <tilewright/ui/table_roles.h>

class QWidget;
class QDBusVariant;

namespace tilewright::ui {

/// The colours of one theme; the only place colours come from.
struct ThemeColors {
    bool dark = false;
    QColor window, surface, raised, line, hover, text, secondary, disabled, accent, onAccent,
        selection, warning, error, faster, slower;
    QVector<QColor> categories;
    QVector<QColor> codeColors; ///< keyword, type or function, number, string, comment, label
};

/// The light colours, also those of every exported plot.
const ThemeColors& lightColors();
const ThemeColors& darkColors();
/// The colour of a meaning.
QColor toneColor(const ThemeColors& colors, Tone tone);
/// Cividis at position 0..1; on dark it starts at 40 %, since its lower end has no contrast there.
QColor sequenceColor(const ThemeColors& colors, double position);
/// `over` laid on `under` with opacity 0..1.
QColor mixed(const QColor& under, const QColor& over, double opacity);

/// Light, dark or the system's choice, switched at run time; font zoom. The application owns one
/// and makes it known to its widgets; it applies style, palette, fonts and style sheet.
class Theme : public QObject {
    Q_OBJECT

public:
    enum Mode { Light, Dark, System };
    Q_ENUM(Mode)

    /// The fonts of the window; sizes follow the zoom.
    enum FontRole { Body, Dense, PlotText, Title, Big, Figure, Code };

    explicit Theme(QObject* parent = nullptr);
    ~Theme() override;

    /// The application's theme, or null when there is none (then lightColors() are used).
    static Theme* of(const QWidget* widget);
    /// Colours of the application's theme; light ones when there is none.
    static const ThemeColors& colorsOf(const QWidget* widget);
    /// Font of the application's theme; of zoom 1 when there is none.
    static QFont fontOf(const QWidget* widget, FontRole role);

    const ThemeColors& colors() const;
    Mode mode() const { return mode_; }
    void setMode(Mode mode);
    bool isDark() const { return dark_; }

    /// Size factor of all fonts, 0.7 to 3.
    double zoom() const { return zoom_; }
    void setZoom(double zoom);
    void zoomIn() { setZoom(zoom_ * kZoomStep); }
    void zoomOut() { setZoom(zoom_ / kZoomStep); }
    void resetZoom() { setZoom(1.0); }
    QFont font(FontRole role) const;

signals:
    /// Colours or fonts are other ones; palette and style sheet are applied already.
    void changed();

private slots:
    void systemSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void askSystem();
    void setSystemDark(bool dark);
    void apply();

    static constexpr double kZoomStep = 1.1;
    Mode mode_ = Light;
    bool dark_ = false;
    bool systemDark_ = false;
    bool asked_ = false;
    double zoom_ = 1.0;
};

} // namespace tilewright::ui
