// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/ui/inspector_source.h>
#include <tilewright/ui/unit_text.h>

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

namespace tilewright::ui {

namespace {

enum Tag { Read = 1, Features, Edits, Note, Text /* + the form */ };

int textTag(session::RecordForm form) {
    return Text + static_cast<int>(form);
}

} // namespace

InspectorSource::InspectorSource(QObject* parent) : AsyncSource(parent) {
    connect(&command_, &ChildCommand::started, this, &InspectorSource::measureStarted);
    connect(&command_, &ChildCommand::finished, this, [this](const QByteArray& output, int code) {
        trace_.reset();
        const QJsonObject record = QJsonDocument::fromJson(output).object();
        if (!record.contains(QLatin1String("id"))) {
            emit measureFailed(tr("The measurement ended with exit code %1.").arg(code));
            return;
        }
        const auto id = static_cast<qint64>(record.value(QLatin1String("id")).toDouble());
        const QString status = record.value(QLatin1String("status")).toString();
        const QString text =
            status == QLatin1String("ok")
                ? durationText(record.value(QLatin1String("median_us")).toDouble() * 1e-6)
                : status + QStringLiteral(": ") + record.value(QLatin1String("error")).toString();
        emit measured(id, text);
    });
    connect(&command_, &ChildCommand::failed, this, [this](const QString& message) {
        trace_.reset();
        emit measureFailed(message.isEmpty() ? tr("The measurement was cancelled.") : message);
    });
}

InspectorSource::~InspectorSource() {
    shutDown();
}

void InspectorSource::show(const QString& workDir, qint64 record, const Baseline* baseline,
                           Statistic statistic) {
    const std::optional<Baseline> wanted =
        baseline && baseline->record >= 0 ? std::optional(*baseline) : std::nullopt;
    const bool other = workDir != workDir_ || record != record_;
    if (!other && wanted == baseline_ && statistic == statistic_ && details_)
        return;
    workDir_ = workDir;
    record_ = record;
    baseline_ = wanted;
    statistic_ = statistic;
    for (const int tag : {Read, Features, Edits})
        forget(tag);
    for (int form = 0; form < 6; ++form)
        forget(Text + form);
    if (other || record < 0)
        details_.reset();
    if (record >= 0 && !workDir.isEmpty())
        read();
    else
        emit ready();
}

void InspectorSource::read() {
    std::optional<session::RecordRef> baseline;
    if (baseline_)
        baseline = session::RecordRef{
            (baseline_->workDir.isEmpty() ? workDir_ : baseline_->workDir).toStdString(),
            baseline_->record};
    request<RecordDetailsPtr>(
        Read,
        [path = workDir_.toStdString(), record = record_, baseline, statistic = statistic_] {
            return session::readRecordDetails(path, record, baseline,
                                              static_cast<session::Statistic>(statistic));
        },
        [this](const RecordDetailsPtr& details) {
            details_ = details;
            emit ready();
        },
        [this](const QString& message) { emit failed(message); });
}

void InspectorSource::readText(session::RecordForm form) {
    if (record_ < 0)
        return;
    request<std::string>(
        textTag(form),
        [path = workDir_.toStdString(), record = record_, form] {
            const database::StoreReader reader(path);
            return session::RecordView(reader, database::RecordId(record)).text(form);
        },
        [this, form](const std::string& text) {
            emit textReady(form, QString::fromStdString(text));
        },
        [this, form](const QString& message) { emit textFailed(form, message); });
}

void InspectorSource::readFeatures() {
    if (record_ < 0)
        return;
    request<session::RecordFeatures>(
        Features,
        [path = workDir_.toStdString(), record = record_] {
            return session::readRecordFeatures(path, record);
        },
        [this](const session::RecordFeatures& features) { emit featuresReady(features); },
        [this](const QString& message) { emit textFailed(session::RecordForm::Json, message); });
}

void InspectorSource::tryEdits(const QVector<DecisionInput>& inputs) {
    if (record_ < 0)
        return;
    std::vector<session::DecisionEdit> edits;
    for (const DecisionInput& input : inputs)
        edits.push_back({static_cast<std::size_t>(input.instruction), input.value.toStdString()});
    request<session::EditedSchedule>(
        Edits,
        [path = workDir_.toStdString(), record = record_, edits] {
            const database::StoreReader reader(path);
            return session::editDecisions(session::RecordView(reader, database::RecordId(record)),
                                          edits);
        },
        [this](const session::EditedSchedule& edited) { emit editTried(edited); },
        [this](const QString& message) {
            session::EditedSchedule refused;
            refused.message = message.toStdString();
            emit editTried(refused);
        });
}

void InspectorSource::measure(const QString& editedTrace) {
    if (record_ < 0)
        return;
    QStringList arguments{QStringLiteral("measure"), workDir_, QString::number(record_)};
    if (!editedTrace.isEmpty()) {
        trace_ = std::make_unique<QTemporaryFile>(QDir::tempPath() +
                                                  QStringLiteral("/tilewright-trace-XXXXXX.json"));
        if (!trace_->open() || trace_->write(editedTrace.toUtf8()) < 0 || !trace_->flush()) {
            emit measureFailed(trace_->errorString());
            return;
        }
        arguments << QStringLiteral("--trace") << trace_->fileName();
    }
    arguments << QStringLiteral("--json");
    command_.start(arguments);
}

void InspectorSource::cancelMeasure() {
    command_.cancel();
}

void InspectorSource::setNote(const QString& note) {
    if (record_ < 0)
        return;
    session::MetadataEdit edit;
    edit.records = {database::RecordId(record_)};
    edit.note = note.toStdString();
    request<std::vector<std::string>>(
        Note, [path = workDir_.toStdString(), edit] { return session::editMetadata(path, edit); },
        [this](const std::vector<std::string>&) { emit noteSaved(); },
        [this](const QString& message) { emit noteFailed(message); });
}

} // namespace tilewright::ui
