/* Creates a simulation from a scene: fills and uploads it; and destroys it. */
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_ranks.h"
#include "sim_solvers.h"
#include "sim_stability.h"
#include "sim_world.h"

/* Returns the initial number of segments: all of them if that makes the grid dense, otherwise as
 * many as a connected fluid needs. */
static uint32_t initial_segment_capacity(uint32_t particles, uint32_t segments)
{
    uint64_t wanted = particles / 2ull + 2048;
    if (wanted <= segments) wanted = particles / 16ull + 1024;
    return wanted < segments + 1ull ? (uint32_t)wanted : segments + 1u;
}

/* Divides the domain between ranks. The capacity gets room for ghosts. */
static weir_result divide(sim_world *world, const sim_initial_particles *particles,
                          grid_capacity *capacity)
{
    const uint32_t all = (uint32_t)particles->x.count, extra = capacity->particles - all;
    if (!world->ranks) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_ranks_divide(world, particles->fixed.items, all));
    world->ranks->totals.count = all;
    capacity->particles = world->ranks->held_count + world->ranks->held_count / 8 + extra + 1;
    return WEIR_OK;
}

static weir_result create_neighbour_grid(sim_world *world, const sim_initial_particles *particles,
                                         const sim_create_options *options)
{
    const uint32_t count = (uint32_t)particles->x.count;
    const scene_data *scene = world->scene;
    const grid_capacity *first = options->initial_capacity;
    const ivec4 *mac = &world->params.mac_cells;
    const int32_t mac_cells[3] = {mac->x, mac->y, mac->z};
    grid_def def = {
        .min = scene->domain.min,
        .max = scene->domain.max,
        .radius = world->params.h,
        .periodic = {world->params.period.x > 0, world->params.period.y > 0,
                     world->params.period.z > 0},
        .fixed = sim_fixed_point(scene),
        .capacity = {.particles = count ? count : 1, .list = sim_initial_list_capacity(scene)},
    };
    if (world->params.planar) {
        def.min.z = world->params.plane - 0.5f * world->params.h;
        def.max.z = world->params.plane + 0.5f * world->params.h;
    }
    for (uint32_t axis = 0; axis < 3 && scene_has_grid(&scene->solver); axis++)
        def.cells[axis] = axis < scene->solver.dimensions ? 2u * (uint32_t)mac_cells[axis] : 1u;
    uint64_t emitted = sim_max_emitted(scene, &world->streams, (double)scene->duration);
    uint64_t capacity = count + (emitted < 65536 ? emitted : 65536);
    def.capacity.particles = capacity ? (uint32_t)capacity : 1;
    def.capacity.segments = 1;
    def.compact = options->compact_lists;
    if (!def.compact && !world->ranks) /* a ghost's neighbours may be anywhere: wide lists */
        WEIR_RETURN_IF_ERROR(
            sim_prefers_compact_lists(world->device, scene, capacity, &def.compact));
    if (first) {
        if (def.capacity.list) def.capacity.list = first->list;
        def.capacity.particles = first->particles > count ? first->particles : count + !count;
    }
    grid_def empty = def;
    if (world->ranks) empty.capacity.particles = 1;
    WEIR_RETURN_IF_ERROR(grid_create(world->device, &empty, &world->grid));
    WEIR_RETURN_IF_ERROR(divide(world, particles, &def.capacity));
    def.capacity.segments =
        first ? first->segments
              : initial_segment_capacity(def.capacity.particles, grid_segment_count(world->grid));
    return grid_grow(world->device, world->grid, def.capacity);
}

/* Copies the particles that the rank owns. Release with sim_host_state_free, also after an error.
 */
static weir_result copy_own_particles(const sim_world *world,
                                      const sim_initial_particles *particles, const uint32_t *ids,
                                      sim_host_state *own, uint32_t *count)
{
    const size_t all = particles->x.count;
    *own = (sim_host_state){.x = base_alloc(all, sizeof *own->x),
                            .v = base_alloc(all, sizeof *own->v),
                            .ids = base_alloc(all, sizeof *own->ids)};
    if (!own->x || !own->v || !own->ids)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for the particles");
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (!sim_ranks_own(world, &particles->fixed.items[i])) continue;
        own->x[*count] = particles->fixed.items[i];
        own->v[*count] = particles->v.items[i];
        own->ids[(*count)++] = ids[i];
    }
    return WEIR_OK;
}

