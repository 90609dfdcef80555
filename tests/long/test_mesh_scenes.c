/* Every tenth frame of every scene becomes a closed, consistently wound 2-manifold with every
   preset, and remains one when it is cleaned and smoothed, without triangles of zero area. A
   scene whose models are missing is skipped.

   test_mesh_scenes [SCENE [FACTOR [PRESET]]]: only scenes with SCENE in their names, FACTOR
   times their spacing, default 2 (FACTOR^3 times fewer particles, about FACTOR^4 times as fast),
   and one preset only. A scene that still has too many particles is coarsened further. */
#include "mesh_support.h"

#include <stdlib.h>

static const char *const presets[] = {"calibrated", "zhu-bridson", "sph", "anisotropic"};
#define PRESETS 4
#define MOST_PARTICLES 20000u /* at the start */

static const char *wanted;        /* part of a scene's name; NULL: all */
static const char *wanted_preset; /* NULL: all */
static double factor = 2.0;
static weir_device *device;
static weir_mesher *meshers[PRESETS];
/* meshes of the scene; triangles of zero area in the last mesh */
static uint32_t meshed, degenerate;

static int open_all(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    for (int i = 0; i < PRESETS; i++) {
        weir_mesher_def mesher = weir_mesher_def_default(presets[i]);
        mesher.raw = true;
        if (mesher.cell_size < 0.5f) mesher.cell_size = 0.5f;
        assert_int_equal(weir_mesher_create(device, &mesher, &meshers[i]), WEIR_OK);
    }
    return 0;
}

static int close_all(void **state)
{
    for (int i = 0; i < PRESETS; i++)
        weir_mesher_destroy(&meshers[i]);
    weir_device_destroy(&device);
    return 0;
}

static void assert_good(const char *what, const weir_mesh *mesh)
{
    weir_mesh_arrays view;
    weir_mesh_info info;
    weir_mesh_get_arrays(mesh, &view);
    const mesher_surface surface = {
        .vertex_count = view.vertex_count,
        .triangle_count = view.triangle_count,
        .position = (vec3 *)(uintptr_t)view.position,
        .index = (uint32_t *)(uintptr_t)view.index,
    };
    census c = take_census(&surface);
    const weir_log log = {.write = print_problem, .level = WEIR_LOG_WARNING};
    assert_int_equal(mesher_surface_check(&log, &surface, &info), WEIR_OK);
    if (!is_closed_manifold(&c) || c.volume <= 0.0)
        fail_msg("%s: %u bad edges, %u pinched vertices, volume %g", what, c.bad_edges, c.pinched,
                 c.volume);
    if (!info.closed || !info.manifold || !info.oriented)
        fail_msg("%s: the two ways to look at it disagree", what);
    degenerate = info.degenerate_triangles;
}

static void assert_meshed(const char *path, uint32_t frame, const weir_points *points)
{
    const weir_mesh_refine_def refine = weir_mesh_refine_def_default();
    for (int i = 0; i < PRESETS; i++) {
        weir_mesh *mesh = NULL;
        weir_mesh_arrays view;
        char what[512];
        if (wanted_preset && strcmp(presets[i], wanted_preset) != 0) continue;
        assert_int_equal(weir_mesher_run(meshers[i], points, &mesh), WEIR_OK);
        weir_mesh_get_arrays(mesh, &view);
        assert_true(view.triangle_count > 0);
        snprintf(what, sizeof what, "%s, frame %u, preset %s, as it is", path, frame, presets[i]);
        assert_good(what, mesh);
        assert_int_equal(weir_mesh_refine(mesh, &refine, NULL), WEIR_OK);
        snprintf(what, sizeof what, "%s, frame %u, preset %s, cleaned", path, frame, presets[i]);
        assert_good(what, mesh);
        if (degenerate) fail_msg("%s: %u triangles without area", what, degenerate);
        meshed++;
        weir_mesh_destroy(&mesh);
    }
}

/* Loads the scene with its spacing multiplied by `coarser`. */
static weir_result load_scene(const char *path, double coarser, weir_scene **scene)
{
    const weir_log log = {.write = print_problem, .level = WEIR_LOG_WARNING};
    weir_scene_info info;
    char words[64];
    const char *set[] = {words};
    weir_scene_def def = weir_scene_def_default();
    weir_result result = weir_scene_load(path, &def, scene);
    if (result != WEIR_OK) return result;
    weir_scene_get_info(*scene, &info);
    weir_scene_destroy(scene);
    snprintf(words, sizeof words, "spacing=%.9g", coarser * (double)info.spacing_m);
    def.log = log;
    def.overrides = set;
    def.override_count = 1;
    return weir_scene_load(path, &def, scene);
}

/* Returns false if its models are missing. */
static bool open_scene(const char *path, weir_scene **scene, weir_sim **sim)
{
    uint32_t count = UINT32_MAX;
    for (double coarser = factor; count > MOST_PARTICLES; coarser *= 1.25) {
        weir_sim_destroy(sim);
        weir_scene_destroy(scene);
        weir_result result = load_scene(path, coarser, scene);
        if (result != WEIR_OK && !base_path_is_folder("models")) return false;
        assert_int_equal(result, WEIR_OK);
        assert_int_equal(weir_sim_create(device, *scene, sim), WEIR_OK);
        assert_int_equal(weir_sim_get_particle_count(*sim, &count), WEIR_OK);
    }
    return true;
}

static void mesh_scene(const char *path)
{
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_scene_info info;
    if (!open_scene(path, &scene, &sim)) {
        print_message("%s: its models are not there\n", path);
        return;
    }
    weir_scene_get_info(scene, &info);
    for (uint32_t frame = 0; frame <= info.frame_count; frame++) {
        if (frame % 10 == 0) {
            weir_points *points = NULL;
            uint32_t count;
            assert_int_equal(weir_sim_get_particle_count(sim, &count), WEIR_OK);
            assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
            if (count) assert_meshed(path, frame, points);
            weir_points_release(&points);
        }
        assert_int_equal(weir_sim_step(sim, 0.0), WEIR_OK);
    }
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void every_tenth_frame_of_every_scene_is_closed(void **state)
{
    char **names = NULL;
    size_t count = 0;
    assert_int_equal(base_folder_list(NULL, "scenes", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++) {
        char path[256];
        snprintf(path, sizeof path, "scenes/%s", names[i]);
        if (strcmp(base_path_extension(names[i]), "json") != 0 || strstr(names[i], "schema"))
            continue;
        if (wanted && !strstr(names[i], wanted)) continue;
        mesh_scene(path);
        print_message("%s: %u meshes\n", path, meshed);
        meshed = 0;
    }
    base_names_free(names, count);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tenth_frame_of_every_scene_is_closed),
    };
    wanted = argc > 1 ? argv[1] : NULL;
    factor = argc > 2 ? strtod(argv[2], NULL) : factor;
    wanted_preset = argc > 3 ? argv[3] : NULL;
    return cmocka_run_group_tests(tests, open_all, close_all);
}
