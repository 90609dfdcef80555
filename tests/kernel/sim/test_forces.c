/* Tests the shaders that sum the forces of fluid on bodies and solids against tests/ref. */
#include "one_world.h"
#include "ref_force.h"
#include "scene_text.h"
#include "sim_pass_fixture.h"

#define BODIES 2u
#define COUNT 1000u

static int open_world(void **state)
{
    return open_one_world(scene_text("forces"), false);
}

static ref_load known(const struct body_fluid_impulse *p)
{
    return (ref_load){
        {(double)p->impulse.x, (double)p->impulse.y, (double)p->impulse.z},
        {(double)p->angular_impulse.x, (double)p->angular_impulse.y, (double)p->angular_impulse.z},
        {(double)p->force.x, (double)p->force.y, (double)p->force.z},
        {(double)p->torque.x, (double)p->torque.y, (double)p->torque.z},
    };
}

static void assert_same(const char *what, uint32_t body, vec4 got, const double want[3])
{
    vec3 expected = {(float)want[0], (float)want[1], (float)want[2]};
    assert_vec3_near(what, body, got, expected, 1e-6f * vec3_length(expected));
}

static void assert_push(uint32_t body, const struct body_fluid_impulse *got, const ref_load *want)
{
    assert_same("impulse", body, got->impulse, want->impulse);
    assert_same("moment", body, got->angular_impulse, want->moment);
    assert_same("force", body, got->force, want->force);
    assert_same("torque", body, got->torque, want->torque);
}

/* Fills the impulses with numbers of realistic size, all different. */
static void set_pushes(struct body_fluid_impulse *pushes)
{
    float *numbers = &pushes[0].impulse.x;
    for (uint32_t i = 0; i < BODIES * sizeof *pushes / 4; i++)
        numbers[i] = random_between(100 + i, -1.0f, 1.0f) * (i % 16 < 8 ? 1e-3f : 300.0f);
    upload(world, body_set_buffers(world->bodies)->body_fluid_impulses, pushes,
           BODIES * sizeof *pushes);
}

static struct body_fluid_impulse *read_pushes(void)
{
    return download(world, body_set_buffers(world->bodies)->body_fluid_impulses, BODIES,
                    sizeof(struct body_fluid_impulse));
}

static void the_tally_adds_what_the_fluid_of_an_iteration_gives(void **state)
{
    stage s;
    struct body_fluid_impulse before[BODIES];
    enter(&s, world, COUNT, "accumulate_substep_fluid_impulse");
    set_pushes(before);
    uint32_t *sums = download(world, body_set_buffers(world->bodies)->body_impulse_sums,
                              BODIES * BODY_IMPULSE_WORDS, sizeof *sums);
    run_pass(&s);
    struct body_fluid_impulse *got = read_pushes();
    uint32_t *after = download(world, body_set_buffers(world->bodies)->body_impulse_sums,
                               BODIES * BODY_IMPULSE_WORDS, sizeof *sums);
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        ref_load_tally(&s.params, &sums[i * BODY_IMPULSE_WORDS], &want);
        assert_true(fabs(want.impulse[1] - (double)before[i].impulse.y) > 1e-6);
        assert_true(fabs(want.moment[2] - (double)before[i].angular_impulse.z) > 1e-8);
        assert_push(i, &got[i], &want);
        assert_float_equal(got[i].impulse.w, before[i].impulse.w, 0);
    }
    assert_memory_equal(after, sums, BODIES * BODY_IMPULSE_WORDS * sizeof *sums);
    base_free(sums);
    base_free(after);
    base_free(got);
    free_lists(&s.lists);
}

/* The same holds after an aborted substep: the next one starts from zero. */
static void a_substep_begins_without_impulses_and_keeps_the_frames_forces(void **state)
{
    stage s;
    struct body_fluid_impulse before[BODIES];
    enter(&s, world, 1, "integrate");
    set_pushes(before);
    run_pass(&s);
    struct body_fluid_impulse *got = read_pushes();
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        memset(want.impulse, 0, sizeof want.impulse);
        memset(want.moment, 0, sizeof want.moment);
        assert_push(i, &got[i], &want);
        assert_float_equal(got[i].impulse.w, 0, 0);
    }
    base_free(got);
    free_lists(&s.lists);
}

