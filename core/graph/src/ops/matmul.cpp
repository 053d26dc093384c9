// SPDX-License-Identifier: Apache-2.0
#include "../matmul_geometry.h"
#include "../op_table.h"

#include <tilewright/base/concat.h>

#include <algorithm>

namespace tilewright::graph {

MatmulGeometry matmulGeometry(const OpContext& context) {
    Dims a = context.shape(0);
    Dims b = context.shape(1);
    const bool vectorA = a.size() == 1;
    const bool vectorB = b.size() == 1;
    if (vectorA)
        a.insert(a.begin(), 1);
    if (vectorB)
        b.push_back(1);
    if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2])
        context.fail(base::concat("shapes ", toString(context.shape(0)), " and ",
                                  toString(context.shape(1)), " cannot be multiplied"));
    MatmulGeometry g;
    g.batchA = Dims(a.begin(), a.end() - 2);
    g.batchB = Dims(b.begin(), b.end() - 2);
    g.batch = broadcastShapes(context, g.batchA, g.batchB);
    g.m = a[a.size() - 2];
    g.k = a.back();
    g.n = b.back();
    g.output = g.batch;
    if (!vectorA)
        g.output.push_back(g.m);
    if (!vectorB)
        g.output.push_back(g.n);
    return g;
}

namespace {

std::vector<TensorType> inferMatmul(const OpContext& context) {
    return {{context.dtype(0), matmulGeometry(context).output}};
}

std::vector<NumericTensor> evaluateMatmul(const OpContext& context,
                                          const std::vector<TensorType>& types) {
    const MatmulGeometry g = matmulGeometry(context);
    const Dims strideA = broadcastStrides(g.batchA, g.batch);
    const Dims strideB = broadcastStrides(g.batchB, g.batch);
    const NumericTensor& a = context.numeric(0);
    const NumericTensor& b = context.numeric(1);
    NumericTensor out(types[0]);
    std::vector<double> row(static_cast<std::size_t>(g.n));
    forEachIndex(g.batch, [&](std::int64_t flat, const Dims& index) {
        std::int64_t atA = 0;
        std::int64_t atB = 0;
        for (std::size_t d = 0; d < index.size(); ++d) {
            atA += index[d] * strideA[d] * g.m * g.k;
            atB += index[d] * strideB[d] * g.k * g.n;
        }
        for (std::int64_t i = 0; i < g.m; ++i) {
            std::fill(row.begin(), row.end(), 0.0);
            for (std::int64_t k = 0; k < g.k; ++k) {
                const double x = a.real(atA + i * g.k + k);
                for (std::int64_t j = 0; j < g.n; ++j)
                    row[static_cast<std::size_t>(j)] += x * b.real(atB + k * g.n + j);
            }
            for (std::int64_t j = 0; j < g.n; ++j)
                out.set((flat * g.m + i) * g.n + j, row[static_cast<std::size_t>(j)]);
        }
    });
    return {std::move(out)};
}

std::vector<TensorType> inferGemm(const OpContext& context) {
    const Dims& a = context.shape(0);
    const Dims& b = context.shape(1);
    const bool transA = context.attributes().integer("transA", 0) != 0;
    const bool transB = context.attributes().integer("transB", 0) != 0;
    if (a.size() != 2 || b.size() != 2 || a[transA ? 0 : 1] != b[transB ? 1 : 0])
        context.fail(
            base::concat("shapes ", toString(a), " and ", toString(b), " cannot be multiplied"));
    const Dims out{a[transA ? 1 : 0], b[transB ? 0 : 1]};
    if (context.has(2) && broadcastShapes(context, out, context.shape(2)) != out)
        context.fail(
            base::concat("addend ", toString(context.shape(2)), " is larger than ", toString(out)));
    return {{context.dtype(0), out}};
}

std::vector<NumericTensor> evaluateGemm(const OpContext& context,
                                        const std::vector<TensorType>& types) {
    const bool transA = context.attributes().integer("transA", 0) != 0;
    const bool transB = context.attributes().integer("transB", 0) != 0;
    const double alpha = context.attributes().real("alpha", 1.0);
    const double beta = context.attributes().real("beta", 1.0);
    const NumericTensor& a = context.numeric(0);
    const NumericTensor& b = context.numeric(1);
    const std::int64_t m = types[0].shape[0];
    const std::int64_t n = types[0].shape[1];
    const std::int64_t k = a.size() / std::max<std::int64_t>(m, 1);
    const Dims addend =
        context.has(2) ? broadcastStrides(context.shape(2), types[0].shape) : Dims{0, 0};
    NumericTensor out(types[0]);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::int64_t r = 0; r < k; ++r)
                sum +=
                    a.real(transA ? r * m + i : i * k + r) * b.real(transB ? j * k + r : r * n + j);
            sum *= alpha;
            if (context.has(2))
                sum += beta * context.numeric(2).real(i * addend[0] + j * addend[1]);
            out.set(i * n + j, sum);
        }
    return {std::move(out)};
}

} // namespace

void addMatmulOps(OpTable& table) {
    table["MatMul"] = {PatternKind::OutFusable, inferMatmul, evaluateMatmul};
    table["Gemm"] = {PatternKind::OutFusable, inferGemm, evaluateGemm};
}

} // namespace tilewright::graph
