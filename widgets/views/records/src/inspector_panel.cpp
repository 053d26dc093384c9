// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspector_panel.h"

#include "decision_page.h"

#include <tilewright/ui/app_state.h>
#include <tilewright/ui/cell_table_model.h>
#include <tilewright/ui/code_view.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/inspector.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>
#include <tilewright/ui/records_view.h>
#include <tilewright/ui/samples_plot.h>
#include <tilewright/ui/table_view.h>
#include <tilewright/ui/theme.h>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tilewright::ui {

using session::RecordForm;

InspectorPanel::InspectorPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), source_(new InspectorSource(this)), frame_(new Inspector),
      empty_(new EmptyState), bar_(new MessageBar), latency_(new QLabel), interval_(new QLabel),
      verdict_(new QLabel), samplesTitle_(new QLabel), smallSamples_(new SamplesPlot),
      facts_(new FactList), compare_(new QPushButton), measure_(new QPushButton),
      pin_(new QPushButton), trace_(makeCode(RecordForm::Python)),
      decisions_(new DecisionPage(source_)), ir_(makeCode(RecordForm::Tir)),
      asm_(makeCode(RecordForm::Asm)), asmForm_(new QComboBox), samples_(new SamplesPlot),
      samplesNote_(new QLabel), featureModel_(new CellTableModel(this)), features_(new TableView),
      environment_(new FactList), note_(new QPlainTextEdit), saveNote_(new QPushButton) {
    setObjectName(QStringLiteral("recordInspector"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(bar_);
    all->addWidget(frame_, 1);
    const auto scrolled = [](QWidget* content) {
        auto* area = new QScrollArea;
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setWidget(content);
        return area;
    };
    auto* asmPage = new QWidget;
    auto* asmLayout = new QVBoxLayout(asmPage);
    asmLayout->setContentsMargins(0, 4, 0, 0);
    asmForm_->setObjectName(QStringLiteral("asmForm"));
    asmForm_->addItems({QString(), QString()});
    asmLayout->addWidget(asmForm_, 0, Qt::AlignLeft);
    asmLayout->addWidget(asm_, 1);
    auto* samplePage = new QWidget;
    auto* sampleLayout = new QVBoxLayout(samplePage);
    samples_->setObjectName(QStringLiteral("samples"));
    samplesNote_->setWordWrap(true);
    samplesNote_->setProperty("role", QStringLiteral("secondary"));
    sampleLayout->addWidget(samples_, 1);
    sampleLayout->addWidget(samplesNote_);
    features_->setObjectName(QStringLiteral("features"));
    features_->setModel(featureModel_);
    auto* environmentPage = new QWidget;
    auto* environmentLayout = new QVBoxLayout(environmentPage);
    environmentLayout->addWidget(environment_);
    environmentLayout->addStretch(1);
    frame_->addPage(QStringLiteral("summary"), {}, scrolled(makeSummary()));
    frame_->addPage(QStringLiteral("trace"), {}, trace_);
    frame_->addPage(QStringLiteral("decisions"), {}, decisions_);
    frame_->addPage(QStringLiteral("ir"), {}, ir_);
    frame_->addPage(QStringLiteral("asm"), {}, asmPage);
    frame_->addPage(QStringLiteral("samples"), {}, samplePage);
    frame_->addPage(QStringLiteral("features"), {}, features_);
    frame_->addPage(QStringLiteral("environment"), {}, scrolled(environmentPage));
    frame_->addPage(QStringLiteral("notes"), {}, makeNotes());
    empty_->setIconName(QStringLiteral("inspector"));
    frame_->setEmptyWidget(empty_);
    frame_->setEmpty(true);
    connectAll();
    retranslate();
    follow();
}

CodeView* InspectorPanel::makeCode(RecordForm form) {
    auto* view = new CodeView;
    view->setReadOnly(true);
    view->setLanguage(form == RecordForm::Tir    ? CodeView::Tir
                      : form == RecordForm::Asm  ? CodeView::Asm
                      : form == RecordForm::Llvm ? CodeView::Llvm
                                                 : CodeView::Python);
    view->setObjectName(form == RecordForm::Tir   ? QStringLiteral("irCode")
                        : form == RecordForm::Asm ? QStringLiteral("asmCode")
                                                  : QStringLiteral("traceCode"));
    return view;
}

QWidget* InspectorPanel::makeSummary() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(8);
    auto* number = new QHBoxLayout;
    latency_->setObjectName(QStringLiteral("inspectorLatency"));
    latency_->setFont(Theme::fontOf(this, Theme::Big));
    interval_->setProperty("role", QStringLiteral("secondary"));
    number->addWidget(latency_);
    number->addWidget(interval_, 0, Qt::AlignBottom);
    number->addStretch(1);
    column->addLayout(number);
    verdict_->setObjectName(QStringLiteral("inspectorVerdict"));
    verdict_->setWordWrap(true);
    column->addWidget(verdict_);
    samplesTitle_->setFont(Theme::fontOf(this, Theme::Title));
    column->addWidget(samplesTitle_);
    smallSamples_->setObjectName(QStringLiteral("smallSamples"));
    smallSamples_->setMinimumHeight(130);
    smallSamples_->setMaximumHeight(150);
    column->addWidget(smallSamples_);
    column->addWidget(facts_);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    compare_->setObjectName(QStringLiteral("inspectorCompare"));
    compare_->setProperty("primary", true);
    measure_->setObjectName(QStringLiteral("inspectorMeasure"));
    pin_->setObjectName(QStringLiteral("inspectorPin"));
    for (QPushButton* button : {compare_, measure_, pin_})
        buttons->addWidget(button);
    buttons->addStretch(1);
    column->addLayout(buttons);
    return page;
}

QWidget* InspectorPanel::makeNotes() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 12);
    note_->setObjectName(QStringLiteral("note"));
    saveNote_->setObjectName(QStringLiteral("saveNote"));
    column->addWidget(note_, 1);
    column->addWidget(saveNote_, 0, Qt::AlignLeft);
    return page;
}

