/* A look between the rows of a substep: runs the rows up to one of them on the state at hand, reads
 * what this row wrote for each particle, and puts the state back. */
#include "sim_frame.h"

#include <float.h>

typedef enum measure {
    LENGTH, /* of xyz */
    LAST,   /* w */
    MOVED,  /* the displacement since the start of the substep */
    COUNT,  /* a list's length */
} measure;

/* The values of a row that are shown. */
static const struct {
    const char *kernel;
    uint32_t binding;
    measure measure;
    const char *shown;
} sights[] = {
    {"predict", SIM_BIND_predictions, MOVED, "displacement predicted, m"},
    {"reorder", SIM_BIND_iterates, MOVED, "displacement predicted, m"},
    {"lists", GRID_BIND_headers, COUNT, "neighbours"},
    {"lambda", SIM_BIND_multipliers, LAST, "lambda, m2"},
    {"correct", SIM_BIND_iterates, MOVED, "displacement, m"},
    {"pressure", SIM_BIND_start_pressures, LAST, "pressure"},
    {"push", SIM_BIND_iterates, MOVED, "displacement, m"},
    {"velocity", SIM_BIND_new_velocities, LENGTH, "speed, m/s"},
    {"vorticity", SIM_BIND_vorticities, LENGTH, "vorticity, 1/s"},
    {"commit", SIM_BIND_velocities, LENGTH, "speed, m/s"},
};

typedef struct look {
    uint32_t row;
    sim_inspection *out;
    grid_fixed fixed;
    ivec4 *start;
    measure measure; /* of the values being read */
} look;

