/* Bodies through the public API: readings, their file, and refused starts. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/bodies.h"
#include "weir/profile.h"

#define SCENE(bodies)                                                                              \
    "{\"spacing\": 0.1, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, 2]}," \
    " \"solids\": [{\"name\": \"pole\", \"shape\": {\"box\": {\"min\": [1.5, 0, 1.5],"             \
    " \"max\": [1.8, 2, 1.8]}}}],\n\"bodies\": [" bodies "],"                                      \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {"                        \
    "\"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}}}}]}"
#define BOX(name, size, at)                                               \
    "{\"name\": \"" name "\", \"density\": 500, \"velocity\": [0, 0, 1]," \
    " \"shape\": {\"box\": {\"size\": " size "}, \"position\": " at "}}"

static void refused(fixture *f, const char *text, const char *message)
{
    use_scene(f, text);
    logged[0] = '\0';
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_ERROR_SCENE);
    assert_null(f->sim);
    if (!strstr(logged, message)) fail_msg("expected \"%s\" in:\n%s", message, logged);
}

static void a_start_that_cannot_be_is_refused_with_its_line(void **state)
{
    fixture *f = *state;
    refused(f, SCENE(BOX("low", "[0.4, 0.4, 0.4]", "[1, 0.15, 1]")),
            ":2:12: body 'low' penetrates 0.05 m into the domain's side '-y' at the start: move it "
            "away by at least that much");
    refused(f, SCENE(BOX("beside", "[0.4, 0.4, 0.4]", "[1.4, 1, 1.6]")), "into solid 'pole'");
    refused(
        f,
        SCENE(BOX("a", "[0.4, 0.4, 0.4]", "[1, 1, 1]") "," BOX("b", "[0.4, 0.4, 0.4]",
                                                               "[1.2, 1.2, 1]")),
        "body 'a' penetrates 0.2 m into body 'b' at the start: move it away by at least that much");
    refused(f, SCENE(BOX("thin", "[0.4, 0.05, 0.4]", "[1, 1, 1]")),
            "body 'thin' is 0.05 m thick, thinner than the spacing of 0.1 m, so it would not act "
            "on fluid; make it thicker, or spacing ");
}

static base_text read_text(const fixture *f, const char *name)
{
    char path[256];
    base_blob blob = {0};
    base_text text = {0};
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    base_blob_free(&blob);
    return text;
}

static void write_frames(fixture *f, weir_output_def *def, int frames)
{
    weir_output *output;
    assert_int_equal(weir_output_create(def, f->sim, &output), WEIR_OK);
    for (int i = 0; i < frames; i++) {
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
        assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    }
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
}

static void poses_are_read_and_written_and_resumed(void **state)
{
    fixture *f = *state;
    weir_body body;
    uint32_t count = 0;
    char checkpoint[128];
    simulate_scene(f, SCENE(BOX("box", "[0.4, 0.4, 0.4]", "[1, 1, 0.5]")));
    assert_int_equal(weir_sim_get_bodies(f->sim, NULL, &count), WEIR_OK);
    assert_int_equal(count, 1);
    weir_output_def def = weir_output_def_default();
    def.log = kept_log();
    def.folder = f->folder;
    def.particles = false;
    write_frames(f, &def, 2);
    snprintf(checkpoint, sizeof checkpoint, "%s/state.weir", f->folder);
    assert_int_equal(weir_sim_save(f->sim, checkpoint), WEIR_OK);
    def.resume = true;
    write_frames(f, &def, 2);
    assert_int_equal(weir_sim_restore(f->sim, checkpoint), WEIR_OK);
    write_frames(f, &def, 1);
    assert_int_equal(weir_sim_get_bodies(f->sim, &body, &count), WEIR_OK);
    assert_string_equal(body.name, "box");
    assert_float_equal(body.mass_kg, 32.0f, 0.01f);
    assert_float_equal(body.position[2], 0.55f, 1e-4f);
    assert_true(body.velocity[1] < -0.4f && !body.non_finite);
    base_text text = read_text(f, "bodies.jsonl");
    assert_null(strstr(text.items, "{\"frame\": 4,"));
    const char *third = strstr(text.items, "{\"frame\": 3, \"time_s\": 0.05,");
    assert_non_null(third);
    assert_non_null(strstr(third, "\"bodies\": [{\"name\": \"box\", \"position\": [1, 0."));
    base_free(text.items);
    text = read_text(f, "stats.csv");
    assert_non_null(strstr(text.items, ",bodies_kinetic_energy_j,bodies_potential_energy_j,"));
    base_free(text.items);
}

/* ---- the mouse joint ------------------------------------------------------------------------ */