void InspectorPanel::connectAll() {
    AppState* state = context_.state;
    connect(state, &AppState::recordsChanged, this, &InspectorPanel::follow);
    connect(state, &AppState::workDirChanged, this, &InspectorPanel::follow);
    connect(state, &AppState::baselinesChanged, this, &InspectorPanel::follow);
    connect(state, &AppState::statisticChanged, this, &InspectorPanel::follow);
    connect(frame_, &Inspector::pageChanged, this, &InspectorPanel::loadPage);
    connect(source_, &InspectorSource::ready, this, &InspectorPanel::showDetails);
    connect(source_, &InspectorSource::failed, this, [this](const QString& message) {
        frame_->setEmpty(true);
        empty_->setTitle(tr("This record cannot be shown"));
        empty_->setText(message);
    });
    connect(source_, &InspectorSource::textReady, this,
            [this](RecordForm form, const QString& text) {
                (form == RecordForm::Tir      ? ir_
                 : form == RecordForm::Python ? trace_
                                              : asm_)
                    ->setCode(text);
            });
    connect(source_, &InspectorSource::textFailed, this,
            [this](RecordForm form, const QString& message) {
                if (form == RecordForm::Json)
                    featureModel_->setRows({}, {});
                else
                    (form == RecordForm::Tir      ? ir_
                     : form == RecordForm::Python ? trace_
                                                  : asm_)
                        ->setCode(message);
                bar_->showMessage(MessageBar::Warning, message);
            });
    connect(source_, &InspectorSource::featuresReady, this, &InspectorPanel::showFeatures);
    connect(source_, &InspectorSource::measureStarted, this, [this] {
        measure_->setEnabled(false);
        bar_->showMessage(MessageBar::Info, tr("Measuring…"), tr("Cancel"));
    });
    connect(source_, &InspectorSource::measured, this,
            [this](qint64 record, const QString& summary) {
                measure_->setEnabled(true);
                bar_->showMessage(MessageBar::Info,
                                  tr("Measured as record %1: %2").arg(record).arg(summary));
                context_.state->setRecords({record});
            });
    connect(source_, &InspectorSource::measureFailed, this, [this](const QString& message) {
        measure_->setEnabled(true);
        bar_->showMessage(MessageBar::Error, message);
    });
    connect(source_, &InspectorSource::noteSaved, this,
            [this] { bar_->showMessage(MessageBar::Info, tr("Note saved")); });
    connect(source_, &InspectorSource::noteFailed, this,
            [this](const QString& message) { bar_->showMessage(MessageBar::Error, message); });
    connect(bar_, &MessageBar::actionTriggered, this, [this] {
        source_->cancelMeasure();
        bar_->clear();
    });
    connect(compare_, &QPushButton::clicked, this,
            [this] { context_.trigger(QStringLiteral("workspace.compare")); });
    connect(measure_, &QPushButton::clicked, this, [this] { source_->measure(); });
    connect(pin_, &QPushButton::clicked, this, &InspectorPanel::pinRecord);
    connect(saveNote_, &QPushButton::clicked, this,
            [this] { source_->setNote(note_->toPlainText()); });
    connect(asmForm_, &QComboBox::activated, this, [this](int index) {
        asm_->setLanguage(index == 0 ? CodeView::Asm : CodeView::Llvm);
        asm_->setCode({});
        loaded_.remove(static_cast<int>(index == 0 ? RecordForm::Asm : RecordForm::Llvm));
        loadPage();
    });
    auto* notes = new QAction(this);
    notes->setObjectName(QStringLiteral("inspector.notes"));
    connect(notes, &QAction::triggered, this, [this] {
        frame_->showPage(QStringLiteral("notes"));
        note_->setFocus();
    });
    addAction(notes);
}

