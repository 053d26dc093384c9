// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/record_source.h>

#include <QObject>
#include <QVector>

class QUndoStack;
class QWidget;

namespace tilewright::ui {

class AppState;

/// What people do to records' marks, as steps that can be taken back.
class RecordMarks : public QObject {
    Q_OBJECT

public:
    RecordMarks(RecordSource* source, AppState* state, QUndoStack* undo, QWidget* parent);

    /// Stars all of them, or takes the stars away when all have one.
    void toggleStar(const QVector<qint64>& records);
    void toggleDeleted(const QVector<qint64>& records);
    void addTag(const QVector<qint64>& records, const QString& tag);
    void removeTag(const QVector<qint64>& records, const QString& tag);
    void setNote(qint64 record, const QString& note);
    /// Makes the record a baseline of the window (and marks it in the store), or no longer.
    void togglePin(qint64 record);
    [[nodiscard]] bool isPinned(qint64 record) const;

signals:
    /// `Deleted 214 records`: can be taken back.
    void done(const QString& sentence);

private:
    void push(const QString& text, const session::MetadataEdit& forward,
              const session::MetadataEdit& backward);
    [[nodiscard]] bool allHave(const QVector<qint64>& records, std::uint8_t mark) const;

    RecordSource* source_;
    AppState* state_;
    QUndoStack* undo_;
};

} // namespace tilewright::ui
