// SPDX-License-Identifier: Apache-2.0
// The structural hash that TVM gives a module, computed over the module's JSON graph.
#include "graph_writer.h"

#include <tilewright/ir/data_type.h>
#include <tilewright/ir/tvm_json.h>

#include <tilewright/base/check.h>
#include <tilewright/base/concat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilewright::ir {

namespace {

struct HashedType {
    std::string_view key;
    std::uint64_t hash; ///< of the key, as TVM's object system has it
    /// Fields that count, in order. `#`, `.` and `%` mark an inline integer, float and data type;
    /// `*` and `+` a field in which free variables are defined (everywhere below, or just there).
    std::string_view fields;
};

constexpr HashedType kTypes[] = {
    {"ffi.Array", 9300778484448642049ULL, ""},
    {"ffi.Map", 7398549699555670134ULL, ""},
    {"ir.Call", 497955020925008782ULL, "ty op args attrs ty_args"},
    {"ir.DictAttrs", 1135382817478771473ULL, "__dict__"},
    {"ir.FloatImm", 9251231345659449353ULL, "ty .value"},
    {"ir.GlobalVar", 812144688526729699ULL, ""},
    {"ir.IRModule", 7006540587984466507ULL, ""},
    {"ir.IntImm", 11430549016724193595ULL, "ty value"},
    {"ir.Op", 5886037100080347731ULL, ""},
    {"ir.PointerType", 8165396611280846966ULL, "element_type storage_scope"},
    {"ir.PrimType", 278573533203096131ULL, "%dtype"},
    {"ir.Range", 13766796659891748349ULL, "min extent"},
    {"ir.SourceMap", 5087176114105252849ULL, "source_map"},
    {"ir.StringImm", 8014496174616546512ULL, "ty value"},
    {"ir.StringType", 16945165771392177555ULL, ""},
    {"ir.TensorLoad", 5306593726235468452ULL, "ty source indices"},
    {"ir.TensorRegion", 7675645224698155908ULL, "ty *source region"},
    {"ir.TupleType", 8951468048286164473ULL, "fields"},
    {"ir.Type", 4425058864066998252ULL, ""},
    {"ir.Var", 17950668624320167561ULL, "ty"},
    {"prim.Add", 17365831668330561989ULL, "ty a b"},
    {"prim.And", 7902271375659725696ULL, "ty a b"},
    {"prim.Broadcast", 13607597475694219916ULL, "ty value lanes"},
    {"prim.Cast", 16915654106513469813ULL, "ty value"},
    {"prim.Div", 10634218675996092139ULL, "ty a b"},
    {"prim.EQ", 637197116312770389ULL, "ty a b"},
    {"prim.FloorDiv", 7588922582318619015ULL, "ty a b"},
    {"prim.FloorMod", 6617109919324644890ULL, "ty a b"},
    {"prim.GE", 8601263376812734926ULL, "ty a b"},
    {"prim.GT", 5086159774722235712ULL, "ty a b"},
    {"prim.LE", 8609839656545965475ULL, "ty a b"},
    {"prim.LT", 17641968333019961504ULL, "ty a b"},
    {"prim.Let", 10725029198745871789ULL, "ty +var value body"},
    {"prim.Max", 16042767836825378030ULL, "ty a b"},
    {"prim.Min", 9860746866275111072ULL, "ty a b"},
    {"prim.Mod", 10233861667782525143ULL, "ty a b"},
    {"prim.Mul", 15444924116959526928ULL, "ty a b"},
    {"prim.NE", 17500385805616370210ULL, "ty a b"},
    {"prim.Not", 18294849023360967672ULL, "ty a"},
    {"prim.Or", 18407540311803450333ULL, "ty a b"},
    {"prim.Ramp", 4118925314110458474ULL, "ty base stride lanes"},
    {"prim.Select", 20551775527567532ULL, "ty condition true_value false_value"},
    {"prim.Shuffle", 1816417046948352131ULL, "ty vectors indices"},
    {"prim.Sub", 13524845466246397145ULL, "ty a b"},
    {"s_tir.MatchBufferRegion", 13076794004537575581ULL, "+buffer source"},
    {"s_tir.SBlock", 6907791380955743135ULL,
     "iter_vars reads writes +alloc_buffers match_buffers annotations init body"},
    {"s_tir.SBlockRealize", 14677790303514036070ULL, "iter_values predicate block"},
    {"target.Target", 643509105269199606ULL, "kind tag keys attrs host"},
    {"target.TargetKind", 16436436146261040599ULL, ""},
    {"tirx.AllocBuffer", 17864719226493964667ULL, "+buffer annotations"},
    {"tirx.AssertStmt", 10330213810328394299ULL, "condition error_kind message_parts"},
    {"tirx.AttrStmt", 837855072286935499ULL, "node attr_key value body"},
    {"tirx.Bind", 13187390365684637728ULL, "+var value"},
    {"tirx.Break", 18374576712397444774ULL, ""},
    {"tirx.BufferRegionType", 6520087152018820614ULL, ""},
    {"tirx.BufferStore", 7784821057053602173ULL, "buffer value indices"},
    {"tirx.BufferType", 13879158447869519178ULL,
     "dtype storage_scope *shape *strides *elem_offset #data_alignment #offset_factor layout "
     "allocated_addr"},
    {"tirx.Continue", 3474196586364282277ULL, ""},
    {"tirx.DeclBuffer", 10665999494254978742ULL, "+buffer data"},
    {"tirx.Evaluate", 4023865769217285465ULL, "value"},
    {"tirx.For", 5514554004677541632ULL,
     "+loop_var min extent #kind body thread_binding annotations step"},
    {"tirx.IfThenElse", 8619970297933481391ULL, "condition then_case else_case"},
    {"tirx.IndexMap", 13757640824086166761ULL, "*initial_indices final_indices"},
    {"tirx.IterVar", 5566122327032617795ULL, "dom +var #iter_type thread_tag"},
    {"tirx.PrimFunc", 647679673369344621ULL, ""},
    {"tirx.Return", 952788065231137435ULL, "value"},
    {"tirx.SeqStmt", 18438059896932333167ULL, "seq"},
    {"tirx.While", 719123796818350558ULL, "condition body"},
};

// Numbers of the plain kinds of values.
constexpr std::uint64_t kNone = 0;
constexpr std::uint64_t kInt = 1;
constexpr std::uint64_t kBool = 2;
constexpr std::uint64_t kFloat = 3;
constexpr std::uint64_t kDataType = 5;
constexpr std::uint64_t kString = 65;

std::uint64_t combine(std::uint64_t key, std::uint64_t value) {
    return key ^ (value + 0x9e3779b9ULL + (key << 6) + (key >> 2));
}

/// Polynomial over words of eight bytes, little-endian, the last one padded with zeros.
std::uint64_t hashOfBytes(std::string_view bytes) {
    std::uint64_t result = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8 && at + i < bytes.size(); ++i)
            word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << 8 * i;
        result = (result * 1099511628211ULL + word) % 2147483647ULL;
    }
    return result;
}

