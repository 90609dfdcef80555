/* The public API of mesh files: particles are loaded with their spacing, meshes are saved in
   every format, and misuse is refused with the rule. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include <unistd.h>

/* ---- spacing -------------------------------------------------------------------------------- */

enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };

static void write_xyz(const char *path, const vec3 *points, uint32_t count, const char *remark)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# %s\n", remark);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "%.9g %.9g %.9g\n", (double)points[i].x, (double)points[i].y,
                (double)points[i].z);
    fclose(file);
}

/* Fills a cube of SIDE lattice cells of edge d; each particle is displaced by up to half of
   `jitter` cells. */
static void fill_cube(vec3 *points, float d, float jitter, vec3 origin)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        float p[3] = {(float)(i % SIDE), (float)(i / SIDE % SIDE), (float)(i / SIDE / SIDE)};
        for (uint32_t k = 0; k < 3; k++)
            p[k] += jitter * (base_hash_to_unit(3 * i + k) - 0.5f);
        points[i] = vec3_add(origin, vec3_scale(vec3_make(p[0], p[1], p[2]), d));
    }
}

static float spacing_of(const fixture *f, const vec3 *points, uint32_t count)
{
    weir_particles particles;
    char path[128];
    snprintf(path, sizeof path, "%s/cloud.xyz", f->folder);
    write_xyz(path, points, count, "a cloud");
    assert_int_equal(weir_particles_load(NULL, path, &particles), WEIR_OK);
    assert_int_equal(particles.points.count, count);
    assert_true(particles.spacing_estimated);
    float spacing = particles.points.spacing_m;
    weir_particles_free(&particles);
    assert_null(particles.internal);
    return spacing;
}

static void the_spacing_is_found_from_the_density(void **state)
{
    const fixture *f = *state;
    vec3 *points = base_alloc(2 * COUNT, sizeof *points);
    const float sizes[] = {1e-4f, 0.05f, 7.0f};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        const float d = sizes[i];
        fill_cube(points, d, 0, vec3_make(0, 0, 0));
        assert_float_equal(spacing_of(f, points, COUNT), d, 0.03f * d);
        /* Jitter within cells brings nearest neighbours closer, but the density is the same. */
        fill_cube(points, d, 1, vec3_make(3 * d, -d, 0));
        assert_float_equal(spacing_of(f, points, COUNT), d, 0.06f * d);
        /* Two small clusters in a box of ten thousand times their volume. */
        fill_cube(points + COUNT, d, 0.5f, vec3_make(1000 * d, 500 * d, -700 * d));
        assert_float_equal(spacing_of(f, points, 2 * COUNT), d, 0.06f * d);
    }
    base_free(points);
}

static void clouds_without_a_density_have_no_spacing_and_do_no_harm(void **state)
{
    const fixture *f = *state;
    vec3 points[64];
    for (uint32_t i = 0; i < 64; i++)
        points[i] = vec3_make(1, 2, 3);
    assert_true(spacing_of(f, points, 1) == 0);
    assert_true(spacing_of(f, points, 64) == 0); /* all at one position */
    points[0].x = 1e30f;
    assert_true(isfinite(spacing_of(f, points, 64)));
    points[0].x = -3e38f;
    points[1].x = 3e38f;
    assert_true(isfinite(spacing_of(f, points, 64)));
    for (uint32_t i = 0; i < 64; i++)
        points[i] = vec3_make((float)i, 0, 0); /* on a line */
    assert_true(spacing_of(f, points, 64) > 0);
}

static void a_radius_in_the_file_is_the_spacing_s_half(void **state)
{
    const fixture *f = *state;
    const vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    weir_particles particles;
    char path[128];
    snprintf(path, sizeof path, "%s/cloud.xyz", f->folder);
    write_xyz(path, points, 3, "time_s=1.5 radius_m=0.125");
    assert_int_equal(weir_particles_load(NULL, path, &particles), WEIR_OK);
    assert_true(particles.points.spacing_m == 0.25f && !particles.spacing_estimated);
    assert_true(particles.time_s == 1.5);
    weir_particles_free(&particles);
}

/* Filters count what they drop, keep the fields of the others together, and refuse to leave
   nothing. */
