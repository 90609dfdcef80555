/* Emitters of whitewater and tracers: how many particles they add, where, and how these move. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "io.h"
#include "sim_whitewater.h"

#include "shared/whitewater.h"

/* Water in a box. `sides` and `speed`: of the flow along x; `more`: other objects. */
#define BOX(sides, speed, more, emitters)                                                       \
    "{\"name\": \"drift\", \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 0.3]" sides "}, "   \
    "\"spacing\": 0.05, \"frame_rate\": 50, \"attributes\": [{\"name\": \"ink\", \"initial\": " \
    "0.5}], \"whitewater\": {\"emission_rate\": 0, \"emitters\": [" emitters "]},\n" more       \
    "\"fluids\": [{\"name\": \"water\", \"fill\": {\"velocity\": [" speed ", 0, 0], "           \
    "\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [1, 0.3, 0.3]}}}}]}"
#define DRIFT(emitters) BOX(", \"sides\": {\"x\": \"periodic\"}", "0.5", "", emitters)
/* A crate that falls. */
#define CRATE(emitters)                                                             \
    BOX("", "0",                                                                    \
        "\"bodies\": [{\"name\": \"crate\", \"density\": 500, \"shape\": {\"box\":" \
        " {\"size\": [0.1, 0.1, 0.1]}, \"position\": [0.5, 0.9, 0.15]}}],\n",       \
        emitters)
#define TRACERS                                                                              \
    "{\"rate\": 170, \"end\": 0.2, \"shape\": {\"box\": {\"min\": [0.1, 0.1, 0.1], \"max\":" \
    " [0.2, 0.2, 0.2]}}}"
#define SPRAY                                                                          \
    "{\"kind\": \"spray\", \"rate\": 1000, \"start\": 0.06, \"velocity\": [0, 2, 0], " \
    "\"velocity_spread\": 0.25, \"lifetime\": 0.11, \"attached_to\": \"crate\", "      \
    "\"shape\": {\"sphere\": {\"radius\": 0.04}, \"position\": [0.5, 0.96, 0.15]}}"

static io_particles whitewater_of(weir_sim *sim)
{
    io_particles read;
    assert_int_equal(api_sim_read_whitewater(sim, &read), WEIR_OK);
    return read;
}

static void tracers_are_counted_and_go_with_the_fluid(void **state)
{
    weir_sim *sim = simulate_scene(*state, DRIFT(TRACERS));
    step_frames(sim, 5);
    io_particles early = whitewater_of(sim);
    assert_int_equal(early.count, 17);
    for (uint32_t i = 0; i < early.count; i++) {
        const vec3 p = early.position[i];
        assert_int_equal(early.kind[i], WHITEWATER_TRACER);
        assert_true(early.attribute_values[i] == 0.5f);
        assert_true(p.x > 0.1f && p.x < 0.26f && p.y > 0.07f && p.y < 0.21f);
    }
    step_frames(sim, 15);
    io_particles later = whitewater_of(sim);
    weir_stats stats;
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_int_equal(later.count, 34);
    assert_int_equal(stats.tracers, 34);
    double mean = 0;
    for (uint32_t i = 0; i < early.count; i++) {
        assert_int_equal(later.id[i], early.id[i]);
        mean += (double)(later.position[i].x - early.position[i].x) / early.count;
        assert_true(later.lifetime[i] > 1e6f);
    }
    print_message("  they move %.4f m in 0.3 s at 0.5 m/s\n", mean);
    assert_true(fabs(mean - 0.15) < 0.01);
    io_particles_free(&early);
    io_particles_free(&later);
}

/* The crate falls from rest; spray leaves it upwards, and lives for 0.11 s at half the rate. */
static void a_body_carries_an_emitter_of_spray(void **state)
{
    weir_sim *sim = simulate_scene(*state, CRATE(SPRAY));
    step_frames(sim, 3);
    io_particles none = whitewater_of(sim);
    assert_int_equal(none.count, 0);
    step_frames(sim, 5);
    io_particles spray = whitewater_of(sim);
    const float t = 8 / 50.0f, fallen = 0.5f * 9.81f * t * t;
    uint32_t same = 0; /* as particles of the frame before */
    assert_int_equal(spray.count, 100);
    for (uint32_t i = 80; i < 100; i++) { /* of the last frame */
        const vec3 apart = vec3_sub(spray.position[i], vec3_make(0.5f, 0.96f - fallen, 0.15f));
        const vec3 v = vec3_sub(spray.velocity[i], vec3_make(0, 2 - 9.81f * (t - 0.01f), 0));
        assert_int_equal(spray.kind[i], WHITEWATER_SPRAY);
        assert_true(vec3_length(apart) < 0.04f + 2.3f * 0.02f);
        assert_true(vec3_length(v) < 0.26f);
        const vec3 other = vec3_sub(spray.velocity[i], spray.velocity[i - 20]);
        same += hypotf(other.x, other.z) < 0.01f;
        assert_true(spray.lifetime[i] == 0.11f);
    }
    assert_true(same < 5);
    step_frames(sim, 12);
    io_particles later = whitewater_of(sim);
    assert_true(later.count < 240); /* without an end 340 */
    io_particles_free(&none);
    io_particles_free(&spray);
    io_particles_free(&later);
}

