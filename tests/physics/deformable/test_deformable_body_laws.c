/* Laws of cloths, ropes and soft bodies that touch rigid bodies or hang on them. */
#include "body_support.h"
#include "deformable_support.h"
#include "device_support.h"
#include "scene_text.h"

/* Momentum of all bodies, cloths and ropes, kg m/s. `size`: sum of m |v|. */
typedef struct moment {
    double linear[3], bodies[3], size;
} moment;

static moment sum_moment(sim_world *world)
{
    moment m = {0};
    uint32_t count = sim_deformable_vertex_count(world);
    vec3 *v = base_alloc(count, sizeof *v);
    assert_non_null(v);
    OK(sim_deformable_velocities(world, v));
    for (uint32_t i = 0; i < count; i++) {
        const float speeds[3] = {v[i].x, v[i].y, v[i].z};
        double mass = (double)deformable_set_mass(world->deformables, i);
        for (int k = 0; k < 3; k++)
            m.linear[k] += mass * (double)speeds[k];
        m.size += mass * (double)vec3_length(v[i]);
    }
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        weir_body body = read_body(world, i);
        double speed2 = 0.0;
        for (int k = 0; k < 3; k++) {
            double speed = (double)body.velocity[k];
            m.bodies[k] += body.mass_kg * speed;
            m.linear[k] += body.mass_kg * speed;
            speed2 += speed * speed;
        }
        m.size += body.mass_kg * sqrt(speed2);
    }
    base_free(v);
    return m;
}

/* A ball flies into a sheet, and another ball drags a rope behind it; no other force acts on
   them. */
static const char flight[] = SCENE(
    "'gravity': [0, 0, 0], 'solver': {'deformable_iterations': 3}, 'bodies': [{'name': 'ball', "
    "'density':"
    " 200, 'velocity': [0, -2, 0.3], 'shape': {'sphere': {'radius': 0.15}, 'position':"
    " [1.5, 1.75, 1.5]}}, {'name': 'weight', 'density': 200, 'velocity': [0, 2, 0], 'shape': {"
    "'sphere': {'radius': 0.1}, 'position': [0.5, 1, 0.5]}}],"
    " 'cloths': [{'name': 'sheet', 'area_density': 3, 'stiffness': 800, 'grid': {'corner':"
    " [1.1, 1.5, 1.1], 'along': [0.8, 0, 0], 'across': [0, 0.05, 0.8], 'spacing': 0.0501}}],"
    " 'ropes': [{'name': 'line', 'line_density': 1, 'diameter': 0.02, 'spacing': 0.05,"
    " 'points': [[0.5, 0.9, 0.5], [0.9, 0.5, 0.5]], 'pins': [{'vertices': [0], 'body':"
    " 'weight'}]}],");

/* A ball flies into a block of jelly. */
static const char jelly[] = SCENE(
    "'gravity': [0, 0, 0], 'bodies': [{'name': 'ball', 'density': 600, 'velocity': [0.2, -2, 0.3],"
    " 'shape': {'sphere': {'radius': 0.15}, 'position': [1.5, 1.72, 1.5]}}], 'soft_bodies': [{"
    "'name': 'block', 'density': 900, 'stiffness': 2e4, 'spacing': 0.08, 'shape': {'box': {'size':"
    " [0.4, 0.3, 0.4]}, 'position': [1.5, 1.4, 1.5]}}],");

