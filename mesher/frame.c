/* One frame: bounds, blocks, bins, slabs (notes on the method: shaders/shared/mesh.h). */
#include "mesher_internal.h"

weir_result mesher_create(gpu_device *device, const weir_mesher_def *def, mesher **out)
{
    weir_result result;
    *out = NULL;
    WEIR_NEED(mesher_check_def(gpu_device_log(device), def));
    mesher *m = base_alloc(1, sizeof *m);
    if (!m) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for a mesher");
    m->device = device;
    m->def = *def;
    m->comes_back = gpu_device_info(device)->kind != WEIR_DEVICE_CPU;
    *out = m;
    WEIR_TRY(mesher_kernels_create(m));
    WEIR_TRY(mesher_fixed_buffers(m));
    for (int i = 0; i < MESHER_PHASES; i++)
        WEIR_TRY(gpu_timers_create(device, MESHER_PHASE_ROWS, &m->timers[i]));
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
    mesher_shared_destroy(m);
    grid_scan_destroy(m->device, &m->scan);
    for (int i = 0; i < MESHER_PHASES; i++)
        gpu_timers_destroy(m->device, &m->timers[i]);
    for (int i = 0; i < MESHER_SHADERS; i++)
        gpu_kernel_destroy(m->device, &m->kernels[i]);
    base_free(m);
    *pointer = NULL;
}

void mesher_limit_blocks(mesher *m, uint32_t blocks)
{
    m->limit_blocks = blocks;
}

/* ---- the lattice ---------------------------------------------------------------------------- */

