/* Simulations that cannot continue: failures persist until a restore, an unstable state stays
 * readable, rejected calls change nothing, and forged files are rejected. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "gpu_internal.h"
#include "io.h"
#include "scene_text.h"
#include "sim_support.h"

#include <unistd.h>

#define KIND "weirsim"

static const char block_text[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.8, 0.4]},"
    " 'solver': {'substeps': 3, 'iterations': 2},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0.1, 0], 'max': [0.4, 0.4, 0.4]}}, 'jitter': 0.2}}]}";

static gpu_device *device; /* device of the current test */
/* checked: with validation; quick: for tests that create many simulations */
static gpu_device *checked, *quick;
static char folder[] = "/tmp/weir_failures_XXXXXX";
static char *saved; /* path of a checkpoint */

static int open_all(void **state)
{
    if (!mkdtemp(folder)) return -1;
    saved = base_path_join(folder, "state");
    weir_device_def def = weir_device_def_default(); /* no log: most tests provoke errors */
    def.cache_folder = "";
    if (gpu_device_create(&def, &quick) != WEIR_OK) return -1;
    ask_for_validation(&def);
    if (gpu_device_create(&def, &checked) != WEIR_OK) return -1;
    device = checked;
    return 0;
}

static int close_all(void **state)
{
    base_file_remove(NULL, saved);
    base_free(saved);
    rmdir(folder);
    gpu_device_destroy(&quick);
    return close_gpu(&checked);
}

/* ---- runs ----------------------------------------------------------------------------------- */

typedef struct run {
    scene_data *scene;
    sim_world *world;
} run;

static run begin(const char *text, const char *const *overrides, const grid_capacity *first)
{
    run r = {make_scene(text, overrides), NULL};
    OK(sim_create_with_options(device, r.scene, &(sim_create_options){.initial_capacity = first},
                               &r.world));
    return r;
}

static void end(run *r)
{
    sim_destroy(&r->world);
    scene_destroy(&r->scene);
}

static uint64_t hash_of(sim_world *world)
{
    uint64_t hash = 0;
    OK(sim_hash(world, &hash));
    return hash;
}

static void steps(sim_world *world, int count)
{
    for (int i = 0; i < count; i++)
        OK(sim_step(world, 0));
}

/* Saves the state after 2 frames to `saved`; returns the hash after 5. */
static uint64_t save_reference(const char *text)
{
    run r = begin(text, NULL, NULL);
    steps(r.world, 2);
    OK(sim_save(r.world, saved, NULL));
    steps(r.world, 3);
    uint64_t hash = hash_of(r.world);
    end(&r);
    return hash;
}

static void assert_restores(sim_world *world, uint64_t expected)
{
    OK(sim_restore(world, saved, NULL));
    OK(sim_wait(world));
    steps(world, 3);
    assert_true(hash_of(world) == expected);
}

/* ---- unstable ------------------------------------------------------------------------------- */

static void assert_unstable_but_readable(sim_world *world)
{
    uint32_t count = 0;
    uint64_t first, second;
    weir_stats stats;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sim_wait(world), WEIR_ERROR_UNSTABLE);
        assert_int_equal(sim_step(world, 0), WEIR_ERROR_UNSTABLE);
        assert_int_equal(sim_save(world, saved, NULL), WEIR_ERROR_UNSTABLE);
    }
    OK(sim_particle_count(world, &count));
    OK(sim_stats(world, &stats));
    assert_int_equal(stats.particle_count, count);
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float *density = read_densities(world, count);
    OK(sim_hash(world, &first));
    OK(sim_hash(world, &second));
    assert_true(first == second);
    base_free(x);
    base_free(density);
}

static void an_unstable_simulation_stays_so_until_it_is_restored(void **state)
{
    uint64_t expected = save_reference(block_text);
    run r = begin(block_text, NULL, NULL);
    uint32_t count, moved = 40;
    OK(sim_particle_count(r.world, &count));
    assert_true(moved * 100u > count);
    vec4 *v = download(r.world, r.world->buffers.velocities, count, sizeof *v);
    for (uint32_t i = 0; i < moved; i++)
        v[i].y = NAN;
    upload(r.world, r.world->buffers.velocities, v, count * sizeof *v);
    base_free(v);
    steps(r.world, 2); /* the second frame is in flight when the first turns out to be unstable */
    assert_unstable_but_readable(r.world);
    OK(sim_particle_count(r.world, &count));
    assert_int_equal(r.world->last_result.status.non_finite, moved);
    assert_restores(r.world, expected);
    end(&r);
}

