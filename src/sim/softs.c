/* Cloths and ropes of a simulation: their rows, and what is read of them. */
#include "sim_rows.h"

#include "sim_frame.h"

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* ---- rows ----------------------------------------------------------------------------------- */

bool sim_has_softs(const sim_world *world)
{
    return world->softs != NULL;
}

bool sim_has_drags(const sim_world *world)
{
    return world->softs && soft_set_drags(world->softs);
}

static soft_binds binds_of(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    const body_set *bodies = world->bodies;
    return (soft_binds){.params = b->params,
                        .state = grid_state_buffer(world->grid),
                        .status = b->status,
                        .poses = b->poses,
                        .solids = world->solids,
                        .bodies = bodies ? body_set_makes(bodies) : NULL,
                        .body_iterates = bodies ? body_set_iterates(bodies) : NULL,
                        .body_sums = bodies ? body_set_sums(bodies) : NULL};
}

gpu_row *sim_soft_begin_rows(sim_world *world, gpu_row *row)
{
    soft_binds binds = binds_of(world);
    return row + soft_begin_rows(world->softs, &binds, row);
}

gpu_row *sim_soft_file_rows(sim_world *world, gpu_row *row)
{
    soft_binds binds = binds_of(world);
    return row + soft_file_rows(world->softs, &binds, row);
}

gpu_row *sim_soft_solve_rows(sim_world *world, gpu_row *row)
{
    soft_binds binds = binds_of(world);
    for (uint32_t s = 0; s < world->scene->solver.sweeps; s++) {
        *row++ = sim_make_row(world, SIM_SOFT_PRESS, sim_iterated(world));
        if (sim_has_drags(world)) {
            row += soft_take_rows(world->softs, &binds, row);
            *row++ = sim_make_row(world, SIM_SOFT_DRAG, sim_iterated(world));
        }
        row += soft_sweep_rows(world->softs, &binds, row);
        if (world->bodies) row = sim_body_shift_rows(world, row);
    }
    return row;
}

gpu_row *sim_soft_end_rows(sim_world *world, gpu_row *row)
{
    soft_binds binds = binds_of(world);
    return row + soft_end_rows(world->softs, &binds, row);
}

/* ---- life ----------------------------------------------------------------------------------- */

static weir_result check_rows(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    uint32_t rows = soft_row_count(world->softs);
    if (rows <= SIM_SOFT_ROWS) return WEIR_OK;
    return base_fail(world->log, WEIR_SCENE,
                     "%s: solver.sweeps is %u, more than its cloths and ropes allow, whose sweeps "
                     "take %u passes each: set it to %u, and solver.substeps higher instead",
                     world->scene->source, solver->sweeps, rows / solver->sweeps,
                     solver->sweeps * SIM_SOFT_ROWS / rows);
}

weir_result sim_softs_create(sim_world *world)
{
    WEIR_NEED(soft_set_create(world->device, world->scene, world->solids, &world->softs));
    WEIR_NEED(check_rows(world));
    world->soft_states = base_alloc(sim_soft_bytes(world), 1);
    world->soft_pieces =
        base_alloc(3ull * soft_set_facets(world->softs), sizeof *world->soft_pieces);
    if (!world->soft_states || !world->soft_pieces)
        return base_fail(world->log, WEIR_MEMORY, "no memory for cloths and ropes");
    memcpy(world->soft_states, soft_set_starts(world->softs), sim_soft_bytes(world));
    return WEIR_OK;
}

uint64_t sim_soft_bytes(const sim_world *world)
{
    return world->softs ? soft_set_bytes(world->softs) : 0;
}

void sim_keep_softs(sim_world *world, const struct soft_state *states)
{
    bool told = false;
    for (uint32_t i = 0; i < soft_set_count(world->softs) && !told; i++) {
        told = states[i].velocity.w != 0.0f && world->soft_states[i].velocity.w == 0.0f;
        if (told)
            base_log(world->log, WEIR_LOG_WARNING,
                     "%s: vertices of cloths or ropes have left the finite numbers and stand still "
                     "from now on: use more substeps, or make them heavier",
                     world->scene->source);
    }
    for (uint32_t i = 0; i < scene_soft_count(world->scene); i++)
        if (soft_set_torn(world->softs, states, i) &&
            !soft_set_torn(world->softs, world->soft_states, i))
            base_log(world->log, WEIR_LOG_INFO, "%s '%s' tears",
                     scene_soft_at(world->scene, i)->kind == SCENE_SOFT_ROPE ? "rope" : "cloth",
                     scene_soft_at(world->scene, i)->name);
    memcpy(world->soft_states, states, sim_soft_bytes(world));
}

/* ---- what is read of them ------------------------------------------------------------------- */

static void add_energies(const sim_world *world, const soft_figures *f, double *kinetic,
                         double *potential)
{
    for (uint32_t i = f->first_vertex; i < f->first_vertex + f->vertex_count; i++) {
        const struct soft_state *state = &world->soft_states[i];
        vec3 v = xyz(state->velocity);
        double mass = (double)soft_set_mass(world->softs, i);
        *kinetic += 0.5 * mass * (double)vec3_dot(v, v);
        *potential += mass * sim_potential_at(&world->params, &state->position);
    }
}

uint32_t sim_soft_torn(const sim_world *world)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scene_soft_count(world->scene); i++)
        sum += soft_set_torn(world->softs, world->soft_states, i);
    return sum;
}

double sim_soft_mass(const sim_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < scene_soft_count(world->scene); i++)
        sum += soft_set_figures(world->softs)[i].mass_kg;
    return sum;
}

