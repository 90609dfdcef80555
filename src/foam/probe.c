/* The potentials of a frame, read to choose thresholds by. */
#include "foam_internal.h"

static weir_result run(foam *f, const foam_frame *frame)
{
    foam_table *table = &f->tables[FOAM_MOTION];
    foam_fill_params(f, frame, 0.0f);
    f->params.least_energy = -1.0f; /* all are asked */
    foam_rows_build_probe(f, frame->points);
    gpu_timers_reset(table->timers); /* of another table */
    WEIR_NEED(gpu_buffer_upload(f->device, f->buffers.params, 0, &f->params, sizeof f->params));
    return gpu_run_rows(f->device, table->rows, table->count);
}

weir_result foam_probe(foam *f, const foam_frame *frame, vec4 *potentials, uint32_t *count)
{
    struct grid_state state;
    *count = 0;
    WEIR_NEED(foam_prepare(f, frame));
    WEIR_NEED(run(f, frame));
    WEIR_NEED(gpu_buffer_download(f->device, grid_state_buffer(f->cells), 0, &state, sizeof state));
    if (state.live == 0) return WEIR_OK;
    WEIR_NEED(gpu_buffer_download(f->device, f->buffers.potentials, 0, potentials,
                                  state.live * sizeof *potentials));
    vec4 unit = foam_units(f);
    for (uint32_t i = 0; i < state.live; i++) {
        vec4 *p = &potentials[i];
        *p = (vec4){p->x / unit.x, p->y / unit.y, p->z / unit.z, p->w / unit.w};
    }
    *count = state.live;
    return WEIR_OK;
}
