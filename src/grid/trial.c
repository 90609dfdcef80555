/* Are compact lists faster than wide ones on a device? They halve what readers fetch, and take more
 * instructions to make and to read: which counts for more is the device's matter, so that both
 * kinds are timed there once. A substep of four iterations reads its lists some ten times. */
#include "trial.h"

#include "grid/shaders.h"
#include "shared/grid.h"

#define EDGE 64u          /* particles on a side of the lattice: enough to fill a large GPU */
#define HALVINGS 10       /* of a spacing: the unit of positions */
#define LIST_CAPACITY 48u /* that of a simulation whose support radius is two spacings */
#define ROUNDS 4u         /* wide and compact by turns, for a clock that rises at first */
#define RUNS 6u           /* of each kind in a round */
#define GAIN 0.9          /* compact lists must take less than this share of the time */

/* Ids of the specialization constants. */
#define IS(id, name) GRID_IS_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

enum { LISTS, READ, ROWS };

typedef struct side {
    grid *grid;
    gpu_kernel *read;
    gpu_buffer *densities;
    gpu_row rows[ROWS];
} side;

typedef struct trial {
    gpu_device *device;
    uint32_t edge, count;
    gpu_buffer *positions, *sorted;
    side sides[GRID_LIST_KINDS];
} trial;

/* ---- the lattice ---------------------------------------------------------------------------- */

static int32_t position_along(uint32_t k)
{
    return (int32_t)(((2u * k + 1u) << HALVINGS) / 2u);
}

static weir_result upload_lattice(const trial *t)
{
    uint32_t n = t->edge;
    ivec4 *positions = base_alloc(t->count, sizeof *positions);
    if (!positions) return WEIR_MEMORY;
    for (uint32_t i = 0; i < t->count; i++)
        positions[i] =
            (ivec4){position_along(i % n), position_along(i / n % n), position_along(i / n / n), 0};
    weir_result result =
        gpu_buffer_upload(t->device, t->positions, 0, positions, t->count * sizeof *positions);
    base_free(positions);
    return result;
}

/* The positions in the order that the sort has found. */
static weir_result upload_sorted(const trial *t, const grid *g)
{
    weir_result result = WEIR_MEMORY;
    ivec4 *positions = base_alloc(t->count, sizeof *positions),
          *sorted = base_alloc(t->count, sizeof *sorted);
    uint32_t *sources = base_alloc(t->count, sizeof *sources);
    if (!positions || !sorted || !sources) goto fail;
    WEIR_TRY(
        gpu_buffer_download(t->device, t->positions, 0, positions, t->count * sizeof *positions));
    WEIR_TRY(
        gpu_buffer_download(t->device, grid_sources(g), 0, sources, t->count * sizeof *sources));
    for (uint32_t i = 0; i < t->count; i++)
        sorted[i] = positions[sources[i]];
    WEIR_TRY(gpu_buffer_upload(t->device, t->sorted, 0, sorted, t->count * sizeof *sorted));
fail:
    base_free(positions);
    base_free(sorted);
    base_free(sources);
    return result;
}

/* ---- a grid with lists of one kind ---------------------------------------------------------- */

static weir_result create_grid(const trial *t, bool compact, grid **g)
{
    uint32_t n = t->edge;
    float size = (float)n;
    const grid_def def = {
        .max = {size, size, size},
        .radius = 2.0f,
        .fixed = {.unit = ldexpf(1.0f, -HALVINGS)},
        .by_index = true,
        .compact = compact,
        .capacity = {.particles = t->count, .list = LIST_CAPACITY},
    };
    return grid_create(t->device, &def, g);
}

static weir_result create_kernel(const trial *t, bool compact, side *s)
{
    const uint32_t constants[] = {
        [GRID_IS_DENSE] = grid_is_dense(s->grid),
        [GRID_IS_COMPACT] = compact,
        [GRID_IS_FIXED] = true,
        [GRID_IS_GROUP] = gpu_device_workgroup(t->device),
    };
    const gpu_kernel_def def = {.shader = &grid_shaders[GRID_READ_LISTS],
                                .constants = constants,
                                .constant_count = BASE_COUNT(constants)};
    return gpu_kernel_create(t->device, &def, &s->read);
}

static gpu_row make_read_row(const trial *t, const side *s)
{
    gpu_row row = gpu_row_make(s->read, grid_live(s->grid));
    gpu_buffer *const buffers[GRID_BINDINGS] = {
        [GRID_BIND_grid] = grid_params_buffer(s->grid),
        [GRID_BIND_state] = grid_state_buffer(s->grid),
        [GRID_BIND_sorted_positions] = t->sorted,
        [GRID_BIND_headers] = grid_headers(s->grid),
        [GRID_BIND_list_steps] = grid_lists(s->grid),
        [GRID_BIND_densities] = s->densities,
    };
    gpu_row_bind_all(&row, buffers, GRID_BINDINGS);
    return row;
}

