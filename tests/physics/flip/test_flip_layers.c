/* Fluids of different densities in FLIP and APIC: layers at rest, oil that rises through water, a
 * drop's terminal speed, and a raft between two fluids. */
#include "body_support.h"
#include "device_support.h"
#include "flip_support.h"

#define G 9.81

static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};

/* ---- layers at rest ------------------------------------------------------------------------- */

/* The first fluid, to which all densities refer, is the upper one; each is 0.5 m deep. */
static const char layers[] =
    "{'spacing': 0.03125, 'domain': {'min': [0, 0, 0], 'max': [1, 1.25, 0.1]}, 'frame_rate': 20,"
    " 'solver': {'dimensions': 2, 'method': 'flip', 'substeps': 8, 'adaptive': true}, 'fluids':"
    " [{'name': 'high', 'fill': {'jitter': 0.5, 'shape': {'box': {'min': [0, 0.5, 0], 'max': [1, 1,"
    " 1]}}}}, {'name': 'low', 'fill': {'jitter': 0.5, 'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [1, 0.5, 1]}}}}], 'gauges': ["
    " {'name': 'high', 'pressure': {'position': [0.5, 0.75, 0.05]}},"
    " {'name': 'low', 'pressure': {'position': [0.5, 0.25, 0.05]}},"
    " {'name': 'floor', 'pressure': {'position': [0.5, 0, 0.05]}}]}";

enum { HIGH, LOW, FLOOR, GAUGES };

/* Returns the rms speed after two seconds. */
static double rest_in_layers(const char *method, double low, double high)
{
    char *densities[2] = {base_format("fluids.low.density=%g", low),
                          base_format("fluids.high.density=%g", high)};
    const char *const overrides[] = {method, densities[0], densities[1], NULL};
    scene_data *scene = make_scene(layers, overrides);
    sim_world *world = make_sim(device, scene);
    weir_gauge got[GAUGES];
    uint32_t count = GAUGES;
    weir_stats stats;
    run_frames(world, 40);
    OK(sim_gauges(world, WEIR_ENTIRE_FRAME, got, &count));
    const double wanted[GAUGES] = {0.25 * high * G, (0.5 * high + 0.25 * low) * G,
                                   (0.5 * high + 0.5 * low) * G};
    for (int k = 0; k < GAUGES; k++)
        assert_between(got[k].name, got[k].value[0] / wanted[k], 0.99, 1.01);
    OK(sim_stats(world, &stats));
    double mass = 0.5 * (low + high) * 0.1;
    double speed = sqrt(2.0 * stats.kinetic_energy_j / mass);
    print_message("  %s, %g over %g: rms speed %.2g m/s, floor %.1f Pa of %.1f\n", method, high,
                  low, speed, got[FLOOR].value[0], wanted[FLOOR]);
    assert_int_equal(stats.unconverged_substeps, 0);
    for (int k = 0; k < 2; k++)
        base_free(densities[k]);
    sim_destroy(&world);
    scene_destroy(&scene);
    return speed;
}

static void layers_rest_with_the_pressure_of_their_weights(void **state)
{
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        assert_between("rms speed, m/s", rest_in_layers(methods[i], 1000, 800), 0.0, 0.015);
        assert_between("rms speed, m/s", rest_in_layers(methods[i], 1000, 333), 0.0, 0.015);
        assert_between("rms speed, m/s", rest_in_layers(methods[i], 1000, 10), 0.0, 0.015);
        assert_between("rms speed, m/s", rest_in_layers(methods[i], 3, 1), 0.0, 0.015);
    }
}

/* ---- oil under water ------------------------------------------------------------------------ */

static const char overturned[] =
    "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.36, 0.4, 0.36]}, 'frame_rate': 10,"
    " 'solver': {'method': 'flip', 'substeps': 8, 'adaptive': true}, 'fluids': [{'name': 'water',"
    " 'fill': {'jitter': 0.1, 'shape': {'box': {'min': [0, 0.12, 0], 'max': [0.36, 0.24, 0.36]}}}},"
    " {'name': 'oil', 'density': 800, 'fill': {'jitter': 0.1, 'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.36, 0.12, 0.36]}}}}]}";

