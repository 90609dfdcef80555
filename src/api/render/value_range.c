/* Finds the range of values that the colours of particles span: percentiles, so that a few
 * particles that fly away do not make all others one colour. */
#include "renderer_internal.h"

#define BIN_COUNT 4096u

typedef struct value_list {
    const float *values;
    uint32_t count;
} value_list;

static weir_result download(const weir_points *points, gpu_buffer *buffer, void *to,
                            uint32_t stride)
{
    return gpu_buffer_download(points->device->gpu, buffer, 0, to,
                               (uint64_t)stride * points->slot.points.count);
}

/* Reads speeds or multipliers. */
static weir_result read_vectors(const weir_points *points, bool speed, float *values)
{
    const particle_view *view = &points->slot.points;
    float(*vectors)[4] = base_alloc(view->count, sizeof *vectors);
    weir_result result = WEIR_OK;
    if (!vectors)
        WEIR_GOTO_IF_ERROR(base_fail(api_log(points->device), WEIR_ERROR_MEMORY,
                                     "not enough memory for the range of the colours"));
    WEIR_GOTO_IF_ERROR(download(points, speed ? view->velocity : view->lambda, vectors, 16));
    for (uint32_t i = 0; i < view->count; i++) {
        const float *v = vectors[i];
        values[i] = speed ? vec3_length(vec3_make(v[0], v[1], v[2])) : v[3];
    }
fail:
    base_free(vectors);
    return result;
}

static weir_result read_density_errors(const weir_renderer *r, const weir_points *points,
                                       float *values)
{
    const particle_view *view = &points->slot.points;
    const scene_data *scene = r->scene ? r->scene->data : NULL;
    uint32_t *fluids = view->fluid ? base_alloc(view->count, sizeof *fluids) : NULL;
    weir_result result = WEIR_OK;
    if (view->fluid && !fluids)
        WEIR_GOTO_IF_ERROR(base_fail(api_log(points->device), WEIR_ERROR_MEMORY,
                                     "not enough memory for the range of the colours"));
    WEIR_GOTO_IF_ERROR(download(points, view->density, values, 4));
    if (fluids) WEIR_GOTO_IF_ERROR(download(points, view->fluid, fluids, 4));
    for (uint32_t i = 0; i < view->count; i++) {
        const uint32_t fluid = fluids && scene && fluids[i] < scene->fluid_count ? fluids[i] : 0;
        const float rest = scene ? scene->fluids[fluid].density : 1000.0f;
        values[i] = values[i] / rest - 1.0f;
    }
fail:
    base_free(fluids);
    return result;
}

/* Finds the bin that contains the value of a rank and narrows the range to it. `rank`: among the
 * values from range[0] on. */
static void narrow_range(const value_list *list, uint32_t *bins, double *rank, float range[2])
{
    const float width = (range[1] - range[0]) / (float)BIN_COUNT;
    uint32_t k = 0;
    memset(bins, 0, BIN_COUNT * sizeof *bins);
    for (uint32_t i = 0; i < list->count; i++) {
        const float at = (list->values[i] - range[0]) / width;
        if (at >= 0.0f && at <= (float)BIN_COUNT) bins[(uint32_t)fminf(at, (float)BIN_COUNT - 1)]++;
    }
    while (k + 1 < BIN_COUNT && bins[k] < *rank)
        *rank -= bins[k++];
    range[0] += (float)k * width;
    range[1] = range[0] + width;
}

/* Returns a percentile. The range is narrowed to a bin three times, so that a few extreme values do
 * not make the bins of all others too wide. */
static float percentile(const value_list *list, uint32_t *bins, const float ends[2], float percent)
{
    double rank = 0.01 * (double)percent * list->count;
    float range[2] = {ends[0], ends[1]};
    for (int round = 0; round < 3 && range[1] > range[0]; round++)
        narrow_range(list, bins, &rank, range);
    return range[0];
}

weir_result api_percentiles(const weir_log *log, const float *values, uint32_t count,
                            const float percentiles[2], float range[2])
{
    float ends[2] = {INFINITY, -INFINITY};
    const value_list list = {.values = values, .count = count};
    uint32_t *bins = base_alloc(BIN_COUNT, sizeof *bins);
    range[0] = range[1] = 0.0f;
    if (!bins)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the range of the colours");
    for (uint32_t i = 0; i < count; i++) {
        ends[0] = fminf(ends[0], values[i]);
        ends[1] = fmaxf(ends[1], values[i]);
    }
    for (int k = 0; count && k < 2; k++)
        range[k] = ends[1] > ends[0] ? percentile(&list, bins, ends, percentiles[k]) : ends[0];
    base_free(bins);
    return WEIR_OK;
}

/* Returns whether the particles have the values of the colouring. */
static bool has_values(const weir_points *points, weir_colouring colouring)
{
    const particle_view *view = &points->slot.points;
    return view->count > 0 &&
           ((colouring == WEIR_COLOURING_SPEED && view->velocity) ||
            (colouring == WEIR_COLOURING_DENSITY && view->density) ||
            (colouring == WEIR_COLOURING_LAMBDA && view->has_lambda && view->lambda));
}

