// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/record_source.h>

#include <QHash>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace tilewright::ui {

class Chip;

/// The line above the records: how many ended how, as toggles; quick filters; what is shown.
class StateRow : public QWidget {
    Q_OBJECT

public:
    explicit StateRow(QWidget* parent = nullptr);

    void setResult(const RecordResultPtr& result);
    /// Which quick filters are part of the filter now.
    void setFilter(const QString& filter);

signals:
    void statusesChosen(quint32 statuses);
    /// A quick filter was pressed: the whole new filter.
    void filterChosen(const QString& filter);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void toggleTerm(const QString& term, bool on);

    QHBoxLayout* chipRow_;
    QHash<int, Chip*> chips_;
    QHash<QString, QToolButton*> terms_;
    QLabel* counts_;
    RecordResultPtr result_;
    QString filter_;
};

} // namespace tilewright::ui
