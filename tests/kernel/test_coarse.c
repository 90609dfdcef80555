/* The coarse correction: its shaders against their reference, and what it is for. */
#include "ref_coarse.h"
#include "sim_support.h"

#define FRAME_S (1.0 / 60.0)
#define MANY 1500u

static const char room[] =
    "{'spacing': 0.05, 'domain': {'min': [-0.6, 0, -0.4], 'max': [0.62, 0.9, 0.4],"
    " 'sides': {'x': 'periodic', 'y': ['closed', 'open']}},"
    " 'solver': {'coarse_sweeps': 5}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0.3, 0, 0], 'max': [0.5, 0.2, 0.2]}}}}],"
    " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.2}, 'position': [-0.2, 0.3, 0]},"
    " 'motion': {'oscillation': {'amplitude': [0.1, 0, 0], 'frequency': 2}}}]}";

static const char plane[] = "{'spacing': 0.05, 'domain': {'min': [0, 0, -0.3], 'max': [2, 2, 0.1]},"
                            " 'solver': {'dimensions': 2, 'coarse_sweeps': 4, 'kernel': 'spiky'},"
                            " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, "
                            "0, -1], 'max': [0.5, 0.5, 1]}}}}],"
                            " 'solids': [{'name': 'post', 'shape': {'sphere': {'radius': 0.2}, "
                            "'position': [0.5, 0.5, -0.1]}}]}";

/* The first is run with validation. */
enum { ROOM, PLANE, WORLDS };
static gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
static sim_world *worlds[WORLDS];

static int open_worlds(void **state)
{
    (void)state;
    static const char *const texts[WORLDS] = {room, plane};
    for (int w = 0; w < WORLDS; w++) {
        devices[w] = open_gpu(w == ROOM);
        scenes[w] = make_scene(texts[w], NULL);
        worlds[w] = make_sim_sized(devices[w], scenes[w], 2 * MANY);
    }
    return 0;
}

static int close_worlds(void **state)
{
    (void)state;
    return close_sims(devices, scenes, worlds, WORLDS);
}

/* A dense, shaken lattice from the domain's lower corner. */
static void place(sim_world *world, uint32_t count)
{
    const struct sim_params *p = &world->params;
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids), side = p->planar ? 39 : 12;
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        for (uint32_t k = 0; k < 3; k++)
            at[k] = 0.045f * (base_unit(3u * i + k) - 0.5f);
        x[i] = (vec4){p->domain_min.x + 0.045f * (float)(i % side) + 0.03f + at[0],
                      p->domain_min.y + 0.045f * (float)(i / side % side) + 0.03f + at[1],
                      p->domain_min.z + 0.045f * (float)(i / side / side) + 0.03f + at[2], 0};
        if (p->planar) x[i].z = p->plane;
        ids[i] = i;
    }
    place_particles(world, (placing){count, x, v, ids});
    base_free(x);
    base_free(v);
    base_free(ids);
}

/* What stands before the row of that name. */
typedef struct stage {
    sim_world *world;
    uint32_t count, cell_count;
    struct sim_params params;
    struct sim_status status;
    ref_ball ball;
    host_lists lists;
    ref_pbf pbf;
} stage;

