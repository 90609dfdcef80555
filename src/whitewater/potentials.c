/* Reads the potentials of a frame, as a basis for choosing thresholds. */
#include "whitewater_internal.h"

static weir_result run_potentials(whitewater *f, const whitewater_frame *frame)
{
    whitewater_pass_list *table = &f->pass_lists[WHITEWATER_MOTION];
    whitewater_fill_params(f, frame, 0.0f);
    f->params.min_energy = -1.0f; /* potentials of all particles are computed */
    whitewater_build_potentials(f, frame->points);
    gpu_timers_reset(table->timers); /* they belong to other passes */
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(f->device, f->buffers.params, 0, &f->params, sizeof f->params));
    return gpu_run_passes(f->device, table->passes, table->count);
}

weir_result whitewater_read_potentials(whitewater *f, const whitewater_frame *frame,
                                       vec4 *potentials, uint32_t *count)
{
    struct grid_state state;
    *count = 0;
    WEIR_RETURN_IF_ERROR(whitewater_prepare(f, frame));
    WEIR_RETURN_IF_ERROR(run_potentials(f, frame));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(f->device, grid_state_buffer(f->grid), 0, &state, sizeof state));
    if (state.live == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_buffer_download(f->device, f->buffers.potentials, 0, potentials,
                                             state.live * sizeof *potentials));
    vec4 unit = whitewater_potential_units(f);
    for (uint32_t i = 0; i < state.live; i++) {
        vec4 *p = &potentials[i];
        *p = (vec4){p->x / unit.x, p->y / unit.y, p->z / unit.z, p->w / unit.w};
    }
    *count = state.live;
    return WEIR_OK;
}