/* A body at 1.5 times the speed cap, and one at half of it. */
static void a_substep_says_how_fast_a_body_was_whose_speed_it_cuts(void **state)
{
    stage s;
    struct body_fluid_impulse before[BODIES];
    struct body_state states[BODIES];
    enter(&s, world, 1, "integrate");
    set_pushes(before);
    const float dt = s.status.dt, limit = s.params.speed_cap * s.params.spacing / dt;
    memcpy(states, body_set_initial_states(world->bodies), sizeof states);
    states[0].velocity = (vec4){1.5f * limit, 0.0f, 0.0f, 0.0f};
    states[1].velocity = (vec4){0.5f * limit, 0.0f, 0.0f, 0.0f};
    upload(world, body_set_buffers(world->bodies)->body_states, states, sizeof states);
    run_pass(&s);
    upload(world, body_set_buffers(world->bodies)->body_states,
           body_set_initial_states(world->bodies), sizeof states);
    struct body_fluid_impulse *got = read_pushes();
    vec3 free = {1.5f * limit, -9.81f * dt, 0.0f};
    assert_float_equal(got[0].impulse.w, vec3_length(free), 1e-5f * limit);
    assert_float_equal(got[1].impulse.w, 0, 0);
    base_free(got);
    free_lists(&s.lists);
}

static void check_settle(stage *s, uint32_t substep)
{
    struct body_fluid_impulse before[BODIES];
    set_pushes(before);
    s->status.substep = substep;
    upload(world, world->buffers.status, &s->status, sizeof s->status);
    run_pass(s);
    struct body_fluid_impulse *got = read_pushes();
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        ref_load_settle(&s->status, &want);
        assert_push(i, &got[i], &want);
        float fastest = substep ? before[i].force.w : 0.0f;
        assert_float_equal(got[i].force.w, fmaxf(fastest, before[i].impulse.w), 0);
    }
    base_free(got);
}

static void substeps_add_up_to_the_mean_of_their_frame(void **state)
{
    stage s;
    enter(&s, world, 1, "finalize_bodies");
    assert_true(s.status.substeps == 4);
    check_settle(&s, 2);
    check_settle(&s, 0);
    free_lists(&s.lists);
}

/* ---- solids --------------------------------------------------------------------------------- */

#define BALL 1u /* nothing touches the solid `away` */

/* Impulse that a pass has added to the sums of the ball, N s2, and its moment, N m s2. */
typedef struct given {
    double impulse[3], moment[3], size[2];
} given;

static void read_given(const stage *s, given *g)
{
    ref_load load = {0};
    uint32_t *sums = download(world, world->buffers.solid_impulse_sums, 2 * SIM_SOLID_IMPULSE_WORDS,
                              sizeof *sums);
    ref_load_tally(&s->params, sums + BALL * SIM_SOLID_IMPULSE_WORDS, &load);
    for (uint32_t k = 0; k < SIM_SOLID_IMPULSE_WORDS; k++)
        assert_int_equal(sums[k], 0);
    memcpy(g->impulse, load.impulse, sizeof g->impulse);
    memcpy(g->moment, load.moment, sizeof g->moment);
    base_free(sums);
}

/* Elements of a particle's contributions to the gauges, and those of the only force gauge before
 * and after the sort. */
enum { PREDICTED = 0, SOLVED = 1, ELEMENTS = 2 };

static vec4 *read_measured(const stage *s)
{
    return download(world, world->buffers.gauge_accumulators, (size_t)ELEMENTS * s->count,
                    sizeof(vec4));
}

/* Subtracts the impulse on the particle at p, kg m, from the ball's. */
static void add_share(const stage *s, vec4 p, const double got[3], given *want)
{
    const vec4 *o = &s->params.origin;
    double arm[3] = {(double)p.x - (double)o->x, (double)p.y - (double)o->y,
                     (double)p.z - (double)o->z},
           size = 0.0, far = 0.0;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        want->impulse[k] -= got[k];
        want->moment[k] -= arm[l] * got[m] - arm[m] * got[l];
        size += got[k] * got[k];
        far += arm[k] * arm[k];
    }
    want->size[0] += sqrt(size);
    want->size[1] += sqrt(size * far);
}

/* `loose`: relative tolerance of the moment, because positions are within a correction of those at
 * which the particles were displaced. */
static void assert_given(const given *got, const given *want, double loose)
{
    assert_true(want->size[0] > 1e-6);
    for (int k = 0; k < 3; k++) {
        assert_near("impulse", got->impulse[k], want->impulse[k], 1e-5 * want->size[0]);
        assert_near("moment", got->moment[k], want->moment[k], loose * want->size[1]);
    }
}

static void solids_get_what_they_push_the_predicted_particles_with(void **state)
{
    stage s;
    given got, want = {0};
    enter(&s, world, COUNT, "predict_positions");
    run_pass(&s);
    read_given(&s, &got);
    vec4 *measured = read_measured(&s);
    ivec4 *places = download(world, world->buffers.predicted_positions, s.count, sizeof *places);
    for (uint32_t i = 0; i < s.count; i++) {
        const vec4 *m = &measured[ELEMENTS * i + PREDICTED];
        double mass = (double)s.params.fluids[0].mass;
        const double share[3] = {(double)m->x, (double)m->y, (double)m->z};
        vec4 p = metres(&s, places[i]);
        p.x -= (float)(share[0] / mass), p.y -= (float)(share[1] / mass);
        p.z -= (float)(share[2] / mass);
        if (share[0] != 0.0 || share[1] != 0.0) add_share(&s, p, share, &want);
    }
    assert_given(&got, &want, 1e-5);
    base_free(places);
    base_free(measured);
    free_lists(&s.lists);
}