static weir_result sort(const trial *t, const side *s)
{
    gpu_row rows[GRID_POINT_ROWS];
    const grid_points points = {.count = t->count, .position = t->positions};
    WEIR_NEED(gpu_run_rows(t->device, rows, grid_point_rows(s->grid, &points, rows)));
    return upload_sorted(t, s->grid);
}

static weir_result create_side(const trial *t, bool compact, side *s)
{
    const gpu_buffer_def densities = {.name = "densities", .stride = 4, .count = t->count};
    WEIR_NEED(create_grid(t, compact, &s->grid));
    WEIR_NEED(create_kernel(t, compact, s));
    WEIR_NEED(gpu_buffer_create(t->device, &densities, &s->densities));
    grid_list_rows(s->grid, t->sorted, &s->rows[LISTS]);
    s->rows[READ] = make_read_row(t, s);
    s->rows[READ].group = "reads";
    s->rows[READ].repeat = GRID_TRIAL_READS;
    return sort(t, s);
}

static void destroy_side(gpu_device *device, side *s)
{
    gpu_buffer_destroy(device, &s->densities);
    gpu_kernel_destroy(device, &s->read);
    grid_destroy(device, &s->grid);
}

/* ---- the trial ------------------------------------------------------------------------------ */

static weir_result create_buffers(trial *t)
{
    uint32_t n = t->count;
    gpu_buffer_def positions = {.name = "positions", .stride = 16, .count = n};
    gpu_buffer_def sorted = {
        .name = "sorted_positions", .stride = 16, .count = n, .texels = GPU_WHOLES};
    WEIR_NEED(gpu_buffer_create(t->device, &positions, &t->positions));
    return gpu_buffer_create(t->device, &sorted, &t->sorted);
}

static weir_result time_sides(const trial *t, double ms[GRID_LIST_KINDS])
{
    ms[GRID_WIDE] = ms[GRID_COMPACT] = INFINITY;
    for (uint32_t turn = 0; turn < ROUNDS * GRID_LIST_KINDS; turn++) {
        uint32_t kind = turn % GRID_LIST_KINDS;
        const gpu_trial runs = {
            .title = "lists", .rows = t->sides[kind].rows, .row_count = ROWS, .runs = RUNS};
        double best_ms;
        WEIR_NEED(gpu_trial_best(t->device, &runs, &best_ms));
        ms[kind] = fmin(ms[kind], best_ms);
    }
    return WEIR_OK;
}

weir_result grid_trial_run(gpu_device *device, uint32_t edge, double ms[GRID_LIST_KINDS],
                           float *const sums[GRID_LIST_KINDS])
{
    weir_result result;
    trial t = {.device = device, .edge = edge, .count = edge * edge * edge};
    WEIR_TRY(create_buffers(&t));
    WEIR_TRY(upload_lattice(&t));
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        WEIR_TRY(create_side(&t, kind == GRID_COMPACT, &t.sides[kind]));
    WEIR_TRY(time_sides(&t, ms));
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        if (sums[kind])
            WEIR_TRY(gpu_buffer_download(device, t.sides[kind].densities, 0, sums[kind],
                                         t.count * sizeof *sums[kind]));
fail:
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        destroy_side(device, &t.sides[kind]);
    gpu_buffer_destroy(device, &t.positions);
    gpu_buffer_destroy(device, &t.sorted);
    return result;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* A choice belongs to the shaders that it was made with. */
static uint64_t hash_shaders(void)
{
    const gpu_words *make = &grid_shaders[GRID_LISTS].plain;
    const gpu_words *read = &grid_shaders[GRID_READ_LISTS].plain;
    uint64_t hash = base_hash64(make->words, make->count * sizeof *make->words, 0);
    return base_hash64(read->words, read->count * sizeof *read->words, hash);
}

weir_result grid_trial_choose(gpu_device *device, grid_trial_measure *measure, bool *compact)
{
    double ms[GRID_LIST_KINDS];
    uint32_t known = 0;
    uint64_t shaders = hash_shaders();
    if (!gpu_device_recall(device, "lists", shaders, &known)) {
        WEIR_NEED(measure(device, ms));
        known = ms[GRID_COMPACT] < GAIN * ms[GRID_WIDE];
        base_log(gpu_device_log(device), WEIR_LOG_INFO,
                 "%s: a substep's lists take %.3f ms wide, %.3f ms compact; they are made %s",
                 gpu_device_info(device)->name, ms[GRID_WIDE], ms[GRID_COMPACT],
                 known ? "compact" : "wide");
        gpu_device_remember(device, "lists", shaders, known);
    }
    *compact = known == 1;
    return WEIR_OK;
}

static weir_result measure_lists(gpu_device *device, double ms[GRID_LIST_KINDS])
{
    return grid_trial_run(device, EDGE, ms, (float *const[GRID_LIST_KINDS]){NULL, NULL});
}

weir_result grid_prefers_compact(gpu_device *device, bool *compact)
{
    const weir_device_info *info = gpu_device_info(device);
    *compact = false;
    if (info->kind == WEIR_DEVICE_CPU || !info->timestamps) return WEIR_OK;
    return grid_trial_choose(device, measure_lists, compact);
}