std::uint64_t hashOfString(std::string_view text) {
    return combine(kString, hashOfBytes(text));
}

std::uint64_t hashOfFloat(double value) {
    return combine(kFloat,
                   std::isnan(value) ? 0x7ff8000000000000ULL : std::bit_cast<std::uint64_t>(value));
}

/// Code, bits and lanes in one word.
std::uint64_t wordOfType(std::string_view text) {
    if (text.empty())
        return 3;
    const DataType type = parseDataType(text).value_or(DataType::handle());
    std::uint64_t code = 0;
    switch (type.code) {
    case TypeCode::Int:
        code = 0;
        break;
    case TypeCode::UInt:
        code = 1;
        break;
    case TypeCode::Float:
        code = 2;
        break;
    case TypeCode::Handle:
    case TypeCode::Void:
        code = 3;
        break;
    case TypeCode::BFloat:
        code = 4;
        break;
    case TypeCode::Bool:
        code = 6;
        break;
    default:
        // The small floats follow each other in both lists.
        code = 7 + static_cast<std::uint64_t>(type.code) -
               static_cast<std::uint64_t>(TypeCode::Float8E3M4);
    }
    const auto lanes = static_cast<std::uint16_t>(type.scalable ? -type.lanes : type.lanes);
    return code | static_cast<std::uint64_t>(type.bits) << 8 |
           static_cast<std::uint64_t>(lanes) << 16;
}

