/* Meshers and meshes through the public API. */
#define _POSIX_C_SOURCE 200809L
#include "api_support.h"
#include "weir/profile.h"

typedef struct pool {
    weir_device *device;
    weir_points *points;
} pool;

#define SIDE 8

static int open_pool(void **state)
{
    static float position[3 * SIDE * SIDE * SIDE], velocity[3 * SIDE * SIDE * SIDE];
    static pool p;
    fixture f = {0};
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (int axis = 0; axis < 3; axis++) {
            position[3 * i + axis] = 0.05f * ((float)at[axis] + 0.5f);
            velocity[3 * i + axis] = axis == 1 ? -2.5f : 0.0f;
        }
    }
    open_device(&f);
    p.device = f.device;
    weir_points_def def = weir_points_def_default();
    def.count = SIDE * SIDE * SIDE;
    def.spacing_m = 0.05f;
    def.position = position;
    def.velocity = velocity;
    assert_int_equal(weir_points_create(p.device, &def, &p.points), WEIR_OK);
    *state = &p;
    return 0;
}

static int close_pool(void **state)
{
    pool *p = *state;
    weir_points_release(&p->points);
    weir_device_destroy(&p->device);
    return 0;
}

static weir_mesher *make_mesher(const pool *p, const char *preset)
{
    weir_mesher_def def = weir_mesher_def_default(preset);
    weir_mesher *mesher = NULL;
    def.raw = true;
    assert_int_equal(weir_mesher_create(p->device, &def, &mesher), WEIR_OK);
    return mesher;
}

static void a_cube_of_particles_becomes_a_closed_mesh(void **state)
{
    pool *p = *state;
    static const char *const presets[] = {NULL, "zhu-bridson", "sph", "anisotropic"};
    static const double keeps[] = {0.8, 0.2, 0.8, 0.8}; /* for such a small cluster */
    for (size_t i = 0; i < BASE_COUNT(presets); i++) {
        weir_mesher *mesher = make_mesher(p, presets[i]);
        weir_mesh *mesh = NULL;
        weir_mesh_arrays view;
        double volume = 0.0;
        assert_int_equal(weir_mesher_run(mesher, p->points, &mesh), WEIR_OK);
        weir_mesher_destroy(&mesher); /* the mesh outlives it */
        weir_mesh_get_arrays(mesh, &view);
        assert_true(view.vertex_count > 100 && view.triangle_count == 2 * view.vertex_count - 4);
        for (uint32_t t = 0; t < view.triangle_count; t++) {
            const float *a = view.position + 3 * view.index[3 * t],
                        *b = view.position + 3 * view.index[3 * t + 1],
                        *c = view.position + 3 * view.index[3 * t + 2];
            volume +=
                (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0])) /
                6.0;
        }
        double cube = 0.4 * 0.4 * 0.4;
        assert_true(volume > keeps[i] * cube && volume < 1.15 * cube);
        assert_true(view.velocity && fabsf(view.velocity[1] + 2.5f) < 1e-5f);
        assert_int_equal(view.spray_count, 0);
        weir_mesh_destroy(&mesh);
        assert_null(mesh);
    }
}

/* Asserts that two meshes have the same vertices, normals, triangles and channels. */
static void assert_same_mesh(const weir_mesh *a, const weir_mesh *b)
{
    weir_mesh_arrays x, y;
    weir_mesh_get_arrays(a, &x);
    weir_mesh_get_arrays(b, &y);
    assert_int_equal(x.vertex_count, y.vertex_count);
    assert_int_equal(x.triangle_count, y.triangle_count);
    assert_int_equal(x.channel_count, y.channel_count);
    assert_memory_equal(x.position, y.position, 12u * x.vertex_count);
    assert_memory_equal(x.normal, y.normal, 12u * x.vertex_count);
    assert_memory_equal(x.index, y.index, 12u * x.triangle_count);
}

static void a_mesh_is_refined_unless_the_def_says_raw(void **state)
{
    pool *p = *state;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    weir_mesher *mesher = NULL;
    weir_mesh *refined = NULL, *raw = NULL;
    weir_mesh_arrays view;
    assert_int_equal(weir_mesher_create(p->device, &def, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, p->points, &refined), WEIR_OK);
    weir_mesher_destroy(&mesher);
    def.raw = def.neighbours = true;
    assert_int_equal(weir_mesher_create(p->device, &def, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, p->points, &raw), WEIR_OK);
    weir_mesh_get_arrays(raw, &view);
    assert_int_equal(view.channel_count, 1);
    const vec3 first = {view.position[0], view.position[1], view.position[2]};
    assert_int_equal(weir_mesh_refine(raw, NULL, NULL), WEIR_OK);
    weir_mesh_get_arrays(refined, &view);
    assert_true(view.triangle_count > 0);
    assert_memory_not_equal(view.position, &first, sizeof first); /* smoothing moves vertices */
    assert_same_mesh(refined, raw);
    weir_mesh_destroy(&refined);
    weir_mesh_destroy(&raw);
    weir_mesher_destroy(&mesher);
}

static void no_particles_give_an_empty_mesh(void **state)
{
    pool *p = *state;
    weir_points_def def = weir_points_def_default();
    weir_points *none = NULL;
    weir_mesh *mesh = NULL;
    weir_mesh_arrays view;
    weir_mesher *mesher = make_mesher(p, NULL);
    def.spacing_m = 0.1f;
    assert_int_equal(weir_points_create(p->device, &def, &none), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, none, &mesh), WEIR_OK);
    weir_mesh_get_arrays(mesh, &view);
    assert_int_equal(view.vertex_count + view.triangle_count, 0);
    weir_mesh_destroy(&mesh);
    weir_points_release(&none);
    weir_mesher_destroy(&mesher);
}

