#include "sim_support.h"

scene_data *make_scene(const char *text, const char *const *overrides)
{
    static char json[16384];
    size_t size = strlen(text);
    assert_true(size < sizeof json);
    for (size_t i = 0; i < size; i++)
        json[i] = text[i] == '\'' ? '"' : text[i];
    scene_input input = {json, size, "test scene", "", overrides, 0, NULL};
    while (overrides && overrides[input.override_count])
        input.override_count++;
    weir_log log = {.write = print_problem, .level = WEIR_LOG_WARNING};
    scene_data *scene = NULL;
    OK(scene_parse(&log, &input, &scene));
    return scene;
}

sim_world *make_sim(gpu_device *device, const scene_data *scene)
{
    sim_world *world = NULL;
    OK(sim_create(device, scene, &world));
    return world;
}

sim_world *make_sim_compact(gpu_device *device, const scene_data *scene)
{
    sim_world *world = NULL;
    OK(sim_create_with_options(device, scene, &(sim_create_options){.compact_lists = true},
                               &world));
    return world;
}

sim_world *make_sim_sized(gpu_device *device, const scene_data *scene, uint32_t particles)
{
    sim_world *world = NULL;
    const grid_capacity first = {particles, 96, 4096};
    OK(sim_create_with_options(device, scene, &(sim_create_options){.initial_capacity = &first},
                               &world));
    return world;
}

void open_sims(const char *const *texts, gpu_device **devices, scene_data **scenes,
               sim_world **worlds, int count)
{
    for (int i = 0; i < count; i++) {
        devices[i] = open_gpu(i == 0);
        scenes[i] = make_scene(texts[i], NULL);
        worlds[i] = make_sim_sized(devices[i], scenes[i], SIMS_ROOM);
    }
}

int close_sims(gpu_device **devices, scene_data **scenes, sim_world **worlds, int count)
{
    int complaints = 0;
    for (int i = 0; i < count; i++) {
        sim_destroy(&worlds[i]);
        scene_destroy(&scenes[i]);
        complaints |= close_gpu(&devices[i]);
    }
    return complaints;
}

void assert_at_most(const char *what, double value, double limit)
{
    print_message("  %s: %.3g, at most %.3g\n", what, value, limit);
    assert_true(value <= limit);
}

void assert_between(const char *what, double value, double low, double high)
{
    print_message("  %s: %.5g, expected %.5g to %.5g\n", what, value, low, high);
    assert_true(value >= low && value <= high);
}

void upload(const sim_world *world, gpu_buffer *buffer, const void *bytes, size_t size)
{
    OK(gpu_buffer_upload(world->device, buffer, 0, bytes, size));
}

void *download(const sim_world *world, const gpu_buffer *buffer, size_t count, size_t size)
{
    void *bytes = base_alloc(count + 1, size);
    assert_non_null(bytes);
    if (count) OK(gpu_buffer_download(world->device, buffer, 0, bytes, count * size));
    return bytes;
}

ivec4 fixed_from_metres(const sim_world *world, vec4 x)
{
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    return sim_to_fixed_point(&fixed, (const double[3]){(double)x.x, (double)x.y, (double)x.z},
                              (int32_t)x.w);
}

vec4 metres_of(const sim_world *world, ivec4 position)
{
    const vec4 *o = &world->params.origin;
    return (vec4){(float)position.x * o->w + o->x, (float)position.y * o->w + o->y,
                  (float)position.z * o->w + o->z, (float)position.w};
}

vec4 *download_metres(const sim_world *world, const gpu_buffer *buffer, size_t count)
{
    ivec4 *fixed = download(world, buffer, count, sizeof *fixed);
    vec4 *metres = base_alloc(count + 1, sizeof *metres);
    assert_non_null(metres);
    for (size_t i = 0; i < count; i++)
        metres[i] = metres_of(world, fixed[i]);
    base_free(fixed);
    return metres;
}

static void upload_metres(const sim_world *world, gpu_buffer *buffer, const vec4 *metres,
                          size_t count)
{
    ivec4 *fixed = base_alloc(count + 1, sizeof *fixed);
    assert_non_null(fixed);
    for (size_t i = 0; i < count; i++)
        fixed[i] = fixed_from_metres(world, metres[i]);
    upload(world, buffer, fixed, count * sizeof *fixed);
    base_free(fixed);
}

void place_particles(sim_world *world, placing p)
{
    struct sim_status status = {.count = p.count};
    assert_true(p.count <= grid_get_capacity(world->grid).particles);
    if (p.x) upload_metres(world, world->buffers.positions, p.x, p.count);
    if (p.v) upload(world, world->buffers.velocities, p.v, p.count * sizeof *p.v);
    if (p.ids) upload(world, world->buffers.ids, p.ids, p.count * sizeof *p.ids);
    upload(world, world->buffers.status, &status, sizeof status);
    OK(sim_clear_clearances(world));
    world->last_result.status = status;
    world->next_id = p.count;
}

vec3 *read_vectors(sim_world *world, weir_field field, uint32_t *count)
{
    OK(sim_particle_count(world, count));
    vec3 *values = base_alloc(*count + 1u, sizeof *values);
    assert_non_null(values);
    OK(sim_read_field(world, field, values, *count * sizeof *values));
    return values;
}

float *read_densities(sim_world *world, uint32_t count)
{
    float *values = base_alloc(count + 1u, sizeof *values);
    assert_non_null(values);
    OK(sim_read_field(world, WEIR_FIELD_DENSITY, values, count * sizeof *values));
    return values;
}

void run_frames(sim_world *world, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++)
        OK(sim_step(world, 0));
    OK(sim_wait(world));
}