#define CROWD 4200u

static void a_crowd_that_no_list_can_hold_is_unstable(void **state)
{
    uint64_t expected = save_reference(block_text);
    static vec4 x[CROWD], v[CROWD];
    static uint32_t ids[CROWD];
    const grid_capacity first = {CROWD, 64, 64};
    for (uint32_t i = 0; i < CROWD; i++) {
        ids[i] = i;
        x[i] = (vec4){0.3f + 1e-6f * (float)i, 0.4f, 0.2f, 0.0f};
    }
    run r = begin(block_text, NULL, &first);
    place_particles(r.world, (placing){CROWD, x, v, ids});
    steps(r.world, 2);
    assert_unstable_but_readable(r.world);
    assert_int_equal(r.world->last_result.status.count, CROWD);
    assert_restores(r.world, expected);
    end(&r);
}

/* ---- failures ------------------------------------------------------------------------------- */

static int allocations_left;

static void *run_out(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return allocations_left-- > 0 ? realloc(memory, size) : NULL;
}

/* Growing needs memory: whichever allocation fails, nothing crashes, leaks or continues, and a
 * restore repairs it. Returns false when no allocation failed. */
static bool fail_at(int allocations, uint64_t expected)
{
    const grid_capacity tiny = {1, 8, 2};
    run r = begin(scene_text("sim_failures_jet"), NULL, &tiny);
    uint64_t hash;
    uint32_t count;
    allocations_left = allocations;
    base_allocator before = base_allocator_set(&(base_allocator){.resize = run_out});
    weir_result result = sim_step(r.world, 0);
    if (result == WEIR_OK) result = sim_step(r.world, 0);
    if (result == WEIR_OK) result = sim_wait(r.world);
    base_allocator_set(&before);
    bool failed = result != WEIR_OK;
    if (failed) {
        assert_int_equal(result, WEIR_ERROR_MEMORY);
        assert_int_equal(sim_step(r.world, 0), WEIR_ERROR_MEMORY);
        assert_int_equal(sim_wait(r.world), WEIR_ERROR_MEMORY);
        assert_int_equal(sim_hash(r.world, &hash), WEIR_ERROR_MEMORY);
        assert_int_equal(sim_particle_count(r.world, &count), WEIR_ERROR_MEMORY);
        assert_int_equal(sim_save(r.world, saved, NULL), WEIR_ERROR_MEMORY);
    }
    assert_restores(r.world, expected);
    end(&r);
    return failed;
}

static void a_failure_stays_until_a_restore_and_the_restored_run_is_right(void **state)
{
    device = quick;
    uint64_t expected = save_reference(scene_text("sim_failures_jet"));
    uint64_t used = gpu_device_memory_used(device);
    int failures = 0;
    for (int n = 0; n < 1000 && fail_at(n, expected); n += 1 + n / 3)
        failures++;
    assert_true(failures > 8);
    assert_true(gpu_device_memory_used(device) == used);
    device = checked;
}

/* ---- emitters ------------------------------------------------------------------------------- */

static void a_frame_of_too_many_layers_is_refused_and_changes_nothing(void **state)
{
    uint64_t expected = save_reference(scene_text("sim_failures_jet"));
    run r = begin(scene_text("sim_failures_jet"), NULL, NULL);
    assert_int_equal(sim_step(r.world, 1e4), WEIR_ERROR_ARGUMENT);
    steps(r.world, 5);
    assert_int_equal(sim_step(r.world, 1e9), WEIR_ERROR_ARGUMENT);
    assert_true(hash_of(r.world) == expected);
    end(&r);
}

static void ids_are_never_given_twice(void **state)
{
    run r = begin(scene_text("sim_failures_jet"), NULL, NULL);
    steps(r.world, 1);
    uint64_t before = hash_of(r.world);
    r.world->next_id = UINT32_MAX - 3;
    assert_int_equal(sim_step(r.world, 0.1), WEIR_ERROR_UNSUPPORTED);
    assert_true(hash_of(r.world) == before);
    end(&r);
}

/* ---- hash, substeps, splits ----------------------------------------------------------------- */

static void the_hash_tells_ids_apart(void **state)
{
    run r = begin(block_text, NULL, NULL);
    uint32_t count;
    OK(sim_particle_count(r.world, &count));
    uint64_t before = hash_of(r.world);
    uint32_t *ids = download(r.world, r.world->buffers.ids, count, sizeof *ids);
    ids[count - 1] += 5; /* the order does not change */
    upload(r.world, r.world->buffers.ids, ids, count * sizeof *ids);
    base_free(ids);
    assert_true(hash_of(r.world) != before);
    end(&r);
}

