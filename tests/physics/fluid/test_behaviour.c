/* Checks what a fluid must do: rotate in the right sense, separate by density, fill up to the
   walls, keep its particles, and stay within the limit on motion per substep. */
#include "device_support.h"
#include "ref_substep.h"
#include "scene_text.h"
#include "sim_support.h"

/* ---- vorticity ------------------------------------------------------------------------------ */

static void set_velocities(sim_world *world, vec3 (*velocity)(vec3 p))
{
    uint32_t n = world->last_result.status.count;
    vec4 *x = download_metres(world, world->buffers.positions, n);
    for (uint32_t i = 0; i < n; i++) {
        vec3 v = velocity((vec3){x[i].x, x[i].y, x[i].z});
        x[i] = (vec4){v.x, v.y, v.z, 0};
    }
    upload(world, world->buffers.velocities, x, n * sizeof *x);
    base_free(x);
}

static vec3 rigid_turn(vec3 p)
{
    return vec3_cross(vec3_make(0.2f, -0.4f, 0.6f), p);
}

/* The sum over lattice neighbours of V |W'| r / 3: 1 for an integral. */
static double curl_factor(double support)
{
    double s0, stiffness, sum = 0.0;
    int reach = (int)support + 1;
    ref_lattice(support, &s0, &stiffness);
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                double r = sqrt(x * x + y * y + z * z);
                sum -= ref_spiky_slope(r, support) * r / (3.0 * s0);
            }
    return sum;
}

