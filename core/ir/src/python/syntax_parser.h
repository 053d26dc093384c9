// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lexer.h"
#include "syntax_tree.h"

#include <string_view>

namespace tilewright::ir::python {

/// Reads the subset of Python that TVMScript and schedule scripts are written in. Imports and
/// docstrings are skipped. Throws base::ParseError. Nesting is limited, so that no text can exhaust
/// the stack.
class SyntaxParser {
public:
    SyntaxParser(std::string_view text, std::string_view fileName, SyntaxTree& tree);
    void parseFile();
    /// One expression and nothing behind it.
    ExprTree* parseSingleExpr();

private:
    void statement(Suite& into);
    void simpleStatements(Suite& into);
    StmtTree* simpleStatement();
    StmtTree* compoundStatement();
    StmtTree* functionDef(std::vector<ExprTree*> decorators);
    StmtTree* classDef();
    StmtTree* ifStatement();
    StmtTree* withStatement();
    Suite suite();
    void skipImport();

    ExprTree* exprList(); ///< a tuple when there are commas
    ExprTree* expr();     ///< lambda and conditionals included
    ExprTree* lambda();
    ExprTree* orExpr();
    ExprTree* andExpr();
    ExprTree* notExpr();
    ExprTree* comparison();
    ExprTree* binary(int level);
    ExprTree* unary();
    ExprTree* power();
    ExprTree* postfix();
    ExprTree* atom();
    ExprTree* parenthesised();
    ExprTree* bracketed();
    ExprTree* braced();
    void callArguments(ExprTree* call);
    void subscripts(ExprTree* subscript);
    ExprTree* sliceItem();

    ExprTree* makeExpr(ExprKind kind, Position position);
    /// Adds a child and keeps the depth.
    void adopt(ExprTree* parent, ExprTree* child);
    ExprTree* join(ExprKind kind, std::string_view text, Position at, ExprTree* a, ExprTree* b);
    StmtTree* makeStmt(StmtKind kind, Position position);
    void advance();
    [[nodiscard]] bool isOp(std::string_view op) const;
    [[nodiscard]] bool isWord(std::string_view word) const;
    bool acceptOp(std::string_view op);
    bool acceptWord(std::string_view word);
    void expectOp(std::string_view op);
    void expectNewline();
    std::string_view expectName();
    [[noreturn]] void failExpected(std::string_view what) const;

    class Nesting;

    Lexer lexer_;
    SyntaxTree& tree_;
    Token token_;
    int nesting_ = 0;
};

} // namespace tilewright::ir::python
