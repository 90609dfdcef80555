/* The simulation's kernels, specialized for what the scene has. */
#include "sim_internal.h"

static const uint32_t frame_begin_words[] =
#include "sim/frame_begin.comp.inc"
    ;
static const uint32_t substep_begin_words[] =
#include "sim/substep_begin.comp.inc"
    ;
static const uint32_t emit_words[] =
#include "sim/emit.comp.inc"
    ;
static const uint32_t predict_words[] =
#include "sim/predict.comp.inc"
    ;
static const uint32_t keep_words[] =
#include "sim/keep.comp.inc"
    ;
static const uint32_t reorder_words[] =
#include "sim/reorder.comp.inc"
    ;
static const uint32_t coarse_clear_words[] =
#include "sim/coarse_clear.comp.inc"
    ;
static const uint32_t coarse_sum_words[] =
#include "sim/coarse_sum.comp.inc"
    ;
static const uint32_t coarse_sum_texels_words[] =
#include "sim/coarse_sum.texels.comp.inc"
    ;
static const uint32_t coarse_sweep_words[] =
#include "sim/coarse_sweep.comp.inc"
    ;
static const uint32_t coarse_slope_words[] =
#include "sim/coarse_slope.comp.inc"
    ;
static const uint32_t coarse_apply_words[] =
#include "sim/coarse_apply.comp.inc"
    ;
static const uint32_t lambda_words[] =
#include "sim/lambda.comp.inc"
    ;
static const uint32_t lambda_texels_words[] =
#include "sim/lambda.texels.comp.inc"
    ;
static const uint32_t correct_words[] =
#include "sim/correct.comp.inc"
    ;
static const uint32_t correct_texels_words[] =
#include "sim/correct.texels.comp.inc"
    ;
static const uint32_t pressure_words[] =
#include "sim/pressure.comp.inc"
    ;
static const uint32_t pressure_texels_words[] =
#include "sim/pressure.texels.comp.inc"
    ;
static const uint32_t push_words[] =
#include "sim/push.comp.inc"
    ;
static const uint32_t push_texels_words[] =
#include "sim/push.texels.comp.inc"
    ;
static const uint32_t judge_words[] =
#include "sim/judge.comp.inc"
    ;
static const uint32_t velocity_words[] =
#include "sim/velocity.comp.inc"
    ;
static const uint32_t vorticity_words[] =
#include "sim/vorticity.comp.inc"
    ;
static const uint32_t vorticity_texels_words[] =
#include "sim/vorticity.texels.comp.inc"
    ;
static const uint32_t normal_words[] =
#include "sim/normal.comp.inc"
    ;
static const uint32_t normal_texels_words[] =
#include "sim/normal.texels.comp.inc"
    ;
static const uint32_t tension_words[] =
#include "sim/tension.comp.inc"
    ;
static const uint32_t tension_texels_words[] =
#include "sim/tension.texels.comp.inc"
    ;
static const uint32_t commit_words[] =
#include "sim/commit.comp.inc"
    ;
static const uint32_t commit_texels_words[] =
#include "sim/commit.texels.comp.inc"
    ;
static const uint32_t substep_end_words[] =
#include "sim/substep_end.comp.inc"
    ;
static const uint32_t frame_end_words[] =
#include "sim/frame_end.comp.inc"
    ;
static const uint32_t density_words[] =
#include "sim/density.comp.inc"
    ;
static const uint32_t density_texels_words[] =
#include "sim/density.texels.comp.inc"
    ;
static const uint32_t sum_particles_words[] =
#include "sim/sum_particles.comp.inc"
    ;
static const uint32_t sum_partials_words[] =
#include "sim/sum_partials.comp.inc"
    ;
static const uint32_t pointer_words[] =
#include "sim/pointer.comp.inc"
    ;
static const uint32_t points_words[] =
#include "sim/points.comp.inc"
    ;

static const uint32_t gauge_count_words[] =
#include "sim/gauge_count.comp.inc"
    ;
static const uint32_t gauge_sum_words[] =
#include "sim/gauge_sum.comp.inc"
    ;
static const uint32_t gauge_read_words[] =
#include "sim/gauge_read.comp.inc"
    ;

