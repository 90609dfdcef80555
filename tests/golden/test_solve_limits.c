/* Frames record only the iterations that their solves are expected to need. Counts the dispatches
 * that are recorded, and compares the bits with those of frames that record the maximum, whatever
 * was expected. */
#include "device_support.h"
#include "gpu_internal.h"
#include "scene_text.h"
#include "sim_support.h"

static const char flip[] =
    "{'spacing': 0.025, 'domain': {'min': [0, 0, 0], 'max': [1, 0.8, 0.4]}, 'frame_rate': 50,"
    " 'solver': {'method': 'flip'}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [0.5, 0.5, 0.4]}}}}]}";

static const char honey[] =
    "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}, 'frame_rate': 100,"
    " 'solver': {'substeps': 2}, 'fluids': [{'name': 'honey', 'dynamic_viscosity': 20, 'fill':"
    " {'shape': {'box': {'min': [0.1, 0, 0.1], 'max': [0.3, 0.14, 0.3]}}}}]}";

/* As honey, by FLIP, with a body in the fluid: two pressure solves and a viscous one. */
static const char flip_raft[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.4]}, 'frame_rate': 50,"
    " 'solver': {'method': 'flip', 'substeps': 2}, 'bodies': [{'name': 'raft', 'density': 400,"
    " 'shape': {'box': {'size': [0.2, 0.1, 0.2]}, 'position': [0.4, 0.5, 0.2]}}], 'fluids':"
    " [{'name': 'honey', 'dynamic_viscosity': 20, 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.8, 0.4, 0.4]}}}}]}";

/* A cloth and a body fall into fluid with a tolerance and viscosity. */
static const char things[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.8]}, 'frame_rate': 50,"
    " 'solver': {'substeps': 2, 'iterations': 20, 'tolerance': {'mean': 0.003}},"
    " 'bodies': [{'name': 'ball', 'density': 600, 'shape': {'sphere': {'radius': 0.1},"
    " 'position': [0.2, 0.4, 0.2]}}], 'cloths': [{'name': 'sheet', 'area_density': 4,"
    " 'thickness': 0.06, 'grid': {'corner': [0.4, 0.45, 0.4], 'along': [0.3, 0, 0],"
    " 'across': [0, 0, 0.3], 'spacing': 0.0501}}], 'fluids': [{'name': 'oil',"
    " 'dynamic_viscosity': 5, 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.8, 0.3, 0.8]}}}}]}";

#define KNOWN UINT32_MAX
#define ALL 1000u /* more than any maximum */
#define MAX_FRAMES 16
#define CHANGE 6 /* frame before which the host changes the scene */

typedef struct outcome {
    uint64_t hash, replays;
    struct sim_status status;
    uint32_t dispatches[MAX_FRAMES]; /* recorded for each frame, replays included */
} outcome;

static uint32_t dispatches;
static PFN_vkCmdDispatch dispatch;
static PFN_vkCmdDispatchIndirect dispatch_indirect;

static void VKAPI_PTR count_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    dispatches++;
    dispatch(commands, x, y, z);
}

static void VKAPI_PTR count_indirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset)
{
    dispatches++;
    dispatch_indirect(commands, buffer, offset);
}

typedef struct run_def {
    const char *text, *change; /* scene; override from frame CHANGE on, NULL: none */
    uint32_t frames;
    uint32_t expected;  /* repetitions that every solve is expected to need; KNOWN: as found */
    uint32_t in_flight; /* frames between two waits */
} run_def;

static outcome run(const run_def *def)
{
    outcome found = {0};
    scene_data *scene = make_scene(def->text, NULL);
    scene_data *changed = make_scene(def->text, (const char *const[]){def->change, NULL});
    sim_world *world = make_sim(device, scene);
    for (uint32_t f = 0; f < def->frames; f++) {
        if (f % def->in_flight == 0) OK(sim_wait(world));
        if (f == CHANGE && def->change) OK(sim_apply_scene(world, changed));
        for (uint32_t k = 0; k < SIM_SOLVES && def->expected != KNOWN; k++)
            world->expected_repetitions[k] = def->expected;
        dispatches = 0;
        OK(sim_step(world, 0));
        if (def->in_flight == 1) OK(sim_wait(world)); /* replays count as dispatches of the frame */
        found.dispatches[f] = dispatches;
    }
    OK(sim_wait(world));
    OK(sim_hash(world, &found.hash));
    found.replays = world->replays;
    found.status = world->last_result.status;
    found.status.required_capacity = 0;
    sim_destroy(&world);
    scene_destroy(&changed);
    scene_destroy(&scene);
    return found;
}

