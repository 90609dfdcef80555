/* GPU times of the whitewater's rows, and the rows in words. */
#include "foam_internal.h"

static uint32_t born(const foam *f)
{
    uint32_t sum = 0;
    for (uint32_t cause = 0; cause < FOAM_CAUSES; cause++)
        sum += f->counts.born[cause];
    return sum;
}

static weir_row_time row_time(const foam *f, const foam_table *table, uint32_t row,
                              const struct grid_state *state)
{
    const gpu_domain *domain = &table->rows[row].domain;
    gpu_row_time measured = gpu_timers_row(table->timers, row);
    uint64_t elements =
        domain->arguments == f->buffers.census ? born(f) : grid_domain_elements(domain, state);
    return gpu_row_report(&table->rows[row], &measured, (double)elements, 0.0);
}

weir_result foam_row_times(foam *f, weir_row_time *times, uint32_t *count)
{
    uint32_t room = *count, at = 0;
    struct grid_state state;
    *count = 0;
    for (int t = 0; t < FOAM_TABLES; t++)
        *count += f->tables[t].count ? f->tables[t].count + 1 : 0;
    if (room == 0 || *count == 0) return WEIR_OK;
    WEIR_NEED(gpu_buffer_download(f->device, grid_state_buffer(f->cells), 0, &state, sizeof state));
    for (const foam_table *table = f->tables; table < &f->tables[FOAM_TABLES]; table++) {
        if (table->count == 0) continue;
        if (at < room) times[at++] = gpu_table_report(table->name, table->timers, FOAM_ROWS);
        for (uint32_t i = 0; i < table->count && at < room; i++)
            times[at++] = row_time(f, table, i, &state);
    }
    return WEIR_OK;
}

void foam_row_times_reset(foam *f)
{
    for (int t = 0; t < FOAM_TABLES; t++)
        gpu_timers_reset(f->tables[t].timers);
}

weir_result foam_explain(foam *f, const grid_points *points,
                         void (*write)(void *user, const char *line), void *user)
{
    WEIR_NEED(foam_room_for_points(f, points->count));
    foam_rows_build(f, points);
    for (int t = 0; t < FOAM_TABLES; t++)
        gpu_table_explain(f->tables[t].rows, f->tables[t].count, write, user);
    return WEIR_OK;
}
