// SPDX-License-Identifier: Apache-2.0
// The operators behind `op:NAME`: those of the Ansor and MetaSchedule papers, channels innermost,
// and a few everyday ones.
#include <tilewright/op/nn.h>
#include <tilewright/op/operator.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>

#include <charconv>
#include <functional>
#include <map>

namespace tilewright::op {

using namespace ir; // NOLINT(google-build-using-namespace): a source of one language of nodes

namespace {

/// Values given for one operator, checked on access.
class Values {
public:
    Values(std::string op, std::map<std::string, std::string> values)
        : op_(std::move(op)), values_(std::move(values)) {}

    [[nodiscard]] std::int64_t operator[](const std::string& name) const {
        const std::string& text = values_.at(name);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool allowsZero = name == "pad";
        if (error != std::errc() || end != text.data() + text.size() ||
            value < (allowsZero ? 0 : 1) || value > (1 << 28))
            throw base::UserError("InvalidParameter",
                                  base::concat("op:", op_, ": ", name, "='", text,
                                               "' is no integer from ", allowsZero ? 0 : 1,
                                               " to 268435456"));
        return value;
    }
    /// As dtype(), for what takes exponentials and roots.
    [[nodiscard]] DataType floatingType() const {
        if (dtype().isFloating())
            return dtype();
        throw base::UserError("InvalidParameter",
                              base::concat("op:", op_, ": dtype='", values_.at("dtype"),
                                           "' is no floating-point type; accepted are float32, "
                                           "float64, float16, bfloat16"));
    }
    [[nodiscard]] DataType dtype() const {
        const std::string& text = values_.at("dtype");
        const auto type = parseDataType(text);
        const bool usual = type && (type->bits == 16 || type->bits == 32 || type->bits == 64 ||
                                    type->bits == 8 || type->bits == 4);
        if (!usual || !type->isScalar() || type->isHandle() || type->isVoid() || type->isBool())
            throw base::UserError("InvalidParameter",
                                  base::concat("op:", op_, ": dtype='", text,
                                               "' is no element type; accepted are float32, "
                                               "float64, float16, int8, int32, …"));
        return *type;
    }

private:
    std::string op_;
    std::map<std::string, std::string> values_;
};

Expr constant(std::int64_t value) {
    return makeInt(value);
}

struct ConvNhwc {
    Shape in; ///< spatial extents
    std::int64_t n, ci, co, kernel, stride, padding, dilation = 1, groups = 1;
};

Tensor padNhwc(ComputeBuilder& b, const Tensor& x, std::int64_t padding) {
    if (padding == 0)
        return x;
    Shape amount(x.rank(), padding);
    amount.front() = 0;
    amount.back() = 0;
    return pad(b, x, amount, amount, makeConst(0, x.dtype()), "PadInput");
}

std::vector<Axis> spatialAxes(const ConvNhwc& c, std::vector<Axis>& reduce) {
    static const char* const names[] = {"d", "h", "w"};
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < c.in.size(); ++i) {
        const std::string name = c.in.size() == 1 ? "l" : names[3 - c.in.size() + i];
        const std::int64_t reach = c.dilation * (c.kernel - 1);
        axes.push_back({name, (c.in[i] + 2 * c.padding - reach - 1) / c.stride + 1});
        reduce.push_back({"r" + name, c.kernel});
    }
    return axes;
}

Tensor convNhwc(ComputeBuilder& b, const Tensor& x, const Tensor& w, const ConvNhwc& c,
                const std::string& name) {
    const std::size_t rank = c.in.size();
    std::vector<Axis> reduce;
    std::vector<Axis> spatial = spatialAxes(c, reduce);
    spatial.insert(spatial.begin(), Axis{"n", c.n});
    spatial.push_back({"co", c.co});
    reduce.push_back({"rc", c.ci / c.groups});
    const Tensor padded = padNhwc(b, x, c.padding);
    return b.reduce(name, spatial, reduce, Reducer::Sum, [&](const Axes& s, const Axes& r) {
        Axes ix{s[0]};
        Axes iw;
        for (std::size_t i = 0; i < rank; ++i) {
            ix.push_back(s[i + 1] * constant(c.stride) + r[i] * constant(c.dilation));
            iw.push_back(r[i]);
        }
        const Expr& co = s[rank + 1];
        Expr channel = r[rank];
        if (c.groups > 1)
            channel = floorDiv(co, constant(c.co / c.groups)) * constant(c.ci / c.groups) + channel;
        ix.push_back(channel);
        iw.push_back(r[rank]);
        iw.push_back(co);
        return padded(ix) * w(iw);
    });
}

/// No machine holds more; beyond it counts of bytes and operations would overflow.
void requireAddressable(const std::string& name, const Shape& shape) {
    constexpr double most = 1099511627776; // 2^40
    double count = 1;
    for (const std::int64_t extent : shape)
        count *= static_cast<double>(extent);
    if (count > most)
        throw base::UserError("InvalidParameter",
                              base::concat("op: the tensor ", name, " would have ", count,
                                           " elements; accepted are up to ", most));
}

struct Program {
    ComputeBuilder b;
    std::vector<bool> constants;
    Tensor input(const std::string& name, const Shape& shape, DataType type, bool isWeight) {
        requireAddressable(name, shape);
        constants.push_back(isWeight);
        Tensor tensor = b.input(name, shape, type);
        if (isWeight && shape.size() > 1)
            b.markLayoutFree(tensor);
        return tensor;
    }
};

Tensor buildConv(Program& p, const Values& v, const ConvNhwc& c, const std::string& name) {
    Shape x{c.n};
    Shape w;
    for (const std::int64_t extent : c.in) {
        x.push_back(extent);
        w.push_back(c.kernel);
    }
    x.push_back(c.ci);
    w.push_back(c.ci / c.groups);
    w.push_back(c.co);
    if (c.ci % c.groups != 0 || c.co % c.groups != 0)
        throw base::UserError("InvalidParameter", "groups must divide ci and co");
    for (const std::int64_t extent : c.in)
        if (extent + 2 * c.padding < c.dilation * (c.kernel - 1) + 1)
            throw base::UserError("InvalidParameter",
                                  base::concat("the kernel (", c.kernel, ", dilation ", c.dilation,
                                               ") is larger than the padded input (",
                                               extent + 2 * c.padding, ')'));
    const Tensor input = p.input("inputs", x, v.dtype(), false);
    const Tensor weight = p.input("weight", w, v.dtype(), true);
    return convNhwc(p.b, input, weight, c, name);
}

ConvNhwc conv2d(const Values& v, std::int64_t dilation = 1, std::int64_t groups = 1) {
    return {{v["h"], v["w"]}, v["n"],   v["ci"],  v["co"], v["kernel"],
            v["stride"],      v["pad"], dilation, groups};
}

Tensor buildDepthwise(Program& p, const Values& v) {
    const std::int64_t c = v["c"];
    const std::int64_t k = v["kernel"];
    const Tensor x = p.input("placeholder", {v["n"], v["h"], v["w"], c}, v.dtype(), false);
    const Tensor w = p.input("placeholder_1", {k, k, c}, v.dtype(), true);
    const std::int64_t stride = v["stride"];
    const std::int64_t oh = (v["h"] + 2 * v["pad"] - k) / stride + 1;
    const std::int64_t ow = (v["w"] + 2 * v["pad"] - k) / stride + 1;
    if (oh < 1 || ow < 1)
        throw base::UserError("InvalidParameter", "the kernel is larger than the padded input");
    const Tensor padded = padNhwc(p.b, x, v["pad"]);
    return p.b.reduce("depth_conv2d_nhwc", {{"n", v["n"]}, {"h", oh}, {"w", ow}, {"c", c}},
                      {{"rh", k}, {"rw", k}}, Reducer::Sum, [&](const Axes& s, const Axes& r) {
                          return padded({s[0], s[1] * constant(stride) + r[0],
                                         s[2] * constant(stride) + r[1], s[3]}) *
                                 w({r[0], r[1], s[3]});
                      });
}

Tensor buildTransposed(Program& p, const Values& v) {
    const std::int64_t k = v["kernel"];
    const std::int64_t stride = v["stride"];
    const std::int64_t padding = k - 1 - v["pad"];
    if (padding < 0)
        throw base::UserError("InvalidParameter", "pad must be below kernel");
    const Shape in{v["h"], v["w"]};
    const Tensor x = p.input("inputs", {v["n"], in[0], in[1], v["ci"]}, v.dtype(), false);
    const Tensor w = p.input("weight", {k, k, v["ci"], v["co"]}, v.dtype(), true);
    Shape padded{v["n"]};
    for (const std::int64_t extent : in)
        padded.push_back((extent - 1) * stride + 1 + 2 * padding);
    padded.push_back(v["ci"]);
    const Tensor spread = p.b.compute("data_pad", padded, [&](const Axes& at) {
        Expr inside = makeBool(true);
        Axes source{at[0]};
        for (std::size_t i = 0; i < 2; ++i) {
            const Expr offset = at[i + 1] - constant(padding);
            inside = logicalAnd(inside, lessEqual(constant(padding), at[i + 1]));
            inside =
                logicalAnd(inside, less(at[i + 1], constant(padding + (in[i] - 1) * stride + 1)));
            if (stride > 1)
                inside = logicalAnd(inside, equal(floorMod(offset, constant(stride)), constant(0)));
            source.push_back(floorDiv(offset, constant(stride)));
        }
        source.push_back(at[3]);
        return makeCall(x.dtype(), Op::IfThenElse, {inside, x(source), makeConst(0, x.dtype())});
    });
    return p.b.reduce(
        "conv2d_transpose_nhwc",
        {{"n", v["n"]}, {"h", padded[1] - k + 1}, {"w", padded[2] - k + 1}, {"co", v["co"]}},
        {{"rh", k}, {"rw", k}, {"rc", v["ci"]}}, Reducer::Sum, [&](const Axes& s, const Axes& r) {
            return spread({s[0], s[1] + r[0], s[2] + r[1], r[2]}) *
                   w({constant(k - 1) - r[0], constant(k - 1) - r[1], r[2], s[3]});
        });
}

Tensor buildConvBiasNormRelu(Program& p, const Values& v) {
    const Tensor y = buildConv(p, v, conv2d(v), "conv2d_nhwc");
    const Shape channels{v["co"]};
    const Tensor bias = p.input("bias", channels, v.dtype(), true);
    const Tensor scale = p.input("bn_scale", channels, v.dtype(), true);
    const Tensor offset = p.input("bn_offset", channels, v.dtype(), true);
    return p.b.compute("relu", y.shape(), [&](const Axes& s) {
        const Expr value = (y(s) + bias({s[3]})) * scale({s[3]}) + offset({s[3]});
        return maximum(value, makeConst(0, y.dtype()));
    });
}

Tensor buildTransposeBatchMatmul(Program& p, const Values& v) {
    const Shape shape{v["batch"], v["seq"], v["head"], v["dim"]};
    const Tensor q = p.input("query", shape, v.dtype(), false);
    const Tensor k = p.input("value", shape, v.dtype(), false);
    return p.b.reduce("C", {{"b", shape[0]}, {"h", shape[2]}, {"i", shape[1]}, {"j", shape[1]}},
                      {{"k", shape[3]}}, Reducer::Sum, [&](const Axes& s, const Axes& r) {
                          return q({s[0], s[2], s[1], r[0]}) * k({s[0], s[3], s[1], r[0]});
                      });
}

struct Row {
    NamedOperator description;
    std::function<Tensor(Program&, const Values&)> build;
};

NamedParam number(std::string name, std::int64_t value, std::string help) {
    return {std::move(name), std::to_string(value), std::move(help)};
}

NamedOperator describe(std::string name, std::string help, std::vector<NamedParam> params) {
    params.push_back({"dtype", "float32", "element type"});
    return {std::move(name), std::move(help), std::move(params)};
}

std::vector<NamedParam> conv2dParams(std::int64_t extent, std::int64_t ci, std::int64_t co,
                                     std::int64_t kernel, std::int64_t stride,
                                     std::int64_t padding) {
    return {number("n", 1, "batch"),
            number("h", extent, "height"),
            number("w", extent, "width"),
            number("ci", ci, "input channels"),
            number("co", co, "output channels"),
            number("kernel", kernel, "kernel extent"),
            number("stride", stride, "stride"),
            number("pad", padding, "padding on each side")};
}

std::vector<NamedParam> with(std::vector<NamedParam> params, NamedParam extra) {
    params.push_back(std::move(extra));
    return params;
}

std::vector<Row> matrixRows() {
    return {
        {describe("GMM", "batched matrix product [b,n,k] x [b,k,m]",
                  {number("b", 1, "batch"), number("n", 128, "rows"), number("m", 128, "columns"),
                   number("k", 128, "reduction")}),
         [](Program& p, const Values& v) {
             const Tensor a = p.input("X", {v["b"], v["n"], v["k"]}, v.dtype(), false);
             const Tensor w = p.input("Y", {v["b"], v["k"], v["m"]}, v.dtype(), false);
             return matmul(p.b, a, w, false, false, "Z");
         }},
        {describe("MATMUL", "matrix product [n,k] x [k,m] with constant weights",
                  {number("n", 128, "rows"), number("m", 128, "columns"),
                   number("k", 128, "reduction")}),
         [](Program& p, const Values& v) {
             const Tensor a = p.input("A", {v["n"], v["k"]}, v.dtype(), false);
             const Tensor w = p.input("B", {v["k"], v["m"]}, v.dtype(), true);
             return matmul(p.b, a, w, false, false, "C");
         }},
        {describe("TBG", "transposed batched matrix product of attention",
                  {number("batch", 1, "batch"), number("seq", 128, "sequence length"),
                   number("head", 12, "heads"), number("dim", 64, "head size")}),
         buildTransposeBatchMatmul},
        {describe("SFM", "softmax over rows",
                  {number("m", 256, "rows"), number("n", 256, "columns")}),
         [](Program& p, const Values& v) {
             return softmax(p.b, p.input("A", {v["m"], v["n"]}, v.floatingType(), false), -1, false,
                            "T_softmax");
         }},
        {describe("NRM", "square root of the sum of squares",
                  {number("b", 1, "batch"), number("m", 256, "rows"), number("n", 256, "columns")}),
         [](Program& p, const Values& v) {
             const Tensor a = p.input("A", {v["b"], v["m"], v["n"]}, v.floatingType(), false);
             const Tensor sum = p.b.reduce("C", {{"b", v["b"]}}, {{"i", v["m"]}, {"j", v["n"]}},
                                           Reducer::Sum, [&](const Axes& s, const Axes& r) {
                                               const Expr x = a({s[0], r[0], r[1]});
                                               return x * x;
                                           });
             return p.b.compute("D", {{"b", v["b"]}}, [&](const Axes& s) {
                 return makeCall(a.dtype(), Op::Sqrt, {sum(s)});
             });
         }},
    };
}

std::vector<Row> convolutionRows() {
    return {
        {describe("C1D", "convolution, one spatial dimension, channels innermost",
                  {number("n", 1, "batch"), number("l", 256, "length"),
                   number("ci", 64, "input channels"), number("co", 128, "output channels"),
                   number("kernel", 3, "kernel extent"), number("stride", 2, "stride"),
                   number("pad", 1, "padding on each side")}),
         [](Program& p, const Values& v) {
             return buildConv(
                 p, v, {{v["l"]}, v["n"], v["ci"], v["co"], v["kernel"], v["stride"], v["pad"]},
                 "conv1d_nlc");
         }},
        {describe("C2D", "convolution, channels innermost", conv2dParams(56, 64, 64, 1, 1, 0)),
         [](Program& p, const Values& v) { return buildConv(p, v, conv2d(v), "conv2d_nhwc"); }},
        {describe("C3D", "convolution, three spatial dimensions, channels innermost",
                  with(conv2dParams(56, 64, 64, 1, 1, 0), number("d", 16, "depth"))),
         [](Program& p, const Values& v) {
             return buildConv(p, v,
                              {{v["d"], v["h"], v["w"]},
                               v["n"],
                               v["ci"],
                               v["co"],
                               v["kernel"],
                               v["stride"],
                               v["pad"]},
                              "conv3d_ndhwc");
         }},
        {describe("GRP", "grouped convolution, channels innermost",
                  with(conv2dParams(56, 64, 128, 3, 2, 1), number("groups", 4, "groups"))),
         [](Program& p, const Values& v) {
             return buildConv(p, v, conv2d(v, 1, v["groups"]), "conv2d_nhwc");
         }},
        {describe("DIL", "dilated convolution, channels innermost",
                  with(conv2dParams(56, 64, 64, 3, 1, 2), number("dilation", 2, "dilation"))),
         [](Program& p, const Values& v) {
             return buildConv(p, v, conv2d(v, v["dilation"]), "conv2d_nhwc");
         }},
        {describe("DEP", "depthwise convolution, channels innermost",
                  {number("n", 1, "batch"), number("h", 112, "height"), number("w", 112, "width"),
                   number("c", 32, "channels"), number("kernel", 3, "kernel extent"),
                   number("stride", 1, "stride"), number("pad", 1, "padding on each side")}),
         buildDepthwise},
        {describe("T2D", "transposed convolution, channels innermost",
                  conv2dParams(4, 512, 256, 4, 2, 1)),
         buildTransposed},
        {describe("CBR", "convolution, bias, batch normalisation, ReLU",
                  conv2dParams(224, 3, 64, 7, 2, 3)),
         buildConvBiasNormRelu},
    };
}

const std::vector<Row>& rows() {
    static const std::vector<Row> table = [] {
        std::vector<Row> all = matrixRows();
        for (Row& row : convolutionRows())
            all.push_back(std::move(row));
        return all;
    }();
    return table;
}

const Row& findRow(std::string_view name) {
    std::vector<std::string> names;
    for (const Row& row : rows()) {
        if (row.description.name == name)
            return row;
        names.push_back(row.description.name);
    }
    throw base::UserError(
        "UnknownOperator",
        base::concat("op: no operator '", name, "'; there are: ", base::join(names, ", ")));
}

Values readValues(const NamedOperator& description, std::string_view text) {
    std::map<std::string, std::string> values;
    std::vector<std::string> names;
    for (const NamedParam& param : description.params) {
        values[param.name] = param.defaultValue;
        names.push_back(param.name);
    }
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        const std::size_t equals = item.find('=');
        const std::string name(item.substr(0, equals));
        if (equals == std::string_view::npos || !values.contains(name))
            throw base::UserError("InvalidParameter",
                                  base::concat("op:", description.name, ": '", item,
                                               "' is no parameter; accepted are NAME=VALUE with: ",
                                               base::join(names, ", ")));
        values[name] = std::string(item.substr(equals + 1));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return {description.name, std::move(values)};
}

} // namespace

const std::vector<NamedOperator>& namedOperators() {
    static const std::vector<NamedOperator> list = [] {
        std::vector<NamedOperator> all;
        for (const Row& row : rows())
            all.push_back(row.description);
        return all;
    }();
    return list;
}

Operator buildNamed(std::string_view text) {
    const std::size_t colon = text.find(':');
    const Row& row = findRow(text.substr(0, colon));
    const Values values =
        readValues(row.description,
                   colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
    Program program;
    const Tensor output = row.build(program, values);
    Operator result;
    result.module = Module::of(program.b.finish({output}));
    result.constant = program.constants;
    return result;
}

} // namespace tilewright::op
