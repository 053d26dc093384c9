// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../python/syntax_tree.h"
#include "script_value.h"

#include <tilewright/ir/index_map.h>
#include <tilewright/ir/module.h>
#include <tilewright/ir/parser.h>

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright::ir {

/// Turns the syntax tree of a TVMScript text into IR. The text is evaluated over a closed set of
/// names, never executed.
class ScriptReader {
public:
    ScriptReader(std::string_view text, std::string_view fileName);

    Module readModule();
    Expr readExpr(const VarScope& scope);
    IndexMap readIndexMap();
    /// Where reading stands, for errors that arise below.
    [[nodiscard]] python::Position position() const { return position_; }
    [[noreturn]] void fail(python::Position position, std::string message) const;

private:
    using Tree = python::ExprTree;
    using Statement = python::StmtTree;
    /// Arguments of a call by parameter; null = not given.
    using Args = std::vector<const Tree*>;

    /// A block being read.
    struct BlockFrame {
        BlockNode* block = nullptr;
        std::vector<Expr> iterValues;
        Expr predicate;
        bool hasReads = false;
        bool hasWrites = false;
        bool isRealize = true;
    };
    /// Statements of a suite being read, and the scopes opened in it by bare calls.
    struct Wrap {
        std::size_t start;
        std::function<Stmt(Stmt)> make;
    };
    struct Sequence {
        std::vector<Stmt> stmts;
        std::vector<Wrap> wraps;
    };
    struct FunctionState {
        std::vector<Param> params;
        Annotations attrs;
        DataType returnType = DataType::voidType();
        std::map<std::string, Var, std::less<>> matchVars; ///< made by quoted shapes
        std::map<std::string, DataType, std::less<>> scalarTypes;
        bool inSignature = false;
    };

    // Modules and functions (read_module.cpp).
    void detectEra();
    PrimFunc readFunction(const Statement& def);
    void readParams(const Statement& def);
    Param readParam(const python::ParameterTree& parameter);
    DataType readReturnType(const Tree& annotation);
    void readModuleStatement(const Statement& stmt, Module& module);
    ScriptValue quotedShapeEntry(const Tree& tree);
    Stmt completeRoot(Stmt body, Block rootParts);

    // Statements (read_stmt.cpp).
    Stmt readSuite(const python::Suite& suite);
    void readStatements(const python::Suite& suite);
    void readStatement(const Statement& stmt);
    void readAssign(const Statement& stmt);
    void assign(const Tree& target, const Tree& value);
    void assignValue(const Tree& target, ScriptValue value);
    bool assignDeclaring(const Tree& target, const Tree& value);
    void assignStore(const Tree& target, ScriptValue value);
    bool storeToScalar(std::string_view name, const ScriptValue& value);
    void readAugAssign(const Statement& stmt);
    void readAnnAssign(const Statement& stmt);
    void readExpressionStatement(const Tree& tree);
    bool readBlockStatement(const std::string& name, const Tree& call);
    void readFor(const Statement& stmt);
    void readIf(const Statement& stmt);
    void readWith(const Statement& stmt, std::size_t item);
    void readAssert(const Statement& stmt);
    void readBlock(const Statement& stmt, const Tree& call);
    void readInit(const Statement& stmt);
    std::vector<ScriptValue> readAxis(const std::string& kind, const Tree& call,
                                      const std::vector<std::string>& names);
    ScriptValue addIterVar(const std::string& name, IterType type, Range dom, Expr binding);
    void bind(std::string name, Expr value, std::optional<DataType> type = std::nullopt);
    void declareScalar(const std::string& name, DataType type, const ScriptValue* value);
    void openAttr(const Tree& call, std::vector<Wrap>& wraps);
    Wrap launchThread(const Tree& call, const std::string& name);
    void emit(Stmt stmt);
    void open(Wrap wrap);

    // Buffers (read_buffer.cpp).
    Buffer readBuffer(const std::string& name, const Args& args, bool inSignature,
                      const std::vector<Expr>* shapeOtherwise, DataType typeOtherwise,
                      std::string_view scopeOtherwise);
    Buffer readBufferCall(const std::string& name, const Tree& call, bool inSignature);
    void readMatchBuffer(const std::string& name, const Tree& call);
    void readAllocBuffer(const std::string& name, const Tree& call, std::string_view function);
    void readAllocate(const std::string& name, const Tree& call);
    void readDeclBuffer(const std::string& name, const Tree& call);
    std::vector<BufferRegion> readRegions(const Tree& call);
    BufferRegion toRegion(const ScriptValue& value, const Tree& tree);
    std::vector<Expr> readShape(const Tree& tree, bool inSignature);

    // Expressions (read_expr.cpp).
    ScriptValue eval(const Tree& tree);
    ScriptValue evalName(const Tree& tree);
    ScriptValue evalAttribute(const Tree& tree);
    ScriptValue bufferAttribute(const Buffer& buffer, const Tree& tree);
    ScriptValue evalSubscript(const Tree& tree);
    ScriptValue evalBinary(const Tree& tree);
    ScriptValue evalPlainBinary(const Tree& tree, const ScriptValue& a, const ScriptValue& b);
    ScriptValue evalUnary(const Tree& tree);
    ScriptValue evalBoolean(const Tree& tree);
    ScriptValue evalCompare(const Tree& tree);
    Expr evalExpr(const Tree& tree);
    std::string evalString(const Tree& tree);
    DataType evalType(const Tree& tree);
    std::int64_t evalInt(const Tree& tree);
    bool evalBool(const Tree& tree);
    AttrValue evalAttr(const Tree& tree);
    AttrValue toAttr(const ScriptValue& value, const Tree& tree);
    Annotations evalAnnotations(const Tree& tree);
    /// As an expression; plain numbers take the type of `like` where that is given.
    Expr toExpr(const ScriptValue& value, const Tree& tree, const Expr& like = nullptr);
    /// As an argument of a call, where a slice stays a slice.
    Expr toArgument(const ScriptValue& value, const Tree& tree);
    std::pair<Expr, Expr> toPair(const ScriptValue& a, const ScriptValue& b, const Tree& tree);

    // Calls (read_call.cpp).
    ScriptValue evalCall(const Tree& tree);
    ScriptValue evalMethod(const Tree& tree, const ScriptValue& object, std::string_view method);
    ScriptValue evalAccessPtr(const Tree& tree, const Buffer& buffer);
    ScriptValue evalNamedCall(const Tree& tree, std::string name);
    std::optional<ScriptValue> evalSpecialCall(const Tree& tree, const std::string& name);
    ScriptValue evalTypeCall(const Tree& tree, DataType type);
    ScriptValue evalArithmeticCall(const Tree& tree, NodeKind kind, bool folds);
    ScriptValue evalOpCall(const Tree& tree, Op op, std::string callee);
    ScriptValue evalTypedCall(const Tree& tree, Op op, std::string callee);
    ScriptValue evalLet(const Tree& tree);
    ScriptValue evalSelect(const Tree& tree, bool isLazy);
    std::vector<Expr> callArgs(const Tree& tree, std::size_t first = 0);
    Args arguments(const Tree& call, std::initializer_list<std::string_view> names);
    Args argumentsOf(const Tree& call, const std::vector<std::string_view>& names);

    // Scopes.
    void pushScope() { scopeMarks_.push_back(undo_.size()); }
    void popScope();
    void define(std::string_view name, ScriptValue value);
    [[nodiscard]] const ScriptValue* lookup(std::string_view name) const;
    /// `T.axis.spatial` for a chain of attributes over an unbound name; empty otherwise.
    std::string dottedName(const Tree& tree) const;
    [[nodiscard]] std::string calledName(const Tree& tree) const;

    class Nesting;

    std::string_view text_;
    std::string_view fileName_;
    python::SyntaxTree tree_;
    std::deque<python::SyntaxTree> ownedTrees_;
    python::Position position_;
    std::unordered_map<std::string, ScriptValue> vars_;
    std::vector<std::pair<std::string, std::optional<ScriptValue>>> undo_;
    std::vector<std::size_t> scopeMarks_;
    std::vector<std::string> typeVars_;
    std::string className_;
    bool isSchedulable_ = true; ///< the function being read follows the rules of schedulable IR
    bool isScalarEra_ = false;  ///< `x = e` makes a scalar buffer, not a binding
    bool mentionsTirx_ = false;
    bool mentionsStir_ = false;
    FunctionState* function_ = nullptr;
    BlockFrame* block_ = nullptr;
    Sequence* sequence_ = nullptr;
    /// Which regions of a block were detected, not written.
    struct Detected {
        bool reads = false;
        bool writes = false;
        bool isOpaque = false;
    };
    std::unordered_map<const BlockNode*, Detected> detected_;
    std::unordered_map<const VarNode*, Range> loopRanges_;
    std::unordered_map<const VarNode*, std::string> threadTags_;
    std::string nameHint_;
    int nesting_ = 0;
};

} // namespace tilewright::ir
