/* Tests the passes of WCSPH against tests/ref: fluids of two densities next to balls, in a periodic
 * box and in the plane. */
#include "sim_pass_fixture.h"
#include "two_worlds.h"

#define POSITION_TOLERANCE 1e-5f /* d */
#define PRESSURE_TOLERANCE 2e-4f /* relative to the maximum */

#define MANY 1500u

#define SCENE(more)                                                                             \
    "{'spacing': 0.05, 'domain': {'min': [-1, 0, -0.5], 'max': [1, 0.5, 0.5], 'friction': 0.2," \
    " 'sides': {'x': 'periodic', 'y': ['closed', 'open']}}, 'solver': {" more                   \
    "'method': 'wcsph', 'sound_speed': 30, 'artificial_viscosity': 0.2},"                       \
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"                                 \
    "'min': [0.3, 0, 0], 'max': [0.5, 0.2, 0.2]}}}},"                                           \
    " {'name': 'oil', 'density': 600, 'fill': {'shape': {'box': {"                              \
    "'min': [0.3, 0.2, 0], 'max': [0.5, 0.4, 0.2]}}}}],"                                        \
    " 'solids': [{'name': 'ball', 'friction': 0.4, 'shape': {'sphere': {'radius': 0.12},"       \
    " 'position': [-0.65, 0.25, -0.3]}, 'motion': {'spin': {'axis': [0, 0, 1], 'rate': 9}}}]}"

static const char room[] = SCENE(""), plane[] = SCENE("'dimensions': 2, ");

static int open_worlds(void **state)
{
    return open_two_worlds(room, plane);
}

static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};

static void check_tait(sim_world *world, uint32_t count)
{
    stage s;
    float largest = 0.0f;
    uint32_t pressed = 0;
    enter(&s, world, count, "equation_of_state");
    ivec4 *predictions = fixed(&s, world->buffers.iterated_positions);
    ivec4 *starts = fixed(&s, world->buffers.sorted_positions);
    run_pass(&s);
    ivec4 *b = fixed(&s, world->buffers.start_pressures);
    ivec4 *kept = fixed(&s, world->buffers.sorted_predicted_positions);
    for (uint32_t i = 0; i < s.count; i++)
        largest = fminf(largest, ref_tait(&s.pbf, starts, predictions, i));
    for (uint32_t i = 0; i < s.count; i++) {
        float expected = ref_tait(&s.pbf, starts, predictions, i);
        assert_memory_equal(&b[i], &starts[i], 12);
        assert_memory_equal(&kept[i], &predictions[i], sizeof *kept);
        assert_near("pressure", (double)ref_float(b[i].w), (double)expected,
                    (double)(-PRESSURE_TOLERANCE * largest));
        pressed += expected < 0.0f;
    }
    assert_true(count < MANY || (pressed > s.count / 4 && pressed < s.count));
    void *arrays[] = {predictions, starts, b, kept};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&s.lists);
}

static void pressure_is_that_of_taits_equation_and_never_pulls(void **state)
{
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check_tait(worlds[w], sizes[i]);
}

static void check_accelerate(sim_world *world, uint32_t count)
{
    stage s;
    enter(&s, world, count, "wcsph_forces");
    ivec4 *b = fixed(&s, world->buffers.start_pressures);
    ivec4 *predictions = fixed(&s, world->buffers.sorted_predicted_positions);
    run_pass_and_collisions(&s);
    ivec4 *a = fixed(&s, world->buffers.iterated_positions);
    for (uint32_t i = 0; i < s.count; i++) {
        assert_vec3_near("place", i, metres(&s, a[i]), ref_accelerate(&s.pbf, b, predictions, i),
                         POSITION_TOLERANCE * s.params.spacing);
        assert_true(a[i].w == predictions[i].w);
    }
    void *arrays[] = {b, predictions, a};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&s.lists);
}

static void pressure_and_artificial_viscosity_move_the_prediction(void **state)
{
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check_accelerate(worlds[w], sizes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_is_that_of_taits_equation_and_never_pulls),
        cmocka_unit_test(pressure_and_artificial_viscosity_move_the_prediction),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