class GraphHasher {
public:
    explicit GraphHasher(const json::Array& nodes) : nodes_(nodes) {
        for (const HashedType& type : kTypes)
            types_.emplace(type.key, &type);
    }
    std::uint64_t any(std::size_t node);

private:
    enum class Region : std::uint8_t { None, Pattern, Simple };

    const HashedType& typeOf(std::string_view key) const {
        const auto it = types_.find(key);
        TW_CHECK(it != types_.end()) << "no hash for " << std::string(key);
        return *it->second;
    }
    std::uint64_t map(const json::Array& entries);
    std::uint64_t object(std::size_t node, std::string_view key);
    std::uint64_t fields(const json::Value& node, const HashedType& type);
    std::uint64_t module(const json::Value& data, std::uint64_t hash);
    std::uint64_t within(Region region, std::size_t node);
    const json::Value& data(std::size_t node) const { return nodes_[node].at("data"); }
    static std::size_t child(const json::Value& data, std::string_view name) {
        return static_cast<std::size_t>(data.at(name).asInt());
    }
    static double number(const json::Value& value);

    const json::Array& nodes_;
    std::unordered_map<std::string_view, const HashedType*> types_;
    std::unordered_map<std::size_t, std::uint64_t> known_;
    Region region_ = Region::None;
    std::uint64_t freeVars_ = 0;
};

double GraphHasher::number(const json::Value& value) {
    if (value.isNumber())
        return value.asDouble();
    const std::string& mark = value.asString();
    if (mark.ends_with("NaN"))
        return std::nan("");
    return mark.find('-') != std::string::npos ? -HUGE_VAL : HUGE_VAL;
}

std::uint64_t GraphHasher::any(std::size_t node) {
    const std::string_view key = nodes_[node].at("type").asString();
    if (key == "None")
        return combine(kNone, 0);
    if (key == "int")
        return combine(kInt, static_cast<std::uint64_t>(data(node).asInt()));
    if (key == "bool")
        return combine(kBool, data(node).asBool() ? 1 : 0);
    if (key == "float")
        return hashOfFloat(number(data(node)));
    if (key == "ffi.String")
        return hashOfString(data(node).asString());
    if (key == "ffi.Array") {
        const json::Array& items = data(node).asArray();
        std::uint64_t hash = combine(typeOf(key).hash, items.size());
        for (const json::Value& item : items)
            hash = combine(hash, any(static_cast<std::size_t>(item.asInt())));
        return hash;
    }
    if (key == "ffi.Map")
        return map(data(node).asArray());
    return object(node, key);
}

/// Entries in the order of their keys' hashes, so that their own order does not count.
std::uint64_t GraphHasher::map(const json::Array& entries) {
    std::vector<std::pair<std::uint64_t, std::size_t>> items;
    for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
        const auto key = static_cast<std::size_t>(entries[i].asInt());
        if (nodes_[key].at("type").asString() == "ffi.String")
            items.emplace_back(hashOfString(data(key).asString()),
                               static_cast<std::size_t>(entries[i + 1].asInt()));
    }
    std::sort(items.begin(), items.end());
    std::uint64_t hash = combine(typeOf("ffi.Map").hash, entries.size() / 2);
    for (const auto& [key, value] : items)
        hash = combine(combine(hash, key), any(value));
    return hash;
}

std::uint64_t GraphHasher::within(Region region, std::size_t node) {
    // A region that reaches everywhere below cannot be narrowed inside.
    const Region outer = region_;
    if (outer != Region::Pattern)
        region_ = region;
    const std::uint64_t hash = any(node);
    region_ = outer;
    return hash;
}

