/* Tests shape matching: the clusters that the host builds for a soft body, and the shaders against
 * tests/ref. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "ref_shape_matching.h"
#include "scene_text.h"

#define BODIES 3u

typedef struct blocks {
    deformable_fixture y;
    ref_clusters ref;
    void *read[5];
    uint32_t cluster_count;
} blocks;

static void *keep(blocks *b, int at, uint32_t binding)
{
    uint32_t member = binding == DEFORMABLE_BIND_cluster_masses;
    return b->read[at] =
               read_all(&b->y, bound_buffer(&b->y, member ? "shape_match_fit" : "shape_match_apply",
                                            binding));
}

/* Rotates the bodies by `angle` about an oblique axis, and adds noise of `way`, m. */
static void turn(const deformable_fixture *y, float angle, float way)
{
    struct deformable_state *states = base_alloc(y->vertices, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(y->world->deformables),
           y->vertices * sizeof *states);
    quat by = quat_from_axis_angle(vec3_make(0.6f, -0.64f, 0.48f), angle);
    for (uint32_t i = 0; i < y->vertices; i++) {
        vec4 *x = &states[i].position;
        vec3 p = quat_rotate(by, vec3_sub(xyz(*x), vec3_make(1, 1, 1)));
        x->x = 1.0f + p.x + random_between(8ull * i, -way, way);
        x->y = 1.0f + p.y + random_between(8ull * i + 1, -way, way);
        x->z = 1.0f + p.z + random_between(8ull * i + 2, -way, way);
        states[i].velocity.x = random_between(8ull * i + 3, -1, 1);
    }
    upload(y->world, deformable_set_buffers(y->world->deformables)->deformable_states, states,
           y->vertices * sizeof *states);
    base_free(states);
}

static blocks open_blocks(float angle, float way)
{
    blocks b = {.y = {.scene = make_scene(scene_text("deformable_clusters"), NULL)}};
    deformable_fixture *y = &b.y;
    y->world = make_sim_sized(device, y->scene, SIMS_ROOM);
    y->vertices = deformable_set_vertex_count(y->world->deformables);
    turn(y, angle, way);
    enter(&y->s, y->world, 1, "shape_match_fit");
    read_deformable_fixture(y);
    read_displacements(y);
    return b;
}

static void read_blocks(blocks *b)
{
    b->ref = (ref_clusters){.deformables = &b->y.ref,
                            .clusters = keep(b, 0, DEFORMABLE_BIND_clusters),
                            .members = keep(b, 1, DEFORMABLE_BIND_cluster_members),
                            .membership_offsets = keep(b, 2, DEFORMABLE_BIND_membership_offsets),
                            .memberships = keep(b, 3, DEFORMABLE_BIND_memberships),
                            .cluster_masses = keep(b, 4, DEFORMABLE_BIND_cluster_masses)};
    b->cluster_count = (uint32_t)gpu_buffer_count(
        bound_buffer(&b->y, "shape_match_apply", DEFORMABLE_BIND_clusters));
}

static void close_blocks(blocks *b)
{
    for (size_t i = 0; i < BASE_COUNT(b->read); i++)
        base_free(b->read[i]);
    close_deformable_fixture(&b->y);
}

/* ---- host ----------------------------------------------------------------------------------- */

static void check_cluster(const blocks *b, uint32_t index)
{
    const struct deformable_cluster *c = &b->ref.clusters[index];
    double centre[3] = {0}, mass = 0.0, moments[6] = {0};
    for (uint32_t m = c->first; m < c->first + c->count; m++) {
        const struct deformable_member *member = &b->ref.members[m];
        double weight = (double)b->ref.cluster_masses[member->vertex];
        double x = (double)member->x, y = (double)member->y, z = (double)member->z;
        const double products[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
        mass += weight;
        centre[0] += weight * x, centre[1] += weight * y, centre[2] += weight * z;
        for (int k = 0; k < 6; k++)
            moments[k] += weight * products[k];
    }
    for (int k = 0; k < 3; k++)
        assert_near("centre of a cluster, m", centre[k] / mass, 0.0, 1e-6);
    const double m[3][3] = {{moments[0], moments[5], moments[4]},
                            {moments[5], moments[1], moments[3]},
                            {moments[4], moments[3], moments[2]}};
    const vec4 s = c->inverse_diagonal, a = c->inverse_off_diagonal;
    const float inverse[3][3] = {{s.x, a.z, a.y}, {a.z, s.y, a.x}, {a.y, a.x, s.z}};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++)
                sum += m[r][i] * (double)inverse[i][k];
            assert_near("moments times their inverse", sum, r == k ? 1.0 : 0.0, 1e-4);
        }
}

