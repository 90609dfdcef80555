/* GPU times of the passes of a frame: as they ran, or of one pass that is repeated. */
#include "sim_frame.h"
#include "sim_readout.h"
#include "sim_world.h"

static double mean_neighbours(const sim_world *world)
{
    const struct sim_statistics *sums = &world->last_result.sums;
    return sums->count ? (double)sums->neighbours / sums->count : 0.0;
}

static weir_pass_time make_pass_time(const sim_world *world, const gpu_pass *pass,
                                     const gpu_pass_time *measured)
{
    const struct grid_state *state = &world->last_result.state;
    const gpu_dispatch_size *dispatch_size = &pass->dispatch_size;
    uint64_t elements = dispatch_size->count;
    if (dispatch_size->arguments == grid_state_buffer(world->grid))
        elements = grid_dispatch_elements(dispatch_size, state);
    /* of a loop that the GPU ends */
    else if (dispatch_size->arguments && dispatch_size->count > 1)
        elements = state->live;
    return gpu_pass_report(pass, measured, (double)elements, mean_neighbours(world));
}

/* A pass list with its timers, in the order of a frame. */
typedef struct timed_pass_list {
    const char *name;
    gpu_pass *passes;
    uint32_t count;
    gpu_timers *timers;
} timed_pass_list;

#define PASS_LISTS 3u

static void list_pass_lists(sim_world *world, timed_pass_list lists[PASS_LISTS])
{
    lists[0] = (timed_pass_list){"frame begin", &world->begin_pass, 1, world->begin_timers};
    lists[1] = (timed_pass_list){"substep", world->passes, world->pass_count, world->timers};
    lists[2] =
        (timed_pass_list){"frame end", world->end_passes, world->end_pass_count, world->end_timers};
}

static weir_result require_timestamps(const sim_world *world)
{
    if (gpu_device_info(world->device)->timestamps) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_UNSUPPORTED,
                     "%s has no timestamps: passes cannot be timed",
                     gpu_device_info(world->device)->name);
}

weir_result sim_pass_times(sim_world *world, weir_pass_time *times, uint32_t *count)
{
    uint32_t at = 0;
    timed_pass_list lists[PASS_LISTS];
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    WEIR_RETURN_IF_ERROR(require_timestamps(world));
    gpu_device_time_passes(world->device, true);
    list_pass_lists(world, lists);
    for (uint32_t t = 0; t < PASS_LISTS; t++) {
        if (at < *count) times[at] = gpu_pass_list_report(lists[t].name, lists[t].timers);
        at++;
        for (uint32_t r = 0; r < lists[t].count; r++, at++) {
            gpu_pass_time measured = gpu_timers_pass_time(lists[t].timers, r);
            if (at < *count) times[at] = make_pass_time(world, &lists[t].passes[r], &measured);
        }
    }
    *count = at;
    return WEIR_OK;
}

void sim_pass_times_reset(sim_world *world)
{
    timed_pass_list lists[PASS_LISTS];
    gpu_device_time_passes(world->device, true);
    if (sim_complete_frames(world) != WEIR_OK) return;
    list_pass_lists(world, lists);
    for (uint32_t t = 0; t < PASS_LISTS; t++)
        gpu_timers_reset(lists[t].timers);
}

/* ---- one pass repeated ---------------------------------------------------------------------- */

typedef struct repetition {
    const char *name;
    uint32_t repeat;
    timed_pass_list lists[PASS_LISTS];
    uint32_t list, pass; /* indices of the repeated pass */
    gpu_timers *timers;
    weir_pass_time *time;
} repetition;

static bool find_named_pass(repetition *r)
{
    for (r->list = 0; r->list < PASS_LISTS; r->list++)
        for (r->pass = 0; r->pass < r->lists[r->list].count; r->pass++)
            if (strcmp(gpu_pipeline_name(r->lists[r->list].passes[r->pass].pipeline), r->name) == 0)
                return true;
    return false;
}

static weir_result fail_unknown_pass(const sim_world *world, const repetition *r)
{
    const char *names[SIM_PASS_CAPACITY + SIM_END_PASS_CAPACITY + 1];
    size_t count = 0;
    for (uint32_t t = 0; t < PASS_LISTS; t++)
        for (uint32_t i = 0; i < r->lists[t].count; i++)
            names[count++] = gpu_pipeline_name(r->lists[t].passes[i].pipeline);
    const char *nearest = base_nearest_name(r->name, names, count);
    return base_fail(world->log, WEIR_ERROR_ARGUMENT, "unknown pass \"%s\"%s%s%s", r->name,
                     nearest ? "; did you mean \"" : ": weir explain lists them",
                     nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Records the passes before the repeated one. Passes of its own group run once, so that it is timed
 * as in the first iteration. */
static weir_result record_passes_before(sim_world *world, const repetition *r)
{
    gpu_pass passes[SIM_PASS_CAPACITY];
    const timed_pass_list *last = &r->lists[r->list];
    for (uint32_t t = 0; t < r->list; t++)
        WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, r->lists[t].passes, r->lists[t].count,
                                               0, r->lists[t].timers));
    for (uint32_t i = 0; i < r->pass; i++) {
        passes[i] = last->passes[i];
        if (passes[i].group == last->passes[r->pass].group) passes[i].group = NULL;
    }
    if (r->pass)
        WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, passes, r->pass, 0, last->timers));
    return WEIR_OK;
}

static weir_result run_passes_before(sim_world *world, const repetition *r)
{
    uint64_t ticket;
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES_IN_FLIGHT];
    sim_plan_frame(world, frame, 1.0 / (double)world->scene->frame_rate);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(sim_record_frame_input(world, frame));
    WEIR_RETURN_IF_ERROR(record_passes_before(world, r));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(world->device, &ticket));
    WEIR_RETURN_IF_ERROR(gpu_ticket_wait(world->device, ticket));
    return gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0,
                               &world->last_result.state, sizeof world->last_result.state);
}

static weir_result run_repeated_pass(sim_world *world, void *user)
{
    repetition *r = user;
    gpu_pass pass = r->lists[r->list].passes[r->pass];
    WEIR_RETURN_IF_ERROR(run_passes_before(world, r));
    pass.group = NULL;
    WEIR_RETURN_IF_ERROR(gpu_pass_benchmark(world->device, &pass, r->repeat, r->timers));
    gpu_pass_time measured = gpu_timers_pass_time(r->timers, 0);
    *r->time = make_pass_time(world, &r->lists[r->list].passes[r->pass], &measured);
    return WEIR_OK;
}

weir_result sim_grow_for_next_frame(sim_world *world, void *user)
{
    (void)user;
    WEIR_RETURN_IF_ERROR(sim_step(world, 0.0));
    return sim_wait(world);
}

weir_result sim_time_repeated_pass(sim_world *world, const char *name, uint32_t repeat,
                                   weir_pass_time *time)
{
    weir_result result;
    repetition r = {.name = name, .repeat = repeat, .time = time};
    WEIR_GOTO_IF_ERROR(sim_wait(world));
    WEIR_GOTO_IF_ERROR(require_timestamps(world));
    list_pass_lists(world, r.lists);
    if (!find_named_pass(&r)) return fail_unknown_pass(world, &r);
    WEIR_GOTO_IF_ERROR(gpu_timers_create(world->device, 1, &r.timers));
    WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, sim_grow_for_next_frame, NULL));
    WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, run_repeated_pass, &r));
fail:
    gpu_timers_destroy(world->device, &r.timers);
    return result;
}
