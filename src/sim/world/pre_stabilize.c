/* Moves initial particles that are too close apart before the first frame: runs the solver's
 * iterations at rest, and keeps the positions but not what their change over a substep would be as
 * a velocity (Macklin et al. 2014, section 4.4, "pre-stabilization"). */
#include "sim_frame.h"
#include "sim_ranks.h"
#include "sim_solvers.h"
#include "sim_world.h"

#define STILL_SPACINGS 2e-3 /* rms displacement of a round below which no further one is run */

/* Positions of all particles by their ids, which are their indices meanwhile. */
typedef struct relaxed_positions {
    ivec4 *x;        /* before a round: of the caller's particles */
    ivec4 *found;    /* that a round has found; w: 1, or 0 for a particle that it has removed */
    ivec4 *iterated; /* in the sorted order */
    uint32_t *ids;   /* in the sorted order */
    uint32_t count;
} relaxed_positions;

/* Selects sort, neighbour lists and iterations, but not what changes velocities in between. */
static void select_relaxing_passes(const sim_world *world, sim_pass_selection *list)
{
    uint32_t lists_end = sim_find_stage_end(world, "detect neighbours");
    for (uint32_t i = 0; i < world->pass_count; i++) {
        const char *stage = world->passes[i].stage;
        if (i < lists_end || (stage && strcmp(stage, "constraint solve") == 0))
            sim_pass_selection_add(list, &world->passes[i]);
    }
}

/* Returns the coordinate in the domain, on a periodic axis. */
static int32_t wrap(int32_t x, int32_t low, int32_t period)
{
    if (period == 0) return x;
    return x < low ? x + period : x >= low + period ? x - period : x;
}

static double squared_distance(const ivec4 *a, const ivec4 *b)
{
    double x = (double)a->x - b->x, y = (double)a->y - b->y, z = (double)a->z - b->z;
    return x * x + y * y + z * z;
}

static void store_by_id(relaxed_positions *r, uint32_t live)
{
    for (uint32_t i = 0; i < live; i++) {
        const ivec4 *p = &r->iterated[i];
        if (p->x == SIM_INVALID_POSITION || r->ids[i] >= r->count) continue;
        r->found[r->ids[i]] = (ivec4){p->x, p->y, p->z, 1};
    }
}

/* Work for sim_run_and_restore. Lists that cannot hold the fluid end the round without a result;
 * the first frame reports why. */
static weir_result run_round(sim_world *world, void *user)
{
    relaxed_positions *r = user;
    const sim_buffers *b = &world->buffers;
    sim_frame_result seen;
    WEIR_RETURN_IF_ERROR(sim_run_instant_frame(world, select_relaxing_passes, &seen));
    if (seen.state.flags != 0) return WEIR_OK;
    uint32_t live = seen.state.live < r->count ? seen.state.live : r->count;
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(world->device, b->sorted_ids, 0, r->ids, live * sizeof *r->ids));
    WEIR_RETURN_IF_ERROR(gpu_buffer_download(world->device, b->iterated_positions, 0, r->iterated,
                                             live * sizeof *r->iterated));
    store_by_id(r, live);
    return WEIR_OK;
}

/* A particle belongs to one rank, so that the sums are its position. */
static weir_result share_with_ranks(sim_world *world, relaxed_positions *r)
{
    if (!world->ranks) return WEIR_OK;
    return comm_sum(world->ranks->comm, (uint32_t *)(void *)r->found, 4ull * r->count);
}

/* Moves the particles to where a round has found them; those that it has removed, at an open side
 * or in a sink, stay. Returns the sum of the squared displacements, in position units. */
static double move_particles(relaxed_positions *r)
{
    double moved2 = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        const ivec4 *p = &r->found[i];
        if (p->w == 0) continue;
        moved2 += squared_distance(p, &r->x[i]);
        r->x[i] = (ivec4){p->x, p->y, p->z, r->x[i].w};
    }
    return moved2;
}

/* Runs rounds until the particles keep still. */
static weir_result run_rounds(sim_world *world, const sim_initial_particles *particles,
                              relaxed_positions *r, const uint32_t *indices)
{
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    double still = STILL_SPACINGS * (double)world->scene->spacing / (double)fixed.unit;
    for (uint32_t round = 0; round < world->scene->solver.pre_stabilization; round++) {
        memset(r->found, 0, r->count * sizeof *r->found);
        WEIR_RETURN_IF_ERROR(sim_upload_initial_state(world, particles, indices));
        WEIR_RETURN_IF_ERROR(sim_run_and_restore(world, run_round, r));
        WEIR_RETURN_IF_ERROR(share_with_ranks(world, r));
        if (move_particles(r) <= still * still * r->count) break;
    }
    return WEIR_OK;
}

/* Brings particles that have left the domain across a periodic side back into it. */
static void wrap_particles(const sim_world *world, sim_initial_particles *particles)
{
    const struct sim_params *p = &world->params;
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    for (size_t i = 0; i < particles->fixed.count; i++) {
        ivec4 *x = &particles->fixed.items[i];
        *x = (ivec4){wrap(x->x, p->fixed_min.x, p->fixed_period.x),
                     wrap(x->y, p->fixed_min.y, p->fixed_period.y),
                     wrap(x->z, p->fixed_min.z, p->fixed_period.z), x->w};
        vec3 metres = sim_to_metres(&fixed, *x);
        particles->x.items[i] = (vec4){metres.x, metres.y, metres.z, particles->x.items[i].w};
    }
}

bool sim_pre_stabilizes(const sim_world *world, const sim_initial_particles *particles)
{
    const scene_solver *solver = &world->scene->solver;
    bool has_solve = solver->method == SCENE_METHOD_PBF || solver->method == SCENE_METHOD_PCISPH;
    return has_solve && solver->pre_stabilization > 0 && particles->is_uneven && !world->standalone;
}

weir_result sim_pre_stabilize(sim_world *world, sim_initial_particles *particles)
{
    weir_result result = WEIR_ERROR_MEMORY;
    uint32_t count = (uint32_t)particles->fixed.count;
    uint32_t *indices = base_alloc(count, sizeof *indices);
    relaxed_positions r = {.count = count,
                           .x = particles->fixed.items,
                           .found = base_alloc(count, sizeof *r.found),
                           .iterated = base_alloc(count, sizeof *r.iterated),
                           .ids = base_alloc(count, sizeof *r.ids)};
    if (!r.found || !r.iterated || !r.ids || !indices) {
        base_log(world->log, WEIR_LOG_ERROR, "not enough memory to move particles apart");
        goto fail;
    }
    for (uint32_t i = 0; i < count; i++)
        indices[i] = i;
    WEIR_GOTO_IF_ERROR(run_rounds(world, particles, &r, indices));
    wrap_particles(world, particles);
fail:
    base_free(r.found);
    base_free(r.iterated);
    base_free(r.ids);
    base_free(indices);
    return result;
}
