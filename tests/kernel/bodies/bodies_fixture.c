#include "bodies_fixture.h"

/* When all shapes are balls, shaders compute distances by a shorter path. */
static const char of_balls[] = SCENE("");

static const char with_a_box[] = SCENE(
    " 'sinks': [{'name': 'drain', 'shape': {'box': {'min': [1.8, 1.8, 1.8], 'max': [1.9, 1.9, "
    "1.9]}}}],");

int open_balls(void **state)
{
    return open_one_world(of_balls, false);
}

int open_with_a_box(void **state)
{
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
    upload(world, body_set_buffers(world->bodies)->body_states, states, sizeof states);
}

void *read_bound(uint32_t binding, size_t count, size_t size)
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

void meet_up(crowd *c, uint32_t count, const char *pass)
{
    *c = (crowd){0};
    place_bodies();
    enter(&c->s, world, count, pass);
    c->properties = read_bound(BODY_BIND_bodies, BODIES, sizeof *c->properties);
    c->states = read_bound(BODY_BIND_body_states, BODIES, sizeof *c->states);
    c->iterates = read_bound(BODY_BIND_body_iterated_states, BODIES, sizeof *c->iterates);
    c->ref = (ref_bodies){&c->s.pbf, c->properties, c->states, c->iterates};
}

void part(crowd *c)
{
    void *arrays[] = {c->properties, c->states, c->iterates};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&c->s.lists);
}

void assert_sums(const crowd *c, const ref_impulse *want)
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
