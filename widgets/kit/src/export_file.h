// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include <functional>

class QIODevice;
class QWidget;

namespace tilewright::ui {

/// A kind of file that can be written.
struct ExportKind {
    QString filter; ///< of the file dialog: `CSV, comma-separated (*.csv)`
    QString ending; ///< `.csv`
};

/// Asks for a file and lets `write` fill it, given the index of the kind that the ending or else
/// the dialog's choice names. An old file stays until the new one is whole. Returns what went
/// wrong; empty when nothing did, or when nobody chose a file.
QString exportToFile(QWidget* parent, const QString& title, const QVector<ExportKind>& kinds,
                     const std::function<bool(QIODevice* device, int kind)>& write);

} // namespace tilewright::ui
