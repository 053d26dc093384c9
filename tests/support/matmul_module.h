// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix product scheduled the way MetaSchedule's multi-level tiling does it (SSRSRS with a
// write cache), with the tiles given.

#include <tilewright/ir/make.h>

#include <vector>

namespace tilewright::test {

struct MatmulTiles {
    int n = 512, m = 512, k = 512;
    int i1 = 1, i2 = 1, i3 = 6;  ///< rows: outer = n / (i1 i2 i3)
    int j1 = 1, j2 = 1, j3 = 16; ///< columns
    int k1 = 512;                ///< inner part of k
    bool parallel = true;
    bool cacheWrite = true;
    int unrollStep = 0;
    int pack = 0; ///< columns of a packed panel of B; 0 = B as it is
};

inline ir::Module matmulModule(const MatmulTiles& t) {
    using namespace ir;
    const Buffer a = makeBuffer("A", DataType::f(32), std::vector<std::int64_t>{t.n, t.k});
    const Buffer b = makeBuffer("B", DataType::f(32), std::vector<std::int64_t>{t.k, t.m});
    const Buffer c = makeBuffer("C", DataType::f(32), std::vector<std::int64_t>{t.n, t.m});
    const Buffer local =
        t.cacheWrite ? makeBuffer("C_global", DataType::f(32), std::vector<std::int64_t>{t.n, t.m})
                     : c;
    const auto n = [](std::int64_t v) { return makeInt(v); };
    const Var i0 = makeVar("i0"), j0 = makeVar("j0"), i1 = makeVar("i1"), j1 = makeVar("j1");
    const auto row = [&](const Expr& inner) {
        return (Expr(i0) * n(t.i1) + Expr(i1)) * n(t.i2 * t.i3) + inner;
    };
    const auto column = [&](const Expr& inner) {
        return (Expr(j0) * n(t.j1) + Expr(j1)) * n(t.j2 * t.j3) + inner;
    };
    const auto block = [&](const char* name, std::vector<Expr> values, bool reduction,
                           auto&& makeBody) {
        std::vector<IterVar> iters;
        std::vector<Var> vars;
        for (std::size_t d = 0; d < values.size(); ++d) {
            const Var v = makeVar(d == 0 ? "vi" : d == 1 ? "vj" : "vk");
            vars.push_back(v);
            const int extent = d == 0 ? t.n : d == 1 ? t.m : t.k;
            iters.push_back({Range::fromExtent(makeInt(extent)), v,
                             reduction && d == 2 ? IterType::CommReduce : IterType::DataPar});
        }
        return makeBlockRealize(std::move(values), makeBool(true),
                                built<BlockNode>([&](BlockNode& x) {
                                    x.iterVars = iters;
                                    x.name = name;
                                    x.body = makeBody(vars);
                                }));
    };
    const auto loop = [&](const Var& v, int extent, const Stmt& body,
                          ForKind kind = ForKind::Serial) {
        return makeFor(v, n(0), n(extent), kind, body);
    };
    const auto tile = [&](const Expr& i2, const Expr& i3, int s) { return i2 * n(s) + i3; };

    const Var a0 = makeVar("i2i"), a1 = makeVar("i3i"), b0 = makeVar("j2i"), b1 = makeVar("j3i");
    const Stmt init = loop(
        a0, t.i2,
        loop(b0, t.j2,
             loop(a1, t.i3,
                  loop(b1, t.j3,
                       block("C_init", {row(tile(a0, a1, t.i3)), column(tile(b0, b1, t.j3))}, false,
                             [&](const std::vector<Var>& v) {
                                 return makeStore(local, makeFloat(0), {v[0], v[1]});
                             }),
                       ForKind::Vectorized))));
    const Buffer panel =
        t.pack ? makeBuffer("B_pack", DataType::f(32),
                            std::vector<std::int64_t>{t.m / t.pack, t.k, t.pack})
               : b;
    const auto fromB = [&](const Expr& k, const Expr& j) {
        return t.pack ? makeLoad(panel, {floorDiv(j, n(t.pack)), k, floorMod(j, n(t.pack))})
                      : makeLoad(b, {k, j});
    };
    const Var i2 = makeVar("i2"), i3 = makeVar("i3"), j2 = makeVar("j2"), j3 = makeVar("j3");
    const Var k0 = makeVar("k0"), k1 = makeVar("k1");
    const Stmt update =
        block("C_update",
              {row(tile(i2, i3, t.i3)), column(tile(j2, j3, t.j3)), Expr(k0) * n(t.k1) + Expr(k1)},
              true, [&](const std::vector<Var>& v) {
                  return makeStore(local,
                                   add(makeLoad(local, {v[0], v[1]}),
                                       mul(makeLoad(a, {v[0], v[2]}), fromB(v[2], v[1]))),
                                   {v[0], v[1]});
              });
    const Stmt reduce = loop(
        k0, t.k / t.k1,
        loop(i2, t.i2,
             loop(j2, t.j2,
                  loop(k1, t.k1, loop(i3, t.i3, loop(j3, t.j3, update, ForKind::Vectorized))))));
    std::vector<Stmt> body{init, reduce};
    if (t.cacheWrite) {
        const Var r = makeVar("ax0"), s = makeVar("ax1");
        body.push_back(
            loop(r, t.i2 * t.i3,
                 loop(s, t.j2 * t.j3,
                      block("C_write", {row(r), column(s)}, false,
                            [&](const std::vector<Var>& v) {
                                return makeStore(c, makeLoad(local, {v[0], v[1]}), {v[0], v[1]});
                            }),
                      ForKind::Vectorized)));
    }
    Stmt nest = loop(i1, t.i1, loop(j1, t.j1, makeSeq(body)));
    nest = loop(j0, t.m / (t.j1 * t.j2 * t.j3), nest);
    Annotations notes;
    if (t.unrollStep > 0) {
        notes.set("pragma_auto_unroll_max_step", AttrValue(t.unrollStep));
        notes.set("pragma_unroll_explicit", AttrValue(1));
    }
    nest = makeFor(i0, n(0), n(t.n / (t.i1 * t.i2 * t.i3)),
                   t.parallel ? ForKind::Parallel : ForKind::Serial, nest, notes);
    if (t.pack) {
        const Var p0 = makeVar("p0"), p1 = makeVar("p1"), p2 = makeVar("p2");
        const Stmt copy = loop(
            p0, t.m / t.pack,
            loop(p1, t.k,
                 loop(p2, t.pack,
                      block("B_pack", {p1, Expr(p0) * n(t.pack) + Expr(p2)}, false,
                            [&](const std::vector<Var>& v) {
                                return makeStore(
                                    panel, makeLoad(b, {v[0], v[1]}),
                                    {floorDiv(v[1], n(t.pack)), v[0], floorMod(v[1], n(t.pack))});
                            }),
                      ForKind::Vectorized)),
            ForKind::Parallel);
        nest = makeSeq({copy, nest});
    }
    const Block root = built<BlockNode>([&](BlockNode& x) {
        x.name = "root";
        x.body = nest;
        if (t.cacheWrite)
            x.allocBuffers = {local};
        if (t.pack)
            x.allocBuffers.push_back(panel);
    });
    return Module::of(built<PrimFuncNode>([&](PrimFuncNode& f) {
        f.params = {{makeVar("a", DataType::handle()), a},
                    {makeVar("b", DataType::handle()), b},
                    {makeVar("c", DataType::handle()), c}};
        f.body = makeBlockRealize({}, makeBool(true), root);
    }));
}

} // namespace tilewright::test
