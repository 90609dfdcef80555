/* One frame: bounds, blocks, bins, batches (notes on the method: shaders/shared/mesh.h). */
#include "mesher_internal.h"

weir_result mesher_create(gpu_device *device, const weir_mesher_def *def, mesher **out)
{
    weir_result result;
    *out = NULL;
    WEIR_RETURN_IF_ERROR(mesher_check_def(gpu_device_log(device), def));
    mesher *m = base_alloc(1, sizeof *m);
    if (!m)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for a mesher");
    m->device = device;
    m->def = *def;
    m->has_readback_staging = m->speculates = gpu_device_info(device)->kind != WEIR_DEVICE_CPU;
    *out = m;
    WEIR_GOTO_IF_ERROR(mesher_pipelines_create(m));
    WEIR_GOTO_IF_ERROR(mesher_create_fixed_buffers(m));
    for (int i = 0; i < MESHER_PHASES; i++)
        WEIR_GOTO_IF_ERROR(gpu_timers_create(device, MESHER_PHASE_PASSES, &m->timers[i]));
    return WEIR_OK;
fail:
    mesher_destroy(out);
    return result;
}

void mesher_destroy(mesher **pointer)
{
    mesher *m = *pointer;
    if (!m) return;
    grid_anisotropy_destroy(m->device, &m->anisotropy);
    mesher_buffers_destroy(m);
    grid_scan_destroy(m->device, &m->scan);
    for (int i = 0; i < MESHER_PHASES; i++)
        gpu_timers_destroy(m->device, &m->timers[i]);
    gpu_pipelines_destroy(m->device, m->pipelines, MESHER_SHADERS);
    base_free(m);
    *pointer = NULL;
}

void mesher_set_max_blocks(mesher *m, uint32_t blocks)
{
    m->max_blocks = blocks;
}

/* ---- the lattice ---------------------------------------------------------------------------- */

static float decode_ordered_float(uint32_t word)
{
    uint32_t bits = word >> 31 ? word ^ 0x80000000u : ~word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define MAX_SUPER_BLOCKS (1u << 25) /* in the particles' bounding box: a table of 128 MiB */

typedef struct axis_extent {
    double base; /* lattice node, a multiple of 64 */
    double super_blocks;
} axis_extent;

static axis_extent compute_axis_extent(const mesher *m, float low, float high)
{
    double margin = (double)m->params.reach + 2.0, cell = m->frame.cell_m;
    axis_extent s = {.base = floor(((double)low / cell - margin) / 64.0) * 64.0};
    s.super_blocks = floor(((double)high / cell + margin - s.base) / 64.0) + 1.0;
    return s;
}

static void split_origin(float *whole, float *rest, double origin)
{
    *whole = (float)origin;
    *rest = (float)(origin - (double)*whole);
}

/* Sets the origin of the lattice for this frame, and the number of super blocks in the
 * particles' bounding box. */
static weir_result set_lattice(mesher *m, const float low[3], const float high[3])
{
    axis_extent x = compute_axis_extent(m, low[0], high[0]),
                y = compute_axis_extent(m, low[1], high[1]),
                z = compute_axis_extent(m, low[2], high[2]);
    struct mesh_params *p = &m->params;
    double cell = m->frame.cell_m;
    if (x.super_blocks * y.super_blocks * z.super_blocks > (double)MAX_SUPER_BLOCKS)
        return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                         "the particles span a box of %.4g x %.4g x %.4g m, which is %.3g x %.3g x "
                         "%.3g cells of %g m, more than 2^43 = 8.8e12: raise the cell size or "
                         "remove particles that flew off",
                         (double)(high[0] - low[0]), (double)(high[1] - low[1]),
                         (double)(high[2] - low[2]), x.super_blocks * 64, y.super_blocks * 64,
                         z.super_blocks * 64, cell);
    p->super_blocks_x = (uint32_t)x.super_blocks;
    p->super_blocks_y = (uint32_t)y.super_blocks;
    p->super_blocks_z = (uint32_t)z.super_blocks;
    m->frame.super_block_total = p->super_blocks_x * p->super_blocks_y * p->super_blocks_z;
    split_origin(&p->origin.x, &p->origin_low_bits.x, x.base * cell);
    split_origin(&p->origin.y, &p->origin_low_bits.y, y.base * cell);
    split_origin(&p->origin.z, &p->origin_low_bits.z, z.base * cell);
    p->origin.w = (float)cell;
    p->origin_low_bits.w = (float)(1.0 / cell);
    return WEIR_OK;
}

