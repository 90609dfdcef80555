/* The simulation's buffers. A particle has eight vec4 at most, two ids, a density and what the grid
 * keeps of it. */
#include "sim_frame.h"

weir_result sim_buffer_create(sim_world *world, const char *name, uint32_t stride, uint64_t count,
                              gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name,
                          .stride = stride,
                          .count = count,
                          .texels = stride == sizeof(vec4) ? GPU_WHOLES : GPU_NO_TEXELS};
    return gpu_buffer_create(world->device, &def, buffer);
}

/* A struct of vectors, which kernels may fetch one at a time. */
static weir_result create_vectors(sim_world *world, const char *name, uint32_t stride,
                                  uint64_t count, gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count, .texels = GPU_WHOLES};
    return gpu_buffer_create(world->device, &def, buffer);
}

weir_result sim_triples_create(sim_world *world, const char *name, uint64_t count,
                               gpu_buffer **buffer)
{
    return create_vectors(world, name, 3 * sizeof(vec4), count, buffer);
}

weir_result sim_host_buffer_create(sim_world *world, const char *name, uint64_t bytes,
                                   gpu_buffer **buffer)
{
    gpu_buffer_def def = {
        .name = name, .stride = 4, .count = (bytes + 3) / 4, .memory = GPU_MEMORY_HOST};
    return gpu_buffer_create(world->device, &def, buffer);
}

uint32_t sim_first_list_capacity(const scene_data *scene)
{
    if (scene_has_grid(&scene->solver)) return 0;
    double ratio = (double)scene->solver.support;
    double neighbours = 4.18879 * ratio * ratio * ratio; /* d^3 each in the support sphere */
    if (scene->solver.dimensions == 2) neighbours = 3.14159 * ratio * ratio;
    return ((uint32_t)(1.3 * neighbours) + 7u) / 8u * 8u;
}

/* Of the iterate before (Chebyshev), or of the prediction (SPH). */
static bool last_is_used(const scene_data *scene)
{
    scene_method method = scene->solver.method;
    return scene->solver.chebyshev > 0.0f || method == SCENE_METHOD_PCISPH ||
           method == SCENE_METHOD_WCSPH;
}

uint64_t sim_particle_bytes(const scene_data *scene, uint32_t list_capacity, bool compact)
{
    bool grid = scene_has_grid(&scene->solver); /* which predicts nothing */
    uint64_t streams = (last_is_used(scene) ? 6u : grid ? 4u : 5u) * sizeof(vec4);
    uint64_t words = (sim_has_items(scene) ? 5u : 3u) * 4u; /* ids, density, clearances */
    if (scene_soft_count(scene) > 0) words += 4u;
    if (scene_softs_drag(scene)) streams += sizeof(vec4);
    uint64_t sort = 6u * 4u; /* key, rank, slot (2 words), source, list header */
    uint64_t measured = sim_measured_slots(scene) * sizeof(vec4);
    if (scene->solver.method == SCENE_METHOD_APIC) streams += 3 * sizeof(vec4);
    if (sim_is_tense(scene)) streams += sizeof(vec4);
    if (scene->body_count > 0) streams += sizeof(vec4);
    if (scene->body_count > 0 && !grid) streams += (1 + SIM_MET_BODIES) * sizeof(vec4);
    if (sim_has_items(scene) && !grid) streams += sizeof(vec4);
    if (sim_is_viscous(scene) && !grid) streams += 6 * sizeof(vec4);
    uint64_t entry = compact ? 2u : 4u;
    return streams + words + sort + measured + entry * list_capacity;
}

uint64_t sim_world_particle_bytes(const sim_world *world)
{
    const grid *g = world->grid;
    return sim_particle_bytes(world->scene, grid_get_capacity(g).list, grid_is_compact(g));
}

bool sim_needs_compact(const gpu_device *device, const scene_data *scene, uint64_t particles)
{
    uint64_t each = sim_particle_bytes(scene, sim_first_list_capacity(scene), false);
    return particles * each > gpu_device_info(device)->memory_left_bytes / 4u * 3u;
}

/* Below so many particles the kind of list does not matter, and nothing is measured. */
#define MEASURED_FROM 20000u

