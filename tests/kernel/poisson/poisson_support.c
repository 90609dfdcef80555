#include "poisson_support.h"

poisson_fixture create_fixture(gpu_device *device, const poisson_def *def)
{
    poisson_fixture b = {.device = device};
    OK(poisson_create(device, def, &b.solver));
    const gpu_buffer_def state = {.name = "state", .stride = sizeof(struct grid_state), .count = 1};
    OK(gpu_buffer_create(device, &state, &b.state));
    OK(gpu_buffer_download(device, poisson_get_buffers(b.solver)->multigrid, 0, &b.params,
                           sizeof b.params));
    ref_poisson_create(&b.ref, &b.params);
    b.cell_count = ref_poisson_cells(&b.ref.levels[0]);
    b.cells = base_alloc(b.cell_count, sizeof *b.cells);
    b.marks = base_alloc(b.params.entries + 1, sizeof *b.marks);
    b.blocks = base_alloc(def->capacity, sizeof *b.blocks);
    assert_true(b.cells && b.marks && b.blocks);
    return b;
}

void free_fixture(poisson_fixture *b)
{
    ref_poisson_free(&b->ref);
    gpu_buffer_destroy(b->device, &b->state);
    poisson_destroy(b->device, &b->solver);
    base_free(b->cells);
    base_free(b->face_coefficients);
    base_free(b->marks);
    base_free(b->blocks);
}

poisson_def poisson_box_def(uint32_t x, uint32_t y, uint32_t z, uint32_t capacity)
{
    return (poisson_def){
        .cells = {x, y, z}, .sizes_m = {1, 1, 1}, .tolerance = 1e-4f, .capacity = capacity};
}

float hash_noise(uint64_t draw)
{
    return base_hash_to_unit(draw) - 0.5f;
}

float ragged_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t middle = b->params.cells[0].y / 2;
    uint64_t draw = x + 1009ull * y + 1000003ull * z;
    if (y < middle) return -1.0f;
    if (y == middle) return hash_noise(draw) < 0.0f ? -1.0f : 0.0f;
    return hash_noise(draw) < -0.49f ? -1.0f : 0.0f;
}

float full_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z)
{
    (void)b, (void)x, (void)y, (void)z;
    return -1.0f;
}

float slanted_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z)
{
    if (x == 3 && y % 5 == 2) return POISSON_CLOSED; /* some cells are neither fluid nor air */
    return (float)y + 0.37f * (float)x + 0.21f * (float)z - 0.71f * (float)b->params.cells[0].y;
}

static float solid_distance(const poisson_fixture *b, const float p[3])
{
    const uint32_t *n = b->ref.levels[0].n;
    float ramp = 0.8f * p[1] - 0.6f * p[0] + 0.1f * (float)n[0], sum = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float d = p[axis] - (axis == 1 ? 0.3f : 0.6f) * (float)n[axis];
        sum += n[axis] > 1 ? d * d : 0.0f;
    }
    return fminf(ramp, sqrtf(sum) - 0.2f * (float)n[0]);
}

/* Returns the open fraction of the lower face of (x, y, z) along an axis. */
static float open_fraction(const poisson_fixture *b, enum face_cuts face_cuts, const uint32_t at[3],
                           uint32_t axis)
{
    float corners[4];
    uint64_t draw = 3ull * (at[0] + 2003ull * (at[1] + 2003ull * at[2])) + axis;
    if (face_cuts == WHOLE) return 1.0f;
    if (face_cuts == BY_CHANCE)
        return fminf(fmaxf(1.5f * base_hash_to_unit(draw) - 0.25f, 0.0f), 1.0f);
    for (uint32_t k = 0; k < 4; k++) {
        float p[3] = {(float)at[0], (float)at[1], (float)at[2]};
        p[(axis + 1) % 3] += (float)(k & 1);
        p[(axis + 2) % 3] += (float)(k >> 1);
        corners[k] = solid_distance(b, p);
    }
    return ref_square_open_fraction(corners);
}

void fill_level_set(poisson_fixture *b, level_set shape, enum face_cuts face_cuts)
{
    const uint32_t *n = b->ref.levels[0].n;
    for (size_t i = 0; i < b->cell_count; i++) {
        uint32_t at[3] = {(uint32_t)(i % n[0]), (uint32_t)(i / n[0] % n[1]),
                          (uint32_t)(i / n[0] / n[1])};
        b->cells[i].level_set = shape(b, at[0], at[1], at[2]);
        for (uint32_t side = 0; side < 6; side++) {
            uint32_t axis = side / 2, to[3] = {at[0], at[1], at[2]};
            to[axis] += side % 2;
            bool end = to[axis] == 0 || to[axis] == n[axis];
            if (b->params.periodic >> axis & 1) to[axis] %= n[axis];
            float open = open_fraction(b, face_cuts, to, axis);
            bool wall = end && !(b->params.periodic >> axis & 1);
            b->cells[i].open[side] = wall ? 0.0f : rintf(open * 65535.0f) / 65535.0f;
        }
    }
}

