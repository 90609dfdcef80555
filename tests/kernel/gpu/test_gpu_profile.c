/* Tests the foundations of the profiler: ticks, clocks, labels, costs, memory by module, single
 * passes. */
#include "gpu_internal.h"
#include "sim_support.h"

static const char pool[] =
    "{'name': 'pool', 'domain': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.3]}, 'frame_rate': 60,"
    " 'duration': 0.1, 'spacing': 0.05, 'solver': {'substeps': 2, 'iterations': 2},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box':"
    " {'min': [0, 0, 0], 'max': [0.3, 0.25, 0.3]}}}}]}";

static gpu_device *shared;
static scene_data *scene;

static int open_shared(void **state)
{
    shared = open_gpu(true);
    scene = make_scene(pool, NULL);
    return 0;
}

static int close_shared(void **state)
{
    scene_destroy(&scene);
    return close_gpu(&shared);
}

/* ---- ticks and clocks ----------------------------------------------------------------------- */

static void ticks_run_on_past_the_counters_end(void **state)
{
    assert_int_equal(gpu_ticks_elapsed(10, 25, 64), 15);
    assert_int_equal(gpu_ticks_elapsed(UINT64_MAX - 4, 5, 64), 10);
    assert_int_equal(gpu_ticks_elapsed(0xfffffffff0, 0x10, 40), 0x20);
    /* Bits above the valid ones are ignored. */
    assert_int_equal(gpu_ticks_elapsed(0xab00000000000005, 0x1200000000000009, 36), 4);
}

static void seconds_are_right_before_and_after_the_moment_of_calibration(void **state)
{
    gpu_device *device = base_alloc(1, sizeof *device);
    assert_non_null(device);
    device->timestamp_bits = 36;
    device->limits.timestampPeriod = 10.0f;
    device->clock.ticks = 100;
    device->clock.cpu_s = 50.0;
    assert_true(fabs(gpu_clock_seconds(device, 100 + 1000) - (50.0 + 1e-5)) <= 1e-12);
    assert_true(fabs(gpu_clock_seconds(device, (1ull << 36) - 900) - (50.0 - 1e-5)) <= 1e-12);
    base_free(device);
}

/* Checks that the spans of GPU work lie between its submission and the end of the wait for it. */
static void check_axis(bool calibrated)
{
    char path[64];
    base_trace *trace = NULL;
    weir_log log = {.write = print_problem, .level = WEIR_LOG_WARNING};
    sim_world *world = make_sim(shared, scene);
    bool offered = shared->clock.offered;
    snprintf(path, sizeof path, "/tmp/weir-trace-%u", (unsigned)(base_time_s() * 1e3) % 100000u);
    OK(base_trace_open(&log, path, &trace));
    shared->clock.offered = offered && calibrated;
    OK(gpu_device_set_trace(shared, trace));
    double start_s = base_time_s();
    OK(sim_step(world, 0.0));
    OK(sim_wait(world));
    double end_s = base_time_s();
    const double slack_s = 0.05; /* half of a round trip on a busy machine */
    assert_true(shared->spans.count > 0);
    for (size_t i = 0; i < shared->spans.count; i++) {
        const gpu_span *span = &shared->spans.items[i];
        assert_true(span->start_s <= span->end_s);
        assert_true(span->start_s >= start_s - slack_s && span->end_s <= end_s + slack_s);
    }
    OK(gpu_device_set_trace(shared, NULL));
    shared->clock.offered = offered;
    OK(base_trace_close(&trace));
    OK(base_file_remove(&log, path));
    sim_destroy(&world);
}

static void gpu_spans_stand_on_the_cpus_axis(void **state)
{
    check_axis(true);
}

static void without_calibrated_clocks_too(void **state)
{
    check_axis(false);
}

/* ---- labels --------------------------------------------------------------------------------- */

static PFN_vkCmdBeginDebugUtilsLabelEXT real_label;
static char labels[65536];

static void VKAPI_PTR note_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT *label)
{
    size_t used = strlen(labels);
    snprintf(labels + used, sizeof labels - used, "%s\n", label->pLabelName);
    real_label(commands, label);
}

