/* A look between the rows of a substep: runs the rows up to one of them on the state at hand, reads
 * what this row wrote for each particle or for each cell, and puts the state back. */
#include "shared/poisson.h"
#include "sim_frame.h"

#include <float.h>

typedef enum measure {
    LENGTH, /* of xyz */
    LAST,   /* w */
    MOVED,  /* the displacement since the start of the substep */
    COUNT,  /* a list's length */
    FACES,  /* of a cell: length of xyz */
    LEVEL,  /* of a cell: w */
    NUMBER, /* of a cell: its one number */
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
    {"flip_reorder", SIM_BIND_sorted_velocities, LENGTH, "speed, m/s"},
    {"flip_gather", SIM_BIND_faces, FACES, "speed on lower faces, m/s"},
    {"flip_surface", SIM_BIND_cells, LEVEL, "level set, cells, fluid below 0"},
    {"flip_source", SIM_BIND_cell_sources, NUMBER, "source of the pressure, m2/s"},
    {"take_step", POISSON_BIND_solutions, NUMBER, "solution of the equation"},
    {"cells_slope", SIM_BIND_slopes, FACES, "slope of the solution"},
    {"flip_project", SIM_BIND_faces, FACES, "speed on lower faces, m/s"},
    {"flip_drift", SIM_BIND_cell_sources, NUMBER, "source of the drift, m2"},
    {"flip_take", SIM_BIND_positions, MOVED, "displacement, m"},
    {"flip_commit", SIM_BIND_velocities, LENGTH, "speed, m/s"},
};

typedef struct look {
    uint32_t row;
    sim_inspection *out;
    grid_fixed fixed;
    ivec4 *start;
    measure measure; /* of the values being read */
} look;

weir_result sim_run_to(sim_world *world, uint32_t row)
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

uint32_t sim_row_index(const sim_world *world, int kernel)
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

