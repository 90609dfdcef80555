/* Tests the grid's shaders against tests/ref: scan, stable order, neighbour lists, overflow. */
#include "device_support.h"
#include "grid.h"
#include "ref_grid.h"
#include "sim_support.h"

/* A grid with positions and ids on the device, and the results of its passes. */
typedef struct bench {
    gpu_device *device;
    grid *grid;
    gpu_buffer *positions, *ids, *sorted;
    struct grid_params params;
    gpu_pass passes[GRID_SORT_PASSES + GRID_LIST_PASSES];
    uint32_t pass_count, sort_count;
} bench;

static const uint32_t sizes[] = {0, 1, 63, 64, 65, 2000};

static gpu_buffer *make_buffer(gpu_device *device, const char *name, uint32_t stride,
                               uint64_t count)
{
    const gpu_buffer_def def = {.name = name,
                                .stride = stride,
                                .count = count,
                                .texels = stride == 16 ? GPU_TEXELS_IVEC4 : GPU_TEXELS_NONE};
    gpu_buffer *buffer = NULL;
    OK(gpu_buffer_create(device, &def, &buffer));
    return buffer;
}

/* Positions are in metres, like points from elsewhere: they can only be sorted. */
static bench make_metres_bench(gpu_device *device, const grid_def *def)
{
    bench b = {.device = device};
    uint32_t n = def->capacity.particles;
    OK(grid_create(device, def, &b.grid));
    b.positions = make_buffer(device, "positions", 16, n);
    b.sorted = make_buffer(device, "sorted", 16, n);
    b.ids = make_buffer(device, "ids", 4, n);
    OK(gpu_buffer_download(device, grid_params_buffer(b.grid), 0, &b.params, sizeof b.params));
    b.pass_count = b.sort_count = grid_sort_passes(b.grid, b.positions, b.ids, b.passes);
    return b;
}

/* Positions are fixed-point, in the unit that a simulation would choose. */
static bench make_bench(gpu_device *device, const grid_def *def)
{
    grid_def placed = *def;
    vec3 size = vec3_sub(def->max, def->min);
    float extent = fmaxf(fmaxf(size.x, size.y), size.z);
    placed.fixed.origin = vec3_scale(vec3_add(def->min, def->max), 0.5f);
    placed.fixed.unit =
        ldexpf(def->radius, -(int)floorf(log2f(1073741824.0f * def->radius / extent)));
    bench b = make_metres_bench(device, &placed);
    b.pass_count += grid_list_passes(b.grid, b.sorted, b.passes + b.pass_count);
    return b;
}

static void free_bench(bench *b)
{
    gpu_buffer_destroy(b->device, &b->positions);
    gpu_buffer_destroy(b->device, &b->sorted);
    gpu_buffer_destroy(b->device, &b->ids);
    grid_destroy(b->device, &b->grid);
}

/* ---- particles to sort ---------------------------------------------------------------------- */

typedef struct cloud {
    vec4 *positions;
    uint32_t *ids;
    uint32_t count;
} cloud;

static void free_cloud(cloud *c)
{
    base_free(c->positions);
    base_free(c->ids);
}

static float between(uint64_t draw, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(draw);
}

/* Uniform in a box; `dead` of 100 are dead. Ids are an odd multiple of the index, so that no two
 * are equal and their order differs from that of the indices. */
static cloud make_cloud(uint32_t count, vec3 low, vec3 high, uint32_t dead)
{
    cloud c = {base_alloc(count + 1u, sizeof *c.positions), base_alloc(count + 1u, sizeof *c.ids),
               count};
    assert_true(c.positions && c.ids);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t draw = 4ull * i + 1000003ull * count;
        bool alive = between(draw + 3, 0.0f, 100.0f) >= (float)dead;
        c.positions[i] = (vec4){between(draw, low.x, high.x), between(draw + 1, low.y, high.y),
                                between(draw + 2, low.z, high.z), alive ? 1.0f : -1.0f};
        c.ids[i] = i * 2654435761u;
    }
    return c;
}