#define FILE_OF(words, kind) "sim/" #words kind
#define SOURCE(words, group) \
#words, words##_words, sizeof words##_words, group, NULL, 0, FILE_OF(words, ".comp"), NULL
#define GATHERING(words, group)                                               \
#words, words##_words, sizeof words##_words, group, words##_texels_words, \
        sizeof words##_texels_words, FILE_OF(words, ".comp"), FILE_OF(words, ".texels.comp")

static const struct {
    const char *name;
    const uint32_t *words;
    size_t bytes;
    uint32_t workgroup;           /* 0: the device's choice */
    const uint32_t *texels_words; /* the same with texel buffers, where there is such */
    size_t texels_bytes;
    const char *file, *texels_file;
} sources[SIM_KERNELS] = {
    [SIM_FRAME_BEGIN] = {SOURCE(frame_begin, 1)},
    [SIM_SUBSTEP_BEGIN] = {SOURCE(substep_begin, 1)},
    [SIM_EMIT] = {SOURCE(emit, 0)},
    [SIM_PREDICT] = {SOURCE(predict, 0)},
    [SIM_KEEP] = {SOURCE(keep, 1)},
    [SIM_REORDER] = {SOURCE(reorder, 0)},
    [SIM_COARSE_CLEAR] = {SOURCE(coarse_clear, 0)},
    [SIM_COARSE_SUM] = {GATHERING(coarse_sum, 0)},
    [SIM_COARSE_SWEEP] = {SOURCE(coarse_sweep, 0)},
    [SIM_COARSE_SLOPE] = {SOURCE(coarse_slope, 0)},
    [SIM_COARSE_APPLY] = {SOURCE(coarse_apply, 0)},
    [SIM_LAMBDA] = {GATHERING(lambda, 0)},
    [SIM_CORRECT] = {GATHERING(correct, 0)},
    [SIM_PRESSURE] = {GATHERING(pressure, 0)},
    [SIM_PUSH] = {GATHERING(push, 0)},
    [SIM_JUDGE] = {SOURCE(judge, 1)},
    [SIM_VELOCITY] = {SOURCE(velocity, 0)},
    [SIM_VORTICITY] = {GATHERING(vorticity, 0)},
    [SIM_NORMAL] = {GATHERING(normal, 0)},
    [SIM_TENSION] = {GATHERING(tension, 0)},
    [SIM_COMMIT] = {GATHERING(commit, 0)},
    [SIM_SUBSTEP_END] = {SOURCE(substep_end, 1)},
    [SIM_FRAME_END] = {SOURCE(frame_end, 1)},
    [SIM_DENSITY] = {GATHERING(density, 0)},
    [SIM_SUM_PARTICLES] = {SOURCE(sum_particles, SIM_STATS_WORKGROUP)},
    [SIM_SUM_PARTIALS] = {SOURCE(sum_partials, 1)},
    [SIM_GAUGE_COUNT] = {SOURCE(gauge_count, 0)},
    [SIM_GAUGE_SUM] = {SOURCE(gauge_sum, SIM_STATS_WORKGROUP)},
    [SIM_GAUGE_READ] = {SOURCE(gauge_read, 0)},
    [SIM_POINTS] = {SOURCE(points, 0)},
    [SIM_POINTER] = {SOURCE(pointer, 0)},
};

/* Facts about the scene that shaders are specialized for. */
typedef struct facts {
    uint32_t workgroup, solids, periodic, one_mass, one_tension, chebyshev, power, confined;
    uint32_t viscous, tense, measured, residuals, one_kernel, steady, frozen, skin;
    uint32_t compact; /* lists */
} facts;

static facts scene_facts(const sim_world *world)
{
    const scene_data *scene = world->scene;
    const struct sim_params *p = &world->params;
    facts f = {
        .workgroup = gpu_device_workgroup(world->device),
        .solids = sim_has_items(scene),
        .periodic = p->period.x > 0.0f || p->period.y > 0.0f || p->period.z > 0.0f,
        .one_mass = 1,
        .one_tension = 1,
        .tense = sim_is_tense(scene),
        .chebyshev = scene->solver.chebyshev > 0.0f,
        .power = scene->solver.pressure_power,
        .confined = scene->solver.vorticity > 0.0f,
        .measured = sim_measured_slots(scene),
        .residuals = scene->solver.residuals,
        .one_kernel = p->one_kernel,
        .frozen = scene->solver.freeze_gradients,
        .skin = scene->solver.skin > 0.0f,
        .compact = grid_is_compact(world->grid),
    };
    /* What a particle keeps of its distances holds for one image of it. */
    f.steady = f.solids && !f.periodic && solid_set_steady(world->solids);
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        f.one_mass &= scene->fluids[i].density == scene->fluids[0].density;
        f.one_tension &= scene->fluids[i].surface_tension == scene->fluids[0].surface_tension;
        f.viscous |= scene->fluids[i].viscosity > 0.0f;
    }
    return f;
}

