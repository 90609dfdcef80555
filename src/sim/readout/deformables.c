/* Reports the deformables' states. */
#include "sim_coupling.h"
#include "sim_frame.h"

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
    sim_add_deformable_energies(world, f, &out->kinetic_energy_j, &out->potential_energy_j);
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

static void copy_positions(const struct deformable_state *states, uint32_t count, vec3 *positions)
{
    for (uint32_t i = 0; i < count; i++)
        positions[i] = sim_xyz(states[i].position);
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
        velocities[i] = sim_xyz(world->deformable_states[i].velocity);
    return WEIR_OK;
}

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
