/* Tests the rigid body shaders against tests/ref: balls that fall, touch each other and walls, and
 * interact with fluid. */
#include "one_world.h"
#include "ref_body.h"
#include "ref_walls.h"
#include "sim_pass_fixture.h"

#define PLACE 2e-5f /* d */
#define SUM 2e-4    /* relative to the maximum */
#define MANY 1500u
#define BODIES 2u

/* `more`: additional keys, each followed by a comma. */
#define SCENE(more)                                                                                \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2], 'friction': 0.2},"           \
    " 'solids': [{'name': 'ball', 'friction': 0.4, 'shape': {'sphere': {'radius': 0.2},"           \
    " 'position': [0.75, 0.2, 0.4]}, 'motion': {'spin': {'axis': [0, 0, 1], 'rate': 3}}}],"        \
    " 'bodies': [{'name': 'heavy', 'density': 3000, 'friction': 0.5, 'shape': {'sphere': {"        \
    "'radius': 0.15}, 'position': [0.3, 0.25, 0.3]}}, {'name': 'light', 'density': 200,"           \
    " 'friction': 0.1, 'shape': {'sphere': {'radius': 0.12}, 'position': [0.3, 0.6, 0.3]}}]," more \
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [1, 1, 1],"                   \
    " 'max': [1.2, 1.2, 1.2]}}}}, {'name': 'oil', 'density': 600, 'fill': {'shape': {'box': {"     \
    "'min': [1, 1.3, 1], 'max': [1.2, 1.5, 1.2]}}}}]}"

/* When all shapes are balls, shaders compute distances by a shorter path. */
static const char of_balls[] = SCENE("");
static const char with_a_box[] = SCENE(
    " 'sinks': [{'name': 'drain', 'shape': {'box': {'min': [1.8, 1.8, 1.8], 'max': [1.9, 1.9, "
    "1.9]}}}],");

static int open_balls(void **state)
{
    (void)state;
    return open_one_world(of_balls, false);
}

static int open_with_a_box(void **state)
{
    (void)state;
    return open_one_world(with_a_box, false);
}

/* Places the two bodies so that they overlap each other, the ball and the floor, with linear and
 * angular velocity. */
static void place_bodies(void)
{
    struct body_state states[BODIES];
    memcpy(states, body_set_initial_states(world->bodies), sizeof states);
    states[0].position = (vec4){0.41f, 0.14f, 0.36f, 0.0f};
    states[0].velocity = (vec4){1.0f, -0.4f, 0.3f, 0.0f};
    states[0].angular_momentum = (vec4){0.8f, -2.0f, 1.5f, 0.0f};
    states[1].position = (vec4){0.38f, 0.38f, 0.3f, 0.0f};
    states[1].velocity = (vec4){0.2f, -0.7f, -0.5f, 0.0f};
    states[1].angular_momentum = (vec4){0.05f, 0.02f, -0.03f, 0.0f};
    upload(world, body_set_states(world->bodies), states, sizeof states);
}

typedef struct crowd {
    stage s;
    ref_bodies ref;
    struct body_properties *properties;
    struct body_state *states, *iterates;
    uint32_t samples;
} crowd;

/* Reads the buffer that the contact passes bind at `binding`. */
static void *read_bound(uint32_t binding, size_t count, size_t size)
{
    static const char *const names[] = {"integrate", "narrow_phase", "solve_contacts"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        const gpu_pass *pass = &world->passes[step_pass(world, names[i])];
        for (uint32_t u = 0; u < pass->use_count; u++)
            if (pass->uses[u].binding == binding)
                return download(world, pass->uses[u].buffer, count, size);
    }
    fail_msg("no row of bodies binds anything at %u", binding);
    return NULL;
}

static void meet_up(crowd *c, uint32_t count, const char *pass)
{
    *c = (crowd){0};
    place_bodies();
    enter(&c->s, world, count, pass);
    c->properties = read_bound(BODY_BIND_bodies, BODIES, sizeof *c->properties);
    c->states = read_bound(BODY_BIND_body_states, BODIES, sizeof *c->states);
    c->iterates = read_bound(BODY_BIND_body_iterated_states, BODIES, sizeof *c->iterates);
    c->ref = (ref_bodies){&c->s.pbf, c->properties, c->states, c->iterates};
}

