// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_RUNTIME_KERNEL_ABI_H
#define TILEWRIGHT_RUNTIME_KERNEL_ABI_H

/* The binary interface between generated kernels and whoever runs them. Plain C, because a compiled
 * library is loaded by programs that are not ours, and because code generation addresses the fields
 * of tw_pool by their position. Every change of meaning, order or size raises TW_KERNEL_ABI.
 *
 * Layout of tw_pool on every 64-bit target (offsets in bytes; in LLVM: { ptr, ptr, i32, i32, ptr
 * }): 0  parallel_for    8  workspace    16  num_threads    20  reserved    24  owner
 *
 * A kernel is
 *
 *     int32_t kernel(void** data, tw_pool* pool);
 *
 * with one pointer per parameter buffer, in the order of the function's parameters. Each points at
 * element 0 of a compact row-major array of the buffer's static shape, aligned to 64 bytes.
 * Distinct arguments do not overlap. The kernel returns TW_OK or one of the codes below and never
 * throws.
 *
 * A parallel loop `for i in parallel(extent): B` becomes
 *
 *     int32_t body(void* closure, int64_t begin, int64_t end) { for (i = begin; i < end; ++i) B; }
 *     ...
 *     int32_t code = pool->parallel_for(pool, body, &closure, extent);
 *     if (code != TW_OK) return code;
 *
 * where the closure holds what B needs (data, the pool, outer loop variables, buffers). The range
 * [0, extent) is cut into at most num_threads contiguous chunks; the body is called at most once
 * per worker, never with an empty range, and the call returns after all of them did. A parallel_for
 * called inside a body runs its whole range on the calling worker.
 *
 * A buffer that a kernel allocates and that is too large for the stack comes from
 *
 *     float* buffer = pool->workspace(pool, bytes, slot);
 *     if (!buffer) return TW_NO_MEMORY;
 *
 * The memory belongs to (calling worker, slot), is aligned to 64 bytes, holds anything at first,
 * and stays valid until the outermost kernel call returns. Asking again for the same slot on the
 * same worker gives the same memory when it is large enough, else a larger one whose contents are
 * unspecified. So code generation numbers the allocations of one kernel 0, 1, 2, … (below
 * TW_MAX_SLOTS), each its own slot: memory asked for outside a parallel loop is shared by all
 * workers through the closure, memory asked for inside a body is that worker's own.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_KERNEL_ABI 1
#define TW_MAX_SLOTS 64
#define TW_ALIGNMENT 64

/* Return codes of kernels and bodies; a body's code other than TW_OK becomes parallel_for's. */
#define TW_OK 0
#define TW_NO_MEMORY 1
#define TW_BAD_ARGUMENT 2

typedef struct tw_pool tw_pool;

typedef int32_t (*tw_kernel)(void** data, tw_pool* pool);
typedef int32_t (*tw_parallel_body)(void* closure, int64_t begin, int64_t end);

struct tw_pool {
    /* Runs body over [0, extent); extent <= 0 calls nothing. Returns the first code not TW_OK. */
    int32_t (*parallel_for)(tw_pool* pool, tw_parallel_body body, void* closure, int64_t extent);
    /* Scratch of the calling worker, see above; null when there is no memory. */
    void* (*workspace)(tw_pool* pool, int64_t bytes, int32_t slot);
    /* Workers that take part, the calling thread included; at least 1. */
    int32_t num_threads;
    int32_t reserved;
    /* The pool's owner; kernels leave it alone. */
    void* owner;
};

/* Symbols that a compiled library exports beside its kernels:
 *     const uint32_t tw_library_abi;          TW_KERNEL_ABI of the compiler that made it
 *     const char tw_library_features[];       CPU features it needs, LLVM's names, "avx2,fma";
 *                                             empty: the architecture's baseline
 */
#define TW_LIBRARY_ABI_SYMBOL "tw_library_abi"
#define TW_LIBRARY_FEATURES_SYMBOL "tw_library_features"

#ifdef __cplusplus
} /* extern "C" */

static_assert(sizeof(void*) != 8 || sizeof(tw_pool) == 32, "generated code relies on this layout");
#endif

#endif
