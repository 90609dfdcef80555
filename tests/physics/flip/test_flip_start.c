/* APIC particles start with the velocity gradients of the fill. */
#include "device_support.h"
#include "flip_support.h"
#include "sim_input.h"

#define PI 3.14159265358979323846

/* ---- the gradient in closed form ------------------------------------------------------------ */

static void the_gradient_is_that_of_the_velocity(void **state)
{
    const scene_fill fill = {.velocity = {1, 2, 3},
                             .spin = {0.3f, -0.7f, 1.1f},
                             .spin_centre = {0.1f, 0.2f, 0.3f},
                             .gradient = {{0.5f, 1, -1}, {0.2f, 0, 2}, {1, -3, 0.4f}},
                             .wave = {0.2f, -0.4f, 0.1f},
                             .wave_vector = {2, 1, -3},
                             .wave_phase = 0.4f};
    const vec3 p = {0.4f, -0.3f, 0.2f};
    const float step = 0.01f;
    vec3 rows[3];
    sim_fill_velocity_gradient_at(&fill, p, rows);
    for (uint32_t k = 0; k < 3; k++) {
        vec3 ahead = p, back = p;
        *(k == 0 ? &ahead.x : k == 1 ? &ahead.y : &ahead.z) += step;
        *(k == 0 ? &back.x : k == 1 ? &back.y : &back.z) -= step;
        vec3 change =
            vec3_sub(sim_fill_velocity_at(&fill, ahead), sim_fill_velocity_at(&fill, back));
        for (uint32_t axis = 0; axis < 3; axis++) {
            float slope = ref_axis(change, axis) / (2.0f * step);
            assert_true(fabsf(ref_axis(rows[axis], k) - slope) <= 1e-3f);
        }
    }
}

/* ---- the first substep ---------------------------------------------------------------------- */

static const char ball[] =
    "{'spacing': 0.04, 'gravity': [0, 0, 0], 'domain': {'min': [-0.6, -0.6, -0.6], 'max': [0.6,"
    " 0.6, 0.6]}, 'solver': {'method': 'apic', 'substeps': 1}, 'forces': [{'centre': [0, 0, 0],"
    " 'strength': 40}], 'fluids': [{'name': 'water', 'fill': {'spin': {'axis': [0, 0, 1], 'rate':"
    " 2}, 'shape': {'sphere': {'radius': 0.32}}}}]}";

static const char sheared[] =
    "{'spacing': 0.03125, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [0.5, 0.5,"
    " 0.1], 'sides': {'x': 'periodic', 'y': 'periodic'}}, 'solver': {'method': 'apic',"
    " 'dimensions': 2, 'substeps': 1}, 'fluids': [{'name': 'water', 'fill': {'jitter': 0,"
    " 'velocity_wave': {'amplitude': [0.5, 0, 0], 'wave_vector': [0, 12.566370614, 0]}, 'shape':"
    " {'box': {'min': [0, 0, 0], 'max': [0.5, 0.5, 1]}}}}]}";

/* Returns the angular momentum about the z axis through the origin, per particle mass. */
static double spin_of(const vec4 *x, const vec4 *v, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)(x[i].x * v[i].y - x[i].y * v[i].x);
    return sum;
}

/* Returns the sum of the velocities along x, weighted with the wave that they started with. */
static double shear_of(const vec4 *x, const vec4 *v, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)v[i].x * sin(4.0 * PI * (double)x[i].y);
    return sum;
}

/* Returns a quantity after the first frame over that at the start. */
static double kept_share(const char *text, double measure(const vec4 *, const vec4 *, uint32_t))
{
    double at[2];
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    for (int k = 0; k < 2; k++) {
        if (k > 0) run_frames(world, 1);
        uint32_t count = world->last_result.status.count;
        vec4 *x = download_metres(world, world->buffers.positions, count);
        vec4 *v = download(world, world->buffers.velocities, count, sizeof *v);
        at[k] = measure(x, v, count);
        base_free(x);
        base_free(v);
    }
    sim_destroy(&world);
    scene_destroy(&scene);
    return at[1] / at[0];
}

/* Without the gradients, the first substep is one of PIC: 0.949 of the spin and 0.93 of the shear
 * would be left. */
static void the_first_substep_keeps_spin_and_shear(void **state)
{
    assert_between("spin", kept_share(ball, spin_of), 0.995, 1.005);
    assert_between("shear", kept_share(sheared, shear_of), 0.985, 1.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_that_of_the_velocity),
        cmocka_unit_test(the_first_substep_keeps_spin_and_shear),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
