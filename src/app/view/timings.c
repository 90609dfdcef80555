/* Times and statistics of recent frames. */
#include "timings.h"

#include <stdlib.h>

/* Number of pictures between two readings of their times. */
#define PICTURES_PER_READING 16u

void view_series_add(view_series *series, float value)
{
    series->values[series->next] = value;
    series->next = (series->next + 1) % VIEW_HISTORY;
    if (series->count < VIEW_HISTORY) series->count++;
}

uint32_t view_series_read(const view_series *series, float out[VIEW_HISTORY])
{
    uint32_t first = (series->next + VIEW_HISTORY - series->count) % VIEW_HISTORY;
    for (uint32_t i = 0; i < series->count; i++)
        out[i] = series->values[(first + i) % VIEW_HISTORY];
    return series->count;
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

view_percentiles view_series_percentiles(const view_series *series)
{
    float sorted[VIEW_HISTORY];
    uint32_t n = view_series_read(series, sorted);
    if (n == 0) return (view_percentiles){0};
    float now = sorted[n - 1];
    qsort(sorted, n, sizeof *sorted, compare);
    return (view_percentiles){now, sorted[(n - 1) / 2], sorted[(n - 1) * 95 / 100]};
}

static view_pass *find_pass(view_timings *times, const weir_pass_time *measured)
{
    for (uint32_t i = 0; i < times->pass_count; i++)
        if (strcmp(times->passes[i].name, measured->name) == 0 &&
            strcmp(times->passes[i].stage, measured->stage) == 0)
            return &times->passes[i];
    if (times->pass_count == VIEW_PASSES) return NULL;
    view_pass *pass = &times->passes[times->pass_count++];
    *pass = (view_pass){.name = measured->name, .stage = measured->stage};
    return pass;
}

/* Adds one sample to each pass: the time of its calls since the last sample, times `scale`, which
 * is one over the number of frames since then. Totals only grow, unless they were reset. Returns
 * the sum over the passes. */
static float add_passes(view_timings *times, const weir_pass_time *measured_passes, uint32_t count,
                        double scale)
{
    double totals[VIEW_PASSES] = {0};
    bool there[VIEW_PASSES] = {false};
    float sum = 0;
    for (uint32_t i = 0; i < count && i < VIEW_PASSES; i++) {
        view_pass *pass =
            measured_passes[i].is_total ? NULL : find_pass(times, &measured_passes[i]);
        if (!pass) continue;
        totals[pass - times->passes] += measured_passes[i].total_ms;
        there[pass - times->passes] = true;
    }
    for (uint32_t i = 0; i < times->pass_count; i++) {
        view_pass *pass = &times->passes[i];
        if (!there[i]) continue;
        double now = scale * (totals[i] - (totals[i] >= pass->total_ms ? pass->total_ms : 0));
        pass->total_ms = totals[i];
        view_series_add(&pass->ms, (float)now);
        sum += (float)now;
    }
    return sum;
}

void view_timings_add_picture(view_timings *times, weir_renderer *renderer)
{
    weir_pass_time measured_passes[VIEW_PASSES];
    uint32_t count = VIEW_PASSES;
    if (++times->drawn < PICTURES_PER_READING) return;
    if (weir_renderer_get_pass_times(renderer, measured_passes, &count) == WEIR_OK)
        view_series_add(&times->drawing,
                        add_passes(times, measured_passes, count, 1.0 / times->drawn));
    times->drawn = 0;
}

void view_timings_add_frame(view_timings *times, weir_sim *sim, const weir_stats *stats, bool timed)
{
    weir_pass_time measured_passes[VIEW_PASSES];
    uint32_t count = VIEW_PASSES;
    if (stats->frame == 0) return;
    view_series_add(&times->gpu, (float)stats->gpu_ms);
    view_series_add(&times->error, (float)(100 * stats->density_error_mean));
    view_series_add(&times->energy, (float)(stats->kinetic_energy_j + stats->potential_energy_j));
    if (timed && weir_sim_get_pass_times(sim, measured_passes, &count) == WEIR_OK)
        add_passes(times, measured_passes, count, 1.0);
}
