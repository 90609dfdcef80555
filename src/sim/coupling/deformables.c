/* Deformables of a simulation: their passes, and queries. */
#include "sim_passes.h"

#include "sim_frame.h"

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* ---- passes --------------------------------------------------------------------------------- */

bool sim_has_deformables(const sim_world *world)
{
    return world->deformables != NULL;
}

bool sim_has_deformable_drag(const sim_world *world)
{
    return world->deformables && deformable_set_has_drag(world->deformables);
}

static deformable_bindings make_deformable_binds(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    const body_set *bodies = world->bodies;
    return (deformable_bindings){
        .params = b->params,
        .state = grid_state_buffer(world->grid),
        .status = b->status,
        .poses = b->poses,
        .solids = world->solids,
        .bodies = bodies ? body_set_properties(bodies) : NULL,
        .body_iterated_states = bodies ? body_set_iterated_states(bodies) : NULL,
        .body_impulse_sums = bodies ? body_set_impulse_sums(bodies) : NULL};
}

gpu_pass *sim_deformable_begin_passes(sim_world *world, gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    return pass + deformable_begin_passes(world->deformables, &binds, pass);
}

gpu_pass *sim_deformable_bin_passes(sim_world *world, gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    return pass + deformable_bin_passes(world->deformables, &binds, pass);
}

gpu_pass *sim_deformable_solve_passes(sim_world *world, gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    for (uint32_t s = 0; s < world->scene->solver.deformable_iterations; s++) {
        *pass++ =
            sim_make_pass(world, SIM_DEFORMABLE_CONTACT_SOLVE, sim_iterated_dispatch_size(world));
        if (sim_has_deformable_drag(world)) {
            pass += deformable_fluid_passes(world->deformables, &binds, pass);
            *pass++ =
                sim_make_pass(world, SIM_DEFORMABLE_DRAG_APPLY, sim_iterated_dispatch_size(world));
        }
        pass += deformable_solve_passes(world->deformables, &binds, pass);
        if (world->bodies) pass = sim_body_apply_impulse_passes(world, pass);
    }
    return pass;
}

gpu_pass *sim_deformable_end_passes(sim_world *world, gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    return pass + deformable_end_passes(world->deformables, &binds, pass);
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result check_pass_count(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    uint32_t passes = deformable_pass_count(world->deformables);
    if (passes <= SIM_DEFORMABLE_PASS_CAPACITY) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_SCENE,
                     "%s: solver.deformable_iterations is %u, more than its cloths and ropes "
                     "allow, whose sweeps "
                     "take %u passes each: set it to %u, and solver.substeps higher instead",
                     world->scene->source, solver->deformable_iterations,
                     passes / solver->deformable_iterations,
                     solver->deformable_iterations * SIM_DEFORMABLE_PASS_CAPACITY / passes);
}

weir_result sim_deformables_create(sim_world *world)
{
    WEIR_RETURN_IF_ERROR(
        deformable_set_create(world->device, world->scene, world->solids, &world->deformables));
    WEIR_RETURN_IF_ERROR(check_pass_count(world));
    world->deformable_states = base_alloc(sim_deformable_bytes(world), 1);
    world->deformable_elements = base_alloc(3ull * deformable_set_facet_count(world->deformables),
                                            sizeof *world->deformable_elements);
    if (!world->deformable_states || !world->deformable_elements)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "no memory for cloths and ropes");
    memcpy(world->deformable_states, deformable_set_initial_states(world->deformables),
           sim_deformable_bytes(world));
    return WEIR_OK;
}

uint64_t sim_deformable_bytes(const sim_world *world)
{
    return world->deformables ? deformable_set_bytes(world->deformables) : 0;
}