static void oil_rises_from_under_water_and_leaves_the_floor(void **state)
{
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        scene_data *scene = make_scene(overturned, overrides);
        sim_world *world = make_sim(device, scene);
        uint32_t count, oil = 0, floor_count = 0, floor_oil = 0;
        double height = 0.0;
        run_frames(world, 50);
        vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
        uint32_t *fluids = base_alloc(count, sizeof *fluids);
        OK(sim_read_field(world, WEIR_FIELD_FLUID, fluids, count * sizeof *fluids));
        for (uint32_t k = 0; k < count; k++) {
            bool low = x[k].y < 0.02f;
            oil += fluids[k] == 1;
            height += fluids[k] == 1 ? (double)x[k].y : 0.0;
            floor_count += low;
            floor_oil += low && fluids[k] == 1;
        }
        print_message("  %s: oil's mean height %.4f m of 0.18, %u of %u floor particles\n",
                      methods[i], height / oil, floor_oil, floor_count);
        assert_between("oil's mean height, m", height / oil, 0.95 * 0.18, 1.05 * 0.18);
        assert_true(50 * floor_oil <= floor_count);
        base_free(x);
        base_free(fluids);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- a drop --------------------------------------------------------------------------------- */

static const char tank[] =
    "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.48, 0.56, 0.48]}, 'frame_rate': 100,"
    " 'solver': {'method': 'apic', 'substeps': 1}, 'fluids': [{'name': 'water', 'fill': {'jitter':"
    " 0, 'shape': {'box': {'min': [0, 0, 0], 'max': [0.48, 0.48, 0.48]}}}}, {'name': 'oil',"
    " 'density': 800, 'fill': {'jitter': 0, 'shape': {'box': {'min': [0, 0.48, 0], 'max': [0.48,"
    " 0.5, 0.48]}}}}]}";

/* Returns the speed at which a ball of the particle's volume rises, m/s: its drag coefficient is
 * 24 / Re + 0.44. */
static double terminal_speed(double spacing, double viscosity)
{
    double width = cbrt(6.0 / 3.14159265) * spacing, low = 0.0, high = 10.0;
    for (int k = 0; k < 60; k++) {
        double speed = 0.5 * (low + high), area = 3.14159265 * width * width / 4.0;
        double drag = (24.0 * viscosity / (1000.0 * speed * width) + 0.44) * 500.0 * speed * speed;
        if (drag * area < 200.0 * G * spacing * spacing * spacing)
            low = speed;
        else
            high = speed;
    }
    return low;
}

/* Returns the speed of the only particle of oil, relative to the water within two cells; the
 * positions are 0.16 s apart. */
static double speed_through_neighbours(const vec3 *before, const vec3 *after,
                                       const uint32_t *fluids, uint32_t count)
{
    uint32_t drop = 0, others = 0;
    double around = 0.0;
    while (drop < count && fluids[drop] != 1)
        drop++;
    assert_true(drop < count);
    for (uint32_t i = 0; i < count; i++) {
        vec3 way = vec3_sub(before[i], before[drop]);
        if (i == drop || vec3_dot(way, way) > 0.08f * 0.08f) continue;
        around += (double)(after[i].y - before[i].y);
        others++;
    }
    return ((double)(after[drop].y - before[drop].y) - around / others) / 0.16;
}

/* Makes one particle in the middle of the tank oil, and the layer of oil water. Returns the speed
 * at which the particle rises in water of a viscosity. */
static double drop_speed(double viscosity)
{
    char *overrides[3] = {base_format("fluids.water.dynamic_viscosity=%g", viscosity),
                          base_format("fluids.oil.dynamic_viscosity=%g", viscosity)};
    scene_data *scene = make_scene(tank, (const char *const *)overrides);
    sim_world *world = make_sim(device, scene);
    uint32_t count = world->last_result.status.count, drop = UINT32_MAX;
    ivec4 *at = download(world, world->buffers.positions, count, sizeof *at);
    for (uint32_t i = 0; i < count; i++) {
        vec4 x = ref_metres(&world->params, at[i]);
        at[i].w = 0;
        bool middle = fabsf(x.x - 0.25f) < 0.008f && fabsf(x.z - 0.25f) < 0.008f;
        if (middle && fabsf(x.y - 0.19f) < 0.008f) drop = i;
    }
    assert_true(drop < count);
    at[drop].w = 1;
    upload(world, world->buffers.positions, at, count * sizeof *at);
    base_free(at);
    run_frames(world, 4);
    vec3 *before = read_vectors(world, WEIR_FIELD_POSITION, &count);
    run_frames(world, 16);
    vec3 *after = read_vectors(world, WEIR_FIELD_POSITION, &count);
    uint32_t *fluids = base_alloc(count, sizeof *fluids);
    OK(sim_read_field(world, WEIR_FIELD_FLUID, fluids, count * sizeof *fluids));
    double speed = speed_through_neighbours(before, after, fluids, count);
    void *arrays[] = {before, after, fluids, overrides[0], overrides[1]};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    sim_destroy(&world);
    scene_destroy(&scene);
    return speed;
}

/* The drop counts in the density of the cells around it, which costs it 6 to 25 % of the speed. */
static void a_single_particle_rises_like_a_drop_of_its_volume(void **state)
{
    (void)state;
    static const double viscosities[] = {0.0, 2.0, 20.0};
    for (size_t i = 0; i < BASE_COUNT(viscosities); i++) {
        double wanted = terminal_speed(0.02, viscosities[i]), speed = drop_speed(viscosities[i]);
        print_message("  %g Pa s: %.4f m/s, terminal speed %.4f\n", viscosities[i], speed, wanted);
        assert_between("speed over the terminal speed", speed / wanted, 0.75, 1.05);
    }
}

/* ---- a raft between two fluids -------------------------------------------------------------- */

static const char raft[] =
    "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.56, 0.4]}, 'frame_rate': 20,"
    " 'solver': {'method': 'flip', 'substeps': 8, 'adaptive': true}, 'fluids': [{'name': 'water',"
    " 'fill': {'jitter': 0.5, 'shape': {'box': {'min': [0, 0, 0], 'max': [0.4, 0.2, 0.4]}}}},"
    " {'name': 'oil', 'density': 600, 'fill': {'jitter': 0.5, 'shape': {'box': {'min': [0, 0.2, 0],"
    " 'max': [0.4, 0.4, 0.4]}}}}], 'bodies': [{'name': 'raft', 'density': 800, 'shape': {'box':"
    " {'size': [0.24, 0.08, 0.24]}, 'position': [0.2, 0.2, 0.2]}}]}";

/* Half as heavy as between the two, it floats with half of its height in either. */
static void a_raft_floats_between_two_fluids(void **state)
{
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], NULL};
        scene_data *scene = make_scene(raft, overrides);
        sim_world *world = make_sim(device, scene);
        double sum = 0.0;
        for (int frame = 0; frame < 60; frame++) {
            run_frames(world, 1);
            if (frame >= 20) sum += (double)read_body(world, 0).position[1] / 40.0;
        }
        print_message("  %s: centre at %.4f m of 0.2\n", methods[i], sum);
        assert_between("height of the raft, m", sum, 0.19, 0.21);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* ---- one density ---------------------------------------------------------------------------- */

