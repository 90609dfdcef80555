/* GPU times of the step's rows: as they ran, or of one row repeated. */
#include "sim_frame.h"

static double neighbours(const sim_world *world)
{
    const struct sim_sums *sums = &world->last.sums;
    return sums->count ? (double)sums->neighbours / sums->count : 0.0;
}

static weir_row_time row_time(const sim_world *world, const gpu_row *row,
                              const gpu_row_time *measured)
{
    const struct grid_state *state = &world->last.state;
    const gpu_domain *domain = &row->domain;
    uint64_t elements = domain->count;
    if (domain->arguments == grid_state_buffer(world->grid))
        elements = grid_domain_elements(domain, state);
    else if (domain->arguments && domain->count > 1) /* of a loop */
        elements = state->live;
    return gpu_row_report(row, measured, (double)elements, neighbours(world));
}

/* A table of rows with its timers, in the order of a frame. */
typedef struct timed_table {
    const char *name;
    gpu_row *rows;
    uint32_t count;
    gpu_timers *timers;
} timed_table;

#define TABLES 3u

static void list_tables(sim_world *world, timed_table tables[TABLES])
{
    tables[0] = (timed_table){"frame begin", &world->begin_row, 1, world->begin_timers};
    tables[1] = (timed_table){"substep", world->rows, world->row_count, world->timers};
    tables[2] =
        (timed_table){"frame end", world->end_rows, world->end_row_count, world->end_timers};
}

static weir_result require_timestamps(const sim_world *world)
{
    if (gpu_device_info(world->device)->timestamps) return WEIR_OK;
    return base_fail(world->log, WEIR_UNSUPPORTED, "%s has no timestamps: passes cannot be timed",
                     gpu_device_info(world->device)->name);
}

weir_result sim_row_times(sim_world *world, weir_row_time *times, uint32_t *count)
{
    uint32_t at = 0;
    timed_table tables[TABLES];
    WEIR_NEED(sim_settle(world));
    WEIR_NEED(require_timestamps(world));
    gpu_device_watch(world->device, true);
    list_tables(world, tables);
    for (uint32_t t = 0; t < TABLES; t++) {
        if (at < *count)
            times[at] = gpu_table_report(tables[t].name, tables[t].timers, tables[t].count);
        at++;
        for (uint32_t r = 0; r < tables[t].count; r++, at++) {
            gpu_row_time measured = gpu_timers_row(tables[t].timers, r);
            if (at < *count) times[at] = row_time(world, &tables[t].rows[r], &measured);
        }
    }
    *count = at;
    return WEIR_OK;
}

void sim_row_times_reset(sim_world *world)
{
    timed_table tables[TABLES];
    gpu_device_watch(world->device, true);
    if (sim_settle(world) != WEIR_OK) return;
    list_tables(world, tables);
    for (uint32_t t = 0; t < TABLES; t++)
        gpu_timers_reset(tables[t].timers);
}

/* ---- one row alone -------------------------------------------------------------------------- */

typedef struct repetition {
    const char *name;
    uint32_t repeat;
    timed_table tables[TABLES];
    uint32_t table, row; /* of the repeated row */
    gpu_timers *timers;
    weir_row_time *time;
} repetition;

static bool find_row(repetition *r)
{
    for (r->table = 0; r->table < TABLES; r->table++)
        for (r->row = 0; r->row < r->tables[r->table].count; r->row++)
            if (strcmp(gpu_kernel_name(r->tables[r->table].rows[r->row].kernel), r->name) == 0)
                return true;
    return false;
}

static weir_result refuse_name(const sim_world *world, const repetition *r)
{
    const char *names[SIM_ROWS + SIM_END_ROWS + 1];
    size_t count = 0;
    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < r->tables[t].count; i++)
            names[count++] = gpu_kernel_name(r->tables[t].rows[i].kernel);
    const char *near = base_nearest_name(r->name, names, count);
    return base_fail(world->log, WEIR_ARGUMENT, "no pass is called \"%s\"%s%s%s", r->name,
                     near ? "; did you mean \"" : ": weir explain lists them", near ? near : "",
                     near ? "\"?" : "");
}

/* Rows of the same group before the repeated row run once: it is timed as in the first iteration.
 */
static weir_result record_before(sim_world *world, const repetition *r)
{
    gpu_row rows[SIM_ROWS];
    const timed_table *last = &r->tables[r->table];
    for (uint32_t t = 0; t < r->table; t++)
        WEIR_NEED(gpu_record_rows(world->device, r->tables[t].rows, r->tables[t].count, 0,
                                  r->tables[t].timers));
    for (uint32_t i = 0; i < r->row; i++) {
        rows[i] = last->rows[i];
        if (rows[i].group == last->rows[r->row].group) rows[i].group = NULL;
    }
    if (r->row) WEIR_NEED(gpu_record_rows(world->device, rows, r->row, 0, last->timers));
    return WEIR_OK;
}

static weir_result run_before(sim_world *world, const repetition *r)
{
    uint64_t ticket;
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES];
    sim_frame_plan(world, frame, 1.0 / (double)world->scene->frame_rate);
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(sim_frame_record_input(world, frame));
    WEIR_NEED(record_before(world, r));
    WEIR_NEED(gpu_record_submit(world->device, &ticket));
    WEIR_NEED(gpu_ticket_wait(world->device, ticket));
    return gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &world->last.state,
                               sizeof world->last.state);
}

static weir_result repeat_row(sim_world *world, void *user)
{
    repetition *r = user;
    gpu_row row = r->tables[r->table].rows[r->row];
    WEIR_NEED(run_before(world, r));
    row.group = NULL;
    WEIR_NEED(gpu_row_repeat(world->device, &row, r->repeat, r->timers));
    gpu_row_time measured = gpu_timers_row(r->timers, 0);
    *r->time = row_time(world, &r->tables[r->table].rows[r->row], &measured);
    return WEIR_OK;
}

weir_result sim_make_room(sim_world *world, void *user)
{
    (void)user;
    WEIR_NEED(sim_step(world, 0.0));
    return sim_wait(world);
}

weir_result sim_row_repeat(sim_world *world, const char *name, uint32_t repeat, weir_row_time *time)
{
    weir_result result;
    repetition r = {.name = name, .repeat = repeat, .time = time};
    WEIR_TRY(sim_wait(world));
    WEIR_TRY(require_timestamps(world));
    list_tables(world, r.tables);
    if (!find_row(&r)) return refuse_name(world, &r);
    WEIR_TRY(gpu_timers_create(world->device, 1, &r.timers));
    WEIR_TRY(sim_preserve(world, sim_make_room, NULL));
    WEIR_TRY(sim_preserve(world, repeat_row, &r));
fail:
    gpu_timers_destroy(world->device, &r.timers);
    return result;
}