/* Returns whether colours show an attribute on a scale, and are not themselves an attribute. */
static bool shows_attribute(const weir_points *points, const weir_camera *view, uint32_t *component)
{
    uint32_t components;
    const particle_view *from = &points->slot.points;
    return view->colouring == WEIR_COLOURING_ATTRIBUTE && from->count > 0 &&
           base_attributes_find(&from->attributes, view->attribute, component, &components) &&
           components < 3;
}

/* Reads a component of the attributes. */
static weir_result read_attribute(const weir_points *points, uint32_t component, float *values)
{
    const particle_view *view = &points->slot.points;
    const uint32_t stride = 4u * particle_attribute_vectors(view);
    float *all = base_alloc(view->count, stride * sizeof *all);
    if (!all)
        return base_fail(api_log(points->device), WEIR_ERROR_MEMORY,
                         "not enough memory for the range of the colours");
    weir_result result = download(points, view->attribute_values, all, 4u * stride);
    for (size_t i = 0; i < view->count; i++)
        values[i] = all[i * stride + component];
    base_free(all);
    return result;
}

/* Reads the values that the colours show. `component`: of an attribute. */
static weir_result read_values(const weir_renderer *r, const weir_points *points,
                               const weir_camera *view, uint32_t component, float *values)
{
    switch (view->colouring) {
    case WEIR_COLOURING_ATTRIBUTE: return read_attribute(points, component, values);
    case WEIR_COLOURING_DENSITY: return read_density_errors(r, points, values);
    default: return read_vectors(points, view->colouring == WEIR_COLOURING_SPEED, values);
    }
}

/* Extends the range by those of earlier pictures of the same quantity. */
static void hold_range(weir_renderer *r, weir_colouring colouring, uint64_t steps, float range[2])
{
    if (r->range_known && r->range_of == colouring) {
        range[0] = fminf(range[0], r->held_range[0]);
        range[1] = fmaxf(range[1], r->held_range[1]);
    }
    memcpy(r->held_range, range, sizeof r->held_range);
    r->range_steps = steps;
    r->range_of = colouring;
    r->range_known = true;
}

/* Rounds a number above 0 to one of ten steps per decade, up or down. */
static float round_to_step(float x, bool up)
{
    static const float steps[] = {1.0f, 1.2f, 1.5f, 2.0f, 2.5f, 3.0f,
                                  4.0f, 5.0f, 6.0f, 8.0f, 10.0f};
    const float decade = (float)pow(10.0, floor(log10((double)x)));
    uint32_t k = 0;
    while (k + 1 < BASE_COUNT(steps) && steps[k] * decade < 0.9999f * x)
        k++;
    if (!up && k > 0 && steps[k] * decade > 1.0001f * x) k--;
    return steps[k] * decade;
}

/* Rounds the range outwards, so that it changes in a few steps from picture to picture instead of
 * in each of them. That of signed values becomes symmetric. */
static void round_range(bool is_signed, float range[2])
{
    const float largest = fmaxf(fabsf(range[0]), fabsf(range[1]));
    if (!(range[1] > range[0])) return;
    range[1] = round_to_step(is_signed ? largest : range[1], true);
    if (is_signed)
        range[0] = -range[1];
    else
        range[0] = range[0] < 0.25f * range[1] ? 0.0f : round_to_step(range[0], false);
}

weir_result api_choose_value_range(weir_renderer *r, const weir_points *points, weir_camera *view)
{
    weir_result result = WEIR_OK;
    float range[2];
    uint32_t component = 0;
    const bool attribute = shows_attribute(points, view, &component);
    if (view->value_range[0] != view->value_range[1] ||
        !(attribute || has_values(points, view->colouring)))
        return WEIR_OK;
    bool drawn_before = points->steps > 0 && points->steps == r->range_steps && r->range_known &&
                        r->range_of == view->colouring;
    if (view->hold_value_range && drawn_before && r->held_range[1] > r->held_range[0]) {
        memcpy(view->value_range, r->held_range, sizeof r->held_range);
        return WEIR_OK;
    }
    const uint32_t count = points->slot.points.count;
    float *values = base_alloc(count, sizeof *values);
    if (!values)
        return base_fail(api_log(r->device), WEIR_ERROR_MEMORY,
                         "not enough memory for the range of the colours");
    WEIR_GOTO_IF_ERROR(read_values(r, points, view, component, values));
    WEIR_GOTO_IF_ERROR(
        api_percentiles(api_log(r->device), values, count, view->value_percentiles, range));
    if (!attribute) round_range(view->colouring != WEIR_COLOURING_SPEED, range);
    if (view->hold_value_range) hold_range(r, view->colouring, points->steps, range);
    if (range[1] > range[0]) memcpy(view->value_range, range, sizeof range);
fail:
    base_free(values);
    return result;
}
