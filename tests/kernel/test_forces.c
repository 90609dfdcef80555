/* The kernels that sum what fluid does to bodies against their references in tests/ref. */
#include "one_world.h"
#include "ref_force.h"
#include "stage.h"

#define BODIES 2u
#define COUNT 1000u

static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]},"
    " 'bodies': [{'name': 'heavy', 'density': 3000, 'shape': {'sphere': {"
    "'radius': 0.12}, 'position': [0.2, 0.25, 0.2]}}, {'name': 'light', 'density': 200,"
    " 'shape': {'box': {'size': [0.2, 0.2, 0.2]}, 'position': [0.45, 0.3, 0.3]}}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [1, 1, 1],"
    " 'max': [1.2, 1.2, 1.2]}}}}]}";

static int open_world(void **state)
{
    (void)state;
    return open_one_world(text, false);
}

static ref_load known(const struct body_push *p)
{
    return (ref_load){
        {(double)p->impulse.x, (double)p->impulse.y, (double)p->impulse.z},
        {(double)p->moment.x, (double)p->moment.y, (double)p->moment.z},
        {(double)p->force.x, (double)p->force.y, (double)p->force.z},
        {(double)p->torque.x, (double)p->torque.y, (double)p->torque.z},
    };
}

static void assert_same(const char *what, uint32_t body, vec4 got, const double want[3])
{
    vec3 expected = {(float)want[0], (float)want[1], (float)want[2]};
    assert_vec3_near(what, body, got, expected, 1e-6f * vec3_length(expected));
}

static void assert_push(uint32_t body, const struct body_push *got, const ref_load *want)
{
    assert_same("impulse", body, got->impulse, want->impulse);
    assert_same("moment", body, got->moment, want->moment);
    assert_same("force", body, got->force, want->force);
    assert_same("torque", body, got->torque, want->torque);
}

/* Numbers of the size that a frame brings, another one in each place. */
static void set_pushes(struct body_push *pushes)
{
    float *numbers = &pushes[0].impulse.x;
    for (uint32_t i = 0; i < BODIES * sizeof *pushes / 4; i++)
        numbers[i] = random_between(100 + i, -1.0f, 1.0f) * (i % 16 < 8 ? 1e-3f : 300.0f);
    upload(world, body_set_pushes(world->bodies), pushes, BODIES * sizeof *pushes);
}

static struct body_push *read_pushes(void)
{
    return download(world, body_set_pushes(world->bodies), BODIES, sizeof(struct body_push));
}

static void the_tally_adds_what_the_fluid_of_an_iteration_gives(void **state)
{
    (void)state;
    stage s;
    struct body_push before[BODIES];
    enter(&s, world, COUNT, "tally");
    set_pushes(before);
    uint32_t *sums =
        download(world, body_set_sums(world->bodies), BODIES * BODY_SUM_WORDS, sizeof *sums);
    run_row(&s);
    struct body_push *got = read_pushes();
    uint32_t *after =
        download(world, body_set_sums(world->bodies), BODIES * BODY_SUM_WORDS, sizeof *sums);
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        ref_load_tally(&s.params, &sums[i * BODY_SUM_WORDS], &want);
        assert_true(fabs(want.impulse[1] - (double)before[i].impulse.y) > 1e-6);
        assert_true(fabs(want.moment[2] - (double)before[i].moment.z) > 1e-8);
        assert_push(i, &got[i], &want);
    }
    assert_memory_equal(after, sums, BODIES * BODY_SUM_WORDS * sizeof *sums);
    base_free(sums);
    base_free(after);
    base_free(got);
    free_lists(&s.lists);
}

/* Also after a substep that broke off: the next one starts from nothing. */
static void a_substep_begins_without_impulses_and_keeps_the_frames_forces(void **state)
{
    (void)state;
    stage s;
    struct body_push before[BODIES];
    enter(&s, world, 1, "fall");
    set_pushes(before);
    run_row(&s);
    struct body_push *got = read_pushes();
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        memset(want.impulse, 0, sizeof want.impulse);
        memset(want.moment, 0, sizeof want.moment);
        assert_push(i, &got[i], &want);
    }
    base_free(got);
    free_lists(&s.lists);
}

static void check_settle(stage *s, uint32_t substep)
{
    struct body_push before[BODIES];
    set_pushes(before);
    s->status.substep = substep;
    upload(world, world->buffers.status, &s->status, sizeof s->status);
    run_row(s);
    struct body_push *got = read_pushes();
    for (uint32_t i = 0; i < BODIES; i++) {
        ref_load want = known(&before[i]);
        ref_load_settle(&s->status, &want);
        assert_push(i, &got[i], &want);
    }
    base_free(got);
}

static void substeps_add_up_to_the_mean_of_their_frame(void **state)
{
    (void)state;
    stage s;
    enter(&s, world, 1, "settle");
    assert_true(s.status.substeps == 4);
    check_settle(&s, 2);
    check_settle(&s, 0);
    free_lists(&s.lists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tally_adds_what_the_fluid_of_an_iteration_gives),
        cmocka_unit_test(a_substep_begins_without_impulses_and_keeps_the_frames_forces),
        cmocka_unit_test(substeps_add_up_to_the_mean_of_their_frame),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