static const char half[] =
    "{'spacing': 0.04, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.4]}, 'frame_rate': 30,"
    " 'solver': {'method': 'flip', 'substeps': 2}, 'fluids': [%s]}";

/* Returns the hash of the positions after half a second. */
static uint64_t hash_of_half(const char *fluids, const char *method)
{
    char *text = base_format(half, fluids);
    const char *const overrides[] = {method, NULL};
    scene_data *scene = make_scene(text, overrides);
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    run_frames(world, 15);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    uint64_t hash = base_hash64(x, count * sizeof *x, 0);
    base_free(x);
    base_free(text);
    sim_destroy(&world);
    scene_destroy(&scene);
    return hash;
}

/* With equal densities the variable density drops out, to the last bit. */
static void fluids_of_one_density_move_like_one_fluid(void **state)
{
    (void)state;
    static const char one[] =
        "{'name': 'a', 'fill': [{'shape': {'box': {'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}},"
        " {'shape': {'box': {'min': [0.4, 0, 0], 'max': [0.8, 0.24, 0.4]}}}]}";
    static const char two[] =
        "{'name': 'a', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}}},"
        " {'name': 'b', 'fill': {'shape': {'box': {'min': [0.4, 0, 0], 'max': [0.8, 0.24, 0.4]}}}}";
    for (size_t i = 0; i < BASE_COUNT(methods); i++)
        assert_true(hash_of_half(one, methods[i]) == hash_of_half(two, methods[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_rest_with_the_pressure_of_their_weights),
        cmocka_unit_test(oil_rises_from_under_water_and_leaves_the_floor),
        cmocka_unit_test(a_single_particle_rises_like_a_drop_of_its_volume),
        cmocka_unit_test(a_raft_floats_between_two_fluids),
        cmocka_unit_test(fluids_of_one_density_move_like_one_fluid),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
