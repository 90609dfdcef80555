/* Runs selected passes of one substep so short that velocities and forces move nothing. */
#include "sim_frame.h"
#include "sim_ranks.h"

#define TINY_FRAME_S 1e-9 /* so short that nothing moves, and long enough to divide by */

void sim_pass_selection_add(sim_pass_selection *list, const gpu_pass *pass)
{
    list->passes[list->count++] = *pass;
}

uint32_t sim_find_stage_end(const sim_world *world, const char *stage)
{
    uint32_t i = world->pass_count;
    while (i > 0 && (!world->passes[i - 1].stage || strcmp(world->passes[i - 1].stage, stage) != 0))
        i--;
    return i;
}

/* Plans one substep without emission. */
static void plan_instant_frame(sim_world *world, sim_frame *frame)
{
    sim_frame_input *input = gpu_buffer_map(frame->input);
    sim_plan_frame(world, frame, TINY_FRAME_S);
    frame->emission_count = frame->moving_count = input->params.emission_count = 0;
    input->params.adaptive = 1;
}

static weir_result run_passes(sim_world *world, const sim_pass_selection *list)
{
    uint64_t ticket;
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES_IN_FLIGHT];
    plan_instant_frame(world, frame);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(sim_record_frame_input(world, frame));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, &world->begin_pass, 1, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, list->passes, list->count, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

static weir_result read_result(const sim_world *world, sim_frame_result *seen)
{
    WEIR_RETURN_IF_ERROR(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0,
                                             &seen->state, sizeof seen->state));
    return gpu_buffer_download(world->device, world->buffers.status, 0, &seen->status,
                               sizeof seen->status);
}

weir_result sim_run_instant_frame(sim_world *world, sim_select_passes *select,
                                  sim_frame_result *seen)
{
    for (;;) {
        sim_pass_selection list = {.count = 0};
        select(world, &list);
        WEIR_RETURN_IF_ERROR(run_passes(world, &list));
        WEIR_RETURN_IF_ERROR(read_result(world, seen));
        WEIR_RETURN_IF_ERROR(sim_ranks_combine_results(world, seen));
        if (seen->state.flags == 0 || !sim_can_grow_buffers(seen)) return WEIR_OK;
        WEIR_RETURN_IF_ERROR(sim_grow_buffers(world, seen));
    }
}
