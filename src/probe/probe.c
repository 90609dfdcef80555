/* Probes: buffers, passes and pending queries. */
#include "probe.h"

#include "probe/shaders.h"
#include "shared/grid.h"

/* Ids of the specialization constants. */
#define IS(id, name) PROBE_CONSTANT_##name = (id),
enum { PROBE_CONSTANTS(IS, IS) };

#define PASS_COUNT (GRID_POINT_PASSES + 2u)

/* A set of sample points, and its results once the ticket is done. */
typedef struct requests {
    gpu_buffer *params, *sample_points, *samples; /* host memory */
    uint64_t ticket;
    uint64_t sequence_number; /* 0: unused */
    uint32_t count;
} requests;

struct probe {
    gpu_device *device;
    probe_def def;
    grid *grid; /* built for `radius` */
    float radius;
    bool dense; /* as compiled into the pipelines */
    gpu_pipeline *pipelines[PROBE_SHADERS];
    gpu_buffer *params, *empty_buffer;
    gpu_buffer *sorted_points, *sorted_attributes;
    gpu_buffer *sample_points, *samples;
    uint32_t point_capacity, sample_capacity;
    requests requests[PROBE_MAX_IN_FLIGHT];
    uint64_t sequence_number; /* sets submitted so far */
};

/* ---- buffers -------------------------------------------------------------------------------- */

static weir_result create_buffer(probe *p, const char *name, uint32_t stride, uint64_t count,
                                 gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    if (stride == sizeof(vec4)) def.texels = GPU_TEXELS_VEC4;
    gpu_buffer_destroy(p->device, buffer);
    return gpu_buffer_create(p->device, &def, buffer);
}

static weir_result create_host_buffer(probe *p, const char *name, uint32_t stride, uint64_t count,
                                      gpu_buffer **buffer)
{
    const gpu_buffer_def def = {
        .name = name, .stride = stride, .count = count, .memory = GPU_MEMORY_HOST};
    gpu_buffer_destroy(p->device, buffer);
    return gpu_buffer_create(p->device, &def, buffer);
}