/* Marks the blocks of all cells within one cell of (x, y, z). */
static void mark_around(poisson_fixture *b, const int at[3])
{
    const uint32_t *n = b->ref.levels[0].n;
    const uvec4 *table = &b->params.tables[0];
    for (int k = 0; k < 27; k++) {
        const int offsets[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        uint32_t to[3];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            int size = (int)n[axis], x = at[axis] + offsets[axis];
            inside = inside && ((x >= 0 && x < size) || b->params.periodic >> axis & 1);
            to[axis] = (uint32_t)((x + size) % size) / POISSON_BLOCK_EDGE;
        }
        if (inside) b->marks[to[0] + table->x * (to[1] + table->y * to[2])] = 1;
    }
}

void mark_blocks(poisson_fixture *b)
{
    const uint32_t *n = b->ref.levels[0].n;
    memset(b->marks, 0, (b->params.entries + 1) * sizeof *b->marks);
    for (uint32_t e = 0; e < b->params.tables[0].w; e++)
        b->marks[e] = base_hash_to_unit(77 + e) < 0.1f;
    for (size_t i = 0; i < b->cell_count; i++)
        if (b->cells[i].level_set < 0.0f)
            mark_around(b,
                        (int[3]){(int)(i % n[0]), (int)(i / n[0] % n[1]), (int)(i / n[0] / n[1])});
}

size_t dense_index(const poisson_fixture *b, const struct poisson_block *block, uint32_t cell)
{
    const uint32_t *n = b->ref.levels[block->at.w].n;
    uint32_t x = block->at.x * 8 + (cell & 7), y = block->at.y * 8 + (cell >> 3 & 7);
    uint32_t z = block->at.z * 8 + (cell >> 6);
    return x < n[0] && y < n[1] && z < n[2] ? x + (size_t)n[0] * (y + (size_t)n[1] * z) : SIZE_MAX;
}

static uint32_t pack_fractions(float low, float high)
{
    return (uint32_t)rintf(low * 65535.0f) | (uint32_t)rintf(high * 65535.0f) << 16;
}

static void upload_cells(poisson_fixture *b)
{
    uint32_t count = b->solve.firsts[1];
    uvec4 *cells = base_alloc((size_t)count * POISSON_BLOCK_CELLS, sizeof *cells);
    for (uint32_t i = 0; i < count * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at == SIZE_MAX) continue;
        const ref_poisson_cell *own = &b->cells[at];
        cells[i] = (uvec4){pack_fractions(own->open[0], own->open[1]),
                           pack_fractions(own->open[2], own->open[3]),
                           pack_fractions(own->open[4], own->open[5]), 0};
        memcpy(&cells[i].w, &own->level_set, 4);
    }
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->cells, 0, cells,
                         (uint64_t)count * POISSON_BLOCK_CELLS * sizeof *cells));
    base_free(cells);
}

/* ---- variable coefficients ------------------------------------------------------------------ */

/* Returns 1 or 1/10, or a mean of the two in one face of seven: faces of cells that both fluids
 * share. */
static float coefficient_at(const poisson_fixture *b, const uint32_t at[3], uint32_t axis)
{
    uint64_t draw = at[0] / 3 + 1009ull * (at[1] / 3) + 1000003ull * (at[2] / 3);
    bool light = at[1] + at[0] / 4 > b->params.cells[0].y / 3;
    if (hash_noise(draw) > 0.4f) light = !light;
    float mixed = 0.5f + hash_noise(5 * draw + axis);
    if (hash_noise(11 * draw + at[0] + at[1] + at[2]) > 0.36f) return 1.0f / (1.0f + 9.0f * mixed);
    return light ? 1.0f : 0.1f;
}

/* Makes the coefficients and uploads them. The reference takes them as part of its open fractions,
 * after the device has got those without. */
static void set_face_coefficients(poisson_fixture *b)
{
    const uint32_t *n = b->ref.levels[0].n, count = b->solve.firsts[1] * POISSON_BLOCK_CELLS;
    vec4 *all = base_alloc(count + 1u, sizeof *all);
    b->face_coefficients = base_alloc(b->cell_count, sizeof *b->face_coefficients);
    assert_true(all && b->face_coefficients);
    for (size_t i = 0; i < b->cell_count; i++) {
        uint32_t at[3] = {(uint32_t)(i % n[0]), (uint32_t)(i / n[0] % n[1]),
                          (uint32_t)(i / n[0] / n[1])};
        b->face_coefficients[i] = (vec4){coefficient_at(b, at, 0), coefficient_at(b, at, 1),
                                         coefficient_at(b, at, 2), 0.0f};
        for (uint32_t side = 0; side < 6; side++) {
            uint32_t axis = side / 2, to[3] = {at[0], at[1], at[2]};
            to[axis] = (to[axis] + side % 2) % n[axis];
            b->cells[i].open[side] *= coefficient_at(b, to, axis);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at != SIZE_MAX) all[i] = b->face_coefficients[at];
    }
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->face_coefficients, 0, all,
                         count * sizeof *all));
    base_free(all);
}