static void assert_same(const outcome *found, const outcome *reference)
{
    assert_true(found->hash == reference->hash);
    assert_memory_equal(&found->status, &reference->status, sizeof found->status);
}

/* The first frame records the maximum, the others what the first one needed and one more. */
static void calm_frames_record_fewer_dispatches(void **state)
{
    run_def def = {.text = flip, .frames = 10, .expected = ALL, .in_flight = 1};
    const uint32_t last = def.frames - 1;
    outcome all = run(&def);
    def.expected = KNOWN;
    outcome found = run(&def);
    print_message("  %u dispatches of %u\n", found.dispatches[last], all.dispatches[last]);
    assert_same(&found, &all);
    assert_int_equal(found.replays, 0);
    assert_int_equal(found.dispatches[0], all.dispatches[0]);
    assert_true(4 * found.dispatches[last] < 3 * all.dispatches[last]);
}

/* The host makes the fluid thicker: the next frame needs more than was recorded, and is replayed;
 * later frames know. */
static void a_jump_is_replayed(void **state)
{
    run_def def = {.text = honey,
                   .change = "fluids[0].dynamic_viscosity=400",
                   .frames = MAX_FRAMES,
                   .expected = ALL,
                   .in_flight = 1};
    const uint32_t last = def.frames - 1;
    outcome all = run(&def);
    def.expected = KNOWN;
    outcome found = run(&def);
    for (uint32_t f = 0; f < def.frames; f++)
        print_message(" %u", found.dispatches[f]);
    print_message(" dispatches of %u, %u replays\n", all.dispatches[last], (uint32_t)found.replays);
    assert_same(&found, &all);
    assert_in_range(found.replays, 1, 3);
    assert_true(2 * found.dispatches[CHANGE - 1] < all.dispatches[CHANGE - 1]);
    assert_true(found.dispatches[CHANGE] > all.dispatches[CHANGE]);
    assert_true(found.dispatches[last] > found.dispatches[CHANGE - 1]);
    assert_true(found.dispatches[last] < all.dispatches[last]);
}

static void bits_do_not_depend_on_what_was_expected(void **state)
{
    static const char *const scenes[] = {flip, honey, flip_raft, things};
    for (size_t s = 0; s < BASE_COUNT(scenes); s++) {
        run_def def = {.text = scenes[s], .frames = 6, .expected = ALL, .in_flight = 2};
        outcome all = run(&def);
        assert_int_equal(all.replays, 0);
        for (def.expected = 0; def.expected < 5; def.expected += 2) {
            outcome found = run(&def);
            print_message("  scene %u, %u expected: %u replays\n", (uint32_t)s, def.expected,
                          (uint32_t)found.replays);
            assert_same(&found, &all);
            if (def.expected == 0) assert_true(found.replays >= 2);
        }
    }
}

/* A host's frame shows incomplete points if it is replayed, so its margin is twice as wide. */
static void frames_with_a_snapshot_have_twice_the_margin(void **state)
{
    sim_snapshot snapshot = {0};
    sim_frame own = {0}, hosts = {.snapshot = &snapshot};
    scene_data *scene = make_scene(flip, NULL);
    sim_world *world = make_sim(device, scene);
    sim_expect_solves(world, &own);
    assert_int_equal(own.solve_limits[SIM_SOLVE_PRESSURE], 0); /* no frame has told yet: all */
    run_frames(world, 1);
    world->expected_repetitions[SIM_SOLVE_PRESSURE] = 16;
    sim_expect_solves(world, &own);
    sim_expect_solves(world, &hosts);
    assert_int_equal(own.solve_limits[SIM_SOLVE_PRESSURE], 19);
    assert_int_equal(hosts.solve_limits[SIM_SOLVE_PRESSURE], 22);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static int open_counted(void **state)
{
    if (open_validated_device(state) != 0) return -1;
    dispatch = device->vk.vkCmdDispatch;
    dispatch_indirect = device->vk.vkCmdDispatchIndirect;
    device->vk.vkCmdDispatch = count_dispatch;
    device->vk.vkCmdDispatchIndirect = count_indirect;
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calm_frames_record_fewer_dispatches),
        cmocka_unit_test(a_jump_is_replayed),
        cmocka_unit_test(bits_do_not_depend_on_what_was_expected),
        cmocka_unit_test(frames_with_a_snapshot_have_twice_the_margin),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_counted, close_device);
}
