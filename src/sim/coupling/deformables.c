/* Deformables of a simulation: their passes, and queries. */
#include "sim_coupling.h"

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result check_pass_count(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    uint32_t passes = deformable_pass_count(world->deformables);
    if (passes <= SIM_DEFORMABLE_PASS_CAPACITY) return WEIR_OK;
    return base_fail(
        world->log, WEIR_ERROR_SCENE,
        "%s: solver.deformable_iterations is %u, too many for its cloths and ropes, which need %u "
        "passes per iteration: set it to %u, and increase solver.substeps instead",
        world->scene->source, solver->deformable_iterations, passes / solver->deformable_iterations,
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
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
    memcpy(world->deformable_states, deformable_set_initial_states(world->deformables),
           sim_deformable_bytes(world));
    return WEIR_OK;
}

void sim_store_deformable_states(sim_world *world, const struct deformable_state *states)
{
    bool warned = false;
    for (uint32_t i = 0; i < deformable_set_vertex_count(world->deformables) && !warned; i++) {
        warned = states[i].velocity.w != 0.0f && world->deformable_states[i].velocity.w == 0.0f;
        if (warned)
            base_log(world->log, WEIR_LOG_WARNING,
                     "%s: vertices of cloths or ropes became NaN or infinite; they stand still "
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

void sim_add_deformable_energies(const sim_world *world, const deformable_info *f, double *kinetic,
                                 double *potential)
{
    for (uint32_t i = f->first_vertex; i < f->first_vertex + f->vertex_count; i++) {
        const struct deformable_state *state = &world->deformable_states[i];
        vec3 v = sim_xyz(state->velocity);
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
        sim_add_deformable_energies(world, &deformable_set_info(world->deformables)[i], kinetic,
                                    potential_j);
}

uint32_t sim_deformable_vertex_count(const sim_world *world)
{
    return world->deformables ? deformable_set_vertex_count(world->deformables) : 0;
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