weir_result sim_upload_initial_state(sim_world *world, const sim_initial_particles *particles,
                                     const uint32_t *ids)
{
    sim_host_state own = {0};
    sim_buffers *b = &world->buffers;
    uint32_t count = (uint32_t)particles->x.count;
    sim_state_arrays arrays = {
        .x = particles->fixed.items,
        .v = particles->v.items,
        .ids = ids,
        .affine = count > 0 ? particles->velocity_gradients.items : NULL,
        .attributes = particles->attributes.items,
        .bodies = world->body_states,
        .deformables =
            world->deformables ? deformable_set_initial_states(world->deformables) : NULL};
    weir_result result = WEIR_OK;
    if (world->ranks) {
        WEIR_GOTO_IF_ERROR(copy_own_particles(world, particles, ids, &own, &count));
        arrays = (sim_state_arrays){.x = own.x, .v = own.v, .ids = own.ids};
    }
    struct sim_status status = {.count = count, .dt = (float)sim_max_substep_s(world->scene)};
    WEIR_GOTO_IF_ERROR(sim_host_state_upload(world, count, &arrays));
    WEIR_GOTO_IF_ERROR(gpu_buffer_upload(world->device, b->status, 0, &status, sizeof status));
    /* Every frame uploads its own parameters; sim_copy_points needs them before the first frame. */
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_upload(world->device, b->params, 0, &world->params, sizeof world->params));
    world->next_id = particles->next_id;
    world->last_result.status = status;
    if (!world->ranks) goto fail;
    status.count = world->ranks->totals.count;
    world->ranks->totals = status;
fail:
    sim_host_state_free(&own);
    return result;
}

static weir_result pre_stabilize(sim_world *world, sim_initial_particles *particles)
{
    if (!sim_pre_stabilizes(world, particles)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_pre_stabilize(world, particles));
    sim_measure_initial_sums(world, particles);
    return WEIR_OK;
}

void sim_measure_fluid_depth(sim_world *world, const sim_initial_particles *particles)
{
    const vec3 g = world->scene->gravity;
    float size = vec3_length(g), low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < particles->x.count && size > 0.0f; i++) {
        const vec4 *x = &particles->x.items[i];
        float height = -(x->x * g.x + x->y * g.y + x->z * g.z) / size;
        low = fminf(low, height);
        high = fmaxf(high, height);
    }
    world->fluid_depth_m = high > low ? (double)(high - low) + (double)world->scene->spacing : 0.0;
}

/* The lists may become longer when the grid grows or ranks move their cuts. */
static weir_result create_timers(sim_world *world)
{
    gpu_device *device = world->device;
    WEIR_RETURN_IF_ERROR(gpu_timers_create(device, 1, &world->begin_timers));
    WEIR_RETURN_IF_ERROR(gpu_timers_create(device, SIM_PASS_CAPACITY, &world->timers));
    WEIR_RETURN_IF_ERROR(gpu_timers_create(device, SIM_END_PASS_CAPACITY, &world->end_timers));
    gpu_timers_set_trace_name(world->begin_timers, "frame begin");
    gpu_timers_set_trace_name(world->timers, "substep");
    gpu_timers_set_trace_name(world->end_timers, "frame end");
    return WEIR_OK;
}

static weir_result create_bodies(sim_world *world)
{
    WEIR_RETURN_IF_ERROR(
        body_set_create(world->device, world->scene, world->solids, &world->bodies));
    world->body_states = base_alloc(sim_body_bytes(world), 1);
    if (!world->body_states)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    memcpy(world->body_states, body_set_initial_states(world->bodies), sim_body_bytes(world));
    return WEIR_OK;
}

/* Continues at the time of a state. */
static void start_clock(sim_world *world, const sim_start *start)
{
    world->time_s = world->last_time_s = start->time_s;
    world->frame = start->frame;
    sim_update_gravity(world, start->time_s);
    sim_emitters_skip_to(world, start->time_s);
}