static const float ahead[3] = {0, 0, 3}; /* the box of the next tests lies in front of the origin */

static weir_body_point grip_of(weir_sim *sim, float x, float y, const float direction[3])
{
    weir_body_point point;
    const float origin[3] = {x, y, -4};
    if (weir_sim_pick_body(sim, origin, direction, &point) != WEIR_OK) fail_msg("%s", logged);
    return point;
}

static void make_box(fixture *f)
{
    simulate_scene(f, SCENE(BOX("box", "[0.4, 0.4, 0.4]", "[1, 1, 0.5]")));
}

static weir_body only_body(weir_sim *sim)
{
    weir_body body;
    uint32_t count = 1;
    assert_int_equal(weir_sim_get_bodies(sim, &body, &count), WEIR_OK);
    assert_int_equal(count, 1);
    return body;
}

static void a_ray_finds_the_body_that_it_meets_first(void **state)
{
    fixture *f = *state;
    simulate_scene(f, SCENE(BOX("behind", "[0.4, 0.4, 0.4]",
                                "[1, 1, 1]") "," BOX("box", "[0.4, 0.4, 0.4]", "[1, 1, 0.5]")));
    weir_body_point point = grip_of(f->sim, 0.9f, 1.1f, ahead);
    assert_string_equal(point.name, "box");
    const float at[3] = {0.9f, 1.1f, 0.3f}, place[3] = {-0.1f, 0.1f, -0.2f};
    for (int k = 0; k < 3; k++) {
        assert_float_equal(point.position[k], at[k], 2e-3f);
        assert_float_equal(point.local_position[k], place[k], 2e-3f);
    }
    assert_null(grip_of(f->sim, 0.7f, 1.1f, ahead).name);
    assert_null(grip_of(f->sim, 0.9f, 1.1f, (const float[]){0, 0, -1}).name);
    const float far_side[3] = {0.9f, 1.1f, 5}, back[3] = {0, 0, -1};
    assert_int_equal(weir_sim_pick_body(f->sim, far_side, back, &point), WEIR_OK);
    assert_string_equal(point.name, "behind");
    const float inside[3] = {1, 1, 1};
    assert_int_equal(weir_sim_pick_body(f->sim, inside, ahead, &point), WEIR_OK);
    assert_string_equal(point.name, "behind");
}

/* The dragged corner reaches the target and stays there; released, the box falls from there. */
static void a_dragged_body_comes_and_falls_when_it_is_let_go(void **state)
{
    fixture *f = *state;
    make_box(f);
    const float target[3] = {0.7f, 1.3f, 0.8f};
    weir_body_point point = grip_of(f->sim, 0.85f, 1.15f, ahead);
    assert_int_equal(weir_sim_grab_body(f->sim, &point, target), WEIR_OK);
    step_frames(f->sim, 60);
    weir_body body = only_body(f->sim);
    const float *q = body.rotation;
    vec3 arm = quat_rotate(
        (quat){q[0], q[1], q[2], q[3]},
        vec3_make(point.local_position[0], point.local_position[1], point.local_position[2]));
    vec3 held = vec3_add(vec3_make(body.position[0], body.position[1], body.position[2]), arm);
    vec3 off = vec3_sub(held, vec3_make(target[0], target[1], target[2]));
    print_message("  the grip is %.4f m from its target\n", (double)vec3_length(off));
    assert_true(vec3_length(off) < 0.05f); /* half a spacing */
    assert_int_equal(weir_sim_grab_body(f->sim, NULL, NULL), WEIR_OK);
    float height = body.position[1];
    step_frames(f->sim, 10);
    body = only_body(f->sim);
    print_message("  let go, it fell %.3f m in 10 frames\n", (double)(height - body.position[1]));
    assert_true(body.position[1] < height - 0.08f);
}

