/* Reads bindings and specialization constants from SPIR-V (specification 1.6, sections 2.3 and 3),
 * and compares them with the shader's declarations. */
#include <assert.h>

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
    CLASS_STORAGE_BUFFER = 12,
    DIM_BUFFER = 5,
    IMAGE_SAMPLED = 1,
};

/* What is known about one SPIR-V id. */
typedef struct spirv_id {
    uint32_t type;  /* of a pointer, the type it points to; of a variable, its pointer type */
    uint32_t class; /* storage class of a variable */
    uint32_t dim;   /* dimensionality of an image */
    bool sampled;   /* of an image: false for a storage image */
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

static void read_instruction(void *user, const uint32_t *op, uint32_t length)
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
    } else if (target->is_sampled_image || target->dim == DIM_BUFFER) {
        binding->type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    } else if (target->sampled) {
        binding->type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    } else {
        binding->type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        binding->readonly = variable->non_writable;
    }
}

static const gpu_shader_binding *find_declared_binding(const gpu_shader *shader, uint32_t binding)
{
    for (uint32_t i = 0; i < shader->use_count; i++)
        if (shader->uses[i].binding == binding) return &shader->uses[i];
    return NULL;
}

/* State of reading one stage. */
typedef struct shader_stage_bindings {
    const weir_log *log;
    const gpu_shader *shader;
    gpu_pipeline *pipeline;
} shader_stage_bindings;

/* Inserts a binding in the order of binding numbers. The stages of a draw may share bindings. */
static weir_result add_binding(shader_stage_bindings *s, const gpu_binding *found)
{
    gpu_pipeline *pipeline = s->pipeline;
    for (uint32_t i = 0; i < pipeline->binding_count; i++) {
        if (pipeline->bindings[i].binding != found->binding) continue;
        if (pipeline->bindings[i].type == found->type) return WEIR_OK;
        return base_fail(s->log, WEIR_ERROR_ARGUMENT,
                         "shader %s: its stages disagree on %s (binding %u)", pipeline->name,
                         found->name, found->binding);
    }
    if (pipeline->binding_count == GPU_PIPELINE_BINDINGS)
        return base_fail(s->log, WEIR_ERROR_ARGUMENT, "shader %s has more than %u bindings",
                         pipeline->name, GPU_PIPELINE_BINDINGS);
    uint32_t at = pipeline->binding_count++;
    for (; at > 0 && pipeline->bindings[at - 1].binding > found->binding; at--)
        pipeline->bindings[at] = pipeline->bindings[at - 1];
    pipeline->bindings[at] = *found;
    return WEIR_OK;
}

static weir_result add_variable_binding(shader_stage_bindings *s, const spirv_id *ids,
                                        const spirv_id *variable)
{
    gpu_binding found = {0};
    describe_binding(&found, ids, variable);
    const gpu_shader_binding *declared = find_declared_binding(s->shader, found.binding);
    if (!declared)
        return base_fail(
            s->log, WEIR_ERROR_ARGUMENT,
            "shader %s: %s uses binding %u, which the program's table lacks: declare it with a "
            "macro of shaders/lib/bindings/bindings.glsl, and build the program again",
            s->pipeline->name, s->shader->plain.source, found.binding);
    found.access = declared->access;
    found.name = declared->name;
    return add_binding(s, &found);
}

/* Calls `visit` for every instruction. */
static void for_each_instruction(const gpu_spirv *words,
                                 void (*visit)(void *user, const uint32_t *op, uint32_t length),
                                 void *user)
{
    for (size_t at = 5; at < words->count;) {
        uint32_t length = words->words[at] >> 16;
        if (length == 0 || length > words->count - at) return;
        visit(user, words->words + at, length);
        at += length;
    }
}

weir_result gpu_spirv_bindings(const weir_log *log, const gpu_spirv *words,
                               const gpu_shader *shader, gpu_pipeline *pipeline)
{
    weir_result result = WEIR_OK;
    shader_stage_bindings s = {log, shader, pipeline};
    if (words->count < 5 || words->words[0] != 0x07230203u)
        return base_fail(log, WEIR_ERROR_ARGUMENT, "shader %s: not SPIR-V", pipeline->name);
    uint32_t bound = words->words[3];
    spirv_id *ids = base_alloc(bound, sizeof *ids);
    if (!ids)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to read shader %s",
                         pipeline->name);
    for_each_instruction(words, read_instruction, ids);
    for (uint32_t i = 0; i < bound; i++)
        if (ids[i].is_variable && ids[i].has_binding)
            WEIR_GOTO_IF_ERROR(add_variable_binding(&s, ids, &ids[i]));
fail:
    base_free(ids);
    return result;
}

typedef struct renumbering {
    const gpu_spirv *from;
    const gpu_pipeline *pipeline;
    uint32_t *to;
} renumbering;

static void visit_binding_decoration(void *user, const uint32_t *op, uint32_t length)
{
    const renumbering *r = user;
    bool found = (op[0] & 0xffffu) == OP_DECORATE && length == 4 && op[2] == DECORATION_BINDING;
    const gpu_binding *binding = found ? gpu_pipeline_find_binding(r->pipeline, op[3]) : NULL;
    if (binding) r->to[op + 3 - r->from->words] = gpu_pipeline_binding_index(r->pipeline, binding);
}

uint32_t *gpu_spirv_renumber_bindings(const gpu_spirv *words, const gpu_pipeline *pipeline)
{
    renumbering r = {words, pipeline, base_alloc(words->count, sizeof *r.to)};
    if (!r.to) return NULL;
    memcpy(r.to, words->words, words->count * sizeof *r.to);
    for_each_instruction(words, visit_binding_decoration, &r);
    return r.to;
}

static void visit_spec_constant(void *user, const uint32_t *op, uint32_t length)
{
    uint64_t *used = user;
    bool constant = (op[0] & 0xffffu) == OP_DECORATE && length == 4 && op[2] == DECORATION_SPEC_ID;
    if (constant && op[3] < GPU_MAX_CONSTANTS) *used |= 1ull << op[3];
}

uint64_t gpu_spirv_constants(const gpu_spirv *words)
{
    static_assert(GPU_MAX_CONSTANTS <= 64, "a bit for each id");
    uint64_t used = 0;
    for_each_instruction(words, visit_spec_constant, &used);
    return used;
}