static int32_t place_on(const bench *b, float x, float origin, int32_t corner)
{
    return corner + (int32_t)rint(((double)x - (double)origin) / (double)b->params.unit);
}

/* Converts positions to the grid's format; release with base_free. */
static ref_position *positions_of(const bench *b, const cloud *c)
{
    const vec4 *o = &b->params.origin;
    const ivec4 *corner = &b->params.corner;
    ref_position *all = base_alloc(c->count + 1u, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < c->count; i++) {
        vec4 p = c->positions[i];
        all[i].metres = p;
        if (b->params.unit > 0.0f)
            all[i].fixed =
                (ivec4){place_on(b, p.x, o->x, corner->x), place_on(b, p.y, o->y, corner->y),
                        place_on(b, p.z, o->z, corner->z), all[i].fixed.w};
    }
    return all;
}

/* Writes the particle count and the dispatch arguments, like the caller's first pass. */
static void start_sort(const bench *b, uint32_t count)
{
    struct grid_state state = {.count = count, .segment_scan_length = b->params.segment_count + 2u};
    uint32_t *arguments = &state.arguments[GRID_ARGS_PARTICLES * 3u];
    arguments[0] = (count + 63u) / 64u;
    arguments[1] = arguments[2] = 1;
    OK(gpu_buffer_upload(b->device, grid_state_buffer(b->grid), 0, &state, sizeof state));
}

static struct grid_state end_state(const bench *b)
{
    struct grid_state state;
    OK(gpu_buffer_download(b->device, grid_state_buffer(b->grid), 0, &state, sizeof state));
    return state;
}

static void sort_on_device(const bench *b, const cloud *c)
{
    start_sort(b, c->count);
    ref_position *positions = positions_of(b, c);
    OK(gpu_buffer_upload(b->device, b->positions, 0, positions, c->count * sizeof *positions));
    base_free(positions);
    OK(gpu_buffer_upload(b->device, b->ids, 0, c->ids, c->count * sizeof(uint32_t)));
    OK(gpu_run_passes(b->device, b->passes, b->sort_count));
}

/* Sorts, compares the order with the reference, and leaves the sorted positions on the device and
 * in `sorted`; returns the number of live particles. */
static uint32_t assert_sorts(const bench *b, const cloud *c, ref_position *sorted)
{
    ref_position *positions = positions_of(b, c);
    uint32_t *expected = base_alloc(c->count + 1u, sizeof *expected);
    uint32_t *order = base_alloc(c->count + 1u, sizeof *order);
    assert_true(expected && order);
    uint32_t live = ref_grid_sort(&b->params, positions, c->ids, c->count, expected);
    sort_on_device(b, c);
    struct grid_state state = end_state(b);
    assert_int_equal(state.flags, 0);
    assert_int_equal(state.live, live);
    if (c->count)
        OK(gpu_buffer_download(b->device, grid_sort_sources(b->grid), 0, order, 4ull * c->count));
    assert_memory_equal(order, expected, 4ull * c->count);
    for (uint32_t i = 0; i < live; i++)
        sorted[i] = positions[order[i]];
    OK(gpu_buffer_upload(b->device, b->sorted, 0, sorted, live * sizeof *sorted));
    base_free(positions);
    base_free(expected);
    base_free(order);
    return live;
}

/* ---- neighbours ----------------------------------------------------------------------------- */

enum { NOT_NEAR, MAYBE, NEAR };

typedef struct expectation {
    uint8_t *near;
    uint32_t touched[8192], count; /* particles to reset after a query */
} expectation;

static void expect(void *user, uint32_t j, bool sure)
{
    expectation *e = user;
    assert_true(e->count < BASE_COUNT(e->touched));
    e->near[j] = sure ? NEAR : MAYBE;
    e->touched[e->count++] = j;
}

