/* A phase of the frame on the device, and what it brings back to the host. */
#include "mesher_internal.h"

/* The buffer that a phase counts into and starts from zero. */
static gpu_buffer *cleared_buffer(const mesher *m, enum mesher_phase phase)
{
    switch (phase) {
    case MESHER_PHASE_BOUNDS: return m->buffers.state;
    case MESHER_PHASE_SUPERS: return m->buffers.supers;
    case MESHER_PHASE_BLOCKS: return m->buffers.children;
    case MESHER_PHASE_BINS: return m->buffers.bins;
    default: return NULL;
    }
}

/* Where a phase leaves the number that the next one waits for, behind `*at` words. */
static gpu_buffer *counted_buffer(const mesher *m, enum mesher_phase phase, uint64_t *at)
{
    switch (phase) {
    case MESHER_PHASE_SUPERS: *at = m->frame.super_total; return m->buffers.supers;
    case MESHER_PHASE_BLOCKS:
        *at = (uint64_t)m->frame.super_count * MESH_CHILDREN;
        return m->buffers.children;
    case MESHER_PHASE_SEATS: *at = m->frame.block_count; return m->buffers.seats;
    default: return NULL;
    }
}

static weir_result record_phase(mesher *m, enum mesher_phase phase)
{
    mesher_buffers *b = &m->buffers;
    gpu_buffer *cleared = cleared_buffer(m, phase);
    uint64_t at = 0, state_size = sizeof(struct mesh_state);
    const mesher_table *t = &m->tables[phase];
    if (cleared) WEIR_NEED(gpu_record_fill(m->device, cleared, 0));
    if (phase == MESHER_PHASE_FIELD) {
        WEIR_NEED(gpu_record_fill(m->device, b->vertex_counts, 0));
        WEIR_NEED(gpu_record_fill(m->device, b->triangle_counts, 0));
    }
    WEIR_NEED(gpu_record_rows(m->device, t->rows, t->count, 0, m->timers[phase]));
    WEIR_NEED(mesher_record_back(m, phase));
    gpu_buffer *counted = counted_buffer(m, phase, &at);
    WEIR_NEED(gpu_record_copy(
        m->device, &(gpu_copy){.from = b->state, .to = b->read_back, .size = state_size}));
    if (counted)
        WEIR_NEED(
            gpu_record_copy(m->device, &(gpu_copy){.from = counted,
                                                   .to = b->read_back,
                                                   .from_offset = 4 * at,
                                                   .to_offset = state_size + 4u * (unsigned)phase,
                                                   .size = 4}));
    return WEIR_OK;
}

static weir_result build_phase(mesher *m, const mesher_step *step)
{
    mesher_table *t = &m->tables[step->phase];
    mesher_rows(m, step->phase, step->constant);
    for (uint32_t i = 0; i < t->count; i++)
        t->reports[i] =
            gpu_row_report(&t->rows[i], &(gpu_row_time){0}, (double)t->rows[i].domain.count, 0.0);
    return gpu_table_check(m->device, t->rows, t->count);
}

weir_result mesher_start(mesher *m, const mesher_step *steps, size_t count)
{
    WEIR_NEED(gpu_ticket_wait(m->device, m->ticket)); /* it reads the params */
    mesher_tell_room(m);
    memcpy(gpu_buffer_map(m->buffers.params), &m->params, sizeof m->params);
    for (size_t i = 0; i < count; i++)
        WEIR_NEED(build_phase(m, &steps[i]));
    WEIR_NEED(gpu_record_begin(m->device));
    for (size_t i = 0; i < count; i++)
        WEIR_NEED(record_phase(m, steps[i].phase));
    return gpu_record_submit(m->device, &m->ticket);
}

weir_result mesher_finish(mesher *m, const mesher_step *steps, size_t count)
{
    WEIR_NEED(mesher_start(m, steps, count));
    m->frame.waits++;
    return gpu_ticket_wait(m->device, m->ticket);
}

weir_result mesher_run_phase(mesher *m, enum mesher_phase phase, uint32_t constant)
{
    return mesher_finish(m, &(mesher_step){phase, constant}, 1);
}

const struct mesh_state *mesher_state(const mesher *m)
{
    return gpu_buffer_map(m->buffers.read_back);
}

uint32_t mesher_counted(const mesher *m, enum mesher_phase phase)
{
    const uint32_t *words = gpu_buffer_map(m->buffers.read_back);
    return words[sizeof(struct mesh_state) / 4 + phase];
}

weir_result mesher_row_times(mesher *m, weir_row_time *times, uint32_t *count)
{
    static const char *const groups[MESHER_PHASES] = {
        "bounds", "ellipsoids", "super blocks", "blocks",     "bins",      "slab",
        "field",  "output",     "attributes",   "attributes", "attributes"};
    uint32_t found = 0;
    if (!gpu_device_info(m->device)->timestamps)
        return base_fail(mesher_log(m), WEIR_UNSUPPORTED, "%s has no timestamps",
                         gpu_device_info(m->device)->name);
    gpu_device_watch(m->device, true);
    for (int phase = 0; phase < MESHER_PHASES; phase++)
        for (uint32_t i = 0; i < m->tables[phase].count; i++, found++) {
            gpu_row_time time = gpu_timers_row(m->timers[phase], i);
            if (!times || found >= *count) continue;
            weir_row_time *to = &times[found];
            *to = m->tables[phase].reports[i];
            to->group = groups[phase];
            to->calls = time.calls;
            to->median_ms = time.median_ms;
            to->low_ms = time.low_ms;
            to->high_ms = time.high_ms;
            to->total_ms = time.total_ms;
            to->invocations = time.invocations;
        }
    *count = found;
    return WEIR_OK;
}