static void filters_drop_what_they_are_asked_to(void **state)
{
    const fixture *f = *state;
    enum { CUBE = 8, COUNT_WITH_STRAY = CUBE * CUBE * CUBE + 1 };
    vec3 points[COUNT_WITH_STRAY];
    char path[128];
    weir_particles particles;
    weir_particles_filter_info dropped;
    weir_particles_filter_def def = weir_particles_filter_def_default();
    for (uint32_t i = 1; i < COUNT_WITH_STRAY; i++)
        points[i] = vec3_make((float)((i - 1) % CUBE), (float)((i - 1) / CUBE % CUBE),
                              (float)((i - 1) / (CUBE * CUBE)));
    points[0] = vec3_make(100, 3, 3);
    snprintf(path, sizeof path, "%s/cloud.xyz", f->folder);
    write_xyz(path, points, COUNT_WITH_STRAY, "a cloud");
    assert_int_equal(weir_particles_load(NULL, path, &particles), WEIR_OK);
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, NULL), WEIR_OK);
    assert_int_equal(particles.points.count, COUNT_WITH_STRAY);
    def.drop_outliers = true;
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, &dropped), WEIR_OK);
    assert_true(dropped.outliers == 1 && dropped.farthest == 0 && dropped.cropped == 0);
    assert_true(dropped.position[0] == 100.0 && particles.points.position[0] == 0.0f);
    def.crop_max[0] = 1.5;
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, &dropped), WEIR_OK);
    assert_int_equal(dropped.cropped, CUBE * CUBE * (CUBE - 2));
    assert_int_equal(particles.points.count, 2 * CUBE * CUBE);
    assert_true(particles.points.position[3] == 1.0f && particles.points.position[7] == 1.0f);
    def.crop_min[0] = 1.25;
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(particles.points.count, 2 * CUBE * CUBE);
    def.crop_min[0] = 2;
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, NULL), WEIR_ERROR_ARGUMENT);
    weir_particles_free(&particles);
    assert_int_equal(weir_particles_filter(NULL, &particles, &def, NULL), WEIR_ERROR_ARGUMENT);
}

/* ---- meshes --------------------------------------------------------------------------------- */

static weir_mesh *make_ball(const fixture *f)
{
    enum { REACH = 5, MOST = 11 * 11 * 11 };
    static float position[MOST + 1][3], velocity[MOST + 1][3];
    weir_points_def def = weir_points_def_default();
    for (int i = 0; i < MOST; i++) {
        int x = i % 11 - REACH, y = i / 11 % 11 - REACH, z = i / 121 - REACH;
        if (x * x + y * y + z * z > 16) continue;
        const float p[3] = {0.1f * (float)x, 0.1f * (float)y, 0.1f * (float)z};
        memcpy(position[def.count++], p, sizeof p);
    }
    position[def.count++][0] = 3; /* alone */
    def.spacing_m = 0.1f;
    def.position = position[0];
    def.velocity = velocity[0];
    weir_mesher_def mesher_def = weir_mesher_def_default(NULL);
    weir_mesher *mesher;
    weir_points *points;
    weir_mesh *mesh;
    mesher_def.raw = true;
    mesher_def.spray_neighbours = 3;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_OK);
    assert_int_equal(weir_mesher_create(f->device, &mesher_def, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, points, &mesh), WEIR_OK);
    weir_points_release(&points);
    weir_mesher_destroy(&mesher);
    return mesh;
}

static void meshes_are_saved_in_every_format(void **state)
{
    const fixture *f = *state;
    weir_mesh *mesh = make_ball(f);
    weir_mesh_arrays view;
    weir_mesh_get_arrays(mesh, &view);
    assert_true(view.triangle_count > 100);
    for (weir_mesh_format i = 0; i < WEIR_MESH_FORMAT_COUNT; i++) {
        weir_mesh_save_def def = weir_mesh_save_def_default();
        char path[160];
        snprintf(path, sizeof path, "%s/deep/er/ball.%s", f->folder,
                 weir_enum_name(WEIR_ENUM_MESH_FORMAT, i));
        assert_int_equal(weir_mesh_save(mesh, path, &def), WEIR_OK);
        weir_mesh_info info;
        weir_particles_info points;
        if (i <= WEIR_MESH_FORMAT_PLY) {
            assert_int_equal(weir_mesh_inspect(NULL, path, &info), WEIR_OK);
            assert_int_equal(info.vertices, view.vertex_count);
            assert_int_equal(info.triangles, view.triangle_count);
            assert_int_equal(info.boundary_edges, 0);
        } else {
            assert_int_equal(weir_particles_inspect(NULL, path, &points), WEIR_OK);
            assert_int_equal(points.count, view.vertex_count);
        }
    }
    weir_mesh_destroy(&mesh);
}

static void spray_is_saved_as_points_with_their_radius(void **state)
{
    static const char *const extensions[] = {"ply", "vtk", "bgeo", "xyz", "npy", "raw", "vtp"};
    const fixture *f = *state;
    weir_mesh *mesh = make_ball(f);
    weir_mesh_save_def def = weir_mesh_save_def_default();
    weir_mesh_arrays view;
    weir_mesh_get_arrays(mesh, &view);
    assert_int_equal(view.spray_count, 1);
    def.axis_conversion = WEIR_AXIS_CONVERSION_Y_TO_Z;
    def.scale = 2;
    for (size_t i = 0; i < BASE_COUNT(extensions); i++) {
        weir_particles spray;
        char path[128];
        snprintf(path, sizeof path, "%s/spray.%s", f->folder, extensions[i]);
        assert_int_equal(weir_mesh_save_spray(mesh, path, &def), WEIR_OK);
        assert_int_equal(weir_particles_load(NULL, path, &spray), WEIR_OK);
        assert_int_equal(spray.points.count, 1);
        assert_true(spray.points.position[0] == 6);
        bool has_radius = i < 4; /* an array of numbers cannot hold it */
        if (has_radius) assert_float_equal(spray.points.spacing_m, 4 * view.spray_radius_m, 1e-6f);
        weir_particles_free(&spray);
    }
    weir_mesh_destroy(&mesh);
}

