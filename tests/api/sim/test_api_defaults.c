/* NULL in place of a def stands for its defaults: the results are the same to the byte. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "weir/render.h"
#include "weir/whitewater.h"

#define OK(call) assert_int_equal((call), WEIR_OK)

/* Steps the fixture's simulation twice, so that its points are the same at each call. */
static weir_points *points_of(const fixture *f)
{
    weir_points *points = NULL;
    weir_sim *sim = NULL;
    OK(weir_sim_create(f->device, f->scene, &sim));
    OK(weir_sim_step(sim, 0));
    OK(weir_sim_step(sim, 0));
    OK(weir_sim_acquire_points(sim, &points));
    weir_sim_destroy(&sim);
    return points;
}

/* ---- devices, scenes, simulations ----------------------------------------------------------- */

static uint64_t hash_after_two_frames(weir_device *device, const weir_scene *scene)
{
    weir_sim *sim = NULL;
    OK(weir_sim_create(device, scene, &sim));
    OK(weir_sim_step(sim, 0));
    OK(weir_sim_step(sim, 0));
    uint64_t hash = hash_of(sim);
    weir_sim_destroy(&sim);
    return hash;
}

static void a_device_and_a_scene_need_no_def(void **state)
{
    const fixture *f = *state;
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_device_info usual, own;
    OK(weir_device_create(NULL, &device));
    OK(weir_scene_parse(TINY_SCENE, strlen(TINY_SCENE), NULL, &scene));
    weir_device_get_info(f->device, &usual);
    weir_device_get_info(device, &own);
    assert_string_equal(own.name, usual.name);
    assert_true(hash_after_two_frames(device, scene) == hash_after_two_frames(f->device, f->scene));
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    assert_string_equal(logged, ""); /* the defaults have no log */
}

static void a_scene_file_needs_no_def(void **state)
{
    const fixture *f = *state;
    weir_scene *scene = NULL, *same = NULL;
    weir_scene_info info, expected;
    const weir_scene_def def = weir_scene_def_default();
    char path[128];
    snprintf(path, sizeof path, "%s/tiny.json", f->folder);
    OK(base_file_write(NULL, path, TINY_SCENE, strlen(TINY_SCENE)));
    OK(weir_scene_load(path, NULL, &scene));
    OK(weir_scene_load(path, &def, &same));
    weir_scene_get_info(scene, &info);
    weir_scene_get_info(same, &expected);
    assert_string_equal(info.json, expected.json);
    weir_scene_destroy(&scene);
    weir_scene_destroy(&same);
    assert_int_equal(weir_scene_load("no/such/file.json", NULL, &scene), WEIR_ERROR_IO);
    assert_null(scene);
    assert_int_equal(weir_scene_parse("{", 1, NULL, &scene), WEIR_ERROR_SCENE);
    assert_null(scene);
}

/* ---- meshes --------------------------------------------------------------------------------- */

static void assert_same_files(const fixture *f, const char *one, const char *other)
{
    char path[128];
    base_blob blobs[2] = {0};
    const char *const names[2] = {one, other};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", f->folder, names[i]);
        OK(base_file_read(NULL, path, 1 << 26, &blobs[i]));
    }
    assert_true(blobs[0].size > 0);
    assert_int_equal(blobs[0].size, blobs[1].size);
    assert_memory_equal(blobs[0].bytes, blobs[1].bytes, blobs[0].size);
    base_blob_free(&blobs[0]);
    base_blob_free(&blobs[1]);
}

/* Meshes the points, and writes the mesh, its spray and the refined mesh. Any def may be NULL. */
static void write_meshes(const fixture *f, const weir_mesher_def *def,
                         const weir_mesh_refine_def *refine, const weir_mesh_save_def *save)
{
    static const char *const names[] = {"raw", "refined"};
    const char *given = def ? "given" : "null";
    weir_points *points = points_of(f);
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    char path[128];
    OK(weir_mesher_create(f->device, def, &mesher));
    OK(weir_mesher_run(mesher, points, &mesh));
    snprintf(path, sizeof path, "%s/spray_%s.ply", f->folder, given);
    OK(weir_mesh_save_spray(mesh, path, save));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s_%s.ply", f->folder, names[i], given);
        OK(weir_mesh_save(mesh, path, save));
        if (i == 0) OK(weir_mesh_refine(mesh, refine, NULL));
    }
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
}