weir_result sim_wants_compact(gpu_device *device, const scene_data *scene, uint64_t particles,
                              bool *compact)
{
    *compact = false;
    if (scene_has_grid(&scene->solver)) return WEIR_OK; /* nothing is listed */
    /* Lists that outgrow a binding are read in parts, which no loop of the GPU can end. */
    uint64_t wide = particles * sim_first_list_capacity(scene) * 4u;
    *compact =
        sim_needs_compact(device, scene, particles) || wide > gpu_device_storage_range(device);
    if (*compact || particles < MEASURED_FROM) return WEIR_OK;
    return grid_prefers_compact(device, compact);
}

/* Bodies near a particle, and what they do to it: for as many particles as a binding has room. */
static weir_result create_met(sim_world *world, uint32_t capacity)
{
    bool meets = world->bodies && !scene_has_grid(&world->scene->solver);
    uint64_t room = gpu_device_storage_range(world->device) / sizeof(uvec4), heads = capacity;
    uint64_t kept = room > heads ? (room - heads) / SIM_MET_BODIES : 0;
    if (kept > capacity) kept = capacity;
    world->params.met_capacity = meets ? (uint32_t)kept : 0;
    return sim_buffer_create(world, "met", sizeof(uvec4), meets ? heads + kept * SIM_MET_BODIES : 1,
                             &world->buffers.met);
}

weir_result sim_particle_buffers_create(sim_world *world, uint32_t capacity)
{
    sim_buffers *b = &world->buffers;
    uint64_t groups = capacity / SIM_STATS_SHARE + 1;
    WEIR_NEED(sim_buffer_create(world, "positions", 16, capacity, &b->positions));
    WEIR_NEED(sim_buffer_create(world, "velocities", 16, capacity, &b->velocities));
    WEIR_NEED(sim_buffer_create(world, "iterates", 16, capacity, &b->iterates));
    uint64_t predicted = scene_has_grid(&world->scene->solver) ? 1 : capacity;
    WEIR_NEED(sim_buffer_create(world, "predictions", 16, predicted, &b->predictions));
    WEIR_NEED(sim_buffer_create(world, "starts", 16, capacity, &b->starts));
    WEIR_NEED(sim_buffer_create(world, "last_iterates", 16,
                                last_is_used(world->scene) ? capacity : 1, &b->last_iterates));
    WEIR_NEED(sim_buffer_create(world, "ids", 4, capacity, &b->ids));
    WEIR_NEED(sim_buffer_create(world, "sorted_ids", 4, capacity, &b->sorted_ids));
    WEIR_NEED(sim_buffer_create(world, "densities", 4, capacity, &b->densities));
    uint64_t near = sim_has_items(world->scene) ? capacity : 1;
    WEIR_NEED(sim_buffer_create(world, "clearances", 4, near, &b->clearances));
    WEIR_NEED(sim_buffer_create(world, "sorted_clearances", 4, near, &b->sorted_clearances));
    WEIR_NEED(sim_buffer_create(world, "normals", 16, sim_is_tense(world->scene) ? capacity : 1,
                                &b->normals));
    WEIR_NEED(sim_buffer_create(world, "partials", sizeof(struct sim_sums), groups, &b->partials));
    WEIR_NEED(
        sim_buffer_create(world, "body_walls", 16, world->bodies ? capacity : 1, &b->body_walls));
    WEIR_NEED(create_met(world, capacity));
    bool walled = sim_has_items(world->scene) && !scene_has_grid(&world->scene->solver);
    WEIR_NEED(sim_buffer_create(world, "wall_sums", 16, walled ? capacity : 1, &b->wall_sums));
    WEIR_NEED(sim_buffer_create(world, "soft_contacts", 4, world->softs ? capacity : 1,
                                &b->soft_contacts));
    uint64_t dragged = scene_softs_drag(world->scene) ? capacity : 1;
    WEIR_NEED(sim_buffer_create(world, "soft_drags", 16, dragged, &b->soft_drags));
    uint32_t slots = sim_measured_slots(world->scene),
             gauges = slots ? world->scene->gauge_count : 0;
    WEIR_NEED(sim_buffer_create(world, "measured", 16 * (slots ? slots : 1), slots ? capacity : 1,
                                &b->measured));
    WEIR_NEED(sim_buffer_create(world, "gauge_partials", 16, groups * gauges, &b->gauge_partials));
    world->params.particle_capacity = capacity;
    WEIR_NEED(sim_affine_buffers_create(world, capacity));
    if (scene_has_grid(&world->scene->solver)) return WEIR_OK;
    return sim_viscous_buffers_create(world);
}