static void every_pass_is_labelled_with_its_shaders_name(void **state)
{
    sim_world *world = make_sim(shared, scene);
    real_label = shared->instance.calls.begin_label;
    assert_non_null(real_label);
    labels[0] = '\0';
    shared->instance.calls.begin_label = note_label;
    OK(sim_step(world, 0.0));
    OK(sim_wait(world));
    shared->instance.calls.begin_label = real_label;
    const char *at = strstr(labels, gpu_pipeline_name(world->passes[0].pipeline));
    for (uint32_t r = 0; r < world->pass_count; r++) {
        const char *name = gpu_pipeline_name(world->passes[r].pipeline);
        if (world->passes[r].group) continue; /* recorded repeatedly */
        at = at ? strstr(at, name) : NULL;
        if (!at) fail_msg("no label %s in its place among\n%s", name, labels);
    }
    sim_destroy(&world);
}

/* ---- stamps --------------------------------------------------------------------------------- */

static PFN_vkCmdWriteTimestamp2 real_stamp;
static uint32_t stamps;

static void VKAPI_PTR count_stamp(VkCommandBuffer commands, VkPipelineStageFlags2 stage,
                                  VkQueryPool queries, uint32_t query)
{
    stamps++;
    real_stamp(commands, stage, queries, query);
}

/* Returns the minimum number of timestamps of a frame. A frame in which a list took much longer or
 * shorter than before, because the machine was busy, makes the next one time its passes. */
static uint32_t fewest_stamps(sim_world *world)
{
    uint32_t fewest = UINT32_MAX;
    weir_stats stats;
    for (int i = 0; i < 8; i++) {
        stamps = 0;
        OK(sim_step(world, 0.0));
        OK(sim_wait(world));
        OK(sim_stats(world, &stats));
        assert_true(stats.gpu_ms > 0.0);
        if (stamps < fewest) fewest = stamps;
    }
    return fewest;
}

/* Counts the calls of passes, or of whole pass lists, since the times were reset. */
static uint32_t count_calls(sim_world *world, bool whole)
{
    weir_pass_time times[64];
    uint32_t count = BASE_COUNT(times), calls = 0;
    OK(sim_pass_times(world, times, &count));
    for (uint32_t i = 0; i < count; i++)
        if (times[i].is_total == whole) calls += times[i].calls;
    return calls;
}

static void passes_are_stamped_only_while_somebody_looks(void **state)
{
    const uint32_t tables = 1 + 2 + 1; /* start and end of the frame, and two substeps */
    uint64_t a, b;
    real_stamp = shared->vk.vkCmdWriteTimestamp2;
    shared->vk.vkCmdWriteTimestamp2 = count_stamp;
    gpu_device_time_passes(shared, false);
    gpu_device_limit_submission(shared, 1e9); /* a slow driver's frame would be split */
    sim_world *world = make_sim(shared, scene);
    OK(sim_step(world, 0.0)); /* its pass lists have not been timed */
    OK(sim_wait(world));
    assert_true(stamps > 10 * tables);
    assert_int_equal(fewest_stamps(world), 2 * tables);
    sim_pass_times_reset(world); /* the times are in use */
    assert_true(fewest_stamps(world) > 10 * tables);
    assert_int_equal(count_calls(world, true), 8 * tables);
    const uint32_t passes = count_calls(world, false) / 8;
    assert_int_equal(stamps, passes + tables);
    gpu_device_time_passes(shared, false);
    assert_int_equal(fewest_stamps(world), 2 * tables);
    gpu_device_limit_submission(shared, 1e-9);
    assert_true(fewest_stamps(world) >= 2 * passes); /* at both ends of each submission */
    gpu_device_limit_submission(shared, GPU_SUBMISSION_MS);
    OK(sim_hash(world, &a));
    sim_world *watched = make_sim(shared, scene);
    gpu_device_time_passes(shared, true);
    for (int i = 0; i < 33; i++)
        OK(sim_step(watched, 0.0));
    OK(sim_hash(watched, &b));
    assert_true(a == b);
    gpu_device_time_passes(shared, false);
    shared->vk.vkCmdWriteTimestamp2 = real_stamp;
    sim_destroy(&watched);
    sim_destroy(&world);
}

/* Submissions are split by the known durations of passes; where these no longer match their list,
 * the passes are measured again. */
