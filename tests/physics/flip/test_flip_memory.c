/* Device memory and bindings that FLIP and APIC take. */
#include "device_support.h"
#include "flip_support.h"

#include "gpu_internal.h"

static const char block[] =
    "{'spacing': 0.00390625, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'solver': {'method':"
    " 'flip'}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max':"
    " [0.3125, 0.390625, 0.5]}}, 'jitter': 0.5}}]}";

/* In a domain of 128 x 128 x 128 cells, with the grid and its reserve for a splash. */
static void a_million_particles_take_250_bytes_each(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        weir_stats stats;
        const char *const overrides[] = {methods[i], NULL};
        scene_data *scene = make_scene(block, overrides);
        sim_world *world = make_sim(device, scene);
        OK(sim_stats(world, &stats));
        double each = (double)stats.memory_bytes / stats.particle_count;
        print_message("  %s: %.1f bytes a particle in all\n", methods[i], each);
        assert_int_equal(stats.particle_count, 1024000);
        assert_true(each <= 250.0);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* The largest buffers hold three vectors per particle or cell. Where they are read as texels, no
   pass binds a whole one as a storage buffer. */
static void gradients_and_faces_need_not_fit_one_binding(void **state)
{
    static const char *const overrides[] = {"solver.method=apic", "spacing=0.01", NULL};
    uint64_t hashes[2];
    if (!gpu_device_prefers_texels(device)) skip();
    for (int limited = 0; limited < 2; limited++) {
        scene_data *scene = make_scene(block, overrides);
        sim_world *world = make_sim(device, scene);
        if (limited) /* permanent, so this is the last test of the group */
            gpu_device_limit_storage_range(device,
                                           gpu_buffer_size(world->buffers.velocity_gradients) / 2);
        OK(sim_build_passes(world));
        run_frames(world, 2);
        OK(sim_hash(world, &hashes[limited]));
        sim_destroy(&world);
        scene_destroy(&scene);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_particles_take_250_bytes_each),
        cmocka_unit_test(gradients_and_faces_need_not_fit_one_binding),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
