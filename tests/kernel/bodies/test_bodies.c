/* Tests the rigid body shaders against tests/ref: balls that fall and touch each other and walls.
 */
#include "bodies_fixture.h"
#include "ref_walls.h"

static void assert_state(const crowd *c, const struct body_state *got,
                         const struct body_state *want)
{
    float d = c->s.params.spacing, dt = c->s.status.dt;
    for (uint32_t i = 0; i < BODIES; i++) {
        const vec4 *q = &got[i].rotation, *r = &want[i].rotation;
        double same = (double)(q->x * r->x + q->y * r->y + q->z * r->z + q->w * r->w);
        assert_vec3_near("place", i, got[i].position, xyz(want[i].position), PLACE * d);
        assert_vec3_near("velocity", i, got[i].velocity, xyz(want[i].velocity), PLACE * d / dt);
        assert_vec3_near("spin", i, got[i].angular_momentum, xyz(want[i].angular_momentum),
                         1e-4f * vec3_length(xyz(want[i].angular_momentum)));
        assert_near("rotation", fabs(same), 1.0, 1e-6);
    }
}

static void bodies_fall_and_turn(void **state)
{
    crowd c;
    struct body_state want[BODIES];
    meet_up(&c, 1, "integrate");
    for (uint32_t i = 0; i < BODIES; i++)
        want[i] = ref_body_integrate(&c.ref, i);
    run_pass(&c.s);
    struct body_state *got = read_bound(BODY_BIND_body_iterated_states, BODIES, sizeof *got);
    assert_state(&c, got, want);
    base_free(got);
    refresh(&c.s);
    for (uint32_t i = 0; i < BODIES; i++) { /* body items follow the poses of their bodies */
        const ref_ball *ball = &c.s.balls[scene->solid_count + i];
        const vec4 *r = &ball->pose.rotation, *x = &ball->pose.position;
        vec3 centre = quat_rotate((quat){r->x, r->y, r->z, r->w}, ball->centre);
        vec3 off = vec3_sub(vec3_add(centre, xyz(*x)), xyz(want[i].position));
        assert_true(vec3_length(off) < 1e-3f);
    }
    part(&c);
}

static double turning_energy(const struct body_properties *m, const struct body_state *at)
{
    quat back =
        quat_conjugate((quat){at->rotation.x, at->rotation.y, at->rotation.z, at->rotation.w});
    vec3 l = quat_rotate(back, xyz(at->angular_momentum));
    return 0.5 *
           (double)(m->inertia.x * l.x * l.x + m->inertia.y * l.y * l.y + m->inertia.z * l.z * l.z);
}

/* A body with three different moments of inertia that rotates by half a radian per substep. */
static void a_body_that_turns_fast_wins_no_energy_by_it(void **state)
{
    crowd c;
    meet_up(&c, 0, "integrate");
    struct body_properties make = c.properties[0], *changed = base_alloc(BODIES, sizeof *changed);
    memcpy(changed, c.properties, BODIES * sizeof *changed);
    changed[0].inertia = (vec4){2.0f, 10.0f, 12.0f, make.inertia.w};
    c.states[0].angular_momentum = (vec4){40.0f, 8.0f, 3.0f, 0.0f};
    upload(world, body_set_buffers(world->bodies)->bodies, changed, BODIES * sizeof *changed);
    upload(world, body_set_buffers(world->bodies)->body_states, c.states,
           BODIES * sizeof *c.states);
    struct body_state want[BODIES];
    c.ref.properties = changed;
    for (uint32_t i = 0; i < BODIES; i++)
        want[i] = ref_body_integrate(&c.ref, i);
    run_pass(&c.s);
    struct body_state *got = read_bound(BODY_BIND_body_iterated_states, BODIES, sizeof *got),
                      first = got[0];
    assert_state(&c, got, want);
    double before = turning_energy(changed, &c.states[0]), after = turning_energy(changed, &first);
    print_message("  energy %.1f J, then %.1f\n", before, after);
    float start = vec3_length(xyz(c.states[0].angular_momentum));
    assert_true(vec3_length(xyz(first.angular_momentum)) < 0.95f * start);
    assert_true(after < (1.0 + (double)BODY_MAX_SPIN_ENERGY_GAIN + 1e-4) * before);
    upload(world, body_set_buffers(world->bodies)->bodies, c.properties,
           BODIES * sizeof *c.properties);
    base_free(changed);
    base_free(got);
    part(&c);
}