static void assert_momentum_stays(const char *text)
{
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        scene_data *scene = make_scene(text, NULL);
        sim_world *world = make_sim(device, scene);
        moment start = sum_moment(world);
        run_frames(world, 5);
        moment end = sum_moment(world);
        double given = 0.0;
        for (int k = 0; k < 3; k++) {
            double changed = (end.linear[k] - start.linear[k]) / start.size / 20.0;
            print_message("  momentum %g a substep\n", changed);
            assert_between("momentum", changed, -1e-6, 1e-6);
            given += fabs(end.bodies[k] - start.bodies[k]) / start.size;
        }
        assert_between("share that the bodies have given", given, 0.05, 2.0);
        OK(sim_hash(world, &hashes[run]));
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void bodies_and_cloths_together_keep_their_momentum(void **state)
{
    assert_momentum_stays(flight);
}

static void bodies_and_soft_bodies_together_keep_their_momentum(void **state)
{
    assert_momentum_stays(jelly);
}

/* Returns the sum of m |v| of one cloth, rope or soft body, kg m/s. */
static double sum_size(sim_world *world, const deformable_info *figures)
{
    double sum[3] = {0};
    vec3 *v = base_alloc(sim_deformable_vertex_count(world), sizeof *v);
    assert_non_null(v);
    OK(sim_deformable_velocities(world, v));
    for (uint32_t i = 0; i < figures->vertex_count; i++) {
        const uint32_t at = figures->first_vertex + i;
        const double mass = (double)deformable_set_mass(world->deformables, at);
        sum[0] += mass * (double)v[at].x;
        sum[1] += mass * (double)v[at].y;
        sum[2] += mass * (double)v[at].z;
    }
    base_free(v);
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void fluid_bodies_soft_bodies_cloth_and_rope_together_keep_their_momentum(void **state)
{
    scene_data *scene = make_scene(scene_text("deformable_body_laws_all_kinds"), NULL);
    sim_world *world = make_sim(device, scene);
    weir_stats before, after;
    moment start = sum_moment(world);
    OK(sim_stats(world, &before));
    const double size = start.size + hypot(before.momentum_kg_m_s[1], before.momentum_kg_m_s[2]);
    for (int turn = 0; turn < 3; turn++) {
        run_frames(world, 4);
        moment end = sum_moment(world);
        OK(sim_stats(world, &after));
        for (int k = 0; k < 3; k++) {
            double changed = end.linear[k] - start.linear[k] + after.momentum_kg_m_s[k] -
                             before.momentum_kg_m_s[k];
            assert_between("momentum", changed / size / 16.0, -1e-6, 1e-6);
        }
        double fluid = hypot(after.momentum_kg_m_s[0] - before.momentum_kg_m_s[0],
                             after.momentum_kg_m_s[1] - before.momentum_kg_m_s[1]),
               bodies = hypot(end.bodies[0] - start.bodies[0], end.bodies[1] - start.bodies[1]);
        print_message("  fluid has given %.3f, bodies %.3f\n", fluid / size, bodies / size);
        if (turn == 0) assert_true(fluid > 0.05 * size && bodies > 0.05 * size);
        start = end, before = after;
    }
    for (uint32_t i = 0; i < 3; i++) /* all three were at rest */
        assert_between("momentum of a cloth, a rope and a soft body, over all",
                       sum_size(world, &deformable_set_info(world->deformables)[i]) / size, 0.005,
                       1.0);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void a_body_hangs_on_a_rope(void **state)
{
    static const char text[] =
        SCENE("'solver': {'deformable_iterations': 8}, 'bodies': [{'name': 'weight', 'mass': 2, "
              "'shape': {"
              "'sphere': {'radius': 0.1}, 'position': [1.5, 1.4, 1.5]}}],"
              " 'ropes': [{'name': 'line', 'line_density': 0.5, 'damping': 4, 'diameter': 0.02,"
              " 'spacing': 0.1001, 'points': [[1.5, 2.5, 1.5], [1.5, 1.5, 1.5]],"
              " 'pins': [{'vertices': [0]}, {'vertices': [-1], 'body': 'weight'}]}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 90);
    weir_body weight = read_body(world, 0);
    print_message("  hangs at %g\n", (double)weight.position[1]);
    assert_between("its height, m", (double)weight.position[1], 1.38, 1.4001);
    assert_between("beside the rope, m", (double)weight.position[0], 1.4999, 1.5001);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A ball falls on a sheet that is held at its edge, and stays on it. */
static void a_sheet_bears_a_body(void **state)
{
    static const char text[] =
        SCENE("'solver': {'deformable_iterations': 6}, 'bodies': [{'name': 'ball', 'mass': 1, "
              "'shape': {'sphere': {"
              "'radius': 0.15}, 'position': [1.5, 1.25, 1.5]}}],"
              "'cloths': [{'name': 'sheet', 'area_density': 2, 'thickness': 0.04, 'damping': 4,"
              " 'grid': {'corner': [1.1, 1, 1.1], 'along': [0.8, 0, 0], 'across': [0, 0, 0.8],"
              " 'spacing': 0.0501}, 'pins': ["
              "{'inside': {'min': [1, 0, 1], 'max': [1.11, 2, 2]}},"
              "{'inside': {'min': [1.89, 0, 1], 'max': [2, 2, 2]}},"
              "{'inside': {'min': [1, 0, 1], 'max': [2, 2, 1.11]}},"
              "{'inside': {'min': [1, 0, 1.89], 'max': [2, 2, 2]}}]}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 60);
    weir_body ball = read_body(world, 0);
    vec3 x[17 * 17 + 8];
    uint32_t count = sim_deformable_vertex_count(world);
    assert_true(count <= BASE_COUNT(x));
    OK(sim_deformable_positions(world, NULL, NULL, x));
    vec3 centre = vec3_make(ball.position[0], ball.position[1], ball.position[2]);
    float nearest = 1e30f;
    for (uint32_t i = 0; i < count; i++)
        nearest = fminf(nearest, vec3_length(vec3_sub(x[i], centre)) - 0.15f);
    print_message("  ball at %g, sheet %g from it\n", (double)centre.y, (double)nearest);
    assert_between("height of the ball, m", (double)centre.y, 1.08, 1.175);
    assert_between("clearance, m", (double)nearest, 0.018, 0.025);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_and_cloths_together_keep_their_momentum),
        cmocka_unit_test(bodies_and_soft_bodies_together_keep_their_momentum),
        cmocka_unit_test(fluid_bodies_soft_bodies_cloth_and_rope_together_keep_their_momentum),
        cmocka_unit_test(a_body_hangs_on_a_rope),
        cmocka_unit_test(a_sheet_bears_a_body),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