static void a_state_goes_on_with_the_same_particles(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state", f->folder);
    weir_sim *sim = simulate_scene(f, CRATE(TRACERS ", " SPRAY));
    step_frames(sim, 5);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    step_frames(sim, 4);
    io_particles whole = whitewater_of(sim);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step_frames(sim, 4);
    io_particles resumed = whitewater_of(sim);
    assert_true(whole.count > 100 && resumed.count == whole.count);
    assert_memory_equal(resumed.id, whole.id, whole.count * sizeof *whole.id);
    assert_memory_equal(resumed.position, whole.position, whole.count * sizeof *whole.position);
    assert_memory_equal(resumed.velocity, whole.velocity, whole.count * sizeof *whole.velocity);
    io_particles_free(&whole);
    io_particles_free(&resumed);
}

/* The second file, of 0.1 s, is a box elsewhere; between the two the shape shrinks and grows. */
static void a_shape_is_a_sequence_of_meshes(void **state)
{
    char scene[2048], emitter[512];
    fixture *f = *state;
    write_box_mesh(f, 1, vec3_make(0.1f, 0.6f, 0.1f), vec3_make(0.2f, 0.7f, 0.2f));
    write_box_mesh(f, 2, vec3_make(0.7f, 0.6f, 0.1f), vec3_make(0.8f, 0.7f, 0.2f));
    snprintf(emitter, sizeof emitter,
             "{\"rate\": 500, \"shape\": {\"mesh\": {\"files\": \"%s/box_%%d.obj\", \"first\": 1, "
             "\"last\": 2, \"rate\": 10}}}",
             f->folder);
    snprintf(scene, sizeof scene, DRIFT("%s"), emitter);
    weir_sim *sim = simulate_scene(f, scene);
    step_frames(sim, 1);
    io_particles first = whitewater_of(sim);
    assert_true(first.count > 5 && first.position[0].x < 0.25f);
    step_frames(sim, 5);
    io_particles later = whitewater_of(sim);
    assert_true(later.count > 55 && later.position[later.count - 1].x > 0.65f);
    io_particles_free(&first);
    io_particles_free(&later);
}

static void what_cannot_emit_is_named(void **state)
{
    static const struct {
        const char *scene, *words;
    } faults[] = {
        {DRIFT("{\"rate\": 5, \"shape\": {\"difference\": [{\"sphere\": {\"radius\": 0.1}}, "
               "{\"sphere\": {\"radius\": 0.2}}]}}"),
         "whitewater.emitters[0]: 0 of 4096 random points in the box of its shape lie inside it"},
        {DRIFT("{\"rate\": 5, \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"motion\": "
               "{\"host_driven\": true}}"),
         "whitewater.emitters[0].motion: is moved by the host program"},
        {DRIFT("{\"rate\": 5, \"kind\": \"dust\", \"shape\": {\"sphere\": {\"radius\": 0.1}}}"),
         "whitewater.emitters[0].kind: is \"dust\", expected"},
        {DRIFT("{\"shape\": {\"sphere\": {\"radius\": 0.1}}}"), "rate"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < BASE_COUNT(faults); i++) {
        weir_scene *scene = NULL;
        weir_sim *sim = NULL;
        weir_result result = parse_scene(faults[i].scene, &scene);
        if (result == WEIR_OK) result = weir_sim_create(f->device, scene, &sim);
        assert_int_equal(result, WEIR_ERROR_SCENE);
        assert_logged(faults[i].words);
        weir_sim_destroy(&sim);
        weir_scene_destroy(&scene);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tracers_are_counted_and_go_with_the_fluid),
        TEST(a_body_carries_an_emitter_of_spray),
        TEST(a_state_goes_on_with_the_same_particles),
        TEST(a_shape_is_a_sequence_of_meshes),
        TEST(what_cannot_emit_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
