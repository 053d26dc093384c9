// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_page.h"

#include "compare_rows.h"
#include "record_compare.h"
#include "session_compare.h"
#include "side_header.h"

#include <tilewright/ui/compare_view.h>
#include <tilewright/ui/empty_state.h>
#include <tilewright/ui/icon.h>
#include <tilewright/ui/live_session.h>
#include <tilewright/ui/live_text.h>
#include <tilewright/ui/message_bar.h>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

namespace {

constexpr const char* kThresholdKey = "compare/thresholdPercent";

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString totalText(double seconds, double error) {
    if (seconds <= 0)
        return QStringLiteral("—");
    const session::ScaledUnit unit = session::latencyUnit(seconds);
    return QStringLiteral("%1 %2").arg(latencyWithUnit(seconds), errorText(seconds, error, unit));
}

} // namespace

ComparePage::ComparePage(const ViewContext& context, QWidget* parent)
    : Workspace(parent), context_(context), source_(new CompareSource(this)),
      stores_(new StoreTools(this)), left_(new QComboBox), right_(new QComboBox),
      swap_(new QToolButton), back_(new QToolButton), copy_(new QToolButton),
      threshold_(new QDoubleSpinBox), thresholdLabel_(new QLabel), bar_(new MessageBar),
      header_(new SideHeader), pages_(new QStackedWidget), empty_(new EmptyState),
      sessions_(new SessionCompare(context.settings)), records_(new RecordCompare(source_)),
      defaultsAction_(new QAction(this)), lastAction_(new QAction(this)),
      fileAction_(new QAction(this)) {
    setObjectName(QStringLiteral("compare"));
    build();
    connectAll();
    retranslate();
}

void ComparePage::build() {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(12, 8, 12, 12);
    page->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    back_->setObjectName(QStringLiteral("backToSessions"));
    back_->setIcon(themedIcon(QStringLiteral("back")));
    back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    left_->setObjectName(QStringLiteral("sideA"));
    right_->setObjectName(QStringLiteral("sideB"));
    for (QComboBox* box : {left_, right_}) {
        box->setMinimumWidth(180);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    }
    swap_->setObjectName(QStringLiteral("swapSides"));
    swap_->setIcon(themedIcon(QStringLiteral("swap")));
    copy_->setObjectName(QStringLiteral("copyDiff"));
    threshold_->setObjectName(QStringLiteral("threshold"));
    threshold_->setRange(0, 50);
    threshold_->setDecimals(1);
    threshold_->setSingleStep(0.5);
    threshold_->setSuffix(QStringLiteral(" %"));
    threshold_->setValue(
        context_.settings ? context_.settings->value(QLatin1String(kThresholdKey), 1.0).toDouble()
                          : 1.0);
    row->addWidget(back_);
    row->addWidget(new QLabel(QStringLiteral("A")));
    row->addWidget(left_, 1);
    row->addWidget(swap_);
    row->addWidget(new QLabel(QStringLiteral("B")));
    row->addWidget(right_, 1);
    row->addStretch(1);
    row->addWidget(copy_);
    row->addWidget(thresholdLabel_);
    row->addWidget(threshold_);
    page->addLayout(row);
    page->addWidget(bar_);
    page->addWidget(header_);
    empty_->setObjectName(QStringLiteral("compareEmpty"));
    empty_->setIconName(QStringLiteral("compare"));
    pages_->addWidget(empty_);
    pages_->addWidget(sessions_);
    pages_->addWidget(records_);
    page->addWidget(pages_, 1);
    header_->hide();
}

