/* A simulation's life: made from a scene, filled, uploaded, destroyed. */
#include "sim_frame.h"

/* All segments where the grid may then be dense, else as many as a fluid in one piece needs. */
static uint32_t first_segment_capacity(uint32_t particles, uint32_t segments)
{
    uint64_t wanted = particles / 2ull + 2048;
    if (wanted <= segments) wanted = particles / 16ull + 1024;
    return wanted < segments + 1ull ? (uint32_t)wanted : segments + 1u;
}

static weir_result create_grid(sim_world *world, uint32_t count, const sim_choices *choices)
{
    const scene_data *scene = world->scene;
    const grid_capacity *first = choices->first;
    const ivec4 *mac = &world->params.mac_cells;
    const int32_t mac_cells[3] = {mac->x, mac->y, mac->z};
    grid_def def = {
        .min = scene->domain.min,
        .max = scene->domain.max,
        .radius = world->params.h,
        .periodic = {world->params.period.x > 0, world->params.period.y > 0,
                     world->params.period.z > 0},
        .fixed = sim_fixed(scene),
        .capacity = {.particles = count ? count : 1, .list = sim_first_list_capacity(scene)},
    };
    if (world->params.planar) {
        def.min.z = world->params.plane - 0.5f * world->params.h;
        def.max.z = world->params.plane + 0.5f * world->params.h;
    }
    for (uint32_t axis = 0; axis < 3 && scene_has_grid(&scene->solver); axis++)
        def.cells[axis] = axis < scene->solver.dimensions ? 2u * (uint32_t)mac_cells[axis] : 1u;
    uint64_t emitted = sim_emitted_max(scene, (double)scene->duration);
    uint64_t room = count + (emitted < 65536 ? emitted : 65536);
    def.capacity.particles = room ? (uint32_t)room : 1;
    def.capacity.segments = 1;
    def.compact = choices->compact;
    if (!def.compact) WEIR_NEED(sim_wants_compact(world->device, scene, room, &def.compact));
    if (first) {
        if (def.capacity.list) def.capacity.list = first->list;
        def.capacity.particles = first->particles > count ? first->particles : count + !count;
    }
    weir_result result = grid_create(world->device, &def, &world->grid);
    if (result != WEIR_OK) return result;
    def.capacity.segments =
        first ? first->segments
              : first_segment_capacity(def.capacity.particles, grid_segment_count(world->grid));
    return grid_grow(world->device, world->grid, def.capacity);
}

static weir_result upload(sim_world *world, const sim_particles *particles)
{
    weir_result result;
    sim_buffers *b = &world->buffers;
    uint32_t count = (uint32_t)particles->x.count;
    uint32_t *ids = base_alloc(count, sizeof *ids);
    struct sim_status status = {.count = count, .dt = (float)sim_longest_substep(world->scene)};
    if (!ids) return base_fail(world->log, WEIR_MEMORY, "no memory for particle ids");
    for (uint32_t i = 0; i < count; i++)
        ids[i] = i;
    WEIR_TRY(sim_state_upload(
        world, count,
        &(sim_arrays){.x = particles->fixed.items,
                      .v = particles->v.items,
                      .ids = ids,
                      .bodies = world->bodies ? body_set_starts(world->bodies) : NULL,
                      .softs = world->softs ? soft_set_starts(world->softs) : NULL}));
    WEIR_TRY(gpu_buffer_upload(world->device, b->status, 0, &status, sizeof status));
    /* Every frame brings its own; sim_points needs them before the first. */
    WEIR_TRY(gpu_buffer_upload(world->device, b->params, 0, &world->params, sizeof world->params));
    world->next_id = count;
    world->last.status = status;
fail:
    base_free(ids);
    return result;
}

/* The fluid's extent along gravity at the start, for the hydrostatic law. */
void sim_measure_column(sim_world *world, const sim_particles *particles)
{
    const vec3 g = world->scene->gravity;
    float size = vec3_length(g), low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < particles->x.count && size > 0.0f; i++) {
        const vec4 *x = &particles->x.items[i];
        float height = -(x->x * g.x + x->y * g.y + x->z * g.z) / size;
        low = fminf(low, height);
        high = fmaxf(high, height);
    }
    world->column_m = high > low ? (double)(high - low) + (double)world->scene->spacing : 0.0;
}

static weir_result create_timers(sim_world *world)
{
    gpu_device *device = world->device;
    WEIR_NEED(gpu_timers_create(device, 1, &world->begin_timers));
    WEIR_NEED(gpu_timers_create(device, world->row_count, &world->timers));
    WEIR_NEED(gpu_timers_create(device, world->end_row_count, &world->end_timers));
    gpu_timers_title(world->begin_timers, "frame begin");
    gpu_timers_title(world->timers, "substep");
    gpu_timers_title(world->end_timers, "frame end");
    return WEIR_OK;
}