/* Returns the sum of the weights (1 - s^2)^3 inside a fluid with one particle per d^3: their
 * integral. */
static double interior_weight(double search)
{
    return 64.0 * 3.14159265358979 / 315.0 * search * search * search;
}

/* nodes with a larger fraction of the weight lie inside one body of fluid */
#define DAMPING_WEIGHT_RATIO 0.75

float mesher_voxel_size(const mesher *m, const particle_view *points)
{
    return m->def.cell_size_m > 0.0f ? m->def.cell_size_m : m->def.cell_size * points->spacing_m;
}

static weir_result set_up_frame(mesher *m, const particle_view *points)
{
    const weir_mesher_def *def = &m->def;
    double spacing = (double)points->spacing_m;
    float cell = mesher_voxel_size(m, points);
    double kernel = (double)def->search_radius * spacing / (double)cell, reach = kernel;
    /* The longest axis of a needle with the volume of a ball, whose length over its width is
     * max_anisotropy. */
    if (def->field == WEIR_MESH_FIELD_ANISOTROPIC)
        reach *= pow((double)def->max_anisotropy, 2.0 / 3.0);
    m->frame =
        (mesher_frame){.points = points, .positions = points->position, .cell_m = (double)cell};
    m->params = (struct mesh_params){
        .particle_count = points->count,
        .bin_shift = reach <= 4.0 ? 2 : 3,
        .spray_neighbours = def->spray_neighbours,
        .reach = (float)reach,
        .kernel = (float)kernel,
        .radius = (float)((double)def->particle_radius * spacing / (double)cell),
        .iso = def->iso_value,
        .damping_max_weight =
            def->sheet_damping ? (float)(DAMPING_WEIGHT_RATIO * interior_weight(def->search_radius))
                               : 0.0f,
    };
    m->params.bin_reach = (uint32_t)ceil(reach / (double)(1u << m->params.bin_shift));
    m->params.outside = def->field != WEIR_MESH_FIELD_ZHU_BRIDSON
                            ? def->iso_value
                            : m->params.reach - m->params.radius;
    if (!(reach >= 1.0 && reach <= (double)MESH_SEARCH_MAX))
        return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                         "the search radius of %g m is %.3g cells of %g m, expected 1 to %u: "
                         "change the cell size or `search_radius`",
                         reach * (double)cell, reach, (double)cell, MESH_SEARCH_MAX);
    if (def->field == WEIR_MESH_FIELD_ZHU_BRIDSON && def->particle_radius >= def->search_radius)
        return base_fail(
            mesher_log(m), WEIR_ERROR_ARGUMENT,
            "mesher: `particle_radius` is %g, expected less than `search_radius`, which is %g",
            (double)def->particle_radius, (double)def->search_radius);
    return WEIR_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static weir_result read_lattice(mesher *m)
{
    const struct mesh_state *state = mesher_downloaded_state(m);
    float low[3], high[3];
    if (state->low[3])
        return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                         "%u of %u particles have a position that is NaN or infinite: remove them",
                         state->low[3], m->frame.points->count);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = decode_ordered_float(~state->low[axis]);
        high[axis] = decode_ordered_float(state->high[axis]);
    }
    return set_lattice(m, low, high);
}

static bool same_lattice(const struct mesh_params *a, const struct mesh_params *b)
{
    return memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
           memcmp(&a->origin_low_bits, &b->origin_low_bits, sizeof a->origin_low_bits) == 0 &&
           a->super_blocks_x == b->super_blocks_x && a->super_blocks_y == b->super_blocks_y &&
           a->super_blocks_z == b->super_blocks_z;
}

/* Runs a phase, after the ellipsoids if it is that of the super blocks. If something was
 * assumed, the bounds run first, because they clear the state. */
static weir_result rerun_phase(mesher *m, enum mesher_phase phase, bool speculated)
{
    mesher_phase_run steps[3];
    size_t count = 0;
    if (speculated) steps[count++] = (mesher_phase_run){MESHER_PHASE_BOUNDS, 0};
    if (phase == MESHER_PHASE_SUPER_BLOCKS && m->def.field == WEIR_MESH_FIELD_ANISOTROPIC)
        steps[count++] = (mesher_phase_run){MESHER_PHASE_ELLIPSOIDS, 0};
    steps[count++] = (mesher_phase_run){phase, 0};
    return mesher_submit_and_wait(m, steps, count);
}

static weir_result find_super_blocks(mesher *m, bool speculated)
{
    WEIR_RETURN_IF_ERROR(mesher_reserve_super_blocks(m));
    return rerun_phase(m, MESHER_PHASE_SUPER_BLOCKS, speculated);
}