static void compare_list(const host_lists *lists, uint32_t i, expectation *e)
{
    for (uint32_t k = lists->first[i]; k < lists->first[i + 1]; k++) {
        uint32_t j = lists->items[k];
        if (e->near[j] == NOT_NEAR) fail_msg("particle %u lists %u, which is no neighbour", i, j);
        if (k > lists->first[i] && j == lists->items[k - 1]) fail_msg("%u lists %u twice", i, j);
        e->near[j] = NOT_NEAR;
    }
    for (uint32_t k = 0; k < e->count; k++) {
        if (e->near[e->touched[k]] == NEAR)
            fail_msg("particle %u does not list its neighbour %u", i, e->touched[k]);
        e->near[e->touched[k]] = NOT_NEAR;
    }
    e->count = 0;
}

/* By brute force for few particles, by buckets for many. */
static void assert_lists(const bench *b, const ref_position *sorted, uint32_t live)
{
    static expectation e;
    ref_buckets buckets;
    host_lists lists;
    OK(gpu_run_passes(b->device, b->passes + b->sort_count, GRID_LIST_PASSES));
    assert_int_equal(end_state(b).flags, 0);
    lists = download_lists(b->device, b->grid, live);
    assert_true(ref_buckets_create(&b->params, sorted, live, &buckets));
    const ref_query query = {&b->params, sorted, live, live > 2000 ? &buckets : NULL};
    e = (expectation){.near = base_alloc(live + 1u, 1)};
    assert_non_null(e.near);
    for (uint32_t i = 0; i < live; i++) {
        ref_query_neighbours(&query, i, expect, &e);
        compare_list(&lists, i, &e);
    }
    base_free(e.near);
    ref_buckets_free(&buckets);
    free_lists(&lists);
}

static void assert_sorts_and_lists(const bench *b, const cloud *c)
{
    ref_position *sorted = base_alloc(c->count + 1u, sizeof *sorted);
    assert_non_null(sorted);
    uint32_t live = assert_sorts(b, c, sorted);
    assert_lists(b, sorted, live);
    base_free(sorted);
}

/* ---- scan ----------------------------------------------------------------------------------- */

/* `which`: 0 for the scan of segments, with a dispatch size from the host; 1 for the scan of bins,
 * with one that the GPU counts. */
