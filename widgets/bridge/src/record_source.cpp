// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/database/record_query.h>
#include <tilewright/session/bottlenecks.h>
#include <tilewright/session/record_details.h>
#include <tilewright/ui/record_source.h>

#include <QDateTime>

#include <atomic>

namespace tilewright::ui {

namespace {

enum Tag { First = 1, Load, Select, Refresh, Roofs, BaselineTimes, Edit };

using TaskSeconds = std::map<std::int64_t, double>;

int utf16Length(const std::string& text, std::size_t bytes) {
    return static_cast<int>(
        QString::fromUtf8(text.data(), static_cast<qsizetype>(std::min(bytes, text.size())))
            .size());
}

} // namespace

/// What the worker keeps between requests; only it touches loader and index.
struct RecordSource::Shared {
    std::filesystem::path workDir;
    std::unique_ptr<session::RecordIndexLoader> loader;
    session::RecordIndexPtr index;
    std::atomic<qint64> done{0};
    std::atomic<qint64> total{0};
    std::atomic<quint64> newest{0}; ///< of the choices; older ones stop
    std::atomic<bool> closed{false};

    session::RecordIndexLoader& open() {
        if (!loader)
            loader = std::make_unique<session::RecordIndexLoader>(workDir);
        return *loader;
    }

    RecordResultPtr select(const session::RecordChoice& choice, quint64 generation) {
        auto result = std::make_shared<RecordResult>();
        const auto goOn = [this, generation] { return !closed && newest == generation; };
        QElapsedTimer timer;
        timer.start();
        index = open().withStatistic(index, choice.statistic, goOn);
        result->workDir = QString::fromStdString(workDir.string());
        result->index = index;
        result->choice = choice;
        result->selection = session::selectRecords(*index, choice, &open(), goOn);
        result->filterMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        result->curve = session::recordCurve(*index, result->selection, choice.statistic);
        return result;
    }
};

RecordSource::RecordSource(QObject* parent) : AsyncSource(parent) {
    choice_.sort = {{session::RecordKey::Latency, false}};
    choice_.statuses = 1; // failed ones do not stand among results unless asked for
    askTimer_.setSingleShot(true);
    askTimer_.setInterval(0);
    connect(&askTimer_, &QTimer::timeout, this, &RecordSource::ask);
    refreshTimer_.setSingleShot(true);
    connect(&refreshTimer_, &QTimer::timeout, this, &RecordSource::refresh);
    progressTimer_.setInterval(200);
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        if (shared_ && shared_->total > 0)
            emit loadProgress(shared_->done, shared_->total);
    });
}

RecordSource::~RecordSource() {
    if (shared_)
        shared_->closed = true;
    shutDown();
}

void RecordSource::open(const QString& workDir) {
    if (shared_)
        shared_->closed = true;
    for (const int tag : {First, Load, Select, Refresh, Roofs, BaselineTimes})
        forget(tag);
    workDir_ = workDir;
    problem_.clear();
    result_.reset();
    shared_.reset();
    choice_.roofSeconds.clear();
    choice_.baselineSeconds.clear();
    progressTimer_.stop();
    emit resultChanged();
    if (workDir.isEmpty())
        return;
    shared_ = std::make_shared<Shared>();
    shared_->workDir = workDir.toStdString();
    choice_.nowMs = QDateTime::currentMSecsSinceEpoch();
    request<RecordResultPtr>(
        First,
        [shared = shared_, choice = choice_] {
            shared->index = shared->open().firstRows(choice.filter);
            return shared->select(choice, shared->newest);
        },
        [this](const RecordResultPtr& result) {
            if (!result->selection.problem)
                take(result);
        });
    load();
    readRoofs();
    readBaseline();
}

void RecordSource::load() {
    progressTimer_.start();
    request<RecordResultPtr>(
        Load,
        [shared = shared_, choice = choice_] {
            shared->index = shared->open().load([&](std::size_t done, std::size_t total) {
                shared->done = static_cast<qint64>(done);
                shared->total = static_cast<qint64>(total);
                return !shared->closed;
            });
            return shared->select(choice, shared->newest);
        },
        [this](const RecordResultPtr& result) {
            progressTimer_.stop();
            emit loadProgress(0, 0);
            take(result);
        },
        [this](const QString& message) {
            progressTimer_.stop();
            problem_ = message;
            emit loadProgress(0, 0);
            emit failed(message);
        });
}

void RecordSource::take(const RecordResultPtr& result) {
    sinceRefresh_.restart();
    if (const auto& problem = result->selection.problem) {
        const std::string& text = result->choice.filter;
        const int offset = utf16Length(text, problem->offset);
        const int end = utf16Length(text, problem->offset + problem->length);
        emit filterProblem(QString::fromStdString(problem->message), offset, end - offset);
        return;
    }
    problem_.clear();
    result_ = result;
    emit filterAccepted();
    emit resultChanged();
}

void RecordSource::ask() {
    if (!shared_)
        return;
    choice_.nowMs = QDateTime::currentMSecsSinceEpoch();
    const quint64 generation = ++shared_->newest;
    request<RecordResultPtr>(
        Select,
        [shared = shared_, choice = choice_, generation] {
            if (!shared->index)
                shared->index = shared->open().firstRows(choice.filter);
            return shared->select(choice, generation);
        },
        [this](const RecordResultPtr& result) { take(result); },
        [this](const QString& message) { emit failed(message); });
}