static void a_speed_that_is_no_number_asks_for_all_substeps(void **state)
{
    static const char *const adaptive[] = {"solver.substeps=6", "solver.adaptive=true", NULL};
    static const float speeds[] = {NAN, -NAN, INFINITY, 1e38f};
    run r = begin(block_text, adaptive, NULL);
    for (size_t i = 0; i < BASE_COUNT(speeds); i++) {
        struct sim_status status = {.count = 1};
        memcpy(&status.max_speed_bits, &speeds[i], 4);
        begin_frame(r.world, 1.0 / 60.0);
        upload(r.world, r.world->buffers.status, &status, sizeof status);
        run_begin_pass(r.world);
        struct sim_status *after = download(r.world, r.world->buffers.status, 1, sizeof *after);
        assert_int_equal(after->substeps, 6);
        base_free(after);
    }
    end(&r);
}

static void a_frame_of_more_submissions_than_slots_gives_the_same_bits_and_times(void **state)
{
    device = quick;
    uint64_t expected = save_reference(scene_text("sim_failures_jet"));
    double milliseconds = 0.0, passes_ms = 0.0;
    run r = begin(scene_text("sim_failures_jet"), NULL, NULL);
    gpu_device_time_passes(device, true);
    gpu_device_limit_submission(device, 1e-9);
    for (int i = 0; i < 5; i++) {
        weir_stats stats;
        steps(r.world, 1);
        OK(sim_stats(r.world, &stats));
        assert_true(stats.gpu_ms > 0.0);
        milliseconds += stats.gpu_ms;
    }
    gpu_device_limit_submission(device, GPU_SUBMISSION_MS);
    assert_true(hash_of(r.world) == expected);
    weir_pass_time times[64];
    uint32_t count = 64;
    OK(sim_pass_times(r.world, times, &count));
    for (uint32_t i = 0; i < count; i++)
        passes_ms += times[i].is_total ? 0.0 : times[i].total_ms;
    assert_true(fabs(passes_ms - milliseconds) <= 1e-6 * passes_ms);
    gpu_device_time_passes(device, false);
    end(&r);
    device = checked;
}

/* Returns the number of submissions of the next frame. */
static uint64_t submissions_of_a_frame(sim_world *world)
{
    uint64_t before = device->next_ticket;
    steps(world, 1);
    return device->next_ticket - before;
}

static void only_a_frame_longer_than_the_budget_is_split_and_keeps_its_bits(void **state)
{
    device = quick;
    uint64_t expected = save_reference(block_text);
    weir_stats stats;
    run r = begin(block_text, NULL, NULL);
    gpu_device_limit_submission(device, 1e9);
    /* the duration of the passes is still unknown */
    assert_true(submissions_of_a_frame(r.world) > 1);
    steps(r.world, 1);
    OK(sim_stats(r.world, &stats));
    assert_int_equal(submissions_of_a_frame(r.world), 1);
    /* a twentieth of the expected duration of a frame */
    gpu_device_limit_submission(device, 0.05 * stats.gpu_ms);
    assert_true(submissions_of_a_frame(r.world) > 2);
    assert_true(submissions_of_a_frame(r.world) > 2);
    gpu_device_limit_submission(device, GPU_SUBMISSION_MS);
    assert_true(hash_of(r.world) == expected);
    end(&r);
    device = checked;
}

/* ---- forged checkpoints --------------------------------------------------------------------- */

/* Rewrites `saved` with the bytes at `offset` of one block replaced. */
static void forge(const char *tag, size_t offset, const void *bytes, size_t size)
{
    io_block_file file = {0};
    OK(io_block_file_read(NULL, saved, KIND, &file));
    const io_block *block = io_block_find(file.blocks, file.count, tag);
    assert_true(block && offset + size <= block->size);
    memcpy((uint8_t *)(uintptr_t)block->bytes + offset, bytes, size);
    OK(io_block_file_write(NULL, saved, KIND, file.blocks, file.count));
    io_block_file_free(&file);
}

typedef struct forgery {
    const char *tag;
    size_t offset;
    uint32_t word;
} forgery;