static float from_ordered(uint32_t word)
{
    uint32_t bits = word >> 31 ? word ^ 0x80000000u : ~word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define MOST_SUPERS (1u << 25) /* in the particles' box: a table of 128 MiB */

typedef struct span {
    double base; /* node, a multiple of 64 */
    double supers;
} span;

static span axis_span(const mesher *m, float low, float high)
{
    double margin = (double)m->params.reach + 2.0, cell = m->frame.cell_m;
    span s = {.base = floor(((double)low / cell - margin) / 64.0) * 64.0};
    s.supers = floor(((double)high / cell + margin - s.base) / 64.0) + 1.0;
    return s;
}

static void split_origin(float *whole, float *rest, double origin)
{
    *whole = (float)origin;
    *rest = (float)(origin - (double)*whole);
}

/* Where the lattice starts for this frame, and how many super blocks the particles' box spans. */
static weir_result lay_out_lattice(mesher *m, const float low[3], const float high[3])
{
    span x = axis_span(m, low[0], high[0]), y = axis_span(m, low[1], high[1]),
         z = axis_span(m, low[2], high[2]);
    struct mesh_params *p = &m->params;
    double cell = m->frame.cell_m;
    if (x.supers * y.supers * z.supers > (double)MOST_SUPERS)
        return base_fail(
            mesher_log(m), WEIR_ARGUMENT,
            "the particles lie in a box of %.4g x %.4g x %.4g m, which is %.3g x %.3g x "
            "%.3g cells of %g m; a box of at most 2^43 = 8.8e12 is meshed: raise the "
            "cell or leave out what has flown off",
            (double)(high[0] - low[0]), (double)(high[1] - low[1]), (double)(high[2] - low[2]),
            x.supers * 64, y.supers * 64, z.supers * 64, cell);
    p->supers_x = (uint32_t)x.supers;
    p->supers_y = (uint32_t)y.supers;
    p->supers_z = (uint32_t)z.supers;
    m->frame.super_total = p->supers_x * p->supers_y * p->supers_z;
    split_origin(&p->origin.x, &p->origin_rest.x, x.base * cell);
    split_origin(&p->origin.y, &p->origin_rest.y, y.base * cell);
    split_origin(&p->origin.z, &p->origin_rest.z, z.base * cell);
    p->origin.w = (float)cell;
    p->origin_rest.w = (float)(1.0 / cell);
    return WEIR_OK;
}

/* Sum of the weights (1 - s^2)^3 inside a fluid with a particle in every d^3: their integral. */
static double full_weight(double search)
{
    return 64.0 * 3.14159265358979 / 315.0 * search * search * search;
}

#define DAMPED_SHARE 0.75 /* nodes with more of the weight lie inside one body */

float mesher_cell(const mesher *m, const grid_points *points)
{
    return m->def.cell_m > 0.0f ? m->def.cell_m : m->def.cell * points->spacing_m;
}

static weir_result set_up_frame(mesher *m, const grid_points *points)
{
    const weir_mesher_def *def = &m->def;
    double spacing = (double)points->spacing_m;
    float cell = mesher_cell(m, points);
    double kernel = (double)def->search * spacing / (double)cell, reach = kernel;
    /* The longest axis of a needle of a ball's volume, its length over its width the stretch. */
    if (def->field == WEIR_MESH_ANISOTROPIC) reach *= pow((double)def->stretch, 2.0 / 3.0);
    m->frame =
        (mesher_frame){.points = points, .positions = points->position, .cell_m = (double)cell};
    m->params = (struct mesh_params){
        .particle_count = points->count,
        .bin_shift = reach <= 4.0 ? 2 : 3,
        .spray_neighbours = def->spray,
        .reach = (float)reach,
        .kernel = (float)kernel,
        .radius = (float)((double)def->radius * spacing / (double)cell),
        .iso = def->iso,
        .damping_weight = def->damping ? (float)(DAMPED_SHARE * full_weight(def->search)) : 0.0f,
    };
    m->params.bin_reach = (uint32_t)ceil(reach / (double)(1u << m->params.bin_shift));
    m->params.outside =
        def->field != WEIR_MESH_ZHU_BRIDSON ? def->iso : m->params.reach - m->params.radius;
    if (!(reach >= 1.0 && reach <= (double)MESH_REACH_MAX))
        return base_fail(mesher_log(m), WEIR_ARGUMENT,
                         "the search radius of %g m is %.3g cells of %g m, expected 1 to %u: "
                         "change the cell or `search`",
                         reach * (double)cell, reach, (double)cell, MESH_REACH_MAX);
    if (def->field == WEIR_MESH_ZHU_BRIDSON && def->radius >= def->search)
        return base_fail(mesher_log(m), WEIR_ARGUMENT,
                         "mesher: `radius` is %g, expected less than `search`, which is %g",
                         (double)def->radius, (double)def->search);
    return WEIR_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static weir_result read_lattice(mesher *m)
{
    const struct mesh_state *state = mesher_state(m);
    float low[3], high[3];
    if (state->low[3])
        return base_fail(mesher_log(m), WEIR_ARGUMENT,
                         "%u of %u particles have a position that is not finite: leave them out",
                         state->low[3], m->frame.points->count);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = from_ordered(~state->low[axis]);
        high[axis] = from_ordered(state->high[axis]);
    }
    return lay_out_lattice(m, low, high);
}

static bool same_lattice(const struct mesh_params *a, const struct mesh_params *b)
{
    return memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
           memcmp(&a->origin_rest, &b->origin_rest, sizeof a->origin_rest) == 0 &&
           a->supers_x == b->supers_x && a->supers_y == b->supers_y && a->supers_z == b->supers_z;
}

/* A phase, behind the ellipsoids where it is the super blocks'; the bounds' comes first where
 * something was guessed, for they clear what is known of it. */
static weir_result run_anew(mesher *m, enum mesher_phase phase, bool guessed)
{
    mesher_step steps[3];
    size_t count = 0;
    if (guessed) steps[count++] = (mesher_step){MESHER_PHASE_BOUNDS, 0};
    if (phase == MESHER_PHASE_SUPERS && m->def.field == WEIR_MESH_ANISOTROPIC)
        steps[count++] = (mesher_step){MESHER_PHASE_SHAPES, 0};
    steps[count++] = (mesher_step){phase, 0};
    return mesher_finish(m, steps, count);
}

static weir_result find_supers(mesher *m, bool guessed)
{
    WEIR_NEED(mesher_room_for_supers(m));
    return run_anew(m, MESHER_PHASE_SUPERS, guessed);
}

static weir_result find_children(mesher *m, bool guessed)
{
    if (m->frame.super_count > UINT32_MAX / MESH_CHILDREN - 1)
        return base_fail(mesher_log(m), WEIR_MEMORY,
                         "the particles touch %u blocks of 64^3 cells, more than 32 bits number: "
                         "raise the cell",
                         m->frame.super_count);
    WEIR_NEED(mesher_room_for_blocks(m));
    return run_anew(m, MESHER_PHASE_BLOCKS, guessed);
}

/* The lattice, by the frame's own bounds; with it, what is done on the terms of the frame before,
 * which are those of *guess. */
static weir_result find_lattice(mesher *m, struct mesh_params *guess)
{
    bool shaped = m->def.field == WEIR_MESH_ANISOTROPIC; /* centres come after the bounds */
    const struct mesh_params last = m->last;
    if (!shaped) WEIR_NEED(mesher_take_last(m, guess));
    if (guess->supers_x)
        WEIR_NEED(mesher_run_guess(m, MESHER_PHASE_BOUNDS));
    else
        WEIR_NEED(mesher_run_phase(m, MESHER_PHASE_BOUNDS, 0));
    WEIR_NEED(read_lattice(m));
    if (!shaped) return WEIR_OK;
    WEIR_NEED(mesher_ready_shapes(m));
    if (!same_lattice(&last, &m->params)) return WEIR_OK;
    WEIR_NEED(mesher_take_last(m, guess));
    if (guess->supers_x) return mesher_run_guess(m, MESHER_PHASE_SHAPES);
    return WEIR_OK;
}

static weir_result find_blocks(mesher *m)
{
    struct mesh_params guess = {0};
    WEIR_NEED(find_lattice(m, &guess));
    bool guessed = guess.supers_x > 0, right = guessed && same_lattice(&guess, &m->params);
    m->last.supers_x = 0; /* until this frame's is whole */
    if (!right) WEIR_NEED(find_supers(m, guessed));
    uint32_t supers = mesher_counted(m, MESHER_PHASE_SUPERS);
    right = right && supers <= guess.super_count;
    m->frame.super_count = m->params.super_count = supers;
    if (!right) WEIR_NEED(find_children(m, guessed));
    m->frame.block_count = m->params.block_count = mesher_counted(m, MESHER_PHASE_BLOCKS);
    if (m->frame.block_count == 0)
        return base_fail(mesher_log(m), WEIR_UNSUPPORTED,
                         "%s computes wrongly: it finds no block with any of %u particles; update "
                         "its driver, or choose another device: weir info lists them",
                         gpu_device_info(m->device)->name, m->frame.points->count);
    m->frame.counted = right && m->frame.block_count <= guess.block_count;
    m->last = m->params;
    return WEIR_OK;
}

/* ---- spray ---------------------------------------------------------------------------------- */

/* Three floats of each spray particle from a buffer of vec4. */
static weir_result spray_vectors(mesher *m, const gpu_buffer *from, const uint32_t *neighbours,
                                 mesher_spray *spray, vec3 **out)
{
    uint32_t n = m->frame.points->count, at = 0;
    vec4 *all = base_alloc(n, sizeof *all);
    *out = base_alloc(spray->count, sizeof **out);
    weir_result result = WEIR_MEMORY;
    if (all && *out) result = gpu_buffer_download(m->device, from, 0, all, n * sizeof *all);
    for (uint32_t i = 0; result == WEIR_OK && i < n; i++)
        if (neighbours[i] < m->def.spray) (*out)[at++] = (vec3){all[i].x, all[i].y, all[i].z};
    base_free(all);
    return result;
}

static weir_result read_spray(mesher *m, mesher_spray *spray)
{
    weir_result result = WEIR_MEMORY;
    const grid_points *points = m->frame.points;
    uint32_t *neighbours = base_alloc(points->count, sizeof *neighbours);
    if (!neighbours) goto fail;
    spray->count = m->frame.spray_count;
    /* A ball with a particle's volume: 4/3 pi r^3 = d^3. */
    spray->radius_m = 0.62035049f * points->spacing_m;
    WEIR_TRY(
        gpu_buffer_download(m->device, m->buffers.neighbours, 0, neighbours, 4ull * points->count));
    WEIR_TRY(spray_vectors(m, points->position, neighbours, spray, &spray->position));
    if (points->velocity)
        WEIR_TRY(spray_vectors(m, points->velocity, neighbours, spray, &spray->velocity));
fail:
    base_free(neighbours);
    if (result == WEIR_MEMORY)
        base_log(mesher_log(m), WEIR_LOG_ERROR, "no memory for %u particles of spray",
                 m->frame.spray_count);
    return result;
}

/* ---- a frame -------------------------------------------------------------------------------- */

/* Particles into bins; and, where the whole frame fits, its field in the same submission. */
static weir_result fill_bins(mesher *m)
{
    static const mesher_step steps[] = {
        {MESHER_PHASE_BINS, 0}, {MESHER_PHASE_SEATS, 0}, {MESHER_PHASE_FIELD, 0}};
    WEIR_NEED(mesher_room_for_particles(m));
    m->frame.counted = m->frame.block_count <= mesher_seat_limit(m);
    if (m->frame.counted) WEIR_NEED(mesher_room_for_seats(m));
    return mesher_finish(m, steps, m->frame.counted ? BASE_COUNT(steps) : 1);
}

/* All that comes before the surface, where that is not done already. */
static weir_result count_frame(mesher *m)
{
    const struct mesh_state *state = mesher_state(m);
    bool done = m->frame.counted;
    m->params.slab_first = 0;
    m->params.slab_end = m->frame.block_count;
    m->params.vertices_behind = 0;
    m->frame.seat_count = m->params.seat_count = m->frame.block_count;
    if (!done) WEIR_NEED(fill_bins(m));
    m->frame.spray_count = state->spray_count;
    m->frame.vertex_count = state->vertex_count;
    m->frame.triangle_count = state->triangle_count;
    m->frame.made = done && m->frame.vertex_count <= m->params.vertex_room &&
                    m->frame.triangle_count <= m->params.triangle_room;
    return WEIR_OK;
}

weir_result mesher_begin_frame(mesher *m, const grid_points *points, bool carried)
{
    const struct mesh_state *state = mesher_state(m);
    m->last_whole = m->frame.counted;
    m->last_output = (mesher_awaited){m->frame.vertex_count, m->frame.triangle_count};
    WEIR_NEED(set_up_frame(m, points));
    m->frame.carried = carried;
    if (points->count == 0) return WEIR_OK;
    WEIR_NEED(find_blocks(m));
    WEIR_NEED(count_frame(m));
    if (state->high[3] > 0)
        return base_fail(mesher_log(m), WEIR_ARGUMENT,
                         "%u particles lie within %g m of each other, at most %u are meshed: check "
                         "the particle spacing, which is %g m",
                         state->high[3], m->frame.cell_m * (double)(1u << m->params.bin_shift),
                         MESH_BIN_MOST, (double)points->spacing_m);
    return WEIR_OK;
}

static weir_result finish_frame(mesher *m, mesher_surface *surface, mesher_spray *spray)
{
    WEIR_NEED(mesher_run_slabs(m, surface));
    if (m->def.normals == WEIR_MESH_NORMALS_FACES)
        WEIR_NEED(mesher_surface_normals(mesher_log(m), surface, 0));
    surface->cell_m = (float)m->frame.cell_m;
    if (spray && m->frame.spray_count) WEIR_NEED(read_spray(m, spray));
    return WEIR_OK;
}

weir_result mesher_run(mesher *m, const grid_points *points, mesher_surface *surface,
                       mesher_spray *spray)
{
    weir_result result;
    *surface = (mesher_surface){0};
    if (spray) *spray = (mesher_spray){0};
    WEIR_TRY(mesher_begin_frame(m, points, true));
    if (points->count) WEIR_TRY(finish_frame(m, surface, spray));
    return WEIR_OK;
fail:
    mesher_surface_free(surface);
    mesher_spray_free(spray);
    return result;
}
