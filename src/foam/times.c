/* GPU times of the whitewater's rows, and the rows in words. */
#include "foam_internal.h"

static uint32_t born(const foam *f)
{
    uint32_t sum = 0;
    for (uint32_t cause = 0; cause < FOAM_CAUSES; cause++)
        sum += f->counts.born[cause];
    return sum;
}

static weir_row_time row_time(const foam *f, uint32_t row, const struct grid_state *state)
{
    const gpu_domain *domain = &f->rows[row].domain;
    gpu_row_time measured = gpu_timers_row(f->timers, row);
    uint64_t elements =
        domain->arguments == f->buffers.census ? born(f) : grid_domain_elements(domain, state);
    return gpu_row_report(&f->rows[row], &measured, (double)elements, 0.0);
}

weir_result foam_row_times(foam *f, weir_row_time *times, uint32_t *count)
{
    uint32_t room = *count;
    struct grid_state state;
    *count = f->row_count ? f->row_count + 1 : 0;
    if (room == 0 || *count == 0) return WEIR_OK;
    WEIR_NEED(gpu_buffer_download(f->device, grid_state_buffer(f->cells), 0, &state, sizeof state));
    times[0] = gpu_table_report(FOAM_STAGE, f->timers, FOAM_ROWS);
    for (uint32_t i = 0; i < f->row_count && i + 1 < room; i++)
        times[i + 1] = row_time(f, i, &state);
    return WEIR_OK;
}

void foam_row_times_reset(foam *f)
{
    gpu_timers_reset(f->timers);
}

weir_result foam_explain(foam *f, const grid_points *points,
                         void (*write)(void *user, const char *line), void *user)
{
    WEIR_NEED(foam_room_for_points(f, points->count));
    foam_rows_build(f, points);
    gpu_table_explain(f->rows, f->row_count, write, user);
    return WEIR_OK;
}
