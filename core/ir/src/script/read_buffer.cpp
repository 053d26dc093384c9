// SPDX-License-Identifier: Apache-2.0
// Declarations of buffers and regions in a script.
#include "../python/syntax_parser.h"
#include "script_reader.h"

#include <tilewright/ir/make.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

namespace tilewright::ir {

namespace {

using python::ExprKind;

const std::vector<std::string_view> kBufferParameters{
    "shape",  "dtype",          "data",          "strides",     "elem_offset",
    "scope",  "align",          "offset_factor", "buffer_type", "axis_separators",
    "layout", "allocated_addr", "byte_offset",   "annotations"};

enum BufferParameter {
    Shape,
    Dtype,
    Data,
    Strides,
    ElemOffset,
    Scope,
    Align,
    OffsetFactor,
    BufferType,
    AxisSeparators,
    Layout,
    Address,
    ByteOffset,
    BufferNotes
};

void collectNames(const python::ExprTree& tree, std::vector<const python::ExprTree*>& out) {
    if (tree.kind == ExprKind::Name)
        out.push_back(&tree);
    for (const auto* child : tree.children) {
        if (child && !(tree.kind == ExprKind::Call && child == tree.children[0]))
            collectNames(*child, out);
    }
}

} // namespace

/// A quoted extent, `"n + 1"`: names not known yet become variables.
ScriptValue ScriptReader::quotedShapeEntry(const Tree& tree) {
    python::SyntaxTree& owner = ownedTrees_.emplace_back();
    const Tree* parsed = nullptr;
    try {
        parsed = python::SyntaxParser(tree.string, fileName_, owner).parseSingleExpr();
    } catch (const base::ParseError& error) {
        fail(tree.position, base::concat("in the quoted extent: ", error.diagnostic().message));
    }
    std::vector<const Tree*> names;
    collectNames(*parsed, names);
    for (const Tree* name : names) {
        if (lookup(name->text) || name->text == "T")
            continue;
        const std::string key(name->text);
        Var& var = function_->matchVars[key];
        if (!var) {
            const auto type = function_->scalarTypes.find(key);
            var =
                makeVar(key, type == function_->scalarTypes.end() ? DataType::i(32) : type->second);
        }
        define(key, ScriptValue::ofExpr(var));
    }
    return eval(*parsed);
}

std::vector<Expr> ScriptReader::readShape(const Tree& tree, bool inSignature) {
    std::vector<const Tree*> entries;
    if (tree.kind == ExprKind::Tuple || tree.kind == ExprKind::List)
        entries.assign(tree.children.begin(), tree.children.end());
    else
        entries.push_back(&tree);
    std::vector<Expr> shape;
    for (const Tree* entry : entries) {
        const ScriptValue value = entry->kind == ExprKind::String && inSignature
                                      ? quotedShapeEntry(*entry)
                                      : eval(*entry);
        if (value.kind == ValueKind::List) {
            for (const ScriptValue& item : value.items)
                shape.push_back(toExpr(item, *entry));
            continue;
        }
        shape.push_back(toExpr(value, *entry));
        if (!shape.back()->dtype.isInt() && !shape.back()->dtype.isUInt())
            fail(entry->position, "an extent is an integer");
    }
    return shape;
}

Buffer ScriptReader::readBuffer(const std::string& name, const Args& args, bool inSignature,
                                const std::vector<Expr>* shapeOtherwise, DataType typeOtherwise,
                                std::string_view scopeOtherwise) {
    std::vector<Expr> shape;
    if (args[Shape])
        shape = readShape(*args[Shape], inSignature);
    else if (shapeOtherwise)
        shape = *shapeOtherwise;
    else
        fail(position_, "the shape of the buffer is missing");
    const DataType type = args[Dtype] ? evalType(*args[Dtype]) : typeOtherwise;
    auto* node = new BufferNode(name, type, std::move(shape), std::string(scopeOtherwise));
    const Buffer buffer(node);
    if (args[Scope])
        node->scope = evalString(*args[Scope]);
    if (node->scope.empty())
        node->scope = "global";
    if (args[Strides]) {
        const Tree& strides = *args[Strides];
        for (const Tree* entry : strides.children) {
            if (entry->kind == ExprKind::String)
                node->strides.push_back(makeVar(entry->string, node->indexType()));
            else
                node->strides.push_back(evalExpr(*entry));
        }
    }
    if (args[Align]) {
        const std::int64_t align = evalInt(*args[Align]);
        node->dataAlignment = align > 0 && align <= INT32_MAX ? static_cast<int>(align) : 64;
    }
    std::int64_t factor = 0;
    if (args[OffsetFactor])
        factor = evalInt(*args[OffsetFactor]);
    node->offsetFactor = factor > 0 && factor <= INT32_MAX ? static_cast<int>(factor) : 1;
    if (args[ElemOffset])
        node->elemOffset = evalExpr(*args[ElemOffset]);
    else if (factor > 0)
        node->elemOffset = makeVar("elem_offset", node->indexType());
    if (args[AxisSeparators]) {
        for (const Tree* entry : args[AxisSeparators]->children)
            node->axisSeparators.push_back(static_cast<int>(evalInt(*entry)));
    }
    return buffer;
}

Buffer ScriptReader::readBufferCall(const std::string& name, const Tree& call, bool inSignature) {
    const Args args = argumentsOf(call, kBufferParameters);
    return readBuffer(name, args, inSignature, nullptr, DataType::f(32), "global");
}

/// `B = T.match_buffer(a, shape)` of a handle parameter, or of a region inside a block.
void ScriptReader::readMatchBuffer(const std::string& name, const Tree& call) {
    std::vector<std::string_view> names{"param"};
    names.insert(names.end(), kBufferParameters.begin(), kBufferParameters.end());
    const Args all = argumentsOf(call, names);
    if (!all[0])
        fail(call.position, "T.match_buffer needs what it matches");
    const Args args(all.begin() + 1, all.end());
    const ScriptValue source = eval(*all[0]);
    const bool isParam = source.kind == ValueKind::Expression &&
                         source.expr->kind() == NodeKind::Var && source.expr->dtype.isHandle();
    if (isParam) {
        const Buffer buffer = readBuffer(name, args, false, nullptr, DataType::f(32), "global");
        for (Param& param : function_->params) {
            if (param.var.get() != source.expr.get())
                continue;
            if (param.buffer)
                fail(call.position, "this parameter is matched twice");
            param.buffer = buffer;
            return define(name, ScriptValue::ofBuffer(buffer));
        }
        fail(call.position, "only a parameter or a region of a buffer can be matched");
    }
    if (!block_ || sequence_ == nullptr)
        fail(call.position, "a region can be matched inside a block only");
    MatchBufferRegion match;
    match.source = toRegion(source, *all[0]);
    std::vector<Expr> shape;
    for (const Range& range : match.source.region)
        shape.push_back(range.extent);
    match.buffer = readBuffer(name, args, false, &shape, DataType::f(32), "global");
    block_->block->matchBuffers.push_back(match);
    define(name, ScriptValue::ofBuffer(match.buffer));
}

void ScriptReader::readAllocBuffer(const std::string& name, const Tree& call,
                                   std::string_view function) {
    const Args args = argumentsOf(call, kBufferParameters);
    const std::string_view scope = function == "alloc_local"    ? "local"
                                   : function == "alloc_shared" ? "shared"
                                                                : "global";
    const Buffer buffer = readBuffer(name, args, false, nullptr, DataType::f(32), scope);
    define(name, ScriptValue::ofBuffer(buffer));
    const bool isOfBlock =
        function == "sblock_alloc_buffer" || (function == "alloc_buffer" && !mentionsTirx_);
    if (isOfBlock) {
        if (!block_)
            fail(call.position, "this stands outside of any function");
        block_->block->allocBuffers.push_back(buffer);
        return;
    }
    Annotations notes;
    if (args[BufferNotes])
        notes = evalAnnotations(*args[BufferNotes]);
    emit(Stmt(new AllocBufferNode(buffer, std::move(notes))));
}

/// Old `p = T.allocate([128], "float32", "global")`: a buffer whose pointer is `p`.
void ScriptReader::readAllocate(const std::string& name, const Tree& call) {
    const Args args = arguments(call, {"extents", "dtype", "scope", "condition", "annotations"});
    if (!args[0] || !args[1])
        fail(call.position, "T.allocate needs extents and a data type");
    const Buffer buffer = makeBuffer(name, evalType(*args[1]), readShape(*args[0], false),
                                     args[2] ? evalString(*args[2]) : std::string("global"));
    Annotations notes;
    if (args[4])
        notes = evalAnnotations(*args[4]);
    emit(Stmt(new AllocBufferNode(buffer, std::move(notes))));
    define(name, ScriptValue::ofExpr(
                     makeCall(DataType::handle(), Op::BufferData,
                              {Expr(new RegionAccessNode(buffer, std::vector<Range>{}))})));
}

void ScriptReader::readDeclBuffer(const std::string& name, const Tree& call) {
    const Args args = argumentsOf(call, kBufferParameters);
    const Buffer buffer = readBuffer(name, args, false, nullptr, DataType::f(32), "global");
    const Expr data = args[Data] ? evalExpr(*args[Data]) : Expr();
    emit(Stmt(new DeclBufferNode(buffer, data)));
    define(name, ScriptValue::ofBuffer(buffer));
}

BufferRegion ScriptReader::toRegion(const ScriptValue& value, const Tree& tree) {
    switch (value.kind) {
    case ValueKind::Region:
        return {value.buffer, value.region};
    case ValueKind::Tensor: {
        BufferRegion region{value.buffer, {}};
        for (const Expr& extent : value.buffer->shape)
            region.region.push_back({makeInt(0, extent->dtype), extent});
        return region;
    }
    case ValueKind::Expression:
        if (const auto* load = as<BufferLoadNode>(value.expr)) {
            BufferRegion region{load->buffer, {}};
            for (const Expr& index : load->indices) {
                const auto* ramp = as<RampNode>(index);
                const Expr first = ramp ? ramp->base : index;
                region.region.push_back(
                    {first, ramp ? ramp->lanes : makeInt(1, first->dtype.element())});
            }
            return region;
        }
        break;
    default:
        break;
    }
    fail(tree.position, "expected a region of a buffer, such as A[0:16, i]");
}

std::vector<BufferRegion> ScriptReader::readRegions(const Tree& call) {
    std::vector<BufferRegion> regions;
    for (std::size_t i = 1; i < call.children.size(); ++i) {
        const Tree& tree = *call.children[i];
        // A scalar's name stands for its value elsewhere, for its buffer here.
        const ScriptValue* scalar = tree.kind == ExprKind::Name ? lookup(tree.text) : nullptr;
        const ScriptValue value =
            scalar && scalar->kind == ValueKind::Tensor ? *scalar : eval(tree);
        if (value.kind == ValueKind::List) {
            for (const ScriptValue& item : value.items)
                regions.push_back(toRegion(item, tree));
        } else {
            regions.push_back(toRegion(value, tree));
        }
    }
    return regions;
}

} // namespace tilewright::ir