void upload_sources(poisson_fixture *b, const float *sources)
{
    uint32_t count = b->solve.firsts[1];
    float *all = base_alloc((size_t)count * POISSON_BLOCK_CELLS, sizeof *all);
    for (uint32_t i = 0; i < count * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        if (at != SIZE_MAX) all[i] = sources[at];
    }
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->right_sides, 0, all,
                         (uint64_t)count * POISSON_BLOCK_CELLS * sizeof *all));
    base_free(all);
}

float *download_blocks(const poisson_fixture *b, const gpu_buffer *buffer, uint32_t each)
{
    uint64_t count = (uint64_t)b->solve.firsts[POISSON_MAX_LEVELS] * POISSON_BLOCK_CELLS * each;
    float *all = base_alloc(count + 1, sizeof *all);
    OK(gpu_buffer_download(b->device, buffer, 0, all, count * sizeof *all));
    return all;
}

double compare_level(const poisson_fixture *b, const gpu_buffer *buffer, uint32_t level,
                     const float *dense, uint32_t each)
{
    float *all = download_blocks(b, buffer, each);
    double worst = 0.0, largest = 1e-30;
    for (uint32_t i = b->solve.firsts[level] * POISSON_BLOCK_CELLS;
         i < b->solve.firsts[level + 1] * POISSON_BLOCK_CELLS; i++) {
        size_t at = dense_index(b, &b->blocks[i / POISSON_BLOCK_CELLS], i % POISSON_BLOCK_CELLS);
        for (uint32_t k = 0; at != SIZE_MAX && k < each; k++) {
            double expected = (double)dense[at * each + k], found = (double)all[i * each + k];
            worst = fmax(worst, fabs(found - expected));
            largest = fmax(largest, fabs(expected));
        }
    }
    base_free(all);
    return worst / largest;
}

void list_blocks(poisson_fixture *b)
{
    gpu_pass passes[POISSON_BLOCK_PASSES];
    OK(gpu_run_passes(b->device, passes, poisson_clear_passes(b->solver, b->state, passes)));
    OK(gpu_buffer_upload(b->device, poisson_get_buffers(b->solver)->block_marks, 0, b->marks,
                         b->params.tables[0].w * sizeof *b->marks));
    OK(gpu_run_passes(b->device, passes, poisson_block_passes(b->solver, b->state, passes)));
    OK(gpu_buffer_download(b->device, poisson_get_buffers(b->solver)->solve, 0, &b->solve,
                           sizeof b->solve));
    OK(gpu_buffer_download(b->device, poisson_get_buffers(b->solver)->blocks, 0, b->blocks,
                           b->solve.firsts[POISSON_MAX_LEVELS] * sizeof *b->blocks));
}

static void set_up(poisson_fixture *b, bool variable_coefficients)
{
    gpu_pass passes[POISSON_SETUP_PASSES];
    mark_blocks(b);
    list_blocks(b);
    upload_cells(b);
    if (variable_coefficients) set_face_coefficients(b);
    OK(gpu_run_passes(b->device, passes, poisson_setup_passes(b->solver, passes)));
    ref_poisson_setup(&b->ref, b->cells);
}

poisson_fixture create_ready_fixture(gpu_device *device, const poisson_def *def, level_set shape,
                                     enum face_cuts face_cuts)
{
    poisson_fixture b = create_fixture(device, def);
    fill_level_set(&b, shape, face_cuts);
    set_up(&b, def->variable_coefficients);
    return b;
}

float *make_sources(const poisson_fixture *b)
{
    float *sources = base_alloc(b->cell_count, sizeof *sources);
    assert_non_null(sources);
    for (size_t i = 0; i < b->cell_count; i++)
        sources[i] = b->ref.levels[0].coefficients[i].w > 0.0f ? hash_noise(31 * i) : 0.0f;
    return sources;
}

void solve_poisson(poisson_fixture *b, const float *sources)
{
    gpu_pass *passes = base_alloc(POISSON_SOLVE_PASSES, sizeof *passes);
    upload_sources(b, sources);
    OK(gpu_run_passes(b->device, passes, poisson_solve_passes(b->solver, 20, passes)));
    OK(gpu_buffer_download(b->device, poisson_get_buffers(b->solver)->solve, 0, &b->solve,
                           sizeof b->solve));
    base_free(passes);
}