/* The curl is twice the angular velocity and has its sign. */
static void the_curl_of_a_rigid_turn_is_twice_its_rate(void **state)
{
    static const char *const pair[] = {"solver.kernel=poly6", "solver.support_radius=2", NULL};
    scene_data *scene = make_scene(scene_text("behaviour_block"), pair);
    sim_world *world = make_sim(device, scene);
    double f = 2.0 * curl_factor(2.0);
    uint32_t inside = 0;
    set_velocities(world, rigid_turn);
    run_up_to(world, 1.0 / 60, "finalize_velocity");
    vec4 *a = download_metres(world, world->buffers.iterated_positions, 1000);
    vec4 *curl = download(world, world->buffers.vorticities, 1000, sizeof *curl);
    for (uint32_t i = 0; i < 1000; i++) {
        if (fmaxf(fabsf(a[i].x), fmaxf(fabsf(a[i].y), fabsf(a[i].z))) > 0.14f) continue;
        inside++;
        assert_true(fabs((double)curl[i].x - f * 0.2) < 0.01);
        assert_true(fabs((double)curl[i].y + f * 0.4) < 0.01);
        assert_true(fabs((double)curl[i].z - f * 0.6) < 0.01);
    }
    print_message("  curl over rate: %.4f; %u particles inside\n", f, inside);
    assert_int_equal(inside, 216);
    assert_true(f > 1.6 && f < 2.4);
    base_free(a);
    base_free(curl);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static vec3 gaussian_vortex(vec3 p)
{
    float rate = 4.0f * expf(-(p.x * p.x + p.y * p.y) / (2 * 0.1f * 0.1f));
    return vec3_make(-rate * p.y, rate * p.x, 0);
}

/* Power of confinement: v times the change of v by the last pass, where only confinement changes
   v. */
static void confinement_feeds_a_vortex(void **state)
{
    scene_data *scene = make_scene(scene_text("behaviour_block"), NULL);
    sim_world *world = make_sim(device, scene);
    double power = 0.0, energy = 0.0, changed = 0.0;
    set_velocities(world, gaussian_vortex);
    uint32_t pass = run_up_to(world, 1.0 / 60, "vorticity_xsph");
    vec4 *before =
        download(world, pass_buffer(&world->passes[pass], SIM_BIND_new_velocities), 1000, 16);
    run_step_passes(world, pass, pass + 2);
    vec4 *after = download(world, world->buffers.velocities, 1000, sizeof *after);
    for (uint32_t i = 0; i < 1000; i++) {
        vec3 v = {before[i].x, before[i].y, before[i].z};
        vec3 d = {after[i].x - v.x, after[i].y - v.y, after[i].z - v.z};
        power += (double)vec3_dot(v, d);
        changed += (double)(vec3_length(v) * vec3_length(d));
        energy += (double)vec3_dot(v, v);
    }
    print_message("  power %.4g of %.4g, energy %.4g\n", power, changed, energy);
    assert_true(energy > 1.0 && power > 0.1 * changed && power > 0.0);
    base_free(before);
    base_free(after);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- density -------------------------------------------------------------------------------- */

static void the_denser_fluid_sinks_below_the_lighter(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.6, 0.2]},"
        " 'fluids': [{'name': 'water', 'density': 1000, 'xsph': 0, 'fill': {'shape': {'box': {"
        "'min': [0, 0.15, 0], 'max': [0.4, 0.3, 0.2]}}, 'jitter': 0.2}},"
        " {'name': 'oil', 'density': 400, 'xsph': 0, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.4, 0.15, 0.2]}}, 'jitter': 0.2}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    double height[2] = {0}, number[2] = {0};
    run_frames(world, 240);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    uint32_t *fluid = base_alloc(count, sizeof *fluid);
    OK(sim_read_field(world, WEIR_FIELD_FLUID, fluid, count * sizeof *fluid));
    for (uint32_t i = 0; i < count; i++) {
        height[fluid[i]] += (double)x[i].y;
        number[fluid[i]] += 1.0;
    }
    assert_true(number[0] > 90 && number[1] > 90);
    print_message("  water at %.3f m, oil at %.3f m\n", height[0] / number[0],
                  height[1] / number[1]);
    /* They started at 0.225 m and 0.075 m. */
    assert_true(height[0] / number[0] + 0.03 < height[1] / number[1]);
    base_free(x);
    base_free(fluid);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- walls ---------------------------------------------------------------------------------- */

/* A lattice that fills a closed box: layers at d / 2 from each wall. Mean density over rest density
 * of the layers on the floor, away from its edges. */
static double floor_density(const char *const *overrides)
{
    static const char text[] =
        "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 1000,"
        " 'domain': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]},"
        " 'solver': {'substeps': 1, 'iterations': 1, 'relaxation': 0.05, 'artificial_pressure': 0},"
        " 'fluids': [{'name': 'water', 'density': 500, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}}}}]}";
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    uint32_t count, found = 0;
    double sum = 0.0;
    /* Reads the density of the lattice itself, before a correction moves it. */
    run_up_to(world, 0.001, "position_correction");
    uint32_t pass = row_of(world->end_passes, world->end_pass_count, "compute_density");
    OK(gpu_run_passes(device, &world->end_passes[pass], 1));
    OK(sim_particle_count(world, &count));
    vec4 *a = download_metres(world, world->buffers.iterated_positions, count);
    float *density = download(world, world->buffers.densities, count, sizeof *density);
    for (uint32_t i = 0; i < count; i++) {
        float edge = fminf(fminf(a[i].x, 0.5f - a[i].x), fminf(a[i].z, 0.5f - a[i].z));
        if (a[i].y > 0.03f || edge < 0.2f) continue;
        sum += (double)density[i] / 500.0;
        found++;
    }
    assert_int_equal(found, 4);
    base_free(a);
    base_free(density);
    sim_destroy(&world);
    scene_destroy(&scene);
    return sum / found;
}

/* Returns the density of one particle at rest next to a ball, after a frame of four substeps. */
static float density_beside_ball(const char *motion)
{
    char text[700];
    snprintf(text, sizeof text,
             "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 50, 'solver': {'substeps': 4},"
             " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
             " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
             " 'max': [0.05, 0.05, 0.05]}}}}],"
             " 'solids': [{'name': 'ball', 'shape': {'sphere': {'radius': 0.2}%s}}]}",
             motion);
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    float density;
    uint32_t count;
    run_frames(world, 1);
    OK(sim_particle_count(world, &count));
    assert_int_equal(count, 1);
    OK(sim_read_field(world, WEIR_FIELD_DENSITY, &density, sizeof density));
    sim_destroy(&world);
    scene_destroy(&scene);
    return density;
}

static void densities_are_reported_beside_solids_where_the_frame_ends(void **state)
{
    float far = density_beside_ball(", 'position': [-0.5, 0.025, 0.025]");
    float near = density_beside_ball(", 'position': [-0.225, 0.025, 0.025]");
    float came = density_beside_ball(
        "}, 'motion': {'keyframes': [{'time': 0, 'position': [-0.5, 0.025, 0.025]},"
        " {'time': 0.02, 'position': [-0.225, 0.025, 0.025]}]");
    print_message("  %.3f kg/m3 away from the ball, %.3f beside it, %.3f when it has come\n",
                  (double)far, (double)near, (double)came);
    assert_true(near > 1.02f * far);
    assert_true(fabsf(came - near) <= 1e-4f * near);
}

/* The closed form at d / 2 for several h / d. Without walls a quarter of the density is missing. */
static void the_layer_at_a_wall_has_its_whole_density(void **state)
{
    static const struct {
        const char *kernel, *support;
        double with, without;
    } known[] = {
        {"solver.kernel=poly6", "solver.support_radius=1.7", 1.0458, 0.869},
        {"solver.kernel=poly6", "solver.support_radius=2", 1.0257, 0.809},
        {"solver.kernel=poly6", "solver.support_radius=2.5", 1.0123, 0.746},
        {"solver.kernel=poly6", "solver.support_radius=3", 1.0074, 0.705},
        {"solver.kernel=wendland", "solver.support_radius=2.1", 1.0, 0.859},
    };
    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        const char *const with[] = {known[i].kernel, known[i].support, NULL};
        const char *const without[] = {known[i].kernel, known[i].support,
                                       "solver.boundary_density=false", NULL};
        double layer = floor_density(with);
        assert_between(known[i].support, layer, known[i].with - 1e-3, known[i].with + 1e-3);
        assert_true(fabs(layer - 1.0) < 0.05);
        assert_between("without walls", floor_density(without), known[i].without - 1e-3,
                       known[i].without + 1e-3);
    }
}