static weir_result mark_child_blocks(mesher *m, bool speculated)
{
    if (m->frame.super_block_count > UINT32_MAX / MESH_BLOCKS_PER_SUPER_BLOCK - 1)
        return base_fail(mesher_log(m), WEIR_ERROR_MEMORY,
                         "the particles touch %u blocks of 64^3 cells, too many for 32-bit "
                         "indices: raise the cell size",
                         m->frame.super_block_count);
    WEIR_RETURN_IF_ERROR(mesher_reserve_blocks(m));
    return rerun_phase(m, MESHER_PHASE_BLOCKS, speculated);
}

/* Chooses the lattice by the frame's own bounds. Also runs the speculative passes, under the
 * assumptions that *assumed receives. */
static weir_result choose_lattice(mesher *m, struct mesh_params *assumed)
{
    bool anisotropic =
        /* the centres of ellipsoids are known only after the bounds */
        m->def.field == WEIR_MESH_FIELD_ANISOTROPIC;
    const struct mesh_params last = m->last;
    if (!anisotropic) WEIR_RETURN_IF_ERROR(mesher_reuse_lattice(m, assumed));
    if (assumed->super_blocks_x)
        WEIR_RETURN_IF_ERROR(mesher_run_speculative(m, MESHER_PHASE_BOUNDS));
    else
        WEIR_RETURN_IF_ERROR(mesher_run_one_phase(m, MESHER_PHASE_BOUNDS, 0));
    WEIR_RETURN_IF_ERROR(read_lattice(m));
    if (!anisotropic) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(mesher_prepare_ellipsoids(m));
    if (!same_lattice(&last, &m->params)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(mesher_reuse_lattice(m, assumed));
    if (assumed->super_blocks_x) return mesher_run_speculative(m, MESHER_PHASE_ELLIPSOIDS);
    return WEIR_OK;
}

static weir_result find_blocks(mesher *m)
{
    struct mesh_params assumed = {0};
    WEIR_RETURN_IF_ERROR(choose_lattice(m, &assumed));
    bool speculated = assumed.super_blocks_x > 0,
         right = speculated && same_lattice(&assumed, &m->params);
    m->last.super_blocks_x = 0; /* until this frame's are complete */
    if (!right) WEIR_RETURN_IF_ERROR(find_super_blocks(m, speculated));
    uint32_t super_blocks = mesher_downloaded_count(m, MESHER_PHASE_SUPER_BLOCKS);
    right = right && super_blocks <= assumed.super_block_count;
    m->frame.super_block_count = m->params.super_block_count = super_blocks;
    if (!right) WEIR_RETURN_IF_ERROR(mark_child_blocks(m, speculated));
    m->frame.block_count = m->params.block_count = mesher_downloaded_count(m, MESHER_PHASE_BLOCKS);
    if (m->frame.block_count == 0)
        return base_fail(mesher_log(m), WEIR_ERROR_UNSUPPORTED,
                         "%s computes wrong results: it finds no block with any of %u particles; "
                         "update its driver, or choose another device: weir info lists them",
                         gpu_device_info(m->device)->name, m->frame.points->count);
    m->frame.counted = right && m->frame.block_count <= assumed.block_count;
    m->last = m->params;
    return WEIR_OK;
}

/* ---- spray ---------------------------------------------------------------------------------- */

/* Reads the first three floats of each spray particle from a buffer of vec4. */
static weir_result download_spray_vectors(mesher *m, const gpu_buffer *from,
                                          const uint32_t *neighbours, mesher_spray *spray,
                                          vec3 **out)
{
    uint32_t n = m->frame.points->count, at = 0;
    vec4 *all = base_alloc(n, sizeof *all);
    *out = base_alloc(spray->count, sizeof **out);
    weir_result result = WEIR_ERROR_MEMORY;
    if (all && *out) result = gpu_buffer_download(m->device, from, 0, all, n * sizeof *all);
    for (uint32_t i = 0; result == WEIR_OK && i < n; i++)
        if (neighbours[i] < m->def.spray_neighbours)
            (*out)[at++] = (vec3){all[i].x, all[i].y, all[i].z};
    base_free(all);
    return result;
}

static weir_result read_spray(mesher *m, mesher_spray *spray)
{
    weir_result result = WEIR_ERROR_MEMORY;
    const particle_view *points = m->frame.points;
    uint32_t *neighbours = base_alloc(points->count, sizeof *neighbours);
    if (!neighbours) goto fail;
    spray->count = m->frame.spray_count;
    /* Radius of a ball with a particle's volume: 4/3 pi r^3 = d^3. */
    spray->radius_m = 0.62035049f * points->spacing_m;
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(m->device, m->buffers.neighbours, 0, neighbours, 4ull * points->count));
    WEIR_GOTO_IF_ERROR(
        download_spray_vectors(m, points->position, neighbours, spray, &spray->position));
    if (points->velocity)
        WEIR_GOTO_IF_ERROR(
            download_spray_vectors(m, points->velocity, neighbours, spray, &spray->velocity));
fail:
    base_free(neighbours);
    if (result == WEIR_ERROR_MEMORY)
        base_log(mesher_log(m), WEIR_LOG_ERROR, "not enough memory for %u particles of spray",
                 m->frame.spray_count);
    return result;
}

