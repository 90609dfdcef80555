/* Inspection of a pass: runs a substep up to the pass on the current state, reads what the pass
 * wrote for each particle or MAC cell, and restores the state. */
#include "shared/poisson.h"
#include "sim_frame.h"
#include "sim_readout.h"
#include "sim_world.h"

#include <float.h>

typedef enum value_kind {
    VALUE_LENGTH,       /* length of xyz */
    VALUE_W,            /* w */
    VALUE_DISPLACEMENT, /* distance from the position at the start of the substep */
    VALUE_LIST_LENGTH,  /* number of entries of a neighbour list */
    VALUE_CELL_LENGTH,  /* of a MAC cell: length of xyz */
    VALUE_CELL_W,       /* of a MAC cell: w */
    VALUE_CELL_SCALAR,  /* of a MAC cell: a scalar */
} value_kind;

/* The values that are shown for the pass of a shader. */
static const struct {
    const char *shader;
    uint32_t binding;
    value_kind value_kind;
    const char *shown;
} shown_values[] = {
    {"predict_positions", SIM_BIND_predicted_positions, VALUE_DISPLACEMENT,
     "predicted displacement, m"},
    {"reorder_particles", SIM_BIND_iterated_positions, VALUE_DISPLACEMENT,
     "predicted displacement, m"},
    {"build_neighbour_lists", GRID_BIND_neighbour_headers, VALUE_LIST_LENGTH, "neighbours"},
    {"lambda", SIM_BIND_multipliers, VALUE_W, "lambda, m2"},
    {"position_correction", SIM_BIND_iterated_positions, VALUE_DISPLACEMENT, "displacement, m"},
    {"pcisph_pressure", SIM_BIND_start_pressures, VALUE_W, "pressure"},
    {"pcisph_position_correction", SIM_BIND_iterated_positions, VALUE_DISPLACEMENT,
     "displacement, m"},
    {"update_velocity", SIM_BIND_new_velocities, VALUE_LENGTH, "speed, m/s"},
    {"vorticity_xsph", SIM_BIND_vorticities, VALUE_LENGTH, "vorticity, 1/s"},
    {"finalize_velocity", SIM_BIND_velocities, VALUE_LENGTH, "speed, m/s"},
    {"flip_reorder_particles", SIM_BIND_sorted_velocities, VALUE_LENGTH, "speed, m/s"},
    {"flip_p2g", SIM_BIND_face_velocities, VALUE_CELL_LENGTH, "speed on lower faces, m/s"},
    {"flip_level_set", SIM_BIND_cells, VALUE_CELL_W, "level set, cells (negative in fluid)"},
    {"flip_divergence", SIM_BIND_poisson_rhs, VALUE_CELL_SCALAR, "pressure source, m2/s"},
    {"cg_update", POISSON_BIND_solutions, VALUE_CELL_SCALAR, "solution of the Poisson equation"},
    {"pressure_gradient", SIM_BIND_pressure_gradients, VALUE_CELL_LENGTH,
     "gradient of the solution"},
    {"flip_subtract_gradient", SIM_BIND_face_velocities, VALUE_CELL_LENGTH,
     "speed on lower faces, m/s"},
    {"flip_density_correction_rhs", SIM_BIND_poisson_rhs, VALUE_CELL_SCALAR, "drift source, m2"},
    {"flip_g2p_advect", SIM_BIND_positions, VALUE_DISPLACEMENT, "displacement, m"},
    {"flip_project_and_write_state", SIM_BIND_velocities, VALUE_LENGTH, "speed, m/s"},
};

typedef struct inspection_job {
    uint32_t pass;
    sim_inspection *out;
    grid_fixed_point fixed;
    ivec4 *start;
    value_kind value_kind; /* of the values being read */
} inspection_job;

weir_result sim_run_up_to_pass(sim_world *world, uint32_t pass)
{
    uint64_t ticket;
    gpu_pass passes[SIM_PASS_CAPACITY];
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES_IN_FLIGHT];
    sim_plan_frame(world, frame, 1.0 / (double)world->scene->frame_rate);
    for (uint32_t i = 0; i <= pass; i++) {
        passes[i] = world->passes[i];
        if (passes[i].group == world->passes[pass].group) passes[i].group = NULL;
    }
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(sim_record_frame_input(world, frame));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, &world->begin_pass, 1, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, passes, pass + 1, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

uint32_t sim_find_pass(const sim_world *world, int shader)
{
    uint32_t i = 0;
    while (i < world->pass_count && world->passes[i].pipeline != world->pipelines[shader])
        i++;
    return i;
}

static gpu_buffer *find_bound_buffer(const gpu_pass *pass, uint32_t binding)
{
    for (uint32_t u = 0; u < pass->use_count; u++)
        if (pass->uses[u].binding == binding) return pass->uses[u].buffer;
    return NULL;
}

