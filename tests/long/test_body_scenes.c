/* Runs the first frames, at full size, of the scenes that have bodies, soft bodies, cloths or
   ropes. Nothing is lost or thrown out, nothing is faster than a fall across the domain and the
   scene's driven parts allow, and an undriven scene gains no energy. */
#include "scene.h"

#include "weir/bodies.h"
#include "weir/deformables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FRAMES 12
#define BODIES_MAX 64u

typedef struct run {
    base_blob text;
    scene_data *data;
    weir_scene *scene;
    weir_sim *sim;
    weir_stats before;
    double fastest; /* m/s: limit for all speeds */
    bool driven;    /* by emitters or moving solids */
} run;

static weir_device *device;

static void print_line(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    print_message("  %s\n", text);
}

static const weir_log log_all = {print_line, NULL, WEIR_LOG_WARNING};

static int open_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = log_all;
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    return 0;
}

static int close_device(void **state)
{
    weir_device_destroy(&device);
    return 0;
}

static double energy_of(const weir_stats *s)
{
    return s->kinetic_energy_j + s->potential_energy_j + s->bodies_kinetic_energy_j +
           s->bodies_potential_energy_j;
}

/* Sets the limits: twice the speed of a fall across the domain, plus the speeds of emitters and
   moving solids. */
static void find_limits(run *r)
{
    const scene_data *scene = r->data;
    double height = (double)vec3_length(vec3_sub(scene->domain.max, scene->domain.min));
    r->fastest = 2.0 * sqrt(2.0 * (double)vec3_length(scene->gravity) * height);
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        r->fastest += (double)scene_emitter_max_speed(&scene->emitters[i]);
    r->driven = scene->emitter_count > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        r->driven = r->driven || scene->solids[i].motion.kind != SCENE_MOTION_STATIC;
}