/* ---- a frame -------------------------------------------------------------------------------- */

/* Sorts particles into bins, and computes the field in the same submission if the whole frame
 * fits. */
static weir_result bin_particles(mesher *m)
{
    static const mesher_phase_run steps[] = {
        {MESHER_PHASE_BINS, 0}, {MESHER_PHASE_SLOTS, 0}, {MESHER_PHASE_FIELD, 0}};
    WEIR_RETURN_IF_ERROR(mesher_reserve_particles(m));
    m->frame.counted = m->frame.block_count <= mesher_max_slots(m);
    if (m->frame.counted) WEIR_RETURN_IF_ERROR(mesher_reserve_batch_blocks(m));
    return mesher_submit_and_wait(m, steps, m->frame.counted ? BASE_COUNT(steps) : 1);
}

/* Runs all phases before the output that have not run yet, and reads the counts. */
static weir_result count_output(mesher *m)
{
    const struct mesh_state *state = mesher_downloaded_state(m);
    bool done = m->frame.counted;
    m->params.batch_first = 0;
    m->params.batch_end = m->frame.block_count;
    m->params.vertices_after = 0;
    m->frame.slot_count = m->params.slot_count = m->frame.block_count;
    if (!done) WEIR_RETURN_IF_ERROR(bin_particles(m));
    m->frame.spray_count = state->spray_count;
    m->frame.vertex_count = state->vertex_count;
    m->frame.triangle_count = state->triangle_count;
    m->frame.output_ready = done && m->frame.vertex_count <= m->params.vertex_capacity &&
                            m->frame.triangle_count <= m->params.triangle_capacity;
    return WEIR_OK;
}

weir_result mesher_begin_frame(mesher *m, const particle_view *points, bool to_host)
{
    const struct mesh_state *state = mesher_downloaded_state(m);
    m->last_was_single_batch = m->frame.counted;
    m->last_output_size = (mesher_readback_size){m->frame.vertex_count, m->frame.triangle_count};
    WEIR_RETURN_IF_ERROR(set_up_frame(m, points));
    m->frame.to_host = to_host;
    if (points->count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(find_blocks(m));
    WEIR_RETURN_IF_ERROR(count_output(m));
    if (state->high[3] > 0)
        return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                         "%u particles lie within %g m of each other, expected at most %u: check "
                         "the particle spacing, which is %g m",
                         state->high[3], m->frame.cell_m * (double)(1u << m->params.bin_shift),
                         MESH_BIN_MAX, (double)points->spacing_m);
    return WEIR_OK;
}

static weir_result read_surface(mesher *m, mesher_surface *surface, mesher_spray *spray)
{
    WEIR_RETURN_IF_ERROR(mesher_run_batches(m, surface));
    if (m->def.normals == WEIR_MESH_NORMALS_FACES)
        WEIR_RETURN_IF_ERROR(mesher_surface_normals(mesher_log(m), surface, 0));
    surface->cell_m = (float)m->frame.cell_m;
    surface->spacing_m = m->frame.points->spacing_m;
    surface->reach_m = m->params.reach * surface->cell_m;
    if (spray && m->frame.spray_count) WEIR_RETURN_IF_ERROR(read_spray(m, spray));
    return WEIR_OK;
}

weir_result mesher_run(mesher *m, const particle_view *points, mesher_surface *surface,
                       mesher_spray *spray)
{
    weir_result result;
    *surface = (mesher_surface){0};
    if (spray) *spray = (mesher_spray){0};
    WEIR_GOTO_IF_ERROR(mesher_begin_frame(m, points, true));
    if (points->count) WEIR_GOTO_IF_ERROR(read_surface(m, surface, spray));
    return WEIR_OK;
fail:
    mesher_surface_free(surface);
    mesher_spray_free(spray);
    return result;
}
