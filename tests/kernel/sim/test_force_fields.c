/* Sampled force fields: the shader against references in doubles, with every method; fields that
 * are interpolated exactly; and numbers with keyframes. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "attribute_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char still[] =
    "{'spacing': 0.1, 'frame_rate': 60, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max':"
    " [2, 1, 1.5]}, 'solver': {'adaptive': false, 'pre_stabilization': 0}, 'fluids': [{'name':"
    " 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [2, 1, 1.5]}}, 'velocity':"
    " [0.4, -0.2, 0.1]}}]}";

/* ---- reference of the noise -------------------------------------------------------------------
 */

static double fade(double t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

/* Returns component `k` of the vector potential at p, in cells, with gradients turned by `turns`.
 */
static double ref_potential(const double p[3], int k, uint32_t seed, const double turns[4])
{
    double low[3], sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        low[axis] = floor(p[axis]);
    for (int corner = 0; corner < 8; corner++) {
        uint32_t words[4] = {0, 0, 0, seed};
        double g[3], weight = 1.0, value = 0.0;
        for (int axis = 0; axis < 3; axis++)
            words[axis] = (uint32_t)(int32_t)(low[axis] + (corner >> axis & 1));
        base_random_words(words);
        const double angle = 6.283185307179586 * turns[words[3] >> 30];
        for (int i = 0; i < 3; i++)
            g[i] = (double)(words[k] >> 10 * i & 1023u) * (2.0 / 1023.0) - 1.0;
        for (int axis = 0; axis < 3; axis++) {
            const int upper = corner >> axis & 1;
            const double f = p[axis] - low[axis];
            const double turned = cos(angle) * g[axis] + sin(angle) * g[(axis + 2) % 3];
            weight *= upper ? fade(f) : 1.0 - fade(f);
            value += turned * (f - upper);
        }
        sum += weight * value;
    }
    return sum;
}

/* Returns the derivative of component `k` along an axis. */
static double ref_slope(const double p[3], int k, int axis, uint32_t seed, const double turns[4])
{
    const double step = 1e-5;
    double a[3] = {p[0], p[1], p[2]}, b[3] = {p[0], p[1], p[2]};
    a[axis] -= step;
    b[axis] += step;
    return (ref_potential(b, k, seed, turns) - ref_potential(a, k, seed, turns)) / (2.0 * step);
}

/* A field of noise: amplitude 3 m/s2, eddies of 0.35 m, two octaves, seed 5, drift (0.2, 0, -0.1)
 * m/s, 0.8 turns a second. */
#define NOISE                                                                                    \
    "forces=[{\"type\": \"noise\", \"amplitude\": 3, \"size\": 0.35, \"octaves\": 2, \"seed\": " \
    "5, \"velocity\": [0.2, 0, -0.1], \"evolution\": 0.8}]"

static void ref_noise(vec4 x, double time_s, double out[3])
{
    static const double rates[4] = {1.0, 0.79, 1.27, 0.59};
    double turns[4];
    double p[3] = {((double)x.x - 0.2 * time_s) / 0.35, (double)x.y / 0.35,
                   ((double)x.z + 0.1 * time_s) / 0.35};
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < 4; i++)
        turns[i] = rates[i] * 0.8 * time_s;
    for (uint32_t octave = 0; octave < 2; octave++) {
        const double factor = 3.0 * (octave ? 0.5 : 1.0) * 0.8190 / sqrt(1.25);
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            out[axis] += factor * (ref_slope(p, z, y, 5 + octave, turns) -
                                   ref_slope(p, y, z, 5 + octave, turns));
        }
        for (int axis = 0; axis < 3; axis++)
            p[axis] = 2.0 * p[axis] + 17.5;
    }
}

/* ---- running the pass -------------------------------------------------------------------------
 */

/* Positions, and velocities before and after the pass. */
typedef struct applied {
    sim_world *world;
    scene_data *scene;
    uint32_t count;
    vec4 *x, *before, *after;
    double dt, time_s; /* of the substep, s: its length and its end */
} applied;

static applied apply(gpu_device *device, const char *method, const char *force)
{
    applied a = {.scene = scene_with(still, method, force)};
    a.world = make_sim(device, a.scene);
    assert_int_equal(sim_particle_count(a.world, &a.count), WEIR_OK);
    a.world->time_s = 3.7; /* so that noise has moved and turned */
    const uint32_t pass = run_up_to(a.world, 1.0 / 60, "apply_force_fields");
    struct sim_force_fields now;
    sim_force_fields_at(a.world, a.world->time_s, &now);
    upload(a.world, a.world->buffers.force_fields, &now, sizeof now);
    a.x = download_metres(a.world, a.world->buffers.positions, a.count);
    a.before = download(a.world, a.world->buffers.velocities, a.count, sizeof *a.before);
    run_step_passes(a.world, pass, pass + 1);
    a.after = download(a.world, a.world->buffers.velocities, a.count, sizeof *a.after);
    a.dt = 1.0 / 60 / a.scene->solver.substeps;
    a.time_s = a.world->time_s + a.dt;
    return a;
}

