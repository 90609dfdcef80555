/* Tests the shaders for contacts between vertices of cloths and ropes against tests/ref: sheets, a
 * rope and a soft body crumpled into each other. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "ref_vertex_contact.h"
#include "scene_text.h"

typedef struct crowd {
    deformable_fixture y;
    ref_vertex_contacts ref;
    vec4 *rest_positions;
} crowd;

#define HEAP 0.0f /* a spread that moves a hundred vertices to one place */

/* Crumples the sheets by noise of `spread`, m. */
static void crumple(const deformable_fixture *y, float spread)
{
    struct deformable_state *states = base_alloc(y->vertices, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(y->world->deformables),
           y->vertices * sizeof *states);
    for (uint32_t i = 0; i < y->vertices; i++) {
        uint64_t draw = 8ull * i;
        vec4 *x = &states[i].position, *v = &states[i].velocity;
        if (x->w == 0.0f) continue;
        x->x += random_between(draw, -spread, spread);
        x->y += random_between(draw + 1, -spread, spread);
        x->z += random_between(draw + 2, -spread, spread);
        v->x = random_between(draw + 3, -3, 3), v->z = random_between(draw + 4, -3, 3);
        v->y = random_between(draw + 5, -9, 9); /* up to one thickness per substep */
        if (spread != HEAP || i < 100 || i >= 200) continue;
        x->x = 0.5f + random_between(draw, -0.01f, 0.01f);
        x->y = 0.9f + random_between(draw + 1, -0.01f, 0.01f);
        x->z = 0.5f + random_between(draw + 2, -0.01f, 0.01f);
    }
    upload(y->world, deformable_set_buffers(y->world->deformables)->deformable_states, states,
           y->vertices * sizeof *states);
    base_free(states);
}

/* Runs all passes of a substep before the one with this name. */
static crowd gather(float spread, const char *pass)
{
    crowd c = {.y = {.scene = make_scene(scene_text("deformable_contacts"), NULL)}};
    deformable_fixture *y = &c.y;
    y->world = make_sim_sized(device, y->scene, SIMS_ROOM);
    y->vertices = deformable_set_vertex_count(y->world->deformables);
    crumple(y, spread);
    enter(&y->s, y->world, 1, pass);
    read_deformable_fixture(y);
    read_displacements(y);
    c.rest_positions =
        read_all(y, bound_buffer(y, "solve_vertex_contacts", DEFORMABLE_BIND_rest_positions));
    return c;
}

/* Sets the pointers of `ref` to the arrays of this copy. */
static void point(crowd *c)
{
    c->y.ref.pbf = &c->y.s.pbf;
    c->ref = (ref_vertex_contacts){&c->y.ref, c->y.owners, c->rest_positions, c->y.vertices};
}

static void scatter(crowd *c)
{
    base_free(c->rest_positions);
    close_deformable_fixture(&c->y);
}

static void run_named(crowd *c, const char *first, const char *last)
{
    run_step_passes(c->y.world, step_pass(c->y.world, first), step_pass(c->y.world, last) + 1);
}

static uint32_t *read_nears(const crowd *c)
{
    return read_all(&c->y, bound_buffer(&c->y, "find_vertex_contact_candidates",
                                        DEFORMABLE_BIND_contact_candidates));
}

/* Reports whether the paths of a pair come so near to the limit that rounding decides. */
static bool is_close_call(const crowd *c, uint32_t i, uint32_t k)
{
    float limit = DEFORMABLE_CANDIDATE_MARGIN * ref_vertex_contact_distance(&c->ref, i, k),
          *w = &c->y.ref.displacements[i].x;
    float before = w[0];
    bool near_now = ref_vertex_is_candidate(&c->ref, i, k), other = near_now;
    for (int s = -1; s <= 1; s += 2) {
        w[0] = before + (float)s * 1e-5f * limit;
        other = near_now != ref_vertex_is_candidate(&c->ref, i, k) ? !near_now : other;
    }
    w[0] = before;
    return other != near_now;
}