void ComparePage::connectAll() {
    AppState* state = context_.state;
    const auto add = [this](const char* id, void (RecordCompare::*slot)()) {
        auto* action = new QAction(this);
        action->setObjectName(QLatin1String(id));
        connect(action, &QAction::triggered, records_, slot);
        actions_ << action;
    };
    add("records.nextDifference", &RecordCompare::nextDifference);
    add("records.previousDifference", &RecordCompare::previousDifference);
    connect(state, &AppState::workDirChanged, this, [this] {
        overview_.reset();
        shown_.clear();
        if (open_)
            opened();
    });
    connect(state, &AppState::baselinesChanged, this, [this] {
        wantSessions_ = false;
        fillChoices();
        update();
    });
    connect(state, &AppState::recordsChanged, this, [this] {
        wantSessions_ = false;
        update();
    });
    connect(state, &AppState::statisticChanged, this, [this] { update(); });
    connect(context_.live, &LiveSession::stateChanged, this, [this] {
        if (open_)
            stores_->readOverview(context_.state->workDir());
    });
    connect(stores_, &StoreTools::overviewReady, this,
            [this](const QString& workDir, const StoreOverviewPtr& overview) {
                if (workDir != context_.state->workDir())
                    return;
                overview_ = overview;
                fillChoices();
                update();
            });
    connect(stores_, &StoreTools::overviewFailed, this,
            [this](const QString&, const QString& message) {
                showEmpty(tr("These results cannot be read"), message);
            });
    for (QComboBox* box : {left_, right_})
        connect(box, &QComboBox::activated, this, [this] {
            wantSessions_ = true;
            askSessions();
        });
    connect(swap_, &QToolButton::clicked, this, &ComparePage::swapSides);
    connect(back_, &QToolButton::clicked, this, [this] {
        wantSessions_ = true;
        update();
    });
    connect(copy_, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(source_->traceText(true)); });
    connect(threshold_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        if (context_.settings)
            context_.settings->setValue(QLatin1String(kThresholdKey), value);
        update();
    });
    connect(source_, &CompareSource::sessionsReady, this, &ComparePage::showSessions);
    connect(source_, &CompareSource::recordsReady, this, &ComparePage::showRecords);
    for (const auto signal : {&CompareSource::sessionsFailed, &CompareSource::recordsFailed})
        connect(source_, signal, this,
                [this](const QString& message) { bar_->showMessage(MessageBar::Error, message); });
    connect(sessions_, &SessionCompare::taskSelected, context_.state, &AppState::setTask);
    connect(sessions_, &SessionCompare::recordsWanted, this, [this](qint64 left, qint64 right) {
        const int a = left_->currentIndex();
        const int b = right_->currentIndex();
        if (a < 0 || b < 0)
            return;
        askRecords({{choices_[a].side.workDir, left}, {choices_[b].side.workDir, right}});
    });
    connect(defaultsAction_, &QAction::triggered, this, [this] {
        left_->setCurrentIndex(left_->findData(QStringLiteral("defaults")));
        wantSessions_ = true;
        askSessions();
    });
    connect(lastAction_, &QAction::triggered, this, [this] {
        if (left_->count() > 1)
            left_->setCurrentIndex(1);
        wantSessions_ = true;
        askSessions();
    });
    connect(fileAction_, &QAction::triggered, this, &ComparePage::pickFile);
}

QString ComparePage::title() const {
    return tr("Compare");
}

double ComparePage::threshold() const {
    return threshold_->value() / 100;
}

void ComparePage::opened() {
    open_ = true;
    if (context_.state->workDir().isEmpty()) {
        showEmpty(tr("Nothing to compare yet"),
                  tr("Open results first; then pick a baseline here."));
        return;
    }
    stores_->readOverview(context_.state->workDir());
    if (!overview_)
        showEmpty(tr("Reading sessions…"), {});
    else
        update();
}

void ComparePage::fillChoices() {
    if (!overview_)
        return;
    filling_ = true;
    const QString leftBefore = left_->currentData().toString();
    const QString rightBefore = right_->currentData().toString();
    const std::filesystem::path dir = context_.state->workDir().toStdString();
    choices_.clear();
    QStringList keys;
    const auto add = [&](const QString& key, const QString& name, const session::CompareSide& side,
                         qint64 record = -1) {
        choices_.append({name, side, record});
        keys << key;
    };
    add(QStringLiteral("defaults"), tr("Default schedules"), {dir, -1, true});
    for (const session::SessionSummary& summary : overview_->sessions)
        add(QStringLiteral("session%1").arg(summary.id),
            tr("Session %1 · %2")
                .arg(summary.id)
                .arg(text(summary.input).section(QLatin1Char('/'), -1)),
            {dir, summary.id, false});
    add(QStringLiteral("best"), tr("Best of all sessions"), {dir, -1, false});
    for (const Baseline& baseline : context_.state->baselines())
        if (baseline.record < 0)
            add(QStringLiteral("pin") + baseline.workDir + QString::number(baseline.session),
                tr("Pinned: %1").arg(baseline.label),
                {(baseline.workDir.isEmpty() ? context_.state->workDir() : baseline.workDir)
                     .toStdString(),
                 baseline.session, false});
    for (QComboBox* box : {left_, right_}) {
        box->clear();
        for (int i = 0; i < choices_.size(); ++i)
            box->addItem(choices_[i].text, keys[i]);
    }
    const auto choose = [](QComboBox* box, const QString& key, int otherwise) {
        const int index = key.isEmpty() ? -1 : box->findData(key);
        box->setCurrentIndex(index >= 0 ? index : otherwise);
    };
    // At first: what is pinned, else the session before, else the defaults, against the newest.
    const int sessions = static_cast<int>(overview_->sessions.size());
    const int pinned = static_cast<int>(choices_.size()) - 1;
    const bool isPinned = pinned >= 0 && keys[pinned].startsWith(QLatin1String("pin"));
    choose(left_, leftBefore, isPinned ? pinned : sessions >= 2 ? sessions - 1 : 0);
    choose(right_, rightBefore, std::max(0, sessions));
    filling_ = false;
}

