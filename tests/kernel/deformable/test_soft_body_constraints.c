/* Tests the constraints of soft bodies: those of a strained block have the energy of its moduli,
 * and the shader that solves them matches its reference in tests/ref. */
#include "deformable_pass_fixture.h"
#include "device_support.h"
#include "scene_text.h"

/* Adds noise until some tetrahedra are inverted. */
static void shake(const deformable_fixture *y)
{
    struct deformable_state *states = base_alloc(y->vertices, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(y->world->deformables),
           y->vertices * sizeof *states);
    for (uint32_t i = 0; i < y->vertices; i++) {
        vec4 *x = &states[i].position;
        if (x->w == 0.0f) continue;
        x->x += random_between(8ull * i, -0.02f, 0.02f);
        x->y += random_between(8ull * i + 1, -0.02f, 0.02f);
        x->z += random_between(8ull * i + 2, -0.02f, 0.02f);
        states[i].velocity.x = random_between(8ull * i + 3, -3, 3);
    }
    upload(y->world, deformable_set_buffers(y->world->deformables)->deformable_states, states,
           y->vertices * sizeof *states);
    base_free(states);
}

static deformable_fixture knead(void)
{
    deformable_fixture y = {.scene = make_scene(scene_text("soft_body_constraints"), NULL)};
    y.world = make_sim_sized(device, y.scene, SIMS_ROOM);
    y.vertices = deformable_set_vertex_count(y.world->deformables);
    shake(&y);
    enter(&y.s, y.world, 1, "solve_gauss_seidel");
    read_deformable_fixture(&y);
    read_displacements(&y);
    return y;
}

