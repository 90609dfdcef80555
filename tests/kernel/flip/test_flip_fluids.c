/* Tests FLIP and APIC with fluids of different densities: masses and densities of faces, the
 * gradient, and the slip of drops, against their references. */
#include "device_support.h"
#include "flip_support.h"
#include "one_world.h"
#include "scene_text.h"

#define FRAME_S (1.0 / 120.0)
#define MANY 1500u

static int open_room(void **state)
{
    (void)state;
    return open_one_world(scene_text("flip_fluids_room"), true);
}

/* Gives rows of two particles to the second fluid and to the third, so that cells are mixed. */
static void mix_fluids(void)
{
    ivec4 *x = download(world, world->buffers.positions, MANY, sizeof *x);
    for (uint32_t i = 0; i < MANY; i++)
        x[i].w = (int32_t)(i / 2 % 3);
    upload(world, world->buffers.positions, x, MANY * sizeof *x);
    base_free(x);
}

static const gpu_buffer *coefficients(void)
{
    return poisson_get_buffers(world->pressure_grid)->face_coefficients;
}

/* ---- particles to grid ---------------------------------------------------------------------- */

/* Compares what one cell has gathered; returns the number of faces of mixed fluids. */
static uint32_t check_cell(const stage *s, const int at[3], vec4 mass, vec4 face, vec4 inverse)
{
    ref_gathered wanted = ref_flip_gather(&s->flip, at);
    double full = (double)s->params.cell_size.w;
    uint32_t mixed = 0;
    if (wanted.fill_mass > 1e-3)
        near("density", at, (double)fabsf(mass.w), wanted.fill_fraction / wanted.fill_mass, 1e-4);
    for (int axis = 0; axis < 3; axis++) {
        if (wanted.weight[axis] <= 1.01 * (double)SIM_MAC_MIN_WEIGHT) continue;
        double ratio = wanted.volume[axis] / wanted.weight[axis];
        double force = (double)s->status.dt * (double)ref_axis_component(s->params.gravity, axis);
        near("mass", at, (double)ref_axis_component(mass, axis), wanted.weight[axis] / full, 2e-5);
        near("velocity", at, (double)ref_axis_component(face, axis), wanted.velocity[axis] + force,
             2e-5);
        near("inverse density", at, (double)ref_axis_component(inverse, axis), ratio, 1e-4);
        mixed += ratio > 0.42 && ratio < 3.2 && fabs(ratio - 1.0) > 0.05;
    }
    return mixed;
}

static void particles_count_by_mass_and_faces_have_their_density(void **state)
{
    stage s;
    uint32_t mixed = 0;
    (void)state;
    place(world, MANY);
    mix_fluids();
    enter_gather(&s, world, FRAME_S);
    run_named(&s, "flip_p2g");
    vec4 *masses = download(world, world->buffers.face_masses, sparse_count(&s), 16);
    vec4 *faces = download(world, world->buffers.face_velocities, sparse_count(&s), 16);
    vec4 *inverse = download(world, coefficients(), sparse_count(&s), 16);
    for (size_t i = 0; i < sparse_count(&s); i++) {
        int at[3];
        if (cell_at(&s, i, at)) mixed += check_cell(&s, at, masses[i], faces[i], inverse[i]);
    }
    assert_true(mixed > 100);
    base_free(masses);
    base_free(faces);
    base_free(inverse);
    leave(&s);
}

/* ---- gradient ------------------------------------------------------------------------------- */

/* Runs the gradient of given pressures with random or uniform densities of faces. */
static vec4 *gradients(const stage *s, const vec4 *inverse)
{
    size_t count = sparse_count(s);
    upload(world, (gpu_buffer *)(uintptr_t)coefficients(), inverse, count * sizeof *inverse);
    run_named(s, "pressure_gradient");
    return download(world, world->buffers.pressure_gradients, count, 16);
}

static void the_gradient_moves_light_faces_more(void **state)
{
    stage s;
    (void)state;
    place(world, MANY);
    mix_fluids();
    enter_gather(&s, world, FRAME_S);
    run_named(&s, "flip_p2g");
    run_named(&s, "flip_level_set");
    size_t count = sparse_count(&s);
    vec4 *inverse = base_alloc(count + 1, sizeof *inverse);
    float *pressures = base_alloc(count + 1, sizeof *pressures);
    assert_true(inverse && pressures);
    for (size_t i = 0; i < count; i++) {
        pressures[i] = base_hash_to_unit(i);
        inverse[i] = (vec4){1, 1, 1, 0};
    }
    upload(world, poisson_get_buffers(world->pressure_grid)->solutions, pressures,
           count * sizeof *pressures);
    vec4 *before = gradients(&s, inverse);
    for (size_t i = 0; i < count; i++)
        inverse[i] = (vec4){0.1f + base_hash_to_unit(3 * i), 0.1f + base_hash_to_unit(3 * i + 1),
                            0.1f + base_hash_to_unit(3 * i + 2), 0};
    vec4 *after = gradients(&s, inverse);
    uint32_t moved = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(after[i].w == before[i].w);
        for (int axis = 0; axis < 3; axis++) {
            float wanted =
                ref_axis_component(before[i], axis) * ref_axis_component(inverse[i], axis);
            assert_true(fabsf(ref_axis_component(after[i], axis) - wanted) <=
                        1e-5f * fabsf(wanted));
            moved += wanted != 0.0f;
        }
    }
    assert_true(moved > 100);
    void *arrays[] = {inverse, pressures, before, after};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    leave(&s);
}

/* A box of 4 x 4 x 10 cells, so that blocks of 8 cells reach more than a period beyond its end. */
static const char periodic[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.4, 1],"
    " 'sides': {'x': 'periodic', 'y': 'periodic', 'z': 'periodic'}}, 'gravity': [0, 0, 0],"
    " 'solver': {'method': 'flip', 'substeps': 1}, 'fluids': [{'name': 'water', 'fill': {'shape':"
    " {'box': {'min': [0, 0, 0], 'max': [0.4, 0.4, 1]}}}}]}";

/* The validation of shaders, where a run has it, finds a read beyond the bins. */
static void cells_beyond_a_period_read_no_bins(void **state)
{
    gpu_device *device = open_gpu(true);
    scene_data *scene = make_scene(periodic, NULL);
    sim_world *small = make_sim(device, scene);
    run_frames(small, 1);
    sim_destroy(&small);
    scene_destroy(&scene);
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_count_by_mass_and_faces_have_their_density),
        cmocka_unit_test(the_gradient_moves_light_faces_more),
        cmocka_unit_test(cells_beyond_a_period_read_no_bins),
    };
    return cmocka_run_group_tests(tests, open_room, close_one_world);
}