static void release(applied *a)
{
    base_free(a->x);
    base_free(a->before);
    base_free(a->after);
    sim_destroy(&a->world);
    scene_destroy(&a->scene);
}

/* Returns the largest difference of the change of velocities from that by an acceleration, the
 * velocity u and the rate, m/s. */
typedef void (*field_at)(vec4 x, double time_s, double acceleration[3], double u[3], double *rate);
static double worst_difference(const applied *a, field_at field)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < a->count; i++) {
        double acceleration[3] = {0}, u[3] = {0}, rate = 0.0;
        const float *before = &a->before[i].x, *after = &a->after[i].x;
        field(a->x[i], a->time_s, acceleration, u, &rate);
        for (int axis = 0; axis < 3; axis++) {
            double v = (double)before[axis] + a->dt * acceleration[axis] + a->dt * rate * u[axis];
            worst = fmax(worst, fabs(v / (1.0 + a->dt * rate) - (double)after[axis]));
        }
    }
    return worst;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void noise_at(vec4 x, double time_s, double acceleration[3], double u[3], double *rate)
{
    ref_noise(x, time_s, acceleration);
}

static void noise_is_the_curl_of_its_potential(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m++) {
        applied a = apply(device, attribute_methods[m], NOISE);
        double squares = 0.0;
        for (uint32_t i = 0; i < a.count; i++) {
            vec3 change =
                vec3_scale(vec3_make(a.after[i].x - a.before[i].x, a.after[i].y - a.before[i].y,
                                     a.after[i].z - a.before[i].z),
                           1.0f / (float)a.dt);
            squares += (double)vec3_dot(change, change);
        }
        /* A cosine may be off by 2^-11 in Vulkan. */
        assert_at_most(attribute_methods[m], worst_difference(&a, noise_at), 0.003 * a.dt * 3.0);
        assert_between("rms, m/s2", sqrt(squares / a.count), 2.7, 3.3);
        release(&a);
    }
    assert_int_equal(close_gpu(&device), 0);
}

/* A straight curve: the pull is linear in the distance, and the weight is known. */
static void curve_at(vec4 x, double time_s, double acceleration[3], double u[3], double *rate)
{
    const double y = (double)x.y - 0.5, z = (double)x.z - 0.75, square = (y * y + z * z) / 0.25;
    const double weight = square < 1.0 ? (1.0 - square) * (1.0 - square) : 0.0;
    acceleration[1] = -40.0 * weight * y;
    acceleration[2] = -40.0 * weight * z;
    *rate = 6.0 * weight;
    u[0] = 2.0;
    u[1] = -3.0 * z; /* swirl about +x */
    u[2] = 3.0 * y;
}

static void a_curve_pulls_carries_and_swirls(void **state)
{
    gpu_device *device = open_gpu(true);
    applied a = apply(device, "pbf",
                      "forces=[{\"type\": \"curve\", \"points\": [[-5, 0.5, 0.75], [1, 0.5, 0.75], "
                      "[7, 0.5, 0.75]], \"radius\": 0.5, \"strength\": 40, \"rate\": 6, \"speed\": "
                      "2, \"swirl\": 3}]");
    /* The weight is interpolated between nodes 0.1 m apart: to about 0.03 of 20 m/s2. */
    assert_at_most("curve", worst_difference(&a, curve_at), 0.03 * 20.0 * a.dt);
    release(&a);
    assert_int_equal(close_gpu(&device), 0);
}

/* The same curve in a sphere about the middle of the domain. */
static void curve_in_sphere_at(vec4 x, double time_s, double acceleration[3], double u[3],
                               double *rate)
{
    const double p[3] = {(double)x.x - 1.0, (double)x.y - 0.5, (double)x.z - 0.75};
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 0.16) curve_at(x, time_s, acceleration, u, rate);
}

static void a_region_limits_a_curve(void **state)
{
    gpu_device *device = open_gpu(true);
    applied a = apply(device, "pbf",
                      "forces=[{\"type\": \"curve\", \"points\": [[-5, 0.5, 0.75], [1, 0.5, 0.75], "
                      "[7, 0.5, 0.75]], \"radius\": 0.5, \"strength\": 40, \"rate\": 6, \"speed\": "
                      "2, \"swirl\": 3, \"inside\": {\"centre\": [1, 0.5, 0.75], \"radius\": "
                      "0.4}}]");
    assert_at_most("sphere", worst_difference(&a, curve_in_sphere_at), 0.03 * 20.0 * a.dt);
    release(&a);
    a = apply(device, "pbf",
              "forces=[{\"type\": \"curve\", \"points\": [[50, 50, 50], [60, 50, 50]], \"radius\": "
              "0.5, \"strength\": 40}]"); /* outside the domain */
    for (uint32_t i = 0; i < a.count; i++)
        assert_memory_equal(&a.before[i], &a.after[i], sizeof a.before[i]);
    release(&a);
    assert_int_equal(close_gpu(&device), 0);
}