/* Tests the mouse joint with its target at distance `far`, m. */
static void check_drag(uint32_t body, float far)
{
    crowd c;
    struct body_state want[BODIES];
    struct body_mouse_joint hand = {.anchor = {0.05f, -0.09f, 0.03f, 0.0f}, .body = body};
    meet_up(&c, 0, "integrate");
    vec4 x = c.states[body].position;
    hand.target = (vec4){x.x + far, x.y + 0.4f * far, x.z - 0.7f * far, 0.0f};
    const vec4 v = c.states[body].velocity, l = c.states[body].angular_momentum;
    c.states[body].velocity = (vec4){0.3f * v.x, 0.3f * v.y, 0.3f * v.z, 0.4f};
    c.states[body].angular_momentum =
        (vec4){0.3f * l.x, 0.3f * l.y, 0.3f * l.z, 1.0f}; /* the body sleeps */
    upload(world, body_set_buffers(world->bodies)->body_states, c.states,
           BODIES * sizeof *c.states);
    upload(world, body_set_buffers(world->bodies)->mouse_joint, &hand, sizeof hand);
    memcpy(want, c.states, sizeof want);
    want[body] = ref_body_mouse_joint(&c.ref, &hand);
    gpu_pass pass = sim_mouse_joint_pass(world);
    OK(gpu_passes_check(device, &pass, 1));
    OK(gpu_run_passes(device, &pass, 1));
    struct body_state *got = read_bound(BODY_BIND_body_states, BODIES, sizeof *got);
    assert_state(&c, got, want);
    assert_true(got[body].velocity.w == 0.0f && got[body].angular_momentum.w == 0.0f);
    assert_memory_equal(&got[1 - body], &c.states[1 - body], sizeof *got);
    vec3 change = vec3_sub(xyz(got[body].velocity), xyz(c.states[body].velocity));
    float most = (BODY_JOINT_MAX_ACCELERATION + 9.81f) * c.s.params.frame_dt,
          size = vec3_length(change);
    if (far > 0.5f) assert_near("most", (double)size, (double)most, 1e-4);
    if (far < 0.1f) assert_true(size > 0.01f && size < 0.9f * most);
    base_free(got);
    part(&c);
}

static void a_hand_pulls_its_body_and_wakes_it(void **state)
{
    check_drag(0, 0.005f);
    check_drag(1, 0.005f);
    check_drag(1, 0.9f);
}

/* Compares the contacts with those of the reference, and counts them. */
static void check_contacts(const crowd *c, const struct body_sample *samples,
                           const struct body_contact *got, struct body_contact *want,
                           ref_impulse *sums)
{
    uint32_t kinds[3] = {0};
    for (uint32_t i = 0; i < c->samples; i++) {
        ref_body_narrow_phase(&c->ref, &samples[i], &want[i], sums);
        assert_int_equal(got[i].other, want[i].other);
        kinds[want[i].other == BODY_NONE ? 0 : want[i].other == BODY_BOUNDARY ? 1 : 2]++;
        if (got[i].other == BODY_NONE) continue;
        assert_vec3_near("normal", i, got[i].normal, xyz(want[i].normal), 1e-4f);
        assert_vec3_near("slip", i, got[i].slip, xyz(want[i].slip), PLACE * c->s.params.spacing);
        assert_near("depth", (double)got[i].normal.w, (double)want[i].normal.w,
                    (double)(PLACE * c->s.params.spacing));
        assert_near("friction", (double)got[i].friction, (double)want[i].friction, 0.0);
    }
    assert_true(kinds[0] > 10 && kinds[1] > 2 && kinds[2] > 2);
}

/* Runs narrow phase, contact solve and position update of one sweep; each continues from the
 * device's results. */
