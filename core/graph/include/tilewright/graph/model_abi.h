// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_GRAPH_MODEL_ABI_H
#define TILEWRIGHT_GRAPH_MODEL_ABI_H

/* A compiled model is an ELF shared object that needs nothing but this header and libc's dlopen:
 *
 *     void* lib = dlopen("model.so", RTLD_NOW);
 *     tw_kernel run = (tw_kernel)dlsym(lib, TW_MODEL_RUN_SYMBOL);
 *     struct tw_serial_pool pool;
 *     tw_serial_pool_init(&pool);
 *     void* data[] = { input0, input1, output0 };   // inputs, then outputs, in the model's order
 *     int32_t code = run(data, &pool.base);
 *     tw_serial_pool_free(&pool);
 *
 * Every tensor is compact, row-major and aligned to 64 bytes; shapes and types are fixed when the
 * model is compiled and stand in the metadata. The weights are inside the library. Calls may come
 * from several threads when each brings its own pool.
 *
 * Exported symbols
 *     tw_model_run          int32_t (void** data, tw_pool*), TW_OK or another TW_… code
 *     tw_model_metadata     const char[], JSON, zero-terminated: {"schema": "tilewright-model-1",
 *                           "name", "note", "inputs": [{"name", "dtype", "shape"}], "outputs",
 *                           "constants", "scratch_bytes", "calls": [{"kernel", "task", "nodes",
 *                           "arguments": [[place, number]]}]}, place one of "input", "output",
 *                           "constant" (number: an index) and "scratch" (number: bytes)
 *     tw_constant_<i>       constant i, as the kernels take it
 *     <kernel>              each kernel of "calls"
 *     tw_library_abi, tw_library_features   see kernel_abi.h; check both before running
 */

#include <tilewright/runtime/kernel_abi.h>

#include <stdlib.h>

#define TW_MODEL_RUN_SYMBOL "tw_model_run"
#define TW_MODEL_METADATA_SYMBOL "tw_model_metadata"
#define TW_MODEL_CONSTANT_PREFIX "tw_constant_"

/* The simplest pool: one thread, scratch memory kept from call to call. */
struct tw_serial_pool {
    tw_pool base;
    void* slots[TW_MAX_SLOTS];
    int64_t sizes[TW_MAX_SLOTS];
};

static inline int32_t tw_serial_parallel_for(tw_pool* pool, tw_parallel_body body, void* closure,
                                             int64_t extent) {
    (void)pool;
    return extent > 0 ? body(closure, 0, extent) : TW_OK;
}

static inline void* tw_serial_workspace(tw_pool* pool, int64_t bytes, int32_t slot) {
    struct tw_serial_pool* self = (struct tw_serial_pool*)pool->owner;
    if (slot < 0 || slot >= TW_MAX_SLOTS)
        return NULL;
    if (self->sizes[slot] < bytes) {
        free(self->slots[slot]);
        self->slots[slot] = aligned_alloc(TW_ALIGNMENT, ((size_t)bytes + TW_ALIGNMENT - 1) /
                                                            TW_ALIGNMENT * TW_ALIGNMENT);
        self->sizes[slot] = self->slots[slot] ? bytes : 0;
    }
    return self->slots[slot];
}

static inline void tw_serial_pool_init(struct tw_serial_pool* pool) {
    int i;
    pool->base.parallel_for = tw_serial_parallel_for;
    pool->base.workspace = tw_serial_workspace;
    pool->base.num_threads = 1;
    pool->base.reserved = 0;
    pool->base.owner = pool;
    for (i = 0; i < TW_MAX_SLOTS; ++i) {
        pool->slots[i] = NULL;
        pool->sizes[i] = 0;
    }
}

static inline void tw_serial_pool_free(struct tw_serial_pool* pool) {
    int i;
    for (i = 0; i < TW_MAX_SLOTS; ++i)
        free(pool->slots[i]);
}

#endif
