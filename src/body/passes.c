/* Appends the passes of a substep that move bodies. */
#include "body_internal.h"

static gpu_dispatch_size find_dispatch_size(const body_set *set, int shader)
{
    const gpu_dispatch_size samples = {.name = "samples of bodies", .count = set->samples.count};
    gpu_dispatch_size sifted = samples;
    sifted.name = "selected samples";
    sifted.arguments = set->buffers.queues;
    sifted.argument_offset = BODY_QUEUE_SAMPLES * (uint32_t)sizeof(struct body_queue);
    switch (shader) {
    case BODY_WARM_START:
    case BODY_STORE_WARM_START_FORCES:
    case BODY_SELECT_CONTACT_SAMPLES: return samples;
    case BODY_NARROW_PHASE:
    case BODY_SOLVE_CONTACTS: return sifted;
    case BODY_BROAD_PHASE_INSERT:
        return (gpu_dispatch_size){.name = "bodies", .count = set->count * BODY_INSERT_INVOCATIONS};
    case BODY_BROAD_PHASE_CLEAR:
        return (gpu_dispatch_size){.name = "broad-phase cells",
                                   .count = gpu_buffer_count(set->buffers.broad_phase_cells)};
    case BODY_MOUSE_JOINT: return (gpu_dispatch_size){.name = "one", .count = 1};
    default: return (gpu_dispatch_size){.name = "bodies", .count = set->count};
    }
}

static gpu_pass make_pass(const body_set *set, const body_bindings *binds, int shader)
{
    gpu_dispatch_size dispatch_size = find_dispatch_size(set, shader);
    gpu_pass pass = gpu_pass_make(set->pipelines[shader], dispatch_size);
    gpu_buffer *bound[BODY_BINDINGS] = {
#define EXTERNAL(name, type, amount, owner) [BODY_BIND_##name] = owner,
#include "shared/body_buffers.def"
    };
    gpu_pass_bind_all(&pass, bound, BODY_BINDINGS);
    gpu_pass_bind_all(&pass, set->buffers.all, BODY_BINDINGS);
    pass.constant =
        shader == BODY_APPLY_IMPULSES ? BODY_APPLY_CAPPED : (uint32_t)dispatch_size.count;
    return pass;
}

uint32_t body_broad_phase_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, BODY_BROAD_PHASE_CLEAR);
    passes[1] = make_pass(set, binds, BODY_BROAD_PHASE_INSERT);
    return 2;
}

uint32_t body_begin_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, BODY_INTEGRATE);
    passes[1] = make_pass(set, binds, BODY_WARM_START);
    passes[2] = make_pass(set, binds, BODY_APPLY_IMPULSES);
    uint32_t n = 3 + body_broad_phase_passes(set, binds, &passes[3]);
    passes[n++] = make_pass(set, binds, BODY_BROAD_PHASE_QUERY);
    passes[n++] = make_pass(set, binds, BODY_SELECT_CONTACT_SAMPLES);
    return n;
}

uint32_t body_fluid_impulse_passes(const body_set *set, const body_bindings *binds,
                                   gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, BODY_ACCUMULATE_SUBSTEP_FLUID_IMPULSE);
    return 1;
}

uint32_t body_solve_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes)
{
    static const int sweep[] = {BODY_NARROW_PHASE, BODY_SOLVE_CONTACTS, BODY_APPLY_IMPULSES};
    uint32_t n = 0;
    for (uint32_t s = 0; s < BODY_CONTACT_ITERATIONS; s++)
        for (size_t k = 0; k < BASE_COUNT(sweep); k++) {
            passes[n] = make_pass(set, binds, sweep[k]);
            if (sweep[k] == BODY_SOLVE_CONTACTS) passes[n].constant = s;
            n++;
        }
    WEIR_ASSERT(n == BODY_SOLVE_PASSES);
    return n;
}

uint32_t body_apply_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, BODY_APPLY_IMPULSES);
    passes[0].constant = BODY_APPLY_FULL;
    return 1;
}

uint32_t body_end_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, BODY_FINALIZE_BODIES);
    passes[1] = make_pass(set, binds, BODY_STORE_WARM_START_FORCES);
    return 2;
}

gpu_pass body_mouse_joint_pass(const body_set *set, const body_bindings *binds)
{
    return make_pass(set, binds, BODY_MOUSE_JOINT);
}
