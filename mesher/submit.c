/* Submits phases of the frame to the device, and downloads their results. */
#include "mesher_internal.h"

/* Returns the buffer that a phase counts into and that must be cleared before. */
static gpu_buffer *cleared_buffer(const mesher *m, enum mesher_phase phase)
{
    switch (phase) {
    case MESHER_PHASE_BOUNDS: return m->buffers.state;
    case MESHER_PHASE_SUPER_BLOCKS: return m->buffers.super_blocks;
    case MESHER_PHASE_BLOCKS: return m->buffers.children;
    case MESHER_PHASE_BINS: return m->buffers.bins;
    default: return NULL;
    }
}

/* Returns the buffer in which a phase leaves the count that the next one needs, at the word
 * `*at`. */
static gpu_buffer *phase_count_buffer(const mesher *m, enum mesher_phase phase, uint64_t *at)
{
    switch (phase) {
    case MESHER_PHASE_SUPER_BLOCKS:
        *at = m->frame.super_block_total;
        return m->buffers.super_blocks;
    case MESHER_PHASE_BLOCKS:
        *at = (uint64_t)m->frame.super_block_count * MESH_BLOCKS_PER_SUPER_BLOCK;
        return m->buffers.children;
    case MESHER_PHASE_SLOTS: *at = m->frame.block_count; return m->buffers.block_slots;
    default: return NULL;
    }
}

static weir_result record_phase(mesher *m, enum mesher_phase phase)
{
    mesher_buffers *b = &m->buffers;
    gpu_buffer *cleared = cleared_buffer(m, phase);
    uint64_t at = 0, state_size = sizeof(struct mesh_state);
    const mesher_pass_list *t = &m->pass_lists[phase];
    if (cleared) WEIR_RETURN_IF_ERROR(gpu_record_fill(m->device, cleared, 0));
    if (phase == MESHER_PHASE_FIELD) {
        WEIR_RETURN_IF_ERROR(gpu_record_fill(m->device, b->vertex_counts, 0));
        WEIR_RETURN_IF_ERROR(gpu_record_fill(m->device, b->triangle_counts, 0));
    }
    WEIR_RETURN_IF_ERROR(gpu_record_passes(m->device, t->passes, t->count, 0, m->timers[phase]));
    WEIR_RETURN_IF_ERROR(mesher_record_readback(m, phase));
    gpu_buffer *counted = phase_count_buffer(m, phase, &at);
    WEIR_RETURN_IF_ERROR(gpu_record_copy(
        m->device, &(gpu_copy){.from = b->state, .to = b->download_staging, .size = state_size}));
    if (counted)
        WEIR_RETURN_IF_ERROR(
            gpu_record_copy(m->device, &(gpu_copy){.from = counted,
                                                   .to = b->download_staging,
                                                   .from_offset = 4 * at,
                                                   .to_offset = state_size + 4u * (unsigned)phase,
                                                   .size = 4}));
    return WEIR_OK;
}

static weir_result build_phase_passes(mesher *m, const mesher_phase_run *step)
{
    mesher_pass_list *t = &m->pass_lists[step->phase];
    mesher_build_passes(m, step->phase, step->constant);
    for (uint32_t i = 0; i < t->count; i++)
        t->pass_reports[i] = gpu_pass_report(&t->passes[i], &(gpu_pass_time){0},
                                             (double)t->passes[i].dispatch_size.count, 0.0);
    return gpu_passes_check(m->device, t->passes, t->count);
}

weir_result mesher_submit(mesher *m, const mesher_phase_run *steps, size_t count)
{
    WEIR_RETURN_IF_ERROR(gpu_ticket_wait(m->device, m->ticket)); /* which reads the params */
    mesher_set_output_capacity(m);
    memcpy(gpu_buffer_map(m->buffers.params), &m->params, sizeof m->params);
    for (size_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(build_phase_passes(m, &steps[i]));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(m->device));
    for (size_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(record_phase(m, steps[i].phase));
    return gpu_record_submit(m->device, &m->ticket);
}

weir_result mesher_submit_and_wait(mesher *m, const mesher_phase_run *steps, size_t count)
{
    WEIR_RETURN_IF_ERROR(mesher_submit(m, steps, count));
    m->frame.waits++;
    return gpu_ticket_wait(m->device, m->ticket);
}

weir_result mesher_run_one_phase(mesher *m, enum mesher_phase phase, uint32_t constant)
{
    return mesher_submit_and_wait(m, &(mesher_phase_run){phase, constant}, 1);
}

const struct mesh_state *mesher_downloaded_state(const mesher *m)
{
    return gpu_buffer_map(m->buffers.download_staging);
}

uint32_t mesher_downloaded_count(const mesher *m, enum mesher_phase phase)
{
    const uint32_t *words = gpu_buffer_map(m->buffers.download_staging);
    return words[sizeof(struct mesh_state) / 4 + phase];
}

weir_result mesher_pass_times(mesher *m, weir_pass_time *times, uint32_t *count)
{
    static const char *const groups[MESHER_PHASES] = {
        "bounds",     "ellipsoids", "super blocks", "blocks",     "bins",
        "slots",      "field",      "output",       "attributes", "attributes",
        "attributes", "attributes", "attributes",   "attributes", "attributes"};
    uint32_t found = 0;
    if (!gpu_device_info(m->device)->timestamps)
        return base_fail(mesher_log(m), WEIR_ERROR_UNSUPPORTED, "%s has no timestamps",
                         gpu_device_info(m->device)->name);
    gpu_device_time_passes(m->device, true);
    for (int phase = 0; phase < MESHER_PHASES; phase++)
        for (uint32_t i = 0; i < m->pass_lists[phase].count; i++, found++) {
            gpu_pass_time time = gpu_timers_pass_time(m->timers[phase], i);
            if (!times || found >= *count) continue;
            weir_pass_time *to = &times[found];
            *to = m->pass_lists[phase].pass_reports[i];
            to->group = groups[phase];
            to->calls = time.calls;
            to->median_ms = time.median_ms;
            to->lower_quartile_ms = time.lower_quartile_ms;
            to->upper_quartile_ms = time.upper_quartile_ms;
            to->total_ms = time.total_ms;
            to->invocations = time.invocations;
        }
    *count = found;
    return WEIR_OK;
}