static void clusters_overlap_and_share_the_mass_of_their_members(void **state)
{
    blocks b = open_blocks(0.0f, 0.0f);
    read_blocks(&b);
    const deformable_info *f = deformable_set_info(b.y.world->deformables);
    print_message("  %u clusters of %u vertices, %u of %u\n", f[0].clusters, f[0].vertex_count,
                  f[2].clusters, f[2].vertex_count);
    assert_true(f[0].clusters > 8 && f[1].clusters == 0 && f[2].clusters == 1);
    assert_int_equal(b.cluster_count, f[0].clusters + 1);
    assert_int_equal(b.ref.clusters[f[0].clusters].count, f[2].vertex_count);
    for (uint32_t i = 0; i < b.cluster_count; i++)
        check_cluster(&b, i);
    uint32_t most = 0;
    for (uint32_t i = 0; i < b.y.vertices; i++) {
        uint32_t parts = b.ref.membership_offsets[i + 1] - b.ref.membership_offsets[i];
        bool held = b.y.states[i].position.w == 0.0f;
        double weight =
            (double)deformable_set_mass(b.y.world->deformables, i) * (held ? 1000.0 : 1.0);
        most = parts > most ? parts : most;
        assert_true((parts == 0) == (b.y.owners[i] == 1));
        if (parts)
            assert_near("weight", (double)b.ref.cluster_masses[i] * parts / weight, 1.0, 1e-6);
        for (uint32_t p = 0; p < parts; p++) {
            const struct deformable_membership *part =
                &b.ref.memberships[b.ref.membership_offsets[i] + p];
            const struct deformable_cluster *c = &b.ref.clusters[part->cluster];
            assert_int_equal(b.ref.members[part->member].vertex, i);
            assert_true(part->member - c->first < c->count);
        }
    }
    assert_true(most > 4);
    close_blocks(&b);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void check_fits(const blocks *b, const ref_cluster_transform *want)
{
    struct deformable_transform *got = read_all(
        &b->y, bound_buffer(&b->y, "shape_match_apply", DEFORMABLE_BIND_cluster_transforms));
    for (uint32_t i = 0; i < b->cluster_count; i++) {
        const double *c = want[i].centre;
        assert_vec3_near("centre", i, got[i].centre,
                         vec3_make((float)c[0], (float)c[1], (float)c[2]), 2e-7f);
        const vec4 columns[2] = {got[i].axis_x, got[i].axis_y};
        for (int k = 0; k < 2; k++)
            assert_vec3_near("column of the rotation", i, columns[k],
                             vec3_make((float)want[i].rotation[0][k], (float)want[i].rotation[1][k],
                                       (float)want[i].rotation[2][k]),
                             3e-6f);
    }
    base_free(got);
}

/* Runs two sweeps: after the first, the ball's clusters disagree with each other. */
static void match_and_conform(float angle, float way)
{
    blocks b = open_blocks(angle, way);
    read_blocks(&b);
    b.y.ref.pbf = &b.y.s.pbf;
    ref_cluster_transform *fits = base_alloc(b.cluster_count, sizeof *fits);
    vec3 *want = base_alloc(b.y.vertices, sizeof *want);
    assert_true(fits && want);
    for (int sweep = 0; sweep < 2; sweep++) {
        for (uint32_t i = 0; i < b.cluster_count; i++)
            fits[i] = ref_shape_match_fit(&b.ref, i);
        run_pass(&b.y.s);
        check_fits(&b, fits);
        for (uint32_t i = 0; i < b.y.vertices; i++)
            want[i] = ref_shape_match_apply(&b.ref, fits, i);
        run_step_passes(b.y.world, b.y.s.pass + 1, b.y.s.pass + 2);
        vec4 *got = read_all(&b.y, bound_buffer(&b.y, "finalize_vertices",
                                                DEFORMABLE_BIND_deformable_displacements));
        for (uint32_t i = 0; i < b.y.vertices; i++)
            assert_vec3_near("displacement", i, got[i], want[i],
                             POSITION_TOLERANCE * b.y.s.params.spacing);
        memcpy(b.y.ref.displacements, got, b.y.vertices * sizeof *got);
        base_free(got);
    }
    base_free(fits);
    base_free(want);
    close_blocks(&b);
}

static void clusters_find_their_rotation_and_take_their_vertices_along(void **state)
{
    match_and_conform(0.0f, 0.0f);
    match_and_conform(0.3f, 0.005f);
    match_and_conform(2.5f, 0.02f);
    match_and_conform(3.14159265f, 0.03f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_overlap_and_share_the_mass_of_their_members),
        cmocka_unit_test(clusters_find_their_rotation_and_take_their_vertices_along),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
