/* Device requirements of the compiled shaders: no NaN test that a compiler may drop, no uniform
   block, no integer in a float between the stages of a picture, and no more shared memory than the
   devices that Weir opens provide. Read from the SPIR-V (specification 1.6, section 3). */
#include "base.h"
#include "gpu_internal.h"

#include "body/shaders.h"
#include "deformable/shaders.h"
#include "gpu/shaders.h"
#include "grid/shaders.h"
#include "mesh/shaders.h"
#include "poisson/shaders.h"
#include "probe/shaders.h"
#include "render/shaders.h"
#include "sim/shaders.h"
#include "solid/shaders.h"
#include "whitewater/shaders.h"

#include <setjmp.h>

#include <cmocka.h>

static const struct {
    const gpu_shader *shaders;
    uint32_t count;
} modules[] = {
    {body_shaders, BODY_SHADERS},   {whitewater_shaders, WHITEWATER_SHADERS},
    {gpu_shaders, GPU_SHADERS},     {grid_shaders, GRID_SHADERS},
    {mesh_shaders, MESHER_SHADERS}, {poisson_shaders, POISSON_SHADERS},
    {probe_shaders, PROBE_SHADERS}, {render_shaders, RENDER_SHADER_SHADERS},
    {sim_shaders, SIM_SHADERS},     {deformable_shaders, DEFORMABLE_SHADERS},
    {solid_shaders, SOLID_SHADERS},
};

enum {
    HEADER_WORDS = 5,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_OP = 52,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_ACCESS_CHAIN = 65,
    OP_VECTOR_SHUFFLE = 79,
    OP_COMPOSITE_EXTRACT = 81,
    OP_BITCAST = 124,
    OP_IS_NAN = 156,
    OP_IS_INF = 157,
    OP_SELECT = 169,
    CLASS_INPUT = 1,
    CLASS_UNIFORM = 2,
    CLASS_WORKGROUP = 4,
};

/* ---- reading -------------------------------------------------------------------------------- */

typedef void visit_op(void *user, const uint32_t *op);

static void each_op(const gpu_spirv *words, visit_op *visit, void *user)
{
    assert_true(words->count > HEADER_WORDS && words->words[0] == 0x07230203u);
    for (size_t at = HEADER_WORDS; at < words->count; at += words->words[at] >> 16) {
        assert_true(words->words[at] >> 16 > 0);
        visit(user, words->words + at);
    }
}

/* The instruction that defines each id. */
typedef struct module {
    const gpu_spirv *words;
    const uint32_t **made; /* by id; NULL: none, or one that does not affect a size */
    bool *input;           /* by id: a float input of the stage, or a part of one */
} module;

static void take_op(void *user, const uint32_t *op)
{
    module *m = user;
    switch (op[0] & 0xffffu) {
    case OP_TYPE_BOOL:
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX:
    case OP_TYPE_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER: m->made[op[1]] = op; break;
    case OP_CONSTANT:
    case OP_SPEC_CONSTANT:
    case OP_SPEC_CONSTANT_OP:
    case OP_VARIABLE: m->made[op[2]] = op; break;
    default: break;
    }
}

static module read_module(const gpu_spirv *words)
{
    const uint32_t bound = words->words[3];
    module m = {words, base_alloc(bound, sizeof *m.made), base_alloc(bound, sizeof *m.input)};
    assert_non_null(m.made);
    assert_non_null(m.input);
    each_op(words, take_op, &m);
    return m;
}

/* Returns the integer that is an array's length; for a choice by a specialization constant, the
   larger one. */
static uint32_t number_of(const module *m, uint32_t id)
{
    const uint32_t *op = m->made[id];
    if (!op) fail_msg("%s: the length of an array is no constant", m->words->source);
    if ((op[0] & 0xffffu) == OP_CONSTANT) return op[3];
    if ((op[0] & 0xffffu) == OP_SPEC_CONSTANT_OP && op[3] == OP_SELECT) {
        uint32_t a = number_of(m, op[5]), b = number_of(m, op[6]);
        return a > b ? a : b;
    }
    fail_msg("%s: the length of an array depends on a specialization constant in a way that this "
             "test cannot compute: extend it",
             m->words->source);
    return 0;
}

/* Returns the bytes of shared memory. The only padding counted is that of vec3; structs do not
   occur. */
static uint32_t shared_size(const module *m, uint32_t type)
{
    const uint32_t *op = m->made[type];
    uint32_t size = 0;
    assert_non_null(op);
    switch (op[0] & 0xffffu) {
    case OP_TYPE_BOOL: return 4;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT: return op[2] / 8;
    case OP_TYPE_VECTOR: return (op[3] == 3 ? 4 : op[3]) * shared_size(m, op[2]);
    case OP_TYPE_MATRIX: return op[3] * shared_size(m, op[2]);
    case OP_TYPE_ARRAY: return number_of(m, op[3]) * shared_size(m, op[2]);
    case OP_TYPE_STRUCT:
        for (uint32_t i = 2; i < op[0] >> 16; i++)
            size += shared_size(m, op[i]);
        return size;
    default: fail_msg("%s: shared memory of an unknown type", m->words->source);
    }
    return 0;
}

