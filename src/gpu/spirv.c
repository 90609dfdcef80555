/* Reads the bindings of a compute shader from its SPIR-V (specification 1.6, sections 2.3 and 3),
 * so that C never repeats them. */
#include "gpu_internal.h"

enum {
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    DECORATION_NON_WRITABLE = 24,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_UNIFORM = 2,
    CLASS_STORAGE_BUFFER = 12,
};

/* What is known about one id. */
typedef struct spirv_id {
    uint32_t opcode;
    uint32_t type; /* pointer: the type pointed to; variable: its pointer type */
    uint32_t class;
    uint32_t binding;
    bool has_binding, non_writable;
} spirv_id;

static void read_decoration(spirv_id *ids, const uint32_t *op, uint32_t length)
{
    bool member = (op[0] & 0xffffu) == OP_MEMBER_DECORATE;
    uint32_t at = member ? 3 : 2;
    if (at >= length) return;
    spirv_id *id = &ids[op[1]];
    if (op[at] == DECORATION_NON_WRITABLE) id->non_writable = true;
    if (!member && op[at] == DECORATION_BINDING && at + 1 < length) {
        id->binding = op[at + 1];
        id->has_binding = true;
    }
}

static void read_op(spirv_id *ids, const uint32_t *op, uint32_t length)
{
    uint32_t opcode = op[0] & 0xffffu;
    switch (opcode) {
    case OP_DECORATE:
    case OP_MEMBER_DECORATE: read_decoration(ids, op, length); break;
    case OP_TYPE_IMAGE:
    case OP_TYPE_SAMPLED_IMAGE:
    case OP_TYPE_STRUCT:
    case OP_TYPE_ARRAY: ids[op[1]].opcode = opcode; break;
    case OP_TYPE_POINTER:
        ids[op[1]].opcode = opcode;
        ids[op[1]].class = op[2];
        ids[op[1]].type = op[3];
        break;
    case OP_VARIABLE:
        ids[op[2]].opcode = opcode;
        ids[op[2]].type = op[1];
        ids[op[2]].class = op[3];
        break;
    default: break;
    }
}

static bool add_binding(gpu_kernel *kernel, const spirv_id *ids, const spirv_id *variable)
{
    const spirv_id *target = &ids[ids[variable->type].type];
    gpu_binding *binding = &kernel->bindings[kernel->binding_count];
    if (kernel->binding_count == GPU_KERNEL_BINDINGS) return false;
    binding->binding = variable->binding;
    binding->readonly = true;
    if (variable->class == CLASS_STORAGE_BUFFER) {
        binding->type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        binding->readonly = variable->non_writable || target->non_writable;
    } else if (variable->class == CLASS_UNIFORM) {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    } else {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    }
    kernel->binding_count++;
    return true;
}

weir_result gpu_spirv_bindings(const weir_log *log, const gpu_kernel_def *def, gpu_kernel *kernel)
{
    if (def->word_count < 5 || def->words[0] != 0x07230203u)
        return base_fail(log, WEIR_ARGUMENT, "kernel %s: not SPIR-V", def->name);
    uint32_t bound = def->words[3];
    spirv_id *ids = base_alloc(bound, sizeof *ids);
    if (!ids) return base_fail(log, WEIR_MEMORY, "no memory to read kernel %s", def->name);
    for (size_t at = 5; at < def->word_count;) {
        uint32_t length = def->words[at] >> 16;
        if (length == 0 || length > def->word_count - at) break;
        read_op(ids, def->words + at, length);
        at += length;
    }
    bool fits = true;
    for (uint32_t i = 0; i < bound; i++)
        if (ids[i].opcode == OP_VARIABLE && ids[i].has_binding)
            fits = fits && add_binding(kernel, ids, &ids[i]);
    base_free(ids);
    return fits ? WEIR_OK
                : base_fail(log, WEIR_ARGUMENT, "kernel %s has more than %u bindings", def->name,
                            GPU_KERNEL_BINDINGS);
}
