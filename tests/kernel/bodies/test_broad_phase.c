/* Tests the cells that list the bodies near a particle. */
#include "device_support.h"
#include "sim_support.h"

#define BALLS 40u /* more than the bits of a word */
#define RADIUS 0.06f
#define POINTS 4000u

#define LARGE 0.35 /* radius of a ball over more cells than a body queries */

/* Creates BALLS balls, five by four by two, `apart` m apart along x; the first one is outside the
 * domain. With `large`, the last one has radius LARGE and is near another. */
static scene_data *make_balls(double apart, bool large, const char *const *overrides)
{
    base_text text = {0};
    assert_true(base_text_append(
        &text, "{'spacing': 0.05, 'domain': {'min': [-0.5, 0, 0], 'max': [1.5, 2, 1], 'sides': {"
               "'x': 'open'}}, 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {"
               "'min': [1.3, 0, 0], 'max': [1.5, 0.2, 0.2]}}}}], 'bodies': ["));
    for (uint32_t i = 0; i < BALLS; i++) {
        double radius = (double)RADIUS;
        double x = apart * (i % 5), y = 0.3 + 0.37 * (i / 5 % 4), z = 0.2 + 0.3 * (i / 20);
        if (i == 0) x = -0.7;
        if (large && i + 1 == BALLS) radius = LARGE, x = 0.94, y = 1.04;
        assert_true(base_text_append(
            &text,
            "%s{'name': 'ball %u', 'density': 700, 'shape': {'sphere': {'radius': %g},"
            " 'position': [%g, %g, %g]}}",
            i ? ", " : "", i, radius, x, y, z));
    }
    assert_true(base_text_append(&text, "]}"));
    scene_data *scene = make_scene(text.items, overrides);
    BASE_ARRAY_FREE(&text);
    return scene;
}

/* Returns the words of the cell that contains p. */
static const uint32_t *cell_of(const struct sim_params *params, const uint32_t *words, vec3 p)
{
    const vec4 *low = &params->domain_min;
    const float offset[3] = {p.x - low->x, p.y - low->y, p.z - low->z};
    const uint32_t n[3] = {params->body_counts.x, params->body_counts.y, params->body_counts.z};
    uint32_t cell = 0;
    for (int axis = 2; axis >= 0; axis--)
        cell = cell * n[axis] + (uint32_t)(offset[axis] / params->domain_min.w);
    return words + (size_t)cell * params->body_counts.w;
}

static bool names(const uint32_t *cell, uint32_t body)
{
    bool word = cell[0] >> body / BODY_BITS_PER_WORD & 1u;
    return word && cell[1 + body / BODY_BITS_PER_WORD] >> body % BODY_BITS_PER_WORD & 1u;
}

static vec3 random_point(const sim_world *world, uint32_t i)
{
    vec3 low = world->scene->domain.min, size = vec3_sub(world->scene->domain.max, low);
    return vec3_make(low.x + base_hash_to_unit(3ull * i) * size.x,
                     low.y + base_hash_to_unit(3ull * i + 1) * size.y,
                     low.z + base_hash_to_unit(3ull * i + 2) * size.z);
}

/* Checks that a point's cell lists every ball that can act there, and none that is far from the
 * cell. */
static uint32_t check_point(const sim_world *world, const uint32_t *words,
                            const struct body_state *states, vec3 p)
{
    const struct sim_params *params = &world->params;
    const uint32_t *cell = cell_of(params, words, p);
    float within =
        fmaxf(params->h, params->boundary_gap + SIM_SDF_MAX_SLOPE * params->max_correction);
    float far = within + 1.7321f * params->domain_min.w + 2.0f * world->scene->spacing;
    uint32_t named = 0;
    for (uint32_t i = 0; i < BALLS; i++) {
        const vec4 *x = &states[i].position;
        float outside = fmaxf(world->scene->domain.min.x - x->x, 0.0f);
        float distance = vec3_length(vec3_sub(p, vec3_make(x->x, x->y, x->z))) - RADIUS;
        if (distance < within) assert_true(names(cell, i));
        if (names(cell, i)) assert_true(distance < far + outside);
        named += names(cell, i);
    }
    return named;
}

static void cells_name_the_bodies_that_a_particle_in_them_can_meet(void **state)
{
    scene_data *scene = make_balls(0.21, false, NULL);
    sim_world *world = make_sim(device, scene);
    gpu_buffer *buffer = body_set_buffers(world->bodies)->broad_phase_cells;
    size_t count = (size_t)gpu_buffer_count(buffer);
    uint32_t *words = base_alloc(count, sizeof *words), none = 0, some = 0;
    assert_non_null(words);
    memset(words, 0xff, count * sizeof *words);
    upload(world, buffer, words, count * sizeof *words);
    base_free(words);
    uint32_t pass = run_up_to(world, 1.0 / 60.0, "broad_phase_clear");
    run_step_passes(world, pass, pass + 2);
    words = download(world, buffer, count, sizeof *words);
    struct body_state *states = download(
        world, body_set_buffers(world->bodies)->body_iterated_states, BALLS, sizeof *states);
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t named = check_point(world, words, states, random_point(world, i));
        none += named == 0;
        some += named > 0;
    }
    assert_true(none > POINTS / 10 && some > POINTS / 10);
    for (size_t cell = 0; cell < count; cell += world->params.body_counts.w)
        for (uint32_t k = 0; k + 1 < world->params.body_counts.w; k++)
            assert_int_equal(words[cell] >> k & 1u, words[cell + 1 + k] != 0);
    base_free(words);
    base_free(states);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* Checks that each body lists, in order, all bodies that may touch it and no others. Returns
 * whether there are any. */