static uint32_t check_list(const crowd *c, const uint32_t *list, uint32_t i)
{
    uint32_t count = 0, close_calls = 0;
    for (uint32_t k = 0; k < c->y.vertices; k++) {
        count += ref_vertex_is_candidate(&c->ref, i, k);
        close_calls += is_close_call(c, i, k);
    }
    assert_true(list[0] >= count - close_calls && list[0] <= count + close_calls);
    for (uint32_t n = 1; n <= list[0] && n <= DEFORMABLE_MAX_CANDIDATES; n++) {
        assert_true(n == 1 || list[n] > list[n - 1]);
        assert_true(ref_vertex_is_candidate(&c->ref, i, list[n]) || is_close_call(c, i, list[n]));
    }
    return count;
}

static void near_vertices_are_listed_in_order(void **state)
{
    crowd c = gather(0.02f, "clear_vertex_hash");
    point(&c);
    run_named(&c, "clear_vertex_hash", "find_vertex_contact_candidates");
    uint32_t *nears = read_nears(&c), most = 0, sum = 0;
    for (uint32_t i = 0; i < c.y.vertices; i++) {
        uint32_t count = check_list(&c, &nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * i], i);
        most = count > most ? count : most;
        sum += count;
    }
    print_message("  %u vertices, %u near each other, %u at most\n", c.y.vertices, sum / 2, most);
    assert_true(sum > 2000 && most < DEFORMABLE_MAX_CANDIDATES);
    base_free(nears);
    scatter(&c);
}

/* When a list overflows, it omits the highest indices, and both vertices of a pair omit it. */
static void lists_that_are_too_short_keep_the_lowest_numbers(void **state)
{
    crowd c = gather(HEAP, "clear_vertex_hash");
    point(&c);
    run_named(&c, "clear_vertex_hash", "find_vertex_contact_candidates");
    uint32_t *nears = read_nears(&c), full = 0, dropped = 0;
    for (uint32_t i = 0; i < c.y.vertices; i++) {
        const uint32_t *list = &nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * i];
        check_list(&c, list, i);
        if (list[0] <= DEFORMABLE_MAX_CANDIDATES) continue;
        full++;
        uint32_t n = 1;
        for (uint32_t k = 0; k < c.y.vertices && n <= DEFORMABLE_MAX_CANDIDATES; k++)
            if (ref_vertex_is_candidate(&c.ref, i, k) && !is_close_call(&c, i, k)) {
                assert_true(list[n] <= k);
                n += list[n] == k;
            }
        for (n = 1; n <= DEFORMABLE_MAX_CANDIDATES; n++)
            dropped += !ref_lists_candidate(nears, i, list[n]);
    }
    print_message("  %u lists are full, %u pairs stand in one alone\n", full, dropped);
    assert_true(full > 50 && dropped > 50);
    run_named(&c, "count_vertex_contacts", "solve_vertex_contacts");
    vec4 *shoves = read_all(
        &c.y, bound_buffer(&c.y, "solve_vertex_contacts", DEFORMABLE_BIND_vertex_contact_impulses));
    double sum[3] = {0}, size = 0.0;
    for (uint32_t i = 0; i < c.y.vertices; i++) {
        sum[0] += (double)shoves[i].x, sum[1] += (double)shoves[i].y, sum[2] += (double)shoves[i].z;
        size += (double)vec3_length(xyz(shoves[i]));
    }
    for (int k = 0; k < 3; k++)
        assert_near("sum of pushes", sum[k] / size, 0.0, 1e-6);
    base_free(shoves);
    base_free(nears);
    scatter(&c);
}

/* The counts may differ by rounding for pairs at the limit of touching. */
static void check_counts(const crowd *c, const uint32_t *nears, const uint32_t *bears)
{
    for (uint32_t i = 0; i < c->y.vertices; i++) {
        const uint32_t *list = &nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * i];
        uint32_t least = 0, most = 0;
        for (uint32_t n = 1; n <= list[0]; n++) {
            vec3 normal;
            float depth = ref_vertex_contact_depth(&c->ref, i, list[n], &normal);
            least += depth > 1e-6f, most += depth > 0.0f;
        }
        most += least == most ? 0 : 1;
        assert_true(bears[i] >= least && bears[i] <= most);
    }
}

