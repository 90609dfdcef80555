/* The density and the neighbours of particles that no substep has moved yet: the rows of a substep
 * that lasts next to no time, up to the one that knows them, and the sums of a frame's end. */
#include "sim_frame.h"

#define INSTANT_S 1e-9 /* so short that nothing moves, and long enough to divide by */

/* The first substep's rows that are needed, and the rows of the frame's end. */
typedef struct still_rows {
    gpu_row rows[SIM_ROWS + SIM_END_ROWS];
    uint32_t count;
} still_rows;

static void add(still_rows *list, const gpu_row *row)
{
    list->rows[list->count] = *row;
    list->rows[list->count++].group = NULL;
}

/* The last row of a stage. */
static uint32_t stage_end(const sim_world *world, const char *stage)
{
    uint32_t i = world->row_count;
    while (i > 0 && (!world->rows[i - 1].stage || strcmp(world->rows[i - 1].stage, stage) != 0))
        i--;
    return i;
}

/* Particles' neighbours, and the row that marks who is near a wall. */
static void add_neighbours(const sim_world *world, still_rows *list)
{
    static const int marking[] = {[SCENE_METHOD_PBF] = SIM_LAMBDA,
                                  [SCENE_METHOD_PCISPH] = SIM_PRESSURE,
                                  [SCENE_METHOD_WCSPH] = SIM_TAIT};
    uint32_t end = stage_end(world, "detect neighbours");
    for (uint32_t i = 0; i < end; i++)
        add(list, &world->rows[i]);
    add(list, &world->rows[sim_row_index(world, marking[world->scene->solver.method])]);
}

/* A grid gives the density with the particles' way. */
static void add_grid(const sim_world *world, still_rows *list)
{
    uint32_t last = sim_row_index(world, SIM_FLIP_TAKE);
    for (uint32_t i = 0; i <= last; i++)
        list->rows[list->count++] = world->rows[i];
}

/* Of the frame's end, where `positions` are not in order yet if lists have ordered them. */
static void add_sums(const sim_world *world, still_rows *list)
{
    for (uint32_t i = 0; i < world->end_row_count; i++) {
        if (world->end_rows[i].kernel == world->kernels[SIM_FRAME_END]) continue;
        add(list, &world->end_rows[i]);
        if (!scene_has_grid(&world->scene->solver))
            gpu_row_bind(&list->rows[list->count - 1], SIM_BIND_positions, world->buffers.starts);
    }
}

static void list_rows(const sim_world *world, still_rows *list)
{
    if (scene_has_grid(&world->scene->solver))
        add_grid(world, list);
    else
        add_neighbours(world, list);
    add_sums(world, list);
}

/* One substep without emissions. Walls push nothing: fluids are filled clear of them. */
static void plan(sim_world *world, sim_frame *frame)
{
    sim_input *input = gpu_buffer_map(frame->input);
    sim_frame_plan(world, frame, INSTANT_S);
    frame->emission_count = frame->moved_count = input->params.emission_count = 0;
    input->params.adaptive = 1;
}

static weir_result run(sim_world *world)
{
    uint64_t ticket;
    still_rows list = {.count = 0};
    list_rows(world, &list);
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES];
    plan(world, frame);
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(sim_frame_record_input(world, frame));
    WEIR_NEED(gpu_record_rows(world->device, &world->begin_row, 1, 0, NULL));
    WEIR_NEED(gpu_record_rows(world->device, list.rows, list.count, 0, NULL));
    WEIR_NEED(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

/* What the work leaves: sums, and densities [count] by id. */
typedef struct still {
    struct sim_sums sums;
    float *densities;
    bool known;
} still;

static weir_result read(sim_world *world, uint32_t live, still *s)
{
    weir_result result = WEIR_MEMORY;
    const sim_buffers *b = &world->buffers;
    uint32_t *ids = base_alloc(live, sizeof *ids);
    float *densities = base_alloc(live, sizeof *densities);
    if (!ids || !densities) goto fail;
    WEIR_TRY(gpu_buffer_download(world->device, b->sorted_ids, 0, ids, live * sizeof *ids));
    WEIR_TRY(
        gpu_buffer_download(world->device, b->densities, 0, densities, live * sizeof *densities));
    WEIR_TRY(gpu_buffer_download(world->device, b->sums, 0, &s->sums, sizeof s->sums));
    for (uint32_t i = 0; i < live; i++)
        if (ids[i] < world->last.status.count) s->densities[ids[i]] = densities[i];
    s->known = true;
fail:
    base_free(ids);
    base_free(densities);
    return result;
}

/* Makes room as a frame does. A fluid that no lists can hold stays without densities: its first
 * frame tells why. */
static weir_result measure(sim_world *world, void *user)
{
    still *s = user;
    for (;;) {
        sim_result seen;
        WEIR_NEED(run(world));
        WEIR_NEED(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &seen.state,
                                      sizeof seen.state));
        WEIR_NEED(gpu_buffer_download(world->device, world->buffers.status, 0, &seen.status,
                                      sizeof seen.status));
        if (seen.state.flags == 0) return read(world, seen.state.live, s);
        if (!sim_can_grow(&seen)) return WEIR_OK;
        WEIR_NEED(sim_grow(world, &seen));
    }
}

static weir_result keep(sim_world *world, const still *s)
{
    struct sim_sums *sums = &world->last.sums;
    if (!s->known) return WEIR_OK;
    sums->error_sum = s->sums.error_sum;
    sums->error_max = s->sums.error_max;
    sums->neighbours = s->sums.neighbours;
    sums->neighbours_max = s->sums.neighbours_max;
    return gpu_buffer_upload(world->device, world->buffers.densities, 0, s->densities,
                             world->last.status.count * sizeof *s->densities);
}

weir_result sim_measure_densities(sim_world *world)
{
    uint32_t count = world->last.status.count;
    bool moved = world->last.status.total_substeps > 0 || world->unstable;
    if (world->densities_stand || moved || count == 0) return WEIR_OK;
    still s = {.densities = base_alloc(count, sizeof *s.densities)};
    weir_result result = WEIR_MEMORY;
    if (s.densities) result = sim_preserve(world, measure, &s);
    if (result == WEIR_OK) result = keep(world, &s);
    world->densities_stand = result == WEIR_OK;
    base_free(s.densities);
    return result;
}
