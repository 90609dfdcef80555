/* Laws of cloths and ropes that tear. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "deformable_support.h"
#include "device_support.h"

#include <unistd.h>

/* A sheet that hangs by its upper edge and carries a weight at its lower edge. */
static const char loaded[] =
    SCENE("'solver': {'deformable_iterations': 6}, 'bodies': [{'name': 'weight', 'mass': 4, "
          "'shape': {'box': {"
          "'size': [0.6, 0.12, 0.12]}, 'position': [1.5, 1.34, 1.5]}}],"
          "'cloths': [{'name': 'sheet', 'area_density': 0.5, 'damping': 4, 'stiffness': 2000,"
          " 'bending_stiffness': 1e-3, 'tear_strain': 0.1, 'grid': {'corner': [1.2, 2, 1.5], "
          "'along': [0.6, 0, 0],"
          " 'across': [0, -0.6, 0], 'spacing': 0.0501}, 'pins': [{'inside': {"
          "'min': [1, 1.99, 1], 'max': [2, 2.1, 2]}}, {'inside': {'min': [1, 1.3, 1],"
          " 'max': [2, 1.41, 2]}, 'body': 'weight'}]}],");

static weir_deformable read_soft(sim_world *world)
{
    weir_deformable deformable;
    uint32_t one = 1;
    OK(sim_deformables(world, &deformable, &one));
    return deformable;
}

/* The load strains the hanging sheet by M g / (k width) = 0.03 on average, and by several times
   as much at its corners while it drops. */
