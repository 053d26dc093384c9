// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tilewright/session/compare_records.h>
#include <tilewright/session/compare_sessions.h>
#include <tilewright/session/record_view.h>
#include <tilewright/session/side_by_side.h>
#include <tilewright/ui/app_state.h>
#include <tilewright/ui/async_source.h>

#include <QString>
#include <QVector>

#include <memory>

namespace tilewright::ui {

using SessionComparisonPtr = std::shared_ptr<const session::SessionComparison>;
using RecordComparisonPtr = std::shared_ptr<const session::RecordComparison>;
using SideBySidePtr = std::shared_ptr<const session::SideBySide>;

/// Compares sessions, records and their code in a worker thread.
class CompareSource : public AsyncSource {
    Q_OBJECT

public:
    explicit CompareSource(QObject* parent = nullptr);
    ~CompareSource() override;

    /// sessionsReady() or sessionsFailed().
    void compareSessions(const session::CompareSide& left, const session::CompareSide& right,
                         double threshold, Statistic statistic);
    /// recordsReady() or recordsFailed(). Forgets code that was asked for before.
    void compareRecords(const QVector<session::RecordRef>& records, double threshold,
                        Statistic statistic);
    /// The first two records' code in a form (Tir, Llvm, Asm, Python): codeReady() or codeFailed().
    void compareCode(session::RecordForm form, const session::NormalizeOptions& options,
                     bool foldEqual);

    [[nodiscard]] SessionComparisonPtr sessions() const { return sessions_; }
    [[nodiscard]] RecordComparisonPtr records() const { return records_; }
    /// The differences of the two traces as text, for the clipboard.
    [[nodiscard]] QString traceText(bool differencesOnly) const;

signals:
    void sessionsReady();
    void sessionsFailed(const QString& message);
    void recordsReady();
    void recordsFailed(const QString& message);
    void codeReady(tilewright::session::RecordForm form, tilewright::ui::SideBySidePtr code);
    void codeFailed(tilewright::session::RecordForm form, const QString& message);

private:
    SessionComparisonPtr sessions_;
    RecordComparisonPtr records_;
    QVector<session::RecordRef> refs_;
    struct TextCache;
    std::shared_ptr<TextCache> texts_;
};

} // namespace tilewright::ui