static void start(run *r, const char *path)
{
    weir_scene_def def = weir_scene_def_default();
    def.log = log_all;
    assert_int_equal(base_file_read(&log_all, path, 1u << 20, &r->text), WEIR_OK);
    scene_input input = {.text = (const char *)r->text.bytes,
                         .size = r->text.size,
                         .source = path,
                         .folder = "scenes"};
    assert_int_equal(scene_parse(&log_all, &input, &r->data), WEIR_OK);
    assert_int_equal(weir_scene_load(path, &def, &r->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(device, r->scene, &r->sim), WEIR_OK);
    assert_int_equal(weir_sim_get_stats(r->sim, &r->before), WEIR_OK);
    find_limits(r);
}

static void finish(run *r)
{
    weir_sim_destroy(&r->sim);
    weir_scene_destroy(&r->scene);
    scene_destroy(&r->data);
    base_blob_free(&r->text);
}

/* Asserts that a body's centre or a vertex is finite, in the domain, and slow enough. */
static void assert_sane(const run *r, const char *name, const float x[3], const float v[3])
{
    vec3 p = vec3_make(x[0], x[1], x[2]);
    double speed = (double)vec3_length(vec3_make(v[0], v[1], v[2]));
    if (!scene_is_inside(&r->data->domain, p))
        fail_msg("%s is at (%g, %g, %g) m, outside the domain", name, (double)x[0], (double)x[1],
                 (double)x[2]);
    if (!(speed < r->fastest)) fail_msg("%s has %g m/s, at most %g", name, speed, r->fastest);
}

static void judge_bodies(const run *r)
{
    static weir_body bodies[BODIES_MAX];
    uint32_t count = BODIES_MAX;
    assert_int_equal(weir_sim_get_bodies(r->sim, bodies, &count), WEIR_OK);
    assert_int_equal(count, r->data->body_count);
    for (uint32_t i = 0; i < count; i++) {
        assert_false(bodies[i].non_finite);
        assert_sane(r, bodies[i].name, bodies[i].position, bodies[i].velocity);
    }
}

static void judge_softs(const run *r)
{
    weir_deformable deformables[8];
    uint32_t count = BASE_COUNT(deformables), vertices = 0;
    assert_int_equal(weir_sim_get_deformables(r->sim, deformables, &count), WEIR_OK);
    assert_int_equal(count, scene_deformable_count(r->data));
    assert_int_equal(weir_sim_get_deformable_vertices(r->sim, NULL, NULL, &vertices), WEIR_OK);
    float *x = base_alloc(vertices, 3 * sizeof *x), *v = base_alloc(vertices, 3 * sizeof *v);
    assert_true(x && v);
    assert_int_equal(weir_sim_get_deformable_vertices(r->sim, x, v, &vertices), WEIR_OK);
    for (uint32_t s = 0; s < count; s++) {
        assert_true(deformables[s].non_finite_vertices == 0 && deformables[s].torn_edges == 0);
        for (uint32_t i = 0; i < deformables[s].vertex_count; i++) {
            size_t at = 3ul * (deformables[s].first_vertex + i);
            assert_sane(r, deformables[s].name, &x[at], &v[at]);
        }
    }
    base_free(x);
    base_free(v);
}

static void judge_fluid(const run *r, const char *path)
{
    weir_stats s;
    assert_int_equal(weir_sim_get_stats(r->sim, &s), WEIR_OK);
    double before = energy_of(&r->before), gain = energy_of(&s) - before;
    print_message("%s: %u particles, at most %.2f m/s, density error %.2f %%, energy %+.2f %% of "
                  "%.0f J\n",
                  path, s.particle_count, s.speed_max_m_s, 100.0 * s.density_error_mean,
                  100.0 * gain / before, before);
    assert_int_equal(s.removed_non_finite + s.overcompressed_frames, 0);
    bool open = false;
    for (int side = 0; side < 6; side++)
        open = open || r->data->domain.sides[side] == SCENE_SIDE_OPEN;
    if (!open) assert_int_equal(s.removed_outside, 0);
    if (r->data->emitter_count == 0) assert_int_equal(s.particle_count, r->before.particle_count);
    assert_true(s.speed_max_m_s < r->fastest);
    if (!r->driven) assert_true(gain < 2e-3 * before);
}

static void run_scene(const char *path)
{
    run r = {0};
    start(&r, path);
    assert_true(r.data->body_count + scene_deformable_count(r.data) > 0);
    for (int frame = 1; frame <= FRAMES; frame++) {
        assert_int_equal(weir_sim_step(r.sim, 0.0), WEIR_OK);
        if (frame % (FRAMES / 2) != 0) continue;
        judge_fluid(&r, path);
        judge_bodies(&r);
        judge_softs(&r);
    }
    finish(&r);
}

static void bodies_stay_whole(void **state)
{
    run_scene("scenes/ball_pool.json");
    run_scene("scenes/boat.json");
    run_scene("scenes/rafts.json");
}

static void cloths_and_ropes_stay_whole(void **state)
{
    run_scene("scenes/bag.json");
    run_scene("scenes/flag.json");
    run_scene("scenes/rope_across_river.json");
    run_scene("scenes/tarpaulin.json");
}

static void soft_bodies_stay_whole(void **state)
{
    run_scene("scenes/jelly.json");
    run_scene("scenes/dice.json");
    if (base_path_is_file("models/armadillo.obj")) run_scene("scenes/jelly_armadillo.json");
}

static bool has_any(const char *name)
{
    static const char *const keys[] = {
        "\"bodies\":", "\"cloths\":", "\"ropes\":", "\"soft_bodies\":"};
    char *path = base_format("scenes/%s", name);
    base_blob blob = {0};
    base_text text = {0};
    bool has = false;
    assert_int_equal(base_file_read(&log_all, path, 1u << 20, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    for (size_t k = 0; k < BASE_COUNT(keys); k++)
        has = has || strstr(text.items, keys[k]);
    base_free(text.items);
    base_blob_free(&blob);
    base_free(path);
    return has;
}

static void no_scene_is_left_out(void **state)
{
    static const char known[] = " bag.json ball_pool.json boat.json dice.json flag.json jelly.json "
                                "jelly_armadillo.json rafts.json rope_across_river.json "
                                "tarpaulin.json ";
    char **names = NULL;
    size_t count = 0;
    uint32_t found = 0;
    assert_int_equal(base_folder_list(&log_all, "scenes", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++) {
        if (strstr(names[i], ".schema.") || !strstr(names[i], ".json")) continue;
        if (!has_any(names[i])) continue;
        char *word = base_format(" %s ", names[i]);
        if (!strstr(known, word)) fail_msg("scenes/%s is not run here", names[i]);
        base_free(word);
        found++;
    }
    assert_int_equal(found, 10);
    base_names_free(names, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene_is_left_out),
        cmocka_unit_test(bodies_stay_whole),
        cmocka_unit_test(cloths_and_ropes_stay_whole),
        cmocka_unit_test(soft_bodies_stay_whole),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
