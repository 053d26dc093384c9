// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include <tilewright/ui/code_view.h>

namespace tilewright::ui {

/// Classes of ThemeColors::codeColors.
enum class TokenKind { Keyword, Name, Number, String, Comment, Label };

struct CodeToken {
    int begin = 0;
    int length = 0;
    TokenKind kind = TokenKind::Keyword;
};

/// The coloured pieces of one line. Lines stand alone: none of the languages here has strings or
/// comments over several lines.
QVector<CodeToken> codeTokens(CodeView::Language language, const QString& line);

} // namespace tilewright::ui
