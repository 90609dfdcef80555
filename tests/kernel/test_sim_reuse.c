/* What iterations and substeps take over from earlier ones, against tests/ref: the squared
 * gradients of iteration 0, the ways to the solids, and order and lists with a skin. */
#include "ref_pbf.h"
#include "sim_support.h"

#define FRAME_S (1.0 / 60.0)
#define MANY 1500u

/* A ball stands in the particles' way; nothing falls, so that a test says who moves. */
static const char text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1], 'sides': {'x': 'periodic',"
    " 'y': ['closed', 'open']}}, 'gravity': [0, 0, 0],"
    " 'solver': {'substeps': 4, 'iterations': 3, 'skin': 0.2, 'freeze_gradients': true},"
    " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}}}}],"
    " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.1},"
    " 'position': [0.7, 0.3, 0.3]}}]}";

static gpu_device *device;
static scene_data *scene, *closed;
static sim_world *world;
static ref_ball ball;

static int open_world(void **state)
{
    (void)state;
    static const char *const sides[] = {"domain.sides.x=\"closed\"", NULL};
    device = open_gpu(false); /* test_sim_kernels and test_skin validate the same kernels */
    scene = make_scene(text, NULL);
    closed = make_scene(text, sides);
    world = make_sim_sized(device, scene, 2 * MANY);
    struct solid_pose pose;
    solid_poses_at(world->solids, 1.0, 1.0, &pose);
    ball = (ref_ball){.centre = {0}, .radius = 0.1f, .pose = pose};
    for (uint32_t i = 0; i < scene->shape_count; i++)
        if (scene->shapes[i].kind == SCENE_SHAPE_SPHERE)
            ball.centre = scene->shapes[i].pose.position;
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    sim_destroy(&world);
    scene_destroy(&scene);
    scene_destroy(&closed);
    return close_gpu(&device);
}

/* ---- a substep by hand ---------------------------------------------------------------------- */

/* Particles on a shaken lattice from the corner, the denser the more it is shaken. */
typedef struct crowd {
    uint32_t count;
    vec4 *x, *v;
    uint32_t *ids;
} crowd;

static crowd make_crowd(uint32_t count, float shake, float speed)
{
    crowd c = {count, base_alloc(count + 1u, sizeof *c.x), base_alloc(count + 1u, sizeof *c.v),
               base_alloc(count + 1u, sizeof *c.ids)};
    assert_true(c.x && c.v && c.ids);
    uint32_t n = (uint32_t)ceilf(cbrtf((float)count + 1.0f));
    for (uint32_t i = 0; i < count; i++) {
        float at[6];
        for (uint32_t k = 0; k < 6; k++)
            at[k] = base_unit(8ull * i + k);
        for (uint32_t k = 0; k < 3; k++)
            at[k] = 0.5f + shake * (at[k] - 0.5f);
        float step = 0.05f - 0.004f * shake;
        c.x[i] = (vec4){step * ((float)(i % n) + at[0]), step * ((float)(i / n % n) + at[1]),
                        step * ((float)(i / n / n) + at[2]), 0};
        c.v[i] = (vec4){speed * (at[3] - 0.5f), speed * (at[4] - 0.5f), speed * (at[5] - 0.5f), 0};
        c.ids[i] = i;
    }
    return c;
}

static void free_crowd(crowd *c)
{
    base_free(c->x);
    base_free(c->v);
    base_free(c->ids);
}

static void place(sim_world *in, const crowd *c)
{
    place_particles(in, (placing){c->count, c->x, c->v, c->ids});
    begin_frame(in, FRAME_S);
    run_begin_row(in);
}

/* Rows from `from` up to `to` (NULL: to the end), with their iterations, as those of one substep.
 */
static void run_between(sim_world *in, const char *from, const char *to, uint32_t substep)
{
    uint64_t ticket;
    uint32_t first = step_row(in, from), last = to ? step_row(in, to) : in->row_count;
    OK(gpu_record_begin(device));
    OK(gpu_record_rows(device, in->rows + first, last - first, substep, NULL));
    OK(gpu_record_submit(device, &ticket));
    OK(gpu_ticket_wait(device, ticket));
}

static struct grid_state state_of(const sim_world *in)
{
    struct grid_state state;
    OK(gpu_buffer_download(device, grid_state_buffer(in->grid), 0, &state, sizeof state));
    assert_int_equal(state.flags, 0);
    return state;
}

static ref_pbf reference(const sim_world *in, const host_lists *lists, uint32_t count)
{
    return (ref_pbf){&in->params,
                     &ball,
                     (float)(FRAME_S / 4),
                     count,
                     lists ? lists->first : NULL,
                     lists ? lists->items : NULL};
}

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* ---- frozen gradients ----------------------------------------------------------------------- */

/* The second turn of the iteration divides the density where particles are then by what was found
 * where they were first. */
static uint32_t check_frozen(uint32_t count)
{
    crowd c = make_crowd(count, 1.0f, 1.0f);
    uint32_t apart = 0;
    place(world, &c);
    run_between(world, "substep_begin", "lambda", 0);
    uint32_t live = state_of(world).live;
    host_lists lists = download_lists(device, world->grid, live);
    ref_pbf pbf = reference(world, &lists, live);
    ivec4 *a = download(world, world->buffers.a, live, sizeof *a);
    gpu_row turns[2];
    for (uint32_t k = 0; k < 2; k++) {
        turns[k] = world->rows[step_row(world, "lambda") + k];
        turns[k].group = "turns";
        turns[k].repeat = 2;
    }
    OK(gpu_run_rows(device, turns, 2));
    ivec4 *b = download(world, world->buffers.b, live, sizeof *b);
    ivec4 *later = base_alloc(live + 1u, sizeof *later);
    assert_non_null(later);
    for (uint32_t i = 0; i < live; i++)
        later[i] = (ivec4){b[i].x, b[i].y, b[i].z, a[i].w};
    for (uint32_t i = 0; i < live; i++) {
        float frozen = ref_lambda(&pbf, a, i).denominator;
        float expected = ref_lambda_over(&pbf, later, i, frozen) * frozen;
        float fresh = ref_lambda(&pbf, later, i).lambda * frozen;
        float got = ref_float(b[i].w) * frozen;
        if (!(fabsf(got - expected) <= 1e-5f * (1.0f + fabsf(expected))))
            fail_msg("lambda of particle %u over its denominator: %g, expected %g", i, (double)got,
                     (double)expected);
        apart += fabsf(fresh - expected) > 1e-3f;
    }
    void *arrays[] = {a, b, later};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&lists);
    free_crowd(&c);
    return apart;
}

