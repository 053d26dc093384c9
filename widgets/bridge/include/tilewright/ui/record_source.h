// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/metadata_edit.h>
#include <tilewright/session/record_select.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/async_source.h>

#include <QElapsedTimer>
#include <QStringList>
#include <QTimer>

#include <map>
#include <memory>

namespace tilewright::ui {

/// The records of a work directory, filtered and sorted: a value, shared with whoever shows it.
struct RecordResult {
    QString workDir;
    session::RecordIndexPtr index;
    session::RecordChoice choice;
    session::RecordSelection selection;
    session::RecordCurve curve;
    double filterMs = 0; ///< what filtering and sorting took
};
using RecordResultPtr = std::shared_ptr<const RecordResult>;

/// Reads, filters, sorts and refreshes records in a worker thread: the first page at once, the rest
/// behind it. Also carries out changes of marks.
class RecordSource : public AsyncSource {
    Q_OBJECT

public:
    explicit RecordSource(QObject* parent = nullptr);
    ~RecordSource() override;

    /// Answered by resultChanged() (twice for large stores) or failed(). Empty = nothing open.
    void open(const QString& workDir);
    [[nodiscard]] QString workDir() const { return workDir_; }
    /// Null before the first answer.
    [[nodiscard]] RecordResultPtr result() const { return result_; }
    [[nodiscard]] QString problem() const { return problem_; }

    /// Reads what was added since, at most once a second.
    void refresh();

    // Each asks for a new result; several in one turn of the event loop are one.
    void setFilter(const QString& filter);
    void setStatuses(quint32 statuses);
    void setSort(const std::vector<session::RecordSort>& sort);
    void setStatistic(Statistic statistic);
    void setBaseline(const Baseline* baseline);
    [[nodiscard]] const session::RecordChoice& choice() const { return choice_; }

    /// Adds, removes and sets marks: through the engine when one runs, else in the store at once.
    /// Answered by edited() or editFailed(); the result follows.
    void edit(const session::MetadataEdit& edit);

    /// Chips of a filter, for the filter bar; `wrong` gets the index of one that does not parse.
    [[nodiscard]] static QStringList chipsOf(const QString& filter);
    [[nodiscard]] static QString withoutChip(const QString& filter, int chip);
    /// Names of fields for completion, with a colon.
    [[nodiscard]] static QStringList fieldNames();

signals:
    void resultChanged();
    /// Records read of how many; total 0 = done.
    void loadProgress(qint64 done, qint64 total);
    /// The filter does not parse (what is shown stays): place and length in UTF-16.
    void filterProblem(const QString& message, int offset, int length);
    void filterAccepted();
    void failed(const QString& message);
    void edited(const QStringList& sentences);
    void editFailed(const QString& message);

private:
    struct Shared;
    void ask();
    void load();
    void readRoofs();
    void readBaseline();
    void take(const RecordResultPtr& result);

    QString workDir_;
    QString problem_;
    session::RecordChoice choice_;
    Baseline baseline_;
    bool hasBaseline_ = false;
    std::shared_ptr<Shared> shared_;
    RecordResultPtr result_;
    QTimer askTimer_;
    QTimer refreshTimer_;
    QTimer progressTimer_;
    QElapsedTimer sinceRefresh_;
};

} // namespace tilewright::ui
