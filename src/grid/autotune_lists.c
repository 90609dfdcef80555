/* Measures whether compact lists are faster than wide ones on a device. They halve the bytes that
 * readers fetch but take more instructions to build and to read; which effect is larger depends on
 * the device, so both kinds are timed there once. A substep of four iterations reads its lists
 * about ten times. */
#include "autotune_lists.h"

#include "grid/shaders.h"
#include "shared/grid.h"

#define LATTICE_EDGE 64u  /* particles along an edge of the lattice: enough to fill a large GPU */
#define MAX_HALVINGS 10   /* halvings of the spacing that give the unit of positions */
#define LIST_CAPACITY 48u /* as in a simulation whose support radius is two spacings */
#define TIMING_ROUNDS 4u  /* alternating between wide and compact, because clocks rise at first */
#define TIMING_RUNS 6u    /* of each kind per round */
#define MIN_GAIN 0.9      /* compact lists must take less than this fraction of the time */

/* Ids of the specialization constants. */
#define IS(id, name) GRID_CONSTANT_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

enum { LISTS, READ, ROWS };

typedef struct list_variant {
    grid *grid;
    gpu_pipeline *read;
    gpu_buffer *densities;
    gpu_pass passes[ROWS];
} list_variant;

typedef struct list_benchmark {
    gpu_device *device;
    uint32_t edge, count;
    gpu_buffer *positions, *sorted;
    list_variant list_variants[GRID_LIST_KINDS];
} list_benchmark;

/* ---- the lattice ---------------------------------------------------------------------------- */

static int32_t position_along(uint32_t k)
{
    return (int32_t)(((2u * k + 1u) << MAX_HALVINGS) / 2u);
}

static weir_result upload_lattice(const list_benchmark *t)
{
    uint32_t n = t->edge;
    ivec4 *positions = base_alloc(t->count, sizeof *positions);
    if (!positions) return WEIR_ERROR_MEMORY;
    for (uint32_t i = 0; i < t->count; i++)
        positions[i] =
            (ivec4){position_along(i % n), position_along(i / n % n), position_along(i / n / n), 0};
    weir_result result =
        gpu_buffer_upload(t->device, t->positions, 0, positions, t->count * sizeof *positions);
    base_free(positions);
    return result;
}

/* Uploads the positions in the order that the sort produced. */
static weir_result upload_sorted(const list_benchmark *t, const grid *g)
{
    weir_result result = WEIR_ERROR_MEMORY;
    ivec4 *positions = base_alloc(t->count, sizeof *positions),
          *sorted = base_alloc(t->count, sizeof *sorted);
    uint32_t *sources = base_alloc(t->count, sizeof *sources);
    if (!positions || !sorted || !sources) goto fail;
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(t->device, t->positions, 0, positions, t->count * sizeof *positions));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(t->device, grid_sort_sources(g), 0, sources,
                                           t->count * sizeof *sources));
    for (uint32_t i = 0; i < t->count; i++)
        sorted[i] = positions[sources[i]];
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_upload(t->device, t->sorted, 0, sorted, t->count * sizeof *sorted));
fail:
    base_free(positions);
    base_free(sorted);
    base_free(sources);
    return result;
}

/* ---- a grid with lists of one kind ---------------------------------------------------------- */

static weir_result create_grid(const list_benchmark *t, bool compact, grid **g)
{
    uint32_t n = t->edge;
    float size = (float)n;
    const grid_def def = {
        .max = {size, size, size},
        .radius = 2.0f,
        .fixed = {.unit = ldexpf(1.0f, -MAX_HALVINGS)},
        .by_index = true,
        .compact = compact,
        .capacity = {.particles = t->count, .list = LIST_CAPACITY},
    };
    return grid_create(t->device, &def, g);
}

static weir_result create_pipeline(const list_benchmark *t, bool compact, list_variant *s)
{
    const uint32_t constants[] = {
        [GRID_CONSTANT_DENSE] = grid_is_dense(s->grid),
        [GRID_CONSTANT_COMPACT] = compact,
        [GRID_CONSTANT_FIXED] = true,
        [GRID_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(t->device),
    };
    const gpu_pipeline_def def = {.shader = &grid_shaders[GRID_BENCHMARK_LIST_READ],
                                  .constants = constants,
                                  .constant_count = BASE_COUNT(constants)};
    return gpu_pipeline_create(t->device, &def, &s->read);
}

static gpu_pass make_list_read_pass(const list_benchmark *t, const list_variant *s)
{
    gpu_pass pass = gpu_pass_make(s->read, grid_live_dispatch_size(s->grid));
    gpu_buffer *const buffers[GRID_BINDINGS] = {
        [GRID_BIND_grid] = grid_params_buffer(s->grid),
        [GRID_BIND_state] = grid_state_buffer(s->grid),
        [GRID_BIND_sorted_positions] = t->sorted,
        [GRID_BIND_neighbour_headers] = grid_list_headers(s->grid),
        [GRID_BIND_list_vectors] = grid_lists(s->grid),
        [GRID_BIND_densities] = s->densities,
    };
    gpu_pass_bind_all(&pass, buffers, GRID_BINDINGS);
    return pass;
}

static weir_result build_lists(const list_benchmark *t, const list_variant *s)
{
    gpu_pass passes[GRID_POINT_PASSES];
    const particle_view points = {.count = t->count, .position = t->positions};
    WEIR_RETURN_IF_ERROR(
        gpu_run_passes(t->device, passes, grid_point_passes(s->grid, &points, passes)));
    return upload_sorted(t, s->grid);
}

static weir_result create_variant(const list_benchmark *t, bool compact, list_variant *s)
{
    const gpu_buffer_def densities = {.name = "densities", .stride = 4, .count = t->count};
    WEIR_RETURN_IF_ERROR(create_grid(t, compact, &s->grid));
    WEIR_RETURN_IF_ERROR(create_pipeline(t, compact, s));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(t->device, &densities, &s->densities));
    grid_list_passes(s->grid, t->sorted, &s->passes[LISTS]);
    s->passes[READ] = make_list_read_pass(t, s);
    s->passes[READ].group = "reads";
    s->passes[READ].repeat = GRID_AUTOTUNE_READS;
    return build_lists(t, s);
}