static void solids_get_what_they_correct_particles_by(void **state)
{
    stage s;
    given start, got, want = {0};
    enter(&s, world, COUNT, "boundary_project");
    read_given(&s, &start);
    vec4 *before = read_measured(&s);
    run_pass(&s);
    read_given(&s, &got);
    vec4 *after = read_measured(&s);
    ivec4 *places = download(world, world->buffers.iterated_positions, s.count, sizeof *places);
    for (uint32_t i = 0; i < s.count; i++) {
        const vec4 *a = &before[ELEMENTS * i + SOLVED], *b = &after[ELEMENTS * i + SOLVED];
        const double share[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                                 (double)b->z - (double)a->z};
        if (share[0] != 0.0 || share[1] != 0.0) add_share(&s, metres(&s, places[i]), share, &want);
    }
    for (int k = 0; k < 3; k++) {
        got.impulse[k] -= start.impulse[k];
        got.moment[k] -= start.moment[k];
    }
    assert_given(&got, &want, 0.01);
    base_free(places);
    base_free(before);
    base_free(after);
    free_lists(&s.lists);
}

/* Runs the pass that begins a substep, or the one that ends it. */
static void run_forces(uint32_t constant)
{
    for (uint32_t r = 0; r < world->pass_count; r++)
        if (strcmp(gpu_pipeline_name(world->passes[r].pipeline), "solid_force_frame_mean") == 0 &&
            world->passes[r].constant == constant)
            run_step_passes(world, r, r + 1);
}

static void check_solid_settle(stage *s, uint32_t substep)
{
    uint32_t sums[2 * SIM_SOLID_IMPULSE_WORDS];
    vec4 before[4];
    for (uint32_t i = 0; i < BASE_COUNT(sums); i++) /* random low words and small high words */
        sums[i] = i % 2 == 0 ? 2654435761u * (i + 1) : i % 3 == 0 ? 0xfffffffau : 9u + i;
    for (uint32_t i = 0; i < 16; i++)
        (&before[0].x)[i] = random_between(i, -50.0f, 50.0f);
    upload(world, world->buffers.solid_impulse_sums, sums, sizeof sums);
    upload(world, world->buffers.solid_forces, before, sizeof before);
    s->status.substep = substep;
    upload(world, world->buffers.status, &s->status, sizeof s->status);
    run_forces(SIM_SOLID_FORCES_ACCUMULATE);
    vec4 *got = download(world, world->buffers.solid_forces, 4, sizeof *got);
    for (uint32_t i = 0; i < 2; i++) {
        const vec4 *f = &before[2 * i], *t = f + 1;
        ref_load want = {.force = {(double)f->x, (double)f->y, (double)f->z},
                         .torque = {(double)t->x, (double)t->y, (double)t->z}};
        ref_load_solid(&s->params, &s->status, &sums[i * SIM_SOLID_IMPULSE_WORDS], &want);
        assert_same("force", i, got[2 * i], want.force);
        assert_same("torque", i, got[2 * i + 1], want.torque);
    }
    base_free(got);
    run_forces(SIM_SOLID_FORCES_CLEAR);
    uint32_t *cleared = download(world, world->buffers.solid_impulse_sums, BASE_COUNT(sums), 4);
    for (uint32_t i = 0; i < BASE_COUNT(sums); i++)
        assert_int_equal(cleared[i], 0);
    base_free(cleared);
}

static void the_forces_on_solids_are_means_over_the_frame(void **state)
{
    stage s;
    enter(&s, world, 1, "finalize_bodies");
    check_solid_settle(&s, 3);
    check_solid_settle(&s, 0);
    free_lists(&s.lists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tally_adds_what_the_fluid_of_an_iteration_gives),
        cmocka_unit_test(a_substep_begins_without_impulses_and_keeps_the_frames_forces),
        cmocka_unit_test(a_substep_says_how_fast_a_body_was_whose_speed_it_cuts),
        cmocka_unit_test(substeps_add_up_to_the_mean_of_their_frame),
        cmocka_unit_test(solids_get_what_they_push_the_predicted_particles_with),
        cmocka_unit_test(solids_get_what_they_correct_particles_by),
        cmocka_unit_test(the_forces_on_solids_are_means_over_the_frame),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