void RecordSource::refresh() {
    if (!shared_)
        return;
    constexpr int period = 1000;
    if (sinceRefresh_.isValid() && sinceRefresh_.elapsed() < period) {
        if (!refreshTimer_.isActive())
            refreshTimer_.start(period - static_cast<int>(sinceRefresh_.elapsed()));
        return;
    }
    if (!result_ || !result_->index->complete()) {
        if (!problem_.isEmpty())
            open(workDir_);
        return;
    }
    sinceRefresh_.restart();
    choice_.nowMs = QDateTime::currentMSecsSinceEpoch();
    request<RecordResultPtr>(
        Refresh,
        [shared = shared_, choice = choice_]() -> RecordResultPtr {
            const session::RecordIndexPtr before = shared->index;
            shared->index = shared->open().refresh(before);
            if (shared->index == before)
                return nullptr;
            return shared->select(choice, shared->newest);
        },
        [this](const RecordResultPtr& result) {
            if (result)
                take(result);
        },
        [this](const QString& message) { emit failed(message); });
}

void RecordSource::setFilter(const QString& filter) {
    const std::string text = filter.trimmed().isEmpty() ? std::string() : filter.toStdString();
    if (choice_.filter == text)
        return;
    choice_.filter = text;
    askTimer_.start();
}

void RecordSource::setStatuses(quint32 statuses) {
    if (choice_.statuses == statuses)
        return;
    choice_.statuses = statuses;
    askTimer_.start();
}

void RecordSource::setSort(const std::vector<session::RecordSort>& sort) {
    if (choice_.sort == sort)
        return;
    choice_.sort = sort;
    askTimer_.start();
}

void RecordSource::setStatistic(Statistic statistic) {
    const auto value = static_cast<session::Statistic>(statistic);
    if (choice_.statistic == value)
        return;
    choice_.statistic = value;
    askTimer_.start();
    readRoofs();
    readBaseline();
}

void RecordSource::setBaseline(const Baseline* baseline) {
    const Baseline wanted = baseline ? *baseline : Baseline();
    if (hasBaseline_ == (baseline != nullptr) && baseline_ == wanted)
        return;
    hasBaseline_ = baseline != nullptr;
    baseline_ = wanted;
    choice_.baselineSeconds.clear();
    askTimer_.start();
    readBaseline();
}

void RecordSource::readRoofs() {
    if (!shared_)
        return;
    session::BottleneckOptions options;
    options.advice = false;
    options.statistic = choice_.statistic;
    request<TaskSeconds>(
        Roofs,
        [path = shared_->workDir, options] {
            TaskSeconds seconds;
            for (const session::OperatorRow& row : session::readBottlenecks(path, options)->rows)
                if (row.roofSeconds)
                    seconds[row.task] = *row.roofSeconds;
            return seconds;
        },
        [this](const TaskSeconds& seconds) {
            if (seconds == choice_.roofSeconds)
                return;
            choice_.roofSeconds = seconds;
            askTimer_.start();
        });
}

void RecordSource::readBaseline() {
    if (!shared_ || !hasBaseline_)
        return;
    const QString dir = baseline_.workDir.isEmpty() ? workDir_ : baseline_.workDir;
    request<TaskSeconds>(
        BaselineTimes,
        [path = shared_->workDir, dir = dir.toStdString(), session = baseline_.session,
         record = baseline_.record, statistic = choice_.statistic] {
            TaskSeconds seconds;
            for (const auto& [task, value] :
                 session::baselineSeconds(path, dir, session, record, statistic))
                seconds[task] = value;
            return seconds;
        },
        [this](const TaskSeconds& seconds) {
            choice_.baselineSeconds = seconds;
            askTimer_.start();
        });
}

void RecordSource::edit(const session::MetadataEdit& edit) {
    if (!shared_)
        return;
    request<std::vector<std::string>>(
        Edit, [path = shared_->workDir, edit] { return session::editMetadata(path, edit); },
        [this](const std::vector<std::string>& sentences) {
            QStringList texts;
            for (const std::string& sentence : sentences)
                texts << QString::fromStdString(sentence);
            emit edited(texts);
            sinceRefresh_.invalidate();
            refresh();
        },
        [this](const QString& message) { emit editFailed(message); });
}

QStringList RecordSource::chipsOf(const QString& filter) {
    QStringList chips;
    for (const database::FilterChip& chip : database::filterChips(filter.toStdString()))
        chips << QString::fromStdString(chip.text);
    return chips;
}

QString RecordSource::withoutChip(const QString& filter, int chip) {
    return QString::fromStdString(
        database::withoutFilterChip(filter.toStdString(), static_cast<std::size_t>(chip)));
}

QStringList RecordSource::fieldNames() {
    QStringList names;
    for (const database::FilterField& field : database::filterFields())
        names << QString::fromUtf8(field.name.data(), static_cast<qsizetype>(field.name.size())) +
                     QLatin1Char(':');
    return names;
}

} // namespace tilewright::ui
