// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndex>
#include <QString>

#include <tilewright/ui/table_view.h>

class QIODevice;

namespace tilewright::ui {

/// Writes rows × columns of the model (rows and columns are those of `model`) in one pass, without
/// building the whole text. False when the device refused.
bool writeTable(QIODevice* device, const QAbstractItemModel& model, const QList<int>& rows,
                const QList<int>& columns, TableView::Format format);
/// Tab-separated lines for the clipboard, as numbers of full precision.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows,
                  const QList<int>& columns, bool withHeader);

} // namespace tilewright::ui