static bool check_near_list(const sim_world *world, const struct body_state *states,
                            const uint32_t *near, uint32_t body)
{
    const vec4 *x = &states[body].position;
    const uint32_t *list = near + (size_t)body * BODY_CANDIDATE_WORDS;
    uint32_t found = 0;
    for (uint32_t i = 0; i < BALLS; i++) {
        const vec4 *y = &states[i].position;
        float apart = vec3_length(vec3_make(x->x - y->x, x->y - y->y, x->z - y->z));
        bool large = body + 1 == BALLS || i + 1 == BALLS;
        float radii = RADIUS + (large ? (float)LARGE : RADIUS);
        float reach = radii + BODY_CONTACT_MARGIN * world->scene->spacing;
        if (i == body || apart > reach) continue;
        assert_int_equal(list[1 + found], i);
        found++;
    }
    assert_int_equal(list[0], found);
    return found > 0;
}

static uint32_t *download_near(const sim_world *world, uint32_t pass)
{
    const gpu_pass *at = &world->passes[pass];
    for (uint32_t u = 0; u < at->use_count; u++)
        if (at->uses[u].binding == BODY_BIND_candidates)
            return download(world, at->uses[u].buffer, (size_t)BALLS * BODY_CANDIDATE_WORDS, 4);
    fail_msg("row %u binds no lists", pass);
    return NULL;
}

/* There are more bodies than one tests one by one, but the large one tests all. */
static void many_bodies_list_all_that_may_touch_them(void **state)
{
    scene_data *scene = make_balls(0.13, true, NULL);
    sim_world *world = make_sim(device, scene);
    assert_true(BALLS > BODY_BITS_PER_WORD);
    uint32_t pass = run_up_to(world, 1.0 / 60.0, "broad_phase_query"), some = 0;
    run_step_passes(world, pass, pass + 1);
    uint32_t *near = download_near(world, pass);
    struct body_state *states = download(
        world, body_set_buffers(world->bodies)->body_iterated_states, BALLS, sizeof *states);
    for (uint32_t i = 0; i < BALLS; i++)
        some += check_near_list(world, states, near, i);
    assert_true(some > BALLS / 2 && some < BALLS);
    assert_true(near[(size_t)(BALLS - 1) * BODY_CANDIDATE_WORDS] > 0);
    base_free(near);
    base_free(states);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A short solve tests the bodies near a particle once; a long one tests them in each iteration. */
static void a_long_solve_asks_which_bodies_are_near_in_each_iteration(void **state)
{
    static const char *const overrides[] = {"solver.iterations=4", "solver.iterations=5",
                                            "solver.tolerance.mean=0.01"};
    for (uint32_t i = 0; i < BASE_COUNT(overrides); i++) {
        scene_data *scene = make_balls(0.21, false, (const char *const[]){overrides[i], NULL});
        sim_world *world = make_sim(device, scene);
        const gpu_pass *pass = &world->passes[step_pass(world, "body_broad_phase")];
        assert_int_equal(pass->group != NULL, i > 0);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* However large a domain is, its cells take a bounded number of words. */
static void cells_grow_with_the_domain(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [100, 50, 80]}, 'bodies': [{"
        "'name': 'ball', 'density': 700, 'shape': {'sphere': {'radius': 0.1}, 'position': [1, 1, "
        "1]}}], 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': ["
        "0.2, 0.2, 0.2]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    body_broad_phase cells = body_set_broad_phase(world->bodies);
    uint64_t words = gpu_buffer_count(body_set_buffers(world->bodies)->broad_phase_cells);
    assert_true(words <= BODY_BROAD_PHASE_MAX_WORDS && words > BODY_BROAD_PHASE_MAX_WORDS / 4);
    assert_true((float)cells.count[0] * cells.edge_m >= 100.0f);
    assert_true((float)(cells.count[0] - 1) * cells.edge_m <= 100.0f);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_name_the_bodies_that_a_particle_in_them_can_meet),
        cmocka_unit_test(many_bodies_list_all_that_may_touch_them),
        cmocka_unit_test(a_long_solve_asks_which_bodies_are_near_in_each_iteration),
        cmocka_unit_test(cells_grow_with_the_domain),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