std::uint64_t GraphHasher::object(std::size_t node, std::string_view key) {
    if (const auto it = known_.find(node); it != known_.end())
        return it->second;
    const HashedType& type = typeOf(key);
    const bool isFreeVar = key == "ir.Var" || key == "ir.GlobalVar";
    std::uint64_t hash = 0;
    if (!isFreeVar) {
        hash = fields(nodes_[node], type);
    } else {
        const Region outer = region_;
        if (region_ == Region::Simple)
            region_ = Region::None;
        hash = fields(nodes_[node], type);
        region_ = outer;
        // A variable outside of every definition has no stable hash in TVM; here it has one.
        if (region_ != Region::None)
            hash = combine(hash, freeVars_++);
    }
    known_.emplace(node, hash);
    return hash;
}

std::uint64_t GraphHasher::module(const json::Value& fieldsOf, std::uint64_t hash) {
    hash = combine(hash, any(child(fieldsOf, "attrs")));
    hash = combine(hash, any(child(fieldsOf, "global_infos")));
    struct Function {
        std::string name;
        std::size_t variable;
        std::size_t body;
    };
    std::vector<Function> functions;
    const json::Array& entries = data(child(fieldsOf, "functions")).asArray();
    for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
        const auto variable = static_cast<std::size_t>(entries[i].asInt());
        functions.push_back({data(child(data(variable), "name_hint")).asString(), variable,
                             static_cast<std::size_t>(entries[i + 1].asInt())});
    }
    std::sort(functions.begin(), functions.end(),
              [](const Function& a, const Function& b) { return a.name < b.name; });
    hash = combine(hash, combine(kInt, functions.size()));
    for (const Function& function : functions)
        hash = combine(hash, within(Region::Pattern, function.variable));
    for (const Function& function : functions)
        hash = combine(combine(hash, hashOfString(function.name)), any(function.body));
    return hash;
}

std::uint64_t GraphHasher::fields(const json::Value& node, const HashedType& type) {
    std::uint64_t hash = type.hash;
    const json::Value& values = node.at("data");
    if (type.key == "ir.IRModule")
        return module(values, hash);
    if (type.key == "ir.GlobalVar")
        return combine(hash, any(child(values, "name_hint")));
    if (type.key == "tirx.PrimFunc") {
        hash = combine(hash, any(child(values, "attrs")));
        hash = combine(hash, within(Region::Pattern, child(values, "params")));
        hash = combine(hash, any(child(values, "ret_type")));
        return combine(hash, any(child(values, "body")));
    }
    if (type.key == "ir.Op") {
        // An intrinsic has no type of its own: a bare type object stands there.
        hash = combine(hash, typeOf("ir.Type").hash);
        return combine(hash, hashOfString(values.asString()));
    }
    if (type.key == "target.TargetKind")
        return combine(hash, hashOfString(values.asString()));
    for (std::size_t at = 0; at < type.fields.size();) {
        const std::size_t end = std::min(type.fields.find(' ', at), type.fields.size());
        std::string_view name = type.fields.substr(at, end - at);
        at = end + 1;
        const char mark = name[0];
        if (mark < 'A' && mark != '_')
            name.remove_prefix(1);
        std::uint64_t value = 0;
        if (mark == '#')
            value = combine(kInt, static_cast<std::uint64_t>(values.at(name).asInt()));
        else if (mark == '.')
            value = hashOfFloat(number(values.at(name)));
        else if (mark == '%')
            value = combine(kDataType, wordOfType(values.at(name).asString()));
        else if (mark == '*')
            value = within(Region::Pattern, child(values, name));
        else if (mark == '+')
            value = within(Region::Simple, child(values, name));
        else
            value = any(child(values, name));
        hash = combine(hash, value);
    }
    return hash;
}

} // namespace

std::uint64_t tvmStructuralHash(const Module& module) {
    GraphWriter writer;
    const std::size_t root = writer.module(module);
    const json::Value document = writer.finish(root);
    return GraphHasher(document.at("nodes").asArray()).any(root);
}

} // namespace tilewright::ir