static weir_result create_bodies(sim_world *world)
{
    WEIR_NEED(body_set_create(world->device, world->scene, world->solids, &world->bodies));
    world->body_states = base_alloc(sim_body_bytes(world), 1);
    if (!world->body_states) return base_fail(world->log, WEIR_MEMORY, "no memory for bodies");
    memcpy(world->body_states, body_set_starts(world->bodies), sim_body_bytes(world));
    return WEIR_OK;
}

weir_result sim_create_chosen(gpu_device *device, const scene_data *scene,
                              const sim_choices *choices, sim_world **out)
{
    weir_result result = WEIR_MEMORY;
    sim_particles particles = {0};
    *out = NULL;
    sim_world *world = base_alloc(1, sizeof *world);
    if (!world) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for a simulation");
    world->device = device;
    world->log = gpu_device_log(device);
    world->scene = scene;
    world->alone = choices->alone;
    world->memory_before = gpu_device_memory_used(device);
    if (scene->fluid_count > SIM_MAX_FLUIDS) {
        result = base_fail(world->log, WEIR_SCENE, "%s has %u fluids, at most %u are allowed",
                           scene->source, scene->fluid_count, SIM_MAX_FLUIDS);
        goto fail;
    }
    WEIR_TRY(solid_set_create(device, scene, 0.5f * scene->spacing * scene->solver.support,
                              &world->solids));
    solid_set_warn(world->solids, world->log);
    particles.limit = sim_particle_limit(device, scene);
    if (scene->body_count > 0) WEIR_TRY(create_bodies(world));
    if (scene_soft_count(scene) > 0) WEIR_TRY(sim_softs_create(world));
    WEIR_TRY(sim_fill(world->log, scene, world->solids, &particles));
    sim_measure_column(world, &particles);
    sim_measure_room(world);
    sim_params_fill(world);
    sim_cells_choose(world);
    sim_warn_limits(world);
    sim_measure_start(world, &particles);
    WEIR_TRY(create_grid(world, (uint32_t)particles.x.count, choices));
    WEIR_TRY(sim_buffers_create(world, SIM_WITH_WORLD));
    WEIR_TRY(sim_frame_buffers_create(world));
    WEIR_TRY(sim_cells_create(world));
    WEIR_TRY(sim_gauges_create(world));
    WEIR_TRY(sim_forces_create(world));
    WEIR_TRY(sim_emitters_create(world));
    WEIR_TRY(sim_particle_buffers_create(world, grid_get_capacity(world->grid).particles));
    world->given_neighbours = 1;
    if (world->alone) WEIR_TRY(sim_buffers_create(world, SIM_WITH_GIVEN));
    WEIR_TRY(sim_kernels_create(world));
    WEIR_TRY(sim_rows_build(world));
    WEIR_TRY(create_timers(world));
    WEIR_TRY(upload(world, &particles));
    WEIR_TRY(sim_files_hash(world));
    sim_particles_free(&particles);
    *out = world;
    return WEIR_OK;
fail:
    sim_particles_free(&particles);
    sim_destroy(&world);
    return result == WEIR_ARGUMENT ? WEIR_SCENE : result; /* the scene gave the arguments */
}

weir_result sim_create(gpu_device *device, const scene_data *scene, sim_world **world)
{
    return sim_create_chosen(device, scene, &(sim_choices){0}, world);
}

void sim_destroy(sim_world **pointer)
{
    sim_world *world = *pointer;
    if (!world) return;
    gpu_device_wait(world->device);
    gpu_timers_destroy(world->device, &world->begin_timers);
    gpu_timers_destroy(world->device, &world->timers);
    gpu_timers_destroy(world->device, &world->end_timers);
    sim_kernels_destroy(world);
    for (sim_lifetime with = SIM_WITH_WORLD; with < SIM_LIFETIMES; with++)
        sim_buffers_destroy(world, with);
    sim_frame_buffers_destroy(world);
    sim_gauges_destroy(world);
    sim_forces_destroy(world);
    sim_order_destroy(world);
    poisson_destroy(world->device, &world->cells);
    grid_destroy(world->device, &world->grid);
    soft_set_destroy(world->device, &world->softs);
    body_set_destroy(world->device, &world->bodies);
    solid_set_destroy(world->device, &world->solids);
    base_free(world->body_states);
    base_free(world->soft_states);
    base_free(world->soft_pieces);
    base_free(world->emitters);
    base_free(world->nozzles);
    BASE_ARRAY_FREE(&world->files);
    base_free(world);
    *pointer = NULL;
}

const scene_data *sim_scene(const sim_world *world)
{
    return world->scene;
}

const struct solid_set *sim_solids(const sim_world *world)
{
    return world->solids;
}

void sim_steer_solid(sim_world *world, uint32_t solid, const scene_pose *pose, bool jump)
{
    scene_pose wanted = *pose;
    if (world->params.planar) wanted.position.z = 0.0f;
    solid_steer(world->solids, solid, &wanted, jump);
}

void sim_steered_poses(const sim_world *world, scene_pose *poses)
{
    for (uint32_t i = 0; i < world->scene->solid_count; i++)
        poses[i] = solid_steered_pose(world->solids, i);
}