/* ---- tests ---------------------------------------------------------------------------------- */

typedef struct tally {
    /* found: occurrences of what a test searches for; most: its largest size */
    uint32_t modules, found, most;
    const module *module;
    uint32_t size; /* in this module */
} tally;

static void add_shared(void *user, const uint32_t *op)
{
    tally *t = user;
    if ((op[0] & 0xffffu) != OP_VARIABLE || op[3] != CLASS_WORKGROUP) return;
    t->found++;
    t->size += shared_size(t->module, t->module->made[op[1]][3]);
}

static void count_uniform(void *user, const uint32_t *op)
{
    tally *t = user;
    t->size += (op[0] & 0xffffu) == OP_VARIABLE && op[3] == CLASS_UNIFORM;
}

/* Whether a type is a scalar or a vector of this kind. */
static bool is_of(const module *m, uint32_t type, uint32_t kind)
{
    const uint32_t *op = m->made[type];
    if (op && (op[0] & 0xffffu) == OP_TYPE_VECTOR) op = m->made[op[2]];
    return op && (op[0] & 0xffffu) == kind;
}

static void count_input_bits(void *user, const uint32_t *op)
{
    tally *t = user;
    bool *input = t->module->input;
    switch (op[0] & 0xffffu) {
    case OP_VARIABLE:
        input[op[2]] =
            op[3] == CLASS_INPUT && is_of(t->module, t->module->made[op[1]][3], OP_TYPE_FLOAT);
        break;
    case OP_LOAD:
    case OP_ACCESS_CHAIN:
    case OP_VECTOR_SHUFFLE:
    case OP_COMPOSITE_EXTRACT: input[op[2]] = input[op[3]]; break;
    case OP_BITCAST: t->size += input[op[3]] && is_of(t->module, op[1], OP_TYPE_INT); break;
    default: break;
    }
}

static void count_nan(void *user, const uint32_t *op)
{
    tally *t = user;
    uint32_t code = op[0] & 0xffffu;
    t->size += code == OP_IS_NAN || code == OP_IS_INF;
}

/* Visits each variant of each shader. */
static void look(tally *t, visit_op *visit, uint32_t limit, const char *what)
{
    for (size_t r = 0; r < BASE_COUNT(modules); r++)
        for (uint32_t i = 0; i < modules[r].count; i++) {
            const gpu_spirv *const both[] = {&modules[r].shaders[i].plain,
                                             &modules[r].shaders[i].texels};
            for (int k = 0; k < 2; k++) {
                if (both[k]->count == 0) continue;
                module m = read_module(both[k]);
                t->module = &m;
                t->size = 0;
                t->modules++;
                each_op(both[k], visit, t);
                if (t->size > limit)
                    fail_msg("%s: %u %s, expected at most %u", both[k]->source, t->size, what,
                             limit);
                if (t->size > t->most) t->most = t->size;
                base_free(m.made);
                base_free(m.input);
            }
        }
    assert_true(t->modules > 200);
}

/* A compiler that assumes finite floats may drop such tests. */
static void no_shader_asks_for_nan_by_its_name(void **state)
{
    tally t = {0};
    look(&t, count_nan, 0,
         "of isnan and isinf: use not_finite of shaders/lib/math/fixed_point.glsl");
}

static void shared_memory_fits_every_device(void **state)
{
    tally t = {0};
    look(&t, add_shared, GPU_MAX_SHARED_BYTES, "bytes of shared memory");
    print_message("at most %u bytes of shared memory\n", t.most);
    assert_true(t.found > 30 && t.most > 8192);
}

/* lavapipe 22.3 keeps a copy of the shader for each dispatch that reads one. */
static void no_shader_reads_a_uniform_block(void **state)
{
    tally t = {0};
    look(&t, count_uniform, 0, "uniform blocks: use BLOCK of shaders/lib/bindings/bindings.glsl");
}

/* Floats that hold an integer's bits are often denormal or NaN, and a driver that does not report
 * shaderDenormPreserveFloat32 (those of Adreno and Apple GPUs) may change them between stages. */
static void no_stage_reads_the_bits_of_a_float_of_another(void **state)
{
    tally t = {0};
    look(&t, count_input_bits, 0, "inputs of float type read as integers: pass them as flat uint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_shader_asks_for_nan_by_its_name),
        cmocka_unit_test(shared_memory_fits_every_device),
        cmocka_unit_test(no_shader_reads_a_uniform_block),
        cmocka_unit_test(no_stage_reads_the_bits_of_a_float_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
