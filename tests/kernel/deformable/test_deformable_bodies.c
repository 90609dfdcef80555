/* Tests the shaders for cloths and ropes that touch rigid bodies or are attached to them against
 * tests/ref: a sheet crumpled over a rotating ball, and a rope that holds another ball. */
#include "device_support.h"
#include "ref_deformable_body.h"
#include "scene_text.h"
#include "sim_pass_fixture.h"

#define POSITION_TOLERANCE 3e-5f /* d */
#define SUM 2e-4                 /* relative to the maximum */
#define BODIES 2u

typedef struct bundle {
    scene_data *scene;
    sim_world *world;
    stage s;
    ref_deformables deformables;
    ref_bodies bodies;
    ref_deformables_and_bodies ref;
    uint32_t vertices;
    void *read[9];
    uint32_t reads;
} bundle;

static gpu_buffer *bound_buffer(const bundle *b, uint32_t binding)
{
    return pass_buffer(&b->world->passes[step_pass(b->world, "solve_body_contacts")], binding);
}

static void *read_bound(bundle *b, uint32_t binding)
{
    gpu_buffer *buffer = bound_buffer(b, binding);
    size_t size = (size_t)(gpu_buffer_size(buffer) / gpu_buffer_count(buffer));
    return download(b->world, buffer, gpu_buffer_count(buffer), size);
}

static void *keep(bundle *b, uint32_t binding)
{
    return b->read[b->reads++] = read_bound(b, binding);
}

#define SHEET_VERTICES 169u
#define SUNK 0.22f /* m: into both balls, which no scene may specify */

static void open_bundle(bundle *b)
{
    *b = (bundle){.scene = make_scene(scene_text("deformable_bodies"), NULL)};
    b->world = make_sim_sized(device, b->scene, SIMS_ROOM);
    b->vertices = deformable_set_vertex_count(b->world->deformables);
    struct deformable_state *states = base_alloc(b->vertices, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(b->world->deformables),
           b->vertices * sizeof *states);
    for (uint32_t i = 0; i < b->vertices; i++) {
        if (states[i].position.w == 0.0f) continue;
        states[i].position.y += random_between(4ull * i, -0.01f, 0.01f);
        states[i].position.y -= i < SHEET_VERTICES ? SUNK : 0.0f;
        states[i].velocity.x = random_between(4ull * i + 1, -2, 2);
        states[i].velocity.y = random_between(4ull * i + 2, -4, 2);
    }
    upload(b->world, deformable_set_buffers(b->world->deformables)->deformable_states, states,
           b->vertices * sizeof *states);
    base_free(states);
    enter(&b->s, b->world, 1, "find_body_contacts");
    b->deformables =
        (ref_deformables){.pbf = &b->s.pbf,
                          .properties = keep(b, DEFORMABLE_BIND_deformables),
                          .states = keep(b, DEFORMABLE_BIND_deformable_states),
                          .displacements = keep(b, DEFORMABLE_BIND_deformable_displacements)};
    b->bodies = (ref_bodies){&b->s.pbf, keep(b, DEFORMABLE_BIND_bodies), NULL,
                             keep(b, DEFORMABLE_BIND_body_iterated_states)};
    b->ref = (ref_deformables_and_bodies){&b->deformables, &b->bodies,
                                          keep(b, DEFORMABLE_BIND_attachments),
                                          keep(b, DEFORMABLE_BIND_vertex_owners)};
}

static void close_bundle(bundle *b)
{
    for (uint32_t i = 0; i < b->reads; i++)
        base_free(b->read[i]);
    free_lists(&b->s.lists);
    sim_destroy(&b->world);
    scene_destroy(&b->scene);
}

static void check_moves(bundle *b)
{
    vec4 *got = read_bound(b, DEFORMABLE_BIND_deformable_displacements);
    for (uint32_t i = 0; i < b->vertices; i++) {
        assert_vec3_near("displacement", i, got[i], xyz(b->deformables.displacements[i]),
                         POSITION_TOLERANCE * b->s.params.spacing);
        assert_near("inverse mass", (double)got[i].w, (double)b->deformables.displacements[i].w,
                    0.0);
    }
    base_free(got);
}

static void check_sums(bundle *b, const ref_impulse *want)
{
    uint32_t *words = read_bound(b, DEFORMABLE_BIND_body_impulse_sums);
    double d = (double)b->s.params.spacing;
    double unit = d * (double)b->s.params.fluids[0].mass * (double)BODY_IMPULSE_UNIT;
    for (uint32_t i = 0; i < BODIES; i++) {
        const uint32_t *at = words + i * BODY_IMPULSE_WORDS;
        double most = 1e-12;
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(want[i].linear[k]));
        for (uint32_t k = 0; k < 6; k++) {
            int64_t whole = (int64_t)((uint64_t)at[2 * k + 1] << 32 | at[2 * k]);
            double got = (double)whole * unit * (k < 3 ? 1.0 : d);
            double wanted = k < 3 ? want[i].linear[k] : want[i].angular[k - 3];
            assert_near(k < 3 ? "impulse" : "moment", got, wanted, SUM * most);
        }
        assert_int_equal(at[BODY_IMPULSE_CONTACTS], want[i].contacts);
        assert_true(at[BODY_IMPULSE_FLAGS] & BODY_WOKEN);
    }
    base_free(words);
}

static void vertices_meet_bodies_and_hang_on_them(void **state)
{
    bundle b;
    open_bundle(&b);
    ref_impulse sums[BODIES] = {0};
    run_pass(&b.s);
    uint32_t *meets = read_bound(&b, DEFORMABLE_BIND_contact_bodies), met = 0;
    for (uint32_t i = 0; i < b.vertices; i++) {
        assert_int_equal(meets[i], ref_deformable_find_body(&b.ref, i));
        if (meets[i] != DEFORMABLE_NONE) sums[meets[i]].contacts++;
        met += meets[i] != DEFORMABLE_NONE && b.ref.attachments[i].body == DEFORMABLE_NONE;
    }
    assert_int_equal(b.ref.attachments[84].body, 0);
    assert_int_equal(b.ref.attachments[169].body, 1);
    assert_int_equal(meets[85], DEFORMABLE_NONE); /* pinned to the world, above the ball */
    print_message("  %u of %u vertices meet bodies\n", met, b.vertices);
    assert_true(met > 20 && sums[1].contacts > 2);
    for (uint32_t i = 0; i < b.vertices; i++)
        if (meets[i] != DEFORMABLE_NONE)
            ref_deformable_solve_body(&b.ref, i, meets[i], &sums[meets[i]]);
    run_step_passes(b.world, b.s.pass + 1, b.s.pass + 2);
    check_moves(&b);
    check_sums(&b, sums);
    base_free(meets);
    close_bundle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_meet_bodies_and_hang_on_them),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
