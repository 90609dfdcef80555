/* Frames written by SPlisHSPlasH and other programs; they are kept outside the repository. */
#include "io_support.h"

typedef struct real_file {
    const char *path;
    uint32_t count;
    vec3 first, last, low, high; /* positions, read by another program from the same bytes */
    bool moves, dense;           /* has velocities and ids; has densities */
    bool nameless;               /* has no ids nevertheless */
    float first_density;
    vec3 first_velocity;
    uint32_t first_id, last_id, id_low, id_high;
} real_file;

/* The bunny's file name says 7705, its header 7706. */
static const real_file bunny = {
    .path = "../shared/particles/bunny_frame_14_7705_particles.vtk",
    .count = 7706,
    .first = {0.12854122f, 0.83839858f, 0.11624263f},
    .last = {-0.19719751f, 1.99859595f, -0.16773283f},
    .low = {-0.60871422f, 0.67014033f, -0.97850388f},
    .high = {0.72413552f, 2.03156018f, 0.67961127f},
    .moves = true,
    .first_velocity = {-0.24984321f, -1.70291591f, -0.07745438f},
    .first_id = 4224,
    .last_id = 866,
    .id_high = 7705,
};
static const real_file cube = {
    .path = "../shared/particles/cube_2366_particles.vtk",
    .count = 2366,
    .first = {0.85f, 0.09999019f, 0.85f},
    .last = {1.4f, 0.04999019f, 1.45f},
    .low = {0.85f, 0.04999019f, 0.85f},
    .high = {1.45f, 0.69999021f, 1.45f},
};
static const real_file dam = {
    .path = "../shared/particles/double_dam_break_frame_26_4732_particles.vtk",
    .count = 4732,
    .first = {0.00269221f, 0.26753426f, 0.03149386f},
    .last = {0.03384227f, 0.27718338f, 0.07713912f},
    .low = {-1.51526892f, -0.01525149f, -1.51508963f},
    .high = {1.51521325f, 1.01684713f, 1.51522827f},
    .moves = true,
    .first_velocity = {-0.02496541f, -1.556548f, 0.03214712f},
    .first_id = 2379,
    .last_id = 2196,
    .id_high = 4731,
};
static const real_file bgeo = {
    .path = "../shared/particles/dam_break_frame_9_6859_particles.bgeo",
    .count = 6859,
    .first = {-1.9102242f, 0.05864475f, 0.15789387f},
    .last = {-1.03632569f, 0.52124065f, 0.05060062f},
    .low = {-1.95163238f, 0.03568214f, -0.71043187f},
    .high = {-0.38762197f, 0.6816501f, 0.71089613f},
    .moves = true,
    .dense = true,
    .first_density = 1000.12860f,
    .first_velocity = {0.36705071f, -0.41762838f, 0.42659923f},
    .first_id = 30,
    .last_id = 6489,
    .id_high = 6858,
};

/* Raw appended data, compressed with zlib, in doubles; VTK's own reader supplied the expected
   values. */
static const real_file xml = {
    .path = "../shared/particles/fluid_250_particles.vtu",
    .count = 250,
    .first = {0.32864799f, 0.21009527f, 0.20491052f},
    .last = {4.52684297f, 0.79433217f, 0.87541056f},
    .low = {0.11331775f, 0.14777272f, 0.10971411f},
    .high = {5.0707894f, 1.13939751f, 1.09018879f},
    .moves = true,
    .first_velocity = {0.26538227f, 0.11693107f, -0.08800328f},
    .first_density = 995.54878f,
    .nameless = true,
    .dense = true,
};

static void assert_near(vec3 got, vec3 wanted)
{
    assert_float_equal(got.x, wanted.x, 1e-6f);
    assert_float_equal(got.y, wanted.y, 1e-6f);
    assert_float_equal(got.z, wanted.z, 1e-6f);
}

static void assert_ids(const io_particles *particles, const real_file *file)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < particles->count; i++) {
        if (particles->id[i] < low) low = particles->id[i];
        if (particles->id[i] > high) high = particles->id[i];
    }
    assert_int_equal(particles->id[0], file->first_id);
    assert_int_equal(particles->id[particles->count - 1], file->last_id);
    assert_int_equal(low, file->id_low);
    assert_int_equal(high, file->id_high);
}

static void check(scratch *s, const real_file *file)
{
    io_particles particles;
    if (!base_path_is_file(file->path)) {
        print_message("no file %s\n", file->path);
        skip();
    }
    if (io_particles_read(&s->log, file->path, &particles) != WEIR_OK) fail_msg("%s", s->message);
    assert_int_equal(particles.count, file->count);
    vec3 low = particles.position[0], high = low;
    for (uint32_t i = 0; i < particles.count; i++) {
        low = vec3_min(low, particles.position[i]);
        high = vec3_max(high, particles.position[i]);
    }
    assert_near(particles.position[0], file->first);
    assert_near(particles.position[particles.count - 1], file->last);
    assert_near(low, file->low);
    assert_near(high, file->high);
    assert_int_equal(particles.velocity != NULL, file->moves);
    assert_int_equal(particles.id != NULL, file->moves && !file->nameless);
    assert_int_equal(particles.density != NULL, file->dense);
    if (file->moves) assert_near(particles.velocity[0], file->first_velocity);
    if (particles.id) assert_ids(&particles, file);
    if (file->dense) assert_float_equal(particles.density[0], file->first_density, 1e-4f);
    io_particles_free(&particles);
}

static void a_binary_vtk_frame_with_ids_and_velocities_is_read(void **state)
{
    check(*state, &bunny);
}

static void a_binary_vtk_frame_of_points_alone_is_read(void **state)
{
    check(*state, &cube);
}

static void a_second_simulation_s_vtk_frame_is_read(void **state)
{
    check(*state, &dam);
}

static void a_packed_bgeo_frame_is_read(void **state)
{
    check(*state, &bgeo);
}

static void an_xml_frame_of_another_program_is_read(void **state)
{
    check(*state, &xml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_vtk_frame_with_ids_and_velocities_is_read),
        cmocka_unit_test(a_binary_vtk_frame_of_points_alone_is_read),
        cmocka_unit_test(a_second_simulation_s_vtk_frame_is_read),
        cmocka_unit_test(a_packed_bgeo_frame_is_read),
        cmocka_unit_test(an_xml_frame_of_another_program_is_read),
    };
    if (!base_path_is_folder("../shared/particles")) {
        print_message("skipped: no folder ../shared/particles with other programs' frames\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
