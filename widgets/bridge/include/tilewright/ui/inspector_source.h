// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/edit_decision.h>
#include <tilewright/session/metadata_edit.h>
#include <tilewright/session/record_details.h>
#include <tilewright/session/record_view.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/async_source.h>
#include <tilewright/ui/child_command.h>

#include <QTemporaryFile>
#include <QVector>

#include <memory>
#include <optional>

namespace tilewright::ui {

using RecordDetailsPtr = std::shared_ptr<const session::RecordDetails>;

/// A decision that was changed by hand: instruction of the trace, and the text typed.
struct DecisionInput {
    qint64 instruction = -1;
    QString value;
};

/// One record looked at closely: its details at once, its code when it is asked for, edited
/// decisions tried out, and measured by a short engine process.
class InspectorSource : public AsyncSource {
    Q_OBJECT

public:
    explicit InspectorSource(QObject* parent = nullptr);
    ~InspectorSource() override;

    /// Answered by ready() or failed(). record -1 shows nothing.
    void show(const QString& workDir, qint64 record, const Baseline* baseline, Statistic statistic);
    [[nodiscard]] qint64 record() const { return record_; }
    [[nodiscard]] QString workDir() const { return workDir_; }
    /// Null before the first answer.
    [[nodiscard]] RecordDetailsPtr details() const { return details_; }

    /// A form of the record as text: textReady() or textFailed().
    void readText(session::RecordForm form);
    /// featuresReady() or textFailed(Json, …).
    void readFeatures();
    /// Tries decisions; editTried() always answers unless another record is shown meanwhile.
    void tryEdits(const QVector<DecisionInput>& edits);
    /// Measures the record again, or an edited trace of its task; measured() or measureFailed().
    /// Goes through the engine when one owns the directory.
    void measure(const QString& editedTrace = {});
    void cancelMeasure();
    [[nodiscard]] bool isMeasuring() const { return command_.isRunning(); }
    void setNote(const QString& note);

signals:
    void ready();
    void failed(const QString& message);
    void textReady(tilewright::session::RecordForm form, const QString& text);
    void textFailed(tilewright::session::RecordForm form, const QString& message);
    void featuresReady(const tilewright::session::RecordFeatures& features);
    void editTried(const tilewright::session::EditedSchedule& edited);
    void measureStarted();
    /// `record` is the new one; the old one is kept.
    void measured(qint64 record, const QString& summary);
    void measureFailed(const QString& message);
    void noteSaved();
    void noteFailed(const QString& message);

private:
    void read();

    QString workDir_;
    qint64 record_ = -1;
    std::optional<Baseline> baseline_;
    Statistic statistic_ = Statistic::Median;
    RecordDetailsPtr details_;
    ChildCommand command_;
    std::unique_ptr<QTemporaryFile> trace_;
};

} // namespace tilewright::ui