void InspectorPanel::follow() {
    const QVector<qint64> records = context_.state->records();
    const qint64 record = records.isEmpty() ? -1 : records.last();
    const QVector<Baseline> baselines = context_.state->baselines();
    const Baseline* baseline = nullptr;
    for (const Baseline& candidate : baselines)
        if (!baseline && candidate.record >= 0)
            baseline = &candidate;
    if (record != source_->record() || context_.state->workDir() != source_->workDir()) {
        loaded_.clear();
        featuresAsked_ = false;
        for (CodeView* view : {trace_, ir_, asm_})
            view->setCode({});
    }
    source_->show(context_.state->workDir(), record, baseline, context_.state->statistic());
    if (record < 0) {
        frame_->setEmpty(true);
        empty_->setTitle(tr("No record selected"));
        empty_->setText(tr("Select a record in a table or plot to see its schedule, code and "
                           "samples."));
    }
}

void InspectorPanel::showDetails() {
    const RecordDetailsPtr details = source_->details();
    if (!details)
        return;
    frame_->setEmpty(false);
    frame_->setTitle(
        tr("record %1").arg(groupedCount(details->facts.ref.record)),
        QString::fromStdString(details->facts.task) +
            (details->facts.session >= 0 ? tr(" · session %1").arg(details->facts.session)
                                         : QString()) +
            (details->facts.round ? tr(" · round %1").arg(*details->facts.round) : QString()));
    frame_->setBadge(details->best ? tr("★ best") : QString());
    showSummary(*details);
    showSamples(*details);
    showEnvironment(*details);
    decisions_->showDetails();
    trace_->setCode(QString::fromStdString(details->python.empty() ? details->decisionProblem
                                                                   : details->python));
    note_->setPlainText(QString::fromStdString(details->marks.note));
    loadPage();
}

void InspectorPanel::loadPage() {
    if (!source_->details())
        return;
    const QString page = frame_->currentPage();
    const auto want = [this](RecordForm form) {
        if (!std::exchange(loaded_[static_cast<int>(form)], true))
            source_->readText(form);
    };
    if (page == QLatin1String("ir"))
        want(RecordForm::Tir);
    else if (page == QLatin1String("asm"))
        want(asmForm_->currentIndex() == 0 ? RecordForm::Asm : RecordForm::Llvm);
    else if (page == QLatin1String("features") && !std::exchange(featuresAsked_, true))
        source_->readFeatures();
}

void InspectorPanel::pinRecord() {
    if (source_->record() < 0)
        return;
    QVector<Baseline> baselines = context_.state->baselines();
    const auto same = [this](const Baseline& baseline) {
        return baseline.record == source_->record() && baseline.workDir == source_->workDir();
    };
    const auto end = std::remove_if(baselines.begin(), baselines.end(), same);
    if (end != baselines.end()) {
        baselines.erase(end, baselines.end());
    } else {
        Baseline baseline;
        baseline.workDir = source_->workDir();
        baseline.record = source_->record();
        baseline.label = tr("record %1").arg(groupedCount(source_->record()));
        baselines.prepend(baseline);
    }
    context_.state->setBaselines(baselines);
}

void InspectorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    loadPage();
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showDetails();
    }
    QWidget::changeEvent(event);
}

void InspectorPanel::retranslate() {
    setAccessibleName(tr("Inspector"));
    const QVector<QPair<QString, QString>> pages{{QStringLiteral("summary"), tr("Summary")},
                                                 {QStringLiteral("trace"), tr("Trace")},
                                                 {QStringLiteral("decisions"), tr("Decisions")},
                                                 {QStringLiteral("ir"), tr("IR")},
                                                 {QStringLiteral("asm"), tr("Asm")},
                                                 {QStringLiteral("samples"), tr("Samples")},
                                                 {QStringLiteral("features"), tr("Features")},
                                                 {QStringLiteral("environment"), tr("Environment")},
                                                 {QStringLiteral("notes"), tr("Notes")}};
    for (const auto& [id, title] : pages)
        frame_->setPageTitle(id, title);
    samplesTitle_->setText(tr("Samples"));
    compare_->setText(tr("Compare"));
    measure_->setText(tr("Re-measure"));
    measure_->setToolTip(tr("Builds, runs and verifies it again; adds a record"));
    pin_->setText(tr("Pin"));
    pin_->setToolTip(tr("Makes this record the baseline, or no longer"));
    saveNote_->setText(tr("Save note"));
    note_->setPlaceholderText(tr("What is worth remembering about this record"));
    note_->setAccessibleName(tr("Note"));
    asmForm_->setItemText(0, tr("Assembly"));
    asmForm_->setItemText(1, tr("LLVM IR"));
    asmForm_->setAccessibleName(tr("Form of the code"));
    trace_->setAccessibleName(tr("Trace"));
    ir_->setAccessibleName(tr("Scheduled IR"));
    asm_->setAccessibleName(tr("Machine code"));
    samples_->setSubject(tr("Samples of the record"));
    samples_->setAccessibleName(tr("Samples"));
    smallSamples_->setAccessibleName(tr("Samples"));
    features_->setAccessibleName(tr("Features"));
}

QWidget* createInspector(ViewContext& context, QWidget* parent) {
    return new InspectorPanel(context, parent);
}

} // namespace tilewright::ui
