// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One trace in its file form and in its text form.
inline const char* const kFile =
    R"([[["GetSBlock",[],["mm","main"],["b0"]],["GetLoops",["b0"],[],["l1","l2","l3"]],)"
    R"(["SamplePerfectTile",["l1"],[4,64],["v4","v5","v6","v7"]],)"
    R"(["Split",["l1","v4","v5","v6","v7"],[1,0],["l8","l9","l10","l11"]],)"
    R"(["Split",["l3","None",4],[1,0],["l12","l13"]],)"
    R"(["Reorder",["l8","l9","l12","l10","l13","l11","l2"],[],[]],)"
    R"(["Annotate",["b0","\"SSRSRS\""],["meta_schedule.tiling_structure"],[]],)"
    R"(["SampleCategorical",[],[[0,16,64,512],[0.25,0.25,0.25,0.25]],["v14"]],)"
    R"(["Annotate",["b0","v14"],["meta_schedule.unroll_explicit"],[]],)"
    R"(["CacheWrite",["b0",[]],[0,"global"],["b15"]],["EnterPostproc",[],[],[]]],)"
    R"([[2,[4,2,8,4]],[7,2]]])";

inline const char* const kText = R"(# from tvm import s_tir
def apply_trace(sch: s_tir.Schedule) -> None:
  b0 = sch.get_sblock(name="mm", func_name="main")
  l1, l2, l3 = sch.get_loops(block=b0)
  v4, v5, v6, v7 = sch.sample_perfect_tile(loop=l1, n=4, max_innermost_factor=64, decision=[4, 2, 8, 4])
  l8, l9, l10, l11 = sch.split(loop=l1, factors=[v4, v5, v6, v7], preserve_unit_iters=True, disable_predication=False)
  l12, l13 = sch.split(loop=l3, factors=[None, 4], preserve_unit_iters=True, disable_predication=False)
  sch.reorder(l8, l9, l12, l10, l13, l11, l2)
  sch.annotate(block_or_loop=b0, ann_key="meta_schedule.tiling_structure", ann_val="SSRSRS")
  v14 = sch.sample_categorical(candidates=[0, 16, 64, 512], probs=[0.25, 0.25, 0.25, 0.25], decision=2)
  sch.annotate(block_or_loop=b0, ann_key="meta_schedule.unroll_explicit", ann_val=v14)
  b15 = sch.cache_write(block=b0, write_buffer_index=0, storage_scope="global")
  sch.enter_postproc())";

