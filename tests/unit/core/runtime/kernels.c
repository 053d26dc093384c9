/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as generated code would export them, and some that misbehave. */
#include <tilewright/runtime/kernel_abi.h>

#ifndef TEST_ABI
#define TEST_ABI TW_KERNEL_ABI
#endif

const uint32_t tw_library_abi = TEST_ABI;
const char tw_library_features[] = "";

enum { kCount = 4096 };

struct AddClosure {
    const float* a;
    const float* b;
    float* c;
};

static int32_t addRange(void* closure, int64_t begin, int64_t end) {
    struct AddClosure* add = closure;
    for (int64_t i = begin; i < end; ++i)
        add->c[i] = add->a[i] + add->b[i];
    return TW_OK;
}

/* c = a + b over 4096 floats, in parallel. */
int32_t add(void** data, tw_pool* pool) {
    struct AddClosure closure = {data[0], data[1], data[2]};
    return pool->parallel_for(pool, addRange, &closure, kCount);
}

/* The same with an intermediate in a workspace. */
int32_t add_workspace(void** data, tw_pool* pool) {
    float* copy = pool->workspace(pool, kCount * (int64_t)sizeof(float), 3);
    if (!copy)
        return TW_NO_MEMORY;
    const float* a = data[0];
    for (int i = 0; i < kCount; ++i)
        copy[i] = a[i];
    struct AddClosure closure = {copy, data[1], data[2]};
    return pool->parallel_for(pool, addRange, &closure, kCount);
}

/* Adds wrongly at one place. */
int32_t add_wrong(void** data, tw_pool* pool) {
    const int32_t code = add(data, pool);
    ((float*)data[2])[1234] += 1.0f;
    return code;
}

/* Leaves the last element unwritten. */
int32_t add_short(void** data, tw_pool* pool) {
    struct AddClosure closure = {data[0], data[1], data[2]};
    return pool->parallel_for(pool, addRange, &closure, kCount - 1);
}

/* Takes some 100 times as long as add. */
int32_t add_slow(void** data, tw_pool* pool) {
    for (int i = 0; i < 200; ++i)
        add(data, pool);
    return add(data, pool);
}

int32_t crash(void** data, tw_pool* pool) {
    (void)data, (void)pool;
    *(volatile int*)8 = 1;
    return TW_OK;
}

int32_t trap(void** data, tw_pool* pool) {
    (void)data, (void)pool;
    __builtin_trap();
}

int32_t hang(void** data, tw_pool* pool) {
    (void)pool;
    for (volatile int* at = data[0];; *at = 1)
        ;
}

int32_t greedy(void** data, tw_pool* pool) {
    (void)data;
    return pool->workspace(pool, (int64_t)1 << 50, 0) ? TW_OK : TW_NO_MEMORY;
}

int32_t refuse(void** data, tw_pool* pool) {
    (void)data, (void)pool;
    return TW_BAD_ARGUMENT;
}

/* Writes far outside its argument. */
int32_t wild(void** data, tw_pool* pool) {
    (void)pool;
    for (int64_t i = 0; i < (int64_t)1 << 40; i += 64)
        ((volatile char*)data[2])[i] = 1;
    return TW_OK;
}
