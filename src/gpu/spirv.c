/* Reads what a shader binds, and its specialization constants, from its SPIR-V (specification 1.6,
 * sections 2.3 and 3), and holds it against what the shader declares. */
#include "gpu_internal.h"

enum {
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    DECORATION_SPEC_ID = 1,
    DECORATION_NON_WRITABLE = 24,
    DECORATION_BINDING = 33,
    CLASS_UNIFORM = 2,
    CLASS_STORAGE_BUFFER = 12,
    DIM_BUFFER = 5,
    IMAGE_SAMPLED = 1,
};

/* What is known about one id. */
typedef struct spirv_id {
    uint32_t type;  /* pointer: the type pointed to; variable: its pointer type */
    uint32_t class; /* of a variable */
    uint32_t dim;   /* of an image */
    bool sampled;   /* image: not a storage image */
    bool is_variable, is_sampled_image;
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

static void read_op(void *user, const uint32_t *op, uint32_t length)
{
    spirv_id *ids = user;
    switch (op[0] & 0xffffu) {
    case OP_DECORATE:
    case OP_MEMBER_DECORATE: read_decoration(ids, op, length); break;
    case OP_TYPE_IMAGE:
        ids[op[1]].dim = op[3];
        ids[op[1]].sampled = op[7] == IMAGE_SAMPLED;
        break;
    case OP_TYPE_SAMPLED_IMAGE: ids[op[1]].is_sampled_image = true; break;
    case OP_TYPE_POINTER: ids[op[1]].type = op[3]; break;
    case OP_VARIABLE:
        ids[op[2]].is_variable = true;
        ids[op[2]].type = op[1];
        ids[op[2]].class = op[3];
        break;
    default: break;
    }
}

static void describe_binding(gpu_binding *binding, const spirv_id *ids, const spirv_id *variable)
{
    const spirv_id *target = &ids[ids[variable->type].type];
    binding->binding = variable->binding;
    binding->readonly = true;
    if (variable->class == CLASS_STORAGE_BUFFER) {
        binding->type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        binding->readonly = variable->non_writable || target->non_writable;
    } else if (variable->class == CLASS_UNIFORM) {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    } else if (target->is_sampled_image || target->dim == DIM_BUFFER) {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    } else if (target->sampled) {
        binding->type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    } else {
        binding->type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        binding->readonly = variable->non_writable;
    }
}

static const gpu_declared *find_declared(const gpu_shader *shader, uint32_t binding)
{
    for (uint32_t i = 0; i < shader->use_count; i++)
        if (shader->uses[i].binding == binding) return &shader->uses[i];
    return NULL;
}

/* What a stage is read into, and from. */
typedef struct stage {
    const weir_log *log;
    const gpu_shader *shader;
    gpu_kernel *kernel;
} stage;

/* Keeps the bindings in the order of their numbers. The stages of a draw may share some. */
static weir_result add_binding(stage *s, const gpu_binding *found)
{
    gpu_kernel *kernel = s->kernel;
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        if (kernel->bindings[i].binding != found->binding) continue;
        if (kernel->bindings[i].type == found->type) return WEIR_OK;
        return base_fail(s->log, WEIR_ARGUMENT, "kernel %s: its stages disagree on %s (binding %u)",
                         kernel->name, found->name, found->binding);
    }
    if (kernel->binding_count == GPU_KERNEL_BINDINGS)
        return base_fail(s->log, WEIR_ARGUMENT, "kernel %s has more than %u bindings", kernel->name,
                         GPU_KERNEL_BINDINGS);
    uint32_t at = kernel->binding_count++;
    for (; at > 0 && kernel->bindings[at - 1].binding > found->binding; at--)
        kernel->bindings[at] = kernel->bindings[at - 1];
    kernel->bindings[at] = *found;
    return WEIR_OK;
}

static weir_result take_binding(stage *s, const spirv_id *ids, const spirv_id *variable)
{
    gpu_binding found = {0};
    describe_binding(&found, ids, variable);
    const gpu_declared *declared = find_declared(s->shader, found.binding);
    if (!declared)
        return base_fail(s->log, WEIR_ARGUMENT,
                         "kernel %s: %s binds number %u, which the program's table of it does not "
                         "have: declare it by a word of shaders/lib/bindings/bindings.glsl, and "
                         "build the program again",
                         s->kernel->name, s->shader->plain.source, found.binding);
    found.access = declared->access;
    found.name = declared->name;
    return add_binding(s, &found);
}

/* Calls `visit` for every instruction. */
static void each_op(const gpu_words *words,
                    void (*visit)(void *user, const uint32_t *op, uint32_t length), void *user)
{
    for (size_t at = 5; at < words->count;) {
        uint32_t length = words->words[at] >> 16;
        if (length == 0 || length > words->count - at) return;
        visit(user, words->words + at, length);
        at += length;
    }
}

weir_result gpu_spirv_bindings(const weir_log *log, const gpu_words *words,
                               const gpu_shader *shader, gpu_kernel *kernel)
{
    weir_result result = WEIR_OK;
    stage s = {log, shader, kernel};
    if (words->count < 5 || words->words[0] != 0x07230203u)
        return base_fail(log, WEIR_ARGUMENT, "kernel %s: not SPIR-V", kernel->name);
    uint32_t bound = words->words[3];
    spirv_id *ids = base_alloc(bound, sizeof *ids);
    if (!ids) return base_fail(log, WEIR_MEMORY, "no memory to read kernel %s", kernel->name);
    each_op(words, read_op, ids);
    for (uint32_t i = 0; i < bound; i++)
        if (ids[i].is_variable && ids[i].has_binding) WEIR_TRY(take_binding(&s, ids, &ids[i]));
fail:
    base_free(ids);
    return result;
}

typedef struct renumbering {
    const gpu_words *from;
    const gpu_kernel *kernel;
    uint32_t *to;
} renumbering;

static void visit_binding(void *user, const uint32_t *op, uint32_t length)
{
    const renumbering *r = user;
    bool found = (op[0] & 0xffffu) == OP_DECORATE && length == 4 && op[2] == DECORATION_BINDING;
    const gpu_binding *binding = found ? gpu_kernel_binding(r->kernel, op[3]) : NULL;
    if (binding) r->to[op + 3 - r->from->words] = gpu_kernel_place(r->kernel, binding);
}

uint32_t *gpu_spirv_renumbered(const gpu_words *words, const gpu_kernel *kernel)
{
    renumbering r = {words, kernel, base_alloc(words->count, sizeof *r.to)};
    if (!r.to) return NULL;
    memcpy(r.to, words->words, words->count * sizeof *r.to);
    each_op(words, visit_binding, &r);
    return r.to;
}

static void visit_constant(void *user, const uint32_t *op, uint32_t length)
{
    uint32_t *used = user;
    bool constant = (op[0] & 0xffffu) == OP_DECORATE && length == 4 && op[2] == DECORATION_SPEC_ID;
    if (constant && op[3] < 32) *used |= 1u << op[3];
}

uint32_t gpu_spirv_constants(const gpu_words *words)
{
    uint32_t used = 0;
    each_op(words, visit_constant, &used);
    return used;
}
