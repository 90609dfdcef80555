/* Gauges and residuals: what instruments a scene has, their buffers and rows, and their readings.
 * They are read back with the frame's statistics: nothing waits for them. */
#include "sim_internal.h"

/* ---- what is measured ----------------------------------------------------------------------- */

uint32_t sim_measured_slots(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        if (scene->gauges[i].kind == SCENE_GAUGE_PRESSURE ||
            scene->gauges[i].kind == SCENE_GAUGE_FORCE)
            return 1u + scene_force_slots(scene);
    return 0;
}

static float part(vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The axis that gravity is nearest to; y without gravity. */
static uint32_t upright_axis(vec3 gravity)
{
    float x = fabsf(gravity.x), y = fabsf(gravity.y), z = fabsf(gravity.z);
    return x > y && x >= z ? 0 : z > y ? 2 : 1;
}

/* Particles that fill one layer of a slab of one spacing, as far as the box lies in the domain: of
 * a height all across the column, of a front those that lie beside each other on the floor. */
static double layer_particles(const scene_data *scene, const scene_gauge *gauge)
{
    double d = (double)scene->spacing, count = 1.0;
    uint32_t flat = gauge->kind == SCENE_GAUGE_FRONT ? upright_axis(scene->gravity) : 3;
    vec3 min = vec3_max(gauge->min, scene->domain.min),
         max = vec3_min(gauge->max, scene->domain.max);
    for (uint32_t axis = 0; axis < 3; axis++)
        if (axis != gauge->axis / 2 && axis != flat && axis < scene->solver.dimensions)
            count *= fmax((double)(part(max, axis) - part(min, axis)) / d, 1.0);
    return count;
}

/* An odd number of bins in a spacing, so that slabs of one spacing have a bin in their middle. */
#define HALF_WINDOW 4u

static struct sim_gauge level_gauge(const scene_data *scene, const scene_gauge *gauge)
{
    double d = (double)scene->spacing;
    double length = (double)(part(gauge->max, gauge->axis / 2) - part(gauge->min, gauge->axis / 2));
    uint32_t half = HALF_WINDOW;
    while (half > 0 && length * (2 * half + 1) > d * SIM_GAUGE_BINS)
        half--;
    double bin = fmax(d / (2 * half + 1), length / SIM_GAUGE_BINS);
    return (struct sim_gauge){
        .min = {gauge->min.x, gauge->min.y, gauge->min.z, 0},
        .max = {gauge->max.x, gauge->max.y, gauge->max.z, 0},
        .axis = gauge->axis,
        .bins = (uint32_t)fmin(ceil(length / bin), SIM_GAUGE_BINS),
        .bin_m = (float)bin,
        .half_layer = (uint32_t)fmax(ceil(0.5 * layer_particles(scene, gauge) - 1e-3), 1.0),
        .half_window = half,
    };
}

static struct sim_gauge make_gauge(const scene_data *scene, const scene_gauge *gauge)
{
    struct sim_gauge made = {0};
    float support = scene->spacing * scene->solver.support;
    vec3 p = gauge->position, n = gauge->direction;
    switch (gauge->kind) {
    case SCENE_GAUGE_HEIGHT:
    case SCENE_GAUGE_FRONT: made = level_gauge(scene, gauge); break;
    case SCENE_GAUGE_PRESSURE:
        made.min = (vec4){p.x, p.y, p.z, gauge->radius > 0 ? gauge->radius : support};
        break;
    case SCENE_GAUGE_FLOW:
        made.min = (vec4){p.x, p.y, p.z, gauge->radius};
        made.max = (vec4){n.x, n.y, n.z, 0};
        break;
    case SCENE_GAUGE_FORCE: made.slot = scene_force_slot(scene, gauge->solid); break;
    }
    made.kind = (uint32_t)gauge->kind;
    return made;
}

/* ---- buffers -------------------------------------------------------------------------------- */

static uint64_t reading_count(const sim_world *world)
{
    return (uint64_t)world->scene->gauge_count * world->scene->solver.substeps;
}

static weir_result create_readback(sim_world *world, sim_frame *frame)
{
    weir_result result;
    gpu_buffer_def readings = {.name = "frame_readings",
                               .stride = sizeof(vec4),
                               .count = reading_count(world),
                               .memory = GPU_MEMORY_HOST};
    gpu_buffer_def errors = {.name = "frame_errors",
                             .stride = 4,
                             .count = sim_residual_words(world),
                             .memory = GPU_MEMORY_HOST};
    WEIR_TRY(gpu_buffer_create(world->device, &readings, &frame->readings));
    WEIR_TRY(gpu_buffer_create(world->device, &errors, &frame->errors));
fail:
    return result;
}

uint64_t sim_residual_words(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    return solver->residuals ? 2ull * SIM_MAX_ITERATIONS * solver->substeps : 0;
}

weir_result sim_gauge_buffers_create(sim_world *world)
{
    weir_result result;
    const scene_data *scene = world->scene;
    sim_buffers *b = &world->buffers;
    uint32_t count = scene->gauge_count;
    struct sim_gauge *gauges = base_alloc(count, sizeof *gauges);
    world->readings = base_alloc(reading_count(world), sizeof *world->readings);
    world->errors = base_alloc(sim_residual_words(world), sizeof *world->errors);
    if (!gauges || !world->readings || !world->errors) {
        result = base_fail(world->log, WEIR_MEMORY, "no memory for gauges");
        goto fail;
    }
    for (uint32_t i = 0; i < count; i++)
        gauges[i] = make_gauge(scene, &scene->gauges[i]);
    gpu_buffer_def of_gauges = {.name = "gauges", .stride = sizeof *gauges, .count = count};
    gpu_buffer_def of_bins = {
        .name = "gauge_bins", .stride = 4, .count = (uint64_t)count * SIM_GAUGE_BINS};
    gpu_buffer_def of_readings = {
        .name = "readings", .stride = sizeof(vec4), .count = reading_count(world)};
    WEIR_TRY(gpu_buffer_create(world->device, &of_gauges, &b->gauges));
    WEIR_TRY(gpu_buffer_create(world->device, &of_bins, &b->bins));
    WEIR_TRY(gpu_buffer_create(world->device, &of_readings, &b->readings));
    if (count)
        WEIR_TRY(gpu_buffer_upload(world->device, b->gauges, 0, gauges, count * sizeof *gauges));
    for (uint32_t i = 0; i < SIM_FRAMES; i++)
        WEIR_TRY(create_readback(world, &world->frames[i]));
fail:
    base_free(gauges);
    return result;
}

void sim_gauge_buffers_destroy(sim_world *world)
{
    gpu_buffer_destroy(world->device, &world->buffers.gauges);
    gpu_buffer_destroy(world->device, &world->buffers.bins);
    gpu_buffer_destroy(world->device, &world->buffers.readings);
    for (uint32_t i = 0; i < SIM_FRAMES; i++) {
        gpu_buffer_destroy(world->device, &world->frames[i].readings);
        gpu_buffer_destroy(world->device, &world->frames[i].errors);
    }
    base_free(world->readings);
    base_free(world->errors);
}

/* ---- readings ------------------------------------------------------------------------------- */

weir_result sim_record_readings(sim_world *world, sim_frame *frame)
{
    if (!world->scene->gauge_count) return WEIR_OK;
    gpu_copy copy = {.from = world->buffers.readings,
                     .to = frame->readings,
                     .size = reading_count(world) * sizeof(vec4)};
    return gpu_record_copy(world->device, &copy);
}

weir_result sim_record_residuals(sim_world *world, sim_frame *frame, uint32_t substep)
{
    const uint64_t size = 2u * SIM_MAX_ITERATIONS * 4u;
    if (!world->scene->solver.residuals) return WEIR_OK;
    gpu_copy copy = {.from = world->buffers.errors,
                     .to = frame->errors,
                     .to_offset = substep * size,
                     .size = size};
    return gpu_record_copy(world->device, &copy);
}

void sim_keep_readings(sim_world *world, sim_frame *frame)
{
    size_t words = (size_t)sim_residual_words(world);
    if (world->scene->gauge_count)
        memcpy(world->readings, gpu_buffer_map(frame->readings),
               reading_count(world) * sizeof *world->readings);
    if (words) memcpy(world->errors, gpu_buffer_map(frame->errors), words * sizeof *world->errors);
}

static const char *const units[] = {"m", "m", "Pa", "N", "m3/s"};

/* Levels as they stand at the end; what fluctuates is averaged over the substeps. */
static void fill_values(const sim_world *world, uint32_t index, uint32_t substep, weir_gauge *gauge)
{
    uint32_t count = world->scene->gauge_count, last = world->last.status.substep;
    bool mean = substep == WEIR_WHOLE_FRAME && gauge->kind >= WEIR_GAUGE_PRESSURE;
    uint32_t first = mean ? 0 : substep == WEIR_WHOLE_FRAME ? last - 1 : substep;
    uint32_t end = mean ? last : first + 1;
    double sum[3] = {0};
    for (uint32_t s = first; s < end; s++) {
        const vec4 *reading = &world->readings[(size_t)s * count + index];
        const float values[3] = {reading->x, reading->y, reading->z};
        for (int k = 0; k < 3; k++)
            sum[k] += (double)values[k];
    }
    for (int k = 0; k < 3; k++)
        gauge->value[k] = sum[k] / (end - first);
}

static weir_result check_substep(sim_world *world, uint32_t substep)
{
    weir_result result = sim_settle(world);
    if (result != WEIR_OK) return result;
    uint32_t taken = world->frames_done ? world->last.status.substep : 0;
    if (taken == 0 || (substep != WEIR_WHOLE_FRAME && substep >= taken))
        return base_fail(world->log, WEIR_ARGUMENT,
                         "`substep` is %u, but the last frame has taken %u substeps", substep,
                         taken);
    return WEIR_OK;
}

weir_result sim_gauges(sim_world *world, uint32_t substep, weir_gauge *gauges, uint32_t *count)
{
    const scene_data *scene = world->scene;
    uint32_t room = gauges ? *count : 0;
    *count = scene->gauge_count;
    if (room == 0) return WEIR_OK;
    weir_result result = check_substep(world, substep);
    for (uint32_t i = 0; result == WEIR_OK && i < room && i < scene->gauge_count; i++) {
        gauges[i] = (weir_gauge){
            .name = scene->gauges[i].name,
            .unit = units[scene->gauges[i].kind],
            .kind = (weir_gauge_kind)scene->gauges[i].kind,
            .components = scene->gauges[i].kind == SCENE_GAUGE_FORCE ? 3 : 1,
        };
        fill_values(world, i, substep, &gauges[i]);
    }
    return result;
}

weir_result sim_residuals(sim_world *world, uint32_t substep, weir_residual *residuals,
                          uint32_t *count)
{
    uint32_t room = residuals ? *count : 0, iterations = world->scene->solver.iterations;
    if (!world->scene->solver.residuals)
        return base_fail(world->log, WEIR_ARGUMENT,
                         "the scene keeps no residuals: set solver.residuals to true");
    *count = iterations;
    if (room == 0) return WEIR_OK;
    weir_result result = check_substep(world, substep);
    const uint32_t *errors = world->errors + (size_t)substep * 2 * SIM_MAX_ITERATIONS;
    /* The sum was scaled so that a mean of 1 is SIM_ERROR_UNITS: shaders/sim/lambda.comp. */
    double live = fmax(world->last.status.count, 1.0);
    double unit = floor(SIM_ERROR_UNITS / live) * live;
    for (uint32_t i = 0; result == WEIR_OK && i < room && i < iterations; i++) {
        float largest;
        memcpy(&largest, &errors[SIM_ERRORS_MAX + i], 4);
        residuals[i] = (weir_residual){.mean = errors[i] / unit, .max = (double)largest};
    }
    return result;
}