void sim_store_deformable_states(sim_world *world, const struct deformable_state *states)
{
    bool warned = false;
    for (uint32_t i = 0; i < deformable_set_vertex_count(world->deformables) && !warned; i++) {
        warned = states[i].velocity.w != 0.0f && world->deformable_states[i].velocity.w == 0.0f;
        if (warned)
            base_log(world->log, WEIR_LOG_WARNING,
                     "%s: vertices of cloths or ropes have left the finite numbers and stand still "
                     "from now on: use more substeps, or make them heavier",
                     world->scene->source);
    }
    for (uint32_t i = 0; i < scene_deformable_count(world->scene); i++)
        if (deformable_set_torn_edges(world->deformables, states, i) &&
            !deformable_set_torn_edges(world->deformables, world->deformable_states, i))
            base_log(world->log, WEIR_LOG_INFO, "%s '%s' tears",
                     scene_deformable_at(world->scene, i)->kind == SCENE_DEFORMABLE_ROPE ? "rope"
                                                                                         : "cloth",
                     scene_deformable_at(world->scene, i)->name);
    memcpy(world->deformable_states, states, sim_deformable_bytes(world));
}

/* ---- queries -------------------------------------------------------------------------------- */

static void add_energies(const sim_world *world, const deformable_info *f, double *kinetic,
                         double *potential)
{
    for (uint32_t i = f->first_vertex; i < f->first_vertex + f->vertex_count; i++) {
        const struct deformable_state *state = &world->deformable_states[i];
        vec3 v = xyz(state->velocity);
        double mass = (double)deformable_set_mass(world->deformables, i);
        *kinetic += 0.5 * mass * (double)vec3_dot(v, v);
        *potential += mass * sim_potential_energy_at(&world->params, &state->position);
    }
}

uint32_t sim_torn_edge_count(const sim_world *world)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scene_deformable_count(world->scene); i++)
        sum += deformable_set_torn_edges(world->deformables, world->deformable_states, i);
    return sum;
}

double sim_deformable_mass(const sim_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < scene_deformable_count(world->scene); i++)
        sum += deformable_set_info(world->deformables)[i].mass_kg;
    return sum;
}

void sim_deformable_energies(const sim_world *world, double *kinetic, double *potential_j)
{
    *kinetic = *potential_j = 0.0;
    for (uint32_t i = 0; i < scene_deformable_count(world->scene); i++)
        add_energies(world, &deformable_set_info(world->deformables)[i], kinetic, potential_j);
}

/* Reads the triangles that have lost no edge, or the edges of a rope that are left. The array has
 * room for three words per facet. */
static void read_elements(const sim_world *world, const struct deformable_state *states,
                          uint32_t index, weir_deformable *out)
{
    const deformable_info *f = &deformable_set_info(world->deformables)[index];
    uint32_t *to = world->deformable_elements + 3 * (size_t)f->first_facet;
    uint32_t count = deformable_set_intact_elements(world->deformables, states, index, to);
    out->triangles = out->is_rope ? NULL : to;
    out->triangle_count = out->is_rope ? 0 : count;
    out->segments = out->is_rope ? to : NULL;
    out->segment_count = out->is_rope ? count : 0;
    out->torn_edges = deformable_set_torn_edges(world->deformables, states, index);
}

static void fill_deformable_info(const sim_world *world, uint32_t index, weir_deformable *out)
{
    const scene_deformable *deformable = scene_deformable_at(world->scene, index);
    const deformable_info *f = &deformable_set_info(world->deformables)[index];
    *out = (weir_deformable){
        .name = deformable->name,
        .is_rope = deformable->kind == SCENE_DEFORMABLE_ROPE,
        .is_soft_body = deformable->kind == SCENE_DEFORMABLE_SOFT_BODY,
        .radius_m = 0.5f * deformable->thickness,
        .mass_kg = f->mass_kg,
        .first_vertex = f->first_vertex,
        .vertex_count = f->vertex_count,
        .surface_vertex_count = f->surface_count,
    };
    read_elements(world, world->deformable_states, index, out);
    memcpy(out->colour, deformable->colour, sizeof out->colour);
    add_energies(world, f, &out->kinetic_energy_j, &out->potential_energy_j);
    for (uint32_t i = 0; i < f->vertex_count; i++)
        out->non_finite_vertices +=
            world->deformable_states[f->first_vertex + i].velocity.w != 0.0f;
}

