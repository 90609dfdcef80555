/* The FLIP scenes that ship with Weir, at low resolution: each loads, runs a frame and keeps its
   particles. A cube replaces the dragon, which is downloaded separately and may be missing. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "api_support.h"

static void copy_to(const fixture *f, const char *from, const char *folder, const char *name)
{
    base_blob blob = {0};
    char *to = base_format("%s/%s/%s", f->folder, folder, name);
    assert_int_equal(base_file_read(NULL, from, 1u << 20, &blob), WEIR_OK);
    assert_int_equal(base_file_write(NULL, to, blob.bytes, blob.size), WEIR_OK);
    base_blob_free(&blob);
    base_free(to);
}

static char *copy_scene(const fixture *f, const char *name)
{
    char *scenes = base_format("%s/scenes", f->folder),
         *models = base_format("%s/models", f->folder);
    char *from = base_format("scenes/%s", name), *to = base_format("%s/%s", scenes, name);
    assert_int_equal(base_folder_make(NULL, scenes), WEIR_OK);
    assert_int_equal(base_folder_make(NULL, models), WEIR_OK);
    copy_to(f, from, "scenes", name);
    copy_to(f, "tests/data/cube.obj", "models", "dragon.obj");
    base_free(scenes);
    base_free(models);
    base_free(from);
    return to;
}

/* Speed of the fastest particle after a frame of 1/25 s, m/s: free fall gives 0.39, the foot of
   a column more. */
typedef struct falling {
    const char *name;
    float speed_low, speed_high;
} falling;

static void take_a_frame(const fixture *f, const falling *c)
{
    static const char *const coarse[] = {"spacing=0.03125"};
    char *path = copy_scene(f, c->name);
    weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_stats stats;
    uint32_t count;
    def.log = kept_log();
    def.overrides = coarse;
    def.override_count = 1;
    if (weir_scene_load(path, &def, &scene) != WEIR_OK) fail_msg("%s: %s", c->name, logged);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(sim, &count), WEIR_OK);
    assert_in_range(count, 1000, 30000);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_int_equal(stats.frame, 1);
    assert_int_equal(stats.particle_count, count);
    assert_int_equal(stats.removed_non_finite + stats.removed_outside + stats.removed_by_sinks +
                         stats.unconverged_substeps,
                     0);
    assert_true(stats.speed_max_m_s > c->speed_low && stats.speed_max_m_s < c->speed_high);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    base_free(path);
}

static void each_case_takes_a_frame(void **state)
{
    static const falling cases[] = {{"flip_dam.json", 0.5f, 1.0f},
                                    {"flip_dam_pic.json", 0.5f, 1.0f},
                                    {"flip_dam_dragon.json", 0.5f, 1.0f},
                                    {"flip_cube.json", 0.39f, 0.395f},
                                    {"flip_dragon.json", 0.39f, 0.395f}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++)
        take_a_frame(*state, &cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_case_takes_a_frame),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