static void part(crowd *c)
{
    void *arrays[] = {c->properties, c->states, c->iterates};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&c->s.lists);
}

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
    (void)state;
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
    (void)state;
    crowd c;
    meet_up(&c, 0, "integrate");
    struct body_properties make = c.properties[0], *changed = base_alloc(BODIES, sizeof *changed);
    memcpy(changed, c.properties, BODIES * sizeof *changed);
    changed[0].inertia = (vec4){2.0f, 10.0f, 12.0f, make.inertia.w};
    c.states[0].angular_momentum = (vec4){40.0f, 8.0f, 3.0f, 0.0f};
    upload(world, body_set_properties(world->bodies), changed, BODIES * sizeof *changed);
    upload(world, body_set_states(world->bodies), c.states, BODIES * sizeof *c.states);
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
    upload(world, body_set_properties(world->bodies), c.properties, BODIES * sizeof *c.properties);
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
    upload(world, body_set_states(world->bodies), c.states, BODIES * sizeof *c.states);
    upload(world, body_set_mouse_joint(world->bodies), &hand, sizeof hand);
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
    (void)state;
    check_drag(0, 0.005f);
    check_drag(1, 0.005f);
    check_drag(1, 0.9f);
}

static void assert_sums(const crowd *c, const ref_impulse *want)
{
    uint32_t *words = read_bound(BODY_BIND_body_impulse_sums, BODIES * BODY_IMPULSE_WORDS, 4);
    double unit = (double)c->s.params.spacing * (double)c->s.params.fluids[0].mass *
                  (double)BODY_IMPULSE_UNIT;
    for (uint32_t i = 0; i < BODIES; i++) {
        const uint32_t *at = words + i * BODY_IMPULSE_WORDS;
        double linear = 1e-9, angular = 1e-9;
        for (int k = 0; k < 3; k++) {
            linear = fmax(linear, fabs(want[i].linear[k]));
            angular = fmax(angular, fabs(want[i].angular[k]));
        }
        for (uint32_t k = 0; k < 6; k++) {
            int64_t whole = (int64_t)((uint64_t)at[2 * k + 1] << 32 | at[2 * k]);
            double got = (double)whole * unit;
            if (k < 3)
                assert_near("impulse", got, want[i].linear[k], SUM * linear);
            else
                assert_near("moment", got * (double)c->s.params.spacing, want[i].angular[k - 3],
                            SUM * fmax(angular, 0.1 * linear));
        }
        assert_int_equal(at[BODY_IMPULSE_CONTACTS], want[i].contacts);
        assert_int_equal(at[BODY_IMPULSE_FLAGS], want[i].contact_flags);
    }
    base_free(words);
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
    (void)state;
    crowd c;
    meet_up(&c, 0, "broad_phase_query");
    run_pass(&c.s);
    assert_near_items(0, 2, (const uint32_t[]){0, 2});
    assert_near_items(1, 1, (const uint32_t[]){1});
    c.iterates[1].position = (vec4){1.7f, 1.7f, 1.7f, 0.0f};
    upload(world, body_set_iterated_states(world->bodies), c.iterates, BODIES * sizeof *c.iterates);
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
    (void)state;
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
    upload(world, body_set_properties(world->bodies), c->properties,
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
    (void)state;
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
        run_named("select_samples");
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

/* Returns the contribution of the bodies alone at p: the only boundary, because the domain is
 * open. */
static ref_wall body_wall_at(const crowd *c, vec3 p)
{
    struct sim_params params = c->s.params;
    ref_pbf bodies = c->s.pbf;
    params.sides = 0x555;
    params.solid_count = BODIES;
    bodies.params = &params;
    bodies.balls = &c->s.balls[scene->solid_count];
    return ref_wall_density(&bodies, p);
}

/* Returns the distance from p to the nearest body, m. */
static float body_distance(const crowd *c, vec3 p)
{
    vec3 normal;
    float nearest = 1e30f;
    for (uint32_t i = 0; i < BODIES; i++)
        nearest =
            fminf(nearest, ref_ball_distance(&c->s.balls[scene->solid_count + i], p, &normal));
    return nearest;
}

/* Checks the near bodies of a particle: they are in order and include every body that can act on
 * it; `room` reports whether they fit. */
static void check_named(const crowd *c, const uvec4 *head, bool room, vec3 at)
{
    const struct sim_params *p = &c->s.params;
    float within = fmaxf(p->h, p->boundary_gap + SIM_SDF_MAX_SLOPE * p->max_correction);
    uint32_t named[SIM_NEAR_BODIES_MAX] = {head->y & 0xffffu, head->y >> 16, head->z & 0xffffu,
                                           head->z >> 16},
             k = 0;
    assert_true(room == (named[0] != SIM_NEAR_BODIES_OVERFLOW));
    for (uint32_t i = 0; room && i < BODIES; i++) {
        vec3 normal;
        float distance = ref_ball_distance(&c->s.balls[scene->solid_count + i], at, &normal);
        bool is_named = named[k] == i;
        if (distance < within) assert_true(is_named);
        if (distance > within + 3.0f * BODY_BROAD_PHASE_SLACK * p->spacing) assert_false(is_named);
        k += is_named;
    }
    assert_true(!room || named[k] == SIM_NEAR_BODIES_NONE);
}

/* Checks that the overflow queue contains each particle with more near bodies than fit, by its
 * index. */
static void check_crowded(const uvec4 *met, const struct body_queue *queue)
{
    uint32_t count = queue[BODY_QUEUE_PARTICLES].count, crowded = 0;
    uint8_t *seen = base_alloc(count + 1u, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t k = 0; k < count; k++)
        crowded += (met[k].y & 0xffffu) == SIM_NEAR_BODIES_OVERFLOW;
    assert_int_equal(queue[BODY_QUEUE_OVERFLOW].count, crowded);
    for (uint32_t k = 0; k < crowded; k++) {
        uint32_t place = met[k].w;
        assert_true(place < count && !seen[place]);
        assert_int_equal(met[place].y & 0xffffu, SIM_NEAR_BODIES_OVERFLOW);
        seen[place] = 1;
    }
    base_free(seen);
}

/* Checks that the queue contains exactly the particles on which bodies can act, once each. */
static void check_queue(const crowd *c, const ivec4 *x)
{
    const struct sim_params *p = &c->s.params;
    float within = fmaxf(p->h, p->boundary_gap + SIM_SDF_MAX_SLOPE * p->max_correction);
    uint32_t *headers = download(world, grid_list_headers(world->grid), c->s.count, 4);
    uvec4 *met = download(world, world->buffers.near_bodies, c->s.count, sizeof *met);
    uint32_t *seen = base_alloc(c->s.count + 1u, sizeof *seen), near = 0;
    struct body_queue queue[BODY_QUEUE_COUNT];
    OK(gpu_buffer_download(device, body_set_queues(world->bodies), 0, queue, sizeof queue));
    assert_true(seen && queue[BODY_QUEUE_PARTICLES].count <= c->s.count);
    for (uint32_t k = 0; k < queue[BODY_QUEUE_PARTICLES].count; k++) {
        seen[met[k].x]++;
        check_named(c, &met[k], k < p->near_bodies_capacity, xyz(metres(&c->s, x[met[k].x])));
    }
    for (uint32_t i = 0; i < c->s.count; i++) {
        float distance = body_distance(c, xyz(metres(&c->s, x[i])));
        bool marked = headers[i] & SIM_NEAR_BODY;
        if (distance < within) assert_true(marked);
        if (distance > within + 3.0f * BODY_BROAD_PHASE_SLACK * p->spacing) assert_false(marked);
        assert_int_equal(seen[i], marked);
        near += marked;
    }
    assert_true(c->s.count < MANY || (near > 50 && near < c->s.count));
    check_crowded(met, queue);
    base_free(headers);
    base_free(met);
    base_free(seen);
}

static void check_surround(uint32_t count)
{
    crowd c;
    uint32_t added = 0;
    meet_up(&c, count, "body_broad_phase");
    run_pass(&c.s);
    ivec4 *x = fixed(&c.s, world->buffers.iterated_positions);
    check_queue(&c, x);
    run_step_passes(world, c.s.pass + 1, c.s.pass + 2);
    vec4 *got = stream(&c.s, world->buffers.body_boundary_sums);
    for (uint32_t i = 0; i < c.s.count; i++) {
        vec3 p = xyz(metres(&c.s, x[i]));
        ref_wall want = body_wall_at(&c, p);
        if (want.density == 0.0f) continue;
        assert_near("density", (double)got[i].w, (double)want.density, 2e-4);
        assert_vec3_near("gradient", i, got[i], want.gradient, 2e-3f / c.s.params.h);
        added++;
    }
    assert_true(count < MANY || added > 50);
    base_free(x);
    base_free(got);
    part(&c);
}

static void bodies_add_to_the_density_of_those_that_line_up(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        check_surround(sizes[i]);
    uint32_t room = world->params.near_bodies_capacity;
    world->params.near_bodies_capacity = 30; /* the other particles search for their bodies again */
    check_surround(MANY);
    world->params.near_bodies_capacity = room;
}

static void check_meet(uint32_t count)
{
    crowd c;
    ref_impulse sums[BODIES] = {0};
    uint32_t met = 0;
    meet_up(&c, count, "body_contact");
    const sim_buffers *b = &world->buffers;
    ivec4 *own = fixed(&c.s, b->multipliers), *starts = fixed(&c.s, b->sorted_positions);
    ivec4 *before = fixed(&c.s, b->iterated_positions);
    run_step_passes(world, c.s.pass, step_pass(world, "boundary_project_after_bodies") + 1);
    ivec4 *after = fixed(&c.s, b->iterated_positions);
    for (uint32_t i = 0; i < c.s.count; i++) {
        if (c.s.lists.headers[i] & SIM_NEAR_BODY) {
            vec3 want = ref_particle_body_contact(&c.ref, own[i], before[i], starts[i], sums);
            assert_vec3_near("place", i, metres(&c.s, after[i]), want,
                             5.0f * PLACE * c.s.params.spacing);
            met += memcmp(&before[i], &after[i], sizeof *after) != 0;
        } else {
            assert_memory_equal(&before[i], &after[i], sizeof *after);
        }
    }
    assert_sums(&c, sums);
    assert_true(count < MANY || (met > 50 && met < c.s.count / 2));
    void *arrays[] = {own, starts, before, after};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    part(&c);
}

static void fluid_moves_out_of_bodies_and_they_get_what_it_loses(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        check_meet(sizes[i]);
    uint32_t room = world->params.near_bodies_capacity;
    world->params.near_bodies_capacity = 30;
    check_meet(MANY);
    world->params.near_bodies_capacity = room;
}

static void a_finished_substep_keeps_the_bodies_and_a_lost_one_rests(void **state)
{
    (void)state;
    crowd c;
    meet_up(&c, 0, "finalize_bodies");
    struct body_state lost = c.iterates[1];
    lost.velocity.x = NAN;
    upload(world, body_set_iterated_states(world->bodies), c.iterates, sizeof *c.iterates);
    OK(gpu_buffer_upload(device, body_set_iterated_states(world->bodies), sizeof lost, &lost,
                         sizeof lost));
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
    upload(world, body_set_iterated_states(world->bodies), &slow, sizeof slow);
    upload(world, body_set_impulse_sums(world->bodies), sums, sizeof sums);
    run_pass(&c->s);
    struct body_state *got = read_bound(BODY_BIND_body_states, BODIES, sizeof *got), first = *got;
    base_free(got);
    return first;
}

static void a_slow_body_sleeps_where_it_was_unless_it_is_stirred(void **state)
{
    (void)state;
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
        cmocka_unit_test(bodies_add_to_the_density_of_those_that_line_up),
        cmocka_unit_test(fluid_moves_out_of_bodies_and_they_get_what_it_loses),
        cmocka_unit_test(a_finished_substep_keeps_the_bodies_and_a_lost_one_rests),
        cmocka_unit_test(a_slow_body_sleeps_where_it_was_unless_it_is_stirred),
    };
    int failed = cmocka_run_group_tests_name("balls", tests, open_balls, close_one_world);
    return failed +
           cmocka_run_group_tests_name("with a box", tests, open_with_a_box, close_one_world);
}