static void a_cloth_tears_at_its_strain_and_not_below(void **state)
{
    const char *const strong[] = {"cloths.sheet.tear=0.4", NULL}, *const weak[] = {
                                                                      "cloths.sheet.tear=0.04",
                                                                      NULL};
    for (int run = 0; run < 2; run++) {
        scene_data *scene = make_scene(loaded, run ? weak : strong);
        sim_world *world = make_sim(device, scene);
        run_frames(world, run ? 34 : 40);
        weir_deformable deformable = read_soft(world);
        weir_body body;
        uint32_t one = 1;
        OK(sim_bodies(world, &body, &one));
        print_message("  %u edges torn, %u triangles left, weight at %g\n", deformable.torn_edges,
                      deformable.triangle_count, (double)body.position[1]);
        if (run) {
            assert_true(deformable.torn_edges > 10 && deformable.triangle_count < 288);
            assert_between("weight, m", (double)body.position[1], 0.0, 0.7);
        } else {
            assert_true(deformable.torn_edges == 0 && deformable.triangle_count == 288);
            assert_between("weight, m", (double)body.position[1], 1.2, 1.34);
        }
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static void what_has_torn_is_part_of_a_saved_state(void **state)
{
    char folder[] = "/tmp/weir-tear-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "state");
    assert_non_null(path);
    const char *const weak[] = {"cloths.sheet.tear=0.04", NULL};
    uint64_t hashes[2], torn[2];
    scene_data *scene = make_scene(loaded, weak);
    for (int run = 0; run < 2; run++) {
        sim_world *world = make_sim(device, scene);
        if (run) OK(sim_restore(world, path, NULL));
        if (!run) run_frames(world, 12);
        torn[run] = read_soft(world).torn_edges;
        if (!run) OK(sim_save(world, path, NULL));
        run_frames(world, 6);
        OK(sim_hash(world, &hashes[run]));
        sim_destroy(&world);
    }
    print_message("  %u torn when saved\n", (unsigned)torn[0]);
    assert_true(torn[0] > 0 && torn[0] == torn[1]);
    assert_true(hashes[0] == hashes[1]);
    base_file_remove(NULL, path);
    base_free(path);
    rmdir(folder);
    scene_destroy(&scene);
}

/* A sheet in free flight is pulled apart by its initial velocities. */
static void momentum_stays_while_a_cloth_tears(void **state)
{
    static const char text[] = SCENE(
        "'gravity': [0, 0, 0], 'cloths': [{'name': 'sheet', 'area_density': 0.2, "
        "'bending_stiffness':"
        " 0.01, 'stiffness': 50, 'tear_strain': 0.15, 'velocity': [0.5, 0, 0], 'grid': {'corner':"
        " [1, 1, 1], 'along': [0.8, 0, 0], 'across': [0, 0.3, 0.5], 'spacing': 0.0501}}],");
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    uint32_t count = sim_deformable_vertex_count(world);
    size_t size = (size_t)deformable_set_bytes(world->deformables);
    struct deformable_state *states = base_alloc(1, size);
    vec3 *v = base_alloc(count, sizeof *v);
    assert_true(states && v);
    memcpy(states, deformable_set_initial_states(world->deformables), size);
    for (uint32_t i = 0; i < count; i++)
        states[i].velocity.x += states[i].position.x > 1.4f ? 6.0f : -6.0f;
    upload(world, deformable_set_buffers(world->deformables)->deformable_states, states, size);
    double sums[2][3] = {{0}}, total = 0.0;
    for (int run = 0; run < 2; run++) {
        run_frames(world, run ? 5 : 1);
        OK(sim_deformable_velocities(world, v));
        for (uint32_t i = 0; i < count; i++) {
            double mass = (double)deformable_set_mass(world->deformables, i);
            sums[run][0] += mass * (double)v[i].x;
            sums[run][1] += mass * (double)v[i].y;
            sums[run][2] += mass * (double)v[i].z;
            if (!run) total += mass * (double)vec3_length(v[i]);
        }
    }
    for (int k = 0; k < 3; k++)
        assert_between("momentum", (sums[1][k] - sums[0][k]) / total / 20.0, -1e-6, 1e-6);
    assert_between("torn edges", read_soft(world).torn_edges, 10, 400);
    base_free(states);
    base_free(v);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* A tank's floor made of cloth lets water through once it has torn. */
static void water_runs_through_a_tear(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'solver': "
        "{'deformable_iterations': 4},"
        " 'cloths': [{'name': 'sheet', 'area_density': 20, 'tear_strain': %s, 'grid': {'corner':"
        " [0, 0.5, 0], 'along': [1, 0, 0], 'across': [0, 0, 1], 'spacing': 0.0626}, 'pins': ["
        "{'inside': {'min': [-1, 0, -1], 'max': [0.1, 1, 2]}},"
        "{'inside': {'min': [0.9, 0, -1], 'max': [2, 1, 2]}},"
        "{'inside': {'min': [-1, 0, -1], 'max': [2, 1, 0.1]}},"
        "{'inside': {'min': [-1, 0, 0.9], 'max': [2, 1, 2]}}]}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0.25, 0.55, 0.25], 'max': [0.75, 0.7, 0.75]}}}}]}";
    static const char *const strains[] = {"1", "0.02"};
    for (int run = 0; run < 2; run++) {
        char *json = base_format(text, strains[run]);
        assert_non_null(json);
        scene_data *scene = make_scene(json, NULL);
        sim_world *world = make_sim(device, scene);
        uint32_t count, below = 0;
        run_frames(world, run ? 40 : 50);
        OK(sim_particle_count(world, &count));
        vec3 *x = base_alloc(count, sizeof *x);
        assert_non_null(x);
        OK(sim_read_field(world, WEIR_FIELD_POSITION, x, count * sizeof *x));
        for (uint32_t i = 0; i < count; i++)
            below += x[i].y < 0.25f;
        weir_deformable deformable = read_soft(world);
        print_message("  %u of %u below, %u torn\n", below, count, deformable.torn_edges);
        assert_true(run ? below > count / 2 && deformable.torn_edges > 0
                        : below == 0 && deformable.torn_edges == 0);
        base_free(x);
        base_free(json);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* A ball of 2 kg strains a rope by M g / (E A) = 0.039, and by twice as much while it drops. */
static void a_rope_tears_at_its_strain_and_not_below(void **state)
{
    static const char text[] =
        SCENE("'solver': {'deformable_iterations': 8}, 'bodies': [{'name': 'ball', 'mass': 2, "
              "'shape': {'sphere': "
              "{'radius': 0.1}, 'position': [1.5, 1.2, 1.5]}}], 'ropes': [{'name': 'line',"
              " 'line_density': 0.5, 'stiffness': 500, 'bending_stiffness': 1e-3, 'diameter': "
              "0.02, 'tear_strain':"
              " %s, 'spacing': 0.0501, 'points': [[1.5, 2.3, 1.5], [1.5, 1.3, 1.5]],"
              " 'pins': [{'vertices': [0]}, {'vertices': [-1], 'body': 'ball'}]}],");
    static const char *const strains[] = {"0.3", "0.05"};
    for (int run = 0; run < 2; run++) {
        char *json = base_format(text, strains[run]);
        assert_non_null(json);
        scene_data *scene = make_scene(json, NULL);
        sim_world *world = make_sim(device, scene);
        weir_body body;
        weir_stats stats;
        uint32_t one = 1;
        run_frames(world, run ? 40 : 60);
        weir_deformable deformable = read_soft(world);
        OK(sim_bodies(world, &body, &one));
        OK(sim_stats(world, &stats));
        print_message("  %u torn, %u segments left, ball at %g\n", deformable.torn_edges,
                      deformable.segment_count, (double)body.position[1]);
        assert_true(deformable.is_rope && deformable.triangle_count == 0 &&
                    stats.torn_edges == deformable.torn_edges);
        assert_int_equal(deformable.segment_count + deformable.torn_edges,
                         deformable.vertex_count - 1);
        for (uint32_t k = 0; k < deformable.segment_count; k++)
            assert_int_equal(deformable.segments[2 * k] + 1, deformable.segments[2 * k + 1]);
        assert_true(run ? deformable.torn_edges > 0 : deformable.torn_edges == 0);
        assert_between("ball, m", (double)body.position[1], run ? 0.0 : 1.0, run ? 0.5 : 1.2);
        sim_destroy(&world);
        scene_destroy(&scene);
        base_free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rope_tears_at_its_strain_and_not_below),
        cmocka_unit_test(a_cloth_tears_at_its_strain_and_not_below),
        cmocka_unit_test(what_has_torn_is_part_of_a_saved_state),
        cmocka_unit_test(momentum_stays_while_a_cloth_tears),
        cmocka_unit_test(water_runs_through_a_tear),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
