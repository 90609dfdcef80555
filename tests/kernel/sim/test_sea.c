/* The relaxation zones of a sea: the shader against linear wave theory in doubles, with every
 * method, and frames that are replayed. */
#include "attribute_support.h"
#include "scene_query.h"

#include <math.h>

static const char sea[] =
    "{'spacing': 0.2, 'frame_rate': 60, 'domain': {'min': [0, -0.8, 0], 'max': [4, 0.6, 2],"
    " 'sides': {'x': 'periodic'}}, 'solver': {'adaptive': false},"
    " 'sea': {'level': 0, 'current': [0.3, 0, 0], 'zone_width': 1, 'zones': {'x': ['generating',"
    " 'absorbing'], 'z': ['absorbing', 'generating']}, 'waves': {'significant_height': 0.15,"
    " 'peak_period': 1.1, 'spread': 25, 'direction': [1, 0, 0.3]}},"
    " 'emitters': [{'name': 'tap', 'fluid': 'water', 'position': [2, 0.5, 1], 'direction':"
    " [0, -1, 0], 'radius': 0.3, 'speed': 2}]}";

/* ---- reference --------------------------------------------------------------------------------
 */

/* Velocity of the waves at p by linear theory, with Wheeler's stretching, m/s. */
static void ref_wave_velocity(const scene_data *scene, vec4 p, double time_s, double out[3])
{
    scene_sea_wave waves[SCENE_MAX_SEA_WAVES];
    const uint32_t count = scene_sea_components(scene, waves);
    const double depth = 0.8;
    double elevation = 0.0;
    for (uint32_t i = 0; i < count; i++)
        elevation +=
            waves[i].amplitude * cos(waves[i].kx * (double)p.x + waves[i].kz * (double)p.z -
                                     waves[i].frequency * time_s + waves[i].phase);
    double height = ((double)p.y - elevation) * depth / fmax(depth + elevation, 0.1 * depth);
    height = fmin(fmax(height, -depth), 0.0);
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const scene_sea_wave *w = &waves[i];
        double angle = w->kx * (double)p.x + w->kz * (double)p.z - w->frequency * time_s + w->phase;
        double along = w->speed * cosh(w->k * (height + depth)) / sinh(w->k * depth) * cos(angle);
        out[0] += along * w->kx / w->k;
        out[1] += w->speed * sinh(w->k * (height + depth)) / sinh(w->k * depth) * sin(angle);
        out[2] += along * w->kz / w->k;
    }
}

static double squared_depth(double distance)
{
    double into = fmin(fmax(1.0 - distance, 0.0), 1.0); /* zones are 1 m wide */
    return into * into;
}

/* A substep, s: its length and its end. */
typedef struct relaxing {
    double length, end;
} relaxing;