static void assert_refused(const char *text, const forgery *forgeries, size_t count)
{
    device = quick;
    for (size_t i = 0; i < count; i++) {
        const forgery *f = &forgeries[i];
        uint64_t expected = save_reference(text);
        run r = begin(text, NULL, NULL);
        steps(r.world, 1);
        uint64_t before = hash_of(r.world);
        forge(f->tag, f->offset, &f->word, sizeof f->word);
        weir_result result = sim_restore(r.world, saved, NULL);
        if (result != WEIR_ERROR_IO) fail_msg("%s at %zu: %d", f->tag, f->offset, (int)result);
        assert_true(hash_of(r.world) == before);
        steps(r.world, 4);
        assert_true(hash_of(r.world) == expected);
        end(&r);
    }
    device = checked;
}

static void a_checkpoint_that_would_lead_shaders_astray_is_refused(void **state)
{
    const forgery forgeries[] = {
        {"x", 12, 1},
        {"x", 12, UINT32_MAX},
        {"x", 28, 0x3f800000u /* 1.0f */},
        {"ids", 4, UINT32_MAX},
        {"ids", 4, 100000},
        {"emitter", offsetof(sim_stream_state, site_count), 1000},
        {"emitter", offsetof(sim_stream_state, first_site), 1000},
        {"clock", 12, 0x7ff80000u}, /* high word of the time: not a number */
        {"clock", 12, 0x7e37e43cu}, /* high word of the time: 1e300 */
        {"clock", 12, 0xbff00000u}, /* before the start */
        {"clock", 20, 1},           /* high word of the frame number */
        {"status", offsetof(struct sim_status, count), 5},
        {"status", offsetof(struct sim_status, dt), 0x7fc00000u}, /* not a number */
        {"v", 4, 0x7fc00000u},
        {"v", 16, 0x7f000000u}, /* 1.7e38 m/s */
        {"sums", 0, 0x7f800000u /* infinite */},
        {"gauges", 0, 0}, /* a substep of 0 s */
        {"gauges", 4, 0x7fc00000u},
    };
    assert_refused(scene_text("sim_failures_jet"), forgeries, BASE_COUNT(forgeries));
}

/* States with infinite energies, or that no scene could contain. */
static void a_checkpoint_of_things_that_cannot_be_is_refused(void **state)
{
    const uint32_t huge = 0x60ad78ecu; /* 1e20f */
    const forgery forgeries[] = {
        {"bodies", offsetof(struct body_state, position), huge},
        {"bodies", offsetof(struct body_state, rotation) + 12, 0}, /* a rotation of length 0 */
        {"bodies", offsetof(struct body_state, velocity) + 4, huge},
        {"bodies", offsetof(struct body_state, angular_momentum), huge},
        {"bodies", offsetof(struct body_state, angular_momentum), 0x7fc00000u /* not a number */},
        {"holds", 0, 0x7f800000u /* infinite */},
        {"softs", offsetof(struct deformable_state, position), huge},
        {"softs",
         sizeof(struct deformable_state) + offsetof(struct deformable_state, position) + 12, huge},
        {"softs",
         sizeof(struct deformable_state) + offsetof(struct deformable_state, position) + 12,
         0xbf800000u /* -1 per kg */},
        {"softs", offsetof(struct deformable_state, velocity) + 8, huge},
        {"softs", offsetof(struct deformable_state, velocity) + 8, 0x7fc00000u},
        {"driven", offsetof(scene_pose, position), huge},
        {"driven", offsetof(scene_pose, rotation) + 12, 0},
    };
    assert_refused(scene_text("sim_failures_things"), forgeries, BASE_COUNT(forgeries));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unstable_simulation_stays_so_until_it_is_restored),
        cmocka_unit_test(a_crowd_that_no_list_can_hold_is_unstable),
        cmocka_unit_test(a_failure_stays_until_a_restore_and_the_restored_run_is_right),
        cmocka_unit_test(a_frame_of_too_many_layers_is_refused_and_changes_nothing),
        cmocka_unit_test(ids_are_never_given_twice),
        cmocka_unit_test(the_hash_tells_ids_apart),
        cmocka_unit_test(a_speed_that_is_no_number_asks_for_all_substeps),
        cmocka_unit_test(a_frame_of_more_submissions_than_slots_gives_the_same_bits_and_times),
        cmocka_unit_test(only_a_frame_longer_than_the_budget_is_split_and_keeps_its_bits),
        cmocka_unit_test(a_checkpoint_that_would_lead_shaders_astray_is_refused),
        cmocka_unit_test(a_checkpoint_of_things_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