void sim_soft_energies(const sim_world *world, double *kinetic, double *potential_j)
{
    *kinetic = *potential_j = 0.0;
    for (uint32_t i = 0; i < scene_soft_count(world->scene); i++)
        add_energies(world, &soft_set_figures(world->softs)[i], kinetic, potential_j);
}

/* Its triangles that have lost no edge, or edges of a rope that are left; there is room for three
 * numbers of each. */
static void take_pieces(const sim_world *world, const struct soft_state *states, uint32_t index,
                        weir_soft *out)
{
    const soft_figures *f = &soft_set_figures(world->softs)[index];
    uint32_t *to = world->soft_pieces + 3 * (size_t)f->first_facet;
    uint32_t count = soft_set_whole(world->softs, states, index, to);
    out->triangles = out->rope ? NULL : to;
    out->triangle_count = out->rope ? 0 : count;
    out->segments = out->rope ? to : NULL;
    out->segment_count = out->rope ? count : 0;
    out->torn = soft_set_torn(world->softs, states, index);
}

static void fill(const sim_world *world, uint32_t index, weir_soft *out)
{
    const scene_soft *soft = scene_soft_at(world->scene, index);
    const soft_figures *f = &soft_set_figures(world->softs)[index];
    *out = (weir_soft){
        .name = soft->name,
        .rope = soft->kind == SCENE_SOFT_ROPE,
        .body = soft->kind == SCENE_SOFT_BODY,
        .radius_m = 0.5f * soft->thickness,
        .mass_kg = f->mass_kg,
        .first_vertex = f->first_vertex,
        .vertex_count = f->vertex_count,
        .surface_count = f->surface_count,
    };
    take_pieces(world, world->soft_states, index, out);
    memcpy(out->colour, soft->colour, sizeof out->colour);
    add_energies(world, f, &out->kinetic_energy, &out->potential_energy);
    for (uint32_t i = 0; i < f->vertex_count; i++)
        out->lost += world->soft_states[f->first_vertex + i].velocity.w != 0.0f;
}

weir_result sim_softs(sim_world *world, weir_soft *softs, uint32_t *count)
{
    uint32_t room = softs ? *count : 0;
    *count = scene_soft_count(world->scene);
    if (room == 0) return WEIR_OK;
    WEIR_NEED(sim_settle(world));
    for (uint32_t i = 0; i < room && i < *count; i++)
        fill(world, i, &softs[i]);
    return WEIR_OK;
}

uint32_t sim_soft_vertices(const sim_world *world)
{
    return world->softs ? soft_set_count(world->softs) : 0;
}

static void take_positions(const struct soft_state *states, uint32_t count, vec3 *positions)
{
    for (uint32_t i = 0; i < count; i++)
        positions[i] = xyz(states[i].position);
}

weir_result sim_soft_positions(sim_world *world, const sim_slot *slot, weir_soft *softs,
                               vec3 *positions)
{
    uint64_t size = sim_soft_bytes(world);
    if (!slot) {
        WEIR_NEED(sim_settle(world));
        take_positions(world->soft_states, sim_soft_vertices(world), positions);
        return WEIR_OK;
    }
    struct soft_state *states = base_alloc(1, (size_t)size);
    if (!states) return base_fail(world->log, WEIR_MEMORY, "no memory for vertices");
    weir_result result = gpu_buffer_download(world->device, slot->softs, 0, states, size);
    if (result == WEIR_OK) take_positions(states, sim_soft_vertices(world), positions);
    for (uint32_t i = 0; result == WEIR_OK && softs && i < scene_soft_count(world->scene); i++)
        take_pieces(world, states, i, &softs[i]);
    base_free(states);
    return result;
}

weir_result sim_soft_velocities(sim_world *world, vec3 *velocities)
{
    WEIR_NEED(sim_settle(world));
    for (uint32_t i = 0; i < sim_soft_vertices(world); i++)
        velocities[i] = xyz(world->soft_states[i].velocity);
    return WEIR_OK;
}

/* ---- the meshes that soft bodies wear ---------------------------------------------------------
 */

sim_skin sim_soft_skin(const sim_world *world, uint32_t soft)
{
    const soft_figures *f = &soft_set_figures(world->softs)[soft];
    return (sim_skin){f->skin_vertices, f->skin_triangles, soft_set_skin(world->softs, soft)};
}

weir_result sim_soft_dress(const sim_world *world, uint32_t soft, const vec3 *x, vec3 *to)
{
    return soft_set_dress(world->softs, world->log, soft, x, to);
}

void sim_soft_blend(const sim_world *world, uint32_t soft, const vec3 *of, vec3 *to)
{
    soft_set_blend(world->softs, soft, of, to);
}

/* ---- saved states ---------------------------------------------------------------------------- */

/* A vertex has its own inverse mass or, while something holds it, 0. Beyond the other numbers
 * energies are not finite. */
bool sim_softs_sane(const sim_world *world, const void *saved)
{
    bool sane = true;
    for (uint32_t i = 0; i < soft_set_count(world->softs) && sane; i++) {
        struct soft_state s;
        memcpy(&s, (const uint8_t *)saved + i * sizeof s, sizeof s);
        const float numbers[] = {s.position.x, s.position.y, s.position.z,
                                 s.velocity.x, s.velocity.y, s.velocity.z};
        float share = s.position.w * soft_set_mass(world->softs, i);
        sane = share >= 0.0f && share <= 1.01f;
        for (uint32_t k = 0; k < BASE_COUNT(numbers); k++)
            sane = sane && fabsf(numbers[k]) <= SIM_SPEED_MAX;
    }
    return sane;
}
