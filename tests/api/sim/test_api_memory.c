/* Every path releases what it allocated, also when memory runs out at any point on the way. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/density_solver.h"
#include "weir/whitewater.h"

#include <stdatomic.h>

static atomic_llong live, taken, fail_at;

/* Counts blocks; fails from the fail_at-th block on. */
static void *counted_resize(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        atomic_fetch_sub(&live, 1);
        free(memory);
        return NULL;
    }
    if (atomic_fetch_add(&taken, 1) >= atomic_load(&fail_at)) return NULL;
    void *block = realloc(memory, size);
    if (block && !memory) atomic_fetch_add(&live, 1);
    return block;
}

static const base_allocator counted = {counted_resize, NULL};

static void count_from(long long allowed)
{
    atomic_store(&taken, 0);
    atomic_store(&fail_at, allowed);
}

static int count_blocks(void **state)
{
    atomic_store(&live, 0);
    count_from(INT64_MAX);
    base_allocator_set(&counted);
    return 0;
}

static int use_system(void **state)
{
    base_allocator_set(NULL);
    return 0;
}

static void run_a_little(const fixture *f)
{
    weir_output *output;
    weir_output_def def = weir_output_def_default();
    def.folder = f->folder;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    weir_output_destroy(&output);
}

static void a_whole_life_gives_every_block_back(void **state)
{
    fixture f = {.folder = "/tmp/weir-life-XXXXXX"};
    char command[96];
    assert_non_null(mkdtemp(f.folder));
    weir_device_def def = weir_device_def_default();
    assert_int_equal(weir_device_create(&def, &f.device), WEIR_OK);
    assert_int_equal(parse_scene(TINY_SCENE, &f.scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f.device, f.scene, &f.sim), WEIR_OK);
    run_a_little(&f);
    weir_scene_destroy(&f.scene);
    weir_sim_destroy(&f.sim);
    weir_device_destroy(&f.device);
    assert_int_equal(atomic_load(&live), 0);
    snprintf(command, sizeof command, "rm -rf %s", f.folder);
    assert_int_equal(system(command), 0);
}

static void a_scene_survives_memory_that_runs_out_anywhere(void **state)
{
    weir_scene *scene = NULL;
    weir_result result = WEIR_ERROR_MEMORY;
    for (long long allowed = 0; result != WEIR_OK; ++allowed) {
        count_from(allowed);
        result = parse_scene(TINY_SCENE, &scene);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
        if (result == WEIR_ERROR_MEMORY) assert_null(scene);
        if (result == WEIR_ERROR_MEMORY) assert_int_equal(atomic_load(&live), 0);
    }
    weir_scene_destroy(&scene);
    assert_int_equal(atomic_load(&live), 0);
}

static void an_output_survives_memory_that_runs_out_anywhere(void **state)
{
    fixture f = {.folder = "/tmp/weir-short-XXXXXX"};
    char command[96];
    weir_output *output = NULL;
    weir_result result = WEIR_ERROR_MEMORY;
    static float positions[3 * 180];
    assert_non_null(mkdtemp(f.folder));
    weir_device_def device_def = weir_device_def_default();
    assert_int_equal(weir_device_create(&device_def, &f.device), WEIR_OK);
    assert_int_equal(parse_scene(TINY_SCENE, &f.scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f.device, f.scene, &f.sim), WEIR_OK);
    weir_output_def def = weir_output_def_default();
    def.folder = f.folder;
    def.particle_format = WEIR_PARTICLE_FORMAT_VTK;
    /* Buffers that a simulation creates when it is first read remain. */
    assert_int_equal(weir_sim_read_field(f.sim, WEIR_FIELD_POSITION, positions, sizeof positions),
                     WEIR_OK);
    long long before = atomic_load(&live);
    for (long long allowed = 0; result != WEIR_OK; ++allowed) {
        count_from(allowed);
        result = weir_output_create(&def, f.sim, &output);
        if (result == WEIR_OK) result = weir_output_write_frame(output);
        if (result == WEIR_OK) result = weir_output_flush(output);
        weir_output_destroy(&output);
        assert_int_equal(atomic_load(&live), before);
    }
    count_from(INT64_MAX);
    weir_sim_destroy(&f.sim);
    weir_scene_destroy(&f.scene);
    weir_device_destroy(&f.device);
    snprintf(command, sizeof command, "rm -rf %s", f.folder);
    assert_int_equal(system(command), 0);
}

