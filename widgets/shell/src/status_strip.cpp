// SPDX-License-Identifier: GPL-3.0-or-later
#include "status_strip.h"

#include "duration_text.h"

#include <tilewright/ui/theme.h>

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QProgressBar>

namespace tilewright::ui {

namespace {

constexpr int kHeight = 28;
constexpr int kProgressWidth = 120;
constexpr int kPhaseWidth = 96;
constexpr int kPhaseHeight = 8;

} // namespace

/// Search, build, run and train as parts of one bar.
class PhaseBar : public QWidget {
public:
    explicit PhaseBar(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("phaseBar"));
        setFixedSize(kPhaseWidth, kPhaseHeight);
    }
    void setPhases(const session::PhaseSeconds& phases) {
        phases_ = phases;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const ThemeColors& colors = Theme::colorsOf(this);
        painter.fillRect(rect(), colors.line);
        const double sum = phases_.sum();
        if (sum <= 0)
            return;
        const double parts[] = {phases_.search, phases_.build, phases_.run, phases_.train};
        const QColor shades[] = {mixed(colors.raised, colors.secondary, 0.6), colors.accent,
                                 mixed(colors.surface, colors.accent, 0.55), colors.secondary};
        double x = 0;
        for (int i = 0; i < 4; ++i) {
            const double width = this->width() * parts[i] / sum;
            painter.fillRect(QRectF(x, 0, width, height()), shades[i]);
            x += width;
        }
    }

private:
    session::PhaseSeconds phases_;
};

QString sessionStateGlyph(const QString& state) {
    static const QHash<QString, QString> glyphs = {
        {QStringLiteral("running"), QStringLiteral("▶")},
        {QStringLiteral("replay"), QStringLiteral("▶")},
        {QStringLiteral("paused"), QStringLiteral("⏸")},
        {QStringLiteral("stopping"), QStringLiteral("◼")},
        {QStringLiteral("stopped"), QStringLiteral("◼")},
        {QStringLiteral("finished"), QStringLiteral("✓")},
        {QStringLiteral("failed"), QStringLiteral("✕")},
        {QStringLiteral("interrupted"), QStringLiteral("⚠")},
        {QStringLiteral("loading"), QStringLiteral("…")}};
    return glyphs.value(state, QStringLiteral("○"));
}

