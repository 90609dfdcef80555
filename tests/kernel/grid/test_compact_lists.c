/* Compact lists contain the same neighbours as wide ones in the same order, so that a run has the
 * same bits; where they cannot, the lists become wide. */
#include "sim_support.h"

#define FRAME_S (1.0 / 60.0)
#define FRAMES 4u

static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.6, 1.6, 1.6], 'sides': {'z': "
    "'periodic'}},"
    " 'solver': {'substeps': 2, 'iterations': 2, 'vorticity_confinement': 0.3},"
    " 'fluids': [{'name': 'water', 'surface_tension': 0.5, 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.8, 0.8, 1.6]}}, 'jitter': 0.4, 'velocity': [1, 0, 0.5]}}]}";

static gpu_device *device;
static scene_data *scene;
static uint64_t truth[FRAMES];

static void follow(sim_world *world, uint64_t hashes[FRAMES])
{
    for (uint32_t f = 0; f < FRAMES; f++) {
        OK(sim_step(world, 0));
        OK(sim_hash(world, &hashes[f]));
    }
}

static int open_device(void **state)
{
    device = open_gpu(false); /* test_sim_kernels tests such lists under validation */
    scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    assert_false(grid_is_compact(world->grid));
    follow(world, truth);
    sim_destroy(&world);
    return 0;
}

static int close_device(void **state)
{
    scene_destroy(&scene);
    return close_gpu(&device);
}

/* Reduces the maximum offset of compact lists to `way`, which has the effect of a larger fluid. */
static void shorten_ways(sim_world *world, uint32_t way)
{
    struct grid_params params;
    gpu_buffer *buffer = grid_params_buffer(world->grid);
    OK(gpu_buffer_download(device, buffer, 0, &params, sizeof params));
    params.max_compact_offset = way;
    upload(world, buffer, &params, sizeof params);
}

/* Builds the lists of the first `count` particles of the fill; returns the flags raised. */
static uint32_t make_lists(sim_world *world, uint32_t count, host_lists *lists)
{
    struct grid_state state;
    sim_initial_particles fill = {0};
    OK(sim_fill_fluids(NULL, world->scene, world->solids, &fill));
    assert_true(count <= fill.x.count);
    place_particles(world, (placing){count, fill.x.items, fill.v.items, NULL});
    sim_initial_particles_free(&fill);
    run_up_to(world, FRAME_S, "lambda");
    OK(gpu_buffer_download(device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    *lists = download_lists(device, world->grid, state.live);
    return state.flags;
}

/* Reports whether any list has a marked word, which refers to another base. */
static bool uses_other_base(const sim_world *world)
{
    uint64_t size = gpu_buffer_size(grid_lists(world->grid));
    uint32_t *raw = base_alloc(size, 1);
    bool used = false;
    assert_non_null(raw);
    OK(gpu_buffer_download(device, grid_lists(world->grid), 0, raw, size));
    size_t steps = grid_get_capacity(world->grid).list / GRID_COMPACT_STEP;
    for (uint32_t i = 0; i < GRID_LIST_INTERLEAVE * 8; i++) {
        size_t last = (i / GRID_LIST_INTERLEAVE * steps + steps - 1) * GRID_LIST_INTERLEAVE;
        used |= raw[4 * (last + i % GRID_LIST_INTERLEAVE) + 3] != i;
    }
    base_free(raw);
    return used;
}

static void assert_equal_lists(const host_lists *a, const host_lists *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(a->headers[i], b->headers[i]);
    if (count) assert_memory_equal(a->items, b->items, a->first[count] * sizeof *a->items);
}

static void assert_run(sim_world *world, const uint64_t expected[FRAMES])
{
    uint64_t hashes[FRAMES];
    follow(world, hashes);
    for (uint32_t f = 0; f < FRAMES; f++)
        if (hashes[f] != expected[f])
            fail_msg("frame %u has state %016llx, expected %016llx", f + 1,
                     (unsigned long long)hashes[f], (unsigned long long)expected[f]);
}

static void they_name_the_same_neighbours(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 1500, 8000};
    sim_world *wide = make_sim(device, scene), *narrow = make_sim_compact(device, scene);
    assert_true(grid_is_compact(narrow->grid));
    assert_int_equal(2 * gpu_buffer_size(grid_lists(narrow->grid)),
                     gpu_buffer_size(grid_lists(wide->grid)));
    for (size_t s = 0; s < BASE_COUNT(sizes); s++) {
        host_lists a, b;
        assert_int_equal(make_lists(wide, sizes[s], &a), 0);
        assert_int_equal(make_lists(narrow, sizes[s], &b), 0);
        assert_equal_lists(&a, &b, sizes[s]);
        free_lists(&a);
        free_lists(&b);
    }
    sim_destroy(&wide);
    sim_destroy(&narrow);
}

/* A fluid of eight layers along y, which is one tile of lines, and eight more has neighbours in the
 * next tile. */
static void far_neighbours_stand_by_an_other_base(void **state)
{
    static const char *const sides[] = {"domain.sides.z=\"closed\"", NULL};
    scene_data *closed = make_scene(text, sides);
    sim_world *wide = make_sim(device, closed), *narrow = make_sim_compact(device, closed);
    host_lists a, b, c;
    assert_int_equal(make_lists(wide, 8000, &a), 0);
    shorten_ways(narrow, 700);
    assert_int_equal(make_lists(narrow, 8000, &b), 0);
    assert_true(uses_other_base(narrow));
    assert_equal_lists(&a, &b, 8000);
    uint64_t hashes[FRAMES];
    follow(wide, hashes);
    assert_run(narrow, hashes);
    assert_true(grid_is_compact(narrow->grid) && uses_other_base(narrow));
    shorten_ways(narrow, 40);
    assert_int_equal(make_lists(narrow, 8000, &c), GRID_OVERFLOW_COMPACT);
    free_lists(&a);
    free_lists(&b);
    free_lists(&c);
    sim_destroy(&wide);
    sim_destroy(&narrow);
    scene_destroy(&closed);
}

static void a_run_has_the_same_bits(void **state)
{
    sim_world *world = make_sim_compact(device, scene);
    assert_run(world, truth);
    assert_true(grid_is_compact(world->grid));
    sim_destroy(&world);
}

static void the_first_capacities_do_not_matter(void **state)
{
    const grid_capacity tiny = {1, 8, 2};
    sim_world *world = NULL;
    OK(sim_create_with_options(
        device, scene, &(sim_create_options){.initial_capacity = &tiny, .compact_lists = true},
        &world));
    assert_run(world, truth);
    assert_true(grid_is_compact(world->grid) && grid_get_capacity(world->grid).list > tiny.list);
    sim_destroy(&world);
}

/* A periodic axis across the lines adds neighbours from the other end of the order. */
static void lists_that_cannot_name_all_are_made_wide(void **state)
{
    sim_world *world = make_sim_compact(device, scene);
    shorten_ways(world, 700);
    assert_run(world, truth);
    assert_false(grid_is_compact(world->grid));
    sim_destroy(&world);
}

static bool wants_compact(uint64_t particles)
{
    bool compact = false;
    OK(sim_prefers_compact_lists(device, scene, particles, &compact));
    return compact;
}

static void they_are_taken_where_wide_ones_would_fill_the_device(void **state)
{
    uint64_t each = sim_bytes_per_particle(scene, sim_initial_list_capacity(scene), false);
    uint64_t room = gpu_device_info(device)->memory_available_bytes / each;
    assert_true(wants_compact(room));
    assert_false(sim_needs_compact_lists(device, scene, room / 2));
    assert_false(wants_compact(19999));
    if (gpu_device_info(device)->kind == WEIR_DEVICE_CPU) assert_false(wants_compact(20000));
    uint64_t wide = 4u * sim_initial_list_capacity(scene);
    assert_true(wants_compact(gpu_device_storage_range(device) / wide + 1));
    assert_int_equal(each - sim_bytes_per_particle(scene, sim_initial_list_capacity(scene), true),
                     2 * sim_initial_list_capacity(scene));
}

static void note_line(void *user, const char *line)
{
    bool *said = user;
    *said |= strstr(line, "compact, 16 bits") != NULL;
}

static void the_table_says_which_lists_there_are(void **state)
{
    bool said[2] = {false, false};
    sim_world *worlds[2] = {make_sim(device, scene), make_sim_compact(device, scene)};
    for (int w = 0; w < 2; w++) {
        gpu_explainer e = {.write = note_line, .user = &said[w]};
        sim_explain_totals(worlds[w], &e);
        OK(gpu_explain_end(&e, gpu_device_log(device)));
        sim_destroy(&worlds[w]);
    }
    assert_true(!said[0] && said[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_name_the_same_neighbours),
        cmocka_unit_test(far_neighbours_stand_by_an_other_base),
        cmocka_unit_test(a_run_has_the_same_bits),
        cmocka_unit_test(the_first_capacities_do_not_matter),
        cmocka_unit_test(lists_that_cannot_name_all_are_made_wide),
        cmocka_unit_test(they_are_taken_where_wide_ones_would_fill_the_device),
        cmocka_unit_test(the_table_says_which_lists_there_are),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