static void check_sweep(crowd *c, const struct body_sample *samples, struct body_contact *want,
                        uint32_t sweep)
{
    ref_impulse sums[BODIES] = {0};
    struct body_state states[BODIES];
    uint32_t pass = c->s.pass + 3 * sweep;
    run_step_passes(world, pass, pass + 1);
    struct body_contact *contacts = read_bound(BODY_BIND_contacts, c->samples, sizeof *contacts);
    check_contacts(c, samples, contacts, want, sums);
    run_step_passes(world, pass + 1, pass + 2);
    for (uint32_t i = 0; i < c->samples; i++)
        ref_body_solve_contact(&c->ref, &samples[i], (float)sweep / (float)(sweep + 3), &want[i],
                               sums);
    assert_sums(c, sums);
    for (uint32_t i = 0; i < BODIES; i++)
        states[i] = ref_body_apply_impulses(&c->ref, i, &sums[i]);
    run_step_passes(world, pass + 2, pass + 3);
    struct body_state *got = read_bound(BODY_BIND_body_iterated_states, BODIES, sizeof *got);
    assert_state(c, got, states);
    base_free(contacts);
    base_free(c->iterates);
    c->iterates = c->ref.iterates = got;
    refresh(&c->s);
}

static void assert_near_items(uint32_t body, uint32_t count, const uint32_t *items)
{
    uint32_t *near = read_bound(BODY_BIND_candidates, BODIES * BODY_CANDIDATE_WORDS, sizeof *near);
    assert_int_equal(near[body * BODY_CANDIDATE_WORDS], count);
    if (count > 0)
        assert_memory_equal(&near[body * BODY_CANDIDATE_WORDS + 1], items, count * sizeof *items);
    base_free(near);
}

static void bodies_list_what_they_can_touch(void **state)
{
    crowd c;
    meet_up(&c, 0, "broad_phase_query");
    run_pass(&c.s);
    assert_near_items(0, 2, (const uint32_t[]){0, 2});
    assert_near_items(1, 1, (const uint32_t[]){1});
    c.iterates[1].position = (vec4){1.7f, 1.7f, 1.7f, 0.0f};
    upload(world, body_set_buffers(world->bodies)->body_iterated_states, c.iterates,
           BODIES * sizeof *c.iterates);
    run_pass(&c.s);
    assert_near_items(1, 0, NULL);
    part(&c);
}

/* Overflows the candidate list of a body, so that all items are tested. */
static void lose_list(uint32_t body)
{
    const gpu_pass *pass = &world->passes[step_pass(world, "broad_phase_query")];
    const uint32_t many = BODY_MAX_CANDIDATES + 1;
    for (uint32_t u = 0; u < pass->use_count; u++)
        if (pass->uses[u].binding == BODY_BIND_candidates)
            OK(gpu_buffer_upload(device, pass->uses[u].buffer, 4ull * body * BODY_CANDIDATE_WORDS,
                                 &many, sizeof many));
}

static void contacts_push_and_rub_and_bodies_give_way(void **state)
{
    crowd c;
    meet_up(&c, 0, "narrow_phase");
    for (uint32_t i = 0; i < BODIES; i++)
        c.samples += c.properties[i].sample_count;
    struct body_sample *samples = read_bound(BODY_BIND_samples, c.samples, sizeof *samples);
    struct body_contact *want = read_bound(BODY_BIND_contacts, c.samples, sizeof *want);
    for (uint32_t sweep = 0; sweep < 3; sweep++) {
        if (sweep == 2) lose_list(0);
        check_sweep(&c, samples, want, sweep);
    }
    base_free(samples);
    base_free(want);
    part(&c);
}

/* Sets the collision group of both bodies, on the device and in the reference. */
static void group_bodies(crowd *c, uint32_t group)
{
    c->properties[0].group = c->properties[1].group = group;
    upload(world, body_set_buffers(world->bodies)->bodies, c->properties,
           BODIES * sizeof *c->properties);
}

static void run_named(const char *name)
{
    const uint32_t pass = step_pass(world, name);
    run_step_passes(world, pass, pass + 1);
}

/* Once with candidate lists, and once with tests of all items. */
static void bodies_of_one_group_pass_through_each_other(void **state)
{
    crowd c;
    ref_impulse sums[BODIES] = {0};
    meet_up(&c, 0, "narrow_phase");
    group_bodies(&c, 7);
    for (uint32_t i = 0; i < BODIES; i++)
        c.samples += c.properties[i].sample_count;
    struct body_sample *samples = read_bound(BODY_BIND_samples, c.samples, sizeof *samples);
    for (int listed = 1; listed >= 0; listed--) {
        uint32_t walls = 0;
        struct body_contact *want = read_bound(BODY_BIND_contacts, c.samples, sizeof *want);
        run_named("broad_phase_query");
        assert_near_items(0, 1, (const uint32_t[]){0});
        assert_near_items(1, 0, NULL);
        if (!listed) lose_list(0), lose_list(1);
        run_named("select_contact_samples");
        run_named("narrow_phase");
        struct body_contact *got = read_bound(BODY_BIND_contacts, c.samples, sizeof *got);
        for (uint32_t i = 0; i < c.samples; i++) {
            ref_body_narrow_phase(&c.ref, &samples[i], &want[i], sums);
            assert_int_equal(got[i].other, want[i].other);
            assert_true(got[i].other == BODY_NONE || got[i].other == BODY_BOUNDARY);
            walls += got[i].other == BODY_BOUNDARY;
        }
        assert_true(walls > 2);
        base_free(got);
        base_free(want);
    }
    group_bodies(&c, 0);
    base_free(samples);
    part(&c);
}

