// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_export.h"

#include <QBuffer>
#include <QIODevice>
#include <QLocale>
#include <QtMath>

namespace tilewright::ui {

namespace {

QVariant valueOf(const QModelIndex& index) {
    QVariant value = index.data(ExportRole);
    if (value.isValid())
        return value;
    // A cell with a sort key but no export value is a missing one, shown as "—".
    const QString shown = index.data(Qt::DisplayRole).toString();
    if (shown == QStringLiteral("—"))
        return {};
    const QString full = index.data(FullTextRole).toString();
    if (!full.isEmpty())
        return full;
    return shown;
}

bool isNumber(const QVariant& value) {
    switch (value.typeId()) {
    case QMetaType::Double:
    case QMetaType::Float:
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
        return true;
    default:
        return false;
    }
}

QString plainText(const QVariant& value) {
    if (value.typeId() == QMetaType::Double || value.typeId() == QMetaType::Float)
        return qIsFinite(value.toDouble())
                   ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                   : QString();
    return value.toString();
}

QString headerOf(const QAbstractItemModel& model, int column) {
    const QVariant machine = model.headerData(column, Qt::Horizontal, ExportRole);
    return machine.isValid() ? machine.toString()
                             : model.headerData(column, Qt::Horizontal).toString();
}

QString csvField(const QString& text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('\r')))
        return text;
    QString quoted = text;
    quoted.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + quoted + QLatin1Char('"');
}

QString tsvField(QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
        .replace(QLatin1Char('\n'), QLatin1Char(' '))
        .remove(QLatin1Char('\r'));
}

QString jsonString(const QString& text) {
    QString out = QStringLiteral("\"");
    for (const QChar c : text) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\'))
            out += QLatin1Char('\\') + QString(c);
        else if (c.unicode() < 0x20)
            out +=
                QStringLiteral("\\u%1").arg(static_cast<int>(c.unicode()), 4, 16, QLatin1Char('0'));
        else
            out += c;
    }
    return out + QLatin1Char('"');
}

QString jsonValue(const QVariant& value) {
    if (!value.isValid())
        return QStringLiteral("null");
    if (value.typeId() == QMetaType::Bool)
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    if (isNumber(value)) {
        const QString text = plainText(value);
        return text.isEmpty() ? QStringLiteral("null") : text;
    }
    return jsonString(value.toString());
}

QString separatedLine(const QStringList& fields, TableView::Format format) {
    QStringList line;
    for (const QString& field : fields)
        line.append(format == TableView::Format::Csv ? csvField(field) : tsvField(field));
    return line.join(format == TableView::Format::Csv ? QLatin1Char(',') : QLatin1Char('\t'));
}

bool put(QIODevice* device, const QString& text) {
    const QByteArray bytes = text.toUtf8();
    return device->write(bytes) == bytes.size();
}

QStringList headers(const QAbstractItemModel& model, const QList<int>& columns) {
    QStringList names;
    for (const int column : columns)
        names.append(headerOf(model, column));
    return names;
}

} // namespace

bool writeTable(QIODevice* device, const QAbstractItemModel& model, const QList<int>& rows,
                const QList<int>& columns, TableView::Format format) {
    const QStringList names = headers(model, columns);
    const bool json = format == TableView::Format::Json;
    bool good =
        put(device, json ? QStringLiteral("[") : separatedLine(names, format) + QLatin1Char('\n'));
    for (qsizetype r = 0; good && r < rows.size(); ++r) {
        QStringList fields;
        for (qsizetype c = 0; c < columns.size(); ++c) {
            const QVariant value = valueOf(model.index(rows[r], columns[c]));
            fields.append(json ? jsonString(names[c]) + QStringLiteral(": ") + jsonValue(value)
                               : plainText(value));
        }
        if (json)
            good = put(device, (r ? QStringLiteral(",\n  {") : QStringLiteral("\n  {")) +
                                   fields.join(QStringLiteral(", ")) + QLatin1Char('}'));
        else
            good = put(device, separatedLine(fields, format) + QLatin1Char('\n'));
    }
    return json ? good && put(device, QStringLiteral("\n]\n")) : good;
}

QString tableText(const QAbstractItemModel& model, const QList<int>& rows,
                  const QList<int>& columns, bool withHeader) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    writeTable(&buffer, model, rows, columns, TableView::Format::Tsv);
    QString text = QString::fromUtf8(buffer.data());
    return withHeader ? text : text.mid(text.indexOf(QLatin1Char('\n')) + 1);
}

} // namespace tilewright::ui
