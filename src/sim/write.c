/* Positions and velocities that the caller gives the particles, in the order of their ids. */
#include "sim_frame.h"

/* The caller's numbers, and where the device has the particles. */
typedef struct given {
    const float *values; /* [3 * count] */
    uint32_t *order;     /* [count] index on the device of each particle, by id */
    uint32_t count;
} given;

static vec3 value_of(const given *g, uint32_t i)
{
    return vec3_make(g->values[3 * (size_t)i], g->values[3 * (size_t)i + 1],
                     g->values[3 * (size_t)i + 2]);
}

static weir_result check_velocities(const sim_world *world, const given *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        vec3 v = value_of(g, i);
        if (vec3_length(v) <= SIM_SPEED_MAX) continue;
        return base_fail(world->log, WEIR_ARGUMENT,
                         "velocity %u is (%g, %g, %g) m/s, expected finite numbers and at most %g "
                         "m/s",
                         i, (double)v.x, (double)v.y, (double)v.z, (double)SIM_SPEED_MAX);
    }
    return WEIR_OK;
}

static weir_result check_positions(const sim_world *world, const given *g)
{
    vec3 min = world->scene->domain.min, max = world->scene->domain.max;
    for (uint32_t i = 0; i < g->count; i++) {
        vec3 p = value_of(g, i);
        if (world->params.planar) p.z = min.z;
        if (p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y &&
            p.z <= max.z)
            continue;
        return base_fail(world->log, WEIR_ARGUMENT,
                         "position %u is (%g, %g, %g) m, expected a place in the domain, (%g, %g, "
                         "%g) to (%g, %g, %g)",
                         i, (double)p.x, (double)p.y, (double)p.z, (double)min.x, (double)min.y,
                         (double)min.z, (double)max.x, (double)max.y, (double)max.z);
    }
    return WEIR_OK;
}

static void place(const sim_world *world, const given *g, ivec4 *x)
{
    grid_fixed fixed = sim_fixed(world->scene);
    for (uint32_t i = 0; i < g->count; i++) {
        ivec4 *to = &x[g->order[i]];
        vec3 p = value_of(g, i);
        int32_t z = to->z;
        *to = sim_to_fixed(&fixed, (const double[3]){(double)p.x, (double)p.y, (double)p.z}, to->w);
        if (world->params.planar) to->z = z;
    }
}

/* Substeps are chosen by the fastest particle, or body. */
static void push(sim_world *world, const given *g, vec4 *v)
{
    float fastest = 0.0f;
    for (uint32_t i = 0; i < g->count; i++) {
        vec4 *to = &v[g->order[i]];
        vec3 u = value_of(g, i);
        if (world->params.planar) u.z = 0.0f;
        *to = (vec4){u.x, u.y, u.z, to->w};
        fastest = fmaxf(fastest, vec3_length(u));
    }
    world->last.sums.speed_max = fastest;
    fastest = fmaxf(fastest, sim_fastest_body(world));
    memcpy(&world->last.status.speed_bits, &fastest, sizeof fastest);
    world->pushed = true;
}

static weir_result upload(sim_world *world, const sim_arrays *arrays, uint32_t count)
{
    WEIR_NEED(sim_forget_solids(world));
    WEIR_NEED(sim_state_upload(world, count, arrays));
    return gpu_buffer_upload(world->device, world->buffers.status, 0, &world->last.status,
                             sizeof world->last.status);
}

static weir_result change(sim_world *world, weir_field field, const given *g)
{
    sim_state state = {0};
    weir_result result;
    WEIR_TRY(sim_state_download(world, g->count, &state));
    if (field == WEIR_FIELD_POSITION)
        place(world, g, state.x);
    else
        push(world, g, state.v);
    world->lists_stand = world->densities_stand = false;
    const sim_arrays arrays = {.x = state.x,
                               .v = state.v,
                               .ids = state.ids,
                               .affine = field == WEIR_FIELD_POSITION ? state.affine : NULL,
                               .bodies = state.bodies,
                               .holds = state.holds};
    result = world->failed = upload(world, &arrays, g->count);
fail:
    sim_state_free(&state);
    return result;
}

weir_result sim_write(sim_world *world, weir_field field, const float *values, size_t size)
{
    given g = {.values = values};
    WEIR_NEED(sim_wait(world));
    size_t expected = (size_t)world->last.status.count * 3 * sizeof *values;
    if (size != expected)
        return base_fail(
            world->log, WEIR_ARGUMENT,
            "weir_sim_write: size is %zu bytes, expected %zu: %u particles of 12 bytes", size,
            expected, world->last.status.count);
    if (size == 0) return WEIR_OK;
    g.count = world->last.status.count;
    WEIR_NEED(field == WEIR_FIELD_POSITION ? check_positions(world, &g)
                                           : check_velocities(world, &g));
    WEIR_NEED(sim_download_order(world, &g.order, &g.count));
    weir_result result = change(world, field, &g);
    base_free(g.order);
    return result;
}