static void frozen_gradients_are_those_of_the_first_iteration(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        uint32_t apart = check_frozen(sizes[i]);
        if (sizes[i] == MANY) assert_true(apart > 50); /* fresh ones would be seen */
    }
}

/* ---- ways to the solids --------------------------------------------------------------------- */

/* No solid is nearer than what is kept, at positions[i]; returns how many had to look again. */
static uint32_t assert_held_off(sim_world *in, const gpu_buffer *kept, const gpu_buffer *positions,
                                uint32_t count)
{
    uint32_t exact = 0;
    ref_pbf pbf = reference(in, NULL, count);
    float *away = download(in, kept, count, 4);
    vec4 *p = download_metres(in, positions, count);
    for (uint32_t i = 0; i < count; i++) {
        float distance = ref_solid_distance(&pbf, xyz(p[i]));
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
    (void)state;
    sim_world *steady = make_sim_sized(device, closed, 2 * MANY);
    crowd c = make_crowd(MANY, 1.0f, 6.0f); /* up to a spacing in a substep */
    place(steady, &c);
    run_between(steady, "substep_begin", "mark", 0);
    assert_true(assert_held_off(steady, steady->buffers.away, steady->buffers.b, MANY) > 50);
    run_between(steady, "mark", "velocity", 0);
    uint32_t live = state_of(steady).live;
    run_between(steady, "velocity", NULL, 0);
    assert_held_off(steady, steady->buffers.away, steady->buffers.a, live);
    uint32_t looked = 0;
    for (uint32_t substep = 1; substep < 4; substep++) {
        run_between(steady, "substep_begin", "mark", substep);
        live = state_of(steady).live ? state_of(steady).live : live;
        looked += assert_held_off(steady, steady->buffers.away, steady->buffers.b, live);
        run_between(steady, "mark", NULL, substep);
        live = state_of(steady).live;
        assert_held_off(steady, steady->buffers.away, steady->buffers.a, live);
    }
    print_message("  %u of %u distances were looked up\n", looked, 3 * live);
    assert_true(looked > 0 && looked < live);
    free_crowd(&c);
    sim_destroy(&steady);
}

/* ---- lists with a skin ---------------------------------------------------------------------- */

/* m, by the shorter way round. */
static vec3 way_between(ivec4 a, ivec4 b)
{
    vec3 d = vec3_sub(xyz(metres_of(world, a)), xyz(metres_of(world, b)));
    d.x -= rintf(d.x);
    return d;
}

static uint32_t pairs_within_h(const ivec4 *places, uint32_t count, const host_lists *lists)
{
    uint32_t pairs = 0;
    const float h = world->params.h;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            vec3 d = way_between(places[i], places[j]);
            if (i == j || vec3_dot(d, d) >= h * h) continue;
            bool listed = false;
            for (uint32_t k = lists->first[i]; k < lists->first[i + 1]; k++)
                listed |= lists->items[k] == j;
            if (!listed) fail_msg("particles %u and %u are within h and not listed", i, j);
            pairs++;
        }
    return pairs;
}