static void bonds_pull_colour_by_colour(void **state)
{
    deformable_fixture y = knead();
    y.ref.pbf = &y.s.pbf;
    uint32_t last = y.s.pass, volumes = 0, colours;
    while (strcmp(gpu_pipeline_name(y.world->passes[last].pipeline), "solve_gauss_seidel") == 0)
        last++;
    colours = last - y.s.pass;
    for (uint32_t i = 0; i < y.bond_count; i++)
        volumes += y.constraints[i].kind == DEFORMABLE_VOLUME;
    print_message("  %u bonds, %u of them volumes, in %u colours\n", y.bond_count, volumes,
                  colours);
    assert_true(volumes > 150);
    for (int sweep = 0; sweep < 2; sweep++) { /* the second sweep has multipliers */
        for (uint32_t i = 0; i < y.bond_count; i++)
            ref_deformable_gauss_seidel(&y.ref, i);
        run_step_passes(y.world, y.s.pass, last);
    }
    vec4 *got = read_all(
        &y, bound_buffer(&y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    for (uint32_t i = 0; i < y.vertices; i++)
        assert_vec3_near("displacement", i, got[i], xyz(y.ref.displacements[i]),
                         10.0f * POSITION_TOLERANCE * y.s.params.spacing);
    base_free(got);
    got = read_all(&y,
                   bound_buffer(&y, "solve_gauss_seidel", DEFORMABLE_BIND_constraint_multipliers));
    float most = 0.0f;
    for (uint32_t i = 0; i < y.bond_count; i++)
        if (y.constraints[i].kind == DEFORMABLE_VOLUME)
            most = fmaxf(most, fabsf(y.ref.multipliers[i].x));
    for (uint32_t i = 0; i < y.bond_count; i++)
        if (y.constraints[i].kind == DEFORMABLE_VOLUME)
            assert_near("multiplier", (double)got[i].x, (double)y.ref.multipliers[i].x,
                        1e-3 * (double)most);
    base_free(got);
    close_deformable_fixture(&y);
}

/* ---- moduli --------------------------------------------------------------------------------- */

/* Returns the energy of the block when each vertex moves by its position times `strain`, J: the sum
 * of C^2 / (2 a). */
static double strain_energy(const deformable_fixture *y, double strain[3][3])
{
    const struct deformable_state *starts = deformable_set_initial_states(y->world->deformables);
    double sum = 0.0;
    for (uint32_t i = 0; i < y->bond_count; i++) {
        const struct deformable_constraint *b = &y->constraints[i];
        const uint32_t *v = &b->vertices.x;
        if (y->owners[v[0]] != 1) continue;
        double off[3][3], value, start;
        uint32_t corners = b->kind == DEFORMABLE_VOLUME ? 3 : 1;
        for (uint32_t k = 0; k < corners; k++) {
            const vec4 *p = &starts[v[k + 1]].position, *o = &starts[v[0]].position;
            double at[3] = {(double)(p->x - o->x), (double)(p->y - o->y), (double)(p->z - o->z)};
            for (int r = 0; r < 3; r++)
                off[k][r] =
                    at[r] + strain[r][0] * at[0] + strain[r][1] * at[1] + strain[r][2] * at[2];
        }
        if (b->kind == DEFORMABLE_VOLUME) {
            value = (off[0][0] * (off[1][1] * off[2][2] - off[1][2] * off[2][1]) -
                     off[0][1] * (off[1][0] * off[2][2] - off[1][2] * off[2][0]) +
                     off[0][2] * (off[1][0] * off[2][1] - off[1][1] * off[2][0])) /
                    6.0;
        } else {
            value = sqrt(off[0][0] * off[0][0] + off[0][1] * off[0][1] + off[0][2] * off[0][2]);
        }
        start = value - (double)b->rest;
        sum += start * start / (2.0 * (double)b->compliance);
    }
    return sum;
}

/* Returns the energy by Hooke's law for a symmetric strain, over the volume of the shape. */
static double law_of(double strain[3][3])
{
    const double e = 1e5, nu = 0.35, volume = 0.24 * 0.30 * 0.2;
    double mu = e / (2.0 * (1.0 + nu)), lame = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    double trace = strain[0][0] + strain[1][1] + strain[2][2], square = 0.0;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            square += strain[r][k] * strain[r][k];
    return volume * (0.5 * lame * trace * trace + mu * square);
}

static void a_strained_block_has_the_energy_of_its_moduli(void **state)
{
    deformable_fixture y = knead();
    double strains[4][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                               {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}},
                               {{0, 1e-3, 0}, {1e-3, 0, 0}, {0, 0, 0}},
                               {{1e-3, 2e-4, 0}, {2e-4, -5e-4, 4e-4}, {0, 4e-4, -6e-4}}};
    for (int i = 0; i < 4; i++) {
        double share = strain_energy(&y, strains[i]) / law_of(strains[i]);
        print_message("  energy over the law: %.5f\n", share);
        assert_near("energy over the law", share, 1.0, 0.01);
    }
    close_deformable_fixture(&y);
}

static void bodies_weigh_what_their_shapes_do(void **state)
{
    deformable_fixture y = knead();
    const deformable_info *f = deformable_set_info(y.world->deformables);
    const double laws[2] = {900.0 * 4.0 / 3.0 * 3.14159265 * 0.008, 700.0 * 0.24 * 0.30 * 0.2};
    for (uint32_t i = 0; i < 2; i++) {
        double sum = 0.0;
        for (uint32_t v = f[i].first_vertex; v < f[i].first_vertex + f[i].vertex_count; v++)
            sum += (double)deformable_set_mass(y.world->deformables, v);
        assert_near("mass over the law", sum / laws[i], 1.0, 0.01);
        assert_true(f[i].surface_count > 0 && f[i].surface_count < f[i].vertex_count);
    }
    close_deformable_fixture(&y);
}

/* The outermost vertices of the ball lie at its inset, and triangles face outwards. */
static void the_surface_of_a_ball_is_round(void **state)
{
    deformable_fixture y = knead();
    const deformable_info *f = deformable_set_info(y.world->deformables);
    const struct deformable_state *starts = deformable_set_initial_states(y.world->deformables);
    vec3 centre = vec3_make(0.6f, 0.6f, 0.6f);
    float inset = SCENE_BODY_INSET * 0.08f;
    for (uint32_t i = 0; i < f[0].surface_count; i++) {
        float far = vec3_length(vec3_sub(xyz(starts[i].position), centre));
        assert_near("radius", (double)far, (double)(0.2f - inset), 2e-3);
    }
    weir_deformable deformable;
    uint32_t one = 1;
    OK(sim_deformables(y.world, &deformable, &one));
    assert_true(deformable.is_soft_body && deformable.surface_vertex_count == f[0].surface_count);
    for (uint32_t t = 0; t < deformable.triangle_count; t++) {
        vec3 p[3];
        for (uint32_t k = 0; k < 3; k++) {
            assert_true(deformable.triangles[3 * t + k] < deformable.surface_vertex_count);
            p[k] = vec3_sub(xyz(starts[deformable.triangles[3 * t + k]].position), centre);
        }
        vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        assert_true(vec3_dot(n, p[0]) > 0.0f);
    }
    close_deformable_fixture(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_pull_colour_by_colour),
        cmocka_unit_test(a_strained_block_has_the_energy_of_its_moduli),
        cmocka_unit_test(bodies_weigh_what_their_shapes_do),
        cmocka_unit_test(the_surface_of_a_ball_is_round),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