static void a_finished_substep_keeps_the_bodies_and_a_lost_one_rests(void **state)
{
    crowd c;
    meet_up(&c, 0, "finalize_bodies");
    struct body_state lost = c.iterates[1];
    lost.velocity.x = NAN;
    upload(world, body_set_buffers(world->bodies)->body_iterated_states, c.iterates,
           sizeof *c.iterates);
    OK(gpu_buffer_upload(device, body_set_buffers(world->bodies)->body_iterated_states, sizeof lost,
                         &lost, sizeof lost));
    run_pass(&c.s);
    struct body_state *got = read_bound(BODY_BIND_body_states, BODIES, sizeof *got);
    assert_memory_equal(&got[0], &c.iterates[0], sizeof *got);
    assert_true(got[1].position.w == 1.0f && got[1].velocity.x == 0.0f &&
                got[1].angular_momentum.y == 0.0f);
    assert_memory_equal(&got[1].position, &c.states[1].position, 12);
    base_free(got);
    part(&c);
}

/* Runs the end of a substep for a body that has been slow for `slow_s` seconds. */
static struct body_state end_slowly(crowd *c, float slow_s, uint32_t touched)
{
    uint32_t sums[BODIES * BODY_IMPULSE_WORDS] = {[BODY_IMPULSE_FLAGS] = touched};
    struct body_state slow = c->iterates[0];
    slow.velocity = (vec4){0.01f, 0.0f, 0.0f, slow_s};
    slow.angular_momentum = (vec4){0};
    upload(world, body_set_buffers(world->bodies)->body_iterated_states, &slow, sizeof slow);
    upload(world, body_set_buffers(world->bodies)->body_impulse_sums, sums, sizeof sums);
    run_pass(&c->s);
    struct body_state *got = read_bound(BODY_BIND_body_states, BODIES, sizeof *got), first = *got;
    base_free(got);
    return first;
}

static void a_slow_body_sleeps_where_it_was_unless_it_is_stirred(void **state)
{
    crowd c;
    meet_up(&c, 0, "finalize_bodies");
    struct body_state early = end_slowly(&c, 0.4f, BODY_SUPPORTED);
    struct body_state stirred = end_slowly(&c, 0.6f, BODY_SUPPORTED | BODY_WOKEN);
    struct body_state free = end_slowly(&c, 0.6f, 0);
    assert_true(early.angular_momentum.w == 0.0f && early.velocity.x == 0.01f &&
                early.velocity.w > 0.4f);
    assert_true(stirred.angular_momentum.w == 0.0f && free.angular_momentum.w == 0.0f);
    struct body_state before = free, asleep = end_slowly(&c, 0.6f, BODY_SUPPORTED);
    assert_true(asleep.angular_momentum.w == 1.0f && asleep.velocity.x == 0.0f);
    assert_memory_equal(&asleep.position, &before.position, 32);
    part(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_fall_and_turn),
        cmocka_unit_test(a_body_that_turns_fast_wins_no_energy_by_it),
        cmocka_unit_test(a_hand_pulls_its_body_and_wakes_it),
        cmocka_unit_test(bodies_list_what_they_can_touch),
        cmocka_unit_test(bodies_of_one_group_pass_through_each_other),
        cmocka_unit_test(contacts_push_and_rub_and_bodies_give_way),
        cmocka_unit_test(a_finished_substep_keeps_the_bodies_and_a_lost_one_rests),
        cmocka_unit_test(a_slow_body_sleeps_where_it_was_unless_it_is_stirred),
    };
    int failed = cmocka_run_group_tests_name("balls", tests, open_balls, close_one_world);
    return failed +
           cmocka_run_group_tests_name("with a box", tests, open_with_a_box, close_one_world);
}