static weir_result create_pipelines(probe *p)
{
    if (p->pipelines[0] && p->dense == grid_is_dense(p->grid)) return WEIR_OK;
    const uint32_t constants[] = {
        [PROBE_CONSTANT_PERIODIC] = p->def.periodic[0] || p->def.periodic[1] || p->def.periodic[2],
        [PROBE_CONSTANT_DENSE] = p->dense = grid_is_dense(p->grid),
        [PROBE_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(p->device),
    };
    const gpu_pipeline_def def = {
        .shader = probe_shaders, .constants = constants, .constant_count = BASE_COUNT(constants)};
    return gpu_pipelines_create(p->device, &def, PROBE_SHADERS, p->pipelines);
}

static weir_result create_grid(probe *p, uint32_t points, float radius)
{
    const probe_def *def = &p->def;
    const grid_def grid = {
        .min = def->min,
        .max = def->max,
        .radius = radius,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .by_index = true,
        .capacity.particles = points,
    };
    grid_destroy(p->device, &p->grid);
    WEIR_RETURN_IF_ERROR(grid_create(p->device, &grid, &p->grid));
    p->radius = radius;
    return create_pipelines(p);
}

static weir_result reserve_points(probe *p, const particle_view *points)
{
    uint32_t n = points->count + points->count / 8u + 1u;
    if (points->count <= p->point_capacity && points->radius_m == p->radius) return WEIR_OK;
    p->point_capacity = 0;
    WEIR_RETURN_IF_ERROR(create_grid(p, n, points->radius_m));
    WEIR_RETURN_IF_ERROR(create_buffer(p, "probe_nothing", sizeof(vec4), n, &p->empty_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(p, "probe_points", sizeof(vec4), n, &p->sorted_points));
    WEIR_RETURN_IF_ERROR(
        create_buffer(p, "probe_attributes", sizeof(vec4), n, &p->sorted_attributes));
    p->point_capacity = n;
    return WEIR_OK;
}

static weir_result reserve_samples(probe *p, uint32_t count)
{
    if (count <= p->sample_capacity) return WEIR_OK;
    uint32_t n = count + count / 8u;
    p->sample_capacity = 0;
    WEIR_RETURN_IF_ERROR(
        create_buffer(p, "probe_sample_points", sizeof(vec4), n, &p->sample_points));
    WEIR_RETURN_IF_ERROR(
        create_buffer(p, "probe_samples", sizeof(struct probe_sample), n, &p->samples));
    for (uint32_t i = 0; i < PROBE_MAX_IN_FLIGHT; i++) {
        requests *a = &p->requests[i];
        a->sequence_number = 0;
        WEIR_RETURN_IF_ERROR(
            create_host_buffer(p, "probe_request_points", sizeof(vec4), n, &a->sample_points));
        WEIR_RETURN_IF_ERROR(create_host_buffer(p, "probe_request_samples",
                                                sizeof(struct probe_sample), n, &a->samples));
    }
    p->sample_capacity = n;
    return WEIR_OK;
}

weir_result probe_create(gpu_device *device, const probe_def *def, probe **out)
{
    weir_result result;
    *out = NULL;
    probe *p = base_alloc(1, sizeof *p);
    if (!p)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for a probe");
    p->device = device;
    p->def = *def;
    vec3 size = vec3_sub(def->max, def->min);
    WEIR_GOTO_IF_ERROR(
        create_grid(p, 1, fmaxf(size.x, fmaxf(size.y, size.z)))); /* so that its pipelines exist */
    WEIR_GOTO_IF_ERROR(
        create_buffer(p, "probe_params", sizeof(struct probe_params), 1, &p->params));
    for (uint32_t i = 0; i < PROBE_MAX_IN_FLIGHT; i++)
        WEIR_GOTO_IF_ERROR(create_host_buffer(
            p, "probe_request_params", sizeof(struct probe_params), 1, &p->requests[i].params));
    *out = p;
    return WEIR_OK;
fail:
    probe_destroy(&p);
    return result;
}

void probe_destroy(probe **pointer)
{
    probe *p = *pointer;
    if (!p) return;
    gpu_buffer **buffers[] = {&p->params,        &p->empty_buffer,
                              &p->sorted_points, &p->sorted_attributes,
                              &p->sample_points, &p->samples};
    for (size_t i = 0; i < BASE_COUNT(buffers); i++)
        gpu_buffer_destroy(p->device, buffers[i]);
    for (uint32_t i = 0; i < PROBE_MAX_IN_FLIGHT; i++) {
        gpu_buffer_destroy(p->device, &p->requests[i].params);
        gpu_buffer_destroy(p->device, &p->requests[i].sample_points);
        gpu_buffer_destroy(p->device, &p->requests[i].samples);
    }
    gpu_pipelines_destroy(p->device, p->pipelines, PROBE_SHADERS);
    grid_destroy(p->device, &p->grid);
    base_free(p);
    *pointer = NULL;
}

/* ---- passes --------------------------------------------------------------------------------- */

/* Returns a pass; attributes that the particles lack read as 0. */
static gpu_pass make_pass(const probe *p, int shader, gpu_dispatch_size dispatch_size,
                          const particle_view *points)
{
    gpu_buffer *const buffers[PROBE_BINDINGS] = {
        [PROBE_BIND_grid] = grid_params_buffer(p->grid),
        [PROBE_BIND_state] = grid_state_buffer(p->grid),
        [PROBE_BIND_params] = p->params,
        [PROBE_BIND_points] = points->position,
        [PROBE_BIND_velocities] = points->velocity ? points->velocity : p->empty_buffer,
        [PROBE_BIND_densities] = points->density ? points->density : p->empty_buffer,
        [PROBE_BIND_sources] = grid_sort_sources(p->grid),
        [PROBE_BIND_sorted_points] = p->sorted_points,
        [PROBE_BIND_sorted_attributes] = p->sorted_attributes,
        [PROBE_BIND_segments] = grid_segment_buffer(p->grid),
        [PROBE_BIND_bin_starts] = grid_bin_starts(p->grid),
        [PROBE_BIND_sample_points] = p->sample_points,
        [PROBE_BIND_samples] = p->samples,
    };
    gpu_pass pass = gpu_pass_make(p->pipelines[shader], dispatch_size);
    gpu_pass_bind_all(&pass, buffers, PROBE_BINDINGS);
    return pass;
}

static uint32_t build_passes(const probe *p, const particle_view *points, uint32_t sample_points,
                             gpu_pass passes[PASS_COUNT])
{
    uint32_t n = 0;
    gpu_dispatch_size requests = {.name = "questions", .count = sample_points};
    n += grid_point_passes(p->grid, points, passes);
    passes[n++] =
        make_pass(p, PROBE_REORDER_SAMPLED_PARTICLES, grid_live_dispatch_size(p->grid), points);
    passes[n++] = make_pass(p, PROBE_SAMPLE, requests, points);
    WEIR_ASSERT(n <= PASS_COUNT);
    return n;
}

/* Returns the inset of a search radius along an axis: across the column only, and only at sides
 * where the fluid ends. */
static float inset(const probe *p, uint32_t axis, float up, float radius)
{
    bool ends = !p->def.periodic[axis] && !(p->def.planar && axis == 2);
    return ends ? PROBE_INSET * radius * (1.0f - fabsf(up)) : 0.0f;
}

/* Fills the parameters. A particle has the volume d^3, or the area d^2 in a plane. */
static struct probe_params make_params(const probe *p, const particle_view *points, uint32_t count)
{
    const probe_def *def = &p->def;
    double d = (double)points->spacing_m, h = (double)points->radius_m, ratio = d / h;
    double space = 315.0 / (64.0 * 3.14159265358979) * ratio * ratio * ratio;
    double plane = 4.0 / 3.14159265358979 * ratio * ratio;
    return (struct probe_params){
        .domain_min = {def->min.x, def->min.y, def->min.z, 0.0f},
        .domain_max = {def->max.x, def->max.y, def->max.z, 0.0f},
        .up = {def->up.x, def->up.y, def->up.z, 0.0f},
        .inset = {inset(p, 0, def->up.x, points->radius_m),
                  inset(p, 1, def->up.y, points->radius_m),
                  inset(p, 2, def->up.z, points->radius_m), 0.0f},
        .inverse_h2 = (float)(1.0 / (h * h)),
        .scale = (float)(def->planar ? plane : space),
        .step = 0.5f * points->spacing_m,
        .plane = def->plane,
        .planar = def->planar,
        .point_count = points->count,
        .sample_count = count,
    };
}

/* ---- queries and results -------------------------------------------------------------------- */

static void fill_request(const probe *p, requests *a, const particle_view *points,
                         const vec3 *places)
{
    vec4 *sample_points = gpu_buffer_map(a->sample_points);
    *(struct probe_params *)gpu_buffer_map(a->params) = make_params(p, points, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        sample_points[i] = (vec4){places[i].x, places[i].y, places[i].z, 0.0f};
}

static weir_result submit_request(probe *p, requests *a, const particle_view *points)
{
    gpu_device *device = p->device;
    gpu_pass passes[PASS_COUNT];
    uint32_t count = build_passes(p, points, a->count, passes);
    const gpu_copy copies[] = {
        {.from = a->params, .to = p->params, .size = sizeof(struct probe_params)},
        {.from = a->sample_points, .to = p->sample_points, .size = a->count * sizeof(vec4)},
        {.from = p->samples, .to = a->samples, .size = a->count * sizeof(struct probe_sample)}};
    WEIR_RETURN_IF_ERROR(gpu_passes_check(device, passes, count));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_copy(device, &copies[0]));
    WEIR_RETURN_IF_ERROR(gpu_record_copy(device, &copies[1]));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, passes, count, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_copy(device, &copies[2]));
    return gpu_record_submit(device, &a->ticket);
}

weir_result probe_submit(probe *p, const particle_view *points, const vec3 *places, uint32_t count)
{
    requests *a = &p->requests[p->sequence_number % PROBE_MAX_IN_FLIGHT];
    if (a->sequence_number) WEIR_RETURN_IF_ERROR(gpu_ticket_wait(p->device, a->ticket));
    a->sequence_number = 0;
    WEIR_RETURN_IF_ERROR(reserve_points(p, points));
    WEIR_RETURN_IF_ERROR(reserve_samples(p, count));
    a->count = count;
    fill_request(p, a, points, places);
    WEIR_RETURN_IF_ERROR(submit_request(p, a, points));
    a->sequence_number = ++p->sequence_number;
    return WEIR_OK;
}

static const requests *find_request(const probe *p, uint64_t sequence_number)
{
    const requests *a = &p->requests[(sequence_number - 1) % PROBE_MAX_IN_FLIGHT];
    return a->sequence_number == sequence_number ? a : NULL;
}

weir_result probe_read(probe *p, bool wait, const struct probe_sample **samples, uint32_t *count,
                       uint64_t *sequence_number)
{
    const requests *a = NULL;
    *sequence_number = *count = 0;
    for (uint64_t k = p->sequence_number; k > 0 && k + PROBE_MAX_IN_FLIGHT > p->sequence_number;
         k--) {
        a = find_request(p, k);
        if (a && (wait || gpu_ticket_done(p->device, a->ticket))) break;
        a = NULL;
    }
    if (!a) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_ticket_wait(p->device, a->ticket));
    *samples = gpu_buffer_map(a->samples);
    *count = a->count;
    *sequence_number = a->sequence_number;
    return WEIR_OK;
}