static void vertices_push_each_other_with_friction(void **state)
{
    crowd c = gather(0.012f, "count_vertex_contacts");
    point(&c);
    uint32_t *nears = read_nears(&c), pushed = 0;
    run_named(&c, "count_vertex_contacts", "solve_vertex_contacts");
    uint32_t *bears = read_all(
        &c.y, bound_buffer(&c.y, "solve_vertex_contacts", DEFORMABLE_BIND_vertex_contact_counts));
    check_counts(&c, nears, bears);
    vec4 *got = read_all(
        &c.y, bound_buffer(&c.y, "solve_vertex_contacts", DEFORMABLE_BIND_vertex_contact_impulses));
    double most = 0.0, sum[3] = {0}, size = 0.0;
    for (uint32_t i = 0; i < c.y.vertices; i++)
        most = fmax(most, (double)vec3_length(ref_vertex_contact_impulse(&c.ref, nears, bears, i)));
    for (uint32_t i = 0; i < c.y.vertices; i++) {
        vec3 want = ref_vertex_contact_impulse(&c.ref, nears, bears, i);
        assert_vec3_near("push", i, got[i], want, (float)most * 2e-4f);
        pushed += vec3_length(want) > 0.0f;
        sum[0] += (double)got[i].x, sum[1] += (double)got[i].y, sum[2] += (double)got[i].z;
        size += (double)vec3_length(xyz(got[i]));
    }
    print_message("  %u of %u vertices are pushed; their sum is %.1e of that of sizes\n", pushed,
                  c.y.vertices, (fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2])) / size);
    assert_true(pushed > 200);
    for (int k = 0; k < 3; k++)
        assert_near("sum of pushes", sum[k] / size, 0.0, 1e-6);
    run_named(&c, "apply_vertex_contacts", "apply_vertex_contacts");
    vec4 *moved = read_all(
        &c.y, bound_buffer(&c.y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    for (uint32_t i = 0; i < c.y.vertices; i++) {
        vec3 want = vec3_scale(xyz(got[i]), c.y.ref.displacements[i].w);
        want = vec3_add(xyz(c.y.ref.displacements[i]), want);
        assert_vec3_near("displacement", i, moved[i], want,
                         POSITION_TOLERANCE * c.y.s.params.spacing);
    }
    void *arrays[] = {nears, bears, got, moved};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    scatter(&c);
}

static void who_meets_whom_is_what_the_scene_says(void **state)
{
    crowd c = gather(0.0f, "clear_vertex_hash");
    point(&c);
    uint32_t first[5] = {0}, last[5] = {0};
    for (uint32_t i = 0; i < c.y.vertices; i++)
        last[c.y.owners[i]] = i;
    for (uint32_t s = 1; s < 5; s++)
        first[s] = last[s - 1] + 1;
    assert_near("itself", (double)ref_vertex_contact_distance(&c.ref, first[0], last[0]), 0.04,
                1e-7);
    assert_near("neighbours", (double)ref_vertex_contact_distance(&c.ref, first[0], first[0] + 1),
                0, 0);
    assert_near("not itself", (double)ref_vertex_contact_distance(&c.ref, first[1], last[1]), 0, 0);
    assert_near("two", (double)ref_vertex_contact_distance(&c.ref, first[0], last[1]), 0.045, 1e-7);
    assert_near("none", (double)ref_vertex_contact_distance(&c.ref, first[0], last[2]), 0, 0);
    assert_near("a rope", (double)ref_vertex_contact_distance(&c.ref, first[1], last[3]), 0.045,
                1e-7);
    /* within a soft body, only vertices far from each other touch */
    uint32_t near_ones = 0, far_ones = 0;
    for (uint32_t i = first[4]; i <= last[4]; i++) {
        float rest =
            vec3_length(vec3_sub(xyz(c.rest_positions[i]), xyz(c.rest_positions[first[4]])));
        float thickness = ref_vertex_contact_distance(&c.ref, i, first[4]);
        near_ones += thickness == 0.0f && rest < 0.1f;
        far_ones += fabsf(thickness - 0.04f) < 1e-6f && rest > 0.12f;
    }
    assert_true(near_ones > 10 && far_ones > 20);
    scatter(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_vertices_are_listed_in_order),
        cmocka_unit_test(lists_that_are_too_short_keep_the_lowest_numbers),
        cmocka_unit_test(vertices_push_each_other_with_friction),
        cmocka_unit_test(who_meets_whom_is_what_the_scene_says),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