#define CONSTANTS 8

/* The values of constant ids 1, 2, ... of each kernel. */
static uint32_t constants_of(enum sim_kernel kernel, const facts *f, uint32_t out[CONSTANTS])
{
    switch (kernel) {
    case SIM_SUBSTEP_BEGIN:
    case SIM_FRAME_END: out[0] = f->workgroup; return 1;
    case SIM_EMIT: out[0] = f->solids; return 1;
    case SIM_PREDICT:
        out[0] = f->solids, out[1] = f->measured, out[2] = f->steady, out[3] = f->skin;
        return 4;
    case SIM_REORDER: out[0] = f->solids, out[1] = f->skin; return 2;
    case SIM_VELOCITY: out[0] = f->steady, out[1] = f->skin; return 2;
    case SIM_COARSE_CLEAR: out[0] = f->solids; return 1;
    case SIM_LAMBDA:
        out[0] = f->solids, out[1] = f->periodic, out[2] = f->one_mass;
        out[3] = f->chebyshev || f->residuals, out[4] = f->residuals;
        out[5] = f->one_kernel, out[6] = f->frozen, out[7] = f->compact;
        return 8;
    case SIM_CORRECT:
        out[0] = f->solids, out[1] = f->periodic, out[2] = f->chebyshev, out[3] = f->power;
        out[4] = f->measured, out[5] = f->compact;
        return 6;
    case SIM_PRESSURE:
        out[0] = f->solids, out[1] = f->periodic, out[2] = f->residuals, out[3] = f->one_kernel;
        out[4] = f->compact;
        return 5;
    case SIM_PUSH: out[0] = f->solids, out[1] = f->periodic, out[2] = f->compact; return 3;
    case SIM_VORTICITY: out[0] = f->periodic, out[1] = f->one_mass, out[2] = f->compact; return 3;
    case SIM_NORMAL: out[0] = f->periodic, out[1] = f->one_kernel, out[2] = f->compact; return 3;
    case SIM_TENSION:
        out[0] = f->periodic, out[1] = f->one_tension, out[2] = f->viscous || f->confined;
        out[3] = f->compact;
        return 4;
    case SIM_COMMIT:
        out[0] = f->periodic, out[1] = f->confined, out[2] = f->viscous || f->tense;
        out[3] = f->compact;
        return 4;
    case SIM_COARSE_SUM:
    case SIM_DENSITY:
        out[0] = f->solids, out[1] = f->periodic, out[2] = f->one_kernel, out[3] = f->compact;
        return 4;
    case SIM_GAUGE_SUM: out[0] = f->measured; return 1;
    default: return 0;
    }
}

weir_result sim_kernels_create(sim_world *world)
{
    weir_result result = WEIR_OK;
    facts f = scene_facts(world);
    bool prefers_texels = gpu_device_prefers_texels(world->device);
    for (int i = 0; i < SIM_KERNELS; i++) {
        uint32_t constants[CONSTANTS];
        bool texels = prefers_texels && sources[i].texels_words;
        gpu_kernel_def def = {
            .name = sources[i].name,
            .words = texels ? sources[i].texels_words : sources[i].words,
            .word_count = (texels ? sources[i].texels_bytes : sources[i].bytes) / 4,
            .workgroup =
                sources[i].workgroup ? sources[i].workgroup : gpu_device_workgroup(world->device),
            .constants = constants,
            .constant_count = constants_of((enum sim_kernel)i, &f, constants),
            .source = texels ? sources[i].texels_file : sources[i].file,
        };
        WEIR_TRY(gpu_kernel_create(world->device, &def, &world->kernels[i]));
    }
fail:
    return result;
}
