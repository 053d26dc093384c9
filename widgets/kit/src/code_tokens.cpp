// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_tokens.h"

#include <QRegularExpression>

namespace tilewright::ui {

namespace {

constexpr char kStrings[] = R"("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)";
constexpr char kNumbers[] = R"((?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)(?!\w))";

QRegularExpression expression(const QStringList& parts) {
    QRegularExpression made(parts.join(QLatin1Char('|')));
    made.optimize();
    return made;
}

QString part(const char* name, const QString& text) {
    return QStringLiteral("(?<%1>%2)").arg(QLatin1String(name), text);
}

QRegularExpression pythonRules() {
    return expression(
        {part("c", QStringLiteral("#.*$")), part("s", QLatin1String(kStrings)),
         part("n", QStringLiteral(R"(@[\w.]+|\b(?:T|I|R|s|sch)\.\w+(?:\.\w+)*)")),
         part("k",
              QStringLiteral(R"(\b(?:for|in|def|with|if|elif|else|while|return|import|from|as|)"
                             R"(class|and|or|not|True|False|None|pass|lambda|is|assert)\b)")),
         part("d", QLatin1String(kNumbers))});
}

QRegularExpression llvmRules() {
    return expression(
        {part("c", QStringLiteral(";.*$")), part("s", QLatin1String(kStrings)),
         part("l", QStringLiteral(R"(^[\w.$-]+:|[!#]\w+)")),
         part(
             "k",
             QStringLiteral(
                 R"(\b(?:define|declare|br|ret|switch|phi|load|store|call|tail|getelementptr|)"
                 R"(inbounds|icmp|fcmp|select|add|fadd|sub|fsub|mul|fmul|fdiv|sdiv|udiv|srem|urem|)"
                 R"(and|or|xor|shl|lshr|ashr|trunc|zext|sext|bitcast|sitofp|fptosi|extractelement|)"
                 R"(insertelement|shufflevector|alloca|unreachable|fast|nsw|nuw|nuw|label|align|)"
                 R"(attributes|target|source_filename|constant|global|private|internal|unnamed_addr)\b)")),
         part("n", QStringLiteral(R"(\b(?:i\d+|float|double|half|bfloat|ptr|void|metadata)\b)"
                                  R"(|<\d+ x \w+>|@[\w.$]+)")),
         part("d", QLatin1String(kNumbers))});
}

QRegularExpression asmRules() {
    return expression(
        {part("c", QStringLiteral(R"([#;](?![\d-]).*$|//.*$)")), part("s", QLatin1String(kStrings)),
         part("l", QStringLiteral(R"(^\s*[.\w$@]+:)")),
         part("n", QStringLiteral(R"(%\w+|\b[xyz]mm\d+\b|\b[vxfst]\d{1,2}\b|\b[er]?[abcd]x\b)"
                                  R"(|\br(?:\d+[dwb]?|[sd]i|[sb]p|ip)\b)")),
         part("k", QStringLiteral(R"((?<=^\t|^ )\s*[a-z][\w.]*|^\s*\.\w+)")),
         part("d", QLatin1String(kNumbers))});
}

QRegularExpression jsonRules() {
    return expression({part("l", QStringLiteral(R"("(?:[^"\\]|\\.)*"(?=\s*:))")),
                       part("s", QLatin1String(kStrings)),
                       part("k", QStringLiteral(R"(\b(?:true|false|null)\b)")),
                       part("d", QLatin1String(kNumbers))});
}

const QRegularExpression* rulesOf(CodeView::Language language) {
    static const QRegularExpression python = pythonRules();
    static const QRegularExpression llvm = llvmRules();
    static const QRegularExpression assembly = asmRules();
    static const QRegularExpression json = jsonRules();
    switch (language) {
    case CodeView::Tir:
    case CodeView::Python:
        return &python;
    case CodeView::Llvm:
        return &llvm;
    case CodeView::Asm:
        return &assembly;
    case CodeView::Json:
        return &json;
    case CodeView::Plain:
        return nullptr;
    }
    return nullptr;
}

} // namespace

QVector<CodeToken> codeTokens(CodeView::Language language, const QString& line) {
    QVector<CodeToken> tokens;
    const QRegularExpression* rules = rulesOf(language);
    if (!rules)
        return tokens;
    static const std::pair<QString, TokenKind> kinds[] = {
        {QStringLiteral("c"), TokenKind::Comment}, {QStringLiteral("s"), TokenKind::String},
        {QStringLiteral("k"), TokenKind::Keyword}, {QStringLiteral("n"), TokenKind::Name},
        {QStringLiteral("d"), TokenKind::Number},  {QStringLiteral("l"), TokenKind::Label}};
    const QStringList names = rules->namedCaptureGroups();
    for (auto it = rules->globalMatch(line); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        for (const auto& [name, kind] : kinds)
            if (names.contains(name) && match.capturedLength(name) > 0) {
                tokens.append({static_cast<int>(match.capturedStart(name)),
                               static_cast<int>(match.capturedLength(name)), kind});
                break;
            }
    }
    return tokens;
}

} // namespace tilewright::ui