static void assert_scans(const bench *b, uint32_t which, uint32_t count)
{
    uint32_t pass = row_of(b->passes, b->pass_count, "scan_reduce_tiles") + which;
    gpu_buffer *scanned_by[] = {grid_segment_buffer(b->grid), grid_bin_starts(b->grid)};
    gpu_buffer *data = scanned_by[which];
    while (strcmp(gpu_pipeline_name(b->passes[pass].pipeline), "scan_reduce_tiles") ||
           pass_buffer(&b->passes[pass], GRID_BIND_scan_data) != data)
        pass++;
    uint32_t *values = base_alloc(count + 1u, sizeof *values);
    uint32_t *scanned = base_alloc(count + 1u, sizeof *scanned);
    struct grid_state state = {.segment_scan_length = count, .bin_scan_length = count};
    state.arguments[GRID_ARGS_BIN_TILES * 3u] = (count + GRID_SCAN_TILE - 1u) / GRID_SCAN_TILE;
    state.arguments[GRID_ARGS_BIN_TILES * 3u + 1u] = 1;
    state.arguments[GRID_ARGS_BIN_TILES * 3u + 2u] = 1;
    assert_true(values && scanned && gpu_buffer_count(data) >= count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (uint32_t)base_hash_mix64(i + count) % 1000u;
    OK(gpu_buffer_upload(b->device, grid_state_buffer(b->grid), 0, &state, sizeof state));
    OK(gpu_buffer_upload(b->device, data, 0, values, 4ull * count));
    OK(gpu_run_passes(b->device, b->passes + pass, 2));
    if (count) OK(gpu_buffer_download(b->device, data, 0, scanned, 4ull * count));
    ref_grid_scan(values, count);
    assert_memory_equal(scanned, values, 4ull * count);
    base_free(values);
    base_free(scanned);
}

static void the_scan_gives_the_sum_of_all_before(void **state)
{
    static const uint32_t lengths[] = {0,    1,    63,   64,    65,     255,   256,
                                       4095, 4096, 4097, 65537, 100000, 131071};
    const grid_def def = {
        .max = {400.0f, 400.0f, 400.0f}, .radius = 1.0f, .capacity = {64, 8, 8192}};
    bench b = make_bench(checked, &def);
    for (size_t i = 0; i < BASE_COUNT(lengths); i++)
        for (uint32_t which = 0; which < 2; which++)
            assert_scans(&b, which, lengths[i]);
    free_bench(&b);
}

/* The sums of so many tiles have a pass of their own. */
static void a_long_scan_gives_the_sum_of_all_before(void **state)
{
    const uint32_t count = 1024u * GRID_SCAN_TILE + 4099u, kept = 77u;
    gpu_buffer *data = NULL, *sums = NULL;
    grid_scan *scan = NULL;
    gpu_pass passes[GRID_SCAN_PASSES];
    uint32_t *values = base_alloc(count + 1u, sizeof *values);
    uint32_t *scanned = base_alloc(count + 1u, sizeof *scanned);
    assert_true(values && scanned);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (uint32_t)base_hash_mix64(i) % 1000u;
    values[count] = kept;
    OK(grid_scan_create(checked, &scan));
    OK(gpu_buffer_create(
        checked, &(gpu_buffer_def){.name = "data", .stride = 4, .count = count + 1ull}, &data));
    OK(gpu_buffer_create(
        checked,
        &(gpu_buffer_def){.name = "sums", .stride = 4, .count = count / GRID_SCAN_TILE + 1ull},
        &sums));
    OK(gpu_buffer_upload(checked, data, 0, values, 4ull * (count + 1ull)));
    const grid_scan_def def = {.data = data, .sums = sums, .count = count};
    assert_int_equal(grid_scan_passes(scan, &def, passes), 3);
    OK(gpu_run_passes(checked, passes, 3));
    OK(gpu_buffer_download(checked, data, 0, scanned, 4ull * (count + 1ull)));
    ref_grid_scan(values, count);
    assert_memory_equal(scanned, values, 4ull * (count + 1ull)); /* with what lies beyond the end */
    grid_scan_destroy(checked, &scan);
    gpu_buffer_destroy(checked, &data);
    gpu_buffer_destroy(checked, &sums);
    base_free(values);
    base_free(scanned);
}

/* ---- sort and lists ------------------------------------------------------------------------- */

#define UNIT_BOX                                                               \
    {                                                                          \
        .min = {-1.0f, 0.5f, 2.0f}, .max = {0.1f, 1.7f, 3.3f}, .radius = 0.15f \
    }

/* A grid of few bins is dense; one of many bins, most of them empty, is sparse. */
typedef bench make_any(gpu_device *device, const grid_def *def);
static bench make_box(gpu_device *device, const grid_def *box, bool dense, make_any *make)
{
    grid_def def = *box;
    if (!dense) def.max.y += 30.0f;
    bench b = make(device, &def);
    assert_int_equal(grid_is_dense(b.grid), dense);
    return b;
}

static void check_order(bool dense, make_any *make)
{
    grid_def def = UNIT_BOX;
    def.capacity = (grid_capacity){2000, 128, 4096};
    bench b = make_box(checked, &def, dense, make);
    ref_position sorted[2000];
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        for (uint32_t dead = 0; dead <= 100; dead += 50) {
            cloud c = make_cloud(sizes[i], def.min, def.max, dead);
            assert_sorts(&b, &c, sorted);
            free_cloud(&c);
        }
    }
    free_bench(&b);
}

static void the_order_is_that_of_a_stable_sort_by_cell_and_id(void **state)
{
    check_order(true, make_bench);
    check_order(false, make_bench);
    check_order(true, make_metres_bench);
}