weir_result sim_deformables(sim_world *world, weir_deformable *deformables, uint32_t *count)
{
    uint32_t capacity = deformables ? *count : 0;
    *count = scene_deformable_count(world->scene);
    if (capacity == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    for (uint32_t i = 0; i < capacity && i < *count; i++)
        fill_deformable_info(world, i, &deformables[i]);
    return WEIR_OK;
}

uint32_t sim_deformable_vertex_count(const sim_world *world)
{
    return world->deformables ? deformable_set_vertex_count(world->deformables) : 0;
}

static void copy_positions(const struct deformable_state *states, uint32_t count, vec3 *positions)
{
    for (uint32_t i = 0; i < count; i++)
        positions[i] = xyz(states[i].position);
}

weir_result sim_deformable_positions(sim_world *world, const sim_snapshot *snapshot,
                                     weir_deformable *deformables, vec3 *positions)
{
    uint64_t size = sim_deformable_bytes(world);
    if (!snapshot) {
        WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
        copy_positions(world->deformable_states, sim_deformable_vertex_count(world), positions);
        return WEIR_OK;
    }
    struct deformable_state *states = base_alloc(1, (size_t)size);
    if (!states) return base_fail(world->log, WEIR_ERROR_MEMORY, "no memory for vertices");
    weir_result result = gpu_buffer_download(world->device, snapshot->deformables, 0, states, size);
    if (result == WEIR_OK) copy_positions(states, sim_deformable_vertex_count(world), positions);
    for (uint32_t i = 0;
         result == WEIR_OK && deformables && i < scene_deformable_count(world->scene); i++)
        read_elements(world, states, i, &deformables[i]);
    base_free(states);
    return result;
}

weir_result sim_deformable_velocities(sim_world *world, vec3 *velocities)
{
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    for (uint32_t i = 0; i < sim_deformable_vertex_count(world); i++)
        velocities[i] = xyz(world->deformable_states[i].velocity);
    return WEIR_OK;
}

/* ---- meshes that are skinned to soft bodies -------------------------------------------------- */

sim_skinned_mesh sim_deformable_skin(const sim_world *world, uint32_t deformable)
{
    const deformable_info *f = &deformable_set_info(world->deformables)[deformable];
    return (sim_skinned_mesh){f->skin_vertices, f->skin_triangles,
                              deformable_set_skin_triangles(world->deformables, deformable)};
}

weir_result sim_skin_positions(const sim_world *world, uint32_t deformable, const vec3 *x, vec3 *to)
{
    return deformable_set_skin_positions(world->deformables, world->log, deformable, x, to);
}

void sim_skin_interpolate(const sim_world *world, uint32_t deformable, const vec3 *of, vec3 *to)
{
    deformable_set_skin_vectors(world->deformables, deformable, of, to);
}

/* ---- saved states ---------------------------------------------------------------------------- */

/* A vertex has its own inverse mass or, while it is pinned, 0. Beyond the limit of positions and
 * velocities, energies are not finite. */
bool sim_deformable_states_valid(const sim_world *world, const void *saved)
{
    bool valid = true;
    for (uint32_t i = 0; i < deformable_set_vertex_count(world->deformables) && valid; i++) {
        struct deformable_state s;
        memcpy(&s, (const uint8_t *)saved + i * sizeof s, sizeof s);
        const float numbers[] = {s.position.x, s.position.y, s.position.z,
                                 s.velocity.x, s.velocity.y, s.velocity.z};
        float mass_ratio = s.position.w * deformable_set_mass(world->deformables, i);
        valid = mass_ratio >= 0.0f && mass_ratio <= 1.01f;
        for (uint32_t k = 0; k < BASE_COUNT(numbers); k++)
            valid = valid && fabsf(numbers[k]) <= SIM_SPEED_MAX;
    }
    return valid;
}