void begin_frame(sim_world *world, double seconds)
{
    const sim_buffers *b = &world->buffers;
    uint32_t items = solid_item_count(world->solids), substeps = world->scene->solver.substeps;
    struct sim_emission *emissions = base_alloc(SIM_MAX_EMISSIONS, sizeof *emissions);
    struct solid_pose *poses = base_alloc((size_t)items * substeps + 1u, sizeof *poses);
    struct sim_params params = world->params;
    const struct grid_state clean = {0};
    double dt = seconds / substeps;
    assert_non_null(emissions);
    assert_non_null(poses);
    params.frame_dt = (float)seconds;
    sim_emission_plan plan = {.items = emissions}; /* emitters at rest */
    sim_plan_emissions(world, 0.0, seconds, &plan);
    params.emission_count = plan.count;
    for (uint32_t s = 0; s < substeps && items; s++)
        solid_poses_at(world->solids, (s + 1) * dt, dt, poses + (size_t)s * items);
    upload(world, b->params, &params, sizeof params);
    upload(world, b->emissions, emissions, params.emission_count * sizeof *emissions);
    if (items) upload(world, b->poses, poses, (size_t)items * substeps * sizeof *poses);
    upload(world, grid_state_buffer(world->grid), &clean, sizeof clean);
    base_free(emissions);
    base_free(poses);
}

void run_begin_pass(const sim_world *world)
{
    OK(gpu_run_passes(world->device, &world->begin_pass, 1));
}

uint32_t row_of(const gpu_pass *passes, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(gpu_pipeline_name(passes[i].pipeline), name) == 0) return i;
    fail_msg("no row is called %s", name);
    return 0;
}

uint32_t step_pass(const sim_world *world, const char *name)
{
    return row_of(world->passes, world->pass_count, name);
}

void run_step_passes(const sim_world *world, uint32_t first, uint32_t last)
{
    gpu_pass passes[SIM_PASS_CAPACITY];
    for (uint32_t i = first; i < last; i++) {
        passes[i - first] = world->passes[i];
        passes[i - first].group = NULL;
    }
    if (last > first) OK(gpu_run_passes(world->device, passes, last - first));
}

uint32_t run_up_to(sim_world *world, double seconds, const char *name)
{
    uint32_t pass = name ? step_pass(world, name) : world->pass_count;
    begin_frame(world, seconds);
    run_begin_pass(world);
    run_step_passes(world, 0, pass);
    return pass;
}

gpu_buffer *pass_buffer(const gpu_pass *pass, uint32_t binding)
{
    for (uint32_t u = 0; u < pass->use_count; u++)
        if (pass->uses[u].binding == binding) return pass->uses[u].buffer;
    fail_msg("the row of %s binds nothing at %u", gpu_pipeline_name(pass->pipeline), binding);
    return NULL;
}

void free_lists(host_lists *lists)
{
    base_free(lists->first);
    base_free(lists->items);
    base_free(lists->headers);
    *lists = (host_lists){0};
}

/* Returns the word of neighbour k of particle i, like grid_list_index in
 * shaders/lib/neighbours/grid_bins.glsl, in words. */
static size_t list_word(size_t i, size_t k, size_t capacity)
{
    size_t step = i / GRID_LIST_INTERLEAVE * (capacity / GRID_LIST_STEP) + k / GRID_LIST_STEP;
    return (step * GRID_LIST_INTERLEAVE + i % GRID_LIST_INTERLEAVE) * GRID_LIST_STEP +
           k % GRID_LIST_STEP;
}

/* Returns neighbour k of particle i from a compact list; see shaders/shared/grid.h. */
static uint32_t compact_neighbour(const uint32_t *raw, uint32_t i, size_t k, size_t capacity)
{
    size_t steps = capacity / GRID_COMPACT_STEP;
    size_t first =
        i / GRID_LIST_INTERLEAVE * steps * GRID_LIST_INTERLEAVE + i % GRID_LIST_INTERLEAVE;
    size_t step = first + k / GRID_COMPACT_STEP * GRID_LIST_INTERLEAVE;
    uint32_t half = raw[4 * step + k % GRID_COMPACT_STEP / 2] >> k % 2 * 16 & 0xffffu;
    uint32_t other = raw[4 * (first + (steps - 1) * GRID_LIST_INTERLEAVE) + 3];
    uint32_t base = half & GRID_COMPACT_OTHER_BASE ? other : i;
    return base + (half & (GRID_COMPACT_OTHER_BASE - 1)) - GRID_COMPACT_OFFSET;
}

host_lists download_lists(gpu_device *device, const grid *g, uint32_t count)
{
    host_lists lists = {0};
    size_t capacity = grid_get_capacity(g).list, total = 0;
    uint32_t *raw = base_alloc(gpu_buffer_size(grid_lists(g)), 1);
    lists.headers = base_alloc(count + 1u, sizeof *lists.headers);
    lists.first = base_alloc(count + 1u, sizeof *lists.first);
    assert_true(raw && lists.headers && lists.first);
    OK(gpu_buffer_download(device, grid_lists(g), 0, raw, gpu_buffer_size(grid_lists(g))));
    if (count)
        OK(gpu_buffer_download(device, grid_list_headers(g), 0, lists.headers, 4ull * count));
    for (uint32_t i = 0; i < count; i++)
        total += lists.headers[i] & GRID_COUNT_MASK;
    lists.items = base_alloc(total + 1, sizeof *lists.items);
    assert_non_null(lists.items);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        for (size_t k = 0; k < (lists.headers[i] & GRID_COUNT_MASK); k++)
            lists.items[at++] = grid_is_compact(g) ? compact_neighbour(raw, i, k, capacity)
                                                   : raw[list_word(i, k, capacity)];
        lists.first[i + 1] = at;
    }
    base_free(raw);
    return lists;
}