static void enter(stage *s, sim_world *world, uint32_t count)
{
    struct grid_state state;
    gpu_device *device = world->device;
    *s = (stage){.world = world, .cell_count = world->params.coarse_cells.w};
    place(world, count);
    run_up_to(world, FRAME_S, "coarse_clear");
    OK(gpu_buffer_download(device, world->buffers.params, 0, &s->params, sizeof s->params));
    OK(gpu_buffer_download(device, world->buffers.status, 0, &s->status, sizeof s->status));
    OK(gpu_buffer_download(device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    assert_int_equal(state.flags, 0);
    s->count = state.live;
    s->lists = download_lists(device, world->grid, s->count);
    struct solid_pose *pose = download(world, world->buffers.poses, 1, sizeof *pose);
    const scene_shape *shape = &world->scene->shapes[world->scene->solids[0].shape];
    s->ball = (ref_ball){shape->pose.position, shape->radius, 0, *pose};
    s->pbf =
        (ref_pbf){&s->params, &s->ball, s->status.dt, s->count, s->lists.first, s->lists.items};
    base_free(pose);
}

static void run_named(const stage *s, const char *name)
{
    uint32_t row = step_row(s->world, name);
    run_step_rows(s->world, row, row + 1);
}

static void check_sums(const stage *s, const ivec4 *a, const vec4 *metres, const ref_cell *cells)
{
    uint32_t *counts = base_alloc(s->cell_count, sizeof *counts), solid = 0, cut = 0;
    double *sums = base_alloc(s->cell_count, sizeof *sums);
    assert_true(counts && sums);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t cell = ref_cell_of(&s->params, vec3_make(metres[i].x, metres[i].y, metres[i].z));
        counts[cell]++;
        sums[cell] += fmin((double)ref_density(&s->pbf, a, i) - 1.0, 4.0);
    }
    for (uint32_t c = 0; c < s->cell_count; c++) {
        uint32_t gap = cells[c].count >> SIM_CELL_GAP_SHIFT;
        assert_in_range(gap + 1, ref_cell_gap(&s->pbf, c), ref_cell_gap(&s->pbf, c) + 2);
        assert_int_equal(cells[c].count & SIM_CELL_COUNT, counts[c]);
        solid += ref_cell_is_solid(cells[c]);
        cut += gap > 50 && gap < 160 && counts[c] > 0;
        assert_true(fabs(cells[c].sum / (double)SIM_CELL_UNITS - sums[c]) <=
                    2e-5 * (counts[c] + 1));
    }
    assert_true(solid > 5);
    assert_true(s->count < MANY || cut > 2);
    base_free(counts);
    base_free(sums);
}

static float *put_pressures(const stage *s)
{
    float *pressures = base_alloc(s->cell_count, sizeof *pressures);
    assert_non_null(pressures);
    for (uint32_t c = 0; c < s->cell_count; c++)
        pressures[c] = 3e-4f * base_unit(c + 77u);
    upload(s->world, s->world->buffers.pressures, pressures, s->cell_count * sizeof *pressures);
    return pressures;
}

static void check_moves(const stage *s, const vec4 *a, const ref_cells *c)
{
    uint32_t moved = 0;
    run_named(s, "coarse_slope");
    run_named(s, "coarse_apply");
    vec4 *after = download_metres(s->world, s->world->buffers.iterates, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 p = {a[i].x, a[i].y, a[i].z}, way = ref_cell_move(c, p);
        vec3 got = {after[i].x - p.x, after[i].y - p.y, after[i].z - p.z};
        assert_true((double)vec3_length(vec3_sub(got, way)) <= 1e-6);
        moved += vec3_length(way) > 1e-4f;
    }
    assert_true(s->count < MANY || moved > s->count / 2);
    base_free(after);
}

static void check(sim_world *world, uint32_t count)
{
    stage s;
    enter(&s, world, count);
    ivec4 *a = download(world, world->buffers.iterates, s.count, sizeof *a);
    vec4 *metres = download_metres(world, world->buffers.iterates, s.count);
    run_named(&s, "coarse_clear");
    run_named(&s, "coarse_sum");
    ref_cell *cells = download(world, world->buffers.cells, s.cell_count, sizeof *cells);
    check_sums(&s, a, metres, cells);
    float *pressures = put_pressures(&s);
    ref_cells c = {&s.params, cells, pressures};
    run_named(&s, "coarse_sweep");
    float *swept = download(world, world->buffers.swept, s.cell_count, sizeof *swept);
    uint32_t full = 0;
    for (uint32_t i = 0; i < s.cell_count; i++) {
        float expected = ref_cell_sweep(&c, i);
        assert_true(fabsf(swept[i] - expected) <= 1e-5f * expected);
        full += expected > 0.0f;
    }
    assert_true(count < MANY || full > 20);
    check_moves(&s, metres, &c);
    base_free(a);
    base_free(metres);
    base_free(cells);
    base_free(pressures);
    base_free(swept);
    free_lists(&s.lists);
}

static void every_row_is_that_of_its_reference(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check(worlds[w], sizes[i]);
}

/* ---- what it is for ---------------------------------------------------------------------------
 */

static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 1.2, 0.4], 'sides':"
    " {'x': 'periodic', 'y': ['closed', 'open'], 'z': 'periodic'}}, 'frame_rate': 60,"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.4, 0.8, 0.4]}}}}]}";

static double settled_error(const char *const *overrides)
{
    scene_data *scene = make_scene(pool, overrides);
    sim_world *world = make_sim(devices[PLANE], scene);
    double sum = 0.0;
    run_frames(world, 60);
    for (int i = 0; i < 10; i++) {
        weir_stats stats;
        run_frames(world, 1);
        OK(sim_stats(world, &stats));
        sum += stats.density_error_mean / 10.0;
    }
    sim_destroy(&world);
    scene_destroy(&scene);
    return sum;
}

static void a_pool_is_compressed_by_less_than_half(void **state)
{
    (void)state;
    static const char *const coarse[] = {"solver.coarse_sweeps=40", NULL};
    double plain = settled_error(NULL), corrected = settled_error(coarse);
    print_message("  mean over-density %.4f, with the coarse correction %.4f\n", plain, corrected);
    assert_true(corrected < 0.5 * plain);
}

static void a_domain_of_too_many_cells_is_refused(void **state)
{
    (void)state;
    static const char *const overrides[] = {"domain.max=[40, 40, 40]", "domain.sides={}", NULL};
    scene_data *scene = make_scene(room, overrides);
    sim_world *world = NULL;
    assert_int_equal(sim_create(devices[PLANE], scene, &world), WEIR_SCENE);
    assert_null(world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_that_of_its_reference),
        cmocka_unit_test(a_pool_is_compressed_by_less_than_half),
        cmocka_unit_test(a_domain_of_too_many_cells_is_refused),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