static void a_series_lists_the_frames_that_are_there(void **state)
{
    const fixture *f = *state;
    weir_mesh *mesh = make_ball(f);
    weir_mesh_save_def def = weir_mesh_save_def_default();
    char path[128];
    static const uint32_t frames[] = {10, 2, 9};
    for (size_t i = 0; i < BASE_COUNT(frames); i++) {
        def.time_s = 0.5 * frames[i];
        snprintf(path, sizeof path, "%s/s/a_%u.vtk", f->folder, frames[i]);
        assert_int_equal(weir_mesh_save(mesh, path, &def), WEIR_OK);
        /* A lost or broken list is rebuilt from the files. */
        snprintf(path, sizeof path, "%s/s/a.vtk.series", f->folder);
        if (i == 1) assert_int_equal(base_file_write(NULL, path, "{]", 2), WEIR_OK);
    }
    base_blob blob;
    assert_int_equal(base_file_read(NULL, path, 10000, &blob), WEIR_OK);
    static const char wanted[] = "{\n  \"file-series-version\" : \"1.0\",\n  \"files\" : [\n"
                                 "    { \"name\" : \"a_2.vtk\", \"time\" : 1 },\n"
                                 "    { \"name\" : \"a_9.vtk\", \"time\" : 4.5 },\n"
                                 "    { \"name\" : \"a_10.vtk\", \"time\" : 5 }\n  ]\n}\n";
    assert_int_equal(blob.size, sizeof wanted - 1);
    assert_memory_equal(blob.bytes, wanted, blob.size);
    base_blob_free(&blob);
    weir_mesh_destroy(&mesh);
}

static void wrong_use_is_refused_with_the_rule(void **state)
{
    const fixture *f = *state;
    weir_particles particles;
    weir_log log = kept_log();
    assert_int_equal(weir_particles_load(&log, "", &particles), WEIR_ERROR_ARGUMENT);
    assert_logged("`path` must name a file");
    assert_int_equal(weir_particles_load(&log, "nowhere.ply", &particles), WEIR_ERROR_IO);
    assert_null(particles.points.position);
    weir_particles_free(&particles);
    weir_particles_free(NULL);
    weir_mesh *mesh = make_ball(f);
    weir_mesh_save_def def = weir_mesh_save_def_default(), bare = {0};
    assert_int_equal(weir_mesh_save(NULL, "a.obj", &def), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesh_save(mesh, "a.obj", &bare), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_mesh_save_def_default()");
    assert_int_equal(weir_mesh_save(mesh, "a.stl", &def), WEIR_ERROR_ARGUMENT);
    assert_logged("a.stl: unknown mesh extension; use obj, ply, vtk, bgeo or vtp");
    assert_int_equal(weir_mesh_save_spray(mesh, "a.obj", &def), WEIR_ERROR_ARGUMENT);
    assert_logged("unknown particle extension; use ply, vtk, bgeo, xyz, npy, raw or vtp");
    def.scale = -1;
    assert_int_equal(weir_mesh_save(mesh, "a.obj", &def), WEIR_ERROR_ARGUMENT);
    assert_logged("`scale` must be a finite number above 0");
    assert_null(weir_enum_name(WEIR_ENUM_MESH_FORMAT, WEIR_MESH_FORMAT_COUNT));
    weir_mesh_destroy(&mesh);
}

static int remove_folder(void **state)
{
    fixture *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    weir_device_destroy(&f->device);
    int status = system(command);
    free(f);
    return status;
}

static int make_folder(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    strcpy(f->folder, "/tmp/weir_mesh_XXXXXX");
    if (!mkdtemp(f->folder)) return -1;
    open_device(f);
    *state = f;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spacing_is_found_from_the_density),
        cmocka_unit_test(clouds_without_a_density_have_no_spacing_and_do_no_harm),
        cmocka_unit_test(a_radius_in_the_file_is_the_spacing_s_half),
        cmocka_unit_test(filters_drop_what_they_are_asked_to),
        cmocka_unit_test(meshes_are_saved_in_every_format),
        cmocka_unit_test(spray_is_saved_as_points_with_their_radius),
        cmocka_unit_test(a_series_lists_the_frames_that_are_there),
        cmocka_unit_test(wrong_use_is_refused_with_the_rule),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
