// SPDX-License-Identifier: Apache-2.0
#include "model_header.h"

#include <tilewright/base/concat.h>

#include <cctype>

namespace tilewright::session {

namespace {

/// Only letters, digits and underscores; `prefix` in front, so that no digit leads.
std::string identifier(std::string_view prefix, std::string_view text) {
    std::string name(prefix);
    for (const char c : text)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0
                    ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                    : '_';
    return name;
}

/// Text that may stand in a C comment.
std::string inComment(std::string text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == '*' && text[i + 1] == '/')
            text[i] = ' ';
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 32)
            c = ' ';
    return text;
}

void describe(std::string& out, const char* what, const std::vector<graph::PlanTensor>& tensors,
              std::size_t first) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
        out += base::concat(" *   data[", first + i, "]  ", what, " \"", inComment(tensors[i].name),
                            "\", ", graph::toString(tensors[i].type), ", ",
                            graph::byteSize(tensors[i].type), " bytes\n");
}

constexpr const char* kInterface = R"(#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TILEWRIGHT_RUNTIME_KERNEL_ABI_H
/* How a library runs its parallel loops and gets its scratch memory. */
typedef struct tw_pool tw_pool;
typedef int32_t (*tw_kernel)(void** data, tw_pool* pool);
typedef int32_t (*tw_parallel_body)(void* closure, int64_t begin, int64_t end);
struct tw_pool {
    /* Runs body over [0, extent), cut into at most num_threads ranges; 0 or the first other code. */
    int32_t (*parallel_for)(tw_pool* pool, tw_parallel_body body, void* closure, int64_t extent);
    /* 64-byte aligned scratch of the calling thread, kept per slot (0 to 63); null when there is
     * no memory. */
    void* (*workspace)(tw_pool* pool, int64_t bytes, int32_t slot);
    int32_t num_threads;
    int32_t reserved;
    void* owner;
};
#endif

#ifndef TILEWRIGHT_GRAPH_MODEL_ABI_H
/* The simplest pool: one thread. */
struct tw_serial_pool {
    tw_pool base;
    void* slots[64];
    int64_t sizes[64];
};
static inline int32_t tw_serial_parallel_for(tw_pool* pool, tw_parallel_body body, void* closure,
                                             int64_t extent) {
    (void)pool;
    return extent > 0 ? body(closure, 0, extent) : 0;
}
static inline void* tw_serial_workspace(tw_pool* pool, int64_t bytes, int32_t slot) {
    struct tw_serial_pool* self = (struct tw_serial_pool*)pool->owner;
    if (slot < 0 || slot >= 64)
        return NULL;
    if (self->sizes[slot] < bytes) {
        free(self->slots[slot]);
        self->slots[slot] = aligned_alloc(64, ((size_t)bytes + 63) / 64 * 64);
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
    for (i = 0; i < 64; ++i) {
        pool->slots[i] = NULL;
        pool->sizes[i] = 0;
    }
}
static inline void tw_serial_pool_free(struct tw_serial_pool* pool) {
    int i;
    for (i = 0; i < 64; ++i)
        free(pool->slots[i]);
}
#endif

/* The entry point; link with the library or look the symbol up with dlsym. */
int32_t tw_model_run(void** data, tw_pool* pool);
/* JSON about the library, zero-terminated: inputs, outputs, kernels, what was tuned. */
extern const char tw_model_metadata[];
/* Number of this interface, and the CPU features the code needs, LLVM's names, comma-separated. */
extern const uint32_t tw_library_abi;
extern const char tw_library_features[];

#ifdef __cplusplus
}
#endif
)";

} // namespace

std::string modelHeader(const std::string& libraryName,
                        const std::vector<graph::PlanTensor>& inputs,
                        const std::vector<graph::PlanTensor>& outputs) {
    const std::string guard = identifier("TW_MODEL_", libraryName) + "_H";
    std::string out =
        base::concat("/* ", inComment(libraryName), ": compiled by tilewright.\n *\n",
                     " *     struct tw_serial_pool pool;\n *     tw_serial_pool_init(&pool);\n",
                     " *     void* data[", inputs.size() + outputs.size(),
                     "] = {...};\n *     int32_t code = tw_model_run(data, &pool.base);\n",
                     " *     tw_serial_pool_free(&pool);\n *\n",
                     " * Every tensor is compact, row-major and aligned to 64 bytes:\n");
    describe(out, "input", inputs, 0);
    describe(out, "output", outputs, inputs.size());
    out +=
        " * The code is 0 when all is well, 1 when there was no memory. Several threads may call "
        "at once,\n * each with a pool of its own.\n */\n";
    out += base::concat("#ifndef ", guard, "\n#define ", guard, "\n\n", kInterface, "\n#endif\n");
    return out;
}

} // namespace tilewright::session
