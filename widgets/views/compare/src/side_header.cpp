// SPDX-License-Identifier: GPL-3.0-or-later
#include "side_header.h"

#include <tilewright/ui/theme.h>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

SideHeader::SideHeader(QWidget* parent)
    : QFrame(parent), big_(new QLabel), line_(new QLabel), small_(new QLabel), counts_(new QLabel) {
    setObjectName(QStringLiteral("sideHeader"));
    setProperty("panel", true);
    setFrameShape(QFrame::StyledPanel);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 10, 12, 10);
    row->setSpacing(16);
    left_ = makeSide(QStringLiteral("A"), row);
    right_ = makeSide(QStringLiteral("B"), row);
    auto* result = new QVBoxLayout;
    result->setSpacing(2);
    big_->setObjectName(QStringLiteral("verdictBig"));
    line_->setObjectName(QStringLiteral("verdictLine"));
    small_->setObjectName(QStringLiteral("verdictSmall"));
    for (QLabel* label : {big_, line_, small_}) {
        label->setWordWrap(label != big_);
        result->addWidget(label);
    }
    row->addLayout(result, 4);
    counts_->setObjectName(QStringLiteral("verdictCounts"));
    row->addWidget(counts_, 0, Qt::AlignRight | Qt::AlignVCenter);
    applyTheme();
}

SideHeader::Side SideHeader::makeSide(const QString& letter, QHBoxLayout* row) {
    Side side{new QLabel(letter), new QLabel, new QLabel, new QLabel};
    side.letter->setAlignment(Qt::AlignCenter);
    side.letter->setFixedSize(26, 26);
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    for (QLabel* label : {side.title, side.line, side.figure}) {
        label->setTextFormat(Qt::PlainText);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        column->addWidget(label);
    }
    side.title->setObjectName(QStringLiteral("side%1").arg(letter));
    row->addWidget(side.letter, 0, Qt::AlignTop);
    row->addLayout(column, 4);
    return side;
}

void SideHeader::showSide(const Side& side, const SideText& text) {
    side.title->setText(text.note.isEmpty() ? text.title
                                            : text.title + QStringLiteral("  ·  ") + text.note);
    side.title->setToolTip(side.title->text());
    side.line->setText(text.line);
    side.line->setToolTip(text.line);
    side.figure->setText(text.figure);
}

void SideHeader::setSides(const SideText& left, const SideText& right) {
    showSide(left_, left);
    showSide(right_, right);
}

void SideHeader::setVerdict(const QString& big, Tone tone, const QString& line,
                            const QString& small, const QStringList& counts) {
    tone_ = tone;
    big_->setText(big);
    line_->setText(line);
    small_->setText(small);
    line_->setVisible(!line.isEmpty());
    small_->setVisible(!small.isEmpty());
    counts_->setText(counts.join(QLatin1Char('\n')));
    counts_->setVisible(!counts.isEmpty());
    applyTheme();
}

void SideHeader::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        applyTheme();
    QFrame::changeEvent(event);
}

void SideHeader::applyTheme() {
    const ThemeColors& colors = Theme::colorsOf(this);
    const auto paint = [](QLabel* label, const QColor& color) {
        QPalette palette = label->palette();
        if (palette.color(QPalette::WindowText) == color)
            return;
        palette.setColor(QPalette::WindowText, color);
        label->setPalette(palette);
    };
    big_->setFont(Theme::fontOf(this, Theme::Big));
    for (const Side* side : {&left_, &right_}) {
        side->title->setFont(Theme::fontOf(this, Theme::Title));
        paint(side->line, colors.secondary);
        side->letter->setFont(Theme::fontOf(this, Theme::Title));
        paint(side->letter, side == &left_ ? colors.slower : colors.faster);
    }
    paint(big_, toneColor(colors, tone_));
    paint(small_, colors.secondary);
}

} // namespace tilewright::ui
