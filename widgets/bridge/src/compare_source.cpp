// SPDX-License-Identifier: GPL-3.0-or-later
#include <tilewright/session/decision_table.h>
#include <tilewright/ui/compare_source.h>

#include <map>

namespace tilewright::ui {

namespace {

enum Tag { Sessions = 1, Records, Code };

session::CodeKind kindOf(session::RecordForm form) {
    switch (form) {
    case session::RecordForm::Llvm:
        return session::CodeKind::Llvm;
    case session::RecordForm::Asm:
        return session::CodeKind::Assembly;
    case session::RecordForm::Tir:
    case session::RecordForm::Python:
        return session::CodeKind::Script;
    default:
        return session::CodeKind::Plain;
    }
}

} // namespace

/// Texts of the two records, made once; only the worker touches it.
struct CompareSource::TextCache {
    std::map<session::RecordForm, std::pair<std::string, std::string>> texts;

    const std::pair<std::string, std::string>&
    of(session::RecordForm form, const session::RecordRef& left, const session::RecordRef& right) {
        const auto found = texts.find(form);
        if (found != texts.end())
            return found->second;
        const auto text = [&](const session::RecordRef& ref) {
            const database::StoreReader reader(ref.workDir);
            return session::RecordView(reader, database::RecordId(ref.record)).text(form);
        };
        return texts.emplace(form, std::pair(text(left), text(right))).first->second;
    }
};

CompareSource::CompareSource(QObject* parent) : AsyncSource(parent) {}

CompareSource::~CompareSource() {
    shutDown();
}

void CompareSource::compareSessions(const session::CompareSide& left,
                                    const session::CompareSide& right, double threshold,
                                    Statistic statistic) {
    session::SessionCompareOptions options;
    options.threshold = threshold;
    options.statistic = static_cast<session::Statistic>(statistic);
    request<SessionComparisonPtr>(
        Sessions,
        [left, right, options] {
            return std::make_shared<const session::SessionComparison>(
                session::compareSessions(left, right, options));
        },
        [this](const SessionComparisonPtr& comparison) {
            sessions_ = comparison;
            emit sessionsReady();
        },
        [this](const QString& message) {
            sessions_.reset();
            emit sessionsFailed(message);
        });
}

void CompareSource::compareRecords(const QVector<session::RecordRef>& records, double threshold,
                                   Statistic statistic) {
    forget(Code);
    if (records != refs_)
        texts_ = std::make_shared<TextCache>();
    refs_ = records;
    request<RecordComparisonPtr>(
        Records,
        [list = std::vector<session::RecordRef>(records.begin(), records.end()), threshold,
         statistic] {
            return std::make_shared<const session::RecordComparison>(session::compareRecords(
                list, threshold, static_cast<session::Statistic>(statistic)));
        },
        [this](const RecordComparisonPtr& comparison) {
            records_ = comparison;
            emit recordsReady();
        },
        [this](const QString& message) {
            records_.reset();
            emit recordsFailed(message);
        });
}

void CompareSource::compareCode(session::RecordForm form, const session::NormalizeOptions& options,
                                bool foldEqual) {
    if (refs_.size() < 2)
        return;
    constexpr int context = 2;
    request<SideBySidePtr>(
        Code,
        [texts = texts_, form, options, left = refs_[0], right = refs_[1], foldEqual] {
            const auto& [a, b] = texts->of(form, left, right);
            return std::make_shared<const session::SideBySide>(
                session::compareCode(a, b, kindOf(form), options, foldEqual ? context : -1));
        },
        [this, form](const SideBySidePtr& code) { emit codeReady(form, code); },
        [this, form](const QString& message) { emit codeFailed(form, message); });
}

QString CompareSource::traceText(bool differencesOnly) const {
    return records_
               ? QString::fromStdString(session::traceDiffText(records_->trace, differencesOnly))
               : QString();
}

} // namespace tilewright::ui