void ComparePage::update() {
    if (!open_ || filling_ || !overview_)
        return;
    QVector<session::RecordRef> refs;
    const QVector<qint64> selected = context_.state->records();
    const std::filesystem::path dir = context_.state->workDir().toStdString();
    for (const Baseline& baseline : context_.state->baselines())
        if (baseline.record >= 0 && refs.isEmpty())
            refs.append({(baseline.workDir.isEmpty() ? context_.state->workDir() : baseline.workDir)
                             .toStdString(),
                         baseline.record});
    // Several selected ones are compared with each other, one with the pinned baseline.
    if (selected.size() >= 2)
        refs.clear();
    for (const qint64 record : selected)
        if (const session::RecordRef ref{dir, record}; !refs.contains(ref))
            refs.append(ref);
    if (refs.size() >= 2 && !wantSessions_)
        askRecords(refs);
    else
        askSessions();
}

void ComparePage::askSessions() {
    shown_.clear();
    back_->hide();
    copy_->hide();
    bar_->clear();
    const int a = left_->currentIndex();
    const int b = right_->currentIndex();
    if (a < 0 || b < 0 || a == b) {
        showEmpty(tr("Pick a baseline"),
                  overview_ && overview_->sessions.empty()
                      ? tr("There is no session in these results yet.")
                      : tr("A and B are the same. Compare with the session before, with the "
                           "default schedules, or with another file."));
        return;
    }
    source_->compareSessions(choices_[a].side, choices_[b].side, threshold(),
                             context_.state->statistic());
}

void ComparePage::askRecords(const QVector<session::RecordRef>& records) {
    shown_ = records;
    bar_->clear();
    source_->compareRecords(records, threshold(), context_.state->statistic());
}

void ComparePage::showEmpty(const QString& title, const QString& message) {
    header_->hide();
    empty_->setTitle(title);
    empty_->setText(message);
    empty_->setActions(overview_ ? QList<QAction*>{lastAction_, defaultsAction_, fileAction_}
                                 : QList<QAction*>{});
    pages_->setCurrentWidget(empty_);
}

void ComparePage::showSessions() {
    const SessionComparisonPtr comparison = source_->sessions();
    if (!comparison || !shown_.isEmpty())
        return;
    const auto side = [this](const session::SideFacts& facts, int choice) {
        SideText out;
        out.title = choices_.value(choice).text;
        QStringList line;
        if (facts.startedMs > 0)
            line << QLocale().toString(QDateTime::fromMSecsSinceEpoch(facts.startedMs),
                                       QLocale::ShortFormat);
        if (facts.trials > 0)
            line << tr("%1 trials").arg(groupedCount(facts.trials));
        if (!facts.target.empty())
            line << text(facts.target);
        out.line = line.join(QStringLiteral(" · "));
        out.figure = totalText(facts.total, facts.plusMinus);
        return out;
    };
    header_->setSides(side(comparison->left, left_->currentIndex()),
                      side(comparison->right, right_->currentIndex()));
    QString line;
    if (comparison->comparable > 0)
        line = tr("%1 %2 % over %3 comparable of %4 operators")
                   .arg(CompareRows::changeText(comparison->total),
                        CompareRows::intervalText(comparison->total))
                   .arg(comparison->comparable)
                   .arg(comparison->operators.size());
    const QStringList counts{
        tr("▼ %1 faster   ≈ %2 within noise").arg(comparison->faster).arg(comparison->same),
        tr("▲ %1 slower   ⊘ %2 not comparable")
            .arg(comparison->slower)
            .arg(comparison->notComparable)};
    header_->setVerdict(comparison->comparable > 0 ? CompareRows::headline(comparison->total)
                                                   : tr("⊘ nothing comparable"),
                        comparison->comparable > 0
                            ? CompareRows::verdictTone(comparison->total.verdict)
                            : Tone::Warning,
                        line, {}, counts);
    header_->show();
    sessions_->setComparison(comparison);
    pages_->setCurrentWidget(sessions_);
}