static void check_box_lists(bool dense)
{
    grid_def def = UNIT_BOX;
    def.capacity = (grid_capacity){2000, 128, 4096};
    bench b = make_box(checked, &def, dense, make_bench);
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        cloud c = make_cloud(sizes[i], def.min, def.max, 10);
        assert_sorts_and_lists(&b, &c);
        free_cloud(&c);
    }
    free_bench(&b);
}

static void the_lists_hold_exactly_the_neighbours(void **state)
{
    check_box_lists(true);
    check_box_lists(false);
}

static void neighbours_are_found_across_periodic_sides_of_every_axis(void **state)
{
    for (uint32_t kind = 2; kind < 16; kind++) {
        uint32_t axes = kind / 2;
        grid_def def = UNIT_BOX;
        def.capacity = (grid_capacity){1500, 128, 4096};
        for (uint32_t axis = 0; axis < 3; axis++)
            def.periodic[axis] = (axes >> axis & 1u) != 0;
        if (kind % 2) def.max.x += 30.0f; /* a sparse domain */
        bench b = make_bench(axes == 5 ? checked : quick, &def);
        assert_int_equal(grid_is_dense(b.grid), kind % 2 == 0);
        cloud c = make_cloud(1500, def.min, def.max, 0);
        assert_sorts_and_lists(&b, &c);
        free_cloud(&c);
        free_bench(&b);
    }
}

/* The prediction may move particles past a side: closed sides clamp them, periodic ones wrap
 * them. */
static void particles_outside_the_domain_have_their_neighbours_too(void **state)
{
    for (uint32_t axes = 0; axes < 8; axes++) {
        grid_def def = UNIT_BOX;
        def.capacity = (grid_capacity){1500, 256, 4096};
        for (uint32_t axis = 0; axis < 3; axis++)
            def.periodic[axis] = (axes >> axis & 1u) != 0;
        bench b = make_bench(quick, &def);
        vec3 margin = {0.35f, 0.35f, 0.35f};
        cloud c = make_cloud(1500, vec3_sub(def.min, margin), vec3_add(def.max, margin), 5);
        assert_sorts_and_lists(&b, &c);
        free_cloud(&c);
        free_bench(&b);
    }
}

static void all_particles_may_share_one_cell(void **state)
{
    grid_def def = UNIT_BOX;
    def.capacity = (grid_capacity){1000, 1000, 64};
    bench b = make_bench(quick, &def);
    cloud c = make_cloud(1000, vec3_make(-0.51f, 1.01f, 2.51f), vec3_make(-0.5f, 1.02f, 2.52f), 0);
    assert_sorts_and_lists(&b, &c);
    free_cloud(&c);
    free_bench(&b);
}

static void a_hundred_thousand_particles_sort_and_find_their_neighbours(void **state)
{
    grid_def def = {.max = {3.0f, 3.0f, 3.0f}, .radius = 0.125f};
    def.capacity = (grid_capacity){100000, 128, 8192};
    bench b = make_bench(quick, &def);
    cloud c = make_cloud(100000, def.min, def.max, 3);
    assert_sorts_and_lists(&b, &c);
    free_cloud(&c);
    free_bench(&b);
}

/* 1000 cells of the support radius on every axis, with particles in a few distant corners. */
static void a_domain_of_a_thousand_cells_cubed_holds_a_sparse_fluid(void **state)
{
    grid_def def = {.max = {99.9f, 99.9f, 99.9f}, .radius = 0.1f};
    def.capacity = (grid_capacity){20000, 128, 20001};
    bench b = make_bench(quick, &def);
    cloud c = make_cloud(20000, vec3_make(0, 0, 0), vec3_make(0.8f, 0.8f, 0.8f), 0);
    for (uint32_t i = 0; i < c.count; i++) {
        c.positions[i].x += i % 2 ? 99.0f : 0.0f;
        c.positions[i].y += i % 4 / 2 ? 99.0f : 0.0f;
        c.positions[i].z += i % 8 / 4 ? 99.0f : 0.0f;
    }
    for (uint32_t i = 0; i < 5000; i++) {
        c.positions[i].x = between(3ull * i, 0.0f, 99.9f);
        c.positions[i].y = between(3ull * i + 1, 0.0f, 99.9f);
        c.positions[i].z = between(3ull * i + 2, 0.0f, 99.9f);
    }
    assert_sorts_and_lists(&b, &c);
    free_cloud(&c);
    free_bench(&b);
}

