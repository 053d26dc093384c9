// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "token.h"

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::ir::python {

enum class ExprKind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    String,
    Name,
    Attribute, ///< children[0].text
    Call,      ///< children[0](children[1…], keywords)
    Subscript, ///< children[0][children[1…]]
    Slice,     ///< children = lower, upper, step; null where left out
    Tuple,
    List,
    Dict,    ///< children = key, value, key, value, …
    Binary,  ///< text is the operator
    Unary,   ///< text is `-`, `+`, `~` or `not`
    Boolean, ///< text is `and` or `or`
    Compare, ///< children[0] text children[1]; chains are `and`s
    Lambda,  ///< names are the parameters, children[0] the body
    Starred
};

/// An expression of the Python subset.
struct ExprTree {
    ExprKind kind = ExprKind::None;
    Position position;
    int depth = 1; ///< of the tree below
    std::string_view text;
    std::string string;
    std::int64_t integer = 0;
    double real = 0;
    bool isUnsigned = false; ///< an integer beyond int64
    std::vector<ExprTree*> children;
    std::vector<std::pair<std::string_view, ExprTree*>> keywords;
    std::vector<std::string_view> names;
};

enum class StmtKind : std::uint8_t {
    Expression,
    Assign,    ///< target = value
    AugAssign, ///< target op= value
    AnnAssign, ///< target: annotation = value
    For,       ///< for target in value
    While,
    If,
    With, ///< items
    Assert,
    Return,
    Pass,
    Break,
    Continue,
    Function,
    Class
};

struct StmtTree;
using Suite = std::vector<StmtTree*>;

struct WithItem {
    ExprTree* context = nullptr;
    ExprTree* target = nullptr;
};

struct ParameterTree {
    std::string_view name;
    Position position;
    ExprTree* annotation = nullptr;
};

struct StmtTree {
    StmtKind kind = StmtKind::Pass;
    Position position;
    std::string_view name; ///< of a function or class; operator of an AugAssign
    ExprTree* target = nullptr;
    ExprTree* value = nullptr;      ///< also the condition
    ExprTree* annotation = nullptr; ///< also the return type, the message of an assert
    Suite body;
    Suite otherwise;
    std::vector<WithItem> items;
    std::vector<ExprTree*> decorators;
    std::vector<ParameterTree> parameters;
};

/// Owns the nodes of a text's tree.
struct SyntaxTree {
    std::deque<ExprTree> exprs;
    std::deque<StmtTree> stmts;
    Suite body;
};

} // namespace tilewright::ir::python