static weir_result download_array(sim_world *world, const gpu_buffer *buffer, uint32_t count,
                                  size_t size, void **out)
{
    *out = base_alloc(count, size);
    if (!*out)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to look at %u particles",
                         count);
    return gpu_buffer_download(world->device, buffer, 0, *out, count * size);
}

/* A 16-byte element of a device buffer: a fixed-point position, or floats. */
typedef union device_element {
    ivec4 fixed;
    vec4 floats;
} device_element;

static float distance_m(ivec4 from, ivec4 to, float unit)
{
    return vec3_length(vec3_scale(
        vec3_make((float)(to.x - from.x), (float)(to.y - from.y), (float)(to.z - from.z)), unit));
}

/* Returns the length of a cell's face velocities, of which only the known ones count. */
static float mac_cell_speed(vec4 faces)
{
    float *const xyz[3] = {&faces.x, &faces.y, &faces.z};
    for (int axis = 0; axis < 3; axis++)
        if (!((uint32_t)faces.w >> axis & 1u)) *xyz[axis] = 0.0f;
    return vec3_length(vec3_make(faces.x, faces.y, faces.z));
}

static float element_value(const inspection_job *l, const device_element *value, uint32_t i)
{
    if (l->value_kind == VALUE_CELL_W) return value->floats.w;
    if (l->value_kind == VALUE_DISPLACEMENT)
        return distance_m(l->start[i], value->fixed, l->fixed.unit);
    if (l->value_kind == VALUE_W) return value->floats.w;
    if (l->value_kind == VALUE_CELL_LENGTH) return mac_cell_speed(value->floats);
    return vec3_length(vec3_make(value->floats.x, value->floats.y, value->floats.z));
}

static weir_result read_values(sim_world *world, gpu_buffer *buffer, const inspection_job *l)
{
    weir_result result;
    void *bytes = NULL;
    sim_inspection *out = l->out;
    bool counts = l->value_kind == VALUE_LIST_LENGTH;
    WEIR_GOTO_IF_ERROR(
        download_array(world, buffer, out->count, counts ? 4 : sizeof(device_element), &bytes));
    for (uint32_t i = 0; i < out->count; i++)
        out->values[i] = counts ? (float)(((const uint32_t *)bytes)[i] & GRID_COUNT_MASK)
                                : element_value(l, (const device_element *)bytes + i, i);
fail:
    base_free(bytes);
    return result;
}

static void find_value_range(sim_inspection *out)
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

/* Returns the buffer of the particles' positions after a pass. Before the reorder pass, particles
 * are in the order of the last substep, afterwards in that of the grid. `positions` holds the next
 * substep's positions only after finalize_velocity or, with FLIP, flip_g2p_advect. */
static const gpu_buffer *find_positions_after(const sim_world *world, uint32_t pass, bool *sorted)
{
    const sim_buffers *b = &world->buffers;
    bool grid = scene_has_grid(&world->scene->solver);
    *sorted =
        pass >= sim_find_pass(world, grid ? SIM_FLIP_REORDER_PARTICLES : SIM_REORDER_PARTICLES);
    if (!*sorted ||
        pass >= sim_find_pass(world, grid ? SIM_FLIP_G2P_ADVECT : SIM_FINALIZE_VELOCITY))
        return b->positions;
    return grid ? b->sorted_positions : b->iterated_positions;
}

static weir_result allocate_values(sim_world *world, sim_inspection *out, uint32_t count)
{
    out->count = count;
    out->positions = base_alloc(count, sizeof *out->positions);
    out->values = base_alloc(count, sizeof *out->values);
    if (out->positions && out->values) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to look at %u values",
                     count);
}

static weir_result read_particles(sim_world *world, inspection_job *l, gpu_buffer *values)
{
    weir_result result;
    struct grid_state state;
    ivec4 *now = NULL;
    bool sorted;
    const gpu_buffer *positions = find_positions_after(world, l->pass, &sorted);
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &state,
                                           sizeof state));
    WEIR_GOTO_IF_ERROR(allocate_values(world, l->out, sorted ? state.live : state.count));
    l->out->spacing_m = world->scene->spacing;
    WEIR_GOTO_IF_ERROR(
        download_array(world, sorted ? world->buffers.sorted_positions : world->buffers.positions,
                       l->out->count, sizeof(ivec4), (void **)&l->start));
    WEIR_GOTO_IF_ERROR(
        download_array(world, positions, l->out->count, sizeof(ivec4), (void **)&now));
    for (uint32_t i = 0; i < l->out->count; i++)
        l->out->positions[i] = sim_to_metres(&l->fixed, now[i]);
    if (values) WEIR_GOTO_IF_ERROR(read_values(world, values, l));
fail:
    base_free(l->start);
    base_free(now);
    return result;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* Data of MAC cells that an inspection downloads: the active blocks of the finest level. */
typedef struct cell_data {
    uint32_t cells;
    struct poisson_block *blocks;
    float *fill_fractions;
    void *values;
} cell_data;

