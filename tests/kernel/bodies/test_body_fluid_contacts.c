/* Tests the shaders by which rigid bodies and fluid act on each other against tests/ref. */
#include "bodies_fixture.h"
#include "ref_walls.h"

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
    OK(gpu_buffer_download(device, body_set_buffers(world->bodies)->queues, 0, queue,
                           sizeof queue));
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
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        check_meet(sizes[i]);
    uint32_t room = world->params.near_bodies_capacity;
    world->params.near_bodies_capacity = 30;
    check_meet(MANY);
    world->params.near_bodies_capacity = room;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_add_to_the_density_of_those_that_line_up),
        cmocka_unit_test(fluid_moves_out_of_bodies_and_they_get_what_it_loses),
    };
    int failed = cmocka_run_group_tests_name("balls", tests, open_balls, close_one_world);
    return failed +
           cmocka_run_group_tests_name("with a box", tests, open_with_a_box, close_one_world);
}
