// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QVector>

#include <tilewright/ui/table_roles.h>

class QHBoxLayout;
class QLabel;

namespace tilewright::ui {

/// A side of a comparison in three lines.
struct SideText {
    QString title;  ///< "record 6 127"
    QString note;   ///< "session 9 · baseline"
    QString line;   ///< settings
    QString figure; ///< "941.2 µs ± 4.6   n = 30"
};

/// The head of a comparison: A, B, and what came out.
class SideHeader : public QFrame {
    Q_OBJECT

public:
    explicit SideHeader(QWidget* parent = nullptr);
    void setSides(const SideText& left, const SideText& right);
    /// Big line with its tone, smaller line, small print; `counts` are lines at the right.
    void setVerdict(const QString& big, Tone tone, const QString& line, const QString& small,
                    const QStringList& counts = {});

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Side {
        QLabel* letter;
        QLabel* title;
        QLabel* line;
        QLabel* figure;
    };
    Side makeSide(const QString& letter, QHBoxLayout* row);
    void showSide(const Side& side, const SideText& text);
    void applyTheme();

    Side left_;
    Side right_;
    QLabel* big_;
    QLabel* line_;
    QLabel* small_;
    QLabel* counts_;
    Tone tone_ = Tone::Normal;
};

} // namespace tilewright::ui
