/* Moves initial particles that are too close apart before the first frame: runs the solver's
 * iterations at rest, and keeps the positions but not what their change over a substep would be as
 * a velocity (Macklin et al. 2014, section 4.4, "pre-stabilization"). */
#include "sim_frame.h"
#include "sim_solvers.h"
#include "sim_world.h"

#define STILL_SPACINGS 2e-3 /* rms displacement of a round below which no further one is run */

/* Positions that a round has found, by id. */
typedef struct relaxed_positions {
    ivec4 *x;
    ivec4 *iterated; /* in the sorted order */
    uint32_t *ids;   /* in the sorted order */
    uint32_t count;
    double moved2; /* squared position units: the sum over all particles */
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

/* Particles that the round has removed, at an open side or in a sink, stay where they were. */
static void store_by_id(relaxed_positions *r, uint32_t live)
{
    for (uint32_t i = 0; i < live; i++) {
        const ivec4 *p = &r->iterated[i];
        if (p->x == SIM_INVALID_POSITION || r->ids[i] >= r->count) continue;
        ivec4 *to = &r->x[r->ids[i]];
        r->moved2 += squared_distance(p, to);
        *to = (ivec4){p->x, p->y, p->z, to->w};
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

/* Runs rounds until the particles keep still. Their order is that of the ids. */
static weir_result run_rounds(sim_world *world, relaxed_positions *r)
{
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    double still = STILL_SPACINGS * (double)world->scene->spacing / (double)fixed.unit;
    for (uint32_t round = 0; round < world->scene->solver.pre_stabilization; round++) {
        r->moved2 = 0.0;
        WEIR_RETURN_IF_ERROR(sim_run_and_restore(world, run_round, r));
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(world->device, world->buffers.positions, 0, r->x,
                                               r->count * sizeof *r->x));
        if (r->moved2 <= still * still * r->count) break;
    }
    return WEIR_OK;
}

static void store_particles(const sim_world *world, const relaxed_positions *r,
                            sim_initial_particles *particles)
{
    const struct sim_params *p = &world->params;
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    for (size_t i = 0; i < particles->fixed.count; i++) {
        ivec4 x = r->x[i], *to = &particles->fixed.items[i];
        *to = (ivec4){wrap(x.x, p->fixed_min.x, p->fixed_period.x),
                      wrap(x.y, p->fixed_min.y, p->fixed_period.y),
                      wrap(x.z, p->fixed_min.z, p->fixed_period.z), to->w};
        vec3 metres = sim_to_metres(&fixed, *to);
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
    relaxed_positions r = {.count = count,
                           .x = base_alloc(count, sizeof *r.x),
                           .iterated = base_alloc(count, sizeof *r.iterated),
                           .ids = base_alloc(count, sizeof *r.ids)};
    if (r.x && r.iterated && r.ids) {
        memcpy(r.x, particles->fixed.items, count * sizeof *r.x);
        result = run_rounds(world, &r);
    }
    if (result == WEIR_OK) store_particles(world, &r, particles);
    base_free(r.x);
    base_free(r.iterated);
    base_free(r.ids);
    return result;
}
