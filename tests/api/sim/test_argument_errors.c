/* The message of an argument error begins with the name of the public function, wherever in the
 * function's helpers the rule is checked. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "weir/bodies.h"
#include "weir/density_solver.h"
#include "weir/render.h"
#include "weir/whitewater.h"

#include <pthread.h>

/* Asserts that the call is refused with one message, which begins with `words`. */
static void assert_begins(weir_result result, const char *words)
{
    assert_int_equal(result, WEIR_ERROR_ARGUMENT);
    if (strncmp(logged, words, strlen(words)) != 0)
        fail_msg("\"%s\" is not the beginning of:\n%s", words, logged);
    logged[0] = '\0';
}

static void a_simulation_names_its_functions(void **state)
{
    fixture *f = *state;
    const weir_solid_pose pose = {.rotation = {0, 0, 0, 1}};
    const weir_body body = {.name = "ball"};
    weir_emitter emitter;
    weir_sim_controls controls = {.hose.speed = -1};
    assert_begins(weir_sim_set_solid(f->sim, "oar", &pose), "weir_sim_set_solid: the scene");
    assert_begins(weir_sim_set_body(f->sim, &body), "weir_sim_set_body: the scene");
    assert_begins(weir_sim_get_emitter(f->sim, "tap", &emitter), "weir_sim_get_emitter: the scene");
    assert_begins(weir_sim_set_controls(f->sim, &controls), "weir_sim_set_controls: `hose.speed`");
}

static void a_scene_names_its_functions(void **state)
{
    weir_scene *scene;
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    def.override_count = 1;
    assert_begins(weir_scene_parse("{}", 2, &def, &scene), "weir_scene_parse: `overrides`");
    assert_begins(weir_scene_load("x", &def, &scene), "weir_scene_load: `overrides`");
}

static void files_and_meshes_name_their_functions(void **state)
{
    fixture *f = *state;
    weir_points *points = NULL;
    weir_mesher *mesher = NULL;
    weir_mesh *mesh = NULL;
    weir_mesher_def mesher_def = weir_mesher_def_default(NULL);
    weir_mesh_refine_def refine = weir_mesh_refine_def_default();
    weir_output *output;
    weir_output_def output_def = weir_output_def_default();
    output_def.log = kept_log();
    mesher_def.search_radius = 0;
    refine.smooth_strength = 2;
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    assert_begins(weir_mesher_create(f->device, &mesher_def, &mesher),
                  "weir_mesher_create: `search_radius`");
    assert_int_equal(weir_mesher_create(f->device, NULL, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, points, &mesh), WEIR_OK);
    assert_begins(weir_mesh_refine(mesh, &refine, NULL), "weir_mesh_refine: `smooth_strength`");
    assert_begins(weir_mesh_save(mesh, "a.stl", NULL),
                  "weir_mesh_save: a.stl: unknown mesh extension; use obj, ply, vtk, bgeo or vtp");
    assert_begins(weir_mesh_save(mesh, "", NULL), "weir_mesh_save: `path`");
    assert_begins(weir_mesh_save_spray(mesh, "", NULL), "weir_mesh_save_spray: `path`");
    assert_begins(weir_output_create(&output_def, f->sim, &output), "weir_output_create: `folder`");
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
}

static void points_name_their_functions(void **state)
{
    fixture *f = *state;
    const float place[3] = {0, NAN, 0}, radius = 100;
    const uint32_t kind = 0;
    const weir_whitewater_particles particles = {
        .count = 1, .position = (const float[3]){0}, .kind = &kind, .radius = &radius};
    weir_points *points = NULL;
    weir_points_def def = weir_points_def_default();
    def.count = 1;
    def.position = place;
    def.spacing_m = 0.1f;
    assert_begins(weir_points_create(f->device, &def, &points),
                  "weir_points_create: `position[1]`");
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    assert_begins(weir_points_set_whitewater(points, &particles),
                  "weir_points_set_whitewater: particle 0");
    weir_points_release(&points);
}

static void pictures_name_their_functions(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    weir_camera view = weir_camera_default(NULL);
    const weir_body_pose pose = {.rotation = {0, 0, 0, 1}};
    view.samples = 9;
    assert_int_equal(weir_renderer_create(f->device, NULL, &renderer), WEIR_OK);
    assert_begins(weir_render_points(renderer, NULL, &view, &image),
                  "weir_render_points: the view's samples");
    assert_begins(weir_render_mesh(renderer, NULL, &view, &image),
                  "weir_render_mesh: the view's samples");
    assert_begins(weir_renderer_set_body_poses(renderer, &pose, 1),
                  "weir_renderer_set_body_poses: got poses of 1 bodies");
    weir_renderer_destroy(&renderer);
}

static void the_density_solver_names_its_function(void **state)
{
    fixture *f = *state;
    weir_density_solver *solver = NULL;
    weir_density_solver_particles particles = weir_density_solver_particles_default();
    assert_int_equal(weir_density_solver_create(f->device, f->scene, &solver), WEIR_OK);
    assert_begins(weir_density_solver_solve(solver, NULL, NULL),
                  "weir_density_solver_solve: `particles`");
    assert_begins(weir_density_solver_solve(solver, &particles, NULL),
                  "weir_density_solver_solve: `count`");
    weir_density_solver_destroy(&solver);
}

/* ---- threads -------------------------------------------------------------------------------- */

static void *refuse_a_step(void *sim)
{
    assert_int_equal(weir_sim_step(sim, -1), WEIR_ERROR_ARGUMENT);
    return NULL;
}

/* The name is that of the function of the same thread. */
static void threads_do_not_mix_names(void **state)
{
    fixture *f = *state;
    pthread_t thread;
    uint32_t count = 0;
    assert_int_equal(weir_sim_get_particle_count(f->sim, &count), WEIR_OK);
    assert_int_equal(pthread_create(&thread, NULL, refuse_a_step, f->sim), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_begins(WEIR_ERROR_ARGUMENT, "weir_sim_step: `seconds`");
    assert_begins(weir_sim_get_particle_count(f->sim, NULL),
                  "weir_sim_get_particle_count: `count`");
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_simulation_names_its_functions),
        WITH_FIXTURE(a_scene_names_its_functions),
        WITH_FIXTURE(files_and_meshes_name_their_functions),
        WITH_FIXTURE(points_name_their_functions),
        WITH_FIXTURE(pictures_name_their_functions),
        WITH_FIXTURE(the_density_solver_names_its_function),
        WITH_FIXTURE(threads_do_not_mix_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