/* ---- overflow ------------------------------------------------------------------------------- */

static void lists_too_short_raise_the_flag_and_tell_the_need(void **state)
{
    grid_def def = UNIT_BOX;
    def.capacity = (grid_capacity){1000, 128, 4096};
    bench ample = make_bench(quick, &def);
    def.capacity.list = 8;
    bench tight = make_bench(checked, &def);
    cloud c = make_cloud(1000, def.min, def.max, 0);
    ref_position sorted[1000];
    uint32_t live = assert_sorts(&ample, &c, sorted), most = 0;
    OK(gpu_run_passes(quick, ample.passes + ample.sort_count, GRID_LIST_PASSES));
    host_lists lists = download_lists(quick, ample.grid, live);
    for (uint32_t i = 0; i < live; i++)
        if (lists.first[i + 1] - lists.first[i] > most) most = lists.first[i + 1] - lists.first[i];
    assert_true(most > 8);
    assert_sorts(&tight, &c, sorted);
    OK(gpu_run_passes(checked, tight.passes + tight.sort_count, GRID_LIST_PASSES));
    struct grid_state end = end_state(&tight);
    assert_int_equal(end.flags, GRID_OVERFLOW_LISTS);
    assert_int_equal(end.needed_list_capacity, most);
    free_lists(&lists);
    free_cloud(&c);
    free_bench(&ample);
    free_bench(&tight);
}

static void too_few_segments_raise_the_flag_and_halt_the_passes(void **state)
{
    grid_def def = UNIT_BOX;
    def.capacity = (grid_capacity){500, 128, 8192};
    bench b = make_box(checked, &def, false, make_bench);
    cloud c = make_cloud(500, def.min, def.max, 0);
    sort_on_device(&b, &c);
    uint32_t needed = end_state(&b).active_segments;
    assert_true(needed > 2);
    def.capacity.segments = 2;
    OK(grid_grow(checked, b.grid, def.capacity));
    b.sort_count = grid_sort_passes(b.grid, b.positions, b.ids, b.passes);
    grid_list_passes(b.grid, b.sorted, b.passes + b.sort_count);
    sort_on_device(&b, &c);
    OK(gpu_run_passes(checked, b.passes + b.sort_count, GRID_LIST_PASSES));
    struct grid_state end = end_state(&b);
    assert_int_equal(end.flags, GRID_OVERFLOW_SEGMENTS);
    assert_int_equal(end.needed_segments, needed);
    assert_int_equal(end.live, 0);
    free_cloud(&c);
    free_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scan_gives_the_sum_of_all_before),
        cmocka_unit_test(a_long_scan_gives_the_sum_of_all_before),
        cmocka_unit_test(the_order_is_that_of_a_stable_sort_by_cell_and_id),
        cmocka_unit_test(the_lists_hold_exactly_the_neighbours),
        cmocka_unit_test(neighbours_are_found_across_periodic_sides_of_every_axis),
        cmocka_unit_test(particles_outside_the_domain_have_their_neighbours_too),
        cmocka_unit_test(all_particles_may_share_one_cell),
        cmocka_unit_test(a_hundred_thousand_particles_sort_and_find_their_neighbours),
        cmocka_unit_test(a_domain_of_a_thousand_cells_cubed_holds_a_sparse_fluid),
        cmocka_unit_test(lists_too_short_raise_the_flag_and_tell_the_need),
        cmocka_unit_test(too_few_segments_raise_the_flag_and_halt_the_passes),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