static vec3 cell_centre(const sim_world *world, const cell_data *c, uint32_t cell)
{
    const struct sim_params *p = &world->params;
    const uvec4 block = c->blocks[cell / POISSON_BLOCK_CELLS].at;
    float z = ((float)(block.z * 8 + (cell >> 6 & 7)) + 0.5f) * p->cell_size.z + p->domain_min.z;
    return vec3_make(((float)(block.x * 8 + (cell & 7)) + 0.5f) * p->cell_size.x + p->domain_min.x,
                     ((float)(block.y * 8 + (cell >> 3 & 7)) + 0.5f) * p->cell_size.y +
                         p->domain_min.y,
                     p->planar ? p->plane : z);
}

static float cell_value(const inspection_job *l, const cell_data *c, uint32_t cell)
{
    if (l->value_kind == VALUE_CELL_SCALAR) return ((const float *)c->values)[cell];
    return element_value(l, (const device_element *)c->values + cell, cell);
}

/* Copies the cells to which particles contribute. Closed cells are left out. */
static void copy_fluid_cells(const sim_world *world, const inspection_job *l, const cell_data *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->cells; i++) {
        float value = cell_value(l, c, i);
        if (!(c->fill_fractions[i] > 0.0f) || value >= POISSON_CLOSED) continue;
        l->out->positions[count] = cell_centre(world, c, i);
        l->out->values[count++] = value;
    }
    l->out->count = count;
}

static weir_result read_cells(sim_world *world, inspection_job *l, gpu_buffer *values)
{
    weir_result result;
    struct poisson_state solve;
    cell_data c = {0};
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(
        world->device, poisson_get_buffers(world->pressure_grid)->solve, 0, &solve, sizeof solve));
    c.cells = solve.firsts[1] * POISSON_BLOCK_CELLS;
    WEIR_GOTO_IF_ERROR(allocate_values(world, l->out, c.cells));
    l->out->spacing_m = world->params.cell_size.x;
    WEIR_GOTO_IF_ERROR(download_array(world, poisson_get_buffers(world->pressure_grid)->blocks,
                                      solve.firsts[1], sizeof *c.blocks, (void **)&c.blocks));
    WEIR_GOTO_IF_ERROR(download_array(world, world->buffers.fill_fractions, c.cells, 4,
                                      (void **)&c.fill_fractions));
    WEIR_GOTO_IF_ERROR(
        download_array(world, values, c.cells,
                       l->value_kind == VALUE_CELL_SCALAR ? 4 : sizeof(device_element), &c.values));
    copy_fluid_cells(world, l, &c);
fail:
    base_free(c.blocks);
    base_free(c.fill_fractions);
    base_free(c.values);
    return result;
}

/* ---- a pass --------------------------------------------------------------------------------- */

/* Returns the buffer whose values the pass shows; NULL: none. Cells of the long-range correction
 * are not shown. */
static gpu_buffer *find_shown_buffer(const sim_world *world, inspection_job *l)
{
    const gpu_pass *pass = &world->passes[l->pass];
    const char *shader = gpu_pipeline_name(pass->pipeline);
    bool grid = scene_has_grid(&world->scene->solver);
    for (size_t i = 0; i < BASE_COUNT(shown_values); i++) {
        gpu_buffer *buffer = find_bound_buffer(pass, shown_values[i].binding);
        if (!buffer || strcmp(shown_values[i].shader, shader) != 0) continue;
        if (shown_values[i].value_kind >= VALUE_CELL_LENGTH && !grid) continue;
        l->out->shown = shown_values[i].shown;
        l->value_kind = shown_values[i].value_kind;
        return buffer;
    }
    return NULL;
}

static weir_result run_to_pass_and_read(sim_world *world, void *user)
{
    inspection_job *l = user;
    WEIR_RETURN_IF_ERROR(sim_run_up_to_pass(world, l->pass));
    gpu_buffer *values = find_shown_buffer(world, l);
    WEIR_RETURN_IF_ERROR(values && l->value_kind >= VALUE_CELL_LENGTH
                             ? read_cells(world, l, values)
                             : read_particles(world, l, values));
    find_value_range(l->out);
    return WEIR_OK;
}

weir_result sim_inspect(sim_world *world, uint32_t pass, sim_inspection *out)
{
    weir_result result;
    *out = (sim_inspection){.pass_count = world->pass_count};
    WEIR_GOTO_IF_ERROR(sim_wait(world));
    if (pass >= world->pass_count)
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "pass %u: a substep has %u, numbered from 0", pass, world->pass_count);
    out->pass = gpu_pipeline_name(world->passes[pass].pipeline);
    out->group = world->passes[pass].group ? world->passes[pass].group : "";
    WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, sim_grow_for_next_frame, NULL));
    WEIR_GOTO_IF_ERROR(sim_run_and_restore(
        world, run_to_pass_and_read,
        &(inspection_job){.pass = pass, .out = out, .fixed = sim_fixed_point(world->scene)}));
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