static void meshes_need_no_def(void **state)
{
    const fixture *f = *state;
    const weir_mesher_def mesher = weir_mesher_def_default(NULL);
    const weir_mesh_refine_def refine = weir_mesh_refine_def_default();
    const weir_mesh_save_def save = weir_mesh_save_def_default();
    write_meshes(f, &mesher, &refine, &save);
    write_meshes(f, NULL, NULL, NULL);
    assert_same_files(f, "raw_given.ply", "raw_null.ply");
    assert_same_files(f, "spray_given.ply", "spray_null.ply");
    assert_same_files(f, "refined_given.ply", "refined_null.ply");
}

/* ---- pictures ------------------------------------------------------------------------------- */

static void draw(const fixture *f, const weir_renderer_def *def, const weir_camera *view,
                 uint8_t **pixels)
{
    weir_points *points = points_of(f);
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *read;
    OK(weir_renderer_create(f->device, def, &renderer));
    OK(weir_render_points(renderer, points, view, &image));
    OK(weir_image_read(image, &width, &height, &read));
    assert_true(width == 1280 && height == 720);
    *pixels = malloc(4 * 1280 * 720);
    memcpy(*pixels, read, 4 * 1280 * 720);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_points_release(&points);
}

/* Draws with and without defs. */
static void assert_same_pictures(const fixture *f, const weir_renderer_def *without_def,
                                 const weir_renderer_def *def)
{
    const weir_camera view = weir_camera_default(def->scene);
    uint8_t *given, *null;
    draw(f, def, &view, &given);
    draw(f, without_def, NULL, &null);
    assert_memory_equal(given, null, 4 * 1280 * 720);
    free(given);
    free(null);
}

static void pictures_need_no_def(void **state)
{
    const fixture *f = *state;
    weir_renderer_def def = weir_renderer_def_default();
    assert_same_pictures(f, NULL, &def);
    def.scene = f->scene; /* whose camera is the default */
    assert_same_pictures(f, &def, &def);
}

static void a_mesh_is_drawn_without_a_view(void **state)
{
    const fixture *f = *state;
    weir_points *points = points_of(f);
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    OK(weir_mesher_create(f->device, NULL, &mesher));
    OK(weir_mesher_run(mesher, points, &mesh));
    OK(weir_renderer_create(f->device, NULL, &renderer));
    OK(weir_render_mesh(renderer, mesh, NULL, &image));
    assert_non_null(image);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
}

/* ---- whitewater ----------------------------------------------------------------------------- */

static void whitewater_files_need_no_def(void **state)
{
    const fixture *f = *state;
    const weir_output_def def = weir_output_def_default();
    weir_whitewater *whitewater = NULL;
    weir_whitewater_particles particles;
    weir_points *points = points_of(f);
    char path[128];
    OK(weir_whitewater_create(f->device, f->scene, &whitewater));
    OK(weir_whitewater_step(whitewater, points, 0, 0));
    snprintf(path, sizeof path, "%s/given.ply", f->folder);
    OK(weir_whitewater_save(whitewater, path, &def));
    snprintf(path, sizeof path, "%s/null.ply", f->folder);
    OK(weir_whitewater_save(whitewater, path, NULL));
    assert_same_files(f, "given.ply", "null.ply");
    OK(weir_whitewater_load(NULL, path, NULL, &particles));
    assert_int_equal(particles.count, 0);
    weir_whitewater_particles_free(&particles);
    weir_whitewater_destroy(&whitewater);
    weir_points_release(&points);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_device_and_a_scene_need_no_def),
        WITH_FIXTURE(a_scene_file_needs_no_def),
        WITH_FIXTURE(meshes_need_no_def),
        WITH_FIXTURE(pictures_need_no_def),
        WITH_FIXTURE(a_mesh_is_drawn_without_a_view),
        WITH_FIXTURE(whitewater_files_need_no_def),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
