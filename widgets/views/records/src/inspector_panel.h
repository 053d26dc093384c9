// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/ui/inspector_source.h>
#include <tilewright/ui/view_context.h>

#include <QHash>
#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

class CellTableModel;
class CodeView;
class DecisionPage;
class EmptyState;
class FactList;
class Inspector;
class MessageBar;
class SamplesPlot;
class TableView;

/// See createInspector().
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    InspectorPanel(const ViewContext& context, QWidget* parent);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeSummary();
    QWidget* makeNotes();
    CodeView* makeCode(session::RecordForm form);
    void connectAll();
    void follow();
    void showDetails();
    void showSummary(const session::RecordDetails& details);
    void showSamples(const session::RecordDetails& details);
    void showEnvironment(const session::RecordDetails& details);
    void showFeatures(const session::RecordFeatures& features);
    void loadPage();
    void pinRecord();
    void retranslate();

    ViewContext context_;
    InspectorSource* source_;
    Inspector* frame_;
    EmptyState* empty_;
    MessageBar* bar_;
    QLabel* latency_;
    QLabel* interval_;
    QLabel* verdict_;
    QLabel* samplesTitle_;
    SamplesPlot* smallSamples_;
    FactList* facts_;
    QPushButton* compare_;
    QPushButton* measure_;
    QPushButton* pin_;
    CodeView* trace_;
    DecisionPage* decisions_;
    CodeView* ir_;
    CodeView* asm_;
    QComboBox* asmForm_;
    SamplesPlot* samples_;
    QLabel* samplesNote_;
    CellTableModel* featureModel_;
    TableView* features_;
    FactList* environment_;
    QPlainTextEdit* note_;
    QPushButton* saveNote_;
    QHash<int, bool> loaded_; ///< forms asked for, of the record shown
    bool featuresAsked_ = false;
};

} // namespace tilewright::ui