static void a_simulation_survives_memory_that_runs_out_anywhere(void **state)
{
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim = NULL;
    weir_result result = WEIR_ERROR_MEMORY;
    weir_device_def def = weir_device_def_default();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(parse_scene(TINY_SCENE, &scene), WEIR_OK);
    for (long long allowed = 0; result != WEIR_OK; ++allowed) {
        count_from(allowed);
        result = weir_sim_create(device, scene, &sim);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
        if (result == WEIR_ERROR_MEMORY) assert_null(sim);
    }
    count_from(INT64_MAX);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device); /* together with the pipelines that it kept */
    assert_int_equal(atomic_load(&live), 0);
}

/* Creates one density solver that solves for one particle and then, with larger buffers, for 32. */
static weir_result constrain(weir_device *device, const weir_scene *scene)
{
    weir_density_solver *constraint = NULL;
    float x[3 * 32];
    weir_density_solver_particles p = weir_density_solver_particles_default();
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            x[3 * i + axis] = 0.1f + 0.04f * (float)(i >> (2 * axis) & 3u);
    p.dt_s = 0.01f;
    p.positions = x;
    weir_result result = weir_density_solver_create(device, scene, &constraint);
    for (p.count = 1; p.count <= 32 && result == WEIR_OK; p.count += 31)
        result = weir_density_solver_solve(constraint, &p, NULL);
    weir_density_solver_destroy(&constraint);
    return result;
}

static void a_constraint_survives_memory_that_runs_out_anywhere(void **state)
{
    weir_device *device;
    weir_scene *scene;
    weir_result result = WEIR_ERROR_MEMORY;
    weir_device_def def = weir_device_def_default();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(parse_scene(TINY_SCENE, &scene), WEIR_OK);
    for (long long allowed = 0; result != WEIR_OK; ++allowed) {
        count_from(allowed);
        result = constrain(device, scene);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
    }
    count_from(INT64_MAX);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    assert_int_equal(atomic_load(&live), 0);
}

/* Runs two frames of two colliding streams, with whitewater, a body and points without ids. */
static weir_result make_whitewater(weir_device *device, const weir_scene *scene,
                                   const weir_points *points)
{
    weir_whitewater *foam = NULL;
    const weir_body_pose pose = {{0.4f, 0.2f, 0.15f}, {0, 0, 0, 1}};
    weir_result result = weir_whitewater_create(device, scene, &foam);
    if (result == WEIR_OK) result = weir_whitewater_set_body_poses(foam, &pose, 1);
    for (uint64_t frame = 0; frame < 2 && result == WEIR_OK; frame++)
        result = weir_whitewater_step(foam, points, 1.0 + 0.1 * (double)frame, frame);
    weir_whitewater_destroy(&foam);
    return result;
}

static weir_points *make_streams(weir_device *device)
{
    enum { COUNT = 216 };
    static float x[3 * COUNT], v[3 * COUNT];
    weir_points *points = NULL;
    weir_points_def def = weir_points_def_default();
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t cell[3] = {i % 6, i / 6 % 6, i / 36};
        for (uint32_t axis = 0; axis < 3; axis++)
            x[3 * i + axis] = 0.025f + 0.05f * (float)cell[axis];
        v[3 * i] = cell[0] < 3 ? 3.0f : -3.0f;
    }
    def.count = COUNT;
    def.spacing_m = 0.05f;
    def.position = x;
    def.velocity = v;
    assert_int_equal(weir_points_create(device, &def, &points), WEIR_OK);
    return points;
}

static void whitewater_survives_memory_that_runs_out_anywhere(void **state)
{
    weir_device *device;
    weir_scene *scene;
    weir_result result = WEIR_ERROR_MEMORY;
    char text[1024];
    snprintf(text, sizeof text,
             "{\"whitewater\": {\"emission_rate\": 100}, \"bodies\": [{\"name\": \"ball\","
             " \"density\": 300, \"shape\": {\"sphere\": {\"radius\": 0.06},"
             " \"position\": [0.4, 0.2, 0.15]}}], %s",
             &TINY_SCENE[1]);
    weir_device_def def = weir_device_def_default();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    weir_points *points = make_streams(device);
    for (long long allowed = 0; result != WEIR_OK; ++allowed) {
        count_from(allowed);
        result = make_whitewater(device, scene, points);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
    }
    count_from(INT64_MAX);
    weir_points_release(&points);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    assert_int_equal(atomic_load(&live), 0);
}

#define COUNTED(test) cmocka_unit_test_setup_teardown(test, count_blocks, use_system)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(a_whole_life_gives_every_block_back),
        COUNTED(a_scene_survives_memory_that_runs_out_anywhere),
        COUNTED(an_output_survives_memory_that_runs_out_anywhere),
        COUNTED(a_simulation_survives_memory_that_runs_out_anywhere),
        COUNTED(a_constraint_survives_memory_that_runs_out_anywhere),
        COUNTED(whitewater_survives_memory_that_runs_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