static void ref_relax(const scene_data *scene, vec4 p, relaxing dt, double velocity[3])
{
    const double absorbing = scene_sea_zone_rate(scene, SCENE_SEA_ABSORBING),
                 generating = scene_sea_zone_rate(scene, SCENE_SEA_GENERATING);
    const double to_waves =
        generating * (squared_depth((double)p.x) + squared_depth(2.0 - (double)p.z));
    const double rate =
        to_waves + absorbing * (squared_depth(4.0 - (double)p.x) + squared_depth((double)p.z));
    double waves[3];
    ref_wave_velocity(scene, p, dt.end, waves);
    for (int axis = 0; axis < 3 && rate > 0.0; axis++) {
        double target = (axis == 0 ? 0.3 : 0.0) + to_waves / rate * waves[axis];
        velocity[axis] += (1.0 - exp(-rate * dt.length)) * (target - velocity[axis]);
    }
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void zones_relax_velocities_as_the_reference_says(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m++) {
        scene_data *scene = scene_with(sea, attribute_methods[m], "emitters=[]");
        sim_world *world = make_sim(device, scene);
        uint32_t count, changed = 0;
        assert_int_equal(sim_particle_count(world, &count), WEIR_OK);
        run_frames(world, 2);
        uint32_t pass = run_up_to(world, 1.0 / 60, "relax_sea_zones");
        struct sim_sea now;
        sim_sea_at(world, world->time_s, &now);
        upload(world, world->buffers.sea, &now, sizeof now);
        vec4 *x = download_metres(world, world->buffers.positions, count),
             *before = download(world, world->buffers.velocities, count, sizeof *before);
        run_step_passes(world, pass, pass + 1);
        vec4 *after = download(world, world->buffers.velocities, count, sizeof *after);
        const double dt = 1.0 / 60 / scene->solver.substeps;
        double worst = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            double expected[3] = {before[i].x, before[i].y, before[i].z};
            ref_relax(scene, x[i], (relaxing){dt, world->time_s + dt}, expected);
            const float *got = &after[i].x;
            for (int axis = 0; axis < 3; axis++)
                worst = fmax(worst, fabs((double)got[axis] - expected[axis]));
            changed += after[i].x != before[i].x;
        }
        /* A cosine may be off by 2^-11 in Vulkan; the waves change a velocity by 0.05 m/s at most.
         */
        assert_at_most(attribute_methods[m], worst, 2.5e-5);
        assert_true(changed > count / 3);
        base_free(x);
        base_free(before);
        base_free(after);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_int_equal(close_gpu(&device), 0);
}

static void replayed_frames_have_the_same_bits(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m += 3) { /* pbf and flip */
        uint64_t hashes[2];
        scene_data *scene = scene_with(sea, attribute_methods[m], "solver.adaptive=false");
        uint32_t start = 0;
        for (uint32_t sized = 0; sized < 2; sized++) {
            /* Without room for the particles of the tap, frames are replayed. */
            sim_world *world =
                sized ? make_sim_sized(device, scene, start) : make_sim(device, scene);
            if (!sized) assert_int_equal(sim_particle_count(world, &start), WEIR_OK);
            run_frames(world, 7);
            assert_int_equal(sim_hash(world, &hashes[sized]), WEIR_OK);
            assert_int_equal(world->replays > 0, sized);
            sim_destroy(&world);
        }
        assert_true(hashes[0] == hashes[1]);
        scene_destroy(&scene);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* The sea starts with its surface at the waves, and with their velocities. */
static void a_developed_sea_starts_with_its_waves(void **state)
{
    gpu_device *device = open_gpu(true);
    scene_data *scene = make_scene(
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [4, 1.4, 0.1], 'sides': {'x':"
        " 'periodic'}}, 'solver': {'dimensions': 2, 'pre_stabilization': 0}, 'sea': {'level': 1,"
        " 'zones': {'x': 'none'}, 'waves': {'height': 0.2, 'period': 1.6014}}}",
        NULL); /* 4 m long */
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count),
         *v = read_vectors(world, WEIR_FIELD_VELOCITY, &count);
    double high = 0.0, low = INFINITY, fastest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (fabsf(x[i].x - 0.025f) < 0.01f) high = fmax(high, (double)x[i].y);
        if (fabsf(x[i].x - 2.025f) < 0.01f && v[i].x < 0.0f && x[i].y > 0.8f)
            low = fmin(low, (double)v[i].x);
        if (x[i].x < 0.03f) fastest = fmax(fastest, (double)v[i].x);
    }
    assert_between("crest", high, 1.06, 1.1);
    assert_between("fastest at the crest", fastest, 0.40, 0.46); /* a w / tanh(k h): 0.428 */
    assert_between("fastest in the trough", low, -0.43, -0.30);
    assert_between("particles", count, 1570, 1630);
    base_free(x);
    base_free(v);
    sim_destroy(&world);
    scene_destroy(&scene);
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_relax_velocities_as_the_reference_says),
        cmocka_unit_test(replayed_frames_have_the_same_bits),
        cmocka_unit_test(a_developed_sea_starts_with_its_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
