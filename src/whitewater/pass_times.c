/* GPU times of the whitewater's passes, and descriptions of the passes. */
#include "whitewater_internal.h"

static uint32_t total_emitted(const whitewater *f)
{
    uint32_t sum = 0;
    for (uint32_t cause = 0; cause < WHITEWATER_CAUSES; cause++)
        sum += f->counts.emitted[cause];
    return sum;
}

static weir_pass_time pass_time(const whitewater *f, const whitewater_pass_list *table,
                                uint32_t pass, const struct grid_state *state)
{
    const gpu_dispatch_size *dispatch_size = &table->passes[pass].dispatch_size;
    gpu_pass_time measured = gpu_timers_pass_time(table->timers, pass);
    uint64_t elements = dispatch_size->arguments == f->buffers.counters
                            ? total_emitted(f)
                            : grid_dispatch_elements(dispatch_size, state);
    return gpu_pass_report(&table->passes[pass], &measured, (double)elements, 0.0);
}

weir_result whitewater_pass_times(whitewater *f, weir_pass_time *times, uint32_t *count)
{
    uint32_t room = *count, at = 0;
    struct grid_state state;
    *count = 0;
    for (int t = 0; t < WHITEWATER_PASS_LISTS; t++)
        *count += f->pass_lists[t].count ? f->pass_lists[t].count + 1 : 0;
    if (room == 0 || *count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(f->device, grid_state_buffer(f->grid), 0, &state, sizeof state));
    for (const whitewater_pass_list *table = f->pass_lists;
         table < &f->pass_lists[WHITEWATER_PASS_LISTS]; table++) {
        if (table->count == 0) continue;
        if (at < room) times[at++] = gpu_pass_list_report(table->name, table->timers);
        for (uint32_t i = 0; i < table->count && at < room; i++)
            times[at++] = pass_time(f, table, i, &state);
    }
    return WEIR_OK;
}

void whitewater_pass_times_reset(whitewater *f)
{
    for (int t = 0; t < WHITEWATER_PASS_LISTS; t++)
        gpu_timers_reset(f->pass_lists[t].timers);
}

weir_result whitewater_explain(whitewater *f, const particle_view *points, gpu_explainer *e)
{
    WEIR_RETURN_IF_ERROR(whitewater_reserve_points(f, points->count));
    whitewater_build_passes(f, points);
    for (int t = 0; t < WHITEWATER_PASS_LISTS; t++) {
        char title[64];
        snprintf(title, sizeof title, "%s of a frame", f->pass_lists[t].name);
        gpu_explain_passes(e, title, f->pass_lists[t].passes, f->pass_lists[t].count);
    }
    return WEIR_OK;
}