static weir_result download(sim_world *world, const gpu_buffer *buffer, uint32_t count, size_t size,
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

/* The length of what is known of a cell's faces. */
static float speed_on(vec4 faces)
{
    float *const xyz[3] = {&faces.x, &faces.y, &faces.z};
    for (int axis = 0; axis < 3; axis++)
        if (!((uint32_t)faces.w >> axis & 1u)) *xyz[axis] = 0.0f;
    return vec3_length(vec3_make(faces.x, faces.y, faces.z));
}

static float measure_element(const look *l, const element *value, uint32_t i)
{
    if (l->measure == LEVEL) return value->floats.w;
    if (l->measure == MOVED) return distance_between(l->start[i], value->fixed, l->fixed.unit);
    if (l->measure == LAST) return value->floats.w;
    if (l->measure == FACES) return speed_on(value->floats);
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

/* ---- particles ------------------------------------------------------------------------------ */

/* The buffer of the particles' positions after a row. They are in the order of the last substep
 * until the reorder, then in that of the grid; `positions` holds those of the next substep only
 * after the commit, or by FLIP after flip_take. */
static const gpu_buffer *positions_after(const sim_world *world, uint32_t row, bool *sorted)
{
    const sim_buffers *b = &world->buffers;
    bool grid = scene_has_grid(&world->scene->solver);
    *sorted = row >= sim_row_index(world, grid ? SIM_FLIP_REORDER : SIM_REORDER);
    if (!*sorted || row >= sim_row_index(world, grid ? SIM_FLIP_TAKE : SIM_COMMIT))
        return b->positions;
    return grid ? b->starts : b->iterates;
}

static weir_result make_room(sim_world *world, sim_inspection *out, uint32_t count)
{
    out->count = count;
    out->positions = base_alloc(count, sizeof *out->positions);
    out->values = base_alloc(count, sizeof *out->values);
    if (out->positions && out->values) return WEIR_OK;
    return base_fail(world->log, WEIR_MEMORY, "no memory to look at %u values", count);
}

static weir_result read_particles(sim_world *world, look *l, gpu_buffer *values)
{
    weir_result result;
    struct grid_state state;
    ivec4 *now = NULL;
    bool sorted;
    const gpu_buffer *positions = positions_after(world, l->row, &sorted);
    WEIR_TRY(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &state,
                                 sizeof state));
    WEIR_TRY(make_room(world, l->out, sorted ? state.live : state.count));
    l->out->spacing_m = world->scene->spacing;
    WEIR_TRY(download(world, sorted ? world->buffers.starts : world->buffers.positions,
                      l->out->count, sizeof(ivec4), (void **)&l->start));
    WEIR_TRY(download(world, positions, l->out->count, sizeof(ivec4), (void **)&now));
    for (uint32_t i = 0; i < l->out->count; i++)
        l->out->positions[i] = sim_to_metres(&l->fixed, now[i]);
    if (values) WEIR_TRY(read_values(world, values, l));
fail:
    base_free(l->start);
    base_free(now);
    return result;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* What a look at cells downloads: the active blocks of the finest level. */
typedef struct cell_look {
    uint32_t cells;
    struct poisson_block *blocks;
    float *fullness;
    void *values;
} cell_look;

static vec3 middle_of(const sim_world *world, const cell_look *c, uint32_t cell)
{
    const struct sim_params *p = &world->params;
    const uvec4 block = c->blocks[cell / POISSON_CELLS].at;
    float z = ((float)(block.z * 8 + (cell >> 6 & 7)) + 0.5f) * p->cell_size.z + p->domain_min.z;
    return vec3_make(((float)(block.x * 8 + (cell & 7)) + 0.5f) * p->cell_size.x + p->domain_min.x,
                     ((float)(block.y * 8 + (cell >> 3 & 7)) + 0.5f) * p->cell_size.y +
                         p->domain_min.y,
                     p->planar ? p->plane : z);
}

static float cell_value(const look *l, const cell_look *c, uint32_t cell)
{
    if (l->measure == NUMBER) return ((const float *)c->values)[cell];
    return measure_element(l, (const element *)c->values + cell, cell);
}

/* Cells to which no particle gives anything, and closed ones, are left out. */
static void take_cells(const sim_world *world, const look *l, const cell_look *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->cells; i++) {
        float value = cell_value(l, c, i);
        if (!(c->fullness[i] > 0.0f) || value >= POISSON_CLOSED) continue;
        l->out->positions[count] = middle_of(world, c, i);
        l->out->values[count++] = value;
    }
    l->out->count = count;
}

static weir_result read_cells(sim_world *world, look *l, gpu_buffer *values)
{
    weir_result result;
    struct poisson_state solve;
    cell_look c = {0};
    WEIR_TRY(gpu_buffer_download(world->device, poisson_state_buffer(world->cells), 0, &solve,
                                 sizeof solve));
    c.cells = solve.firsts[1] * POISSON_CELLS;
    WEIR_TRY(make_room(world, l->out, c.cells));
    l->out->spacing_m = world->params.cell_size.x;
    WEIR_TRY(download(world, poisson_blocks(world->cells), solve.firsts[1], sizeof *c.blocks,
                      (void **)&c.blocks));
    WEIR_TRY(download(world, world->buffers.fullness, c.cells, 4, (void **)&c.fullness));
    WEIR_TRY(
        download(world, values, c.cells, l->measure == NUMBER ? 4 : sizeof(element), &c.values));
    take_cells(world, l, &c);
fail:
    base_free(c.blocks);
    base_free(c.fullness);
    base_free(c.values);
    return result;
}

/* ---- a row ---------------------------------------------------------------------------------- */

/* The buffer that the row shows; NULL where it shows none. The long-range correction's cells have
 * no sights. */
static gpu_buffer *find_sight(const sim_world *world, look *l)
{
    const gpu_row *row = &world->rows[l->row];
    const char *kernel = gpu_kernel_name(row->kernel);
    bool grid = scene_has_grid(&world->scene->solver);
    for (size_t i = 0; i < BASE_COUNT(sights); i++) {
        gpu_buffer *buffer = bound_to(row, sights[i].binding);
        if (!buffer || strcmp(sights[i].kernel, kernel) != 0) continue;
        if (sights[i].measure >= FACES && !grid) continue;
        l->out->shown = sights[i].shown;
        l->measure = sights[i].measure;
        return buffer;
    }
    return NULL;
}

static weir_result read_row(sim_world *world, void *user)
{
    look *l = user;
    WEIR_NEED(sim_run_to(world, l->row));
    gpu_buffer *values = find_sight(world, l);
    WEIR_NEED(values && l->measure >= FACES ? read_cells(world, l, values)
                                            : read_particles(world, l, values));
    measure_range(l->out);
    return WEIR_OK;
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