void ComparePage::showRecords() {
    const RecordComparisonPtr comparison = source_->records();
    if (!comparison || comparison->records.size() < 2 || shown_.isEmpty())
        return;
    const auto side = [](const session::RecordFacts& record, const QString& role) {
        SideText out;
        out.title = tr("record %1").arg(groupedCount(record.ref.record));
        out.note = record.session >= 0 ? tr("session %1").arg(record.session) : QString();
        if (!role.isEmpty())
            out.note += (out.note.isEmpty() ? QString() : QStringLiteral(" · ")) + role;
        out.line = text(record.task) + QStringLiteral(" · ") + text(record.settings);
        out.figure = record.seconds ? totalText(*record.seconds, record.plusMinus.value_or(0)) +
                                          tr("   n = %1").arg(record.samples)
                                    : text(record.status);
        if (record.seconds && record.flop > 1)
            out.figure += tr("   %1 GFLOPS")
                              .arg(QLocale().toString(record.flop / *record.seconds / 1e9, 'g', 3));
        return out;
    };
    header_->setSides(
        side(comparison->records[0], tr("baseline")),
        side(comparison->records[1],
             comparison->records.size() > 2
                 ? tr("and %n more", nullptr, static_cast<int>(comparison->records.size()) - 2)
                 : QString()));
    const session::Judgement& judgement = comparison->judgements[1];
    const bool judged = judgement.verdict == session::Verdict::Faster ||
                        judgement.verdict == session::Verdict::Slower ||
                        judgement.verdict == session::Verdict::Same;
    QString small =
        comparison->notComparable.empty() && comparison->refusal.empty()
            ? tr("95 % interval · noise band ± %1 %").arg(threshold_->value())
            : text(comparison->refusal.empty() ? comparison->notComparable : comparison->refusal);
    if (judgement.assumedNoise && judged)
        small = tr("one sample on a side: 5 % noise assumed");
    header_->setVerdict(CompareRows::headline(judgement),
                        CompareRows::verdictTone(judgement.verdict),
                        judged ? CompareRows::changeText(judgement) + QLatin1Char(' ') +
                                     CompareRows::intervalText(judgement) + QStringLiteral(" %")
                               : QString(),
                        small);
    header_->show();
    back_->show();
    copy_->setVisible(comparison->refusal.empty());
    records_->showComparison();
    pages_->setCurrentWidget(records_);
}

void ComparePage::swapSides() {
    if (!shown_.isEmpty()) {
        QVector<session::RecordRef> swapped = shown_;
        std::swap(swapped[0], swapped[1]);
        askRecords(swapped);
        return;
    }
    const int a = left_->currentIndex();
    left_->setCurrentIndex(right_->currentIndex());
    right_->setCurrentIndex(a);
    wantSessions_ = true;
    askSessions();
}

void ComparePage::pickFile() {
    auto* dialog = new QFileDialog(this, tr("Baseline"), {}, tr("Results (*.twdb);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        QVector<Baseline> baselines = context_.state->baselines();
        Baseline baseline;
        baseline.workDir = file;
        baseline.label = file.section(QLatin1Char('/'), -2);
        baselines.prepend(baseline);
        context_.state->setBaselines(baselines);
    });
    dialog->open();
}

void ComparePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fillChoices();
        if (shown_.isEmpty())
            showSessions();
        else
            showRecords();
    }
    Workspace::changeEvent(event);
}

void ComparePage::retranslate() {
    setAccessibleName(tr("Compare"));
    left_->setAccessibleName(tr("Baseline, A"));
    right_->setAccessibleName(tr("Candidate, B"));
    swap_->setToolTip(tr("Swap A and B"));
    swap_->setAccessibleName(tr("Swap A and B"));
    back_->setText(tr("Sessions"));
    copy_->setText(tr("Copy as text"));
    copy_->setToolTip(tr("Copies the differences of the two schedules"));
    thresholdLabel_->setText(tr("Threshold"));
    threshold_->setAccessibleName(tr("Threshold"));
    threshold_->setToolTip(tr("Changes below it count as noise"));
    defaultsAction_->setText(tr("Default schedules"));
    lastAction_->setText(tr("Session before"));
    fileAction_->setText(tr("Another file…"));
}

Workspace* createCompareView(ViewContext& context, QWidget* parent) {
    return new ComparePage(context, parent);
}

} // namespace tilewright::ui