weir_result sim_create_with_options(gpu_device *device, const scene_data *scene,
                                    const sim_create_options *options, sim_world **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    sim_initial_particles particles = {0};
    *out = NULL;
    sim_world *world = base_alloc(1, sizeof *world);
    if (!world)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for a simulation");
    world->device = device;
    world->log = gpu_device_log(device);
    world->scene = scene;
    world->standalone = options->standalone;
    if (options->ranks) WEIR_GOTO_IF_ERROR(sim_ranks_create(world, options->ranks));
    world->memory_before = gpu_device_memory_used(device);
    if (scene->fluid_count > SIM_MAX_FLUIDS) {
        result = base_fail(world->log, WEIR_ERROR_SCENE, "%s has %u fluids, at most %u are allowed",
                           scene->source, scene->fluid_count, SIM_MAX_FLUIDS);
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(sim_check_particle_bound(device, scene));
    WEIR_GOTO_IF_ERROR(solid_set_create(
        device, scene, 0.5f * scene->spacing * scene->solver.support_radius, &world->solids));
    solid_set_warn(world->solids, world->log);
    particles.max_count = sim_max_particles(device, scene);
    if (scene->body_count > 0) WEIR_GOTO_IF_ERROR(create_bodies(world));
    if (options->start) WEIR_GOTO_IF_ERROR(sim_start_bodies(world, options->start->bodies));
    if (scene_deformable_count(scene) > 0) WEIR_GOTO_IF_ERROR(sim_deformables_create(world));
    WEIR_GOTO_IF_ERROR(sim_streams_create(world->log, scene, world->solids, &world->streams));
    if (options->start)
        WEIR_GOTO_IF_ERROR(sim_fill_from_start(world, options->start, &particles));
    else
        WEIR_GOTO_IF_ERROR(sim_fill_fluids(world->log, scene, world->solids, &particles));
    sim_measure_fluid_depth(world, &particles);
    sim_estimate_domain_capacity(world);
    sim_params_fill(world);
    sim_sea_fill(world);
    WEIR_GOTO_IF_ERROR(sim_force_fields_create(world));
    sim_pressure_grid_choose(world);
    sim_warn_limits(world);
    sim_measure_initial_sums(world, &particles);
    WEIR_GOTO_IF_ERROR(create_neighbour_grid(world, &particles, options));
    WEIR_GOTO_IF_ERROR(sim_buffers_create(world, SIM_WITH_WORLD));
    WEIR_GOTO_IF_ERROR(sim_frame_buffers_create(world));
    WEIR_GOTO_IF_ERROR(sim_pressure_grid_create(world));
    WEIR_GOTO_IF_ERROR(sim_material_curves_upload(world));
    WEIR_GOTO_IF_ERROR(sim_force_fields_upload(world));
    WEIR_GOTO_IF_ERROR(sim_gauges_create(world));
    WEIR_GOTO_IF_ERROR(sim_forces_create(world));
    WEIR_GOTO_IF_ERROR(sim_emitters_create(world));
    WEIR_GOTO_IF_ERROR(
        sim_particle_buffers_create(world, grid_get_capacity(world->grid).particles));
    world->external_neighbours = 1;
    if (world->standalone) WEIR_GOTO_IF_ERROR(sim_buffers_create(world, SIM_WITH_EXTERNAL));
    WEIR_GOTO_IF_ERROR(sim_pipelines_create(world));
    WEIR_GOTO_IF_ERROR(sim_build_passes(world));
    WEIR_GOTO_IF_ERROR(create_timers(world));
    WEIR_GOTO_IF_ERROR(pre_stabilize(world, &particles));
    WEIR_GOTO_IF_ERROR(sim_upload_initial_state(world, &particles, particles.ids.items));
    WEIR_GOTO_IF_ERROR(sim_hash_files(world));
    if (options->start) start_clock(world, options->start);
    sim_initial_particles_free(&particles);
    *out = world;
    return WEIR_OK;
fail:
    sim_initial_particles_free(&particles);
    sim_destroy(&world);
    return result == WEIR_ERROR_ARGUMENT ? WEIR_ERROR_SCENE
                                         : result; /* the scene provided the arguments */
}

weir_result sim_create(gpu_device *device, const scene_data *scene, sim_world **world)
{
    return sim_create_with_options(device, scene, &(sim_create_options){0}, world);
}

void sim_destroy(sim_world **pointer)
{
    sim_world *world = *pointer;
    if (!world) return;
    gpu_device_wait(world->device);
    gpu_timers_destroy(world->device, &world->begin_timers);
    gpu_timers_destroy(world->device, &world->timers);
    gpu_timers_destroy(world->device, &world->end_timers);
    sim_pipelines_destroy(world);
    for (sim_lifetime with = SIM_WITH_WORLD; with < SIM_LIFETIMES; with++)
        sim_buffers_destroy(world, with);
    sim_frame_buffers_destroy(world);
    sim_gauges_destroy(world);
    sim_forces_destroy(world);
    sim_id_order_destroy(world);
    sim_ranks_destroy(world);
    poisson_destroy(world->device, &world->pressure_grid);
    grid_destroy(world->device, &world->grid);
    deformable_set_destroy(world->device, &world->deformables);
    body_set_destroy(world->device, &world->bodies);
    solid_set_destroy(world->device, &world->solids);
    base_free(world->body_states);
    base_free(world->deformable_states);
    base_free(world->deformable_elements);
    sim_streams_free(&world->streams);
    base_free(world->stream_states);
    base_free(world->driven_emitters);
    BASE_ARRAY_FREE(&world->file_hashes);
    BASE_ARRAY_FREE(&world->force_field_nodes);
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

void sim_set_solid_pose(sim_world *world, uint32_t solid, const scene_pose *pose, bool teleport)
{
    scene_pose wanted = *pose;
    if (world->params.planar) wanted.position.z = 0.0f;
    solid_set_target(world->solids, solid, &wanted, teleport);
}

void sim_host_driven_poses(const sim_world *world, scene_pose *poses)
{
    for (uint32_t i = 0; i < world->scene->solid_count; i++)
        poses[i] = solid_set_target_pose(world->solids, i);
}