static void pass_times_name_what_ran(void **state)
{
    pool *p = *state;
    weir_mesher *mesher = make_mesher(p, NULL);
    weir_mesh *mesh = NULL;
    weir_pass_time times[96];
    uint32_t count = BASE_COUNT(times), found = 0, room = 0;
    assert_int_equal(weir_mesher_run(mesher, p->points, &mesh), WEIR_OK);
    assert_int_equal(weir_mesher_get_pass_times(mesher, NULL, &room), WEIR_OK);
    assert_int_equal(weir_mesher_get_pass_times(mesher, times, &count), WEIR_OK);
    assert_int_equal(count, room);
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(times[i].name, "evaluate_field") == 0 && times[i].calls == 1;
    assert_int_equal(found, 1);
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
}

static void assert_refused(const pool *p, const weir_mesher_def *def, const char *words)
{
    weir_mesher *mesher = (weir_mesher *)1;
    assert_int_equal(weir_mesher_create(p->device, def, &mesher), WEIR_ERROR_ARGUMENT);
    assert_null(mesher);
    assert_logged(words);
}

static void wrong_defs_are_refused_with_their_field(void **state)
{
    pool *p = *state;
    weir_mesher_def def = {0};
    assert_refused(p, &def, "weir_mesher_def_default");
    def = weir_mesher_def_default("fluffy");
    assert_refused(p, &def, "\"calibrated\"");
    def = weir_mesher_def_default(NULL);
    def.cell_size = -1.0f;
    assert_refused(p, &def, "`cell_size`");
    def = weir_mesher_def_default(NULL);
    def.search_radius = NAN;
    assert_refused(p, &def, "`search_radius`");
    def = weir_mesher_def_default("sph");
    def.iso_value = 1.5f;
    assert_refused(p, &def, "`iso_value`");
    def = weir_mesher_def_default("anisotropic");
    def.max_anisotropy = 0.5f;
    assert_refused(p, &def, "`max_anisotropy`");
    def = weir_mesher_def_default(NULL);
    def.field = (weir_mesh_field)17;
    assert_refused(p, &def, "`field`");
    weir_mesher *mesher = NULL;
    assert_int_equal(weir_mesher_create(NULL, &def, &mesher), WEIR_ERROR_ARGUMENT);
}

/* Only the points reveal that the cell does not fit the search radius. */
static void a_cell_that_does_not_fit_the_points_is_refused(void **state)
{
    pool *p = *state;
    static const float cells[] = {10.0f, 1e-4f};
    for (size_t i = 0; i < BASE_COUNT(cells); i++) {
        weir_mesher_def def = weir_mesher_def_default(NULL);
        weir_mesher *mesher = NULL;
        weir_mesh *mesh = (weir_mesh *)1;
        def.cell_size_m = cells[i];
        assert_int_equal(weir_mesher_create(p->device, &def, &mesher), WEIR_OK);
        assert_int_equal(weir_mesher_run(mesher, p->points, &mesh), WEIR_ERROR_ARGUMENT);
        assert_null(mesh);
        assert_logged("search radius");
        weir_mesher_destroy(&mesher);
    }
}

static void null_handles_are_refused_or_do_nothing(void **state)
{
    pool *p = *state;
    weir_mesher *mesher = make_mesher(p, NULL), *no_mesher = NULL;
    weir_mesh *mesh = NULL;
    weir_mesh_arrays view = {.vertex_count = 7};
    uint32_t count = 0;
    assert_int_equal(weir_mesher_run(NULL, p->points, &mesh), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesher_run(mesher, NULL, &mesh), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesher_run(mesher, p->points, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesher_get_pass_times(NULL, NULL, &count), WEIR_ERROR_ARGUMENT);
    weir_mesh_get_arrays(NULL, &view);
    assert_int_equal(view.vertex_count, 0);
    weir_mesh_destroy(&mesh);
    weir_mesh_destroy(NULL);
    weir_mesher_destroy(&no_mesher);
    weir_mesher_destroy(NULL);
    weir_mesher_destroy(&mesher);
}

/* ---- failing allocations -------------------------------------------------------------------- */

static int64_t allocations_left;

static void *rationed(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return allocations_left-- > 0 ? realloc(memory, size) : NULL;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    pool *p = *state;
    const base_allocator ration = {rationed, NULL};
    weir_result result = WEIR_ERROR_MEMORY;
    for (int64_t given = 0; result != WEIR_OK; given++) {
        weir_mesher_def def = weir_mesher_def_default(NULL);
        weir_mesher *mesher = NULL;
        weir_mesh *mesh = NULL;
        def.raw = true;
        assert_true(given < 2000);
        allocations_left = given;
        base_allocator_set(&ration);
        result = weir_mesher_create(p->device, &def, &mesher);
        if (result == WEIR_OK) result = weir_mesher_run(mesher, p->points, &mesh);
        base_allocator_set(NULL);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
        assert_true((result == WEIR_OK) == (mesh != NULL));
        weir_mesh_destroy(&mesh);
        weir_mesher_destroy(&mesher);
        logged[0] = '\0';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_of_particles_becomes_a_closed_mesh),
        cmocka_unit_test(a_mesh_is_refined_unless_the_def_says_raw),
        cmocka_unit_test(no_particles_give_an_empty_mesh),
        cmocka_unit_test(pass_times_name_what_ran),
        cmocka_unit_test(wrong_defs_are_refused_with_their_field),
        cmocka_unit_test(a_cell_that_does_not_fit_the_points_is_refused),
        cmocka_unit_test(null_handles_are_refused_or_do_nothing),
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_pool, close_pool);
}