/* A sphere whose pull is capped 0.3 m from its surface. */
static void sphere_at(vec4 x, double time_s, double acceleration[3], double u[3], double *rate)
{
    const double p[3] = {(double)x.x - 1.0, (double)x.y - 0.5, (double)x.z - 0.75};
    const double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    const double away = fmin(fmax(r - 0.3, 0.0), 0.3);
    for (int axis = 0; axis < 3; axis++)
        acceleration[axis] = -70.0 * away * p[axis] / r;
    *rate = 2.5;
}

static void a_shape_pulls_up_to_its_radius_and_damps(void **state)
{
    gpu_device *device = open_gpu(true);
    applied a = apply(device, "flip",
                      "forces=[{\"type\": \"shape\", \"shape\": {\"sphere\": {\"radius\": 0.3}, "
                      "\"position\": [1, 0.5, 0.75]}, \"strength\": 70, \"radius\": 0.3, \"rate\": "
                      "2.5}]");
    /* The kinks at the surface and at the cap are rounded by nodes a spacing apart. */
    assert_at_most("shape", worst_difference(&a, sphere_at), 0.07 * 21.0 * a.dt);
    release(&a);
    assert_int_equal(close_gpu(&device), 0);
}

/* The file has 3 x 2 x 2 nodes, whose velocities are linear, in Fortran order. */
static void file_at(vec4 x, double time_s, double acceleration[3], double u[3], double *rate)
{
    const bool inside = x.x >= 0.25f && x.x <= 1.75f && x.y <= 0.75f && x.z >= 0.5f;
    *rate = inside ? 5.0 : 0.0;
    u[0] = 1.0 + 2.0 * (double)x.x;
    u[1] = -0.5 * (double)x.z;
    u[2] = (double)x.x - (double)x.y;
}

static void a_velocity_field_is_interpolated(void **state)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2, 2, 3), }";
    float numbers[36];
    uint8_t bytes[256] = "\x93NUMPY\x01";
    for (uint32_t i = 0; i < 12; i++) {
        vec4 x = {0.25f + 0.75f * (float)(i % 3), 0.75f * (float)(i / 3 % 2),
                  0.5f + 1.0f * (float)(i / 6), 0};
        double none[3], u[3] = {0}, rate;
        file_at(x, 0.0, none, u, &rate);
        for (uint32_t k = 0; k < 3; k++)
            numbers[12 * k + i] = (float)u[k];
    }
    bytes[8] = sizeof header - 1;
    memcpy(bytes + 10, header, sizeof header - 1);
    memcpy(bytes + 9 + sizeof header, numbers, sizeof numbers);
    char folder[] = "/tmp/weir_test_force_fields_XXXXXX", path[64], force[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/field.npy", folder);
    snprintf(force, sizeof force,
             "forces=[{\"type\": \"velocity_field\", \"file\": \"%s\", \"rate\": 5, "
             "\"inside\": {\"min\": [0.25, 0, 0.5], \"max\": [1.75, 0.75, 1.5]}}]",
             path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 9 + sizeof header + sizeof numbers, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    gpu_device *device = open_gpu(true);
    applied a = apply(device, "apic", force);
    assert_at_most("velocity field", worst_difference(&a, file_at), 1e-5);
    release(&a);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(close_gpu(&device), 0);
}

/* ---- keyframes --------------------------------------------------------------------------------
 */

static uint64_t hash_after(gpu_device *device, const char *method, const char *force)
{
    uint64_t hash;
    scene_data *scene = scene_with(still, method, force);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 4);
    assert_int_equal(sim_hash(world, &hash), WEIR_OK);
    sim_destroy(&world);
    scene_destroy(&scene);
    return hash;
}

static void keyframes_give_the_bits_of_the_number(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m += 3) { /* pbf and flip */
        const char *method = attribute_methods[m];
        assert_true(
            hash_after(device, method, "fluids[0].dynamic_viscosity=3") ==
            hash_after(device, method,
                       "fluids[0].dynamic_viscosity_keyframes=[{\"time\": 0, "
                       "\"dynamic_viscosity\": 3}, {\"time\": 1, \"dynamic_viscosity\": 3}]"));
        assert_true(
            hash_after(device, method, "fluids[0].dynamic_viscosity=3") !=
            hash_after(device, method,
                       "fluids[0].dynamic_viscosity_keyframes=[{\"time\": 0, "
                       "\"dynamic_viscosity\": 3}, {\"time\": 1, \"dynamic_viscosity\": 0}]"));
    }
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_the_curl_of_its_potential),
        cmocka_unit_test(a_curve_pulls_carries_and_swirls),
        cmocka_unit_test(a_region_limits_a_curve),
        cmocka_unit_test(a_shape_pulls_up_to_its_radius_and_damps),
        cmocka_unit_test(a_velocity_field_is_interpolated),
        cmocka_unit_test(keyframes_give_the_bits_of_the_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
