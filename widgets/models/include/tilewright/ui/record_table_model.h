// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/live_curve.h>
#include <tilewright/ui/record_source.h>

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>
#include <vector>

namespace tilewright::ui {

/// A million records as a table. Sorts by asking: sort() emits sortRequested(), and the answer
/// comes with the next setResult(). The sort before stays as the second key.
class RecordTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        IdColumn,
        LatencyColumn,
        ErrorColumn,
        SamplesColumn,
        RateColumn,
        RoofColumn,
        DeltaColumn,
        StatusColumn,
        TaskColumn,
        TrialColumn,
        RoundColumn,
        PredictedColumn,
        DeviceColumn,
        SessionColumn,
        AgeColumn,
        TagsColumn,
        ColumnCount
    };

    explicit RecordTableModel(QObject* parent = nullptr);

    /// Null empties the table.
    void setResult(const RecordResultPtr& result);
    [[nodiscard]] RecordResultPtr result() const { return result_; }
    [[nodiscard]] qint64 idAt(int row) const;
    /// Row of a record, -1 = not shown.
    [[nodiscard]] int rowOf(qint64 id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    /// `14 min`, `2 d`.
    [[nodiscard]] static QString ageText(qint64 milliseconds);

signals:
    void sortRequested(const std::vector<tilewright::session::RecordSort>& sort);

private:
    struct Delta {
        double share = 0; ///< change against the baseline, 0.1 = 10 % slower
        bool noise = false;
    };
    [[nodiscard]] QString displayText(quint32 row, int column) const;
    [[nodiscard]] QVariant exported(quint32 row, int column) const;
    [[nodiscard]] QVariant tone(quint32 row, int column) const;
    [[nodiscard]] QString tooltip(quint32 row, int column) const;
    [[nodiscard]] QStringList tags(quint32 row) const;
    [[nodiscard]] double seconds(quint32 row) const;
    [[nodiscard]] std::optional<Delta> delta(quint32 row) const;
    [[nodiscard]] std::optional<double> roofShare(quint32 row) const;
    [[nodiscard]] QString rateText(quint32 row) const;
    [[nodiscard]] QString statisticName() const;

    RecordResultPtr result_;
    session::ScaledUnit unit_;
    qint64 now_ = 0;
    std::vector<session::RecordSort> sort_;
};

} // namespace tilewright::ui
