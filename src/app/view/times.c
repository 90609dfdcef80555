/* Times and figures of the last frames. */
#include "picture.h"

#include <stdlib.h>

void view_series_add(view_series *series, float value)
{
    series->values[series->next] = value;
    series->next = (series->next + 1) % VIEW_SAMPLES;
    if (series->count < VIEW_SAMPLES) series->count++;
}

uint32_t view_series_read(const view_series *series, float out[VIEW_SAMPLES])
{
    uint32_t first = (series->next + VIEW_SAMPLES - series->count) % VIEW_SAMPLES;
    for (uint32_t i = 0; i < series->count; i++)
        out[i] = series->values[(first + i) % VIEW_SAMPLES];
    return series->count;
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

view_spread view_series_spread(const view_series *series)
{
    float sorted[VIEW_SAMPLES];
    uint32_t n = view_series_read(series, sorted);
    if (n == 0) return (view_spread){0};
    float now = sorted[n - 1];
    qsort(sorted, n, sizeof *sorted, compare);
    return (view_spread){now, sorted[(n - 1) / 2], sorted[(n - 1) * 95 / 100], sorted[n - 1]};
}

static view_pass *find_pass(view_times *times, const char *name)
{
    for (uint32_t i = 0; i < times->pass_count; i++)
        if (strcmp(times->passes[i].name, name) == 0) return &times->passes[i];
    if (times->pass_count == VIEW_PASSES) return NULL;
    view_pass *pass = &times->passes[times->pass_count++];
    *pass = (view_pass){.name = name};
    return pass;
}

/* One sample per pass: its calls since the sample before together. */
static void add_passes(viewer *v, const weir_row_time *rows, uint32_t count)
{
    float sums[VIEW_PASSES] = {0};
    bool there[VIEW_PASSES] = {false};
    for (uint32_t i = 0; i < count && i < VIEW_PASSES; i++) {
        view_pass *pass = find_pass(&v->times, rows[i].name);
        if (!pass) continue;
        sums[pass - v->times.passes] += (float)rows[i].total_ms;
        there[pass - v->times.passes] = true;
    }
    for (uint32_t i = 0; i < v->times.pass_count; i++)
        if (there[i]) view_series_add(&v->times.passes[i].ms, sums[i]);
}

void view_times_drawn(viewer *v)
{
    weir_row_time rows[VIEW_PASSES];
    uint32_t count = VIEW_PASSES;
    float sum = 0;
    if (!v->work.info.timestamps || view_picture_times(v, rows, &count) != WEIR_OK) return;
    add_passes(v, rows, count);
    for (uint32_t i = 0; i < count && i < VIEW_PASSES; i++)
        sum += (float)rows[i].total_ms;
    view_series_add(&v->times.drawing, sum);
}

void view_times_take(viewer *v)
{
    if (v->stats.frame == 0) return;
    view_series_add(&v->times.gpu, (float)v->stats.gpu_ms);
    view_series_add(&v->times.error, (float)(100 * v->stats.density_error_mean));
    view_series_add(&v->times.energy, (float)(v->stats.kinetic_energy + v->stats.potential_energy));
    weir_row_time rows[VIEW_PASSES];
    uint32_t count = VIEW_PASSES;
    if (!v->work.info.timestamps || weir_sim_row_times(v->sim, rows, &count) != WEIR_OK) return;
    add_passes(v, rows, count);
    weir_sim_row_times_reset(v->sim);
}
