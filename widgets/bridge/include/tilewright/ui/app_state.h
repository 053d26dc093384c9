// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QVector>

namespace tilewright::ui {

/// Something that others are compared with: a session, or one record of a work directory.
struct Baseline {
    QString workDir;
    qint64 session = -1; ///< -1 = none named: the record alone
    qint64 record = -1;  ///< -1 = the whole session
    QString label;
    bool operator==(const Baseline&) const = default;
};

/// Which number stands for the samples of a measurement.
enum class Statistic : quint8 { Median, Min, Mean, P95 };

/// The one selection and filter of the window. Views observe it and set it, never each other.
/// Setters ignore equal values. What is selected (session, task, records) has a history.
class AppState : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString workDir READ workDir WRITE setWorkDir NOTIFY workDirChanged)
    Q_PROPERTY(QString modelPath READ modelPath WRITE setModelPath NOTIFY modelChanged)
    Q_PROPERTY(QString target READ target WRITE setTarget NOTIFY targetChanged)
    Q_PROPERTY(qint64 session READ session WRITE setSession NOTIFY sessionChanged)
    Q_PROPERTY(qint64 task READ task WRITE setTask NOTIFY taskChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)

public:
    explicit AppState(QObject* parent = nullptr);

    [[nodiscard]] QString workDir() const { return workDir_; }
    [[nodiscard]] QString modelPath() const { return modelPath_; }
    [[nodiscard]] QString target() const { return target_; }
    /// -1 = the newest one.
    [[nodiscard]] qint64 session() const { return place_.session; }
    /// -1 = none.
    [[nodiscard]] qint64 task() const { return place_.task; }
    [[nodiscard]] QVector<qint64> records() const { return place_.records; }
    [[nodiscard]] QVector<Baseline> baselines() const { return baselines_; }
    /// Text of the filter language.
    [[nodiscard]] QString filter() const { return filter_; }
    [[nodiscard]] Statistic statistic() const { return statistic_; }

    /// Another directory: session, task, records and their history go, baselines stay.
    void setWorkDir(const QString& workDir);
    void setModelPath(const QString& modelPath);
    void setTarget(const QString& target);
    void setSession(qint64 session);
    void setTask(qint64 task);
    void setRecords(const QVector<qint64>& records);
    void setBaselines(const QVector<Baseline>& baselines);
    void setFilter(const QString& filter);
    void setStatistic(Statistic statistic);

    [[nodiscard]] bool canGoBack() const { return !past_.isEmpty(); }
    [[nodiscard]] bool canGoForward() const { return !future_.isEmpty(); }

public slots:
    void back();
    void forward();

signals:
    void workDirChanged(const QString& workDir);
    void modelChanged(const QString& modelPath);
    void targetChanged(const QString& target);
    void sessionChanged(qint64 session);
    void taskChanged(qint64 task);
    void recordsChanged(const QVector<qint64>& records);
    void baselinesChanged();
    void filterChanged(const QString& filter);
    void statisticChanged(tilewright::ui::Statistic statistic);
    /// canGoBack() or canGoForward() may have changed.
    void historyChanged();

private:
    struct Place {
        qint64 session = -1;
        qint64 task = -1;
        QVector<qint64> records;
        bool operator==(const Place&) const = default;
    };
    void goTo(const Place& place);
    void remember();

    QString workDir_;
    QString modelPath_;
    QString target_;
    QString filter_;
    Statistic statistic_ = Statistic::Median;
    QVector<Baseline> baselines_;
    Place place_;
    QVector<Place> past_;
    QVector<Place> future_;
};

} // namespace tilewright::ui