/* The second substep of a frame: with `who` going at `speed` along x. Returns whether order and
 * lists were kept. */
static bool second_substep(uint32_t count, uint32_t who, float speed)
{
    crowd c = make_crowd(count, 0.1f, 0.5f);
    place(world, &c);
    run_between(world, "substep_begin", NULL, 0);
    struct grid_state before = state_of(world);
    assert_int_equal(before.kept, 0);
    assert_int_equal(before.built, before.live);
    ivec4 *built = download(world, world->buffers.built, before.live, sizeof *built);
    vec4 *v = download(world, world->buffers.v, before.live, sizeof *v);
    if (who < before.live) {
        v[who].x = speed;
        upload(world, world->buffers.v, v, before.live * sizeof *v);
    }
    uint32_t *ids = download(world, world->buffers.ids, before.live, 4);
    run_between(world, "substep_begin", "mark", 1);
    ivec4 *b = download(world, world->buffers.b, before.live, sizeof *b);
    run_between(world, "mark", "lambda", 1);
    struct grid_state now = state_of(world);
    ivec4 *a = download(world, world->buffers.a, now.live, sizeof *a);
    ivec4 *built_now = download(world, world->buffers.built, now.live, sizeof *built_now);
    uint32_t *ids_now = download(world, world->buffers.sorted_ids, now.live, 4);
    host_lists lists = download_lists(device, world->grid, now.live);
    float farthest = 0.0f;
    for (uint32_t i = 0; i < before.live; i++) {
        vec3 d = way_between(b[i], built[i]);
        farthest = fmaxf(farthest, b[i].w < 0 ? INFINITY : vec3_dot(d, d));
    }
    assert_true((now.kept != 0) == (count > 0 && farthest <= world->params.skin_way2));
    if (now.kept) {
        assert_int_equal(now.kept, before.live);
        assert_memory_equal(a, b, now.live * sizeof *a);
        assert_memory_equal(ids_now, ids, now.live * sizeof *ids);
        assert_memory_equal(built_now, built, now.live * sizeof *built);
    } else {
        assert_memory_equal(built_now, a, now.live * sizeof *a);
    }
    assert_true(count < MANY || pairs_within_h(a, now.live, &lists) > MANY);
    run_between(world, "lambda", NULL, 1);
    void *arrays[] = {built, v, ids, b, a, built_now, ids_now};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&lists);
    free_crowd(&c);
    return now.kept != 0;
}

static void lists_stand_while_all_are_in_their_skin(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        assert_int_equal(second_substep(sizes[i], 0, 0.5f), sizes[i] > 0);
}

static void one_particle_that_leaves_its_skin_has_all_lists_made_anew(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        assert_false(second_substep(sizes[i], sizes[i] - 1, 5.0f));
}

/* 240 / s times the domain's width: the particle comes out where it went in. */
static void once_round_a_periodic_domain_is_no_way(void **state)
{
    (void)state;
    world->params.speed_cap = 100.0f;
    assert_true(second_substep(65, 3, 240.0f));
    world->params.speed_cap = scene->solver.speed_cap;
}

static void a_particle_that_is_no_number_has_all_lists_made_anew(void **state)
{
    (void)state;
    assert_false(second_substep(65, 7, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_gradients_are_those_of_the_first_iteration),
        cmocka_unit_test(what_is_kept_of_a_distance_is_never_more_than_the_distance),
        cmocka_unit_test(lists_stand_while_all_are_in_their_skin),
        cmocka_unit_test(one_particle_that_leaves_its_skin_has_all_lists_made_anew),
        cmocka_unit_test(once_round_a_periodic_domain_is_no_way),
        cmocka_unit_test(a_particle_that_is_no_number_has_all_lists_made_anew),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
