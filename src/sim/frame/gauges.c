/* Gauges and residuals: the instruments of a scene and their buffers. Readings come back with the
 * result of a frame, so that reading them does not wait for the device. */
#include "sim_frame.h"

static float vec3_component(vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Returns the axis that is nearest to the direction of gravity; y without gravity. */
static uint32_t find_vertical_axis(vec3 gravity)
{
    float x = fabsf(gravity.x), y = fabsf(gravity.y), z = fabsf(gravity.z);
    return x > y && x >= z ? 0 : z > y ? 2 : 1;
}

/* Returns the number of particles in one layer of a slab one spacing thick, within the domain. The
 * layer of a height gauge spans the whole column; that of a front gauge is a row of particles on
 * the floor. */
static double particles_in_full_gauge_layer(const scene_data *scene, const scene_gauge *gauge)
{
    double d = (double)scene->spacing, count = 1.0;
    uint32_t flat = gauge->kind == SCENE_GAUGE_FRONT ? find_vertical_axis(scene->gravity) : 3;
    vec3 min = vec3_max(gauge->min, scene->domain.min),
         max = vec3_min(gauge->max, scene->domain.max);
    for (uint32_t axis = 0; axis < 3; axis++)
        if (axis != gauge->axis / 2 && axis != flat && axis < scene->solver.dimensions)
            count *= fmax((double)(vec3_component(max, axis) - vec3_component(min, axis)) / d, 1.0);
    return count;
}

/* A spacing has 2 HALF_WINDOW + 1 bins, an odd number, so that a slab of one spacing has a bin in
 * its middle. */
#define HALF_WINDOW 4u

static struct sim_gauge make_level_gauge(const scene_data *scene, const scene_gauge *gauge)
{
    double d = (double)scene->spacing;
    double length = (double)(vec3_component(gauge->max, gauge->axis / 2) -
                             vec3_component(gauge->min, gauge->axis / 2));
    uint32_t half = HALF_WINDOW;
    while (half > 0 && length * (2 * half + 1) > d * SIM_GAUGE_HISTOGRAM_BINS)
        half--;
    double bin = fmax(d / (2 * half + 1), length / SIM_GAUGE_HISTOGRAM_BINS);
    return (struct sim_gauge){
        .min = {gauge->min.x, gauge->min.y, gauge->min.z, 0},
        .max = {gauge->max.x, gauge->max.y, gauge->max.z, 0},
        .axis = gauge->axis,
        .bin_count = (uint32_t)fmin(ceil(length / bin), SIM_GAUGE_HISTOGRAM_BINS),
        .bin_width_m = (float)bin,
        .half_layer_count =
            (uint32_t)fmax(ceil(0.5 * particles_in_full_gauge_layer(scene, gauge) - 1e-3), 1.0),
        .slab_half_bins = half,
    };
}

static uint32_t find_shader_gauge_kind(const scene_data *scene, scene_gauge_kind kind)
{
    bool grid = scene_has_grid(&scene->solver);
    if (grid && kind == SCENE_GAUGE_PRESSURE) return SIM_GAUGE_MAC_PRESSURE;
    if (grid && kind == SCENE_GAUGE_FORCE) return SIM_GAUGE_MAC_FORCE;
    return (uint32_t)kind;
}

/* Returns the radius of a pressure gauge's ball, m. With a MAC grid it is large enough to contain a
 * cell centre wherever the ball is. */
static float gauge_ball_radius(const sim_world *world, const scene_gauge *gauge)
{
    const scene_data *scene = world->scene;
    vec4 cell = world->params.cell_size;
    float support = scene->spacing * scene->solver.support_radius,
          radius = gauge->radius > 0.0f ? gauge->radius : support;
    if (!scene_has_grid(&scene->solver)) return radius;
    return fmaxf(radius, fmaxf(cell.x, fmaxf(cell.y, cell.z)));
}

static struct sim_gauge make_gauge(const sim_world *world, const scene_gauge *gauge)
{
    const scene_data *scene = world->scene;
    struct sim_gauge made = {0};
    vec3 p = gauge->position, n = gauge->direction;
    switch (gauge->kind) {
    case SCENE_GAUGE_HEIGHT:
    case SCENE_GAUGE_FRONT: made = make_level_gauge(scene, gauge); break;
    case SCENE_GAUGE_PRESSURE:
        made.min = (vec4){p.x, p.y, p.z, gauge_ball_radius(world, gauge)};
        break;
    case SCENE_GAUGE_FLOW:
        made.min = (vec4){p.x, p.y, p.z, gauge->radius};
        made.max = (vec4){n.x, n.y, n.z, 0};
        break;
    case SCENE_GAUGE_FORCE:
        made.force_slot = scene_force_gauge_solid_index(scene, gauge->solid);
        break;
    }
    made.kind = find_shader_gauge_kind(scene, gauge->kind);
    return made;
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result upload_gauges(sim_world *world)
{
    const scene_data *scene = world->scene;
    uint32_t count = scene->gauge_count;
    struct sim_gauge *gauges = base_alloc(count, sizeof *gauges);
    if (!gauges) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for gauges");
    for (uint32_t i = 0; i < count; i++)
        gauges[i] = make_gauge(world, &scene->gauges[i]);
    weir_result result =
        gpu_buffer_upload(world->device, world->buffers.gauges, 0, gauges, count * sizeof *gauges);
    base_free(gauges);
    return result;
}

weir_result sim_gauges_create(sim_world *world)
{
    world->readings = base_alloc(sim_reading_bytes(world), 1);
    world->errors = base_alloc(sim_residual_bytes(world), 1);
    if (!world->readings || !world->errors)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for gauges");
    return world->scene->gauge_count ? upload_gauges(world) : WEIR_OK;
}

void sim_gauges_destroy(sim_world *world)
{
    base_free(world->readings);
    base_free(world->errors);
    BASE_ARRAY_FREE(&world->gauge_history);
}

/* ---- read-back ------------------------------------------------------------------------------ */

weir_result sim_record_readings(sim_world *world, sim_frame *frame)
{
    if (!world->scene->gauge_count) return WEIR_OK;
    gpu_copy copy = {.from = world->buffers.gauge_readings,
                     .to = frame->readings,
                     .size = sim_reading_bytes(world)};
    return gpu_record_copy(world->device, &copy);
}

weir_result sim_record_residuals(sim_world *world, sim_frame *frame, uint32_t substep)
{
    const uint64_t size = SIM_DENSITY_ERRORS_WORDS * 4u;
    if (!world->scene->solver.residuals) return WEIR_OK;
    gpu_copy copy = {.from = world->buffers.density_errors,
                     .to = frame->errors,
                     .to_offset = substep * size,
                     .size = size};
    return gpu_record_copy(world->device, &copy);
}

void sim_store_readings(sim_world *world, sim_frame *frame)
{
    memcpy(world->readings, gpu_buffer_map(frame->readings), (size_t)sim_reading_bytes(world));
    memcpy(world->errors, gpu_buffer_map(frame->errors), (size_t)sim_residual_bytes(world));
}