static void passes_are_measured_anew_when_a_table_takes_longer(void **state)
{
    gpu_device_time_passes(shared, false);
    sim_world *world = make_sim(shared, scene);
    fewest_stamps(world);
    struct gpu_timer *lambda = &world->timers->passes[step_pass(world, "lambda")];
    struct gpu_timer *whole = &world->timers->passes[world->timers->pass_count];
    const double right_ms = lambda->predicted_ms;
    lambda->predicted_ms /= 1000.0;
    whole->predicted_ms /= 1000.0;
    for (int i = 0; i < 16; i++) {
        OK(sim_step(world, 0.0));
        OK(sim_wait(world));
    }
    assert_true(lambda->predicted_ms > 0.1 * right_ms);
    sim_destroy(&world);
}

/* ---- costs and memory ----------------------------------------------------------------------- */

static void costs_follow_from_the_declaration(void **state)
{
    sim_world *world = make_sim(shared, scene);
    gpu_buffer *a = NULL, *b = NULL, *list = NULL;
    OK(gpu_buffer_create(shared, &(gpu_buffer_def){.name = "a", .stride = 16, .count = 1000}, &a));
    OK(gpu_buffer_create(shared, &(gpu_buffer_def){.name = "b", .stride = 4, .count = 1000}, &b));
    OK(gpu_buffer_create(shared, &(gpu_buffer_def){.name = "l", .stride = 256, .count = 1000},
                         &list));
    gpu_pass pass = {
        .pipeline = world->passes[0].pipeline,
        .dispatch_size = {.name = "elements", .count = 1000},
        .work = {.flops = 5,
                 .pair_flops = 2,
                 .pair_gathers = 16,
                 .atomics = 1,
                 .pairs = list,
                 .pair_bytes = 4},
        .use_count = 3,
        .uses = {{0, a, GPU_READ_ANY}, {1, b, GPU_UPDATE_OWN}, {2, list, GPU_READ_OWN}}};
    gpu_cost cost = gpu_pass_cost(&pass, 100, 30);
    assert_true(fabs(cost.bytes - (100 * (16 + 2 * 4 + 30 * 4))) <= 0);
    assert_true(fabs(cost.gathered - (100 * 30 * 16)) <= 0);
    assert_true(fabs(cost.flops - (100 * (5 + 30 * 2))) <= 0);
    assert_true(fabs(cost.atomics - (100)) <= 0);
    gpu_buffer_destroy(shared, &a);
    gpu_buffer_destroy(shared, &b);
    gpu_buffer_destroy(shared, &list);
    sim_destroy(&world);
}

static uint64_t module_bytes(const char *name, bool peak)
{
    const weir_device_info *info = gpu_device_info(shared);
    for (uint32_t i = 0; i < WEIR_MODULE_COUNT; i++)
        if (info->modules[i].name && strcmp(info->modules[i].name, name) == 0)
            return peak ? info->modules[i].peak_bytes : info->modules[i].bytes;
    return 0;
}

static void memory_is_counted_by_module(void **state)
{
    uint64_t before = module_bytes("sim", false), used = gpu_device_memory_used(shared);
    sim_world *world = make_sim(shared, scene);
    uint64_t sum = 0, within = module_bytes("sim", false);
    for (uint32_t i = 0; i < WEIR_MODULE_COUNT; i++)
        sum += gpu_device_info(shared)->modules[i].bytes;
    assert_int_equal(sum, gpu_device_memory_used(shared));
    assert_true(within > before);
    assert_true(module_bytes("grid", false) > 0);
    sim_destroy(&world);
    assert_int_equal(module_bytes("sim", false), before);
    assert_int_equal(gpu_device_memory_used(shared), used);
    assert_true(module_bytes("sim", true) >= within);
}

/* ---- single passes, and options that must not change the result ----------------------------- */

/* Hashes all buffers that a pass writes. */
static uint64_t written_hash(const gpu_pass *pass)
{
    uint64_t sum = 0;
    for (uint32_t u = 0; u < pass->use_count; u++) {
        if (!gpu_access_writes(pass->uses[u].access)) continue;
        uint64_t size = gpu_buffer_size(pass->uses[u].buffer);
        void *bytes = base_alloc(size, 1);
        assert_non_null(bytes);
        OK(gpu_buffer_download(shared, pass->uses[u].buffer, 0, bytes, size));
        sum = base_hash64(bytes, size, sum);
        base_free(bytes);
    }
    return sum;
}

