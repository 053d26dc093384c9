// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_file.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QSaveFile>

namespace tilewright::ui {

QString exportToFile(QWidget* parent, const QString& title, const QVector<ExportKind>& kinds,
                     const std::function<bool(QIODevice* device, int kind)>& write) {
    QStringList filters;
    for (const ExportKind& kind : kinds)
        filters.append(kind.filter);
    QString chosen = filters.first();
    QString path = QFileDialog::getSaveFileName(parent, title, QString(),
                                                filters.join(QStringLiteral(";;")), &chosen);
    if (path.isEmpty())
        return {};
    int format = static_cast<int>(qMax(qsizetype(0), filters.indexOf(chosen)));
    for (int i = 0; i < kinds.size(); ++i)
        if (path.endsWith(kinds[i].ending, Qt::CaseInsensitive))
            format = i;
    if (!path.contains(QLatin1Char('.')))
        path += kinds[format].ending;
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && write(&file, format) && file.commit())
        return {};
    return QCoreApplication::translate("ExportFile", "%1 could not be written: %2")
        .arg(path, file.errorString());
}

} // namespace tilewright::ui
