/* Tests distances to solids that a substep keeps for the next one, against tests/ref and against a
 * run that discards them. */
#include "one_world.h"
#include "ref_pbf.h"
#include "scene_text.h"

#define FRAME_S (1.0 / 60.0)
#define MANY 1500u
#define FRAMES 8u

static ref_ball ball;

static int open_world(void **state)
{
    device = open_gpu(false); /* test_sim_kernels validates the same kernels */
    scene = make_scene(scene_text("solid_set_reuse"), NULL);
    world = make_sim_sized(device, scene, 2 * MANY);
    struct solid_pose pose;
    solid_poses_at(world->solids, 1.0, 1.0, &pose);
    ball = (ref_ball){.centre = {0}, .radius = 0.1f, .pose = pose};
    for (uint32_t i = 0; i < scene->shape_count; i++)
        if (scene->shapes[i].kind == SCENE_SHAPE_SPHERE)
            ball.centre = scene->shapes[i].pose.position;
    return 0;
}

/* ---- manual substeps ------------------------------------------------------------------------ */

/* Places a jittered lattice from the corner, with speeds of up to a spacing per substep. */
static void place_crowd(void)
{
    vec4 *x = base_alloc(MANY, sizeof *x), *v = base_alloc(MANY, sizeof *v);
    uint32_t *ids = base_alloc(MANY, sizeof *ids), n = (uint32_t)ceil(cbrt(MANY));
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < MANY; i++) {
        float at[6];
        for (uint32_t k = 0; k < 6; k++)
            at[k] = base_hash_to_unit(8ull * i + k);
        const float step = 0.046f, speed = 6.0f;
        x[i] = (vec4){step * ((float)(i % n) + at[0]), step * ((float)(i / n % n) + at[1]),
                      step * ((float)(i / n / n) + at[2]), 0};
        v[i] = (vec4){speed * (at[3] - 0.5f), speed * (at[4] - 0.5f), speed * (at[5] - 0.5f), 0};
        ids[i] = i;
    }
    place_particles(world, (placing){MANY, x, v, ids});
    begin_frame(world, FRAME_S);
    run_begin_pass(world);
    base_free(x);
    base_free(v);
    base_free(ids);
}

/* Runs the passes from `from` up to `to` (NULL: to the end), with their iterations, as one
 * substep. */
static void run_between(const char *from, const char *to, uint32_t substep)
{
    uint64_t ticket;
    uint32_t first = step_pass(world, from), last = to ? step_pass(world, to) : world->pass_count;
    OK(gpu_record_begin(device));
    OK(gpu_record_passes(device, world->passes + first, last - first, substep, NULL));
    OK(gpu_record_submit(device, &ticket));
    OK(gpu_ticket_wait(device, ticket));
}

static uint32_t live_now(void)
{
    struct grid_state state;
    OK(gpu_buffer_download(device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    assert_int_equal(state.flags, 0);
    return state.live;
}

/* Checks that no solid is nearer than the kept distance at positions[i]; returns the number of
 * particles that computed it again. */
static uint32_t assert_held_off(const gpu_buffer *positions, uint32_t count)
{
    uint32_t exact = 0;
    ref_pbf pbf = {&world->params, &ball, (float)(FRAME_S / 4), count, NULL, NULL};
    float *away = download(world, world->buffers.clearances, count, 4);
    vec4 *p = download_metres(world, positions, count);
    for (uint32_t i = 0; i < count; i++) {
        float distance = ref_solid_distance(&pbf, vec3_make(p[i].x, p[i].y, p[i].z));
        if (!(away[i] <= distance + 1e-5f))
            fail_msg("a solid is %g m from particle %u, and %g m are kept", (double)distance, i,
                     (double)away[i]);
        exact += fabsf(away[i] - distance) < 1e-5f;
    }
    base_free(away);
    base_free(p);
    return exact;
}

static void what_is_kept_of_a_distance_is_never_more_than_the_distance(void **state)
{
    uint32_t looked = 0, live = MANY;
    place_crowd();
    for (uint32_t substep = 0; substep < 4; substep++) {
        run_between("substep_begin", "clear_bins", substep);
        uint32_t seen = assert_held_off(world->buffers.predicted_positions, live);
        if (substep == 0)
            assert_true(seen > 50);
        else
            looked += seen;
        run_between("clear_bins", NULL, substep);
        live = live_now();
        assert_held_off(world->buffers.iterated_positions, live);
    }
    print_message("  %u of %u distances were looked up\n", looked, 3 * live);
    assert_true(looked > 0 && looked < live);
}

/* ---- whole run ------------------------------------------------------------------------------ */

static uint64_t run(const scene_data *of, bool forgets)
{
    uint64_t hash;
    sim_world *one = make_sim(device, of);
    for (uint32_t f = 0; f < FRAMES; f++) {
        OK(sim_step(one, 0));
        OK(sim_wait(one));
        if (forgets) OK(sim_clear_clearances(one));
    }
    OK(sim_hash(one, &hash));
    sim_destroy(&one);
    return hash;
}

static void forgetting_the_distances_changes_nothing(void **state)
{
    static const char *const falling[] = {"gravity=[9, -9, 0]", NULL};
    scene_data *of = make_scene(scene_text("solid_set_reuse"), falling);
    assert_true(run(of, true) == run(of, false));
    scene_destroy(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_of_a_distance_is_never_more_than_the_distance),
        cmocka_unit_test(forgetting_the_distances_changes_nothing),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
