/* The order of the particles in memory does not matter. tests/validation has the other invariants:
   momentum, ids, orientation, units and moving frames. */
#include "device_support.h"
#include "sim_support.h"

static const char column[] = "{'spacing': 0.05, 'gravity': [0, -9.81, 0], 'frame_rate': 60,"
                             " 'domain': {'min': [-0.25, 0, -0.25], 'max': [0.5, 1, 0.25]},"
                             " 'solver': {'vorticity_confinement': 0.2},"
                             " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                             "'min': [-0.25, 0, -0.25], 'max': [0, 0.4, 0.25]}}, 'jitter': 0.2}}]}";

/* Returns the positions after five frames. The particles, each with its own id, are placed in
   memory in steps of `stride`. */
static vec3 *run_column(const scene_data *scene, const vec4 *start, uint32_t count, uint64_t stride)
{
    sim_world *world = make_sim(device, scene);
    vec4 *x = base_alloc(count, sizeof *x);
    uint32_t *ids = base_alloc(count, sizeof *ids), read;
    assert_true(x && ids);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = (uint32_t)(i * stride % count);
        x[i] = start[ids[i]];
    }
    place_particles(world, (placing){count, x, NULL, ids});
    run_frames(world, 5);
    vec3 *end = read_vectors(world, WEIR_FIELD_POSITION, &read);
    assert_int_equal(read, count);
    base_free(x);
    base_free(ids);
    sim_destroy(&world);
    return end;
}

/* Sums over neighbours are in the order of bin and id, so no bit changes. */
static void the_order_of_the_particles_in_memory_does_not_matter(void **state)
{
    uint32_t count;
    scene_data *scene = make_scene(column, NULL);
    sim_world *world = make_sim(device, scene);
    OK(sim_particle_count(world, &count));
    vec4 *start = download_metres(world, world->buffers.positions, count);
    sim_destroy(&world);
    assert_true(count % 7919 != 0);
    vec3 *a = run_column(scene, start, count, 1), *b = run_column(scene, start, count, 7919);
    assert_memory_equal(a, b, count * sizeof *a);
    base_free(a);
    base_free(b);
    base_free(start);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_the_particles_in_memory_does_not_matter),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