void sim_particle_buffers_destroy(sim_world *world)
{
    sim_buffers *b = &world->buffers;
    gpu_buffer **all[] = {&b->positions,   &b->velocities, &b->iterates,
                          &b->predictions, &b->starts,     &b->last_iterates,
                          &b->ids,         &b->sorted_ids, &b->densities,
                          &b->partials,    &b->measured,   &b->gauge_partials,
                          &b->normals,     &b->clearances, &b->sorted_clearances,
                          &b->affine,      &b->body_walls, &b->soft_contacts,
                          &b->wall_sums,   &b->soft_drags, &b->met};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(world->device, all[i]);
    if (!scene_has_grid(&world->scene->solver)) sim_viscous_buffers_destroy(world);
}

static uint64_t pose_count(const sim_world *world)
{
    return (uint64_t)solid_item_count(world->solids) * world->scene->solver.substeps;
}

static weir_result create_frame(sim_world *world, sim_frame *frame)
{
    uint64_t moved = sim_moved_layers(world->scene) * sizeof(struct sim_emitter);
    WEIR_NEED(
        sim_host_buffer_create(world, "frame_input", sizeof(sim_input) + moved, &frame->input));
    WEIR_NEED(sim_host_buffer_create(world, "frame_poses",
                                     pose_count(world) * sizeof(struct solid_pose), &frame->poses));
    WEIR_NEED(sim_host_buffer_create(world, "frame_bodies", sim_body_bytes(world), &frame->bodies));
    WEIR_NEED(sim_host_buffer_create(world, "frame_softs", sim_soft_bytes(world), &frame->softs));
    return sim_host_buffer_create(world, "frame_result", sizeof(sim_result), &frame->result);
}

weir_result sim_fixed_buffers_create(sim_world *world)
{
    sim_buffers *b = &world->buffers;
    WEIR_NEED(sim_buffer_create(world, "params", sizeof(struct sim_params), 1, &b->params));
    WEIR_NEED(sim_buffer_create(world, "status", sizeof(struct sim_status), 1, &b->status));
    WEIR_NEED(sim_buffer_create(world, "sums", sizeof(struct sim_sums), 1, &b->sums));
    WEIR_NEED(sim_buffer_create(world, "errors", 4, SIM_ERRORS_WORDS, &b->errors));
    WEIR_NEED(sim_buffer_create(world, "loops", sizeof(struct gpu_loop), SIM_LOOPS, &b->loops));
    WEIR_NEED(
        create_vectors(world, "poses", sizeof(struct solid_pose), pose_count(world), &b->poses));
    WEIR_NEED(sim_buffer_create(world, "pointer", sizeof(struct sim_pointer), 1, &b->pointer));
    WEIR_NEED(sim_buffer_create(world, "emissions", sizeof(struct sim_emission), SIM_EMISSIONS,
                                &b->emissions));
    for (uint32_t i = 0; i < SIM_FRAMES; i++)
        WEIR_NEED(create_frame(world, &world->frames[i]));
    return WEIR_OK;
}

void sim_fixed_buffers_destroy(sim_world *world)
{
    sim_buffers *b = &world->buffers;
    gpu_buffer **all[] = {&b->params,    &b->status,   &b->sums,  &b->errors,  &b->poses,
                          &b->emissions, &b->emitters, &b->sites, &b->pointer, &b->loops};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(world->device, all[i]);
    for (uint32_t i = 0; i < SIM_FRAMES; i++) {
        gpu_buffer_destroy(world->device, &world->frames[i].input);
        gpu_buffer_destroy(world->device, &world->frames[i].poses);
        gpu_buffer_destroy(world->device, &world->frames[i].bodies);
        gpu_buffer_destroy(world->device, &world->frames[i].softs);
        gpu_buffer_destroy(world->device, &world->frames[i].result);
    }
}
