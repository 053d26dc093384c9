// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_marks.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/live_text.h>

#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>
#include <QWidget>

namespace tilewright::ui {

namespace {

/// One change of marks and its opposite.
class MarkStep : public QUndoCommand {
public:
    MarkStep(const QString& text, RecordSource* source, session::MetadataEdit forward,
             session::MetadataEdit backward)
        : QUndoCommand(text), source_(source), workDir_(source->workDir()),
          forward_(std::move(forward)), backward_(std::move(backward)) {}

    void redo() override { apply(forward_); }
    void undo() override { apply(backward_); }

private:
    void apply(const session::MetadataEdit& edit) {
        // Another directory is open by now: its records have nothing to do with this step.
        if (source_ && source_->workDir() == workDir_)
            source_->edit(edit);
    }

    QPointer<RecordSource> source_;
    QString workDir_;
    session::MetadataEdit forward_;
    session::MetadataEdit backward_;
};

session::MetadataEdit editOf(const QVector<qint64>& records) {
    session::MetadataEdit edit;
    for (const qint64 record : records)
        edit.records.emplace_back(record);
    return edit;
}

} // namespace

RecordMarks::RecordMarks(RecordSource* source, AppState* state, QUndoStack* undo, QWidget* parent)
    : QObject(parent), source_(source), state_(state), undo_(undo) {}

void RecordMarks::push(const QString& text, const session::MetadataEdit& forward,
                       const session::MetadataEdit& backward) {
    if (undo_)
        undo_->push(new MarkStep(text, source_, forward, backward));
    else
        source_->edit(forward);
    emit done(text);
}

bool RecordMarks::allHave(const QVector<qint64>& records, std::uint8_t mark) const {
    const RecordResultPtr result = source_->result();
    for (const qint64 record : records) {
        const auto row = result ? result->index->rowOf(record) : std::nullopt;
        if (!row || (result->index->marks(*row) & mark) == 0)
            return false;
    }
    return !records.isEmpty();
}

void RecordMarks::toggleStar(const QVector<qint64>& records) {
    if (records.isEmpty())
        return;
    const bool off = allHave(records, session::kMarkStarred);
    session::MetadataEdit forward = editOf(records);
    session::MetadataEdit backward = forward;
    forward.starred = !off;
    backward.starred = off;
    const auto count = static_cast<int>(records.size());
    push(off ? tr("Took the star from %n record(s)", nullptr, count)
             : tr("Starred %n record(s)", nullptr, count),
         forward, backward);
}

void RecordMarks::toggleDeleted(const QVector<qint64>& records) {
    if (records.isEmpty())
        return;
    const bool off = allHave(records, session::kMarkDeleted);
    session::MetadataEdit forward = editOf(records);
    session::MetadataEdit backward = forward;
    forward.deleted = !off;
    backward.deleted = off;
    const auto count = static_cast<int>(records.size());
    push(off ? tr("Restored %n record(s)", nullptr, count)
             : tr("Deleted %n record(s)", nullptr, count),
         forward, backward);
}

void RecordMarks::addTag(const QVector<qint64>& records, const QString& tag) {
    if (records.isEmpty() || tag.trimmed().isEmpty())
        return;
    session::MetadataEdit forward = editOf(records);
    session::MetadataEdit backward = forward;
    forward.addTags = {tag.trimmed().toStdString()};
    backward.removeTags = forward.addTags;
    push(tr("Tagged %n record(s)", nullptr, static_cast<int>(records.size())), forward, backward);
}

void RecordMarks::removeTag(const QVector<qint64>& records, const QString& tag) {
    session::MetadataEdit forward = editOf(records);
    session::MetadataEdit backward = forward;
    forward.removeTags = {tag.toStdString()};
    backward.addTags = forward.removeTags;
    push(tr("Took a tag from %n record(s)", nullptr, static_cast<int>(records.size())), forward,
         backward);
}

void RecordMarks::setNote(qint64 record, const QString& note) {
    session::MetadataEdit edit = editOf({record});
    edit.note = note.toStdString();
    source_->edit(edit);
}

bool RecordMarks::isPinned(qint64 record) const {
    for (const Baseline& baseline : state_->baselines())
        if (baseline.record == record && baseline.workDir == source_->workDir())
            return true;
    return false;
}

void RecordMarks::togglePin(qint64 record) {
    if (record < 0)
        return;
    QVector<Baseline> baselines = state_->baselines();
    const bool pinned = isPinned(record);
    session::MetadataEdit edit;
    edit.pin = tr("record %1").arg(record).toStdString();
    if (pinned) {
        baselines.erase(std::remove_if(baselines.begin(), baselines.end(),
                                       [&](const Baseline& baseline) {
                                           return baseline.record == record &&
                                                  baseline.workDir == source_->workDir();
                                       }),
                        baselines.end());
    } else {
        Baseline baseline;
        baseline.workDir = source_->workDir();
        baseline.record = record;
        baseline.label = tr("record %1").arg(groupedCount(record));
        baselines.prepend(baseline);
        edit.records = {database::RecordId(record)};
    }
    state_->setBaselines(baselines);
    source_->edit(edit);
}

} // namespace tilewright::ui