/* Groups before the row's own repeat as in a substep; its own group runs only once. */
static weir_result run_to(sim_world *world, uint32_t row)
{
    uint64_t ticket;
    gpu_row rows[SIM_ROWS];
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES];
    sim_frame_plan(world, frame, 1.0 / (double)world->scene->frame_rate);
    for (uint32_t i = 0; i <= row; i++) {
        rows[i] = world->rows[i];
        if (rows[i].group == world->rows[row].group) rows[i].group = NULL;
    }
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(sim_frame_record_input(world, frame));
    WEIR_NEED(gpu_record_rows(world->device, &world->begin_row, 1, 0, NULL));
    WEIR_NEED(gpu_record_rows(world->device, rows, row + 1, 0, NULL));
    WEIR_NEED(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

static uint32_t index_of(const sim_world *world, int kernel)
{
    uint32_t i = 0;
    while (i < world->row_count && world->rows[i].kernel != world->kernels[kernel])
        i++;
    return i;
}

static gpu_buffer *bound_to(const gpu_row *row, uint32_t binding)
{
    for (uint32_t u = 0; u < row->use_count; u++)
        if (row->uses[u].binding == binding) return row->uses[u].buffer;
    return NULL;
}

static weir_result download(sim_world *world, gpu_buffer *buffer, uint32_t count, size_t size,
                            void **out)
{
    *out = base_alloc(count, size);
    if (!*out)
        return base_fail(world->log, WEIR_MEMORY, "no memory to look at %u particles", count);
    return gpu_buffer_download(world->device, buffer, 0, *out, count * size);
}

/* 16 bytes of the device: a fixed-point position, or floats. */
typedef union element {
    ivec4 fixed;
    vec4 floats;
} element;

static float distance_between(ivec4 from, ivec4 to, float unit)
{
    return vec3_length(vec3_scale(
        vec3_make((float)(to.x - from.x), (float)(to.y - from.y), (float)(to.z - from.z)), unit));
}

static float measure_element(const look *l, const element *value, uint32_t i)
{
    if (l->measure == MOVED) return distance_between(l->start[i], value->fixed, l->fixed.unit);
    if (l->measure == LAST) return value->floats.w;
    return vec3_length(vec3_make(value->floats.x, value->floats.y, value->floats.z));
}

static weir_result read_values(sim_world *world, gpu_buffer *buffer, const look *l)
{
    weir_result result;
    void *bytes = NULL;
    sim_inspection *out = l->out;
    bool counts = l->measure == COUNT;
    WEIR_TRY(download(world, buffer, out->count, counts ? 4 : sizeof(element), &bytes));
    for (uint32_t i = 0; i < out->count; i++)
        out->values[i] = counts ? (float)(((const uint32_t *)bytes)[i] & GRID_COUNT_MASK)
                                : measure_element(l, (const element *)bytes + i, i);
fail:
    base_free(bytes);
    return result;
}

static void measure_range(sim_inspection *out)
{
    out->low = FLT_MAX;
    out->high = -FLT_MAX;
    for (uint32_t i = 0; i < out->count; i++) {
        if (!isfinite(out->values[i])) out->values[i] = 0.0f;
        out->low = fminf(out->low, out->values[i]);
        out->high = fmaxf(out->high, out->values[i]);
    }
    if (out->count == 0) out->low = out->high = 0.0f;
}

/* Particles are in the order of the last substep until reorder, then in that of the grid;
 * `positions` holds those of the next substep only after the commit. */
static weir_result read_row(sim_world *world, void *user)
{
    weir_result result;
    look *l = user;
    sim_inspection *out = l->out;
    const gpu_row *row = &world->rows[l->row];
    struct grid_state state;
    ivec4 *now = NULL;
    bool sorted = l->row >= index_of(world, SIM_REORDER);
    bool committed = l->row >= index_of(world, SIM_COMMIT);
    const sim_buffers *b = &world->buffers;
    WEIR_TRY(run_to(world, l->row));
    WEIR_TRY(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &state,
                                 sizeof state));
    out->count = sorted ? state.live : state.count;
    WEIR_TRY(download(world, sorted ? b->starts : b->positions, out->count, sizeof(ivec4),
                      (void **)&l->start));
    WEIR_TRY(download(world,
                      committed ? b->positions
                      : sorted  ? b->iterates
                                : b->positions,
                      out->count, sizeof(ivec4), (void **)&now));
    out->positions = base_alloc(out->count, sizeof *out->positions);
    out->values = base_alloc(out->count, sizeof *out->values);
    result = out->positions && out->values ? WEIR_OK : WEIR_MEMORY;
    for (uint32_t i = 0; result == WEIR_OK && i < out->count; i++)
        out->positions[i] = sim_to_metres(&l->fixed, now[i]);
    for (size_t i = 0; result == WEIR_OK && i < BASE_COUNT(sights); i++) {
        gpu_buffer *buffer = bound_to(row, sights[i].binding);
        if (!buffer || strcmp(sights[i].kernel, gpu_kernel_name(row->kernel)) != 0) continue;
        out->shown = sights[i].shown;
        l->measure = sights[i].measure;
        result = read_values(world, buffer, l);
    }
    measure_range(out);
fail:
    base_free(l->start);
    base_free(now);
    return result;
}

weir_result sim_inspect(sim_world *world, uint32_t row, sim_inspection *out)
{
    weir_result result;
    *out = (sim_inspection){.row_count = world->row_count};
    WEIR_TRY(sim_wait(world));
    if (row >= world->row_count)
        return base_fail(world->log, WEIR_ARGUMENT, "row %u: a substep has %u, numbered from 0",
                         row, world->row_count);
    out->row = gpu_kernel_name(world->rows[row].kernel);
    out->group = world->rows[row].group ? world->rows[row].group : "";
    WEIR_TRY(sim_preserve(world, sim_make_room, NULL));
    WEIR_TRY(sim_preserve(world, read_row,
                          &(look){.row = row, .out = out, .fixed = sim_fixed(world->scene)}));
    return WEIR_OK;
fail:
    sim_inspection_free(out);
    return result;
}

void sim_inspection_free(sim_inspection *inspection)
{
    base_free(inspection->positions);
    base_free(inspection->values);
    *inspection = (sim_inspection){.count = 0};
}