/* This holds for a target far outside, behind a wall, and for one that jumps each frame. */
static void no_drag_throws_a_body_out(void **state)
{
    fixture *f = *state;
    make_box(f);
    weir_body_point point = grip_of(f->sim, 0.85f, 1.15f, ahead);
    float fastest = 0.0f;
    for (int i = 0; i < 60; i++) {
        float far = i < 30 ? 1e4f : i % 2 == 0 ? 50.0f : -50.0f;
        const float target[3] = {far, -far, 0.3f * far};
        assert_int_equal(weir_sim_grab_body(f->sim, &point, target), WEIR_OK);
        step_frames(f->sim, 1);
        weir_body body = only_body(f->sim);
        assert_false(body.non_finite);
        for (int k = 0; k < 3; k++) {
            assert_true(body.position[k] > 0.1f && body.position[k] < 1.9f);
            fastest = fmaxf(fastest, fabsf(body.velocity[k]));
        }
    }
    print_message("  at most %.2f m/s\n", (double)fastest);
    assert_true(fastest < 15.0f);
}

static void assert_no_drag(weir_sim *sim, const weir_body_point *point, const float *target,
                           const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_sim_grab_body(sim, point, target), WEIR_ERROR_ARGUMENT);
    if (!strstr(logged, words)) fail_msg("expected \"%s\" in:\n%s", words, logged);
}

static void faulty_drags_are_refused(void **state)
{
    fixture *f = *state;
    uint64_t before, after;
    make_box(f);
    const float target[3] = {1, 1, 1}, lost[3] = {1, NAN, 1}, none[3] = {0, 0, 0};
    weir_body_point point = grip_of(f->sim, 0.85f, 1.15f, ahead), other = point,
                    free = {.name = NULL};
    other.name = "sphere";
    assert_no_drag(f->sim, &other, target,
                   "has no body \"sphere\": give the name of one of its bodies");
    assert_no_drag(f->sim, &free, target,
                   "`point` belongs to no body: weir_sim_pick_body found none");
    assert_no_drag(f->sim, &point, lost, "`target` must be finite");
    assert_no_drag(f->sim, &point, NULL, "`target` must not be NULL");
    assert_int_equal(weir_sim_grab_body(NULL, &point, target), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_pick_body(f->sim, target, none, &point), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_pick_body(f->sim, lost, ahead, &point), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_pick_body(f->sim, target, ahead, NULL), WEIR_ERROR_ARGUMENT);
    step_frames(f->sim, 2);
    assert_int_equal(weir_sim_get_state_hash(f->sim, &before), WEIR_OK);
    make_box(f);
    step_frames(f->sim, 2);
    assert_int_equal(weir_sim_get_state_hash(f->sim, &after), WEIR_OK);
    assert_true(before == after); /* nothing was dragged */
}

static void keep_line(void *user, const char *line)
{
    assert_true(base_text_append(user, "%s\n", line));
}

/* Picking a body, and a drag that is released before a frame begins, do not affect a run. */
static void a_run_in_which_nobody_drags_has_neither_pass_nor_other_bits(void **state)
{
    fixture *f = *state;
    uint64_t hash[2];
    const float target[3] = {1.4f, 1.4f, 1.4f};
    for (int touched = 0; touched < 2; touched++) {
        base_text text = {0};
        make_box(f);
        step_frames(f->sim, 3);
        if (touched) {
            weir_body_point point = grip_of(f->sim, 1, 1, ahead);
            assert_string_equal(point.name, "box");
            assert_int_equal(weir_sim_grab_body(f->sim, &point, target), WEIR_OK);
            assert_int_equal(weir_sim_grab_body(f->sim, NULL, NULL), WEIR_OK);
        }
        step_frames(f->sim, 3);
        assert_int_equal(weir_sim_get_state_hash(f->sim, &hash[touched]), WEIR_OK);
        assert_int_equal(weir_sim_explain(f->sim, WEIR_EXPLAIN_TEXT, keep_line, &text), WEIR_OK);
        assert_non_null(strstr(text.items, "predict_positions"));
        assert_null(strstr(text.items, "\ndrag ")); /* the pass's name, */
        assert_null(strstr(text.items, "hand"));    /* and what it binds */
        base_free(text.items);
    }
    assert_true(hash[0] == hash[1]);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_start_that_cannot_be_is_refused_with_its_line),
        WITH_FIXTURE(poses_are_read_and_written_and_resumed),
        WITH_FIXTURE(a_ray_finds_the_body_that_it_meets_first),
        WITH_FIXTURE(a_dragged_body_comes_and_falls_when_it_is_let_go),
        WITH_FIXTURE(a_run_in_which_nobody_drags_has_neither_pass_nor_other_bits),
        WITH_FIXTURE(no_drag_throws_a_body_out),
        WITH_FIXTURE(faulty_drags_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