static void destroy_variant(gpu_device *device, list_variant *s)
{
    gpu_buffer_destroy(device, &s->densities);
    gpu_pipeline_destroy(device, &s->read);
    grid_destroy(device, &s->grid);
}

/* ---- the benchmark -------------------------------------------------------------------------- */

static weir_result create_buffers(list_benchmark *t)
{
    uint32_t n = t->count;
    gpu_buffer_def positions = {.name = "positions", .stride = 16, .count = n};
    gpu_buffer_def sorted = {
        .name = "sorted_positions", .stride = 16, .count = n, .texels = GPU_TEXELS_IVEC4};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(t->device, &positions, &t->positions));
    return gpu_buffer_create(t->device, &sorted, &t->sorted);
}

static weir_result time_variants(const list_benchmark *t, double ms[GRID_LIST_KINDS])
{
    ms[GRID_WIDE] = ms[GRID_COMPACT] = INFINITY;
    for (uint32_t turn = 0; turn < TIMING_ROUNDS * GRID_LIST_KINDS; turn++) {
        uint32_t kind = turn % GRID_LIST_KINDS;
        const gpu_benchmark runs = {.trace_name = "lists",
                                    .passes = t->list_variants[kind].passes,
                                    .pass_count = ROWS,
                                    .runs = TIMING_RUNS};
        double best_ms;
        WEIR_RETURN_IF_ERROR(gpu_benchmark_best(t->device, &runs, &best_ms));
        ms[kind] = fmin(ms[kind], best_ms);
    }
    return WEIR_OK;
}

weir_result grid_autotune_run(gpu_device *device, uint32_t edge, double ms[GRID_LIST_KINDS],
                              float *const sums[GRID_LIST_KINDS])
{
    weir_result result;
    list_benchmark t = {.device = device, .edge = edge, .count = edge * edge * edge};
    WEIR_GOTO_IF_ERROR(create_buffers(&t));
    WEIR_GOTO_IF_ERROR(upload_lattice(&t));
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        WEIR_GOTO_IF_ERROR(create_variant(&t, kind == GRID_COMPACT, &t.list_variants[kind]));
    WEIR_GOTO_IF_ERROR(time_variants(&t, ms));
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        if (sums[kind])
            WEIR_GOTO_IF_ERROR(gpu_buffer_download(device, t.list_variants[kind].densities, 0,
                                                   sums[kind], t.count * sizeof *sums[kind]));
fail:
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        destroy_variant(device, &t.list_variants[kind]);
    gpu_buffer_destroy(device, &t.positions);
    gpu_buffer_destroy(device, &t.sorted);
    return result;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* Hashes the shaders, because a choice is valid only for the shaders that it was measured with. */
static uint64_t hash_shaders(void)
{
    const gpu_spirv *make = &grid_shaders[GRID_BUILD_NEIGHBOUR_LISTS].plain;
    const gpu_spirv *read = &grid_shaders[GRID_BENCHMARK_LIST_READ].plain;
    uint64_t hash = base_hash64(make->words, make->count * sizeof *make->words, 0);
    return base_hash64(read->words, read->count * sizeof *read->words, hash);
}

weir_result grid_autotune_choose(gpu_device *device, grid_autotune_measure *measure, bool *compact)
{
    double ms[GRID_LIST_KINDS];
    uint32_t known = 0;
    uint64_t shaders = hash_shaders();
    if (!gpu_tuning_load(device, "lists", shaders, &known)) {
        WEIR_RETURN_IF_ERROR(measure(device, ms));
        known = ms[GRID_COMPACT] < MIN_GAIN * ms[GRID_WIDE];
        base_log(gpu_device_log(device), WEIR_LOG_INFO,
                 "%s: neighbour lists take %.3f ms per substep wide, %.3f ms compact; using %s",
                 gpu_device_info(device)->name, ms[GRID_WIDE], ms[GRID_COMPACT],
                 known ? "compact" : "wide");
        gpu_tuning_store(device, "lists", shaders, known);
    }
    *compact = known == 1;
    return WEIR_OK;
}

static weir_result measure_lists(gpu_device *device, double ms[GRID_LIST_KINDS])
{
    return grid_autotune_run(device, LATTICE_EDGE, ms, (float *const[GRID_LIST_KINDS]){NULL, NULL});
}

weir_result grid_autotune_prefers_compact(gpu_device *device, bool *compact)
{
    const weir_device_info *info = gpu_device_info(device);
    *compact = false;
    if (info->kind == WEIR_DEVICE_CPU || !info->timestamps) return WEIR_OK;
    return grid_autotune_choose(device, measure_lists, compact);
}
