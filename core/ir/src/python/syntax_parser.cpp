// SPDX-License-Identifier: Apache-2.0
#include "syntax_parser.h"

#include <tilewright/base/concat.h>

#include <charconv>
#include <string>

namespace tilewright::ir::python {

namespace {

constexpr int kMaxNesting = 400;
constexpr int kMaxDepth = 1200;

bool isKeyword(std::string_view word) {
    for (const std::string_view keyword :
         {"and",  "or",    "not",      "if",     "else",   "elif", "for",   "while",
          "in",   "is",    "lambda",   "with",   "as",     "def",  "class", "return",
          "pass", "break", "continue", "assert", "import", "from"}) {
        if (word == keyword)
            return true;
    }
    return false;
}

} // namespace

/// Counts the nesting of brackets, unary operators and suites.
class SyntaxParser::Nesting {
public:
    explicit Nesting(SyntaxParser& parser) : parser_(parser) {
        if (++parser_.nesting_ > kMaxNesting)
            parser_.lexer_.fail(parser_.token_.position, "nested too deep");
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    SyntaxParser& parser_;
};

SyntaxParser::SyntaxParser(std::string_view text, std::string_view fileName, SyntaxTree& tree)
    : lexer_(text, fileName), tree_(tree) {
    advance();
}

void SyntaxParser::advance() {
    token_ = lexer_.next();
}

bool SyntaxParser::isOp(std::string_view op) const {
    return token_.kind == TokenKind::Operator && token_.text == op;
}
bool SyntaxParser::isWord(std::string_view word) const {
    return token_.kind == TokenKind::Name && token_.text == word;
}
bool SyntaxParser::acceptOp(std::string_view op) {
    if (!isOp(op))
        return false;
    advance();
    return true;
}
bool SyntaxParser::acceptWord(std::string_view word) {
    if (!isWord(word))
        return false;
    advance();
    return true;
}

void SyntaxParser::failExpected(std::string_view what) const {
    std::string found;
    switch (token_.kind) {
    case TokenKind::Newline:
        found = "the end of the line";
        break;
    case TokenKind::Indent:
        found = "a deeper indentation";
        break;
    case TokenKind::Dedent:
        found = "the end of the block";
        break;
    case TokenKind::End:
        found = "the end of the text";
        break;
    default:
        found = base::concat("'", token_.text.substr(0, 40), "'");
    }
    lexer_.fail(token_.position, base::concat("expected ", what, ", found ", found));
}

void SyntaxParser::expectOp(std::string_view op) {
    if (!acceptOp(op))
        failExpected(base::concat("'", op, "'"));
}
void SyntaxParser::expectNewline() {
    if (token_.kind == TokenKind::End)
        return;
    if (token_.kind != TokenKind::Newline)
        failExpected("the end of the line");
    advance();
}
std::string_view SyntaxParser::expectName() {
    if (token_.kind != TokenKind::Name || isKeyword(token_.text))
        failExpected("a name");
    const std::string_view name = token_.text;
    advance();
    return name;
}

ExprTree* SyntaxParser::makeExpr(ExprKind kind, Position position) {
    ExprTree& node = tree_.exprs.emplace_back();
    node.kind = kind;
    node.position = position;
    return &node;
}
StmtTree* SyntaxParser::makeStmt(StmtKind kind, Position position) {
    StmtTree& node = tree_.stmts.emplace_back();
    node.kind = kind;
    node.position = position;
    return &node;
}
void SyntaxParser::adopt(ExprTree* parent, ExprTree* child) {
    parent->children.push_back(child);
    if (child && child->depth >= parent->depth)
        parent->depth = child->depth + 1;
    if (parent->depth > kMaxDepth)
        lexer_.fail(parent->position, "the expression is too deep");
}
ExprTree* SyntaxParser::join(ExprKind kind, std::string_view text, Position at, ExprTree* a,
                             ExprTree* b) {
    ExprTree* node = makeExpr(kind, at);
    node->text = text;
    adopt(node, a);
    adopt(node, b);
    return node;
}

// Statements

void SyntaxParser::parseFile() {
    while (token_.kind != TokenKind::End) {
        if (token_.kind == TokenKind::Newline)
            advance();
        else
            statement(tree_.body);
    }
}

Suite SyntaxParser::suite() {
    const Nesting nesting(*this);
    Suite body;
    expectOp(":");
    if (token_.kind != TokenKind::Newline) {
        simpleStatements(body);
        return body;
    }
    advance();
    if (token_.kind != TokenKind::Indent)
        failExpected("an indented block");
    advance();
    while (token_.kind != TokenKind::Dedent && token_.kind != TokenKind::End)
        statement(body);
    if (token_.kind == TokenKind::Dedent)
        advance();
    return body;
}

void SyntaxParser::statement(Suite& into) {
    if (token_.kind == TokenKind::Indent)
        failExpected("a statement");
    if (StmtTree* compound = compoundStatement())
        into.push_back(compound);
    else
        simpleStatements(into);
}

StmtTree* SyntaxParser::compoundStatement() {
    const Position at = token_.position;
    if (isOp("@")) {
        std::vector<ExprTree*> decorators;
        while (acceptOp("@")) {
            decorators.push_back(expr());
            expectNewline();
        }
        if (isWord("def"))
            return functionDef(std::move(decorators));
        if (isWord("class")) {
            StmtTree* node = classDef();
            node->decorators = std::move(decorators);
            return node;
        }
        failExpected("a function or class");
    }
    if (isWord("def"))
        return functionDef({});
    if (isWord("class"))
        return classDef();
    if (isWord("if"))
        return ifStatement();
    if (isWord("with"))
        return withStatement();
    if (acceptWord("while")) {
        StmtTree* node = makeStmt(StmtKind::While, at);
        node->value = expr();
        node->body = suite();
        return node;
    }
    if (acceptWord("for")) {
        StmtTree* node = makeStmt(StmtKind::For, at);
        // Only names stand in front of `in`, so no comparison is read there.
        ExprTree* target = makeExpr(ExprKind::Tuple, token_.position);
        const bool isParenthesised = acceptOp("(");
        do {
            if (isWord("in") || isOp(")"))
                break;
            ExprTree* name = makeExpr(ExprKind::Name, token_.position);
            name->text = expectName();
            adopt(target, name);
        } while (acceptOp(","));
        if (isParenthesised)
            expectOp(")");
        if (target->children.empty())
            failExpected("a name");
        node->target = target->children.size() == 1 ? target->children[0] : target;
        if (!acceptWord("in"))
            failExpected("'in'");
        node->value = exprList();
        node->body = suite();
        return node;
    }
    return nullptr;
}

StmtTree* SyntaxParser::functionDef(std::vector<ExprTree*> decorators) {
    StmtTree* node = makeStmt(StmtKind::Function, token_.position);
    advance();
    node->decorators = std::move(decorators);
    node->name = expectName();
    expectOp("(");
    while (!isOp(")")) {
        ParameterTree parameter;
        parameter.position = token_.position;
        parameter.name = expectName();
        if (acceptOp(":"))
            parameter.annotation = expr();
        node->parameters.push_back(parameter);
        if (!acceptOp(","))
            break;
    }
    expectOp(")");
    if (acceptOp("->"))
        node->annotation = expr();
    node->body = suite();
    return node;
}

StmtTree* SyntaxParser::classDef() {
    StmtTree* node = makeStmt(StmtKind::Class, token_.position);
    advance();
    node->name = expectName();
    if (acceptOp("(")) {
        while (!isOp(")") && token_.kind != TokenKind::End)
            advance();
        expectOp(")");
    }
    node->body = suite();
    return node;
}

StmtTree* SyntaxParser::ifStatement() {
    const Nesting nesting(*this);
    StmtTree* node = makeStmt(StmtKind::If, token_.position);
    advance();
    node->value = expr();
    node->body = suite();
    if (isWord("elif"))
        node->otherwise.push_back(ifStatement());
    else if (acceptWord("else"))
        node->otherwise = suite();
    return node;
}

StmtTree* SyntaxParser::withStatement() {
    StmtTree* node = makeStmt(StmtKind::With, token_.position);
    advance();
    do {
        WithItem item;
        item.context = expr();
        if (acceptWord("as"))
            item.target = postfix();
        node->items.push_back(item);
    } while (acceptOp(","));
    node->body = suite();
    return node;
}

void SyntaxParser::skipImport() {
    while (token_.kind != TokenKind::Newline && token_.kind != TokenKind::End)
        advance();
}

void SyntaxParser::simpleStatements(Suite& into) {
    do {
        if (token_.kind == TokenKind::Newline || token_.kind == TokenKind::End)
            break;
        if (StmtTree* node = simpleStatement())
            into.push_back(node);
    } while (acceptOp(";"));
    expectNewline();
}

StmtTree* SyntaxParser::simpleStatement() {
    const Position at = token_.position;
    if (isWord("import") || isWord("from")) {
        skipImport();
        return nullptr;
    }
    if (acceptWord("pass"))
        return makeStmt(StmtKind::Pass, at);
    if (acceptWord("break"))
        return makeStmt(StmtKind::Break, at);
    if (acceptWord("continue"))
        return makeStmt(StmtKind::Continue, at);
    if (acceptWord("return")) {
        StmtTree* node = makeStmt(StmtKind::Return, at);
        if (token_.kind != TokenKind::Newline && token_.kind != TokenKind::End && !isOp(";"))
            node->value = exprList();
        return node;
    }
    if (acceptWord("assert")) {
        StmtTree* node = makeStmt(StmtKind::Assert, at);
        node->value = expr();
        if (acceptOp(","))
            node->annotation = expr();
        return node;
    }
    ExprTree* first = exprList();
    if (acceptOp("=")) {
        StmtTree* node = makeStmt(StmtKind::Assign, at);
        node->target = first;
        node->value = exprList();
        if (isOp("="))
            failExpected("one assignment in a statement");
        return node;
    }
    if (acceptOp(":")) {
        StmtTree* node = makeStmt(StmtKind::AnnAssign, at);
        node->target = first;
        node->annotation = expr();
        if (acceptOp("="))
            node->value = exprList();
        return node;
    }
    if (token_.kind == TokenKind::Operator && token_.text.size() >= 2 &&
        token_.text.ends_with('=') && !isOp("==") && !isOp("!=") && !isOp("<=") && !isOp(">=") &&
        !isOp(":=")) {
        StmtTree* node = makeStmt(StmtKind::AugAssign, at);
        node->name = token_.text.substr(0, token_.text.size() - 1);
        advance();
        node->target = first;
        node->value = exprList();
        return node;
    }
    StmtTree* node = makeStmt(StmtKind::Expression, at);
    node->value = first;
    return node;
}

// Expressions

ExprTree* SyntaxParser::parseSingleExpr() {
    ExprTree* node = exprList();
    while (token_.kind == TokenKind::Newline)
        advance();
    if (token_.kind != TokenKind::End)
        failExpected("the end of the expression");
    return node;
}

ExprTree* SyntaxParser::exprList() {
    const Position at = token_.position;
    ExprTree* first = expr();
    if (!isOp(","))
        return first;
    ExprTree* tuple = makeExpr(ExprKind::Tuple, at);
    adopt(tuple, first);
    while (acceptOp(",")) {
        if (token_.kind == TokenKind::Newline || token_.kind == TokenKind::End || isOp("=") ||
            isOp(")") || isOp("]") || isOp(":"))
            break;
        adopt(tuple, expr());
    }
    return tuple;
}

ExprTree* SyntaxParser::expr() {
    const Nesting nesting(*this);
    if (isWord("lambda"))
        return lambda();
    if (isOp("*")) {
        ExprTree* node = makeExpr(ExprKind::Starred, token_.position);
        advance();
        adopt(node, binary(0));
        return node;
    }
    return orExpr();
}

ExprTree* SyntaxParser::lambda() {
    ExprTree* node = makeExpr(ExprKind::Lambda, token_.position);
    advance();
    while (!isOp(":")) {
        node->names.push_back(expectName());
        if (!acceptOp(","))
            break;
    }
    expectOp(":");
    adopt(node, expr());
    return node;
}

ExprTree* SyntaxParser::orExpr() {
    ExprTree* left = andExpr();
    while (isWord("or")) {
        const Token op = token_;
        advance();
        left = join(ExprKind::Boolean, op.text, op.position, left, andExpr());
    }
    return left;
}

ExprTree* SyntaxParser::andExpr() {
    ExprTree* left = notExpr();
    while (isWord("and")) {
        const Token op = token_;
        advance();
        left = join(ExprKind::Boolean, op.text, op.position, left, notExpr());
    }
    return left;
}

ExprTree* SyntaxParser::notExpr() {
    if (!isWord("not"))
        return comparison();
    const Nesting nesting(*this);
    ExprTree* node = makeExpr(ExprKind::Unary, token_.position);
    node->text = "not";
    advance();
    adopt(node, notExpr());
    return node;
}

ExprTree* SyntaxParser::comparison() {
    ExprTree* left = binary(0);
    ExprTree* all = nullptr;
    while (isOp("<") || isOp("<=") || isOp(">") || isOp(">=") || isOp("==") || isOp("!=")) {
        const Token op = token_;
        advance();
        ExprTree* right = binary(0);
        ExprTree* one = join(ExprKind::Compare, op.text, op.position, left, right);
        all = all ? join(ExprKind::Boolean, "and", op.position, all, one) : one;
        left = right;
    }
    return all ? all : left;
}

ExprTree* SyntaxParser::binary(int level) {
    static constexpr std::string_view kLevels[6][5] = {
        {"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "//", "%", "/", "@"}};
    if (level == 6)
        return unary();
    ExprTree* left = binary(level + 1);
    for (;;) {
        bool found = false;
        for (const std::string_view op : kLevels[level]) {
            if (op.empty() || !isOp(op))
                continue;
            const Token token = token_;
            advance();
            left = join(ExprKind::Binary, op, token.position, left, binary(level + 1));
            found = true;
            break;
        }
        if (!found)
            return left;
    }
}

ExprTree* SyntaxParser::unary() {
    for (const std::string_view op : {"-", "+", "~"}) {
        if (!isOp(op))
            continue;
        const Nesting nesting(*this);
        ExprTree* node = makeExpr(ExprKind::Unary, token_.position);
        node->text = op;
        advance();
        adopt(node, unary());
        return node;
    }
    return power();
}

ExprTree* SyntaxParser::power() {
    ExprTree* base = postfix();
    if (!isOp("**"))
        return base;
    const Nesting nesting(*this);
    const Token op = token_;
    advance();
    return join(ExprKind::Binary, "**", op.position, base, unary());
}

void SyntaxParser::callArguments(ExprTree* call) {
    while (!isOp(")")) {
        ExprTree* value = expr();
        if (isOp("=") && value->kind == ExprKind::Name) {
            advance();
            ExprTree* argument = expr();
            call->keywords.emplace_back(value->text, argument);
            if (argument->depth >= call->depth)
                call->depth = argument->depth + 1;
        } else {
            adopt(call, value);
        }
        if (!acceptOp(","))
            break;
    }
    expectOp(")");
}

ExprTree* SyntaxParser::sliceItem() {
    const Position at = token_.position;
    ExprTree* lower = isOp(":") ? nullptr : expr();
    if (!isOp(":"))
        return lower;
    ExprTree* slice = makeExpr(ExprKind::Slice, at);
    adopt(slice, lower);
    for (int i = 0; i < 2; ++i) {
        const bool isPresent = acceptOp(":") && !isOp(",") && !isOp("]") && !isOp(":");
        adopt(slice, isPresent ? expr() : nullptr);
    }
    return slice;
}

void SyntaxParser::subscripts(ExprTree* subscript) {
    while (!isOp("]")) {
        adopt(subscript, sliceItem());
        if (!acceptOp(","))
            break;
    }
    expectOp("]");
    // `A[()]` is `A[]` with rank 0.
    if (subscript->children.size() == 2 && subscript->children[1]->kind == ExprKind::Tuple) {
        const std::vector<ExprTree*> items = subscript->children[1]->children;
        subscript->children.resize(1);
        for (ExprTree* item : items)
            subscript->children.push_back(item);
    }
}

ExprTree* SyntaxParser::postfix() {
    ExprTree* node = atom();
    for (;;) {
        const Position at = token_.position;
        if (acceptOp(".")) {
            ExprTree* attribute = makeExpr(ExprKind::Attribute, at);
            if (token_.kind != TokenKind::Name)
                failExpected("a name");
            attribute->text = token_.text;
            advance();
            adopt(attribute, node);
            node = attribute;
        } else if (acceptOp("(")) {
            const Nesting nesting(*this);
            ExprTree* call = makeExpr(ExprKind::Call, node->position);
            adopt(call, node);
            callArguments(call);
            node = call;
        } else if (acceptOp("[")) {
            const Nesting nesting(*this);
            ExprTree* subscript = makeExpr(ExprKind::Subscript, node->position);
            adopt(subscript, node);
            subscripts(subscript);
            node = subscript;
        } else {
            return node;
        }
    }
}

ExprTree* SyntaxParser::parenthesised() {
    const Nesting nesting(*this);
    const Position at = token_.position;
    advance();
    ExprTree* tuple = makeExpr(ExprKind::Tuple, at);
    bool hasComma = false;
    while (!isOp(")")) {
        adopt(tuple, expr());
        if (!acceptOp(","))
            break;
        hasComma = true;
    }
    expectOp(")");
    return tuple->children.size() == 1 && !hasComma ? tuple->children[0] : tuple;
}

ExprTree* SyntaxParser::bracketed() {
    const Nesting nesting(*this);
    ExprTree* list = makeExpr(ExprKind::List, token_.position);
    advance();
    while (!isOp("]")) {
        adopt(list, expr());
        if (!acceptOp(","))
            break;
    }
    expectOp("]");
    return list;
}

ExprTree* SyntaxParser::braced() {
    const Nesting nesting(*this);
    ExprTree* dict = makeExpr(ExprKind::Dict, token_.position);
    advance();
    while (!isOp("}")) {
        adopt(dict, expr());
        expectOp(":");
        adopt(dict, expr());
        if (!acceptOp(","))
            break;
    }
    expectOp("}");
    return dict;
}

ExprTree* SyntaxParser::atom() {
    const Position at = token_.position;
    switch (token_.kind) {
    case TokenKind::Int: {
        ExprTree* node = makeExpr(ExprKind::Int, at);
        std::string digits;
        for (const char c : token_.text) {
            if (c != '_')
                digits.push_back(c);
        }
        int radix = 10;
        std::size_t start = 0;
        if (digits.size() > 2 && digits[0] == '0' && (digits[1] < '0' || digits[1] > '9')) {
            const char letter = static_cast<char>(digits[1] | 0x20);
            radix = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
            start = 2;
        }
        std::uint64_t value = 0;
        const char* end = digits.data() + digits.size();
        const auto result = std::from_chars(digits.data() + start, end, value, radix);
        if (result.ec != std::errc() || result.ptr != end)
            lexer_.fail(at, base::concat("the integer ", token_.text.substr(0, 40),
                                         " does not fit 64 bits"));
        node->integer = static_cast<std::int64_t>(value);
        node->isUnsigned = node->integer < 0;
        advance();
        return node;
    }
    case TokenKind::Float: {
        ExprTree* node = makeExpr(ExprKind::Float, at);
        std::string digits;
        for (const char c : token_.text) {
            if (c != '_')
                digits.push_back(c);
        }
        std::from_chars(digits.data(), digits.data() + digits.size(), node->real);
        advance();
        return node;
    }
    case TokenKind::String: {
        ExprTree* node = makeExpr(ExprKind::String, at);
        while (token_.kind == TokenKind::String) {
            node->string.append(token_.string);
            advance();
        }
        return node;
    }
    case TokenKind::Name: {
        if (isKeyword(token_.text))
            failExpected("an expression");
        const bool isBool = isWord("True") || isWord("False");
        ExprTree* node = makeExpr(isBool           ? ExprKind::Bool
                                  : isWord("None") ? ExprKind::None
                                                   : ExprKind::Name,
                                  at);
        node->integer = isWord("True") ? 1 : 0;
        node->text = token_.text;
        advance();
        return node;
    }
    default:
        if (isOp("("))
            return parenthesised();
        if (isOp("["))
            return bracketed();
        if (isOp("{"))
            return braced();
        failExpected("an expression");
    }
}

} // namespace tilewright::ir::python
