/* Attributes of particles: they follow their particles through sorting, emission and growing
 * buffers with every method. */
#include "attribute_support.h"

static const char splash[] =
    "{'spacing': 0.05, 'frame_rate': 60, 'domain': {'min': [0, 0, 0], 'max': [1, 0.6, 0.4]},"
    " 'attributes': [{'name': 'tag'}, {'name': 'place', 'components': 3, 'initial': [7, 8, 9]},"
    " {'name': 'more', 'components': 2}],"
    " 'fluids': [{'name': 'water', 'fill': [{'attributes': {'more': [1, 2]}, 'shape': {'box':"
    " {'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}}, {'attributes': {'more': [3, 4]}, 'shape':"
    " {'box': {'min': [0.4, 0, 0], 'max': [0.5, 0.4, 0.4]}}}]}],"
    " 'emitters': [{'name': 'tap', 'fluid': 'water', 'position': [0.8, 0.4, 0.2], 'direction':"
    " [0, -1, 0], 'radius': 0.1, 'speed': 1.5, 'attributes': {'more': [5, 6]}}]}";

/* ---- transport ------------------------------------------------------------------------------- */

/* Gives every particle a tag that follows from its id. */
static void tag_particles(sim_world *world)
{
    uint32_t count;
    float *tags = read_values(world, "tag", 1, &count);
    for (uint32_t i = 0; i < count; i++)
        tags[i] = 100.0f + (float)i;
    write_values(world, "tag", tags, count);
    base_free(tags);
}

static void assert_follows(sim_world *world, uint32_t tagged)
{
    uint32_t count, in_block = 8 * 8 * 8;
    float *tags = read_values(world, "tag", 1, &count),
          *more = read_values(world, "more", 2, &count),
          *places = read_values(world, "place", 3, &count);
    assert_true(count > tagged);
    for (uint32_t i = 0; i < count; i++) {
        const float expected = i < in_block ? 1.0f : i < tagged ? 3.0f : 5.0f;
        assert_true(tags[i] == (i < tagged ? 100.0f + (float)i : 0.0f));
        assert_true(more[2 * i] == expected && more[2 * i + 1] == expected + 1.0f);
        for (uint32_t k = 0; k < 3; k++)
            assert_true(places[3 * i + k] == 7.0f + (float)k);
    }
    base_free(tags);
    base_free(more);
    base_free(places);
}

static void attributes_follow_their_particles(void **state)
{
    gpu_device *device = open_gpu(true);
    for (uint32_t m = 0; m < METHODS; m++) {
        uint64_t hashes[2];
        scene_data *scene = scene_with(splash, attribute_methods[m], "solver.adaptive=false");
        const uint32_t runs = m % 3 == 0 ? 2 : 1; /* pbf and flip with too little room, too */
        for (uint32_t sized = 0; sized < runs; sized++) {
            uint32_t tagged;
            /* With too little room, frames are replayed. */
            sim_world *world = sized ? make_sim_sized(device, scene, 660) : make_sim(device, scene);
            assert_int_equal(sim_particle_count(world, &tagged), WEIR_OK);
            tag_particles(world);
            run_frames(world, 7);
            assert_follows(world, tagged);
            assert_int_equal(sim_hash(world, &hashes[sized]), WEIR_OK);
            assert_int_equal(world->replays > 0, sized);
            sim_destroy(&world);
        }
        assert_true(runs == 1 || hashes[0] == hashes[1]);
        scene_destroy(&scene);
    }
    assert_int_equal(close_gpu(&device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_follow_their_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