/* Counting adds to its output, so a second run on the results of the first would count twice. */
static void every_repetition_starts_from_the_same(void **state)
{
    sim_world *world = make_sim(shared, scene);
    run_up_to(world, 1.0 / 60, "count_dense_bins");
    uint32_t r = step_pass(world, "count_dense_bins");
    uint64_t before = written_hash(&world->passes[r]);
    OK(gpu_pass_benchmark(shared, &world->passes[r], 3, NULL));
    assert_true(written_hash(&world->passes[r]) == before);
    run_step_passes(world, r, r + 1);
    assert_true(written_hash(&world->passes[r]) != before);
    sim_destroy(&world);
}

static void a_pass_timed_alone_leaves_the_state_as_it_was(void **state)
{
    static const char *const names[] = {
        "choose_substep_count", "predict_positions", "count_dense_bins",
        "scan_apply_offsets",   "reorder_particles", "position_correction",
        "update_velocity",      "finalize_velocity", "frame_end",
        "statistics_total"};
    sim_world *plain = make_sim(shared, scene), *timed = make_sim(shared, scene);
    uint64_t a, b;
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        weir_pass_time time;
        OK(sim_time_repeated_pass(timed, names[i], 3, &time));
        assert_string_equal(time.name, names[i]);
        assert_int_equal(time.calls, 3);
        OK(sim_step(plain, 0.0));
        OK(sim_step(timed, 0.0));
        OK(sim_hash(plain, &a));
        OK(sim_hash(timed, &b));
        assert_true(a == b);
    }
    sim_destroy(&plain);
    sim_destroy(&timed);
}

static uint64_t hash_with(const weir_device_def *wishes)
{
    weir_device_def def = *wishes;
    gpu_device *device = NULL;
    uint64_t hash;
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    OK(gpu_device_create(&def, &device));
    sim_world *world = make_sim(device, scene);
    for (int i = 0; i < 6; i++)
        OK(sim_step(world, 0.0));
    OK(sim_hash(world, &hash));
    sim_destroy(&world);
    gpu_device_destroy(&device);
    return hash;
}

static void the_profilers_options_do_not_change_the_result(void **state)
{
    weir_device_def plain = test_device_def(), small = plain, large = plain, lanes = plain,
                    timed = plain;
    small.workgroup_size = 32;
    large.workgroup_size = 256;
    lanes.subgroup_size = shared->info.subgroup_min; /* 0 where a driver accepts no size */
    timed.report_pipelines = timed.serialize_passes = timed.count_invocations = true;
    uint64_t hash = hash_with(&plain);
    assert_true(hash == hash_with(&small));
    assert_true(hash == hash_with(&large));
    assert_true(hash == hash_with(&lanes));
    assert_true(hash == hash_with(&timed));
}

static void without_timestamps_times_are_refused(void **state)
{
    weir_device_peaks ceilings;
    weir_pass_time times[8];
    uint32_t count = BASE_COUNT(times);
    sim_world *world = make_sim(shared, scene);
    weir_log log = shared->log;
    shared->log = (weir_log){0};
    shared->info.timestamps = false;
    assert_int_equal(gpu_device_peaks_measure(shared, &ceilings), WEIR_ERROR_UNSUPPORTED);
    assert_int_equal(sim_pass_times(world, times, &count), WEIR_ERROR_UNSUPPORTED);
    assert_int_equal(sim_time_repeated_pass(world, "lambda", 1, times), WEIR_ERROR_UNSUPPORTED);
    shared->info.timestamps = true;
    shared->log = log;
    sim_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_run_on_past_the_counters_end),
        cmocka_unit_test(seconds_are_right_before_and_after_the_moment_of_calibration),
        cmocka_unit_test(gpu_spans_stand_on_the_cpus_axis),
        cmocka_unit_test(without_calibrated_clocks_too),
        cmocka_unit_test(every_pass_is_labelled_with_its_shaders_name),
        cmocka_unit_test(passes_are_stamped_only_while_somebody_looks),
        cmocka_unit_test(passes_are_measured_anew_when_a_table_takes_longer),
        cmocka_unit_test(costs_follow_from_the_declaration),
        cmocka_unit_test(memory_is_counted_by_module),
        cmocka_unit_test(every_repetition_starts_from_the_same),
        cmocka_unit_test(a_pass_timed_alone_leaves_the_state_as_it_was),
        cmocka_unit_test(the_profilers_options_do_not_change_the_result),
        cmocka_unit_test(without_timestamps_times_are_refused),
    };
    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