/* After two seconds under gravity: mean density of the layer on the floor, and no particle below
   the gap. */
static void a_settled_pool_keeps_its_density_at_the_floor(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.5, 0.8, 0.5]},"
        " 'solver': {'substeps': 6},"
        " 'fluids': [{'name': 'water', 'xsph': 0.05, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.5, 0.3, 0.5]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    uint32_t count, found = 0;
    double sum = 0.0, lowest = 1.0;
    run_frames(world, 120);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float *density = read_densities(world, count);
    for (uint32_t i = 0; i < count; i++) {
        lowest = fmin(lowest, (double)x[i].y);
        if (x[i].y > 0.05f) continue;
        sum += (double)density[i] / 1000.0;
        found++;
    }
    assert_true(found > 60);
    assert_between("density of the layer", sum / found, 0.95, 1.05);
    assert_between("lowest, m", lowest, 0.025 - 1e-6, 0.05);
    base_free(x);
    base_free(density);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- particles ------------------------------------------------------------------------------ */

static void every_particle_is_accounted_for(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.6, 0.4],"
        " 'sides': {'x': ['closed', 'open']}},"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.4, 0.2, 0.4]}}}}],"
        " 'emitters': [{'name': 'jet', 'fluid': 'water', 'position': [0.2, 0.5, 0.2],"
        " 'direction': [1, 0, 0], 'up': [0, 1, 0], 'radius': 0.08, 'speed': 2},"
        " {'name': 'gun', 'fluid': 'water', 'position': [0.1, 0.4, 0.2],"
        " 'direction': [1, 1, 0], 'up': [0, 0, 1], 'width': 0.1, 'height': 0.1, 'speed': 3,"
        " 'start': 0.1, 'max_particles': 50}],"
        " 'sinks': [{'name': 'drain', 'shape': {'sphere': {'radius': 0.12},"
        " 'position': [0.5, 0, 0.2]}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    uint32_t count, start;
    weir_stats stats;
    OK(sim_particle_count(world, &start));
    for (int frame = 0; frame < 60; frame++) {
        run_frames(world, 1);
        OK(sim_particle_count(world, &count));
        OK(sim_stats(world, &stats));
        uint32_t emitted = world->last_result.status.total_emitted;
        assert_int_equal(start + emitted, count + stats.removed_by_sinks + stats.removed_outside +
                                              stats.removed_non_finite);
        assert_int_equal(world->next_id, start + emitted);
    }
    print_message("  %u at first, %u emitted, %u sunk, %u escaped, %u left\n", start,
                  world->last_result.status.total_emitted, stats.removed_by_sinks,
                  stats.removed_outside, count);
    /* 2 m/s for a second, 0.05 m apart: 40 or 41 layers of 9 sites, and 12 of 4 before 50. */
    assert_true(world->last_result.status.total_emitted == 41 * 9 + 48 ||
                world->last_result.status.total_emitted == 40 * 9 + 48);
    assert_true(stats.removed_by_sinks > 20 && stats.removed_outside > 20 &&
                stats.removed_non_finite == 0);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- substeps ------------------------------------------------------------------------------- */

static void adaptive_substeps_keep_motion_under_the_limit(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1.2, 1, 0.2]},"
        " 'solver': {'substeps': 24, 'adaptive': true, 'cfl': 0.4},"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.3, 0.6, 0.2]}}}}]}";
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    weir_stats before = {0}, after;
    uint32_t fewest = 24, most = 0;
    for (int frame = 0; frame < 60; frame++) {
        run_frames(world, 1);
        OK(sim_stats(world, &after));
        double fastest = before.speed_max_m_s + 9.81 / 60, n = after.substeps_in_frame;
        assert_int_equal(24 % after.substeps_in_frame, 0);
        assert_true(fastest / 60 / n <= 0.4 * 0.05 * (1 + 1e-5) || after.substeps_in_frame == 24);
        if (after.substeps_in_frame < fewest) fewest = after.substeps_in_frame;
        if (after.substeps_in_frame > most) most = after.substeps_in_frame;
        before = after;
    }
    print_message("  %u to %u substeps\n", fewest, most);
    assert_true(fewest <= 2 && most >= 3);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curl_of_a_rigid_turn_is_twice_its_rate),
        cmocka_unit_test(confinement_feeds_a_vortex),
        cmocka_unit_test(the_denser_fluid_sinks_below_the_lighter),
        cmocka_unit_test(the_layer_at_a_wall_has_its_whole_density),
        cmocka_unit_test(densities_are_reported_beside_solids_where_the_frame_ends),
        cmocka_unit_test(a_settled_pool_keeps_its_density_at_the_floor),
        cmocka_unit_test(every_particle_is_accounted_for),
        cmocka_unit_test(adaptive_substeps_keep_motion_under_the_limit),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