QString sessionStateText(const QString& state) {
    const auto word = [&]() -> QString {
        if (state == QLatin1String("running"))
            return StatusStrip::tr("running");
        if (state == QLatin1String("replay"))
            return StatusStrip::tr("replay");
        if (state == QLatin1String("paused"))
            return StatusStrip::tr("paused");
        if (state == QLatin1String("stopping"))
            return StatusStrip::tr("stopping");
        if (state == QLatin1String("stopped"))
            return StatusStrip::tr("stopped");
        if (state == QLatin1String("finished"))
            return StatusStrip::tr("finished");
        if (state == QLatin1String("failed"))
            return StatusStrip::tr("failed");
        if (state == QLatin1String("interrupted"))
            return StatusStrip::tr("interrupted");
        if (state == QLatin1String("loading"))
            return StatusStrip::tr("reading");
        if (state == QLatin1String("queued"))
            return StatusStrip::tr("queued");
        if (state == QLatin1String("draft"))
            return StatusStrip::tr("not started");
        return StatusStrip::tr("Ready");
    };
    return state.isEmpty() ? word() : QStringLiteral("%1 %2").arg(sessionStateGlyph(state), word());
}

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent), state_(new QLabel(this)), progress_(new QProgressBar(this)),
      count_(new QLabel(this)), left_(new QLabel(this)), phases_(new PhaseBar(this)),
      phaseText_(new QLabel(this)), devices_(new QLabel(this)), database_(new QLabel(this)) {
    setObjectName(QStringLiteral("status"));
    setAccessibleName(tr("Status"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(12);
    progress_->setObjectName(QStringLiteral("statusProgress"));
    progress_->setAccessibleName(tr("Progress of the session"));
    progress_->setFixedWidth(kProgressWidth);
    progress_->setTextVisible(false);
    phases_->setAccessibleName(tr("Time by phase"));
    state_->setObjectName(QStringLiteral("statusState"));
    count_->setObjectName(QStringLiteral("statusCount"));
    left_->setObjectName(QStringLiteral("statusLeft"));
    phaseText_->setObjectName(QStringLiteral("statusPhases"));
    devices_->setObjectName(QStringLiteral("statusDevices"));
    database_->setObjectName(QStringLiteral("statusDatabase"));
    for (QLabel* label : {count_, left_, phaseText_, devices_, database_})
        label->setProperty("role", "secondary");
    for (QWidget* part :
         std::initializer_list<QWidget*>{state_, progress_, count_, left_, phases_, phaseText_})
        row->addWidget(part);
    row->addStretch(1);
    row->addWidget(devices_);
    row->addWidget(database_);
    show(QString(), nullptr);
}

void StatusStrip::setSession(const QString& state, session::LiveSnapshotPtr snapshot) {
    show(state, snapshot.get());
}

void StatusStrip::setNote(const QString& note) {
    note_ = note;
    if (!note.isEmpty())
        state_->setText(note);
}

void StatusStrip::setDatabaseText(const QString& text) {
    database_->setText(text);
}

void StatusStrip::show(const QString& state, const session::LiveSnapshot* snapshot) {
    const bool known = snapshot && snapshot->session > 0;
    const bool works = state == QLatin1String("running") || state == QLatin1String("paused") ||
                       state == QLatin1String("stopping") || state == QLatin1String("replay");
    const QLocale locale;
    const QString word = sessionStateText(state);
    state_->setText(!note_.isEmpty() ? note_
                    : known          ? tr("session %1: %2").arg(snapshot->session).arg(word)
                                     : word);
    progress_->setVisible(known && works && snapshot->budget > 0);
    count_->setVisible(known);
    left_->setVisible(known && works);
    phases_->setVisible(known && snapshot->phases.sum() > 0);
    phaseText_->setVisible(phases_->isVisibleTo(this));
    devices_->setVisible(known && !snapshot->devices.empty());
    if (!known)
        return;
    const QString trials = locale.toString(static_cast<qlonglong>(snapshot->trials));
    if (snapshot->budget > 0) {
        const int percent = static_cast<int>(100 * snapshot->trials / snapshot->budget);
        progress_->setRange(0, static_cast<int>(snapshot->budget));
        progress_->setValue(static_cast<int>(snapshot->trials));
        count_->setText(
            tr("%1 %   %2 / %3")
                .arg(percent)
                .arg(trials, locale.toString(static_cast<qlonglong>(snapshot->budget))));
    } else {
        count_->setText(tr("%n trial(s)", nullptr, static_cast<int>(snapshot->trials)));
    }
    if (snapshot->timeLeft) {
        const auto end =
            QDateTime::currentDateTime().addSecs(static_cast<qint64>(snapshot->timeLeft->seconds));
        left_->setText(
            tr("%1 left, ≈ %2")
                .arg(durationRangeText(snapshot->timeLeft->low, snapshot->timeLeft->high),
                     locale.toString(end.time(), QLocale::ShortFormat)));
    } else {
        left_->setText(snapshot->budget > 0 ? tr("estimating…") : QString());
    }
    phases_->setPhases(snapshot->phases);
    const double sum = std::max(snapshot->phases.sum(), 1e-9);
    const auto percent = [sum](double seconds) { return qRound(100 * seconds / sum); };
    phaseText_->setText(tr("search %1 %   build %2 %   run %3 %   train %4 %")
                            .arg(percent(snapshot->phases.search))
                            .arg(percent(snapshot->phases.build))
                            .arg(percent(snapshot->phases.run))
                            .arg(percent(snapshot->phases.train)));
    QStringList devices;
    for (const session::DeviceActivity& device : snapshot->devices)
        devices.append(
            QStringLiteral("%1 %2").arg(works ? QStringLiteral("●") : QStringLiteral("○"),
                                        QString::fromStdString(device.name)));
    devices_->setText(devices.mid(0, 4).join(QStringLiteral("   ")));
}

} // namespace tilewright::ui
